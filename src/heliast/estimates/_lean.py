"""Groups and sampling weights that go with the errors: limits that lean as the estimate does.

Where difficult rows weigh more, or large groups are difficult, a few rows or groups make most of an
estimate. Its law leans to their side, and a sample without them looks both better and steadier than
it is. Limits as symmetric as Student's, or as lopsided as binomial ones, then end too early on that
side: 85 to 92% are covered where 95% are said.
"""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from heliast._core.clusters import FEW, adjusted, equal_groups, sizes
from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast.estimates._registry import Case, Limits
from heliast.estimates._scales import clipped, untwisted
from heliast.estimates._spread import (
    acceleration,
    chunk_influence,
    dominated,
    row_influence,
    spread,
    unit_sums,
)
from heliast.measures.forms import Form, Mean, Statistic, TableForm
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

EVEN, RELATED = 0.8, 2.6
"""Weights worth more than this share of their rows are alike; beyond so many standard errors the
mean of rows and that of weights differ."""

WORDS = "widened for groups or weights"
"""Said of the method where a limit is not its own."""


def allow_for_lean(case: Case, limits: Limits) -> Limits:
    """The limits, the one on the side of the longer tail at least Hall's.

    The skewness of the estimate is that of the sums of influences, by row times its weight or by
    group; groups as the jackknife weighs them. See `hall` for the transformation (Hall 1992, On
    the removal of skewness by transformation, JRSS B 54).
    """
    rows, form = case.rows, case.form
    found = _leaning(case) if not limits.reason and rows.design == "rows" else None
    spread_of = spread(case) if found is not None else None
    if found is None or spread_of is None or not spread_of.variance > 0:
        return limits
    tilt = found.tilt * sqrt(case.copies)
    q, se = quantile(case.level, spread_of.df), sqrt(spread_of.variance) * case.wider
    ends = [form.value - se * untwisted(side, tilt) for side in (q, -q)]
    if isinstance(form, Mean):  # both tails may be longer than they look
        ends = [min(ends[0], form.value - q * se), max(ends[1], form.value + q * se)]
    low, high = clipped(ends[0], ends[1], case.measure.bounds)
    before = limits.low, limits.high
    if tilt > 0 or isinstance(form, Mean):
        limits = replace(limits, high=max(limits.high, high))
    if tilt < 0 or isinstance(form, Mean):
        limits = replace(limits, low=min(limits.low, low))
    if before != (limits.low, limits.high):
        limits = replace(limits, method=f"{limits.method}, {WORDS}")
    notes = (*dominated(tilt), *found.said(rows.group is not None))
    new = tuple(note for note in notes if note not in limits.notes)
    return replace(limits, notes=limits.notes + new)


@dataclass(frozen=True)
class _Leaning:
    """How an estimate leans, and whether rows that weigh more (large groups) fare otherwise."""

    tilt: float
    n: float
    worth: float
    """How many equal weights or groups there are, and what they are worth."""
    mean: float
    error: float
    """The mean influence by row or group whatever it weighs, and its standard error."""

    def said(self, grouped: bool) -> tuple[str, ...]:
        """What to say where weights go with the errors.

        Influences are 0 together, so that their mean is 0 unless they go with the weights. A sample
        without the heaviest shows this too, its skewness does not.
        """
        if self.n < FEW or self.worth > EVEN * self.n:
            return ()
        if not abs(self.mean) > RELATED * self.error > 0:
            return ()
        what = "large groups fare otherwise than small ones"
        if not grouped:
            what = "rows that weigh more fare otherwise than the others"
        return (Note(f"{what}: the interval may be too short", "short"),)


def _leaning(case: Case) -> _Leaning | None:
    """By groups, or by rows with sampling weights; None where influences are not known by row."""
    rows, form = case.rows, case.form
    if rows.group is not None and not isinstance(rows, ScannedRows):
        influence = row_influence(form, rows)
        return None if influence is None else _by_group(rows, influence)
    numbers = isinstance(form, Statistic) and not form.mix and rows.task == "regression"
    known = isinstance(form, TableForm) or numbers or (isinstance(form, Mean) and form.losses)
    if rows.weight_kind != "sampling" or rows.group is not None or not known:
        return None
    if isinstance(form, Mean) and form.shares is not None:
        return None
    return _by_weight(form, rows)


def _by_group(rows: Rows, influence: Array) -> _Leaning:
    assert rows.group is not None
    units, size = unit_sums(rows, influence), sizes(rows.group, rows.weight)
    each = units[size > 0] / size[size > 0]
    tilt, n = 6 * acceleration(adjusted(units, size)), each.size
    error = float(each.std(ddof=1)) / sqrt(n) if n > 1 else 0.0
    return _Leaning(tilt, n, equal_groups(size), float(each.mean()), error)


def _by_weight(form: Form, rows: Rows) -> _Leaning:
    """In one pass over the rows, or over the chunks of a scanned table."""
    psi = np.zeros((4, 4))  # sums of w^i psi^j
    chunks = rows.chunks() if isinstance(rows, ScannedRows) else (rows,)
    for chunk in chunks:
        weight = np.asarray(chunk.weight, np.float64)
        there = weight > 0
        found = chunk_influence(form, chunk, rows)
        powers = np.vander(found[there], 4, increasing=True)
        psi += np.vander(weight[there], 4, increasing=True).T @ powers
    centre = psi[1, 1] / psi[1, 0]
    second = psi[2, 2] - 2 * centre * psi[2, 1] + centre**2 * psi[2, 0]
    third = psi[3, 3] - 3 * centre * psi[3, 2] + 3 * centre**2 * psi[3, 1] - centre**3 * psi[3, 0]
    tilt = third / second**1.5 if second > 0 else 0.0
    n = psi[0, 0]
    mean = psi[0, 1] / n
    error = sqrt(max(0.0, psi[0, 2] / n - mean**2) / max(1.0, n - 1))
    return _Leaning(tilt, n, psi[1, 0] ** 2 / psi[2, 0], mean - centre, error)
