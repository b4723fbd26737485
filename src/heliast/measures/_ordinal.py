"""Measures of classes in an order: it counts how far a label is from the truth."""

from collections.abc import Sequence

import numpy as np

from heliast._core.derivative import CellFunction
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.measures._agreement import ONE_CLASS, agreement
from heliast.measures._cost import priced
from heliast.measures._registry import measure
from heliast.measures.forms import Form
from heliast.measures.summaries import Counted


def _steps(k: int) -> Array:
    """How many places apart any two of k classes are."""
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)


@measure("kappa_linear", better="high", bounds=(-1.0, 1.0), ordinal=True, panel=True)
def kappa_linear(counted: Counted) -> Form:
    """Agreement beyond chance where a miss counts by its distance in the order, Cohen 1968.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([1, 1, 2, 3], [1, 2, 2, 2], order=[1, 2, 3])
    >>> round(measures.get("kappa_linear").of(table), 4)
    0.3333
    """
    return agreement(counted.contingency, _weighted(len(counted.classes), 1), ONE_CLASS)


@measure("kappa_quadratic", better="high", bounds=(-1.0, 1.0), ordinal=True, panel=True)
def kappa_quadratic(counted: Counted) -> Form:
    """Agreement beyond chance where a miss counts by its squared distance, Cohen 1968."""
    return agreement(counted.contingency, _weighted(len(counted.classes), 2), ONE_CLASS)


def _weighted(k: int, power: int) -> CellFunction:
    """1 - distance seen / distance by chance, of k classes.

    The distance by chance is that of a random classifier with the same margins. The derivative is
    that of Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323-327.
    """
    far = _steps(k) ** power

    def parts(tables: Array) -> tuple[Array, Array, Array, Array]:
        """The rows, their distances added up, and those by chance by true class and by label."""
        by_truth = tables.sum(axis=-2) @ far
        by_label = tables.sum(axis=-1) @ far
        return tables.sum(axis=(-2, -1)), (tables * far).sum(axis=(-2, -1)), by_truth, by_label

    def value(tables: Array) -> Array:
        n, seen, by_truth, _ = parts(tables)
        kappa: Array = 1 - n * seen / (tables.sum(axis=-1) * by_truth).sum(axis=-1)
        return kappa

    def derivative(table: Array) -> Array:
        n, seen, by_truth, by_label = parts(table)
        chance = (table.sum(axis=-1) * by_truth).sum()
        moved = n * seen / chance * (by_truth[:, None] + by_label) - seen - n * far
        slopes: Array = moved / chance
        return slopes

    return CellFunction(value, derivative)


def _most_steps(classes: Sequence[Label]) -> tuple[float, float]:
    return 0.0, len(classes) - 1.0


@measure(
    "class_mae", better="low", bounds=(0.0, np.inf), within=_most_steps, ordinal=True, panel=True
)
def class_mae(counted: Counted) -> Form:
    """Mean absolute class error: how many places in the order a label is from the truth.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of(["low", "high"], ["low", "low"], order=["low", "mid", "high"])
    >>> measures.get("class_mae").of(table)
    1.0
    """
    return priced(counted.contingency, _steps(len(counted.classes)))
