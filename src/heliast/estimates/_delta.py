"""The delta method: value +- z standard errors, from influences; plain or on a smoothed table."""

from dataclasses import replace
from math import isnan, nan, sqrt

import numpy as np

from heliast._core.derivative import table_gradient
from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast._core.notes import Note
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import clipped, scaled, tail_limits
from heliast.estimates._spread import TOO_FEW, dominated, skewness, spread
from heliast.measures.forms import Area, Blend, Curved, Rate, Smooth, Statistic, TableFunction
from heliast.measures.summaries import Contingency

FORMS = (Rate, Curved, Blend, Smooth, Area, Statistic)
FEW_HITS = 3
NO_SPREAD = "no spread in these rows to build an interval on"


def delta(function: TableFunction, counts: ArrayLike, level: float = 0.95) -> Estimate:
    """Delta interval of a smooth function of a confusion matrix (rows = true class).

    Var = sum over cells of p_ij (g_ij - mean g)^2 / n, g the derivative of the function of the
    cell shares. Covers poorly near the ends of a measure's range: use the measure's default there.

    Parameters
    ----------
    function : callable
        Takes arrays (..., k, k) of counts or shares and gives (...).
    counts : array-like
        The table (k, k), rows = true class, columns = label.
    level : float
        The confidence level.

    Returns
    -------
    Estimate
        The value and its interval; undefined where the function is.

    Raises
    ------
    InputError
        If the table is not square.

    Examples
    --------
    >>> import numpy as np
    >>> delta(lambda t: np.trace(t, axis1=-2, axis2=-1) / t.sum(axis=(-2, -1)), [[7, 3], [7, 13]])
    Estimate(0.6667 [0.498, 0.8354], delta)
    """
    check_level(level)
    cells = np.asarray(counts, np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError(f"counts: expected a square table, got shape {cells.shape}")
    table = Contingency.of_counts(cells, tuple(range(len(cells))))
    blank = Estimate(nan, level=level, method="delta", key="delta", n=table.n)
    if not table.n > 0:
        return replace(blank, reason="no rows")
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(function(table.shares))
    if isnan(value):
        return replace(blank, reason="the function is undefined on this table")
    gradient = table_gradient(function, table.shares)
    se = sqrt(table.variance(gradient[table.rows, table.columns]))
    half = quantile(level) * se
    low, high = value - half, value + half
    return replace(
        blank, value=value, low=low, high=high, se=se, n_effective=table.n, scale="plain"
    )


@interval("delta", "delta", FORMS, scale="plain")
def _delta(case: Case) -> Limits:
    """value +- q se, cut at the measure's bounds; q from Student's t with groups."""
    found = spread(case)
    if found.reason or isnan(found.variance):
        return Limits(reason=found.reason or TOO_FEW)
    se = sqrt(found.variance)
    half = quantile(case.level, found.df) * se
    low, high = clipped(case.form.value - half, case.form.value + half, case.measure.bounds)
    thin = "no spread in these rows: the interval has no width to trust"
    return Limits(low, high, se, notes=() if se > 0 else (thin,))


@interval("delta_scaled", "delta on the logit or log scale", FORMS)
def _delta_scaled(case: Case) -> Limits:
    """The delta method on the scale where the measure's bounds lie at infinity."""
    found = spread(case)
    if found.reason or not found.variance > 0:
        missing = TOO_FEW if isnan(found.variance) else NO_SPREAD
        return Limits(reason=found.reason or missing)
    se, q = sqrt(found.variance), quantile(case.level, found.df)
    low, high, scale = scaled(case.form.value, se, q, case.measure.bounds)
    words = "delta" if scale == "plain" else f"delta on the {scale} scale"
    return Limits(low, high, se, method=words, scale=scale)


@interval("delta_skewed", "delta, skewness-corrected for long tails", (Statistic,))
def _delta_skewed(case: Case) -> Limits:
    """The outer limits of `delta_scaled` and of Hall's t for long tails (`tail_limits`).

    For ratios of errors, which are skewed by their largest errors above and below. R2 of normal,
    Laplace, t3 and heteroscedastic log-normal errors is covered .963, .945, .876, .864 of the time
    at n = 200 and .941, .945, .897, .910 at n = 1,000; the percentile bootstrap covers .925, .935,
    .825, .795 and .950, .945, .805, .845 (3,000, 1,000 and 200 samples, Monte Carlo errors .004,
    .008, .025).

    References: P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal
    Statistical Society B 54.
    """
    limits, found = _delta_scaled(case), spread(case)
    if limits.reason:
        return limits
    tilt = skewness(case)
    low, high = tail_limits(case.form.value, limits.se, case.level, found.df, tilt)
    low, high = clipped(min(low, limits.low), max(high, limits.high), case.measure.bounds)
    return Limits(low, high, limits.se, notes=dominated(tilt))


@interval("delta_atanh", "delta on the atanh scale", (Smooth,), scale="atanh")
def _delta_atanh(case: Case) -> Limits:
    """tanh(atanh(v) +- q se / (1 - v^2)), once as it is and once with 2/k^2 more in each cell.

    The outer ends of both are taken. Two rows spread over the table keep perfect agreement from
    looking certain; without them the upper end of a good value would be too low. With groups or
    sampling weights the table is first shrunk to the independent rows it is worth.
    """
    if case.measure.bounds != (-1.0, 1.0):
        return Limits(reason=f"delta_atanh is for measures in [-1, 1], not {case.measure.name}")
    return _smoothed(case, "delta on the atanh scale")


@interval("delta_smoothed", "delta on a smoothed table", (Smooth,), scale="plain")
def _delta_smoothed(case: Case) -> Limits:
    """The same on the scale that the measure's bounds ask for: logit between 0 and 1."""
    return _smoothed(case, "delta on a smoothed table")


def _smoothed(case: Case, words: str) -> Limits:
    """The outer limits of the delta method on the table, and with 2/k^2 more in each cell."""
    form = case.formed(Smooth)
    table = _independent(form)
    if table is not form.table:
        words += f", effective n {table.n:.0f}"
    low, high, se = _ends(case, table.smoothed(2 / table.k**2))
    if isnan(se):
        return Limits(reason=TOO_FEW)
    plain_low, plain_high, plain_se = _ends(case, table)
    if plain_se > 0:
        low, high = min(low, plain_low), max(high, plain_high)
    low, high = min(low, form.value), max(high, form.value)
    notes = _few_hits(form.table)
    return Limits(low, high, se, form.table.n, table.n, notes, method=words)


def _few_hits(table: Contingency) -> tuple[str, ...]:
    """A warning when a class that occurs is labelled rightly in fewer than 3 rows."""
    hits = table.hits[table.actual > 0]
    if hits.min() >= FEW_HITS or table.squares is not None:
        return ()
    text = "a class is hardly ever labelled rightly: the interval may be too short"
    return (Note(text, "short"),)


def _ends(case: Case, table: Contingency) -> tuple[float, float, float]:
    """Limits and standard error of the delta method on a table of independent rows."""
    form = case.formed(Smooth)
    moved = replace(form, table=table)
    value, variance = moved.value, table.variance(moved.by_cell)
    if not variance > 0:
        return value, value, sqrt(variance) if variance == 0 else nan
    q = quantile(case.level, form.table.df)
    low, high, _ = scaled(value, sqrt(variance), q, case.measure.bounds)
    return low, high, sqrt(variance)


def _independent(form: Smooth) -> Contingency:
    """The table scaled to the number of independent rows that its groups or weights are worth.

    Scaled by the variance of independent rows over the variance of the design; without spread, to
    the number of groups, or to (sum w)^2 / sum w^2. Never to more rows than there are.
    """
    table = form.table
    if table.groups is None and table.squares is None:
        return table
    plain = table.as_independent()
    most = 1.0 if table.squares is None else table.n / float(table.squares.sum())
    design, rows = table.variance(form.by_cell), plain.variance(form.by_cell)
    if design > 0 and rows > 0:
        return plain.scaled(min(rows / design, most))
    return plain.scaled(
        min(most, most if table.groups is None else table.groups.shape[0] / table.n)
    )
