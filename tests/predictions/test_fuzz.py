"""Whatever comes in, the only exception that comes out is an InputError with a message."""

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliast import Predictions
from heliast._core.errors import InputError

QUICK = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
WORDS = st.sampled_from(
    ["a", "b", "yes", "no", "", "NA", "nan", "true", "1", "0", "007", "1.0", "=1+1", "é", "a,b"]
)
VALUES = st.one_of(
    WORDS,
    st.text(max_size=4),
    st.integers(),
    st.sampled_from([0, 1, True, False, None, 2**63, 10**400]),
    st.floats(),
    st.sampled_from([float("nan"), float("inf"), 0.5, np.float32(0.5), np.int8(1), np.bool_(True)]),
    st.sampled_from([b"a", (1, 2), [1], {"a": 1}, 1j, object()]),
)
COLUMN = st.one_of(
    st.lists(VALUES, max_size=6),
    st.lists(st.sampled_from(["a", "b"]), min_size=3, max_size=3),
    st.lists(st.sampled_from([0, 1]), min_size=3, max_size=3),
    st.lists(st.floats(0, 1), min_size=3, max_size=3),
    st.lists(st.floats(), min_size=3, max_size=3).map(np.array),
    st.lists(st.floats(width=32), min_size=3, max_size=3).map(lambda x: np.array(x, np.float32)),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=3, max_size=3).map(np.array),
    st.sampled_from([None, 1, "a", np.zeros((3, 2)), np.zeros((3, 0)), np.zeros(0), np.array(1)]),
)
OPTIONS = {
    "classes": st.sampled_from(
        [None, None, [0, 1], ["a", "b"], "ab", [], [1, "a"], [float("nan"), 1], 5, np.arange(2)]
    ),
    "positive": st.sampled_from([None, 0, 1, "a", True, "z"]),
    "task": st.sampled_from([None, "classification", "regression", "other"]),
    "scores": st.sampled_from([None, "probability", "decision", "votes", "other"]),
    "missing": st.sampled_from(["refuse", "drop", "drop", "other"]),
    "weights": st.sampled_from([None, "frequency", "sampling", "other"]),
}


def said(error: InputError) -> None:
    assert len(str(error)) > 20  # a message, not a word


@QUICK
@given(
    truth=COLUMN, label=COLUMN, score=COLUMN, side=COLUMN, options=st.fixed_dictionaries(OPTIONS)
)
@pytest.mark.parametrize("name", ["model", "split", "row", "in_train", "weight", "group"])
def test_of_refuses_in_words(name, truth, label, score, side, options):
    try:
        Predictions.of(truth, label, score, **{name: "model" if side is None else side}, **options)
    except InputError as error:
        said(error)


@QUICK
@given(
    n=st.integers(1, 5),
    data=st.data(),
    scored=st.booleans(),
)
def test_of_keeps_what_it_takes(n, data, scored):
    labels = st.lists(st.sampled_from(["a", "b", "ü", "=x"]), min_size=n, max_size=n)
    truth, label = data.draw(labels), data.draw(labels)
    score = data.draw(st.lists(st.floats(-5, 5), min_size=n, max_size=n)) if scored else None
    classes = sorted({*truth, *label})
    strangers = min(len({*truth}), len({*label})) > 1 and not {*truth} & {*label}
    if len(classes) < 2 or (scored and len(classes) != 2) or strangers:
        with pytest.raises(InputError):
            Predictions.of(truth, label, score)
        return
    table = Predictions.of(truth, label, score)
    assert [table.classes[code] for code in table.y_true] == truth
    assert [table.classes[code] for code in table.y_pred] == label


NAMES = st.one_of(
    st.sampled_from(
        ["truth", "label", "score", "y_true", "y_pred", "prob_a", "score_1", "score_0"]
    ),
    st.sampled_from(
        ["model", "split", "row", "in_train", "weight", "group", "id", "votes_a", "Truth"]
    ),
    st.sampled_from(["", "p_value"]),
    st.text(max_size=5),
)
CELLS = st.one_of(
    WORDS,
    st.sampled_from(["a", "b"]),
    st.sampled_from(["0", "1"]),
    st.floats().map(str),
    st.integers().map(str),
    st.text(max_size=5),
)


@QUICK
@given(names=st.lists(NAMES, min_size=1, max_size=5), data=st.data())
def test_read_csv_refuses_in_words(tmp_path: Path, names, data):
    row = st.lists(CELLS, min_size=len(names), max_size=len(names))
    rows = data.draw(st.lists(st.one_of(row, row, row, st.lists(CELLS, max_size=4)), max_size=6))
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    read_in_words(path, data)


@QUICK
@given(names=st.permutations(["y_true", "y_pred", "score", "row"]), data=st.data())
def test_read_csv_of_known_columns_refuses_in_words(tmp_path: Path, names, data):
    cells = data.draw(st.sampled_from([CELLS, st.sampled_from(["0", "1", "0.5"])]))
    rows = data.draw(st.lists(st.lists(cells, min_size=4, max_size=4), min_size=1, max_size=5))
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        csv.writer(file, quoting=data.draw(st.sampled_from([0, 1, 2]))).writerows([names, *rows])
    read_in_words(path, data)


@QUICK
@given(content=st.one_of(st.binary(max_size=60), st.text(max_size=60)), data=st.data())
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.parquet", "a.csv.gz", "a"])
def test_read_any_bytes_refuses_in_words(tmp_path: Path, name, content, data):
    raw = content if isinstance(content, bytes) else content.encode("utf-8", errors="replace")
    head = data.draw(
        st.sampled_from([b"", b"y_true,y_pred\n", b"PAR1", b"\x1f\x8b\x08", b"\xef\xbb\xbf"])
    )
    path = tmp_path / name
    path.write_bytes(head + raw)
    read_in_words(path, data)


@QUICK
@given(at=st.integers(0, 3000), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_parquet_file_refuses_in_words(tmp_path: Path, whole, at, byte, cut):
    raw = bytearray(whole)
    at %= len(raw)
    if cut:
        raw = raw[:at]
    else:
        raw[at] = byte
    path = tmp_path / "damaged.parquet"
    path.write_bytes(raw)
    try:
        Predictions.read(path)
    except InputError as error:
        said(error)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    table = Predictions.of(
        ["a", "b", "a", "b"],
        y_score=[0.1, 0.9, 0.2, 0.8],
        model=["m", "m", "k", "k"],
        row=["x", "y", "x", "y"],
        weight=[1, 2, 1, 2],
    )
    return table.write(tmp_path_factory.mktemp("whole") / "whole.parquet").read_bytes()


def read_in_words(path: Path, data) -> None:
    options = {
        name: data.draw(OPTIONS[name]) for name in ("classes", "positive", "missing", "task")
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            table = Predictions.read(path, **options)
        except InputError as error:
            said(error)
        else:
            assert len(table) > 0
