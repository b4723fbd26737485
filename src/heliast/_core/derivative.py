"""Derivatives of functions of tables, exact to rounding, by a complex step."""

from collections.abc import Callable

import numpy as np

from heliast._core.kinds import Array

MarginFunction = Callable[[Array, Array, Array], Array]
"""Of the diagonal, the row sums and the column sums of tables, each (..., k), to values (...)."""

_STEP = 1e-30
_CELLS = 1 << 22
"""Most complex numbers held at a time (64 MB)."""
_FEW = 24
"""Classes up to which every cell is looked at."""
_CHECKED = 64
"""Cells that are looked at to see whether the margins and the diagonal are all that counts."""


def table_gradient(function: Callable[[Array], Array], table: Array) -> Array:
    """The derivative of `function` by each cell of a (k, k) table.

    f(x + ih) = f(x) + ih f'(x) + O(h^2) for a function without comparisons or absolute values, so
    the imaginary part over h is the derivative without any cancellation (Squire and Trapp 1998).
    The function takes arrays (..., k, k) and gives (...).

    >>> table_gradient(lambda t: t[..., 0, 0] / t.sum(axis=(-2, -1)), np.eye(2))
    array([[ 0.25, -0.25],
           [-0.25, -0.25]])
    """
    k = len(table)
    if k > _FEW:
        found = _by_margins(function, table)
        if found is not None:
            return found
    every = np.arange(table.size)
    return _cells(function, table, every).reshape(table.shape)


def margins(tables: Array) -> tuple[Array, Array, Array]:
    """Diagonals, row sums and column sums (..., k) of tables (..., k, k)."""
    return np.diagonal(tables, axis1=-2, axis2=-1), tables.sum(axis=-1), tables.sum(axis=-2)


def margin_gradient(function: MarginFunction, table: Array) -> Array:
    """The same for a function of the diagonal, the row sums and the column sums, each (..., k).

    By the chain rule: the derivative by its row sum, plus that by its column sum, plus on the
    diagonal that by the diagonal. So k^2 cells take no longer than three tables.

    >>> margin_gradient(lambda hits, rows, columns: hits.sum(-1) / rows.sum(-1), np.eye(2))
    array([[ 0. , -0.5],
           [-0.5,  0. ]])
    """
    k = len(table)
    given = [part[None].astype(np.complex128) for part in margins(table)]
    step = 1j * _STEP * np.eye(k)
    by = []
    for at in range(3):
        moved = [part + step if place == at else part for place, part in enumerate(given)]
        with np.errstate(divide="ignore", invalid="ignore"):
            by.append(np.broadcast_to(np.imag(function(*moved)) / _STEP, k))
    gradient: Array = by[1][:, None] + by[2]
    gradient[np.arange(k), np.arange(k)] += by[0]
    return gradient


def _cells(function: Callable[[Array], Array], table: Array, cells: Array) -> Array:
    """The derivative by some cells, given by their places in the flat table."""
    gradient = np.empty(cells.size)
    block = max(1, _CELLS // table.size)
    for start in range(0, cells.size, block):
        chosen = cells[start : start + block]
        moved = np.tile(table.astype(np.complex128).ravel(), (chosen.size, 1))
        moved[np.arange(chosen.size), chosen] += 1j * _STEP
        with np.errstate(divide="ignore", invalid="ignore"):
            values = function(moved.reshape(-1, *table.shape))
        gradient[start : start + block] = np.imag(values) / _STEP
    return gradient


def _by_margins(function: Callable[[Array], Array], table: Array) -> Array | None:
    """The gradient of a function of the margins and the diagonal, from 3k cells instead of k^2.

    Off the diagonal it is a_i + b_j, so one column, one row and two corners give all of it; cells
    spread over the table show whether that holds. None if it does not.
    """
    k = len(table)
    at = np.arange(k)
    diagonal = at * (k + 1)
    corners = np.array([2, 2 * k + 1])  # cells (0, 2) and (2, 1)
    spread = np.random.default_rng(k).integers(0, k * k, _CHECKED)
    asked = np.concatenate([at * k, k + at, diagonal, corners, spread])
    found = _cells(function, table, asked)
    column, row = found[:k].copy(), found[k : 2 * k].copy()  # (i, 0) and (1, j)
    column[0] = column[1] + found[3 * k] - row[2]
    row[1] = row[0] + found[3 * k + 1] - column[2]
    gradient: Array = column[:, None] + row - column[1]
    gradient[at, at] = found[2 * k : 3 * k]
    seen = found[3 * k + 2 :]
    close = 1e-9 * max(1.0, float(np.abs(found).max(initial=0.0)))
    return gradient if np.allclose(gradient.ravel()[spread], seen, 0, close, True) else None
