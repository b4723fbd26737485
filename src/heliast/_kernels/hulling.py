"""The convex hull of a ROC curve straight from the sorted scores, without building the curve."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats
from ._curving import Curve
from ._jit import kernel, spread
from ._merging import cuts


@kernel
def _chain(threshold: Any, tp: Any, fp: Any, size: Any, value: Any, up: Any, right: Any) -> Any:
    # Put one more point on a chain that goes down and left; what it leaves under it is taken off.
    while size > 1:
        a, b = size - 2, size - 1
        if (fp[b] - fp[a]) * (up - tp[a]) > (tp[b] - tp[a]) * (right - fp[a]):
            break
        size -= 1
    threshold[size], tp[size], fp[size] = value, up, right
    return size + 1


@kernel
def _hull_piece(pos: Any, neg: Any, tp: Any, fp: Any) -> Any:
    # Ascending; tp and fp count the rows from this piece's start to the top. The curve has a corner
    # only at a positive with a negative right below it: there it has risen and will go right.
    room = 64
    chain = np.empty((3, room))
    size = j = 0
    for i in range(pos.size):
        value = pos[i]
        start = j
        while j < neg.size and neg[j] < value:
            j += 1
        if j == start and i > 0:
            continue
        if size == room:
            room *= 2
            grown = np.empty((3, room))
            for at in range(size):  # a slice assignment would take seconds to compile
                for line in range(3):
                    grown[line, at] = chain[line, at]
            chain = grown
        size = _chain(
            chain[0], chain[1], chain[2], size, value, np.float64(tp - i), np.float64(fp - j)
        )
    return chain[:, :size].copy()


@kernel
def _join(threshold: Any, tp: Any, fp: Any) -> Any:
    size = 1
    for at in range(1, threshold.size):
        size = _chain(threshold, tp, fp, size, threshold[at], tp[at], fp[at])
    return size


def roc_hull(pos: npt.NDArray[Any], neg: npt.NDArray[Any]) -> Curve:
    """Corners of the upper convex hull of the ROC curve: thresholds descending from +inf, tp, fp.

    Takes ascending scores without weights (see `split_sorted`), rows of both classes. Counts below
    2^26 a class make every cross product exact in float64. The hull of the hulls of pieces is the
    hull of all.
    """
    pos, neg = floats(pos), floats(neg)

    def piece(a: int, b: int, c: int, d: int) -> Floats:
        found: Floats = _hull_piece(pos[a:b], neg[c:d], pos.size - a, neg.size - c)
        return found

    lowest = [[min(pos[0], neg[0])], [float(pos.size)], [float(neg.size)]]
    parts = [np.array(lowest), *spread(piece, cuts(pos, neg)), np.array([[np.inf], [0.0], [0.0]])]
    threshold, tp, fp = np.concatenate(parts, axis=1)
    size = _join(threshold, tp, fp)
    return threshold[:size][::-1].copy(), tp[:size][::-1].copy(), fp[:size][::-1].copy()
