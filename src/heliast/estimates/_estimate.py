"""A measure on counted rows to an Estimate: pick the method, say which, refuse with a reason."""

from dataclasses import replace

import numpy as np

from heliast._core.labels import Label
from heliast.estimates._mover_classes import of_two_classes
from heliast.estimates._proportion import check_level
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, method
from heliast.estimates._worth import worth
from heliast.measures import Measure
from heliast.measures.forms import Form, Undefined
from heliast.predictions import Rows
from heliast.predictions.scan import NEEDS, NeedsRows
from heliast.summaries import Counted

FEWEST_GROUPS = 5
FEW_GROUPS = 20


def estimate(
    measure: Measure,
    counted: Counted,
    class_: Label | None = None,
    level: float = 0.95,
    interval: str = "auto",
    seed: int = 0,
    replicates: int = 2000,
) -> Estimate:
    """The measure on one test set, with the interval of the named method (`auto`: by its form)."""
    check_level(level)
    try:
        form = measure.form(counted, class_)
    except NeedsRows:
        form = Undefined(f"{measure.name} {NEEDS}")
    found = Estimate(
        form.value,
        level=level,
        n=_rows(counted),
        measure=measure.title,
        class_=class_,
    )
    if isinstance(form, Undefined):
        return replace(found, reason=form.reason)
    if interval == "none":
        return replace(found, reason="no interval asked for")
    case = Case(form, level, counted.rows, measure, seed, replicates)
    return _with_limits(found, _limits(case, interval), case)


def _rows(counted: Counted) -> float:
    rows = counted.rows
    return rows.weight_sum if rows.weight_kind == "frequency" else float(rows.n)


def _limits(case: Case, interval: str) -> Limits:
    few = _too_few_groups(case.rows)
    if few.reason:
        return few
    chosen = method(default(case.form) if interval == "auto" else interval)
    refusal = chosen.refuses(case.form)
    if refusal:
        return Limits(reason=refusal)
    try:
        limits = chosen.limits(case)
    except NeedsRows:
        return Limits(reason=f"the interval {NEEDS}")
    return replace(limits, notes=few.notes + limits.notes)


def default(form: Form) -> str:
    """The name of the form's default method."""
    return "mover_classes" if of_two_classes(form) else form.auto


def _too_few_groups(rows: Rows) -> Limits:
    if rows.group is None:
        return Limits()
    groups = int(np.unique(rows.group).size)
    if groups < FEWEST_GROUPS:
        return Limits(reason=f"only {groups} groups: an interval needs at least {FEWEST_GROUPS}")
    if groups < FEW_GROUPS:
        return Limits(notes=(f"only {groups} groups: the interval may be too narrow",))
    return Limits()


def _with_limits(found: Estimate, limits: Limits, case: Case) -> Estimate:
    # The sum of sampling weights is no number of rows.
    weighed = np.isnan(limits.n) or case.rows.weight_kind == "sampling"
    effective = limits.n_effective
    if np.isnan(effective) and not limits.reason:
        effective = worth(case)
    return replace(
        found,
        low=limits.low,
        high=limits.high,
        se=limits.se,
        method=limits.method,
        n=found.n if weighed else limits.n,
        n_effective=effective,
        reason=limits.reason,
        notes=limits.notes,
    )
