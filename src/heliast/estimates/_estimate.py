"""A measure on counted rows to an Estimate: pick the method, say which, refuse with a reason."""

from dataclasses import replace

import numpy as np

from heliast._core.clusters import FEW as FEW_GROUPS
from heliast._core.clusters import FEWEST as FEWEST_GROUPS
from heliast._core.clusters import few, sizes, too_few
from heliast._core.labels import Label
from heliast.estimates._mover_classes import of_two_classes
from heliast.estimates._proportion import check_level
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, method
from heliast.estimates._worth import worth
from heliast.measures import Measure
from heliast.measures.forms import Form, Undefined
from heliast.measures.summaries import Counted
from heliast.predictions import Rows
from heliast.predictions.scan import NEEDS, NeedsRows

__all__ = ["FEWEST_GROUPS", "FEW_GROUPS", "NARROW", "estimate"]

NARROW = "the interval may be too narrow"


def estimate(
    measure: Measure,
    counted: Counted,
    class_: Label | None = None,
    level: float = 0.95,
    interval: str = "auto",
    seed: int = 0,
    replicates: int = 2000,
    stretch: float = 1.0,
    copies: float = 1.0,
) -> Estimate:
    """The measure on one test set, with the interval of the named method (`auto`: by its form).

    `stretch` and `copies`: for tests of several splits, see `Case`.
    """
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
    case = Case(form, level, counted.rows, measure, seed, replicates, stretch, copies)
    return _with_limits(found, _limits(case, interval), case)


def _rows(counted: Counted) -> float:
    rows = counted.rows
    return rows.weight_sum if rows.weight_kind == "frequency" else float(rows.n)


def _limits(case: Case, interval: str) -> Limits:
    groups = _of_groups(case.rows)
    if groups.reason:
        return groups
    chosen = method(default(case.form) if interval == "auto" else interval)
    refusal = chosen.refuses(case.form)
    if refusal:
        return Limits(reason=refusal)
    try:
        limits = chosen.limits(case)
    except NeedsRows:
        return Limits(reason=f"the interval {NEEDS}")
    return replace(limits, notes=groups.notes + limits.notes)


def default(form: Form) -> str:
    """The name of the form's default method."""
    return "mover_classes" if of_two_classes(form) else form.auto


def _of_groups(rows: Rows) -> Limits:
    """Why the groups allow for no interval, or what to say of them."""
    if rows.group is None:
        return Limits()
    size = sizes(rows.group, rows.weight)
    why = too_few(size, "an interval")
    return Limits(reason=why) if why else Limits(notes=few(size, NARROW))


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
