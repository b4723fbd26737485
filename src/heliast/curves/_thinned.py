"""Which vertices a curve keeps: all that a picture of 2048 x 2048 pixels can show."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._kernels.ranking import thin

Array = npt.NDArray[Any]
GRID = 2048
FEW = 4096
"""A curve with no more vertices than this is kept whole."""


def kept(x: Array, y: Array, thinning: bool, always: Array | None = None) -> Array:
    """Positions of the vertices to keep; one left out lies within a pixel of one kept before it.

    >>> kept(np.linspace(0, 1, 10), np.linspace(0, 1, 10), True).size
    10
    """
    if not thinning or x.size <= FEW:
        return np.arange(x.size)
    grid = GRID
    found = thin(x, y, grid)
    # Only a curve that goes up and down, such as precision, can need more than 2 grid + 2.
    while found.size > 4 * FEW:
        grid //= 2
        found = thin(x, y, grid)
    return found if always is None else np.union1d(found, always)
