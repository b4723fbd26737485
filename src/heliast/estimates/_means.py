"""What the intervals for a mean of losses share."""

from math import isnan, nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast.estimates._proportion import check_level, quantile
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits
from heliast.estimates._scale import clipped
from heliast.estimates._spread import spread
from heliast.measures.forms import Mean
from heliast.measures.summaries import Moments

ONE_ROW = "one row has no spread"
ALL_EQUAL = "all row losses are equal, so they say nothing about how much they vary"


def of_losses(values: object, level: float, title: str, student: bool) -> Estimate:
    """The Estimate of a mean from the losses themselves."""
    check_level(level)
    losses = np.asarray(values, np.float64)
    if losses.ndim != 1:
        raise InputError(f"values: expected one number a row, got shape {losses.shape}")
    if not np.isfinite(losses).all():
        raise InputError("values: every row needs a finite number")
    if not losses.size:
        return Estimate(nan, level=level, method=title, n=0, reason="no rows")
    moments = Moments.of(losses)
    found = Estimate(moments.mean, level=level, method=title, n=moments.weight)
    if losses.size == 1:
        return Estimate(moments.mean, level=level, method=title, n=1.0, reason=ONE_ROW)
    se = sqrt(moments.variance)
    half = quantile(level, moments.df if student else None) * se
    low, high = found.value - half, found.value + half
    notes = () if se > 0 else (ALL_EQUAL,)
    return Estimate(
        found.value,
        low,
        high,
        se,
        level,
        title,
        n=moments.weight,
        n_effective=moments.n_effective,
        notes=notes,
    )


def mean_limits(case: Case, title: str, student: bool) -> Limits:
    """value +- q se, cut at the measure's bounds."""
    form = case.form
    assert isinstance(form, Mean)
    found = spread(case)
    if isnan(found.variance):
        return Limits(reason=ONE_ROW)
    se = sqrt(found.variance)
    # Groups always need Student's quantile: their number, not that of the rows, is small.
    grouped = case.rows.group is not None
    half = case.quantile(found.df if student or grouped else None) * se
    if all_equal(se, form.value):
        return Limits(reason=ALL_EQUAL)
    low, high = clipped(form.value - half, form.value + half, case.measure.bounds)
    return Limits(low, high, title, se, form.n, rows_worth(case))


def all_equal(se: float, value: float) -> bool:
    """Whether the losses differ by rounding alone: an interval without width is no certainty."""
    return not se > 1e-12 * abs(value)


def rows_worth(case: Case) -> float:
    """The rows that a mean without groups is worth; groups are left to whoever knows them."""
    assert isinstance(case.form, Mean)
    return case.form.n_effective if case.rows.group is None else nan
