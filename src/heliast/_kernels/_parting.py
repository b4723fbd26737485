"""What the kernels of trees share when a node is split."""

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def partition(rows: Any, idx: Any, start: int, stop: int, f: int, low: int, aside: Any) -> Any:
    """Put the rows whose bin is above `low` behind the others, in their order; where they begin."""
    to, kept = np.uintp(start), np.uintp(0)
    feature, last = np.uintp(f), np.uint8(low)
    for j in range(np.uintp(start), np.uintp(stop)):
        row = idx[j]
        right = np.uintp(rows[np.uintp(row), feature] > last)
        idx[to] = row
        aside[kept] = row
        kept += right
        to += np.uintp(1) - right
    for j in range(kept):
        idx[to + j] = aside[j]
    return np.int64(to)


@kernel
def next_state(state: Any, right: Any) -> Any:
    """The random state of a child: it depends on the way from the root and on nothing else."""
    step = np.uint64(1442695040888963407) + np.uint64(right) * np.uint64(0x9E3779B97F4A7C16)
    return state * np.uint64(6364136223846793005) + step
