"""The default for several splits: by the design that they show, then by the measure's form."""

from dataclasses import replace

import numpy as np

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast._core.notes import Note
from heliast.estimates._estimate import estimate
from heliast.estimates._in_order import few_times, not_in_order
from heliast.estimates._record import Estimate
from heliast.estimates._registry import methods
from heliast.estimates.resampled._bootstraps import left_out_point
from heliast.estimates.resampled._by_row import by_row, rate_of, wilson_over_splits
from heliast.estimates.resampled._case import (
    Case,
    Refused,
    answer,
    by_group,
    loss_of,
    need_all_splits,
    of_one_split,
    point,
    resampled_methods,
    without,
)
from heliast.estimates.resampled._one_split import OPTIMISTIC, one_test_set
from heliast.measures.forms import Undefined

BY_GROUP = Note(
    "rows come in groups: the spread is that of groups, and splits keep groups whole", "groups"
)
OF_RESAMPLES = Note(
    "speaks of models trained on resamples, which hold about 63% of the rows: one trained on all "
    "rows does a little better; bootstrap_632_plus by name weighs that",
    "resamples",
)
BY_WEIGHT = Note("rows have sampling weights, which leave fewer effective rows", "weights")


def over_splits(case: Case, interval: str = "auto") -> Estimate:
    """The measure over several splits, by the named method; refusals become reasons.

    `auto`: Wilson with an effective number of rows for rates and F, the interval of one test set
    stretched for everything else; of the bootstrap around the left-out value.
    """
    check_level(case.level)
    try:
        if interval == "none":
            return _value(case)
        if case.parts.whole.meta.design == "time" and (why := not_in_order(interval)):
            return without(_value(case), why)
        if interval in ("auto", "long_run"):
            return _auto(case)
        if interval in resampled_methods():
            return answer(interval, case)
    except Refused as refusal:
        return without(_value(case), str(refusal))
    valid = ", ".join(resampled_methods())
    if interval not in methods():
        listed = ", ".join(methods())
        raise InputError(
            f"no interval method named {interval!r}; for several splits there are: auto, none, "
            f"{valid}; for one test set: {listed}"
        )
    return without(
        _value(case), f"{interval} is valid for one test set, not for several splits ({valid})"
    )


def over_one(case: Case, interval: str) -> Estimate:
    """One split by a method of this registry: most need several, and say so.

    Out-of-bag rows (role `full`, not seen) are always taken as such; rows that were trained on
    have no interval.
    """
    if interval == "auto" and case.parts.splits[0].role == "full":
        interval = "out_of_bag"
    several = f"{interval} needs several splits, here is 1"
    try:
        if of_one_split(interval):
            return answer(interval, case)
        one = one_test_set(case, case.parts)
        return one if interval == "auto" else without(one, several)
    except Refused as refusal:
        assert case.parts.single is not None
        bare = estimate(case.measure, case.parts.single, case.class_, case.level, "none")
        return without(bare, str(refusal))


def _value(case: Case) -> Estimate:
    """The value alone; of the bootstrap the left-out one, where the measure has row losses."""
    one = point(case)
    if case.design.kind != "bootstrap" or not np.isfinite(one.value):
        return one
    known = case.parts.whole.row is not None
    losses = loss_of(case.measure.form(case.parts.pooled, case.class_)) if known else None
    return one if losses is None else left_out_point(case)


def _auto(case: Case) -> Estimate:
    one = _value(case)
    if not np.isfinite(one.value):
        return one
    need_all_splits(case)
    reason, notes = _beforehand(case)
    if reason:
        return without(one, reason)
    forms = [case.form(*names) for names in case.parts.pools]
    defined = [form for form in forms if not isinstance(form, Undefined)]
    rates = case.design.kind != "in_order" and case.measure.over == "rows"
    rates = rates and all(rate_of(form) is not None for form in defined)
    found = wilson_over_splits(case, one) if rates else by_row(case, one)
    return replace(found, notes=tuple(dict.fromkeys((*found.notes, *notes))))


def _beforehand(case: Case) -> tuple[str, tuple[str, ...]]:
    """Why there can be no interval, and what to say if there is."""
    design, seen = case.design, case.parts.whole.in_train
    if seen is not None and seen.any():
        return OPTIMISTIC, ()
    if design.reason:
        return design.reason, ()
    if design.kind == "in_order":
        why = few_times(case.parts.pooled.rows, "an interval")
        return why, ()
    table = case.parts.whole
    said: tuple[str, ...] = (OF_RESAMPLES,) if design.kind == "bootstrap" else ()
    said += (BY_WEIGHT,) if table.meta.weight_kind == "sampling" else ()
    return "", said if table.group is None else (*said, BY_GROUP, *by_group(case))
