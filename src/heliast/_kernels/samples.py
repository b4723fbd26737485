"""Which rows a training sample leaves out."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Counts
from ._jit import kernel


@kernel
def _left_out(train: Any, seen: Any, out: Any) -> int:
    for at in range(train.size):
        i = train[at]
        if seen[i]:
            return -1
        seen[i] = True
    size = 0
    for i in range(seen.size):
        if not seen[i]:
            out[size] = i
            size += 1
    return size


def left_out(train: npt.NDArray[Any], n: int) -> Counts | None:
    """Rows 0 .. n-1 that are not in the sample, ascending; None if some row is in it twice."""
    if train.size > n:
        return None
    out = np.empty(n - train.size, np.int64)
    size = _left_out(np.ascontiguousarray(train, np.int64), np.zeros(n, np.bool_), out)
    return None if size < 0 else out
