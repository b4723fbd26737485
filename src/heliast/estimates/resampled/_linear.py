"""A measure over splits made linear: what each test adds, and what each split says."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates._spread import row_influence
from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._parts import Names
from heliast.measures.forms import Curved, Form, Undefined
from heliast.predictions import Rows

Array = npt.NDArray[Any]


def influences(case: Case, fixed: bool = False) -> Array | None:
    """The first-order influence of every test on the value of its repeat (or split), mean zero.

    In the order of the rows of `parts.whole`; NaN where the value is undefined. None where the
    influence of a row is not known, or classes are weighed to given shares; with `fixed`, those
    of such shares too: what a row adds within its class.
    """
    parts = case.parts
    found = np.full(len(parts.whole), np.nan)
    code = _split_code(case)
    pieces = [(name,) for name in parts.alone] if case.measure.over == "splits" else parts.pools
    place = {name: at for at, name in enumerate(parts.whole.splits.names)}
    for names in pieces:
        form = case.form(*names)
        if isinstance(form, Undefined):
            continue
        psi = (row_influence if fixed else _influence)(form, parts.counted(names).rows)
        if psi is None:
            return None
        found[np.isin(code, [place[name] for name in names])] = psi
    return found


def _influence(form: Form, rows: Rows) -> Array | None:
    """None, too, where class counts were fixed: classes are then weighed to given shares."""
    return None if rows.design == "classes" else row_influence(form, rows)


def split_values(case: Case, rates: bool = False) -> Array:
    """What each split says of the measure; their mean over a repeat is the repeat's value.

    For a mean of row losses: the mean in the split. For a function of the counts of a repeat: the
    value of the repeat + the mean influence of the split's rows, which is defined even where a
    split lacks a class. With `rates`, for F the same of Q = TP/(TP+FP+FN). Where rows are grouped
    and splits differ in size, each split counts by its size, as in a ratio estimate.
    """
    found = [_of_repeat(case, names, rates) for names in case.parts.pools]
    values = np.concatenate([values for values in found if values is not None])
    if not np.isfinite(values).all():
        raise Refused("the influence of a row is not finite here")
    return values


def _of_repeat(case: Case, names: Names, rates: bool) -> Array | None:
    form = case.form(*names)
    if isinstance(form, Undefined):
        return None
    if rates and isinstance(form, Curved):
        form = form.rate
    sums, sizes = _influence_sums(case, names, form)
    scale = sizes.mean() if case.design.grouped else sizes
    values: Array = form.value + sums / scale
    return values


def _influence_sums(case: Case, names: Names, form: Form) -> tuple[Array, Array]:
    """Per split: the sum over its rows of their influence, and the sum of their weights."""
    table, rows = case.parts.table(names), case.parts.counted(names).rows
    psi = _influence(form, rows)
    if psi is None and rows.design == "classes":
        return _direct(case, names, form.value)
    if psi is None:
        raise Refused(
            f"the influence of a row on {case.measure.title} is not known, so neither is its spread"
        )
    code = np.zeros(rows.n, np.int64) if table.split_code is None else table.split_code
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    sums = np.bincount(code, weights=psi * weight, minlength=len(names))
    return sums, np.bincount(code, weights=weight, minlength=len(names))


def _direct(case: Case, names: Names, value: float) -> tuple[Array, Array]:
    """The measure on each split by itself, where classes are weighed to given shares."""
    forms = [case.form(name) for name in names]
    undefined = [form for form in forms if isinstance(form, Undefined)]
    if undefined:
        raise Refused(f"undefined in {len(undefined)} splits: {undefined[0].reason}")
    sizes = np.array([float(len(case.parts.alone[name])) for name in names])
    return (np.array([form.value for form in forms]) - value) * sizes, sizes


def _split_code(case: Case) -> Array:
    code = case.parts.whole.split_code
    return np.zeros(len(case.parts.whole), np.int64) if code is None else np.asarray(code)
