"""One cell: one model fitted on one split. The only place where anything is fitted."""

import pickle
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from heliast._core.kinds import Array
from heliast.data import Dataset
from heliast.fitting.preparation import Inputs
from heliast.fitting.reached import reached
from heliast.plans import Piece


@dataclass(frozen=True, eq=False)
class Output:
    """The predictions of one fit for some rows: class codes (or numbers), and scores if any.

    Parameters
    ----------
    suffix : str
        Added to the model's name; empty for the model's own predictions.
    label : array
        Class codes, or numbers, one per row.
    scores : array, optional
        One column per class.
    kind : str, optional
        Kind of the scores: `probability`, `decision` or `votes`.

    Examples
    --------
    >>> import numpy as np
    >>> Output("B=20", np.array([0, 1])).kind is None
    True
    """

    suffix: str
    label: Array
    scores: Array | None = None
    kind: str | None = None


@dataclass(eq=False)
class Cell:
    """The result of one model on one split.

    Parameters
    ----------
    split : int
        Number of the split.
    row : array
        Positions of the predicted rows.
    seen : array
        How often each of them was in the training sample.
    outputs : list of Output
        The predictions; empty if the fit failed.
    status : str, default 'ok'
        `ok`, `failed`, or `refused` if the predictions could not be used.
    fit_seconds, predict_seconds : float, default 0.0
        Time taken.
    size : int, optional
        Bytes of the pickled model, where it was measured.
    failure : str, default ''
        The traceback, or the reason.
    warnings : tuple of str
        Warnings of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> Cell(0, np.array([3, 4]), np.zeros(2, int)).status
    'ok'
    """

    split: int
    row: Array
    seen: Array
    outputs: list[Output] = field(default_factory=list)
    status: str = "ok"
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    size: int | None = None
    failure: str = ""
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, piece: Piece, split: int, n: int, in_sample: bool = False) -> "Cell":
        """A cell for the rows that this split predicts, still without predictions.

        Parameters
        ----------
        piece : Piece
            The split.
        split : int
            Its number.
        n : int
            Rows of the data.
        in_sample : bool, default False
            Whether the training rows are predicted too.

        Returns
        -------
        Cell
            Without outputs.
        """
        row = np.sort(piece.test)
        seen = piece.in_train(n)
        if in_sample:
            row = np.union1d(row, np.flatnonzero(seen))
        return cls(split, row, seen[row].astype(np.int32))

    def record(self) -> dict[str, object]:
        """Everything but the rows and the predictions, as plain values.

        Returns
        -------
        dict
            What the side table `cells` and the files of a store say.
        """
        return {
            "status": self.status,
            "fit_seconds": self.fit_seconds,
            "predict_seconds": self.predict_seconds,
            "size": self.size,
            "failure": self.failure,
            "warnings": list(self.warnings),
        }


class Refused(Exception):  # noqa: N818 - not a fault of ours: the model's predictions are unusable
    """Predictions that cannot be used; the message says why."""


class FitFailed(UserWarning):
    """A model could not be fitted in some split, or its predictions could not be used there."""


class Fitter:
    """Fits one model split by split; splits with the same training rows share one fit."""

    def __init__(self, model: Any, inputs: Inputs, data: Dataset, in_sample: bool = False) -> None:
        self.model = model
        self.inputs = inputs
        self.data = data
        self.in_sample = in_sample
        self._open_seeds = open_seeds(model)
        self._last: tuple[object, Any, float] | None = None

    def cell(self, piece: Piece, split: int, seed: int, with_size: bool = False) -> Cell:
        """Fit on the training rows and predict; a failure is recorded in the cell."""
        cell = Cell.of(piece, split, self.data.n, self.in_sample)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                np.random.seed(seed)  # noqa: NPY002 - for models that use the global generator
                self._fill(cell, piece, seed, with_size)
            except Refused as error:
                cell.status, cell.failure, cell.outputs = "refused", str(error), []
            except Exception:
                cell.status, cell.failure, cell.outputs = "failed", traceback.format_exc(), []
        cell.warnings = tuple(dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught))
        return cell

    def _fill(self, cell: Cell, piece: Piece, seed: int, with_size: bool) -> None:
        fitted, cell.fit_seconds = self._fitted(piece, seed)
        start = time.perf_counter()
        cell.outputs = list(outputs_of(fitted, self.inputs(self.data, cell.row), self.data))
        cell.predict_seconds = time.perf_counter() - start
        if with_size:
            cell.size = _pickled_size(fitted)

    def _fitted(self, piece: Piece, seed: int) -> tuple[Any, float]:
        from heliast.fitting.numbered import fitted

        if self._last is not None and piece.fit is not None and self._last[0] == piece.fit:
            return self._last[1:]
        source = self.data if piece.fresh is None else piece.fresh()
        train = piece.train
        if piece.y_true is None:
            target = source.y[train]
        else:
            target = piece.y_true if source.task == "regression" else source.labels[piece.y_true]
        seeds = dict.fromkeys(self._open_seeds, seed % 2**32)
        start = time.perf_counter()
        weight = None if source.weight is None else source.weight[train]
        model = fitted(self.model, self.inputs(source, train), target, seeds, weight)
        seconds = time.perf_counter() - start
        self._last = (piece.fit, model, seconds)
        return model, seconds


def _pickled_size(model: Any) -> int | None:
    try:
        return len(pickle.dumps(model))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


_OPEN_SEEDS: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()
# Kept for each model: asking it for its parameters takes as long as a small fit.


def open_seeds(model: Any) -> tuple[str, ...]:
    """The parameters named `random_state` that the user left open: each split gets its own."""
    if model not in _OPEN_SEEDS:
        _OPEN_SEEDS[model] = tuple(
            name
            for name, value in model.get_params(deep=True).items()
            if value is None and (name == "random_state" or name.endswith("__random_state"))
        )
    return _OPEN_SEEDS[model]


# --- predictions -----------------------------------------------------------------------------


def outputs_of(fitted: Any, X: Any, data: Dataset) -> Iterator[Output]:
    """The predictions of a fitted model: its own, and those of its `outputs(X)` if it has that.

    `outputs`, also of a model inside a pipeline or a search, yields (suffix, labels, scores or
    None): all decoders, stages or members of an ensemble come from one fit.
    """
    if data.task == "regression":
        yield Output("", _finite(fitted.predict(X)))
        for suffix, numbers, _ in _further_outputs(fitted, X):
            yield Output(suffix, _finite(numbers))
        return
    scores, kind = _scores(fitted, X, data)
    yield Output("", _codes(fitted.predict(X), data), scores, kind)
    for suffix, labels, values in _further_outputs(fitted, X):
        scores = None if values is None else np.asarray(values, np.float64)
        kind = _kind_of(scores)
        if scores is not None and scores.shape[1] != len(data.classes):
            scores = _aligned(scores, fitted, data, 0.0 if kind == "probability" else -np.inf)
        yield Output(suffix, _codes(labels, data), scores, kind)


def _further_outputs(fitted: Any, X: Any) -> Iterator[tuple[str, Any, Any]]:
    inner = reached(fitted, X, "outputs")
    if inner is not None:
        for suffix, labels, scores in inner.model.outputs(inner.X):
            yield str(suffix), inner.back(labels) if inner.targets else labels, scores


def _finite(values: object) -> Array:
    numbers = np.asarray(values, np.float64).reshape(-1)
    if not np.isfinite(numbers).all():
        count = int((~np.isfinite(numbers)).sum())
        raise Refused(f"predicted {count} numbers that are not finite")
    return numbers


def _codes(labels: object, data: Dataset) -> Array:
    from heliast._core.errors import InputError
    from heliast._core.labels import column, encode

    classes = data.labels
    values = np.asarray(labels)
    if values.dtype.kind == classes.dtype.kind and values.dtype.kind in "iubU" and values.ndim == 1:
        codes = np.searchsorted(classes, values)  # classes are sorted: the usual case, quickly
        if (classes[np.minimum(codes, classes.size - 1)] == values).all():
            return codes
    predicted = column(labels, "y_pred")
    if predicted.missing.size:
        raise Refused(f"predicted no class (NaN) for {predicted.missing.size} rows")
    try:
        return encode(predicted, data.classes)
    except InputError as error:
        raise Refused(f"predicted an unknown class: {error}") from None


def _scores(fitted: Any, X: Any, data: Dataset) -> tuple[Array | None, str | None]:
    if hasattr(fitted, "predict_proba"):
        return _aligned(fitted.predict_proba(X), fitted, data, 0.0), "probability"
    if hasattr(fitted, "decision_function"):
        scores = np.asarray(fitted.decision_function(X), np.float64)
        if scores.ndim == 1:  # two classes: the column is that of the second
            scores = np.column_stack([-scores, scores])
        if scores.shape[1] == len(fitted.classes_):  # not one column per pair of classes, say
            return _aligned(scores, fitted, data, -np.inf), "decision"
    return None, None


def _aligned(values: Any, fitted: Any, data: Dataset, absent: float) -> Array:
    """Columns in the order of the data's classes; classes unknown to the fit get `absent`."""
    scores = np.asarray(values, np.float64)
    bad = ~np.isfinite(scores)
    if bad.any():
        raise Refused(f"gave scores that are not finite in {bad.any(axis=1).sum()} rows")
    known = np.asarray(fitted.classes_).tolist()
    if tuple(known) == data.classes:
        return scores
    floor = absent if np.isfinite(absent) else float(scores.min()) - 1.0
    aligned = np.full((scores.shape[0], len(data.classes)), floor)
    for at, label in enumerate(known):
        aligned[:, data.classes.index(label)] = scores[:, at]
    return aligned


def _kind_of(scores: Array | None) -> str | None:
    if scores is None:
        return None
    near_one = np.abs(scores.sum(axis=1) - 1) <= 1e-6
    return "probability" if scores.min() >= 0 and bool(near_one.all()) else "decision"
