"""Any measure over several splits, judged by row: the interval of one test set, stretched."""

from dataclasses import replace
from math import inf, isnan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.level import quantile
from heliast.estimates._estimate import estimate
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped, scaled
from heliast.estimates._score_auc import score_limits
from heliast.estimates._spread import rows_spread
from heliast.estimates.resampled._case import Case, without
from heliast.estimates.resampled._linear import influences
from heliast.estimates.resampled._point import point
from heliast.estimates.resampled._rates import STABLE
from heliast.estimates.resampled._row_worth import Judged, judged
from heliast.estimates.resampled._unstable import NOTE, instability
from heliast.measures.forms import Area, Statistic, Undefined

Array = npt.NDArray[Any]
FEWEST_A_SPLIT, MOST_UNDEFINED = 5, 0.2
LACKING = (
    "undefined in {gone:.0%} of the splits, and the others are no fair sample; larger splits, or "
    "folds dealt by class, have all classes"
)
TIGHT = (
    "a split tests {least:g} groups only, so it compares scores mostly within groups, which is "
    "another quantity; larger splits (a holdout, fewer folds) of at least 5 groups show the area"
)
UNKNOWN = "the influence of a row on {measure} is not known, so neither is its spread over splits"
NOTHING = "no row moves the value here, so its spread cannot be seen"


def by_row(case: Case) -> Estimate:
    """The limits that one test set of all tests would have, stretched to what the tests are worth.

    Each test has a first-order influence psi on the value (for a mean its loss less the mean). If
    tests were independent the variance would be s^2 T, T the sum of the squared shares of tests
    and s^2 the mean of psi^2. It is taken to be s^2 f (S + a/n): S sums squared shares by row, as
    repeats test the same rows again; a stands for the training rows that splits have in common;
    f is below 1 where a row is now right, now wrong (`effective_rows`; docs/coverage.md). The
    default interval of one test set is then made with a standard error sqrt(f (S + a/n) / T) times
    as large, on its own scale and with its own corrections and warnings. Rows, and not a handful
    of splits, tell the spread: so dealing folds by class hides nothing, and three folds are as
    good as ten. Where splits vary more than rows explain, it is wider still (`instability`).
    """
    one = point(case)
    if not np.isfinite(one.value):
        return one
    psi = influences(case)
    if psi is None and isinstance(case.form(*case.parts.pools[0]), Statistic):
        return without(one, UNKNOWN.format(measure=case.measure.title))
    worth = judged(case, psi)
    stretch, notes = _stretch(case, psi, worth)
    limits = _areas if case.measure.over == "splits" else _one_test_set
    found = limits(case, one, psi, stretch)
    if found.reason or isnan(found.low):
        return without(one, found.reason or NOTHING)
    if case.design.kind == "leave_one_out":
        notes += (STABLE,)
    return case.found(
        one.value,
        f"{found.method}, by row over {case.design.splits} splits",
        low=found.low,
        high=found.high,
        se=found.se,
        n_effective=worth.rows,
        notes=(*one.notes, *found.notes, *notes),
    )


def _stretch(case: Case, psi: Array | None, worth: Judged) -> tuple[float, tuple[str, ...]]:
    """The standard error relative to that of independent tests, and what to say of it."""
    factor = worth.factor
    if psi is None or case.design.kind == "leave_one_out":
        return sqrt(factor), ()
    known = psi[np.isfinite(psi)]
    square = float((known**2).mean()) if known.size else 0.0
    if not square > 0:
        return sqrt(factor), ()
    size = case.design.n_test
    found = instability(
        _means(case, psi),
        plain=square * max(1.0, worth.ratio) / size,
        by_rows=square * worth.variance,
        ratio=case.design.ratio,
        level=case.level,
        kurtosis=max(0.0, float((known**4).mean()) / square**2 - 3) / size,
    )
    return sqrt(factor * found.factor), (NOTE,) if found.seen else ()


def _means(case: Case, psi: Array) -> Array:
    """What each split says: the value, and for pooled measures its rows' mean influence."""
    if case.measure.over == "splits":
        values = case.values()
        return values[np.isfinite(values)]
    code = case.parts.whole.split_code
    sizes = np.bincount(np.asarray(code))
    return np.bincount(np.asarray(code), weights=psi) / np.where(sizes > 0, sizes, 1)


def _one_test_set(case: Case, one: Estimate, psi: Array | None, stretch: float) -> Estimate:
    """All tests as one test set, moved to the value of the repeats."""
    copies = 1.0 if case.design.grouped else max(1.0, len(case.parts.whole) / case.design.n)
    found = estimate(
        case.measure,
        case.parts.pooled,
        case.class_,
        case.level,
        "auto",
        case.seed,
        stretch=stretch / sqrt(copies),
        copies=copies,
    )
    move = one.value - found.value
    low, high = clipped(found.low + move, found.high + move, case.measure.bounds)
    return replace(found, low=min(low, one.value), high=max(high, one.value), se=found.se * stretch)


def _areas(case: Case, one: Estimate, psi: Array | None, stretch: float) -> Estimate:
    """A mean over splits: score limits of an area, else the scale of the measure's bounds."""
    assert psi is not None  # a mean of areas: influences are known, or it was refused
    gone = float(np.isnan(case.values()).mean())
    if gone > MOST_UNDEFINED:
        return without(one, LACKING.format(gone=gone))
    least = _groups_a_split(case)
    if least < FEWEST_A_SPLIT:
        return without(one, TIGHT.format(least=least))
    found = rows_spread(case.parts.pooled.rows, np.where(np.isfinite(psi), psi, 0.0))
    se = sqrt(found.variance)
    q = quantile(case.level, found.df) * stretch
    forms = [case.form(name) for name in case.parts.alone]
    areas = [form for form in forms if isinstance(form, Area)]
    defined = [form for form in forms if not isinstance(form, Undefined)]
    if len(areas) == len(defined):
        sizes = sum(f.sums.positive for f in areas), sum(f.sums.negative for f in areas)
        low, high = score_limits(one.value, se**2, sizes, q)
        return replace(one, low=low, high=high, se=se * stretch, method="score interval", reason="")
    if not se > 0:
        return without(one, NOTHING)
    low, high, scale = scaled(one.value, se, q, case.measure.bounds)
    words = f"delta on the {scale} scale"
    return replace(one, low=low, high=high, se=se * stretch, method=words, reason="")


def _groups_a_split(case: Case) -> float:
    """The fewest groups that a split tests; infinite without groups."""
    if not case.design.grouped:
        return inf
    return min(float(np.unique(np.asarray(part.group)).size) for part in case.parts.alone.values())
