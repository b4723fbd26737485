"""Anything at all into read: a Dataset comes out, or an InputError."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliast._core.errors import InputError
from heliast.data import Dataset, read

quick = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

ALPHABET = "a1,;\t\n\r\"' .?-%{}@é0eE+NA"
CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4),
    st.sampled_from(["", "?", "NA", "1", "01", "1e3", "true", "\ud800", "\0"]),
)  # fmt: skip
ARFF_LINES = st.sampled_from(
    [
        "@relation r", "@attribute x real", "@attribute y {a,'b c',?}", "@attribute z string",
        "@attribute d date yyyy", "@attribute 'q", "@data", "@end", "1,a,b,2000", "1,a", "a", "%c",
        "{0 1}", "{1 a, 2 b}", "{", "}", "1,{2}", "'", '"\\', "?,?", "1,'b c'", "",
    ]
)  # fmt: skip


def survives(source: object, **options: object) -> None:
    try:
        data = read(source, **options)  # type: ignore[arg-type]
    except InputError:
        return
    assert data.n == data.y_true.size == len(data.matrix)
    assert len(data.fingerprint) == 16
    assert data.rows([0]) is not None


@pytest.mark.parametrize("suffix", ["csv", "tsv", "arff", "parquet", "gz"])
@quick
@given(content=st.binary(max_size=80))
def test_bytes(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"f.{suffix}"
    path.write_bytes(content)
    survives(path)


@quick
@given(content=st.text(ALPHABET, max_size=80), missing=st.sampled_from(["refuse", "drop"]))
def test_texts(tmp_path: Path, content: str, missing: str) -> None:
    path = tmp_path / "f.csv"
    path.write_text(content, encoding="utf-8", newline="")
    survives(path, missing=missing)


@quick
@given(lines=st.lists(st.one_of(ARFF_LINES, st.text(ALPHABET, max_size=12)), max_size=12))
def test_arff_lines(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "f.arff"
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    survives(path)


@quick
@given(columns=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=4))
def test_tables(columns: list[list[object]]) -> None:
    survives({f"c{at}": values for at, values in enumerate(columns)}, missing="drop")


@quick
@given(
    rows=st.lists(st.lists(CELLS, max_size=3), max_size=4),
    y=st.lists(CELLS, max_size=4),
)
def test_lists(rows: list[list[object]], y: list[object]) -> None:
    try:
        data = Dataset.of(rows, y)
    except InputError:
        return
    assert data.matrix.shape == (len(y), len(rows[0]))


@quick
@given(
    X=st.lists(st.lists(st.floats(), min_size=2, max_size=2), min_size=2, max_size=6),
    pick=st.lists(st.integers(0, 1), max_size=5),
)
def test_subsets_agree_with_the_matrix(X: list[list[float]], pick: list[int]) -> None:
    data = Dataset.of(np.array(X), np.arange(len(X)) % 2)
    part = data.subset(np.array(pick, np.int64))
    np.testing.assert_array_equal(part.matrix, data.rows(pick))
    np.testing.assert_array_equal(part.matrix, np.array(X)[np.array(pick, np.int64)])
