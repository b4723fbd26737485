"""Hall's interval for a mean of skewed losses: Student's t with the skewness taken out."""

from math import cbrt, isnan, sqrt

import numpy as np

from heliast._core.level import quantile
from heliast.estimates._bca import acceleration, dominated
from heliast.estimates._means import ALL_EQUAL, ONE_ROW, all_equal, rows_worth
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import clipped
from heliast.estimates._spread import mean_influence, spread, unit_sums
from heliast.measures.forms import Mean


@interval("hall", "skewness-corrected t", (Mean,))
def _hall(case: Case) -> Limits:
    """The limits of the t that a cubic transformation has made nearly symmetric (Hall 1992).

    With T = (mean - m)/se and a = skewness / sqrt(n), T + a T^2/3 + a^2 T^3/27 + a/6 is nearly
    Student's. Inverted at its quantiles +-t: mean - se * 3/a ((1 + a(+-t - a/6))^(1/3) - 1).
    """
    form = case.form
    assert isinstance(form, Mean)
    found = spread(case)
    if isnan(found.variance):
        return Limits(reason=ONE_ROW)
    se = sqrt(found.variance)
    if all_equal(se, form.value):
        return Limits(reason=ALL_EQUAL)
    a = lean(case) * sqrt(case.copies)
    q, wide = quantile(case.level, found.df), se * case.wider
    low, high = form.value - wide * untwisted(q, a), form.value - wide * untwisted(-q, a)
    low, high = clipped(low, high, case.measure.bounds)
    words = "skewness-corrected t"
    return Limits(low, high, words, se, form.n, rows_worth(case), dominated(a))


def lean(case: Case) -> float:
    """The skewness of the mean itself: sum d^3 / (sum d^2)^1.5 over rows or groups."""
    form = case.form
    assert isinstance(form, Mean)
    plain = case.rows.group is None and form.shares is None
    if plain or form.losses is None:
        return form.skewness / sqrt(form.n_effective)
    return 6 * acceleration(unit_sums(case.rows, mean_influence(form, case.rows)))


def untwisted(t: float, a: float) -> float:
    """The T whose transform is t."""
    return t if abs(a) < 1e-9 else 3 / a * (cbrt(1 + a * (t - a / 6)) - 1)


def skewness(case: Case) -> float:
    """The skewness of what varies independently: row losses, or their sums by group."""
    form = case.form
    assert isinstance(form, Mean)
    if case.rows.group is None or form.losses is None:
        return form.skewness
    return lean(case) * sqrt(np.unique(case.rows.group).size)
