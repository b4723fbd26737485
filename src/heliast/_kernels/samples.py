"""Which rows a training sample leaves out, and which it holds."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Counts
from ._jit import kernel


@kernel
def _left_out_sorted(train: Any, n: int, out: Any) -> int:
    """The same for a sample in ascending order; -1 if it is not."""
    size, next_ = 0, 0
    for at in range(train.size):
        i = train[at]
        # More rows missing than there is room for: some row must come twice.
        if i < next_ or i >= n or size + i - next_ > out.size:
            return -1
        while next_ < i:
            out[size] = next_
            size += 1
            next_ += 1
        next_ += 1
    while next_ < n:
        out[size] = next_
        size += 1
        next_ += 1
    return size


@kernel
def _left_out(train: Any, seen: Any, out: Any) -> int:
    for at in range(train.size):
        i = train[at]
        if i < 0 or i >= seen.size or seen[i]:
            return -1
        seen[i] = True
    size = 0
    for i in range(seen.size):
        if not seen[i]:
            out[size] = i
            size += 1
    return size


@kernel
def _weighing(weight: Any, out: Any) -> None:
    """Rows that weigh more than nothing go to `out`, which has room for one more."""
    size = np.uintp(0)
    for i in range(weight.size):
        out[size] = i
        size += np.uintp(weight[i] > 0)


def weighing(weight: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Rows that weigh more than nothing, ascending; no list of long numbers is made on the way."""
    size = np.count_nonzero(weight > 0)
    if size == weight.size:
        return np.arange(size, dtype=np.int32)
    rows = np.empty(size + 1, np.int32)
    _weighing(weight, rows)
    return rows[:size]


def left_out(train: npt.NDArray[Any], n: int) -> Counts | None:
    """Rows 0 .. n-1 that are not in the sample, ascending.

    None if some row is in the sample twice, or if it is none of these.
    """
    if train.size > n:
        return None
    out = np.empty(n - train.size, np.int64)
    train = np.ascontiguousarray(train, np.int64)
    size = _left_out_sorted(train, n, out)
    if size < 0:
        size = _left_out(train, np.zeros(n, np.bool_), out)
    return None if size < 0 else out
