"""Gradients of functions of large tables: the short way equals the long one, or is not taken."""

from typing import Any

import numpy as np
import pytest

from heliast._core.derivative import _FEW, _by_margins, _cells, table_gradient
from heliast.measures._agreement import _kappa, _mcc

K = _FEW + 6


def macro_f(tables: Any) -> Any:
    hits = np.diagonal(tables, axis1=-2, axis2=-1)
    return (2 * hits / (tables.sum(axis=-1) + tables.sum(axis=-2))).mean(axis=-1)


def tables() -> list[Any]:
    rng = np.random.default_rng(3)
    full = rng.random((K, K)) + np.eye(K) * 4
    sparse = np.where(rng.random((K, K)) < 0.05, full, 0.0) + np.eye(K)
    return [full / full.sum(), sparse / sparse.sum()]


@pytest.mark.parametrize("function", [_kappa, _mcc, macro_f])
@pytest.mark.parametrize("table", tables(), ids=["full", "sparse"])
def test_margins_and_diagonal_give_every_cell(function: Any, table: Any) -> None:
    long = _cells(function, table, np.arange(K * K)).reshape(K, K)
    assert _by_margins(function, table) is not None
    np.testing.assert_allclose(table_gradient(function, table), long, rtol=1e-10, atol=1e-10)


def test_a_function_of_single_cells_goes_the_long_way() -> None:
    weights = np.random.default_rng(5).random((K, K))

    def function(tables: Any) -> Any:
        return (weights * tables**2).sum(axis=(-2, -1))

    table = tables()[0]
    assert _by_margins(function, table) is None
    np.testing.assert_allclose(table_gradient(function, table), 2 * weights * table, rtol=1e-12)
