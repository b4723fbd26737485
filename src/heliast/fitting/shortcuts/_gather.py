"""Rows of a table, gathered split by split into one buffer."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from heliast._kernels.crew import pieces, spread

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

TOGETHER = 8
"""Splits that share a buffer."""


def gather(
    table: Floats,
    positions: Sequence[Counts],
    work: Callable[[int, Floats, Floats], None],
    width: int = 0,
) -> None:
    """Call work(p, rows of the table at positions[p], scratch) for every p, on all threads.

    `scratch` has as many rows, and `width` columns. Memory for each split anew would cost more
    than the work: pages are zeroed before use.
    """

    def some(first: int, last: int) -> None:
        most = max(positions[p].size for p in range(first, last))
        buffer, scratch = np.empty((most, table.shape[1])), np.empty((most, width))
        for p in range(first, last):
            size = positions[p].size
            # "clip" writes straight into the buffer; positions were checked on entry.
            np.take(table, positions[p], axis=0, out=buffer[:size], mode="clip")
            work(p, buffer[:size], scratch[:size])

    spread(some, pieces(len(positions), TOGETHER))
