"""Gradients of functions of large tables: the short way equals the long one, or is not taken."""

from typing import Any

import numpy as np
import pytest

from heliast._core.derivative import (
    _FEW,
    MarginFunction,
    _by_margins,
    _cells,
    margins,
    table_gradient,
)
from heliast.measures._agreement import _KAPPA, _MCC

K = _FEW + 6


MACRO_F = MarginFunction(
    lambda hits, actual, decided, _: (2 * hits / (actual + decided) / K,), lambda total: total
)
MEAN_SPECIFICITY = MarginFunction(
    lambda hits, actual, decided, n: ((n - actual - decided + hits) / (n - actual) / K,),
    lambda total: total,
)


def tables() -> list[Any]:
    rng = np.random.default_rng(3)
    full = rng.random((K, K)) + np.eye(K) * 4
    sparse = np.where(rng.random((K, K)) < 0.05, full, 0.0) + np.eye(K)
    return [full / full.sum(), sparse / sparse.sum()]


@pytest.mark.parametrize("function", [_KAPPA, _MCC, MACRO_F, MEAN_SPECIFICITY])
@pytest.mark.parametrize("table", tables(), ids=["full", "sparse"])
def test_margins_and_diagonal_give_every_cell(function: Any, table: Any) -> None:
    def on_tables(tables: Any) -> Any:
        return function(*margins(tables))

    long = _cells(on_tables, table, np.arange(K * K)).reshape(K, K)
    assert _by_margins(on_tables, table) is not None
    np.testing.assert_allclose(table_gradient(on_tables, table), long, rtol=1e-10, atol=1e-10)
    slopes, (rows, columns) = function.slopes(*margins(table)), np.indices((K, K))
    np.testing.assert_allclose(slopes.at(rows, columns), long, rtol=1e-10, atol=1e-10)
    away = slopes.at(rows, columns) - 0.1
    np.testing.assert_allclose(slopes.row_sums, (away + 0.1).sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(
        slopes.row_squares(np.full(K, 0.1)), (away**2).sum(axis=1), rtol=1e-9
    )


def test_a_function_of_single_cells_goes_the_long_way() -> None:
    weights = np.random.default_rng(5).random((K, K))

    def function(tables: Any) -> Any:
        return (weights * tables**2).sum(axis=(-2, -1))

    table = tables()[0]
    assert _by_margins(function, table) is None
    np.testing.assert_allclose(table_gradient(function, table), 2 * weights * table, rtol=1e-12)
