"""Curves of counts over the threshold: whole, thinned, or drawn straight from sorted scores."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats, weights
from ._jit import kernel

Curve = tuple[Floats, Floats, Floats]
"""Thresholds descending from +inf, and the weights of positives and negatives at or above each."""


@kernel
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


@kernel
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


def _sums_below(values: Floats, weight: Floats | None) -> Floats | None:
    """Σ w of the values before each, ascending, and of all: None stands for plain counts."""
    return None if weight is None else np.concatenate([[0.0], np.cumsum(weight)])


def _at_shares(values: Floats, below: Floats | None, share: Floats) -> Floats:
    """The values at these shares (0 <= share < 1) of the weight, from the bottom."""
    if below is None:
        at = (share * values.size).astype(np.int64)
    else:
        at = np.searchsorted(below, share * below[-1], "right") - 1
    return values[np.minimum(at, values.size - 1)]


def _at_or_above(values: Floats, below: Floats | None, threshold: Floats) -> Floats:
    at = np.searchsorted(values, threshold)
    if below is None:
        return (values.size - at).astype(np.float64)
    sums: Floats = below[-1] - below[at]
    return sums


def _from_top(values: Floats, grid: int) -> Floats:
    """The highest values one by one, then ever sparser: ranks grow by 1 / grid of themselves."""
    if values.size == 0:
        return values
    steps = int(np.log(max(1.0, values.size / grid)) * grid) + 1
    sparse = grid * np.exp(np.arange(steps) / grid)
    rank = np.concatenate([np.arange(grid), sparse.astype(np.int64)])
    top: Floats = values[values.size - 1 - rank[rank < values.size]]
    return top


def outline(
    pos: npt.NDArray[Any],
    neg: npt.NDArray[Any],
    pos_w: npt.NDArray[Any] | None = None,
    neg_w: npt.NDArray[Any] | None = None,
    grid: int = 2048,
    precision: bool = False,
) -> Curve:
    """Vertices of `curve` enough for a picture of grid x grid pixels, without building the curve.

    Reads the sorted scores only at about 2 grid shares of the weight of each class: a vertex left
    out lies within one pixel of the ROC polyline. With `precision` also densely from the top, then
    thinned in the plane of recall and precision: within two pixels of that polyline.
    """
    pos, neg, pos_w, neg_w = floats(pos), floats(neg), weights(pos_w), weights(neg_w)
    below_p, below_n = _sums_below(pos, pos_w), _sums_below(neg, neg_w)
    share = np.arange(grid) / grid
    found = [_at_shares(v, b, share) for v, b in ((pos, below_p), (neg, below_n)) if v.size]
    if precision:
        found += [_from_top(pos, grid), _from_top(neg, grid)]
    # The lowest score of all is at share 0 of its class unless its weight is 0.
    found += [pos[:1], neg[:1]]
    threshold = np.concatenate([[np.inf], np.unique(np.concatenate(found))[::-1]])
    tp = _at_or_above(pos, below_p, threshold)
    fp = _at_or_above(neg, below_n, threshold)
    tp[0] = fp[0] = 0.0
    if precision:
        keep = thin(tp, tp / np.maximum(tp + fp, np.finfo(float).tiny), grid)
        threshold, tp, fp = threshold[keep], tp[keep], fp[keep]
    return threshold, tp, fp
