"""MOVER for functions of two classes sampled each on its own, with given prevalences."""

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates._mover import combined
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import clipped
from heliast.estimates._wilson import wilson_limits
from heliast.measures.forms import Blend, Curved, Form, Rate, Smooth, TableForm
from heliast.measures.summaries import Cells, Contingency

Array = npt.NDArray[Any]

_TITLE = "MOVER over the classes' rates"


def of_two_classes(form: Form) -> bool:
    """Whether the form depends on both of two classes that were sampled each on its own.

    A blend of rates within one class each is left to plain MOVER, which is the same.
    """
    if not isinstance(form, (Rate, Curved, Blend, Smooth)):
        return False
    table = form.table
    apart = table.by_class and table.prevalence is not None and table.k == 2
    return apart and not _within_classes(form)


def _within_classes(form: TableForm) -> bool:
    if isinstance(form, Blend):
        return all(_within_classes(rate) for rate in form.rates)
    if isinstance(form, Curved):
        return form.rate.within_class
    return isinstance(form, Rate) and form.within_class


@interval("mover_classes", _TITLE, (Rate, Curved, Blend, Smooth))
def _mover_classes(case: Case) -> Limits:
    """Move one class's rate at a time to its Wilson limits; square and add what that changes.

    With r_c the share of class c labelled positive, low = est - sqrt(sum_c d_c^2), d_c = est less
    the value with r_c at its worse limit (and the product of both d by the correlation of r_0 and
    r_1, which groups can cause). For a linear function this is MOVER. It sees that a rate of 0
    may be larger, which matters when a small share is weighed up.
    """
    form = case.form
    assert isinstance(form, (Rate, Curved, Blend, Smooth))
    table = form.table
    if table.k != 2 or not table.by_class or table.prevalence is None:
        return Limits(reason="mover_classes is for two classes with given prevalences")
    rates = [_labelled(table, code) for code in (0, 1)]
    if any(not isinstance(rate, Rate) for rate in rates):
        return Limits(reason="a class has no rows")
    known = [rate for rate in rates if isinstance(rate, Rate)]
    values = np.array([rate.value for rate in known])
    ends = np.array([_ends(rate, case) for rate in known])
    moved = _moved(form, table.prevalence, values, ends)
    covariance = table.covariance([rate.influence for rate in known])
    # Signed as effects on the measure: a rate that lowers it enters with weight -1.
    sign = np.where(moved[:, 1] >= moved[:, 0], 1.0, -1.0)
    reach = np.sort(moved, axis=1)
    middle = np.full(2, form.value)
    outer = np.column_stack([np.minimum(reach[:, 0], middle), np.maximum(reach[:, 1], middle)])
    effects = covariance * np.outer(sign, sign)
    grouped = table.clusters is not None
    below, above = combined(np.ones(2), middle, outer, effects, grouped)
    low, high = clipped(form.value - below, form.value + above, case.measure.bounds)
    return Limits(low, high, _TITLE, _se(form, table))


def _ends(rate: Rate, case: Case) -> tuple[float, float]:
    return wilson_limits(rate.value, case.worth(rate.effective), case.level, rate.df)


def _labelled(table: Contingency, code: int) -> Form:
    return Rate.of(table, Cells.one(2, code, 1), Cells.row(2, code), "a class has no rows")


def _moved(form: TableForm, prevalence: Array, values: Array, ends: Array) -> Array:
    """The measure with one class's rate at one of its limits: (class, limit)."""
    out = np.empty((2, 2))
    for code in (0, 1):
        for side in (0, 1):
            rates = values.copy()
            rates[code] = ends[code, side]
            table = np.column_stack([1 - rates, rates]) * prevalence[:, None]
            with np.errstate(divide="ignore", invalid="ignore"):
                out[code, side] = form.function(table)
    return np.where(np.isnan(out), form.value, out)


def _se(form: TableForm, table: Contingency) -> float:
    found = table.variance(form.gradient)
    return sqrt(found) if found > 0 else 0.0
