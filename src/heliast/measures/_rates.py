"""Rates: error and accuracy, precision, recall and their kin of one class, and F."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from heliast._core.derivative import MarginFunction
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.measures._registry import get, measure
from heliast.measures.averages import averaged
from heliast.measures.forms import Blend, Curved, Form, Rate, Smooth
from heliast.measures.summaries import Cells, Counted

_NO_ROW = "there is no row of class {class_}"
_NO_OTHER = "there is no row outside class {class_}"
_NEVER = "class {class_} is never predicted"
_ALWAYS = "class {class_} is always predicted"


@measure("error", better="low", panel=True, percent=True)
def error(counted: Counted) -> Form:
    """Share of rows whose label is wrong.

    >>> from heliast import Predictions, measures
    >>> measures.get("error").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.25
    """
    k = len(counted.classes)
    return Rate.of(counted.contingency, Cells.diagonal(k).others, Cells.every(k), "no rows")


@measure("accuracy", better="high", panel=True, percent=True)
def accuracy(counted: Counted) -> Form:
    """Share of rows whose label is right: 1 - error.

    >>> from heliast import Predictions, measures
    >>> measures.get("accuracy").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.75
    """
    k = len(counted.classes)
    return Rate.of(counted.contingency, Cells.diagonal(k), Cells.every(k), "no rows")


def _rate(
    counted: Counted,
    code: int,
    hit: Literal["TP", "FN", "FP", "TN"],
    base: Literal["actual", "other", "decided", "undecided"],
    reason: str,
) -> Form:
    """One cell of the class's two-by-two table, out of one of its margins."""
    k = len(counted.classes)
    actual, decided = Cells.row(k, code), Cells.column(k, code)
    cells = {
        "TP": lambda: Cells.one(k, code, code),
        "FN": lambda: Cells.missed(k, code),
        "FP": lambda: Cells.taken(k, code),
        "TN": lambda: Cells.cross(k, code).others,
    }
    margins = {
        "actual": actual, "other": actual.others, "decided": decided, "undecided": decided.others,
    }  # fmt: skip
    return Rate.of(counted.contingency, cells[hit](), margins[base], reason)


@measure("precision", better="high", classwise=True, panel=True)
def precision(counted: Counted, code: int) -> Form:
    """Share of the rows labelled as a class that are of it: TP / (TP + FP).

    Undefined when the class is never predicted.

    >>> from heliast import Predictions, measures
    >>> measures.get("precision").of(Predictions.of([1, 0, 1], [1, 1, 0]))
    0.5
    """
    return _rate(counted, code, "TP", "decided", _NEVER)


@measure("recall", better="high", classwise=True, panel=True)
def recall(counted: Counted, code: int) -> Form:
    """Share of a class's rows that are labelled so (sensitivity, coverage): TP / (TP + FN).

    Undefined when the class has no rows.
    """
    return _rate(counted, code, "TP", "actual", _NO_ROW)


@measure("specificity", better="high", classwise=True, panel=True)
def specificity(counted: Counted, code: int) -> Form:
    """Share of the other classes' rows that are not labelled as this class: TN / (TN + FP)."""
    return _rate(counted, code, "TN", "other", _NO_OTHER)


@measure("fpr", better="low", classwise=True)
def fpr(counted: Counted, code: int) -> Form:
    """False positive rate: FP / (FP + TN) = 1 - specificity."""
    return _rate(counted, code, "FP", "other", _NO_OTHER)


@measure("fnr", better="low", classwise=True)
def fnr(counted: Counted, code: int) -> Form:
    """False negative rate: FN / (TP + FN) = 1 - recall."""
    return _rate(counted, code, "FN", "actual", _NO_ROW)


@measure("npv", better="high", classwise=True)
def npv(counted: Counted, code: int) -> Form:
    """Negative predictive value, the precision of 'not this class': TN / (TN + FN)."""
    return _rate(counted, code, "TN", "undecided", _ALWAYS)


@measure("balanced_accuracy", better="high", panel=True, percent=True)
def balanced_accuracy(counted: Counted) -> Form:
    """Mean over classes of the recall: the accuracy if all classes were equally frequent.

    Undefined when a class has no rows.
    """
    found = get("recall")
    forms = [found.form(counted, class_) for class_ in counted.classes]
    return averaged("recall", "macro", forms, counted, get("recall.macro"))


@measure("informedness", better="high", bounds=(-1.0, 1.0), classwise=True)
def informedness(counted: Counted, code: int) -> Form:
    """Youden's J: recall + specificity - 1, the height of the ROC point above the diagonal."""
    parts = [recall(counted, code), specificity(counted, code)]
    rates = [part for part in parts if isinstance(part, (Rate, Blend))]
    if len(rates) < 2:
        return next(part for part in parts if not isinstance(part, (Rate, Blend)))
    return Blend.of((1.0, 1.0), rates, constant=-1.0)


@measure("f", better="high", classwise=True, panel=True)
def f(counted: Counted, code: int, beta: float = 1.0) -> Form:
    """Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN); beta weighs recall.

    F = 2Q / (1 + Q) with Q = TP / (TP + FP + FN), which is binomial given its denominator, so F
    has the exactness of a rate. Undefined when the class neither occurs nor is predicted.

    >>> from heliast import Predictions, measures
    >>> round(measures.get("f").of(Predictions.of([1, 0, 1], [1, 1, 0])), 3)
    0.5
    """
    if not 0 < beta < np.inf:
        raise InputError(f"f: beta={beta} must be a number greater than 0")
    k = len(counted.classes)
    hits, base = Cells.one(k, code, code), Cells.cross(k, code)
    table = counted.contingency
    rate = Rate.of(table, hits, base, "class {class_} neither occurs nor is predicted")
    if not isinstance(rate, Rate):
        return rate
    if beta == 1.0:
        return Curved(rate, lambda q: 2 * q / (1 + q))
    own = np.arange(k) == code
    function = MarginFunction(
        lambda hits, actual, decided, _: (own * hits, own * actual, own * decided), _f_beta(beta)
    )
    return Smooth(function, table, of_class=lambda h, a, d, _: _f_beta(beta)(h, a, d))


def _f_beta(beta: float) -> Callable[[Array, Array, Array], Array]:
    def value(hits: Array, actual: Array, decided: Array) -> Array:
        found: Array = (1 + beta**2) * hits / (beta**2 * actual + decided)
        return found

    return value
