"""The default interval for a mean of row losses: by how skewed the losses are."""

from dataclasses import replace

import numpy as np

from heliast.estimates._hall import skewness
from heliast.estimates._means import rows_worth
from heliast.estimates._registry import Case, Limits, interval, method
from heliast.estimates._scale import clipped
from heliast.estimates._wilson import wilson_limits
from heliast.measures.forms import Mean
from heliast.predictions.scan import ScannedRows

SKEWED = 2.0
MISSES = 10
"""With fewer misses than this their rate decides the upper limit of a loss of forecasts."""
HEAVY, FEW = 0.9, 200
"""With more than this weight on one class of fewer rows than this, coverage was below the bar."""


@interval("mean", "Student t, corrected if the losses are skewed", (Mean,))
def _mean(case: Case) -> Limits:
    """Student's t; corrected for skewness when that exceeds 2; MOVER for a loss of few values."""
    form = case.form
    assert isinstance(form, Mean)
    if form.blend is not None:
        return method(form.blend.auto).limits(replace(case, form=form.blend))
    skew = skewness(case)
    found = method("student_t" if abs(skew) <= SKEWED else "hall").limits(case)
    if abs(skew) > SKEWED and found.method:
        found = replace(found, method=f"{found.method} (skewness {skew:.1f})")
    return few_misses(case, replace(found, notes=found.notes + heavy_class(case)))


def few_misses(case: Case, limits: Limits) -> Limits:
    """The limits of a loss of forecasts, at least as high as the misses not seen could make it.

    A miss is a row whose class was not the likeliest one. Where fewer than ten were seen, the
    losses at hand may look steadier than they are: none of the rows may show what a confident miss
    costs, though the forecasts tell. With r and w the mean losses if all rows were right, and if
    all were wrong, the mean is near r + rate (w - r), and the upper limit is at least that at
    Wilson's upper limit of the rate of misses.
    """
    form, rows = case.form, case.rows
    assert isinstance(form, Mean)
    if case.measure.needs != "probability" or isinstance(rows, ScannedRows):
        return limits
    scores = rows.scores
    plain = rows.weight_kind != "sampling" and rows.group is None and form.shares is None
    if scores is None or form.losses is None or not plain:
        return limits
    weight = np.ones(rows.n) if rows.weight is None else np.asarray(rows.weight, np.float64)
    if scores.ndim == 1:
        code = 1 if rows.positive is None else rows.positive
        likely = np.where(scores >= 0.5, code, 1 - code)
        next_ = 1 - likely
    else:
        order = np.argsort(scores, axis=1)
        likely, next_ = order[:, -1], order[:, -2]
    misses = float(weight[likely != rows.truth].sum())
    if misses >= MISSES:
        return limits
    kind = rows.truth.dtype
    right, wrong = (
        float(np.average(form.losses(replace(rows, truth=truth.astype(kind))), weights=weight))
        for truth in (likely, next_)
    )
    if not np.isfinite(wrong):
        return limits
    n = float(weight.sum())
    low, high = wilson_limits(misses / n, case.worth(n), case.level)
    if limits.reason:
        ends = min(form.value, right + low * (wrong - right)), right + high * (wrong - right)
        low, high = clipped(*ends, case.measure.bounds)
        return Limits(low, high, "Wilson of the misses", n=form.n, n_effective=rows_worth(case))
    return replace(limits, high=max(limits.high, right + high * (wrong - right)))


def heavy_class(case: Case) -> tuple[str, ...]:
    """What to say when given prevalences make the mean that of few rows of one class."""
    form = case.form
    assert isinstance(form, Mean)
    if form.shares is None:
        return ()
    heaviest = int(np.argmax(form.shares))
    rows = int(case.rows.class_sizes()[heaviest])
    if form.shares[heaviest] <= HEAVY or rows >= FEW:
        return ()
    return (f"the class that weighs most has {rows} rows: the interval may be too short",)
