"""The delta method: value +- z standard errors, from the influence of each row."""

from math import isnan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast.estimates._proportion import check_level, quantile
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import clipped, scaled
from heliast.estimates._spread import spread
from heliast.measures.forms import Area, Blend, Curved, Rate, Smooth, Statistic, TableFunction
from heliast.measures.summaries import Contingency

_FORMS = (Rate, Curved, Blend, Smooth, Area, Statistic)


def delta(function: TableFunction, counts: object, level: float = 0.95) -> Estimate:
    """A smooth function of a contingency table (rows = true class) with its plain delta interval.

    Var = sum over cells of p_ij (g_ij - mean g)^2 / n, g the derivative of the function of the
    cell shares. `function` takes arrays (..., k, k) and gives (...). Covers poorly near the ends
    of a measure's range: use the measure's default there. Undefined where the function is.

    >>> import numpy as np
    >>> delta(lambda t: np.trace(t, axis1=-2, axis2=-1) / t.sum(axis=(-2, -1)), [[7, 3], [7, 13]])
    Estimate(0.6667 [0.498, 0.8354], delta)
    """
    check_level(level)
    cells = np.asarray(counts, np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError(f"counts: expected a square table, got shape {cells.shape}")
    table = Contingency.of_counts(cells, tuple(range(len(cells))))
    if not table.n > 0:
        return Estimate(float("nan"), level=level, method="delta", n=0, reason="no rows")
    from heliast._core.derivative import table_gradient

    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(function(table.shares))
    if isnan(value):
        reason = "the function is undefined on this table"
        return Estimate(value, level=level, method="delta", n=table.n, reason=reason)
    se = sqrt(table.variance(table_gradient(function, table.shares)))
    half = quantile(level) * se
    return Estimate(
        value, value - half, value + half, se, level, "delta", n=table.n, n_effective=table.n
    )


@interval("delta", "delta", _FORMS)
def _delta(case: Case) -> Limits:
    """value +- q se, cut at the measure's bounds; q from Student's t with groups."""
    found = spread(case)
    if found.reason or isnan(found.variance):
        return Limits(reason=found.reason or "too few rows to estimate a variance")
    se = sqrt(found.variance)
    half = case.quantile(found.df) * se
    low, high = clipped(case.form.value - half, case.form.value + half, case.measure.bounds)
    return Limits(low, high, "delta", se, notes=no_spread(se))


@interval("delta_scaled", "delta on the logit or log scale", _FORMS)
def _delta_scaled(case: Case) -> Limits:
    """The delta method on the scale where the measure's bounds lie at infinity."""
    found = spread(case)
    if found.reason or isnan(found.variance):
        return Limits(reason=found.reason or "too few rows to estimate a variance")
    se = sqrt(found.variance)
    if se == 0:
        return Limits(reason="no spread in these rows to build an interval on")
    q = case.quantile(found.df)
    low, high, scale = scaled(case.form.value, se, q, case.measure.bounds)
    words = "delta" if scale == "plain" else f"delta on the {scale} scale"
    return Limits(low, high, words, se)


def no_spread(se: float) -> tuple[str, ...]:
    """What to say of an interval without width."""
    return () if se > 0 else ("no spread in these rows: the interval has no width to trust",)
