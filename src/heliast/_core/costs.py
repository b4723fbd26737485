"""Costs of decisions: a checked matrix, and the cheapest decision."""

from collections.abc import Mapping, Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label

Costs = ArrayLike | Mapping[tuple[Label, Label], float]
"""A matrix, rows = true class and columns = label, or costs by (true class, label)."""


def cost_matrix(cost: object, classes: Sequence[Label]) -> Array:
    """Costs with rows = true class and columns = label, in the order of the classes.

    Takes a matrix, or a mapping {(true class, label): cost} whose absent entries cost 0.

    >>> cost_matrix({("sick", "well"): 10, ("well", "sick"): 1}, ("sick", "well"))
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    k = len(classes)
    if isinstance(cost, Mapping):
        matrix = np.zeros((k, k))
        for key, value in cost.items():
            if not (isinstance(key, tuple) and len(key) == 2) or any(c not in classes for c in key):
                raise InputError(
                    f"cost: {key!r} is not a pair (true class, label) of the classes "
                    f"{', '.join(map(repr, classes))}"
                )
            matrix[classes.index(key[0]), classes.index(key[1])] = float(value)
    else:
        try:
            matrix = np.asarray(cost, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"cost: expected {k} rows of {k} numbers, rows = true class; got {cost!r}"
            ) from None
    if matrix.shape != (k, k):
        raise InputError(
            f"cost: expected {k} x {k} numbers, rows = true class, columns = label, in the order "
            f"{', '.join(map(str, classes))}; got shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise InputError("cost: costs must be finite numbers")
    return matrix


def cheapest(probabilities: Array, cost: Array) -> Array:
    """The label with the least expected cost in each row; ties go to the first class.

    >>> cheapest(np.array([[0.2, 0.8]]), np.array([[0.0, 10.0], [1.0, 0.0]]))
    array([0])
    """
    chosen: Array = (probabilities @ cost).argmin(axis=1)
    return chosen


def cost_threshold(cost: Array, positive: int) -> float | None:
    """The probability of the positive class of two from which on answering it costs less.

    What a false alarm costs more than a right answer, divided by that and what a miss costs more;
    None where one of them costs no more than a right answer.

    >>> cost_threshold(np.array([[0.0, 1.0], [40.0, 0.0]]), 1)
    0.024390243902439025
    """
    other = 1 - positive
    alarm = float(cost[other, positive] - cost[other, other])
    miss = float(cost[positive, other] - cost[positive, positive])
    return alarm / (alarm + miss) if min(alarm, miss) > 0 else None
