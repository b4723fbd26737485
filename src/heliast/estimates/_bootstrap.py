"""The bootstrap: how a measure varies over rows (or groups) drawn again from those at hand."""

from math import exp, isnan, log, sqrt

import numpy as np

from heliast._core.clusters import equal_groups, sizes
from heliast._core.errors import InputError
from heliast.estimates._bca import TITLES, Kind, acceleration, dominated, ends
from heliast.estimates._drawn import Drawn
from heliast.estimates._draws import draws
from heliast.estimates._estimate import estimate
from heliast.estimates._notes import small_class
from heliast.estimates._proportion import check_level, quantile
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import clipped
from heliast.measures import Measure, get
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Rows

FORMS = (Rate, Curved, Blend, Smooth, Mean, Area, Statistic)
MOST_UNDEFINED = 0.01
MOST_CLASSES = 64
"""Replicates of larger tables, and tables without one row each, would take gigabytes."""
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
    """A measure with its bootstrap interval: bias-corrected and accelerated, percentile or basic.

    Rows are drawn with replacement, whole groups if rows have groups, within each class if the
    class counts were fixed by design. Replicates on which the measure is undefined are counted:
    above 1% there is no interval. The same seed gives the same limits on any number of threads,
    in any order of the rows (Efron and Tibshirani 1993).

    >>> rows = Predictions.of([0, 0, 1, 1, 0] * 6, [0, 1, 1, 1, 0] * 6)
    >>> bootstrap(rows, "accuracy", kind="percentile")
    Estimate(accuracy: 0.8 [0.6333, 0.9333], percentile bootstrap, 2000 replicates)
    """
    check_level(level)
    if kind not in _NAMES:
        raise InputError(f"kind={kind!r}: choose {', '.join(map(repr, _NAMES))}")
    if replicates < 1:
        raise InputError(f"replicates={replicates}: draw at least one")
    rows = predictions if isinstance(predictions, Rows) else predictions.rows()
    asked = get(measure) if isinstance(measure, str) else measure
    lacking = asked.lacks(rows.task, len(rows.classes), rows.score_kind)
    if lacking:
        raise InputError(f"measure {asked.name!r}: {lacking}")
    return estimate(
        asked, Counted(rows), level=level, interval=_NAMES[kind], seed=seed, replicates=replicates
    )


@interval("bootstrap", TITLES["bca"], FORMS)
def _bca(case: Case) -> Limits:
    """Bias-corrected and accelerated limits."""
    return bootstrap_limits(case, "bca")


@interval("bootstrap_percentile", TITLES["percentile"], FORMS)
def _percentile(case: Case) -> Limits:
    """The quantiles of the replicates."""
    return bootstrap_limits(case, "percentile")


@interval("bootstrap_basic", TITLES["basic"], FORMS)
def _basic(case: Case) -> Limits:
    """The quantiles of the replicates, mirrored at the value."""
    return bootstrap_limits(case, "basic")


def bootstrap_limits(case: Case, kind: Kind) -> Limits:
    """Limits from replicates drawn for the case, or why there are none."""
    form = case.form
    if isinstance(form, (Rate, Curved, Blend, Smooth)) and form.table.k > MOST_CLASSES:
        return Limits(reason=f"tables of {form.table.k} classes are too large to draw thousands of")
    return drawn_limits(case, draws(case), kind)


def drawn_limits(case: Case, found: Drawn, kind: Kind) -> Limits:
    """Limits from replicates already drawn."""
    words = f"{TITLES[kind]}, {case.replicates} replicates"
    if case.rows.group is not None:
        words += " of groups"
    defined = found.values[np.isfinite(found.values)]
    undefined = 1 - defined.size / found.values.size
    if undefined > MOST_UNDEFINED:
        return Limits(reason=f"{undefined:.1%} of the bootstrap replicates are undefined")
    if np.ptp(defined) <= 1e-12 * max(1.0, abs(case.form.value)):
        return Limits(reason="every bootstrap replicate gives the same value: no spread to see")
    level = case.level
    if case.rows.group is not None:
        level = _widened(level, equal_groups(sizes(case.rows.group, case.rows.weight)))
    lean = acceleration(found.nudges, found.times)
    low, high = ends(defined, case.form.value, level, kind, lean)
    if isnan(low):
        return Limits(reason="all bootstrap replicates lie on one side of the value")
    low, high = stretched(case.form.value, (low, high), case.stretch, case.copies)
    low, high = clipped(low, high, case.measure.bounds)
    notes = small_class(case) + _lost(undefined) + dominated(6 * lean)
    return Limits(low, high, words, float(defined.std(ddof=1)), notes=notes)


def stretched(
    value: float, ends: tuple[float, float], stretch: float, copies: float = 1.0
) -> tuple[float, float]:
    """The limits for a larger standard error; copies of rows also hide how lopsided they are.

    The lean of a value's law, log((high - value) / (value - low)), goes as 1/sqrt(n).

    >>> [round(end, 3) for end in stretched(0.5, (0.4, 0.65), 2.0)]
    [0.3, 0.8]
    """
    below, above = value - ends[0], ends[1] - value
    if not (below > 0 and above > 0):
        wide = stretch * sqrt(copies)
        return value - wide * below, value + wide * above
    middle, lean = sqrt(copies * below * above), sqrt(copies) * log(above / below) / 2
    return value - stretch * middle * exp(-lean), value + stretch * middle * exp(lean)


def _widened(level: float, groups: float) -> float:
    """The level at which quantiles of replicates of few groups are as wide as Student's t.

    Replicates of G equal groups vary (G-1)/G too little and know nothing of degrees of freedom:
    read them at the level of sqrt(G/(G-1)) t (Hesterberg 2015). Unequal groups: the number of
    equal ones that they are worth.
    """
    from scipy.special import ndtr

    wide = sqrt(groups / (groups - 1)) * quantile(level, groups - 1)
    return float(2 * ndtr(wide) - 1)


def _lost(share: float) -> tuple[str, ...]:
    return (f"{share:.2%} of the replicates were undefined and left out",) if share else ()
