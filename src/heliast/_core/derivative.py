"""Derivatives of functions of tables, exact to rounding, by a complex step."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_STEP = 1e-30
_CELLS = 1 << 22
"""Most complex numbers held at a time (64 MB)."""


def table_gradient(function: Callable[[Array], Array], table: Array) -> Array:
    """The derivative of `function` by each cell of a (k, k) table.

    f(x + ih) = f(x) + ih f'(x) + O(h^2) for a function without comparisons or absolute values, so
    the imaginary part over h is the derivative without any cancellation (Squire and Trapp 1998).
    The function takes arrays (..., k, k) and gives (...).

    >>> table_gradient(lambda t: t[..., 0, 0] / t.sum(axis=(-2, -1)), np.eye(2))
    array([[ 0.25, -0.25],
           [-0.25, -0.25]])
    """
    cells = table.size
    gradient = np.empty(cells)
    block = max(1, _CELLS // cells)
    for start in range(0, cells, block):
        stop = min(start + block, cells)
        moved = np.tile(table.astype(np.complex128).ravel(), (stop - start, 1))
        moved[np.arange(stop - start), np.arange(start, stop)] += 1j * _STEP
        with np.errstate(divide="ignore", invalid="ignore"):
            values = function(moved.reshape(-1, *table.shape))
        gradient[start:stop] = np.imag(values) / _STEP
    return gradient.reshape(table.shape)
