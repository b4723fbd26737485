"""Derivatives of functions of tables, exact to rounding, by a complex step."""

from collections.abc import Callable

import numpy as np

from heliast._core.kinds import Array

STEP = 1e-30
MOST = 1 << 22  # complex numbers held at a time (64 MB)


def table_gradient(function: Callable[[Array], Array], table: Array) -> Array:
    """The derivative of `function` by each cell of a (k, k) table.

    f(x + ih) = f(x) + ih f'(x) + O(h^2) for a function without comparisons or absolute values, so
    the imaginary part over h is the derivative without any cancellation (Squire and Trapp 1998).
    The function takes arrays (..., k, k) and gives (...).

    >>> table_gradient(lambda t: t[..., 0, 0] / t.sum(axis=(-2, -1)), np.eye(2))
    array([[ 0.25, -0.25],
           [-0.25, -0.25]])
    """
    gradient = np.empty(table.size)
    block = max(1, MOST // table.size)
    for start in range(0, table.size, block):
        cells = np.arange(start, min(start + block, table.size))
        moved = np.tile(table.astype(np.complex128).ravel(), (cells.size, 1))
        moved[np.arange(cells.size), cells] += 1j * STEP
        with np.errstate(divide="ignore", invalid="ignore"):
            values = function(moved.reshape(-1, *table.shape))
        gradient[cells] = np.imag(values) / STEP
    return gradient.reshape(table.shape)
