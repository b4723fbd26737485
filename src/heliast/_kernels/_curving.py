"""Curves of counts over the threshold: whole, thinned, or drawn straight from sorted scores."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats, weights
from ._jit import light_kernel

Curve = tuple[Floats, Floats, Floats]
"""Thresholds descending from +inf, and the weights of positives and negatives at or above each."""


@light_kernel
def _walk(
    pos: Any, neg: Any, pos_w: Any, neg_w: Any, threshold: Any, positive: Any, negative: Any
) -> Any:
    i, j = pos.size - 1, neg.size - 1
    tp = fp = 0.0
    count = 1
    threshold[0], positive[0], negative[0] = np.inf, 0.0, 0.0
    while i >= 0 or j >= 0:
        value = pos[i] if j < 0 or (i >= 0 and pos[i] >= neg[j]) else neg[j]
        while i >= 0 and pos[i] == value:
            tp += 1.0 if pos_w is None else pos_w[i]
            i -= 1
        while j >= 0 and neg[j] == value:
            fp += 1.0 if neg_w is None else neg_w[j]
            j -= 1
        threshold[count], positive[count], negative[count] = value, tp, fp
        count += 1
    return count


def curve(
    pos: npt.NDArray[Any],
    neg: npt.NDArray[Any],
    pos_w: npt.NDArray[Any] | None = None,
    neg_w: npt.NDArray[Any] | None = None,
) -> Curve:
    """True and false positives at every distinct score: tp(t) = Σ w [positive, score >= t].

    Takes ascending arrays (see `split_sorted`), both weights or neither. Thresholds descend and
    start with +inf, where both are 0. Float64 throughout; counts are exact.
    """
    pos, neg, pos_w, neg_w = floats(pos), floats(neg), weights(pos_w), weights(neg_w)
    # Untouched memory costs nothing, so room for no ties at all may be asked for and not used.
    threshold, positive, negative = (np.empty(pos.size + neg.size + 1) for _ in range(3))
    count = _walk(pos, neg, pos_w, neg_w, threshold, positive, negative)
    return threshold[:count], positive[:count], negative[:count]


@light_kernel
def _thin(x: Any, y: Any, x_scale: Any, y_scale: Any, keep: Any) -> Any:
    count = 1
    keep[0] = 0
    kept_x, kept_y = x[0], y[0]
    for i in range(1, x.size):
        dx = (x[i] - kept_x) * x_scale
        dy = (y[i] - kept_y) * y_scale
        if dx * dx + dy * dy > 1.0 or i == x.size - 1:
            keep[count] = i
            count += 1
            kept_x, kept_y = x[i], y[i]
    return count


def thin(x: npt.NDArray[Any], y: npt.NDArray[Any], grid: int = 2048) -> npt.NDArray[np.int64]:
    """Indices of the vertices that a picture of grid x grid pixels can show.

    A vertex is dropped if it lies within one pixel of the vertex kept before it; the first and the
    last stay. Axes are scaled to their range. A monotone curve keeps at most 2 grid + 2 vertices.
    """
    x, y = floats(x), floats(y)
    if x.size == 0:
        return np.zeros(0, np.int64)
    width, height = np.ptp(x), np.ptp(y)
    x_scale = grid / width if width > 0 else 0.0
    y_scale = grid / height if height > 0 else 0.0
    keep = np.empty(x.size, np.int64)
    return keep[: _thin(x, y, x_scale, y_scale, keep)].copy()


def outline(pos: npt.NDArray[Any], neg: npt.NDArray[Any], grid: int = 2048) -> Curve:
    """Vertices of `curve` enough for a picture of grid x grid pixels, without building the curve.

    Reads the sorted scores only at about 2 grid shares of the rows of each class: a vertex left
    out lies within one pixel of the ROC polyline.
    """
    pos, neg = floats(pos), floats(neg)
    share = np.arange(grid) / grid
    found = [values[(share * values.size).astype(np.int64)] for values in (pos, neg) if values.size]
    scores = np.unique(np.concatenate([*found, np.empty(0)]))
    threshold = np.concatenate([[np.inf], scores[::-1]])
    tp, fp = (
        (values.size - np.searchsorted(values, threshold)).astype(np.float64)
        for values in (pos, neg)
    )
    tp[0] = fp[0] = 0.0
    return threshold, tp, fp
