"""Arrays that grow, copied by loops: assigning to a slice takes Numba seconds to compile."""

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def sized(values: Any, size: int) -> Any:
    """An array of that size with as many of the values as it holds."""
    found = np.empty(size, values.dtype)
    for i in range(min(size, values.size)):
        found[i] = values[i]
    return found


@kernel
def sized_rows(values: Any, size: int) -> Any:
    """The same with so many rows."""
    found = np.empty((size, values.shape[1]), values.dtype)
    for i in range(min(size, values.shape[0])):
        for j in range(values.shape[1]):
            found[i, j] = values[i, j]
    return found


@kernel
def sized_columns(values: Any, size: int) -> Any:
    """The same with so many columns."""
    found = np.empty((values.shape[0], size), values.dtype)
    for i in range(values.shape[0]):
        for j in range(min(size, values.shape[1])):
            found[i, j] = values[i, j]
    return found
