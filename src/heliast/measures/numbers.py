"""Measures of predicted numbers: absolute and squared error, plain and relative to the mean."""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np

from heliast._core.kinds import Array
from heliast.measures.forms import CurvedMean, Form, Mean, Statistic, Undefined
from heliast.measures.registry import measure
from heliast.measures.summaries import Counted, Residuals
from heliast.predictions import Rows

CONSTANT = "all y_true are equal, so guessing their mean makes no error to compare with"
ABOVE = (0.0, np.inf)


def _absolute(rows: Rows) -> Array:
    return np.asarray(np.abs(rows.y_pred - rows.y_true))


def _square(rows: Rows) -> Array:
    return np.asarray((rows.y_pred - rows.y_true) ** 2)


@measure("mae", better="low", bounds=ABOVE, task="regression", panel=True)
def mae(counted: Counted) -> Form:
    """Mean absolute error.

    >>> from heliast import Predictions, measures
    >>> measures.get("mae").of(Predictions.of([1.0, 2.5], [1.5, 2.5], task="regression"))
    0.25
    """
    return Mean.of(counted, _absolute, counted.residuals.absolute)


@measure("mse", better="low", bounds=ABOVE, task="regression", panel=True)
def mse(counted: Counted) -> Form:
    """Mean squared error."""
    return _mean_square(counted)


def _mean_square(counted: Counted) -> Mean:
    mean = Mean.of(counted, _square, counted.residuals.squared)
    assert isinstance(mean, Mean)
    return replace(mean, squared=True)


@measure("rmse", better="low", bounds=ABOVE, task="regression", panel=True)
def rmse(counted: Counted) -> Form:
    """Root mean squared error, in the units of what is predicted."""
    form = _of_means(counted, lambda means: np.sqrt(means[..., 0]))
    return replace(form, of_mean=CurvedMean(_mean_square(counted), sqrt, "on the mean square"))


@measure("mape", better="low", bounds=ABOVE, task="regression", percent=True)
def mape(counted: Counted) -> Form:
    """Mean absolute error as a share of the true value: mean |y - y'| / |y|.

    Undefined where a true value is 0; rows near 0 decide it.

    >>> from heliast import Predictions, measures
    >>> measures.get("mape").of(Predictions.of([1.0, 2.0], [1.5, 2.0], task="regression"))
    0.25
    """
    zeros = sum(
        np.count_nonzero((part.y_true == 0) & _weighs(part)) for part in counted.rows.chunks()
    )
    if zeros:
        return Undefined(f"y_true is 0 in {zeros} {'row' if zeros == 1 else 'rows'}")

    def losses(rows: Rows) -> Array:
        scale = np.where(rows.y_true == 0, 1.0, np.abs(rows.y_true))  # of rows that weigh nothing
        return np.asarray(_absolute(rows) / scale)

    return Mean.of(counted, losses)


@measure("mean_error", better="low", bounds=(-np.inf, np.inf), task="regression", paired=False)
def mean_error(counted: Counted) -> Form:
    """Bias: the mean of y' - y, best 0; above it predictions are too large.

    >>> from heliast import Predictions, measures
    >>> measures.get("mean_error").of(Predictions.of([1.0, 2.5], [1.5, 2.5], task="regression"))
    0.25
    """
    return Mean.of(counted, lambda rows: rows.y_pred - rows.y_true)


@measure("median_ae", better="low", bounds=ABOVE, task="regression")
def median_ae(counted: Counted) -> Form:
    """Median absolute error: half of the errors are at most this large.

    >>> from heliast import Predictions, measures
    >>> measures.get("median_ae").of(Predictions.of([1, 2, 3], [1, 2.5, 9], task="regression"))
    0.5
    """

    def value(rows: Rows) -> float:
        weight = np.ones(rows.n) if rows.weight is None else rows.weight
        order = np.argsort(_absolute(rows), kind="stable")
        errors, upto = _absolute(rows)[order], np.cumsum(weight[order])
        # The mean of the two in the middle, where half of the weight lies on each side.
        ends = np.searchsorted(upto, upto[-1] * np.array([0.5 - 1e-12, 0.5 + 1e-12]))
        return float(errors[np.minimum(ends, rows.n - 1)].mean())

    return Statistic(value(counted.rows), value, bounds=ABOVE)


# --- relative to guessing the mean ---------------------------------------------------------------


@measure("rae", better="low", bounds=ABOVE, task="regression", panel=True)
def rae(counted: Counted) -> Form:
    """Relative absolute error: sum |y - y'| / sum |y - mean y|.

    Undefined if all true values are equal.
    """
    sums = counted.residuals
    if sums.constant:
        return Undefined(CONSTANT)
    value = sums.absolute.mean / sums.absolute_spread

    def psi(rows: Rows) -> Array:
        away = rows.y_true - sums.mean_true
        # The mean of y_true moves too: d/dm mean|y - m| = share below - share above.
        spread = np.abs(away) + sums.tilt * away
        return np.asarray((_absolute(rows) - value * spread) / sums.absolute_spread)

    def again(rows: Rows) -> float:
        sums = Residuals.of(rows)
        return float("nan") if sums.constant else sums.absolute.mean / sums.absolute_spread

    return Statistic(value, again, psi)


def _ratio(means: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Array = means[..., 0] / (means[..., 2] - means[..., 1] ** 2)
    return ratio


@measure("rse", better="low", bounds=ABOVE, task="regression", panel=True)
def rse(counted: Counted) -> Form:
    """Relative squared error: sum (y - y')^2 / sum (y - mean y)^2."""
    return Undefined(CONSTANT) if counted.residuals.constant else _of_means(counted, _ratio)


@measure("rrse", better="low", bounds=ABOVE, task="regression", panel=True)
def rrse(counted: Counted) -> Form:
    """Root relative squared error, the root of `rse`; it has no unit."""
    if counted.residuals.constant:
        return Undefined(CONSTANT)
    return _of_means(counted, lambda means: np.sqrt(_ratio(means)))


@measure("r2", better="high", bounds=(-np.inf, 1.0), task="regression", panel=True)
def r2(counted: Counted) -> Form:
    """Share of the variance explained: 1 - rse."""
    if counted.residuals.constant:
        return Undefined(CONSTANT)
    return _of_means(counted, lambda means: 1 - _ratio(means))


def _of_means(counted: Counted, function: Callable[[Array], Array]) -> Statistic:
    """A function of three means: squared error, y_true about its mean, the square of that."""

    def means_of(sums: Residuals) -> Array:
        return np.array([sums.squared.mean, 0.0, sums.squared_spread])

    def columns(rows: Rows, centre: float) -> Array:
        away = rows.y_true - centre
        return np.column_stack([_square(rows), away, away**2])

    def again(rows: Rows) -> float:
        value = float(function(means_of(Residuals.of(rows))))
        return value if np.isfinite(value) else float("nan")

    sums, means = counted.residuals, means_of(counted.residuals)
    slopes = np.imag(function(means + 1e-30j * np.eye(3))) / 1e-30  # a complex step is exact
    return Statistic(
        float(function(means)),
        again,
        lambda rows: (columns(rows, sums.mean_true) - means) @ slopes,
        parts=lambda rows: columns(rows, float(np.average(rows.y_true, weights=rows.weight))),
        of_parts=function,
    )


def _weighs(rows: Rows) -> Array:
    return np.ones(rows.n, bool) if rows.weight is None else rows.weight > 0
