"""One number from a value per class: macro, weighted by class size, or micro."""

from typing import TYPE_CHECKING

import numpy as np

from heliast._core.derivative import MarginFunction
from heliast._core.kinds import Array
from heliast.measures.forms import (
    FIXED,
    Area,
    Blend,
    Curved,
    Form,
    Rate,
    Smooth,
    Statistic,
    TableForm,
    Undefined,
)
from heliast.measures.summaries import Cells, Contingency, Counted
from heliast.predictions import Rows

if TYPE_CHECKING:
    from heliast.measures._registry import Measure


def averaged(
    name: str, average: str, forms: list[Form], counted: Counted, measure: "Measure"
) -> Form:
    """The average of per-class forms; undefined if any class's is, never filled in with 0 or 1.

    A weighted average leaves out the classes that have no rows: they weigh nothing.
    """
    if average == "micro":
        return _micro(name, counted)
    table = counted.contingency
    if average == "weighted" and table.by_class and table.prevalence is None:
        return Undefined(FIXED)
    weights = _weights(average, counted)
    for form, weight in zip(forms, weights, strict=True):
        if isinstance(form, Undefined) and weight > 0:
            return form
    rates = [form for form in forms if isinstance(form, (Rate, Curved, Blend))]
    if average == "macro" and len(rates) == len(forms):
        return Blend.of(weights.tolist(), rates)
    used = [
        (float(weight), form) for weight, form in zip(weights, forms, strict=True) if weight > 0
    ]
    if all(isinstance(form, TableForm) for _, form in used):
        return _table_average(average, forms, table)
    return _statistic(average, used, counted, measure)


def _statistic(
    average: str, used: list[tuple[float, Form]], counted: Counted, measure: "Measure"
) -> Form:
    value = float(sum(weight * form.value for weight, form in used))

    def again(rows: Rows) -> float:
        return float(measure.form(Counted(rows)).value)

    mix = tuple((w, form) for w, form in used if isinstance(form, (Area, Statistic)))
    if average != "macro" or any(form.influence is None for _, form in mix):
        return Statistic(value, again, bounds=measure.bounds)

    def influence(rows: Rows) -> Array:
        parts = [w * form.influence(rows) for w, form in mix if form.influence is not None]
        return np.asarray(sum(parts))

    return Statistic(value, again, influence, bounds=measure.bounds, mix=mix)


def _weights(average: str, counted: Counted) -> Array:
    k = len(counted.classes)
    if average == "macro":
        return np.full(k, 1 / k)
    return counted.contingency.margins[1]


def _table_average(average: str, forms: list[Form], table: Contingency) -> Form:
    there = np.array([isinstance(form, TableForm) for form in forms])
    by_class = [form.of_class for form in forms if isinstance(form, TableForm)]

    def parts(hits: Array, actual: Array, decided: Array, total: Array) -> tuple[Array, Array]:
        margins = (np.moveaxis(part[..., there], -1, 0) for part in (hits, actual, decided))
        values = [
            of_class(*own, total[..., 0])
            for of_class, *own in zip(by_class, *margins, strict=True)
            if of_class is not None
        ]
        weight = actual[..., there] if average == "weighted" else np.ones_like(actual[..., there])
        known = np.where(weight.real > 0, np.stack(values, axis=-1), 0.0)
        return known * weight, weight

    return Smooth(MarginFunction(parts, lambda value, weight: value / weight), table)


def _micro(name: str, counted: Counted) -> Form:
    """Pooling TP, FP and FN over classes: with one label a row, each is the accuracy."""
    base = name.partition(".")[0]
    if base in ("precision", "recall", "f"):
        k = len(counted.classes)
        return Rate.of(counted.contingency, Cells.diagonal(k), Cells.every(k), "no rows")
    return Undefined(f"a micro average of {base} has no meaning with one label a row")
