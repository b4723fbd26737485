"""The store: what is finished is found again, what is damaged is done again."""

import os
import random
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.cell import Cell, FitFailed, Fitter, Output
from heliast.fitting.run import run
from heliast.fitting.store import Store

KEY = "0" * 32
TREE = {"tree": DecisionTreeClassifier(max_features=1)}


@pytest.fixture
def iris() -> hl.Dataset:
    return hl.Dataset.of(*load_iris(return_X_y=True))


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The splits that were fitted."""
    found: list[int] = []
    cell = Fitter.cell

    def counted(self: Fitter, piece: Any, split: int, *rest: Any, **more: Any) -> Cell:
        found.append(split)
        return cell(self, piece, split, *rest, **more)

    monkeypatch.setattr(Fitter, "cell", counted)
    return found


def finished_cell(seconds: float = 0.5) -> Cell:
    scores = np.array([[0.1, 0.9], [0.5, np.inf]])
    outputs = [Output("", np.array([1, 0]), scores, "probability"), Output("x", np.array([0, 0]))]
    seen = np.array([0, 1], np.int32)
    return Cell(3, np.array([4, 7]), seen, outputs, fit_seconds=seconds, warnings=("W: é\n",))


CELLS = {
    "scores": finished_cell(),
    "failed": Cell(4, np.array([1]), np.zeros(1, np.int32), [], "failed", failure="no \udcff"),
    "labels": Cell(0, np.array([1, 2]), np.zeros(2, np.int32), [Output("", np.array([0, 1]))]),
    "numbers": Cell(1, np.array([1]), np.zeros(1, np.int32), [Output("", np.array([0.1 + 0.2]))]),
}


def assert_same_cell(one: Cell, two: Cell) -> None:
    for name in ("split", "status", "failure", "warnings", "fit_seconds", "size"):
        assert getattr(one, name) == getattr(two, name)
    np.testing.assert_array_equal(one.row, two.row)
    np.testing.assert_array_equal(one.seen, two.seen)
    for a, b in zip(one.outputs, two.outputs, strict=True):
        assert (a.suffix, a.kind) == (b.suffix, b.kind)
        np.testing.assert_array_equal(a.label, b.label)
        assert (a.scores is None) == (b.scores is None)
        if a.scores is not None:
            np.testing.assert_array_equal(a.scores, b.scores)


# --- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["runs", "it's [a] *?", "model=1/runs", "é"])
def test_a_saved_cell_comes_back_as_it_was(tmp_path: Path, folder: str) -> None:
    store = Store.at(tmp_path / folder)
    for name, cell in CELLS.items():
        store.save(store.key(name), cell)
    keys = [store.key(name) for name in CELLS]
    for key, cell in zip(keys, CELLS.values(), strict=True):
        found = store.load(key)
        assert found is not None
        assert_same_cell(found, cell)
    for key, cell in store.load_all([*keys, KEY]).items():
        assert_same_cell(cell, CELLS[next(n for n in CELLS if store.key(n) == key)])
    assert store.load(KEY) is None
    assert not list(tmp_path.rglob("*.part"))


def test_the_predictions_are_the_same_bytes_however_long_it_took(tmp_path: Path) -> None:
    stores = [Store.at(tmp_path / name) for name in "ab"]
    stores[0].save(KEY, finished_cell(0.5))
    stores[1].save(KEY, finished_cell(7.0))
    one, two = (path.read_bytes() for path in sorted(tmp_path.rglob("*.parquet")))
    assert one == two
    os.replace(tmp_path / "a/cells" / f"{KEY}.json", tmp_path / "b/cells" / f"{KEY}.json")
    found = stores[1].load(KEY)  # as if two had written at the same time
    assert found is not None
    assert found.fit_seconds == 0.5


@pytest.mark.parametrize("ending", ["parquet", "json"])
def test_every_truncation_and_bit_flip_is_seen(tmp_path: Path, ending: str) -> None:
    store = Store.at(tmp_path)
    store.save(KEY, finished_cell())
    path = tmp_path / "cells" / f"{KEY}.{ending}"
    whole, chance = path.read_bytes(), random.Random(1)
    for length in range(0, len(whole), 3):
        path.write_bytes(whole[:length])
        assert store.load(KEY) is None, length
    for _ in range(300):
        content = bytearray(whole)
        content[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        found = store.load(KEY)
        if found is not None:  # spaces between the words of the JSON file, say
            assert_same_cell(found, finished_cell())
    for content in (whole + whole, b""):
        path.write_bytes(content)
        assert store.load(KEY) is None
    store.save(KEY, finished_cell())
    assert store.load(KEY) is not None


@pytest.mark.parametrize("trap", ["/dev/zero", "/nowhere", "."])
def test_a_link_in_the_place_of_a_cell_is_not_followed_but_replaced(
    tmp_path: Path, trap: str
) -> None:
    store = Store.at(tmp_path)
    for ending in ("parquet", "json"):
        (tmp_path / "cells" / f"{KEY}.{ending}").symlink_to(trap)
    assert store.load(KEY) is None
    store.save(KEY, finished_cell())
    assert store.load(KEY) is not None


def test_a_place_that_cannot_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "runs"):
        with pytest.raises(hl.InputError, match=r"store .*file.*: cannot"):
            Store.at(place)
    with pytest.raises(hl.InputError, match=r"cannot read .No such file"):
        Store(tmp_path / "nowhere")


@pytest.mark.parametrize("old", ["ab/x.parquet", "runs/0123456789-ab.parquet"])
def test_a_store_of_the_older_format_is_refused(tmp_path: Path, iris: hl.Dataset, old: str) -> None:
    path = tmp_path / old
    path.parent.mkdir()
    path.write_text("PAR1")
    with pytest.raises(hl.InputError, match=r"older heliast.*name a new folder"):
        run(TREE, iris, 3, store=tmp_path, progress=False)


# --- runs ------------------------------------------------------------------------------------


def test_the_same_call_fits_nothing_and_gives_the_same_table(
    tmp_path: Path, iris: hl.Dataset, fits: list[int]
) -> None:
    first = run(TREE, iris, 6, seed=1, store=tmp_path, progress=False)
    assert sorted(fits) == [0, 1, 2, 3, 4, 5]
    again = run(TREE, iris, 6, seed=1, store=tmp_path, progress=False)
    assert len(fits) == 6
    assert again.equals(first)
    assert again.cells == first.cells
    assert first.equals(run(TREE, iris, 6, seed=1, progress=False))


def test_it_goes_on_with_what_is_missing_or_damaged(
    tmp_path: Path, iris: hl.Dataset, fits: list[int]
) -> None:
    first = run(TREE, iris, 10, seed=1, store=tmp_path, progress=False)
    fits.clear()
    paths = sorted((tmp_path / "cells").glob("*.parquet"))
    paths[0].unlink()
    paths[1].write_bytes(paths[1].read_bytes()[:-1])
    paths[2].with_suffix(".json").unlink()
    assert run(TREE, iris, 10, seed=1, store=tmp_path, progress=False).equals(first)
    assert len(fits) == 3
    assert run(TREE, iris, 10, seed=1, store=tmp_path, progress=False).equals(first)
    assert len(fits) == 3


CHANGES: dict[str, dict[str, Any]] = {
    "model": {"models": {"tree": DecisionTreeClassifier(max_features=2)}},
    "name": {"models": {"oak": DecisionTreeClassifier(max_features=1)}},
    "seed": {"seed": 2},
    "plan": {"plan": hl.KFold(5)},
    "order of rows": {"plan": hl.KFold(4, stratify=False)},
    "in_sample": {"in_sample": True},
}


@pytest.mark.parametrize("change", [*CHANGES, "data", "frame", "settings", "version"])
def test_whatever_decides_the_predictions_is_noticed(
    tmp_path: Path, iris: hl.Dataset, fits: list[int], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    call: dict[str, Any] = {"models": TREE, "data": iris, "plan": hl.KFold(4), "seed": 1}

    def go() -> hl.Predictions:
        fits.clear()
        return run(**call, store=tmp_path, progress=False)

    go()
    go()
    assert not fits
    call |= CHANGES.get(change, {})
    if change == "data":
        X = iris.matrix.copy()
        X[0, 0] += 1e-9
        call["data"] = hl.Dataset.of(X, iris.y)
    elif change == "frame":
        call["data"] = hl.Dataset.of(iris.to_frame("pandas")[list(iris.names)], iris.y)
    elif change == "version":
        from heliast.fitting import fingerprint
        from heliast.fitting import run as running

        versions = {**fingerprint.environment(), "duckdb": "0"}
        monkeypatch.setattr(running, "environment", lambda: versions)
    with sklearn.config_context(assume_finite=change == "settings"):
        go()
    assert len(fits) == (5 if change == "plan" else 4)


def test_shortcuts_are_kept_and_told_from_fits(
    tmp_path: Path, iris: hl.Dataset, fits: list[int]
) -> None:
    models = {"bayes": GaussianNB()}
    quick = run(models, iris, 5, store=tmp_path, progress=False)
    assert not fits
    assert len(list(tmp_path.rglob("*.parquet"))) == 5
    assert run(models, iris, 5, store=tmp_path, progress=False).cells == quick.cells
    run(models, iris, 5, store=tmp_path, shortcuts=False, progress=False)
    assert len(fits) == 5


def test_regression_and_splits_that_share_a_fit(tmp_path: Path, fits: list[int]) -> None:
    data = hl.Dataset.of(*load_diabetes(return_X_y=True))
    for plan in (3, hl.ThreeWay(), hl.NestedFolds(3, 2)):
        models = {"ridge": make_pipeline(FunctionTransformer(), Ridge())}
        first = run(models, data, plan, store=tmp_path, progress=False)
        assert first.equals(run(models, data, plan, progress=False))
        fits.clear()
        assert first.equals(run(models, data, plan, store=tmp_path, progress=False))
        assert not fits


class Fails(ClassifierMixin, BaseEstimator):
    """Cannot be fitted where the first row of iris is held out."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Fails":
        if X[0, 0] != 5.1:
            raise RuntimeError("no")
        warnings.warn("careful", stacklevel=1)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.classes_[0])


def test_failures_and_warnings_are_kept_too(
    tmp_path: Path, iris: hl.Dataset, fits: list[int]
) -> None:
    with pytest.warns(FitFailed, match="failed in 1 of 4 splits"):
        first = run({"m": Fails()}, iris, 4, store=tmp_path, progress=False)
    fits.clear()
    with pytest.warns(FitFailed, match="failed in 1 of 4 splits"):
        again = run({"m": Fails()}, iris, 4, store=tmp_path, progress=False)
    assert not fits
    assert again.cells == first.cells
    assert again.equals(first)
    assert [cell["status"] for cell in again.cells].count("failed") == 1


def test_a_failed_cell_beside_numbers(tmp_path: Path) -> None:
    """Cells are read together: what a failed one lacks must not change the others."""
    store = Store.at(tmp_path)
    store.save("a", CELLS["failed"])
    store.save("b", CELLS["numbers"])
    found = store.load_all(["a", "b"])
    assert found["b"].outputs[0].label.tolist() == [0.1 + 0.2]


def test_a_model_that_cannot_be_recognised_is_refused_with_a_store_only(
    tmp_path: Path, iris: hl.Dataset
) -> None:
    names: dict[str, Any] = {}
    exec("shift = lambda X: X + 1", names)
    models = {"m": make_pipeline(FunctionTransformer(names["shift"]), GaussianNB())}
    run(models, iris, 3, progress=False)
    with pytest.raises(hl.InputError, match=r"'m', parameter 'steps__func': .*no source code"):
        run(models, iris, 3, store=tmp_path, progress=False)


# --- records ---------------------------------------------------------------------------------


def test_runs_are_on_record_with_what_is_finished(tmp_path: Path, iris: hl.Dataset) -> None:
    run(TREE, iris, 3, store=tmp_path, progress=False)
    run(TREE, iris, 3, store=tmp_path, progress=False)
    run({**TREE, "bayes": GaussianNB()}, iris, 3, seed=1, store=tmp_path, progress=False)
    first, second = Store(tmp_path).runs()
    assert (first.cells, first.finished, first.models) == (3, 3, ("tree",))
    assert (second.cells, second.finished, second.models) == (6, 6, ("tree", "bayes"))
    assert second.plan == "KFold(k=3, repeats=1, stratify='auto')"
    for key in second.keys[:2]:
        (tmp_path / "cells" / f"{key}.parquet").unlink()
    assert [found.finished for found in Store(tmp_path).runs()] == [3, 4]


def test_what_nothing_needs_is_cleaned_away(tmp_path: Path, iris: hl.Dataset) -> None:
    table = run(TREE, iris, 3, store=tmp_path, progress=False)
    store = Store(tmp_path)
    store.save(KEY, finished_cell())
    parts = [tmp_path / "cells" / ".a.1.part", tmp_path / "runs" / ".b.2.part"]
    for part in parts:
        part.write_text("half")
    fresh = {tmp_path / "cells" / f"{KEY}.{ending}" for ending in ("parquet", "json")}
    assert set(store.clean()) == fresh  # somebody may be writing the others
    for part in parts:
        os.utime(part, (time.time() - 4000,) * 2)
    assert set(store.clean()) == {*fresh, *parts}
    (record,) = (tmp_path / "runs").glob("*.json")
    text = record.read_text()
    record.write_text(text[:-5])
    assert store.clean() == sorted(parts)  # the cells may be those of the damaged record
    assert store.runs() == ()
    record.write_text(text)
    for path in store.clean():
        path.unlink()
    assert store.clean() == []
    assert table.equals(run(TREE, iris, 3, store=tmp_path, progress=False))
