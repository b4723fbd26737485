"""The value of each split, made linear around the value of its repeat."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._losses import loss_of
from heliast.estimates.resampled._parts import Names
from heliast.measures.forms import Blend, Curved, Form, Rate, Smooth, Statistic, Undefined
from heliast.predictions import Rows

Array = npt.NDArray[Any]


def split_values(case: Case) -> Array:
    """What each split says of the measure; their mean over a repeat is the repeat's value.

    For a mean of row losses: the mean in the split. For a function of the counts of a repeat: the
    value of the repeat + the mean influence of the split's rows, which is defined even where a
    split lacks a class. For F: the same for Q = TP/(TP+FP+FN). Where rows are grouped and splits
    differ in size, each split counts by its size, as in a ratio estimate.
    """
    found = [_of_repeat(case, names) for names in case.parts.repeats]
    values = np.concatenate([values for values in found if values is not None])
    if not np.isfinite(values).all():
        raise Refused("the influence of a row is not finite here")
    return values


def _of_repeat(case: Case, names: Names) -> Array | None:
    form = case.form(*names)
    if isinstance(form, Undefined):
        return None
    if isinstance(form, Curved):
        form = form.rate
    sums, sizes = _influence_sums(case, names, form)
    scale = sizes.mean() if case.design.grouped else sizes
    values: Array = form.value + sums / scale
    return values


def _influence_sums(case: Case, names: Names, form: Form) -> tuple[Array, Array]:
    """Per split: the sum over its rows of their influence, and the sum of their weights."""
    if isinstance(form, (Rate, Blend, Smooth)):
        if form.table.by_class:
            return _direct(case, names, form.value)
        shares = form.table.shares
        psi = form.gradient
        psi = psi - np.nansum(shares * psi)
        counts = [case.parts.counted((name,)).contingency.counts for name in names]
        found = [float((psi * table)[table > 0].sum()) for table in counts]
        return np.array(found), np.array([table.sum() for table in counts])
    if case.parts.prevalences is not None:
        return _direct(case, names, form.value)
    table = case.parts.table(names)
    rows = case.parts.counted(names).rows
    psi = _row_influence(case, form, rows)
    code = np.zeros(rows.n, np.int64) if table.split_code is None else table.split_code
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    sums = np.bincount(code, weights=psi * weight, minlength=len(names))
    return sums, np.bincount(code, weights=weight, minlength=len(names))


def _row_influence(case: Case, form: Form, rows: Rows) -> Array:
    losses = loss_of(form)
    if losses is not None:
        away: Array = losses(rows) - form.value
        return away
    if isinstance(form, Statistic) and form.influence is not None:
        return form.influence(rows)
    raise Refused(
        f"the influence of a row on {case.measure.title} is not known, so neither is its spread"
    )


def _direct(case: Case, names: Names, value: float) -> tuple[Array, Array]:
    """The measure on each split by itself, where classes are weighed to given shares."""
    forms = [case.form(name) for name in names]
    undefined = [form for form in forms if isinstance(form, Undefined)]
    if undefined:
        raise Refused(f"undefined in {len(undefined)} splits: {undefined[0].reason}")
    sizes = np.array([float(len(case.parts.alone[name])) for name in names])
    return (np.array([form.value for form in forms]) - value) * sizes, sizes
