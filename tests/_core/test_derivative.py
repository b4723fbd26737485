"""Gradients of functions of tables, against those known in closed form."""

import numpy as np

from heliast._core import derivative
from heliast._core.derivative import table_gradient


def test_squares_of_cells(monkeypatch) -> None:
    rng = np.random.default_rng(5)
    weights, table = rng.random((2, 9, 9))

    def function(tables):
        return (weights * tables**2).sum(axis=(-2, -1))

    whole = table_gradient(function, table)
    np.testing.assert_allclose(whole, 2 * weights * table, rtol=1e-12)
    monkeypatch.setattr(derivative, "MOST", 200)  # a few cells at a time
    np.testing.assert_array_equal(table_gradient(function, table), whole)


def test_a_share() -> None:
    table = np.array([[3.0, 1.0], [2.0, 4.0]])
    found = table_gradient(lambda t: np.trace(t, axis1=-2, axis2=-1) / t.sum((-2, -1)), table)
    np.testing.assert_allclose(found, (np.eye(2) - 0.7) / 10, rtol=1e-12)
