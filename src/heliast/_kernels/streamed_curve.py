"""The ROC curve of a stream of scores, highest first: the vertices that a picture needs, the hull.

What is held does not grow with the rows: points within a pixel of one kept are let go as they
come, and the hull of the hulls of pieces is the hull of all.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._curving import Curve, _thin
from ._jit import kernel
from .hulling import _hull_of
from .streaming import Batch, Tally, whole_scores

MOST = 1 << 14
"""Points held before those that no picture shows are let go."""
FEW, GRID = 4096, 2048
"""Points that all stay; pixels of a side of the picture."""


@kernel
def _ends(own: Any, score: Any, weight: Any, tp: Any, fp: Any, out: Any) -> Any:
    count = 0
    for at in range(score.size):
        w = 1.0 if weight is None else weight[at]
        if own[at]:
            tp += w
        else:
            fp += w
        if at + 1 == score.size or score[at + 1] != score[at]:
            out[0, count], out[1, count], out[2, count] = score[at], tp, fp
            count += 1
    return count


def stream_outline(
    batches: Iterable[Batch], totals: tuple[float, float]
) -> tuple[Curve, Curve, Curve]:
    """(vertices, corners of the upper hull, corners of the lower hull), each as `curve` gives them.

    A vertex left out lies within one pixel of one kept before it; up to FEW vertices all stay.
    """
    start = np.array([[np.inf], [0.0], [0.0]])
    kept, upper, lower = start, start, start
    seen, last = 1, start[1:, 0]
    for piece in whole_scores(batches):
        points = _points(piece, last)
        last = points[1:, -1]
        seen += points.shape[1]
        upper = _hull(np.concatenate([upper, points], axis=1), False)
        lower = _hull(np.concatenate([lower, points], axis=1), True)
        kept = np.concatenate([kept, points], axis=1)
        if kept.shape[1] > MOST:
            kept = _thinned(kept, totals)
    if seen > FEW:
        kept = _thinned(kept, totals)
    return _curve(kept), _curve(upper), _curve(lower)


def _curve(points: Floats) -> Curve:
    return points[0].copy(), points[1].copy(), points[2].copy()


def _points(piece: Batch | Tally, above: npt.NDArray[Any]) -> Floats:
    """The end of each run of equal scores: the score, and what lies at or above it."""
    if isinstance(piece, Tally):
        return np.array([[piece.score], [above[0] + piece.p], [above[1] + piece.n]])
    own, score, weight = piece
    out = np.empty((3, score.size))
    return out[:, : _ends(own, score, weight, above[0], above[1], out)]


def _thinned(points: Floats, totals: tuple[float, float]) -> Floats:
    scales = [GRID / total if total > 0 else 0.0 for total in totals]
    keep = np.empty(points.shape[1], np.int64)
    x, y = np.ascontiguousarray(points[2]), np.ascontiguousarray(points[1])
    count = _thin(x, y, scales[1], scales[0], keep)
    return points[:, keep[:count]]


def _hull(points: Floats, lower: bool) -> Floats:
    """The corners of the hull above the points, or below them."""
    if lower:  # seen with the axes exchanged, below is above
        points = points[[0, 2, 1]]
    found = np.array(_hull_of(*(line.copy() for line in points[:, ::-1])))[:, ::-1]
    return found[[0, 2, 1]] if lower else found
