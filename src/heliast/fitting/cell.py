"""One cell: one model fitted on one split. The only place where anything is fitted."""

import pickle
import time
import traceback
import warnings
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from heliast._core.kinds import Array
from heliast.data import Dataset
from heliast.fitting.engines import LIMITED, Limits
from heliast.fitting.preparation import Inputs
from heliast.fitting.reached import Reached, reached
from heliast.fitting.store import Cell, Output
from heliast.plans import Piece


class Refused(Exception):  # noqa: N818 - not a fault of ours: what a model answered is unusable
    """A model's answer that cannot be used; the message says why."""


class FitFailed(UserWarning):
    """A model could not be fitted in some split, or its answers could not be used there."""


class Fitter:
    """Fits one model split by split. Splits with the same training rows share one fit."""

    def __init__(
        self,
        model: Any,
        inputs: Inputs,
        data: Dataset,
        in_sample: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self.model = model
        self.inputs = inputs
        self.data = data
        self.in_sample = in_sample
        self.limits = limits or Limits()
        self._open = open_seeds(model)
        self._last: tuple[object, Any, float] | None = None

    def cell(self, piece: Piece, split: int, seed: int, with_size: bool = False) -> Cell:
        """Fit on the training rows, predict the rows to predict; failures are recorded."""
        cell = _empty(piece, split, self.data.n, self.in_sample)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                np.random.seed(seed)  # noqa: NPY002 - for models that use the global generator
                self._fill(cell, piece, seed, with_size)
            except Exception as error:
                cell.status, cell.failure = self._why(error)
                cell.outputs = []
        cell.warnings = tuple(dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in heard))
        return cell

    def _why(self, error: Exception) -> tuple[str, str]:
        if isinstance(error, Refused):
            return "refused", str(error)
        if isinstance(error, MemoryError) and self.limits.memory is not None:
            return LIMITED, self.limits.too_large
        return "failed", traceback.format_exc()

    def _fill(self, cell: Cell, piece: Piece, seed: int, with_size: bool) -> None:
        fitted, cell.fit_seconds = self._fitted(piece, seed)
        start = time.perf_counter()
        cell.outputs = list(outputs_of(fitted, self.inputs(self.data, cell.row), self.data))
        cell.predict_seconds = time.perf_counter() - start
        if with_size:
            cell.size = _size(fitted)

    def _fitted(self, piece: Piece, seed: int) -> tuple[Any, float]:
        from heliast.fitting.numbered import fitted

        if self._last is not None and self._last[0] == piece.fit and piece.fit is not None:
            return self._last[1:]
        fresh = piece.data
        source = self.data if fresh is None else fresh
        train = piece.train
        truth = source.y[train] if piece.truth is None else _target(source, piece.truth)
        seeds = dict.fromkeys(self._open, seed % 2**32)
        start = time.perf_counter()
        made = fitted(self.model, self.inputs(source, train), truth, seeds)
        seconds = time.perf_counter() - start
        self._last = (piece.fit, made, seconds)
        return made, seconds


def _size(fitted: Any) -> int | None:
    """Bytes of the fitted model as it would be stored; None for one that cannot be."""
    try:
        return len(pickle.dumps(fitted))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


def _empty(piece: Piece, split: int, n: int, in_sample: bool) -> Cell:
    row = np.sort(piece.test)
    seen = piece.seen(n)
    if in_sample:
        row = np.union1d(row, np.flatnonzero(seen))
    return Cell(split, row, seen[row].astype(np.int32))


def unfinished(piece: Piece, split: int, n: int, in_sample: bool, status: str, why: str) -> Cell:
    """A cell without predictions, which says why."""
    cell = _empty(piece, split, n, in_sample)
    cell.status, cell.failure = status, why
    return cell


def _target(data: Dataset, truth: Array) -> Array:
    return truth if data.task == "number" else data.labels[truth]


_OPEN: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()
"""Of models seen before: asking a model for its parameters takes as long as a small fit."""


def open_seeds(model: Any) -> tuple[str, ...]:
    """The parameters called `random_state` that the user left open: each split gets its own."""
    if model not in _OPEN:
        _OPEN[model] = tuple(
            name
            for name, value in model.get_params(deep=True).items()
            if value is None and (name == "random_state" or name.endswith("__random_state"))
        )
    return _OPEN[model]


def outputs_of(fitted: Any, X: Any, data: Dataset) -> Iterator[Output]:
    """All that one fitted model says of the rows: its own label and scores, and more if offered.

    A model with `outputs(X)`, also one inside a pipeline or a search, yields (suffix, labels,
    scores or None); so that all decoders, stages or members of an ensemble come from one fit.
    """
    if data.task == "number":
        yield Output("", _numbers(fitted.predict(X)))
        for suffix, number, _ in _offered(reached(fitted, X, "outputs")):
            yield Output(suffix, _numbers(number))
        return
    scores, kind = _scores(fitted, X, data)
    yield Output("", _codes(fitted.predict(X), data), scores, kind)
    for suffix, label, more in _offered(reached(fitted, X, "outputs")):
        found = None if more is None else np.asarray(more, np.float64)
        kind = _kind_of(found)
        if found is not None and found.shape[1] != len(data.classes):
            absent = 0.0 if kind == "probability" else -np.inf
            found = _aligned(found, fitted, data, absent)
        yield Output(suffix, _codes(label, data), found, kind)


def _offered(inner: Reached | None) -> Iterator[tuple[str, Any, Any]]:
    if inner is not None:
        for suffix, said, scores in inner.model.outputs(inner.X):
            yield str(suffix), inner.back(said) if inner.targets else said, scores


def _numbers(label: object) -> Array:
    values = np.asarray(label, np.float64).reshape(-1)
    if not np.isfinite(values).all():
        raise Refused(f"predicted {int((~np.isfinite(values)).sum())} numbers that are not finite")
    return values


def _codes(label: object, data: Dataset) -> Array:
    from heliast._core.errors import InputError
    from heliast._core.labels import column, encode

    known = data.labels
    found = np.asarray(label)
    if found.dtype.kind == known.dtype.kind and found.dtype.kind in "iubU" and found.ndim == 1:
        place = np.searchsorted(known, found)  # classes are sorted: the usual case, quickly
        if (known[np.minimum(place, known.size - 1)] == found).all():
            return place
    one = column(label, "label")
    if one.missing.size:
        raise Refused(f"predicted no class (NaN) for {one.missing.size} rows")
    try:
        return encode(one, data.classes)
    except InputError as error:
        raise Refused(f"predicted an unknown class: {error}") from None


def _scores(fitted: Any, X: Any, data: Dataset) -> tuple[Array | None, str | None]:
    if hasattr(fitted, "predict_proba"):
        return _aligned(fitted.predict_proba(X), fitted, data, 0.0), "probability"
    if hasattr(fitted, "decision_function"):
        found = np.asarray(fitted.decision_function(X), np.float64)
        if found.ndim == 1:  # two classes: one column speaks for the second
            found = np.column_stack([-found, found])
        if found.shape[1] != len(fitted.classes_):
            return None, None  # one column a pair of classes, say: no score per class
        return _aligned(found, fitted, data, -np.inf), "decision"
    return None, None


def _aligned(found: Any, fitted: Any, data: Dataset, absent: float) -> Array:
    """Columns in the order of the data's classes; classes unknown to the fit get `absent`."""
    scores = np.asarray(found, np.float64)
    bad = ~np.isfinite(scores)
    if bad.any():
        raise Refused(f"gave scores that are not finite in {bad.any(axis=1).sum()} rows")
    known = np.asarray(fitted.classes_).tolist()
    if tuple(known) == data.classes:
        return scores
    floor = absent if np.isfinite(absent) else float(scores.min()) - 1.0
    whole = np.full((scores.shape[0], len(data.classes)), floor)
    for at, label in enumerate(known):
        whole[:, data.classes.index(label)] = scores[:, at]
    return whole


def _kind_of(scores: Array | None) -> str | None:
    if scores is None:
        return None
    near_one = np.abs(scores.sum(axis=1) - 1) <= 1e-6
    return "probability" if scores.min() >= 0 and bool(near_one.all()) else "decision"
