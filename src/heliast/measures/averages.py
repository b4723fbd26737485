"""One number from a value per class: macro, weighted by class size, or micro."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from heliast.measures.forms import Blend, Curved, Form, Rate, Smooth, Statistic, Undefined
from heliast.predictions import Rows
from heliast.summaries import Counted

if TYPE_CHECKING:
    from heliast.measures._registry import Measure

Array = npt.NDArray[Any]


def averaged(
    name: str, average: str, forms: list[Form], counted: Counted, measure: "Measure"
) -> Form:
    """The average of per-class forms; undefined if any class's is, never filled in with 0 or 1."""
    for form, class_ in zip(forms, counted.classes, strict=True):
        if isinstance(form, Undefined):
            return Undefined(f"class {class_!r}: {form.reason}")
    if average == "micro":
        return _micro(name, forms, counted)
    weights = _weights(average, counted)
    rates = [form for form in forms if isinstance(form, Rate)]
    if average == "macro" and len(rates) == len(forms) and independent(rates):
        return Blend(tuple(float(weight) for weight in weights), tuple(rates))
    if all(isinstance(form, (Rate, Curved, Smooth)) for form in forms):
        return _table_average(average, forms, counted)
    value = float(sum(w * form.value for w, form in zip(weights, forms, strict=True)))

    def again(rows: Rows) -> float:
        return float(measure.form(Counted(rows)).value)

    return Statistic(value, again, bounds=measure.bounds)


def _weights(average: str, counted: Counted) -> Array:
    k = len(counted.classes)
    if average == "macro":
        return np.full(k, 1 / k)
    shares: Array = counted.contingency.shares.sum(axis=1)
    return shares


def independent(rates: list[Rate]) -> bool:
    """Whether rates of different classes vary independently, given their trials.

    Rows are independent, so rates over different rows are too; groups tie rows of several classes
    together, and given prevalences tie rates that are not within one true class.
    """
    table = rates[0].table
    if table.clusters is not None:
        return False
    return not table.by_class or all(rate.within_class for rate in rates)


def _table_average(average: str, forms: list[Form], counted: Counted) -> Form:
    def function(tables: Array) -> Array:
        values = np.stack([form.function(tables) for form in forms], axis=-1)  # type: ignore[union-attr]
        if average == "macro":
            mean: Array = values.mean(axis=-1)
            return mean
        shares = tables.sum(axis=-1)
        weighted: Array = (values * shares).sum(axis=-1) / shares.sum(axis=-1)
        return weighted

    return Smooth(function, counted.contingency)


def _micro(name: str, forms: list[Form], counted: Counted) -> Form:
    """Pooling TP, FP and FN over classes: with one label a row, each is the accuracy."""
    base = name.partition(".")[0]
    if base in ("precision", "recall", "f"):
        k = len(counted.classes)
        everything = np.ones((k, k), bool)
        return Rate.of(counted.contingency, np.eye(k, dtype=bool), everything, "no rows")
    return Undefined(f"a micro average of {base} has no meaning with one label a row")
