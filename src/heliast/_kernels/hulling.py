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
    # Put one more point on the chain; points that it leaves under the hull are taken off.
    while size > 1:
        a, b = size - 2, size - 1
        turn = (fp[b] - fp[a]) * (up - tp[a]) - (tp[b] - tp[a]) * (right - fp[a])
        if turn < 0:
            break
        size -= 1
    threshold[size], tp[size], fp[size] = value, up, right
    return size + 1


@kernel
def _hull_piece(pos: Any, neg: Any, above_p: Any, above_n: Any) -> Any:
    # Descending, from the rows above this piece: the chain of all its distinct scores.
    room = 64
    threshold, tp, fp = np.empty(room), np.empty(room), np.empty(room)
    i, j = pos.size - 1, neg.size - 1
    threshold[0], tp[0], fp[0] = np.inf, np.float64(above_p), np.float64(above_n)
    size = 1
    while i >= 0 or j >= 0:
        value = pos[i] if j < 0 or (i >= 0 and pos[i] >= neg[j]) else neg[j]
        while i >= 0 and pos[i] == value:
            i -= 1
        while j >= 0 and neg[j] == value:
            j -= 1
        # The curve rises on as long as only positives follow: no corner before it stops.
        if j >= 0 and i >= 0 and pos[i] > neg[j]:
            continue
        if size == room:
            room *= 2
            grown = np.empty((3, room))
            grown[0, :size], grown[1, :size], grown[2, :size] = threshold, tp, fp
            threshold, tp, fp = grown[0], grown[1], grown[2]
        up, right = np.float64(above_p + pos.size - 1 - i), np.float64(above_n + neg.size - 1 - j)
        size = _chain(threshold, tp, fp, size, value, up, right)
    return threshold[1:size].copy(), tp[1:size].copy(), fp[1:size].copy()


@kernel
def _join(threshold: Any, tp: Any, fp: Any) -> Any:
    size = 1
    for at in range(1, threshold.size):
        size = _chain(threshold, tp, fp, size, threshold[at], tp[at], fp[at])
    return size


def roc_hull(pos: npt.NDArray[Any], neg: npt.NDArray[Any]) -> Curve:
    """Corners of the upper convex hull of the ROC curve: thresholds descending from +inf, tp, fp.

    Takes ascending scores without weights (see `split_sorted`). Counts below 2^26 a class make
    every cross product exact in float64. The hull of the hulls of pieces is the hull of all.
    """
    pos, neg = floats(pos), floats(neg)

    def piece(a: int, b: int, c: int, d: int) -> tuple[Floats, Floats, Floats]:
        found: tuple[Floats, Floats, Floats] = _hull_piece(
            pos[a:b], neg[c:d], pos.size - b, neg.size - d
        )
        return found

    found = spread(piece, cuts(pos, neg))[::-1]
    start = (np.array([np.inf]), np.zeros(1), np.zeros(1))
    threshold, tp, fp = (np.concatenate(parts) for parts in zip(start, *found, strict=True))
    size = _join(threshold, tp, fp)
    return threshold[:size], tp[:size], fp[:size]
