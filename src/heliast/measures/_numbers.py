"""Measures of predicted numbers: absolute and squared error, plain and relative to the mean."""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np

from heliast._core.kinds import Array
from heliast.measures._registry import measure
from heliast.measures.forms import CurvedMean, Form, Mean, Statistic, Undefined
from heliast.measures.summaries import Counted, Residuals
from heliast.predictions import Rows

_CONSTANT = "all truths are equal, so guessing their mean makes no error to compare with"


@measure("mae", better="low", bounds=(0.0, np.inf), task="number", panel=True)
def mae(counted: Counted) -> Form:
    """Mean absolute error.

    >>> from heliast import Predictions, measures
    >>> measures.get("mae").of(Predictions.of([1.0, 2.5], [1.5, 2.5], task="number"))
    0.25
    """
    return Mean.of(counted.residuals.absolute, lambda rows: np.abs(rows.label - rows.truth))


@measure("mse", better="low", bounds=(0.0, np.inf), task="number", panel=True)
def mse(counted: Counted) -> Form:
    """Mean squared error."""
    return _mean_square(counted)


@measure("rmse", better="low", bounds=(0.0, np.inf), task="number", panel=True)
def rmse(counted: Counted) -> Form:
    """Root mean squared error, in the units of what is predicted."""

    def influence(rows: Rows) -> Array:
        square = (rows.label - rows.truth) ** 2
        root = _root(_whole(rows))
        return (square - root**2) / (2 * root) if root else np.zeros(rows.n)

    form = _statistic(counted, _root, influence, _squares, lambda means: np.sqrt(means[..., 0]))
    squares = CurvedMean(_mean_square(counted), sqrt, "on the mean square")
    return replace(form, of_mean=squares)


def _mean_square(counted: Counted) -> Mean:
    mean = Mean.of(counted.residuals.squared, lambda rows: (rows.label - rows.truth) ** 2)
    return replace(mean, squared=True)


def _squares(rows: Rows) -> Array:
    """Columns whose means give the squared error and the spread of the truths."""
    away = rows.truth - np.average(rows.truth, weights=rows.weight)
    return np.column_stack([(rows.label - rows.truth) ** 2, away, away**2])


def _ratio(means: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        share: Array = means[..., 0] / (means[..., 2] - means[..., 1] ** 2)
    return share


def _whole(rows: Rows) -> Residuals:
    """The residuals of all rows, where these are a part of them."""
    found: Residuals | None = rows.memo.get("whole")
    return Residuals.of(rows) if found is None else found


def _root(found: Residuals) -> float:
    return float(np.sqrt(found.squared.mean))


@measure("rae", better="low", bounds=(0.0, np.inf), task="number", panel=True)
def rae(counted: Counted) -> Form:
    """Relative absolute error: sum |y - y'| / sum |y - mean y|.

    Undefined if all truths are equal.
    """

    def influences(rows: Rows) -> Array:
        found = _whole(rows)
        top, bottom = found.absolute.mean, found.absolute_spread
        away = rows.truth - found.mean_truth
        # The mean of the truths moves too: d/dm mean|y - m| = share below - share above.
        spread = np.abs(away) - bottom + found.tilt * away
        loss: Array = np.abs(rows.label - rows.truth)
        influence: Array = (loss - top) / bottom - top / bottom**2 * spread
        return influence

    return _relative(counted, _relative_absolute, influences)


def _relative_absolute(found: Residuals) -> float:
    return found.absolute.mean / found.absolute_spread if found.absolute_spread else float("nan")


@measure("rse", better="low", bounds=(0.0, np.inf), task="number", panel=True)
def rse(counted: Counted) -> Form:
    """Relative squared error: sum (y - y')^2 / sum (y - mean y)^2."""
    return _relative(counted, _relative_squared, _influence_rse, _squares, _ratio)


def _relative_squared(found: Residuals) -> float:
    return found.squared.mean / found.squared_spread if found.squared_spread else float("nan")


def _influence_rse(rows: Rows) -> Array:
    found = _whole(rows)
    top, bottom = found.squared.mean, found.squared_spread
    spread = (rows.truth - found.mean_truth) ** 2 - bottom
    influence: Array = ((rows.label - rows.truth) ** 2 - top) / bottom - top / bottom**2 * spread
    return influence


@measure("rrse", better="low", bounds=(0.0, np.inf), task="number", panel=True)
def rrse(counted: Counted) -> Form:
    """Root relative squared error, the root of `rse`; it has no unit."""

    def influence(rows: Rows) -> Array:
        value = np.sqrt(_relative_squared(_whole(rows)))
        return _influence_rse(rows) / (2 * value) if value else np.zeros(rows.n)

    def value(found: Residuals) -> float:
        return float(np.sqrt(_relative_squared(found)))

    return _relative(counted, value, influence, _squares, lambda means: np.sqrt(_ratio(means)))


@measure("r2", better="high", bounds=(-np.inf, 1.0), task="number", panel=True)
def r2(counted: Counted) -> Form:
    """Share of the variance explained: 1 - rse."""
    return _relative(
        counted,
        lambda found: 1 - _relative_squared(found),
        lambda rows: -_influence_rse(rows),
        _squares,
        lambda means: 1 - _ratio(means),
    )


def _relative(
    counted: Counted,
    value: Callable[[Residuals], float],
    influence: Callable[[Rows], Array],
    parts: Callable[[Rows], Array] | None = None,
    of_parts: Callable[[Array], Array] | None = None,
) -> Form:
    if counted.residuals.constant:
        return Undefined(_CONSTANT)
    return _statistic(counted, value, influence, parts, of_parts)


def _statistic(
    counted: Counted,
    value: Callable[[Residuals], float],
    influence: Callable[[Rows], Array],
    parts: Callable[[Rows], Array] | None = None,
    of_parts: Callable[[Array], Array] | None = None,
) -> Statistic:
    return Statistic(
        value(counted.residuals),
        lambda rows: value(Residuals.of(rows)),
        influence,
        parts=parts,
        of_parts=of_parts,
    )
