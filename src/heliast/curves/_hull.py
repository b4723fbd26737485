"""The convex hull of a ROC curve: the points that are best for some costs."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def hull(fp: Array, tp: Array) -> Array:
    """Positions of the corners of the upper convex hull of a rising curve from (0, 0).

    The slopes of the hull are the isotonic regression of the outcome on the order of the scores
    (Fawcett and Niculescu-Mizil 2007), so pooling adjacent violators finds it in one pass.

    >>> hull(np.array([0.0, 1, 1, 2]), np.array([0.0, 0, 3, 3]))
    array([0, 2, 3])
    """
    from scipy.optimize import isotonic_regression

    corner = _corners(fp, tp)
    hits, misses = np.diff(tp[corner]), np.diff(fp[corner])
    weight = hits + misses
    blocks = isotonic_regression(hits / weight, weights=weight, increasing=False).blocks
    return _bent(corner[blocks], fp, tp)


def _corners(fp: Array, tp: Array) -> Array:
    """Only where the curve rose before and goes right after can the hull touch it."""
    up, right = tp[1:] > tp[:-1], fp[1:] > fp[:-1]
    moved = up | right
    if not moved.all():
        # Rows without weight repeat a point: the first of equal points is taken.
        place = np.concatenate([[0], np.flatnonzero(moved) + 1])
        corner: Array = place[_corners(fp[place], tp[place])]
        return corner
    bent = np.concatenate([[True], up[:-1] & right[1:], [True]])
    return np.flatnonzero(bent)


def _bent(places: Array, fp: Array, tp: Array) -> Array:
    """Without the places where the hull goes straight on, which rounding may have left in."""
    out: list[int] = []
    for place in places.tolist():
        while len(out) > 1 and _turn(out[-2], out[-1], place, fp, tp) >= 0:
            out.pop()
        out.append(place)
    return np.array(out, np.int64)


def _turn(a: int, b: int, c: int, fp: Array, tp: Array) -> float:
    """Positive if the way a, b, c turns left: then b lies under the hull."""
    return float((fp[b] - fp[a]) * (tp[c] - tp[a]) - (tp[b] - tp[a]) * (fp[c] - fp[a]))
