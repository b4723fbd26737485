"""Groups and sampling weights that go with the errors: limits that lean as the estimate does.

Where difficult rows weigh more, or large groups are difficult, a few rows or groups make most of an
estimate. Its law leans to their side, and a sample without them looks both better and steadier than
it is. Limits as symmetric as Student's, or as lopsided as binomial ones, then end too early on that
side: 85 to 92% are covered where 95% are said.
"""

from dataclasses import replace
from math import sqrt

from heliast._core.clusters import FEW, adjusted, equal_groups, sizes
from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast.estimates._means import untwisted
from heliast.estimates._registry import Case, Limits
from heliast.estimates._scale import clipped
from heliast.estimates._spread import acceleration, dominated, row_influence, spread, unit_sums
from heliast.measures.forms import Mean
from heliast.predictions.scan import ScannedRows

EVEN, RELATED = 0.8, 2.6
"""Weights worth more than this share of their rows are alike; beyond so many standard errors the
mean of rows and that of weights differ."""


def allow_for_lean(case: Case, limits: Limits) -> Limits:
    """The limits, the one on the side of the longer tail at least Hall's.

    The skewness of the estimate is that of the sums of influences, by row times its weight or by
    group; groups as the jackknife weighs them. See `hall` for the transformation (Hall 1992, On
    the removal of skewness by transformation, JRSS B 54).
    """
    rows = case.rows
    alike = rows.group is None and rows.weight_kind != "sampling"
    designed = rows.design in ("time", "classes")
    if limits.reason or alike or designed or isinstance(rows, ScannedRows):
        return limits
    influence, found = row_influence(case.form, rows), spread(case)
    if influence is None or not found.variance > 0:
        return limits
    units, weight = unit_sums(rows, influence), rows.weight
    if rows.group is not None:
        weight = sizes(rows.group, weight)
        leaning = adjusted(units, weight)
    else:
        leaning = units
    assert weight is not None
    tilt = 6 * acceleration(leaning) * sqrt(case.copies)
    q, se = quantile(case.level, found.df), sqrt(found.variance) * case.wider
    ends = [case.form.value - se * untwisted(side, tilt) for side in (q, -q)]
    if isinstance(case.form, Mean):  # both tails may be longer than they look
        ends = [min(ends[0], case.form.value - q * se), max(ends[1], case.form.value + q * se)]
    low, high = clipped(ends[0], ends[1], case.measure.bounds)
    if tilt > 0 or isinstance(case.form, Mean):
        limits = replace(limits, high=max(limits.high, high))
    if tilt < 0 or isinstance(case.form, Mean):
        limits = replace(limits, low=min(limits.low, low))
    notes = (*dominated(tilt), *_related(units, weight, rows.group is not None))
    new = tuple(note for note in notes if note not in limits.notes)
    return replace(limits, notes=limits.notes + new)


def _related(units: Array, weight: Array, grouped: bool) -> tuple[str, ...]:
    """What to say where rows that weigh more, or larger groups, fare otherwise than the others.

    The sums of influences are 0 together, so their means by row or group are 0 on average unless
    they go with the weights. A sample without the heaviest shows this too, its skewness does not.
    """
    there = weight > 0
    each = units[there] / weight[there]
    n, worth = each.size, equal_groups(weight)
    if n < FEW or worth > EVEN * n:
        return ()
    spread_of = float(each.std(ddof=1)) / sqrt(n)
    if not abs(float(each.mean())) > RELATED * spread_of > 0:
        return ()
    what = (
        "large groups fare otherwise than small ones"
        if grouped
        else ("rows that weigh more fare otherwise than the others")
    )
    return (Note(f"{what}: the interval may be too short", "short"),)
