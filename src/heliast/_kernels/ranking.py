"""Ranking rows by score: sums behind AUC and average precision, placements, curves, hulls.

Scores are sorted once, class by class. Where no positive lies between two negatives they are alike
for all that ranks measure, so that sums run over the cells of a ranking: for each distinct score of
the positives the negatives just above it, and the rows that have it.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .losses import Moments, join
from .threads import spread

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
# Thresholds descending from +inf, and the weights of positives and negatives at or above each.
Curve = tuple[Floats, Floats, Floats]
# Cells summed together, in the cache.
CELLS = 1 << 15
# Passes of `hull` over all points at once, each of which takes off about half of them.
HALVINGS = 8


class MergeSums(NamedTuple):
    """Sums over one ranking; w are the weights (1 without), V the placements.

    A positive's placement is the share of negatives below it plus half of those equal; a
    negative's is the share of positives above it plus half of those equal; both average to AUC.
    """

    positive: float  # Σ w of the positives
    negative: float  # Σ w of the negatives
    positive2: float  # Σ w² of the positives
    negative2: float  # Σ w² of the negatives
    wins: float  # Σ over pairs of w w' ([positive above] + ½ [equal]); AUC = wins / (P N)
    average_precision: float  # Σ over scores of (gain in recall) x precision; NaN if P = 0
    spread_positive: float  # Σ w (V - AUC)² over the positives; NaN if a class is empty
    spread_negative: float  # Σ w (V - AUC)² over the negatives; NaN if a class is empty


class StreamSums(NamedTuple):
    """What the measures of a ranking follow from, and what they vary by."""

    merge: MergeSums
    place2: tuple[float, float]  # Σ w² (V - AUC)² over the positives and over the negatives
    precision: tuple[float, float]  # Σ w ψ², Σ w² ψ²; ψ a row's influence on average precision


# --- sorting ---------------------------------------------------------------------------------


def split_sorted(
    truth: Array, score: Array, weight: Array | None = None
) -> tuple[Floats, Floats, Floats | None, Floats | None]:
    """Scores of the positives (truth 1) and of the negatives (truth 0), each ascending.

    Returns (positives, negatives, their weights or None).
    """
    positive, score = np.asarray(truth, np.bool_), np.asarray(score, np.float64)
    if weight is None:
        above, below = score[positive], score[~positive]
        above.sort()
        below.sort()
        return above, below, None, None
    index, weight = order(score), np.asarray(weight, np.float64)
    first, second = index[positive[index]], index[~positive[index]]
    return score[first], score[second], weight[first], weight[second]


def order(score: Array) -> npt.NDArray[np.int64]:
    """Rows by ascending score; equal scores in row order (a stable argsort)."""
    index = np.argsort(score)
    first = first_of_equals(score[index])
    if first.all():
        return index
    # NumPy's stable sort takes five times as long: only rows of equal score are put in order.
    run = np.cumsum(first) * index.size
    stable: npt.NDArray[np.int64] = np.sort(run + index) - run
    return stable


# --- sums over the cells of a ranking --------------------------------------------------------

# Highest first: Σ w of the positives and of the negatives in each cell, then Σ w² of either if
# there are weights.
Cells = tuple[Floats, ...]


def merge(
    pos: Array, neg: Array, pos_w: Array | None = None, neg_w: Array | None = None
) -> MergeSums:
    """The sums of the ranking of two ascending arrays of scores (see `split_sorted`).

    Give both weights or neither. Ties are exact.
    """
    totals = [
        float(values.size if weight is None else weight.sum())
        for values, weight in ((pos, pos_w), (neg, neg_w))
    ]
    return rank_sums(_cells(pos, neg, pos_w, neg_w), (totals[0], totals[1]), False).merge


def _cells(pos: Array, neg: Array, pos_w: Array | None, neg_w: Array | None) -> Iterator[Cells]:
    start = np.flatnonzero(first_of_equals(pos))
    score = pos[start]
    # From below: up to a score of the positives, through it, up to the next, ...
    neg_border = np.zeros(2 * start.size + 2, np.intp)
    neg_border[1:-1:2] = np.searchsorted(neg, score)
    neg_border[2:-1:2] = np.searchsorted(neg, score, "right")
    neg_border[-1] = neg.size
    border = np.repeat(np.append(start, pos.size), 2), neg_border
    for stop in range(neg_border.size, 1, -CELLS):
        piece = slice(max(stop - CELLS - 1, 0), stop)
        p_border, n_border = (at[piece] for at in border)
        if pos_w is None or neg_w is None:
            yield tuple(np.diff(at)[::-1].astype(np.float64) for at in (p_border, n_border))
        else:
            p, n = (w[at[0] : at[-1]] for w, at in ((pos_w, p_border), (neg_w, n_border)))
            columns = (p_border, p), (n_border, n), (p_border, p**2), (n_border, n**2)
            yield tuple(_sums_between(*column) for column in columns)


def first_of_equals(values: Array) -> npt.NDArray[np.bool_]:
    """Whether a value of a sorted array is the first of those equal to it."""
    first = np.ones(values.size, np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first


def _sums_between(border: Array, weight: Floats) -> Floats:
    """The sums from each border up to the next, the last first; weights start at the first."""
    sums = np.add.reduceat(np.append(weight, 0.0), border[:-1] - border[0])
    return np.where(np.diff(border) > 0, sums, 0.0)[::-1]


def rank_sums(
    pieces: Iterable[Cells], totals: tuple[float, float], influence: bool = True
) -> StreamSums:
    """All sums over a ranking whose cells come in pieces; `totals` are the weights of the classes.

    With T and D the weight of the class and of all at or above a score, a row of the class moves
    average precision by T/D - AP + B1 and another by -B2, where B1 and B2 sum p (D - T)/D² and
    p T/D² from that score down: the sums of all less those above. Without `influence` these are
    left out.
    """
    P, N = totals
    # Above the piece: weights, and what of B1 and B2 lies there.
    tp = fp = b1 = b2 = 0.0
    wins = area = 0.0
    plain = heavy = [Moments(0.0, 0.0, 0.0, 0.0, 0.0)] * 4
    for p, n, *squares in pieces:
        above_p, above_n = tp + np.cumsum(p), fp + np.cumsum(n)
        above = np.maximum(above_p + above_n, 5e-324)  # rows of weight 0 may be above all others
        share = above_p / above
        with np.errstate(invalid="ignore", divide="ignore"):
            figures = [(N - above_n + n / 2) / N, (above_p - p / 2) / P]
        if influence:
            gain, loss = p * (1 - share) / above, p * share / above
            gains, losses = b1 + np.cumsum(gain), b2 + np.cumsum(loss)
            figures += [share - gains + gain, losses - loss]
            b1, b2 = float(gains[-1]), float(losses[-1])
        plain = _joined(plain, figures, p, n)
        heavy = _joined(heavy, figures, *squares) if squares else plain
        wins += float((n * (above_p - p / 2)).sum())
        area += float((p * share).sum())
        tp, fp = float(above_p[-1]), float(above_n[-1])
    nan = float("nan")
    auc = wins / (P * N) if P > 0 and N > 0 else nan
    precision, scale = (area / P, ((P + N) / P) ** 2) if P > 0 else (nan, nan)
    centres = auc, auc, precision - b1, b2
    light, heavier = (
        [m.second + m.weight * (m.mean - c) ** 2 for m, c in zip(side, centres, strict=False)]
        for side in (plain, heavy)
    )
    sizes = P, N, heavy[0].weight, heavy[1].weight
    return StreamSums(
        MergeSums(*sizes, wins, precision, light[0], light[1]),
        (heavier[0], heavier[1]),
        (scale * sum(light[2:]), scale * sum(heavier[2:])),
    )


def _joined(before: list[Moments], figures: list[Floats], p: Floats, n: Floats) -> list[Moments]:
    """The moments of figures of positives and of negatives in turn, with those of other pieces."""
    joined = []
    for moments, figure, weight in zip(before, figures, (p, n, p, n), strict=False):
        total = float(weight.sum())
        mean = float((weight * figure).sum()) / (total or 1.0)
        far = figure - mean
        second = float((weight * far * far).sum())
        joined.append(join(moments, Moments(total, 0.0, mean, second, 0.0)))
    return joined


def class_merges(truth: Array, scores: Array, weight: Array | None = None) -> list[MergeSums]:
    """For each class c, `merge` of the scores in column c: rows of class c against all others."""

    def one_against_rest(code: int) -> MergeSums:
        return merge(*split_sorted(truth == code, scores[:, code], weight))

    return spread(one_against_rest, [(code,) for code in range(scores.shape[1])])


def delong_variance(sums: MergeSums, sampling: bool = False) -> tuple[float, float]:
    """(AUC, its variance): S10 / P + S01 / N, S10 = Σ w (V - AUC)² / (P - 1) over the positives.

    P and N are the classes' weights; with `sampling` weights each class counts (Σ w)² / Σ w² rows
    instead. NaN if a class is empty; the variance also if a class has one row.
    """
    p, n = sums.positive, sums.negative
    if p <= 0 or n <= 0:
        return float("nan"), float("nan")
    auc = sums.wins / (p * n)
    rows_p, rows_n = (p * p / sums.positive2, n * n / sums.negative2) if sampling else (p, n)
    if rows_p <= 1 or rows_n <= 1:
        return auc, float("nan")
    return auc, sums.spread_positive / p / (rows_p - 1) + sums.spread_negative / n / (rows_n - 1)


def placements(truth: Array, score: Array, weight: Array | None = None) -> Floats:
    """Each row's placement, in row order; NaN if the other class is empty.

    For a positive the share of negatives below it, for a negative the share of positives above it,
    half of those equal included. The mean over either class is AUC.
    """
    index = np.argsort(score)
    own = np.asarray(truth, np.bool_)[index]
    mass = np.ones(own.size) if weight is None else np.asarray(weight, np.float64)[index]
    start = np.flatnonzero(first_of_equals(score[index]))
    size = np.diff(np.append(start, own.size))
    p, n = (np.add.reduceat(mass * side, start) for side in (own, ~own))
    with np.errstate(invalid="ignore", divide="ignore"):
        below = (np.cumsum(n) - n / 2) / n.sum()
        above = (np.cumsum(p[::-1])[::-1] - p / 2) / p.sum()
    placed = np.empty(own.size)
    placed[index] = np.where(own, np.repeat(below, size), np.repeat(above, size))
    return placed


# --- curves ----------------------------------------------------------------------------------


def curve(pos: Array, neg: Array, pos_w: Array | None = None, neg_w: Array | None = None) -> Curve:
    """True and false positives at every distinct score: tp(t) = Σ w [positive, score >= t].

    Takes ascending arrays (see `split_sorted`), both weights or neither. Thresholds descend and
    start with +inf, where both are 0.
    """
    return _curve_at(np.unique(np.concatenate([pos, neg])), (pos, pos_w), (neg, neg_w))


def _curve_at(score: Floats, *classes: tuple[Array, Array | None]) -> Curve:
    """The curve at some ascending scores."""
    lines = []
    for values, weight in classes:
        rows = values.size - np.searchsorted(values, score[::-1])
        if weight is not None:
            rows = np.append(0.0, np.cumsum(weight[::-1]))[rows]
        lines.append(np.append(0.0, rows))
    return np.append(np.inf, score[::-1]), lines[0], lines[1]


def outline(pos: Array, neg: Array, grid: int = 2048) -> Curve:
    """Vertices of `curve` enough for a picture of grid x grid pixels, without building the curve.

    Reads the sorted scores only at about 2 grid shares of the rows of each class: a vertex left
    out lies within one pixel of the ROC polyline.
    """
    share = np.arange(grid) / grid
    some = [values[(share * values.size).astype(np.intp)] for values in (pos, neg) if values.size]
    return _curve_at(np.unique(np.concatenate([*some, np.empty(0)])), (pos, None), (neg, None))


def thin(x: Array, y: Array, grid: int = 2048) -> npt.NDArray[np.int64]:
    """Indices of the vertices that a picture of grid x grid pixels can show.

    A vertex is dropped if it lies within one pixel of the vertex kept before it; the first and the
    last stay. Axes are scaled to their range. A monotone curve keeps at most 2 grid + 2 vertices.
    """
    keep: list[int] = []
    if x.size:
        widths = np.ptp(x), np.ptp(y)
        px, py = (
            at * (grid / width if width > 0 else 0.0)
            for at, width in zip((x, y), widths, strict=True)
        )
        kept_x = kept_y = np.inf
        for at, (here_x, here_y) in enumerate(zip(px.tolist(), py.tolist(), strict=True)):
            if (here_x - kept_x) ** 2 + (here_y - kept_y) ** 2 > 1.0 or at == x.size - 1:
                keep.append(at)
                kept_x, kept_y = here_x, here_y
    return np.array(keep, np.int64)


def roc_hull(pos: Array, neg: Array) -> Curve:
    """Corners of the upper convex hull of the ROC curve: thresholds descending from +inf, tp, fp.

    Takes ascending scores without weights (see `split_sorted`), rows of both classes.
    """
    lowest = min(pos[0], neg[0])
    score = pos[first_of_equals(pos)]  # the curve turns to the right only at positives
    score = score if score[0] == lowest else np.append(lowest, score)
    points = _curve_at(score, (pos, None), (neg, None))
    corner = hull(points[2], points[1])
    return points[0][corner], points[1][corner], points[2][corner]


def hull(fp: Floats, tp: Floats) -> npt.NDArray[np.int64]:
    """Positions of the corners of the upper convex hull of a rising curve.

    One pass, which takes off what each next point leaves under the hull (Andrew 1979). Of equal
    points the first is taken. Counts below 2^26 a class make every cross product exact.

    >>> hull(np.array([0.0, 1, 1, 2]), np.array([0.0, 0, 3, 3]))
    array([0, 2, 3])
    """
    place = np.flatnonzero(np.append(True, (np.diff(tp) > 0) | (np.diff(fp) > 0)))
    if place.size < 3:
        return place
    for _ in range(HALVINGS):
        x, y = fp[place], tp[place]
        before, here, after = ((x[i : x.size - 2 + i], y[i : y.size - 2 + i]) for i in range(3))
        place = place[np.concatenate([[True], _turn(before, here, after) < 0, [True]])]
    corner: list[tuple[float, float, int]] = []
    for point in zip(fp[place].tolist(), tp[place].tolist(), place.tolist(), strict=True):
        while len(corner) > 1 and _turn(corner[-2], corner[-1], point) >= 0:
            corner.pop()
        corner.append(point)
    return np.array([at for _, _, at in corner], np.int64)


def _turn(a: Any, b: Any, c: Any) -> Any:
    """Positive if the way a, b, c turns left: then b lies under the hull."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
