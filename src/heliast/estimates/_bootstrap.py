"""The bootstrap: how a measure varies over rows (or groups) drawn again from those at hand."""

from functools import partial
from math import isnan, sqrt
from typing import Literal

import numpy as np

from heliast._core.clusters import equal_groups, sizes
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level, quantile
from heliast.estimates._drawn import acceleration_of, draws
from heliast.estimates._estimate import estimate
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import clipped
from heliast.estimates._spread import dominated
from heliast.measures import Measure, get
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic, TableForm
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Rows

Kind = Literal["bca", "percentile", "basic"]
FORMS = (Rate, Curved, Blend, Smooth, Mean, Area, Statistic)
MOST_UNDEFINED = 0.01
MOST_CLASSES = 64
"""Replicates of larger tables, and tables without one row each, would take gigabytes."""
TITLES: dict[Kind, str] = {
    "bca": "BCa bootstrap",
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
}
_NAMES: dict[Kind, str] = {
    "bca": "bootstrap",
    "percentile": "bootstrap_percentile",
    "basic": "bootstrap_basic",
}


def bootstrap(
    predictions: Predictions | Rows,
    measure: str | Measure = "auc",
    level: float = 0.95,
    kind: Kind = "bca",
    replicates: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Bootstrap interval of a measure: bias-corrected and accelerated, percentile or basic.

    Rows are drawn with replacement, whole groups if rows have groups, within each class if the
    class counts were fixed by design. Replicates on which the measure is undefined are counted:
    above 1% there is no interval. The same seed gives the same limits on any number of threads,
    in any order of the rows.

    Parameters
    ----------
    predictions : Predictions or Rows
        One model's rows of one test set.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    kind : {'bca', 'percentile', 'basic'}
        How limits are read off the replicates.
    replicates : int
        How many are drawn.
    seed : int
        Seed of the draws.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there is no such kind or measure, or the rows lack what it needs.

    Examples
    --------
    >>> rows = Predictions.of([0, 0, 1, 1, 0] * 6, [0, 1, 1, 1, 0] * 6)
    >>> bootstrap(rows, "accuracy", kind="percentile")
    Estimate(accuracy: 0.8 [0.6333, 0.9333], percentile bootstrap, 2000 replicates)

    References
    ----------
    B. Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical
    Association 82. B. Efron and R. J. Tibshirani (1993), An introduction to the bootstrap, Chapman
    and Hall.
    """
    check_level(level)
    if kind not in _NAMES:
        raise InputError(f"kind={kind!r}: choose {', '.join(map(repr, _NAMES))}")
    if replicates < 1:
        raise InputError(f"replicates={replicates}: draw at least one")
    rows = predictions if isinstance(predictions, Rows) else predictions.rows()
    chosen = get(measure)
    lacking = chosen.lacks(rows.task, len(rows.classes), rows.score_kind, rows.ordinal)
    if lacking:
        raise InputError(f"measure {chosen.name!r}: {lacking}")
    name = _NAMES[kind]
    return estimate(
        chosen, Counted(rows), level=level, interval=name, seed=seed, replicates=replicates
    )


def bootstrap_limits(case: Case, kind: Kind) -> Limits:
    """Limits from replicates drawn for the case, or why there are none."""
    form = case.form
    if isinstance(form, TableForm) and form.table.k > MOST_CLASSES:
        return Limits(reason=f"tables of {form.table.k} classes are too large to draw thousands of")
    return drawn_limits(case, draws(case), kind)


for _kind, _name in _NAMES.items():
    interval(_name, TITLES[_kind], FORMS)(partial(bootstrap_limits, kind=_kind))


def drawn_limits(case: Case, replicates: Array, kind: Kind) -> Limits:
    """Limits from replicates already drawn."""
    words = f"{TITLES[kind]}, {case.replicates} replicates"
    value, group, level = case.form.value, case.rows.group, case.level
    defined = replicates[np.isfinite(replicates)]
    undefined = 1 - defined.size / replicates.size
    if undefined > MOST_UNDEFINED:
        return Limits(reason=f"{undefined:.1%} of the bootstrap replicates are undefined")
    if np.ptp(defined) <= 1e-12 * max(1.0, abs(value)):
        return Limits(reason="every bootstrap replicate gives the same value: no spread to see")
    if group is not None:
        words += " of groups"
        level = _widened(level, equal_groups(sizes(group, case.rows.weight)))
    lean = acceleration_of(case)
    low, high = ends(defined, value, level, kind, lean)
    if isnan(low):
        return Limits(reason="all bootstrap replicates lie on one side of the value")
    low, high = clipped(low, high, case.measure.bounds)
    notes = case.small_class + dominated(6 * lean)
    if undefined:
        notes += (f"{undefined:.2%} of the replicates were undefined and left out",)
    return Limits(low, high, float(defined.std(ddof=1)), notes=notes, method=words)


def ends(
    values: Array, point: float, level: float, kind: Kind, acceleration: float = 0.0
) -> tuple[float, float]:
    """The limits from replicate values.

    `percentile` takes their quantiles, `basic` mirrors those at the point, `bca` moves the levels
    by the median bias z0 and the acceleration (Efron 1987). NaN when BCa has every replicate on
    one side of the point.

    >>> low, high = ends(np.arange(101.0), 50.0, 0.9, "percentile")
    >>> round(low, 9), round(high, 9)
    (5.0, 95.0)
    """
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if kind == "bca":
        tails = corrected_tails(values, point, tails, acceleration)
        if np.isnan(tails).any():
            return float("nan"), float("nan")
    low, high = np.quantile(values, tails)
    if kind == "basic":
        low, high = 2 * point - high, 2 * point - low
    return float(low), float(high)


def corrected_tails(values: Array, point: float, tails: Array, acceleration: float) -> Array:
    """Phi(z0 + (z0 + z) / (1 - a (z0 + z))): where BCa reads the quantiles."""
    from scipy.special import ndtr, ndtri

    # Replicates equal to the point (discrete measures have many) count half.
    below = (np.count_nonzero(values < point) + np.count_nonzero(values <= point)) / 2
    share = below / values.size
    if not 0 < share < 1:
        return np.full(2, np.nan)
    bias = ndtri(share)
    moved = bias + ndtri(tails)
    scale = 1 - acceleration * moved
    # Where the correction would turn over, the end of the replicates is the limit.
    level: Array = np.where(
        scale > 0, ndtr(bias + moved / np.where(scale > 0, scale, 1.0)), np.where(moved > 0, 1, 0)
    )
    return level


def _widened(level: float, groups: float) -> float:
    """The level at which quantiles of replicates of few groups are as wide as Student's t.

    Replicates of G equal groups vary (G-1)/G too little and know nothing of degrees of freedom:
    read them at the level of sqrt(G/(G-1)) t (Hesterberg 2015). Unequal groups: the number of
    equal ones that they are worth.
    """
    from scipy.special import ndtr

    wide = sqrt(groups / (groups - 1)) * quantile(level, groups - 1)
    return float(2 * ndtr(wide) - 1)
