"""What a loss makes of repeated predictions, each split counted as often as wanted."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.theory._definitions import ClassFacts, Facts
from heliast.theory._repeated import Repeated

Loss = str | Callable[[Any, Any], Any]
NAMES = ("zero_one", "squared", "absolute")
# Resamples of the splits that are counted at once.
BATCH = 8
# Risks that differ by less are equal but for rounding.
ROUNDING = 1e-12


class Judged:
    """The predictions of one model, judged by a loss."""

    def facts(self, times: Array) -> Iterator[Facts]:
        """The facts for each line of `times`, in which split t counts times[r, t] times."""
        raise NotImplementedError

    def ties(self) -> tuple[int, int]:
        """Rows where the systematic part of the predictions, and of the truth, is not unique."""
        return 0, 0


def name_of(loss: Loss) -> str:
    """Return the name of a loss; a callable has that of the function."""
    if callable(loss):
        return str(getattr(loss, "__name__", "loss"))
    if loss not in NAMES:
        raise InputError(
            f"loss={loss!r}: choose one of {', '.join(NAMES)}, or a function of (y_true, y_pred)"
        )
    return loss


def judge(rows: Repeated, loss: Loss, classes: tuple[Label, ...], known: Any) -> Judged:
    """Judge predictions by a loss; `classes` is empty for numbers.

    `known` are the posteriors of the rows, or for numbers their true mean and variance.
    """
    if not classes:
        if loss == "zero_one":
            raise InputError(
                "loss='zero_one' is for classes; for numbers take 'squared', 'absolute'"
            )
        if callable(loss):
            return OwnLossOfNumbers(rows, loss)
        return Numbers(rows, loss == "absolute", known)
    py = np.eye(len(classes))[rows.y_true] if known is None else known
    if loss == "zero_one":
        return Classes(rows, py, None)
    if callable(loss):
        matrix = np.array([[float(loss(y, answer)) for answer in classes] for y in classes])
        if not np.isfinite(matrix).all():
            raise InputError("loss: the function gives a loss that is not finite for some classes")
        return Classes(rows, py, matrix)
    if any(isinstance(label, str) for label in classes):
        raise InputError(
            f"loss={loss!r} needs numbers, but the classes are names "
            f"({', '.join(map(repr, classes[:3]))}); use 'zero_one', or a function of two names"
        )
    values = np.array(classes, np.float64)
    if loss == "absolute":
        return Classes(rows, py, np.abs(values[:, None] - values))
    # The systematic part of squared loss is the mean, no class.
    mean = py @ values
    noise = np.einsum("ik,ik->i", py, (values - mean[:, None]) ** 2)
    numbers = replace(rows, y_pred=values[rows.y_pred])
    return Numbers(numbers, False, np.stack([mean, noise], axis=1))


class Classes(Judged):
    """Classes under a loss matrix[true, predicted]; None is zero-one loss."""

    def __init__(self, rows: Repeated, py: Array, matrix: Array | None) -> None:
        from scipy import sparse

        self.py, self.matrix = py, matrix
        n, k = py.shape
        vote = np.repeat(np.arange(n) * k, rows.counts) + rows.y_pred
        ones = np.ones(vote.size)
        self._votes = sparse.csr_array((ones, (vote, rows.split)), shape=(n * k, rows.splits))
        self._true_risk = self._risk(py)
        self._best = _least(self._true_risk).argmax(axis=1)

    def facts(self, times: Array) -> Iterator[Facts]:
        rows = np.arange(len(self.py))
        matrix = 1 - np.eye(self.py.shape[1]) if self.matrix is None else self.matrix
        true_risk, best = self._true_risk, self._best
        for count, pc in self._shares(times):
            risk = self._risk(pc)
            main = _least(risk).argmax(axis=1)
            yield ClassFacts(
                count=count,
                loss=np.einsum("ik,ik->i", true_risk, pc),
                noise=true_risk[rows, best],
                systematic=true_risk[rows, main],
                bias=matrix[best, main],
                variance=risk[rows, main],
                py=self.py,
                pc=pc,
                best=best,
                main=main,
            )

    def ties(self) -> tuple[int, int]:
        _, pc = next(self._shares(np.ones((1, self._votes.shape[1]))))
        votes, truths = (_least(risk).sum(axis=1) for risk in (self._risk(pc), self._true_risk))
        return int((votes > 1).sum()), int((truths > 1).sum())

    def _shares(self, times: Array) -> Iterator[tuple[Array, Array]]:
        """How many votes each row has, and the share of each class."""
        for first in range(0, len(times), BATCH):
            batch = np.ascontiguousarray(times[first : first + BATCH].T, np.float64)
            votes = (self._votes @ batch).reshape(*self.py.shape, -1)
            counts = votes.sum(axis=1)
            with np.errstate(invalid="ignore"):
                shares = np.moveaxis(votes / counts[:, None], 2, 0)
            yield from zip(counts.T, np.ascontiguousarray(shares), strict=True)

    def _risk(self, probabilities: Array) -> Array:
        """What each answer is expected to lose."""
        return 1 - probabilities if self.matrix is None else probabilities @ self.matrix


def _least(risk: Array) -> Array:
    """Where each row has its least risk, but for rounding."""
    return np.asarray(risk <= risk.min(axis=1, keepdims=True) + ROUNDING)


class Numbers(Judged):
    """Squared or absolute loss of numbers: the systematic part is the mean or the median.

    `known` are the true mean of each row and the variance about it.
    """

    def __init__(self, rows: Repeated, absolute: bool, known: Any) -> None:
        self.size: Callable[[Array], Array] = np.abs if absolute else np.square
        self.absolute, self.start, self.counts = absolute, rows.start, rows.counts
        y_true: Array = rows.y_true if known is None else known[:, 0]
        self.noise: Array = np.zeros(rows.n) if known is None else known[:, 1]
        value, split = rows.y_pred - np.repeat(y_true, rows.counts), rows.split
        if absolute:  # the median reads the values of a row in ascending order
            order = np.lexsort((value, np.repeat(np.arange(rows.n), rows.counts)))
            value, split = value[order], split[order]
        self.value, self.split = value.astype(np.float64), split

    def facts(self, times: Array) -> Iterator[Facts]:
        for line in times:
            weight = line[self.split].astype(np.float64)
            count = self._sums(weight)
            with np.errstate(invalid="ignore"):
                if self.absolute:
                    middle = np.where(count > 0, self._medians(weight, count), np.nan)
                else:
                    middle = self._sums(weight * self.value) / count
                bias = self.size(middle)
                far = self.value - np.repeat(middle, self.counts)
                yield Facts(
                    count=count,
                    loss=self.noise + self._sums(weight * self.size(self.value)) / count,
                    noise=self.noise,
                    systematic=self.noise + bias,
                    bias=bias,
                    variance=self._sums(weight * self.size(far)) / count,
                )

    def _sums(self, values: Array) -> Array:
        return np.asarray(np.add.reduceat(values, self.start[:-1]))

    def _medians(self, weight: Array, count: Array) -> Array:
        """Where half of a row's weight is passed; between two values, half way."""
        passed = np.append(0.0, np.cumsum(weight))
        half = passed[self.start[:-1]] + count / 2
        low = np.searchsorted(passed, half) - 1
        high = np.minimum(np.searchsorted(passed, half, "right"), self.value.size) - 1
        return np.asarray((self.value[low] + self.value[high]) / 2)


class OwnLossOfNumbers(Judged):
    """A function of numbers: the systematic part is the best of the row's own predictions."""

    def __init__(self, rows: Repeated, loss: Callable[[Any, Any], Any]) -> None:
        self.rows, self.loss = rows, loss

    def facts(self, times: Array) -> Iterator[Facts]:
        rows, loss = self.rows, self.loss
        for line in times:
            facts = np.full((5, rows.n), np.nan)  # count, loss, noise, systematic, variance
            for i, (start, stop) in enumerate(zip(rows.start[:-1], rows.start[1:], strict=True)):
                weight = line[rows.split[start:stop]].astype(np.float64)
                y_true, y_pred = float(rows.y_true[i]), rows.y_pred[start:stop][weight > 0]
                facts[0, i] = weight.sum()
                if not y_pred.size:
                    continue
                share = weight[weight > 0] / weight.sum()
                risk = share @ np.asarray(loss(y_pred[:, None], y_pred[None, :]), np.float64)
                facts[1, i] = share @ np.asarray(loss(y_true, y_pred), np.float64)
                facts[2, i] = loss(y_true, y_true)
                facts[3, i] = loss(y_true, y_pred[risk.argmin()])
                facts[4, i] = risk.min()
            count, total, noise, systematic, variance = facts
            yield Facts(count, total, noise, systematic, systematic, variance)
