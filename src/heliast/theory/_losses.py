"""Losses: what each makes of a row's predictions, with splits counted as often as asked."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._kernels import repeated as kernel
from heliast.theory._repeated import Facts, Repeated, Votes

Loss = str | Callable[[Any, Any], Any]
NAMES = ("zero_one", "squared", "absolute")


class View(Protocol):
    """One model's rows under one loss."""

    def facts(self, times: Array) -> list[Facts]:
        """The facts of each row for each line of `times`: split t counted times[r, t] times."""
        ...

    def ties(self) -> tuple[int, int]:
        """Rows where the systematic part of the predictions, and of the truth, is not unique."""
        ...


def name_of(loss: Loss) -> str:
    """The loss's name; a callable has that of the function."""
    if callable(loss):
        return str(getattr(loss, "__name__", "loss"))
    if loss not in NAMES:
        raise InputError(
            f"loss={loss!r}: choose one of {', '.join(NAMES)}, or a function of (truth, label)"
        )
    return loss


def view(
    rows: Repeated, loss: Loss, classes: tuple[Label, ...], posterior: Any, unbiased: bool
) -> View:
    """The view of these rows; `classes` is empty for a table of numbers."""
    if not classes:
        return number_view(rows, loss, posterior, unbiased)
    if loss == "zero_one":
        return VoteView(rows, len(classes), posterior, unbiased)
    if callable(loss):
        return MatrixView(rows, _matrix(loss, classes), posterior, unbiased)
    values = _values(classes, str(loss))
    if loss == "squared":
        return MeanView(rows, values, posterior, unbiased)
    return MatrixView(rows, np.abs(values[:, None] - values[None, :]), posterior, unbiased)


class OneByOne:
    """A view that looks at one line of `times` after the other; without ties, unless it says so."""

    def facts(self, times: Array) -> list[Facts]:
        return [self._facts(one) for one in times]

    def _facts(self, times: Array) -> Facts:
        raise NotImplementedError

    def ties(self) -> tuple[int, int]:
        return 0, 0


@dataclass(frozen=True, eq=False)
class VoteView:
    """Zero-one loss: the systematic part is the class of most votes."""

    rows: Repeated
    k: int
    posterior: Array | None
    unbiased: bool

    def facts(self, times: Array) -> list[Facts]:
        rows, best = self.rows, self._truth[0]
        found = kernel.vote_facts(
            rows.start, rows.label, rows.split, times, self.k, best, self.posterior
        )
        return [self._facts(one) for one in found]

    def _facts(self, found: Array) -> Facts:
        best, of_best, posterior_squares = self._truth
        agrees = found[:, kernel.MAIN] == best
        of_main = found[:, kernel.POSTERIOR]
        return Facts(
            count=found[:, kernel.TOTAL],
            loss=1 - found[:, kernel.HIT],
            noise=1 - of_best,
            systematic=1 - of_main,
            bias=(~agrees).astype(float),
            variance=1 - found[:, kernel.OF_MAIN],
            votes=Votes(
                best_posterior=of_best,
                main_posterior=of_main,
                main=found[:, kernel.OF_MAIN],
                best=found[:, kernel.OF_BEST],
                hit=found[:, kernel.HIT],
                posterior_squares=posterior_squares,
                squares=found[:, kernel.SQUARES],
                agrees=agrees,
            ),
            unbiased=self.unbiased,
        )

    @cached_property
    def _truth(self) -> tuple[Array, Array, Array]:
        """The best class of each row, its posterior, and the sum of squared posteriors."""
        if self.posterior is None:
            ones = np.ones(self.rows.n)
            return self.rows.truth.astype(np.int64), ones, ones
        squares = (self.posterior * self.posterior).sum(axis=1)
        best = first_least(-self.posterior)
        return best, self.posterior[np.arange(best.size), best], squares

    def ties(self) -> tuple[int, int]:
        rows = self.rows
        zero = np.zeros(rows.n, np.int64)
        once = np.ones((1, rows.splits), np.int64)
        found = kernel.vote_facts(rows.start, rows.label, rows.split, once, self.k, zero)[0]
        return int(found[:, kernel.TIED].sum()), tied(self.posterior)


@dataclass(frozen=True, eq=False)
class MatrixView(OneByOne):
    """A loss given by its matrix L[truth, label]: the systematic part is a class."""

    rows: Repeated
    matrix: Array
    posterior: Array | None
    unbiased: bool

    def _facts(self, times: Array) -> Facts:
        rows, matrix, k = self.rows, self.matrix, len(self.matrix)
        found = kernel.vote_shares(rows.start, rows.label, rows.split, times, k)
        shares = found[:, :k]
        everyone = np.arange(rows.n)
        truth_risk, best = self._truth
        label_risk = shares @ matrix
        main = first_least(label_risk)
        return Facts(
            count=found[:, k],
            loss=np.einsum("ik,ik->i", truth_risk, shares),
            noise=truth_risk[everyone, best],
            systematic=truth_risk[everyone, main],
            bias=matrix[best, main],
            variance=label_risk[everyone, main],
            unbiased=self.unbiased,
        )

    @cached_property
    def _truth(self) -> tuple[Array, Array]:
        """What each answer is expected to lose, and the best answer."""
        k = len(self.matrix)
        posterior = on_truth(self.rows, k) if self.posterior is None else self.posterior
        risk = posterior @ self.matrix
        return risk, first_least(risk)

    def ties(self) -> tuple[int, int]:
        rows, k = self.rows, len(self.matrix)
        once = np.ones(rows.splits, np.int64)
        shares = kernel.vote_shares(rows.start, rows.label, rows.split, once, k)[:, :k]
        return tied(-(shares @ self.matrix)), tied(-self._truth[0])


@dataclass(frozen=True, eq=False)
class MeanView(OneByOne):
    """Squared loss of classes that are numbers: the systematic part is the mean."""

    rows: Repeated
    values: Array
    posterior: Array | None
    unbiased: bool

    def _facts(self, times: Array) -> Facts:
        rows, values, k = self.rows, self.values, self.values.size
        found = kernel.vote_shares(rows.start, rows.label, rows.split, times, k)
        shares = found[:, :k]
        posterior = on_truth(rows, k) if self.posterior is None else self.posterior
        apart = (values[:, None] - values[None, :]) ** 2
        truth, label = posterior @ values, shares @ values
        noise = np.einsum("ik,ik->i", posterior, (values - truth[:, None]) ** 2)
        bias = (truth - label) ** 2
        return Facts(
            count=found[:, k],
            loss=np.einsum("ik,ik->i", posterior @ apart, shares),
            noise=noise,
            systematic=noise + bias,
            bias=bias,
            variance=np.einsum("ik,ik->i", shares, (values - label[:, None]) ** 2),
            unbiased=self.unbiased,
        )


def on_truth(rows: Repeated, k: int) -> Array:
    """Posteriors that are sure of the observed class."""
    found = np.zeros((rows.n, k))
    found[np.arange(rows.n), rows.truth] = 1.0
    return found


def first_least(risk: Array) -> Array:
    """The first column of least risk in each row; what differs by rounding only is equal."""
    near = risk <= risk.min(axis=1, keepdims=True) + 1e-12
    return np.asarray(near.argmax(axis=1))


def tied(scores: Array | None) -> int:
    """Rows where the largest of several numbers occurs twice."""
    if scores is None:
        return 0
    near = scores >= scores.max(axis=1, keepdims=True) - 1e-12
    return int((near.sum(axis=1) > 1).sum())


def _values(classes: tuple[Label, ...], loss: str) -> Array:
    if any(isinstance(label, str) for label in classes):
        raise InputError(
            f"loss={loss!r} needs numbers, but the classes are names "
            f"({', '.join(map(repr, classes[:3]))}); use 'zero_one', or a function of two names"
        )
    return np.array(classes, np.float64)


def _matrix(loss: Callable[[Any, Any], Any], classes: tuple[Label, ...]) -> Array:
    """The loss of each label (column) for each true class (row)."""
    found = np.array([[float(loss(truth, label)) for label in classes] for truth in classes])
    if not np.isfinite(found).all():
        raise InputError("loss: the function gives a loss that is not finite for some classes")
    return found


def number_view(
    rows: Repeated, loss: Any, posterior: Any, unbiased: bool
) -> "NumberView | CandidateView":
    """The view of rows whose truth and predictions are numbers."""
    if loss == "zero_one":
        raise InputError("loss='zero_one' is for classes; for numbers take 'squared', 'absolute'")
    if posterior is not None and loss != "squared":
        raise InputError("posteriors of numbers (mean, variance) serve loss='squared' only")
    if callable(loss):
        return CandidateView(rows, loss, unbiased)
    return NumberView(rows, loss == "absolute", posterior, unbiased)


@dataclass(frozen=True, eq=False)
class NumberView(OneByOne):
    """Squared or absolute loss of numbers: the systematic part is the mean or the median."""

    rows: Repeated
    absolute: bool
    posterior: tuple[Array, Array] | None
    """Mean and variance of the truth at each row, where known."""
    unbiased: bool

    @cached_property
    def _held(self) -> tuple[Array, Array]:
        """How far each prediction is from the truth (its mean), and its split."""
        rows = self.rows
        middle = rows.truth if self.posterior is None else self.posterior[0]
        value = rows.label.astype(np.float64) - np.repeat(middle, rows.counts)
        split = rows.split
        if self.absolute:  # the median reads a row's values in ascending order
            order = np.lexsort((value, np.repeat(np.arange(rows.n), rows.counts)))
            value, split = value[order], split[order]
        return value, split

    def _facts(self, times: Array) -> Facts:
        value, split = self._held
        found = kernel.number_facts(self.rows.start, value, split, times, self.absolute)
        noise = np.zeros(self.rows.n) if self.posterior is None else self.posterior[1]
        middle = found[:, 1]
        bias = np.abs(middle) if self.absolute else middle**2
        return Facts(
            count=found[:, 0],
            loss=noise + found[:, 2],
            noise=noise,
            systematic=noise + bias,
            bias=bias,
            variance=found[:, 3],
            unbiased=self.unbiased,
        )


@dataclass(frozen=True, eq=False)
class CandidateView(OneByOne):
    """Any loss of numbers: the systematic part is the best of the row's own predictions."""

    rows: Repeated
    loss: Callable[[Any, Any], Any]
    unbiased: bool

    def _facts(self, times: Array) -> Facts:
        rows = self.rows
        found = np.full((rows.n, 5), np.nan)
        for i, (lo, hi) in enumerate(zip(rows.start[:-1], rows.start[1:], strict=True)):
            weight = times[rows.split[lo:hi]].astype(np.float64)
            found[i, 0] = weight.sum()
            if weight.sum() == 0:
                continue
            value, share = rows.label[lo:hi].astype(np.float64), weight / weight.sum()
            there = value[share > 0]
            risk = share @ np.asarray(self.loss(value[:, None], there[None, :]), np.float64)
            main = there[risk.argmin()]
            truth = float(rows.truth[i])
            found[i, 1] = share @ np.asarray(self.loss(truth, value), np.float64)
            found[i, 2:] = self.loss(truth, main), risk.min(), self.loss(truth, truth)
        return Facts(
            count=found[:, 0],
            loss=found[:, 1],
            noise=found[:, 4],
            systematic=found[:, 2],
            bias=found[:, 2],
            variance=found[:, 3],
            unbiased=self.unbiased,
        )
