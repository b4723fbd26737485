"""The F measure."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.measures._registry import measure
from heliast.measures.forms import Curved, Form, Rate, Smooth
from heliast.measures.summaries import Cells, Counted

Array = npt.NDArray[Any]


@measure("f", better="high", bounds=(0.0, 1.0), classwise=True, panel=True)
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
    return Smooth(lambda tables: _f_beta(tables, code, beta), table)


def _f_beta(tables: Array, code: int, beta: float) -> Array:
    hit = tables[..., code, code]
    actual, decided = tables[..., code, :].sum(axis=-1), tables[..., :, code].sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        value: Array = (1 + beta**2) * hit / (beta**2 * actual + decided)
    return value
