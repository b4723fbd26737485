"""A measure on counted rows to an Estimate: pick the method, say which, refuse with a reason."""

from dataclasses import replace

import numpy as np

from heliast._core.clusters import few, few_hold, sizes, too_few
from heliast._core.labels import Label
from heliast._core.level import check_level
from heliast._core.notes import NOT_ASKED
from heliast.estimates._default import default_limits
from heliast.estimates._in_order import not_in_order
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, method
from heliast.estimates._spread import effective_rows
from heliast.measures import Measure
from heliast.measures.forms import Mean, Rate, Undefined
from heliast.measures.summaries import Counted
from heliast.predictions.scan import NEEDS, NeedsRows

NARROW = "the interval may be too narrow"


def estimate(
    measure: Measure,
    counted: Counted,
    class_: Label | None = None,
    level: float = 0.95,
    interval: str = "auto",
    seed: int = 0,
    replicates: int = 2000,
) -> Estimate:
    """Estimate a measure on one test set, with an interval by the named method.

    Parameters
    ----------
    measure : Measure
        What is measured.
    counted : Counted
        The rows, and whatever was counted of them.
    class_ : object, optional
        The class it is asked of.
    level : float
        The confidence level.
    interval : str
        One of `methods()`, `auto` (by the measure's form) or `none`.
    seed, replicates : int
        Of the bootstrap.

    Returns
    -------
    Estimate
        The value and its interval; refusals become its reason.

    Raises
    ------
    InputError
        If there is no such method.

    Examples
    --------
    >>> from heliast import measures
    >>> from heliast.predictions import Predictions
    >>> rows = Predictions.of([0, 0, 1, 1, 0] * 6, [0, 1, 1, 1, 0] * 6).rows()
    >>> estimate(measures.get("error"), Counted(rows))
    Estimate(error: 0.2 [0.09505, 0.3731], Wilson)
    """
    check_level(level)
    try:
        form = measure.form(counted, class_)
    except NeedsRows:
        form = Undefined(f"{measure.name} {NEEDS}")
    rows = counted.rows
    n = rows.weight_sum if rows.weight_kind == "frequency" else float(rows.n)
    blank = Estimate(form.value, level=level, n=n, measure=measure.title, class_=class_)
    if isinstance(form, Undefined):
        return replace(blank, reason=form.reason)
    if interval == "none":
        return replace(blank, reason=NOT_ASKED)
    case = Case(form, level, rows, measure, seed, replicates)
    limits = _limits(case, interval)
    effective = limits.n_effective
    if np.isnan(effective) and not limits.reason:
        effective = effective_rows(case)
    # The sum of sampling weights is no number of rows.
    counts = not np.isnan(limits.n) and rows.weight_kind != "sampling"
    mean = form if isinstance(form, Mean) else None
    return replace(
        blank,
        low=limits.low,
        high=limits.high,
        se=limits.se,
        method=limits.method,
        n=limits.n if counts else n,
        n_effective=effective,
        reason=limits.reason,
        notes=limits.notes,
        key=limits.key,
        scale=limits.scale,
        attempts=mean.attempts if mean else np.nan,
    )


def _limits(case: Case, interval: str) -> Limits:
    if case.rows.design == "time":
        why = not_in_order(interval)
        return Limits(reason=why) if why else method("long_run").limits(case)
    groups = _check_groups(case)
    if groups.reason:
        return groups
    chosen = None if interval == "auto" else method(interval)
    refusal = "" if chosen is None else chosen.refuses(case.form)
    if refusal:
        return Limits(reason=refusal)
    try:
        limits = default_limits(case) if chosen is None else chosen.limits(case)
    except NeedsRows:
        return Limits(reason=f"the interval {NEEDS}")
    return replace(limits, notes=groups.notes + limits.notes)


def _check_groups(case: Case) -> Limits:
    """Why the groups allow for no interval, or what to say of them."""
    rows, form = case.rows, case.form
    if rows.group is None:
        return Limits()
    size = sizes(rows.group, rows.weight)
    if why := too_few(size, "an interval"):
        return Limits(reason=why)
    notes = few(size, NARROW)
    by_row = isinstance(form, Mean) or (isinstance(form, Rate) and not form.within_class)
    if not notes and not by_row and rows.task == "classification":
        notes = few_hold(rows.group, rows.y_true, NARROW)
    return Limits(notes=notes)
