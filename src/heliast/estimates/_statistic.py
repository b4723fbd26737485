"""The default interval for any other statistic: the bootstrap, or delta when rows are many."""

from dataclasses import replace
from math import sqrt

from heliast.estimates._registry import Case, Limits, interval, method
from heliast.estimates._spread import spread
from heliast.measures.forms import Area, CurvedMean, Statistic

MANY, MANY_WEIGHTED = 200_000, 20_000
"""Rows from which the bootstrap costs more than it gives; weights make replicates slower."""


def many_rows(case: Case) -> int:
    """How many rows are many."""
    return MANY_WEIGHTED if case.rows.weight_kind == "sampling" else MANY


@interval("statistic", "bootstrap, or delta from 200,000 rows on", (Statistic,))
def _statistic(case: Case) -> Limits:
    """BCa, for predicted numbers percentile; above 200,000 rows delta, if influences are known.

    A mean of areas takes the areas' own limits together (MOVER), a function of a mean those of
    the mean. A mean over classes works on the rows once a class, so its rows count as often.
    """
    form = case.form
    assert isinstance(form, Statistic)
    if form.mix and all(isinstance(part, Area) for _, part in form.mix):
        return method("mover_auc").limits(case)
    if form.of_mean is not None:
        return _of_mean(case, form.of_mean)
    work = case.rows.n * max(1, len(form.mix))
    if work <= many_rows(case) or form.influence is None:
        # Ratios of errors of numbers, as R2: tails pull at both ends, and BCa covers less.
        numbers = case.rows.task == "number"
        return method("bootstrap_percentile" if numbers else "bootstrap").limits(case)
    limits = method("delta_scaled").limits(case)
    return replace(limits, method=f"{limits.method} (many rows)")


def _of_mean(case: Case, inner: CurvedMean) -> Limits:
    """Limits of an increasing function of a mean: the function of the mean's limits."""
    limits = method("mean").limits(replace(case, form=inner.mean))
    if limits.reason:
        return limits
    low, high = float(inner.curve(limits.low)), float(inner.curve(limits.high))
    found = spread(case)
    return replace(
        limits,
        low=low,
        high=high,
        se=sqrt(found.variance),
        method=f"{limits.method}, {inner.words}",
    )
