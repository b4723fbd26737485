"""Numbers to the numbers of their bins."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._jit import kernel
from .crew import pieces, spread

ROWS = 1 << 14
"""Rows of a piece: their inputs and bins stay in cache."""


@kernel
def _bin_of(value: float, upper: Any, first: int, last: int) -> int:
    """The number of borders in upper[first:last] that lie below the value."""
    low, size = first, last - first
    while size > 0:
        half = size >> 1
        if upper[low + half] < value:
            low += half + 1
            size -= half + 1
        else:
            size = half
    return low - first


@kernel
def _encode(
    X: Any, upper: Any, first: Any, missing: Any, exact: Any, column: Any, start: int, stop: int,
    codes: Any,
) -> None:  # fmt: skip
    for f in range(X.shape[1]):
        at, end, to = first[f], first[f + 1], column[f]
        for i in range(start, stop):
            value = X[i, f]
            if np.isnan(value):
                codes[i, to] = missing[f]
                continue
            bin_ = _bin_of(value, upper, at, end)
            # A nominal value that was never seen has a bin of its own, after the missing one.
            if exact[f] and (bin_ == end - at or upper[at + bin_] != value):
                bin_ = missing[f] + 1
            codes[i, to] = bin_


def encode(
    X: Floats,
    upper: Floats,
    first: Any,
    missing: Any,
    exact: Any,
    codes: npt.NDArray[Any],
    column: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """codes[i, f] = how many of the borders of column f lie below X[i, f]; NaN gets missing[f].

    In a column that is `exact`, a value that is no border gets missing[f] + 1. `codes` may be the
    transpose of an array that holds one column after the other. With `column` the codes of column
    f go to codes[i, column[f]].
    """
    column = np.arange(X.shape[1]) if column is None else column
    given = (X, upper, first, missing, exact, column)
    spread(_encode, [(*given, *ends, codes) for ends in pieces(X.shape[0], ROWS)])
    return codes
