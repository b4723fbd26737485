"""Numbers to the numbers of their bins."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._njit import njit
from .threads import pieces, spread

VALUES = 1 << 16  # values of a piece: its columns and bins stay in the cache


@njit
def encode_rows(X: Any, upper: Any, first: Any, exact: Any, codes: Any) -> None:
    for f in range(X.shape[1]):
        borders = upper[first[f] : first[f + 1]]
        for i in range(X.shape[0]):
            value = X[i, f]
            low, size = 0, borders.size
            while size > 0:
                half = size >> 1
                if borders[low + half] < value:
                    low += half + 1
                    size -= half + 1
                else:
                    size = half
            if value != value:
                low = borders.size
            elif exact[f] and (low == borders.size or borders[low] != value):
                low = borders.size + 1
            codes[i, f] = low


def encode(
    X: npt.NDArray[Any],
    upper: npt.NDArray[Any],
    first: npt.NDArray[Any],
    exact: npt.NDArray[Any],
    codes: npt.NDArray[Any],
) -> npt.NDArray[Any]:
    """codes[i, f] = how many of the borders upper[first[f]:first[f + 1]] lie below X[i, f].

    A missing value gets the number of borders; a value of an `exact` feature that is none of them
    one more.
    """
    X = np.ascontiguousarray(X, np.float64)
    size = max(VALUES // max(X.shape[1], 1), 1)
    spread(lambda a, b: encode_rows(X[a:b], upper, first, exact, codes[a:b]), pieces(len(X), size))
    return codes
