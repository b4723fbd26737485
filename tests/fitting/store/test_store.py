"""The store: what was finished is found, what is damaged is seen and done again."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.data import Dataset
from heliast.fitting.cell import Fitter
from heliast.fitting.run import run
from heliast.fitting.store import Cell, Damaged, Output, Store


@pytest.fixture
def iris() -> Dataset:
    return Dataset.of(*load_iris(return_X_y=True))


def cells() -> list[Cell]:
    scores = np.array([[0.1, 0.9], [0.5, 0.5]])
    return [
        Cell(
            3,
            np.array([4, 7]),
            np.array([0, 1], np.int32),
            [Output("", np.array([1, 0]), scores, "probability"), Output("x", np.array([0, 0]))],
            fit_seconds=0.5,
            warnings=("careful",),
        ),
        Cell(4, np.array([1]), np.array([0], np.int32), [], "failed", failure="Traceback: no"),
    ]


def test_labels_without_any_scores_come_back(tmp_path: Path) -> None:
    store = Store.at(tmp_path / "runs")
    alone = Cell(0, np.array([1, 2]), np.zeros(2, np.int32), [Output("", np.array([0, 1]))])
    store.keep(("labels",), [alone])
    found = store.find(("labels",))
    assert found is not None
    assert found[0].outputs[0].label.tolist() == [0, 1]
    assert found[0].outputs[0].scores is None


def test_kept_cells_come_back_as_they_were(tmp_path: Path) -> None:
    store = Store.at(tmp_path / "runs")
    store.keep(("work", 1), cells())
    found = store.find(("work", 1))
    assert found is not None
    assert store.find(("work", 2)) is None
    for one, two in zip(found, cells(), strict=True):
        assert (one.split, one.status, one.failure, one.warnings, one.fit_seconds) == (
            two.split,
            two.status,
            two.failure,
            two.warnings,
            two.fit_seconds,
        )
        np.testing.assert_array_equal(one.row, two.row)
        np.testing.assert_array_equal(one.seen, two.seen)
        for a, b in zip(one.outputs, two.outputs, strict=True):
            assert (a.suffix, a.kind) == (b.suffix, b.kind)
            np.testing.assert_array_equal(a.label, b.label)
            assert (a.scores is None) == (b.scores is None)
            if a.scores is not None and b.scores is not None:
                np.testing.assert_array_equal(a.scores, b.scores)


@pytest.mark.parametrize("damage", ["torn", "flipped", "empty"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    store = Store.at(tmp_path)
    store.keep(("work",), cells())
    (path,) = tmp_path.rglob("*.parquet")
    content = bytearray(path.read_bytes())
    if damage == "torn":
        content = content[: len(content) // 2]
    elif damage == "flipped":
        content[len(content) // 3] ^= 1
    else:
        content = bytearray()
    path.write_bytes(content)
    with pytest.warns(Damaged, match="checksum is wrong.*moved to quarantine"):
        assert store.find(("work",)) is None
    assert store.quarantined() == (tmp_path / "quarantine" / path.name,)
    assert not path.exists()


def test_a_second_run_fits_nothing_and_gives_the_same_table(
    tmp_path: Path, iris: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {"tree": DecisionTreeClassifier(max_features=1)}
    first = run(models, iris, 6, seed=1, store=tmp_path, progress=False)

    def never(*_: object) -> None:
        raise AssertionError("fitted again")

    monkeypatch.setattr(Fitter, "cell", never)
    assert run(models, iris, 6, seed=1, store=tmp_path, progress=False).equals(first)


@pytest.mark.parametrize("change", ["model", "seed", "data", "plan"])
def test_whatever_decides_the_result_decides_the_name(
    tmp_path: Path, iris: Dataset, change: str
) -> None:
    run({"m": GaussianNB()}, iris, 3, seed=1, store=tmp_path, progress=False)
    before = {path.name for path in tmp_path.glob("??/*.parquet")}
    data, model, seed, plan = iris, GaussianNB(), 1, 3
    if change == "model":
        model = GaussianNB(var_smoothing=0.1)
    elif change == "seed":
        seed = 2
    elif change == "data":
        matrix = iris.matrix.copy()
        matrix[0, 0] += 1e-9
        data = Dataset.of(matrix, iris.y)
    else:
        plan = 4
    run({"m": model}, data, plan, seed=seed, store=tmp_path, progress=False)
    after = {path.name for path in tmp_path.glob("??/*.parquet")}
    assert len(after) == len(before) + plan


def test_a_place_that_cannot_be_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(hl.InputError, match="cannot make this folder"):
        Store.at(file / "runs")


def test_cells_of_the_first_format_are_read(tmp_path: Path) -> None:
    """It had neither a number nor its name inside."""
    import json

    import pyarrow as pa
    import pyarrow.parquet as pq

    from heliast.fitting.store._files import checksum

    store = Store.at(tmp_path)
    store.keep(("work",), cells())
    (path,) = tmp_path.glob("??/*.parquet")
    table = pq.read_table(path)
    said = json.loads(table.schema.metadata[b"heliast-cells"])
    older = table.replace_schema_metadata({b"heliast-cells": json.dumps(said["cells"]).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(older, sink)
    content = bytes(sink.getvalue())
    path.unlink()
    path.with_name(f"{path.name[:32]}-{checksum(content)}.parquet").write_bytes(content)
    found = store.find(("work",))
    assert found is not None
    np.testing.assert_array_equal(found[0].outputs[0].label, [1, 0])


def test_a_store_that_travels_knows_its_folder(tmp_path, monkeypatch):
    """A worker that was started in another folder writes where its asker stands."""
    monkeypatch.chdir(tmp_path)
    sent = pickle.dumps(Store.at("kept"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert pickle.loads(sent).folder == tmp_path / "kept"
