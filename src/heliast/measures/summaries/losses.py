"""Moments of row losses: of any loss, of probability forecasts, of errors of numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from math import isfinite, nan
from operator import add

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels import losses as kernels
from heliast.predictions import Rows

ROUNDING = 1e-12  # a spread below this share of the squared mean is rounding: losses are equal
HUGE = 1e200


def positive_code(rows: Rows) -> int:
    """The positive class of two: the second one, if none is named."""
    return 1 if rows.positive is None else rows.positive


@dataclass(frozen=True, eq=False)
class Moments:
    """Weight, mean, and the sums of w (loss - mean)^2 and ^3.

    Sums are about the mean, so that losses that hardly differ keep their digits; parts add up.

    >>> Moments.of(np.array([0.0, 1.0, 2.0])).mean
    1.0
    """

    weight: float
    weight_squares: float
    mean: float
    second: float
    third: float
    sampling: bool = False

    @classmethod
    def of(cls, loss: Array, weight: Array | None = None, sampling: bool = False) -> "Moments":
        return cls._from(kernels.moments(loss, weight), sampling)

    @classmethod
    def over(
        cls, rows: Rows, losses: Callable[[Rows], Array], code: int | None = None
    ) -> "Moments":
        """Those of a loss of each row, or of those of a true class."""
        sampling, total = rows.weight_kind == "sampling", cls.of(np.empty(0))
        for part in rows.chunks():
            own = part if code is None else part.at(part.y_true == code)
            total = cls.of(losses(own), own.weight, sampling) + total
        return total

    @classmethod
    def _from(cls, sums: kernels.Moments, sampling: bool) -> "Moments":
        mean = sums.mean if sums.weight else nan
        return cls(sums.weight, sums.weight2, mean, sums.second, sums.third, sampling)

    def __add__(self, other: "Moments") -> "Moments":
        return self._from(kernels.join(self._kernel, other._kernel), self.sampling)

    @property
    def _kernel(self) -> kernels.Moments:
        numbers = self.weight, self.weight_squares, self.mean, self.second, self.third
        return kernels.Moments(*numbers)

    @cached_property
    def n_effective(self) -> float:
        """n, or (sum w)^2 / sum w^2 under sampling weights."""
        return self.weight**2 / self.weight_squares if self.sampling else self.weight

    @cached_property
    def skewness(self) -> float:
        """Third central moment over the cubed standard deviation; 0 when all losses are equal.

        NaN where cubes of the losses exceed what a number can hold.
        """
        if not self.second > ROUNDING * self.weight * self.mean * self.mean:
            return 0.0
        square = self.second / self.weight
        if not (isfinite(self.third) and square < HUGE):
            return nan
        return float(self.third / self.weight / square**1.5)

    @cached_property
    def variance(self) -> float:
        """Variance of the mean of independent rows: s^2 / n with n - 1."""
        n = self.n_effective
        return self.second / self.weight / (n - 1) if n > 1 else nan

    @property
    def df(self) -> float:
        """Degrees of freedom of `variance`."""
        return self.n_effective - 1.0


# --- probabilities -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Log loss and Brier score of probability forecasts, as moments; adds up.

    With two classes the Brier score is (p - y)^2 for the positive class, with more it is the sum
    over classes. `zeros` counts rows whose true class was given probability 0: log loss infinite.
    """

    log_loss: Moments
    brier: Moments
    zeros: float = 0.0

    @classmethod
    def of(cls, rows: Rows) -> "Probabilities":
        """One pass over the rows of one model."""
        return reduce(add, map(cls._of_part, rows.chunks()))

    @classmethod
    def _of_part(cls, rows: Rows) -> "Probabilities":
        if rows.weight is not None and not rows.weight.all():
            rows = rows.at(rows.weight > 0)  # a row that weighs nothing cannot cost infinity
        log, brier = row_losses(rows)
        more = rows.weight, rows.weight_kind == "sampling"
        zeros = float(np.count_nonzero(np.isposinf(log)))
        return cls(Moments.of(log, *more), Moments.of(brier, *more), zeros)

    def __add__(self, other: "Probabilities") -> "Probabilities":
        log_loss, brier = self.log_loss + other.log_loss, self.brier + other.brier
        return Probabilities(log_loss, brier, self.zeros + other.zeros)


def row_losses(rows: Rows) -> tuple[Array, Array]:
    """Log loss and Brier score of each row."""
    if len(rows.classes) == 2:
        code = positive_code(rows)
        return kernels.row_losses_binary(rows.is_class(code), rows.score_of(code))
    return kernels.row_losses_classes(rows.y_true, _scores(rows))


def _scores(rows: Rows) -> Array:
    if rows.scores is None:
        raise ValueError("these rows have no scores")
    return np.ascontiguousarray(rows.scores)


# --- errors of numbers ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Residuals:
    """Moments of the absolute and squared error, and how far y_true strays from its mean.

    `absolute_spread` and `squared_spread` are what guessing the mean would cost, `tilt` is the
    share of y_true below its mean less the share above.

    >>> rows = Rows("regression", np.array([1.0, 2.0]), np.array([1.5, 2.5]))
    >>> Residuals.of(rows).absolute.mean
    0.5
    """

    absolute: Moments
    squared: Moments
    mean_true: float
    constant: bool
    absolute_spread: float
    squared_spread: float
    tilt: float

    @classmethod
    def of(cls, rows: Rows) -> "Residuals":
        """Two passes over the rows of one model: the relative errors need the mean of y_true."""
        absolute = Moments.over(rows, lambda part: np.abs(part.y_pred - part.y_true))
        squared = Moments.over(rows, lambda part: (part.y_pred - part.y_true) ** 2)
        low, high, mean = np.inf, -np.inf, 0.0
        for part in rows.chunks():
            some = part.y_true if part.weight is None else part.y_true[part.weight > 0]
            low, high = some.min(initial=low), some.max(initial=high)
            mean += float((_ones(part) * part.y_true).sum()) / absolute.weight
        if low == high:  # the mean may differ from them by rounding
            return cls(absolute, squared, mean, True, 0.0, 0.0, 0.0)
        spreads = np.zeros(3)
        for part in rows.chunks():
            away = part.y_true - mean
            spreads += np.stack([np.abs(away), away**2, np.sign(-away)]) @ _ones(part)
        return cls(absolute, squared, mean, False, *(spreads / absolute.weight).tolist())


def _ones(rows: Rows) -> Array:
    return np.ones(rows.n) if rows.weight is None else rows.weight
