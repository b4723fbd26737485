"""What `run` adds to a bare loop of clone, fit and predict, and what the store adds to `run`."""

import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from benchmarks.speed._measure import Result, seconds
from heliast.fitting.cell import Cell, Output
from heliast.fitting.store import Store

FOLDS, REPEATS = 10, 10


def loop(model: Any, data: hl.Dataset, frozen: Any) -> list[Any]:
    """What one would write by hand."""
    out = []
    for piece in frozen:
        fitted = clone(model).fit(data.matrix[piece.train], data.y[piece.train])
        X = data.matrix[piece.test]
        out.append((fitted.predict(X), fitted.predict_proba(X)))
    return out


def run() -> Iterator[Result]:
    data = hl.Dataset.of(*load_iris(return_X_y=True))
    frozen = hl.KFold(FOLDS, repeats=REPEATS).on(data, 0)
    model = DecisionTreeClassifier(max_depth=2, random_state=0)

    def ours(store: str | None = None) -> hl.Predictions:
        return hl.run({"tree": model}, data, frozen, store=store, jobs=1, progress=False)

    by_hand = loop(model, data, frozen)
    table = ours()
    for split, (label, _) in enumerate(by_hand):
        part = table.only(split=split)
        order = np.argsort(frozen.pieces[split].test)
        assert np.array_equal(np.array(table.classes)[part.y_pred], label[order])
    bare, own = seconds(lambda: loop(model, data, frozen)), seconds(ours)
    what = "100 fits of a tiny tree through run"
    yield Result(what, own, bare, "a bare loop", floor=1.15, at_most=True)

    def stored() -> None:
        with tempfile.TemporaryDirectory() as folder:
            ours(folder)

    cells = FOLDS * REPEATS
    extra = (seconds(stored) - own) / cells
    yield Result("the store, per cell of a run", extra, 0.003, "3 ms", floor=1, at_most=True)
    yield from _alone(cells)


def _alone(cells: int) -> Iterator[Result]:
    """Keeping and finding cells of one split each, without the fits."""
    rows = np.arange(15)
    scores = np.random.default_rng(0).random((15, 3))
    cell = Cell(0, rows, np.zeros(15, np.int32), [Output("", rows % 3, scores, "probability")])

    def keep() -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = Store.at(folder)
            for at in range(cells):
                store.save(store.key(at), cell)

    what = "the store, keeping a cell"
    yield Result(what, seconds(keep) / cells, 0.003, "3 ms", floor=1, at_most=True)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.at(folder)
        for at in range(cells):
            store.save(store.key(at), cell)

        def find() -> None:
            assert all(store.load(store.key(at)) is not None for at in range(cells))

        what = "the store, finding a cell"
        yield Result(what, seconds(find) / cells, 0.003, "3 ms", floor=1, at_most=True)
