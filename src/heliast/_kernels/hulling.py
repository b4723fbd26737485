"""The convex hull of a ROC curve straight from the sorted scores, without building the curve."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats
from ._curving import Curve, outline
from ._jit import kernel
from ._merging import cuts
from .crew import spread

BLOCK = 16
"""Positives that are looked at together: most blocks lie under a coarse hull."""


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
def _reach(values: Any, value: Any, start: Any) -> Any:
    # The first place from start on whose value is not below: steps that double, then halves.
    step, low = 1, start
    while low + step <= values.size and values[low + step - 1] < value:
        low += step
        step *= 2
    high = min(low + step, values.size)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _under(line_y: Any, line_x: Any, at: Any, y: Any, x: Any) -> Any:
    x0, y0, x1, y1 = line_x[at - 1], line_y[at - 1], line_x[at], line_y[at]
    return (x0 - x1) * (y - y1) < (y0 - y1) * (x - x1)


@kernel
def _hull_piece(pos: Any, neg: Any, tp: Any, fp: Any, line_y: Any, line_x: Any) -> Any:
    # Ascending; tp and fp count the rows from this piece's start to the top. The line is a hull of
    # some points of the curve: what lies under it cannot be on the hull of all. A block of
    # positives whose upper left corner lies under it is passed over at once.
    room = 64
    chain = np.empty((3, room))
    size = j = 0
    near = far = 1
    for first in range(0, pos.size, BLOCK):
        stop = min(first + BLOCK, pos.size)
        end = _reach(neg, pos[stop - 1], j)
        x = np.float64(fp - end)
        while far < line_x.size - 1 and line_x[far] > x:
            far += 1
        if _under(line_y, line_x, far, np.float64(tp - first), x):
            j = end
            continue
        for i in range(first, stop):
            start = j
            while j < end and neg[j] < pos[i]:
                j += 1
            # A corner is at a positive with a negative right below: the curve rose, and goes right.
            if j == start and i > first:
                continue
            y, x = np.float64(tp - i), np.float64(fp - j)
            while near < line_x.size - 1 and line_x[near] > x:
                near += 1
            if _under(line_y, line_x, near, y, x):
                continue
            if size == room:
                room *= 2
                grown = np.empty((3, room))
                for c in range(size):  # a slice assignment would take seconds to compile
                    for line in range(3):
                        grown[line, c] = chain[line, c]
                chain = grown
            size = _chain(chain[0], chain[1], chain[2], size, pos[i], y, x)
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
    _, line_y, line_x = _hull_of(*(part[::-1].copy() for part in outline(pos, neg)))

    def piece(a: int, b: int, c: int, d: int) -> Floats:
        tp, fp = pos.size - a, neg.size - c
        # The part of the line that this piece can be under, with its first end.
        first = max(int(np.searchsorted(-line_x, -fp)) - 1, 0)
        part: Floats = _hull_piece(pos[a:b], neg[c:d], tp, fp, line_y[first:], line_x[first:])
        return part

    lowest = [[min(pos[0], neg[0])], [float(pos.size)], [float(neg.size)]]
    parts = [np.array(lowest), *spread(piece, cuts(pos, neg)), np.array([[np.inf], [0.0], [0.0]])]
    threshold, tp, fp = _hull_of(*np.concatenate(parts, axis=1))
    return threshold[::-1].copy(), tp[::-1].copy(), fp[::-1].copy()


def _hull_of(threshold: Floats, tp: Floats, fp: Floats) -> Curve:
    """The corners among points that go down and left, which are overwritten."""
    size = _join(threshold, tp, fp)
    return threshold[:size], tp[:size], fp[:size]
