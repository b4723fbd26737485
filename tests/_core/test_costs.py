"""Costs: the matrix, the cheapest decision and the threshold it implies."""

import numpy as np
import pytest

from heliast import InputError
from heliast._core.costs import cheapest, cost_matrix
from heliast.learners import threshold_of


@pytest.mark.parametrize(
    "cost",
    [[[0, 1], [9, 0]], [[0, 1], [1, 0]], [[0.5, 4], [7, 1]], [[1, 2], [7, 3]]],
)
def test_the_threshold_is_where_the_cheapest_decision_changes(cost: list[list[float]]) -> None:
    matrix = np.array(cost, float)
    threshold = threshold_of(matrix)
    p = np.linspace(0.001, 0.999, 997)
    decided = cheapest(np.column_stack([1 - p, p]), matrix)
    np.testing.assert_array_equal(decided == 1, p > threshold)


def test_no_threshold_where_errors_pay() -> None:
    for cost in ([[0.0, -1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]):
        with pytest.raises(InputError, match="must not cost less than the right decision"):
            threshold_of(cost)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ([["a", 1], [1, 0]], "expected 2 rows of 2 numbers"),
        ([[0, 1, 2], [1, 0, 2]], "got shape"),
        ([[0, np.inf], [1, 0]], "must be finite"),
        ({("a", "z"): 1}, "is not a pair"),
    ],
)
def test_bad_costs(cost: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        cost_matrix(cost, ("a", "b"))
