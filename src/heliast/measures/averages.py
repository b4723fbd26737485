"""One number from a value per class: macro, weighted by class size, or micro."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.kinds import Array
from heliast.measures.forms import (
    ALL,
    FIXED,
    Area,
    Blend,
    Cells,
    Curved,
    Derivative,
    Form,
    Rate,
    Smooth,
    Statistic,
    TableForm,
    Undefined,
)
from heliast.measures.summaries import Contingency, Counted
from heliast.measures.summaries.contingency import Margins
from heliast.predictions import Rows

if TYPE_CHECKING:
    from heliast.measures.registry import Measure


def averaged(measure: "Measure", forms: list[Form], counted: Counted) -> Form:
    """The average of per-class forms; undefined if any class's is, never filled in with 0 or 1.

    A weighted average leaves out the classes that have no rows: they weigh nothing.
    """
    base, average = measure.name.partition(".")[0], measure.average or "macro"
    if average == "micro":
        # Pooling TP, FP and FN over classes: with one label a row, each is the accuracy.
        if base in ("precision", "recall", "f1", "fbeta"):
            return Rate.of(counted.contingency, Cells(hit=1.0), ALL, "no rows")
        return Undefined(f"a micro average of {base} has no meaning with one label a row")
    k = len(counted.classes)
    weights = np.full(k, 1 / k)
    if average == "weighted":
        table = counted.contingency
        if table.by_class and table.prevalence is None:
            return Undefined(FIXED)
        weights = table.margins.actual / table.margins.total
    used = [(float(w), code, forms[code]) for code, w in enumerate(weights) if w > 0]
    for _, _, form in used:
        if isinstance(form, Undefined):
            return form
    rates = [form for form in forms if isinstance(form, (Rate, Curved, Blend))]
    if average == "macro" and len(rates) == k:
        return Blend.of(weights.tolist(), rates)
    tables = [(code, form) for _, code, form in used if isinstance(form, TableForm)]
    if len(tables) == len(used):
        rule = partial(_of_margins, tables, average)
        return Smooth(counted.contingency, rule, partial(_derive, tables, average))
    return _of_scores(measure, average, used, counted)


def _of_margins(forms: list[tuple[int, TableForm]], average: str, margins: Margins) -> Array:
    """The average of forms by class; a class that a replicate holds no rows of weighs nothing."""
    total: Array = np.zeros(np.shape(margins.total))
    weights: Array = np.zeros(np.shape(margins.total))
    for code, form in forms:
        weight = margins.actual[..., code] if average == "weighted" else np.ones_like(total)
        total = total + np.where(weight > 0, weight * form.rule(margins), 0.0)
        weights = weights + weight
    return total / weights


def _derive(
    forms: list[tuple[int, TableForm]], average: str, table: Contingency, value: float
) -> Derivative:
    weighted = average == "weighted"
    shares = table.margins.actual / table.margins.total if weighted else np.ones(table.k) / table.k

    def derivative(rows: Array, columns: Array) -> Array:
        total = np.zeros(rows.shape)
        for code, form in forms:
            total += shares[code] * form.at(rows, columns)
            total += (form.value - value) * (rows == code) * weighted
        return total

    return derivative


def _of_scores(
    measure: "Measure", average: str, used: list[tuple[float, int, Form]], counted: Counted
) -> Form:
    """The average of areas, or of other statistics of scores."""
    value = float(sum(weight * form.value for weight, _, form in used))

    def again(rows: Rows) -> float:
        return float(measure.form(Counted(rows)).value)

    parts = [(w, code, f) for w, code, f in used if isinstance(f, (Area, Statistic))]
    if any(form.psi is None for _, _, form in parts):
        return Statistic(value, again, bounds=measure.bounds)

    def psi(rows: Rows) -> Array:
        total = np.zeros(rows.n)
        for weight, code, form in parts:
            assert form.psi is not None
            total += weight * form.psi(rows)
            if average == "weighted":
                total += (form.value - value) * (rows.y_true == code)
        return total

    mix = tuple((weight, form) for weight, _, form in parts) if average == "macro" else ()
    return Statistic(value, again, psi, bounds=measure.bounds, mix=mix)
