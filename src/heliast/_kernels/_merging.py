"""One linear merge of the sorted positives and negatives: all that AUC, AP and DeLong need.

The two arrays are cut at common values, so that equal scores never straddle a cut, and the pieces
are merged on all threads. Without weights every sum but average precision is exact: pieces count in
int64 from their own start, and the counts are put together in Python's integers.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, floats, weights
from ._jit import light_kernel
from .crew import PIECE, spread

STEP = PIECE // 2
"""Most rows of a class in a piece: int64 holds the squares of its doubled ranks (2**55)."""
LONG = 1024
"""A run of equal scores longer than this, met at a cut, becomes a piece of its own."""

Piece = tuple[int, int, int, int]
"""Start and stop among the positives, start and stop among the negatives."""


class MergeSums(NamedTuple):
    """Sums over one ranking; w are the weights (1 without), V the placements.

    A positive's placement is the share of negatives below it plus half of those equal; a
    negative's is the share of positives above it plus half of those equal; both average to AUC.
    """

    positive: float
    """Σ w of the positives."""
    negative: float
    """Σ w of the negatives."""
    positive2: float
    """Σ w² of the positives."""
    negative2: float
    """Σ w² of the negatives."""
    wins: float
    """Σ over pairs of w w' ([positive above] + ½ [equal]); AUC = wins / (positive negative)."""
    average_precision: float
    """Σ over distinct scores of (gain in recall) x (precision); NaN without positives."""
    square_positive: float
    """Σ w V² over the positives; NaN if a class is empty, as are the next three."""
    square_negative: float
    """Σ w V² over the negatives."""
    spread_positive: float
    """Σ w (V - AUC)² over the positives."""
    spread_negative: float
    """Σ w (V - AUC)² over the negatives."""


@light_kernel
def _merge_counts(pos: Any, neg: Any, tp: Any, fp: Any) -> Any:
    # Ascending, from this piece's start; tp and fp count the rows from there to the top.
    # Ranks are doubled, so that half a tie is an integer.
    m, k = pos.size, neg.size
    i = j = p1 = p2 = n1 = n2 = 0
    area = 0.0
    while i < m:
        value = pos[i]
        start = j
        while j < k and neg[j] < value:
            j += 1
        n1 += (j - start) * 2 * i
        n2 += (j - start) * 4 * i * i
        run = i + 1
        while run < m and pos[run] == value:
            run += 1
        tied = j
        while tied < k and neg[tied] == value:
            tied += 1
        below = j + tied
        p1 += (run - i) * below
        p2 += (run - i) * below * below
        n1 += (tied - j) * (i + run)
        n2 += (tied - j) * (i + run) * (i + run)
        area += (run - i) * (np.float64(tp - i) / np.float64(tp - i + fp - j))
        i, j = run, tied
    n1 += (k - j) * 2 * m
    n2 += (k - j) * 4 * m * m
    return p1, p2, n1, n2, area


@light_kernel
def _merge_weights(
    pos: Any, neg: Any, pos_w: Any, neg_w: Any, tp: Any, fp: Any, total_p: Any, total_n: Any
) -> Any:
    # Descending; tp and fp are the weights above this piece. Squares are taken about 0 and about
    # 1, so that the spread does not cancel where AUC is near 1.
    i, j = pos.size - 1, neg.size - 1
    wins = area = p2 = n2 = 0.0
    p_miss = p_miss2 = n_miss = n_miss2 = 0.0
    while i >= 0 or j >= 0:
        value = pos[i] if j < 0 or (i >= 0 and pos[i] >= neg[j]) else neg[j]
        p = n = 0.0
        while i >= 0 and pos[i] == value:
            p += pos_w[i]
            i -= 1
        while j >= 0 and neg[j] == value:
            n += neg_w[j]
            j -= 1
        above_n = fp + 0.5 * n
        above_p = tp + 0.5 * p
        beaten_n, beaten_p = total_n - above_n, total_p - above_p
        p2 += p * beaten_n * beaten_n
        p_miss += p * above_n
        p_miss2 += p * above_n * above_n
        wins += n * above_p
        n2 += n * above_p * above_p
        n_miss += n * beaten_p
        n_miss2 += n * beaten_p * beaten_p
        tp += p
        fp += n
        if p > 0:
            area += p * (tp / (tp + fp))
    return wins, area, p2, n2, p_miss, p_miss2, n_miss, n_miss2


def cuts(pos: Floats, neg: Floats) -> list[Piece]:
    """Pieces of at most STEP + LONG rows of each class, or of one value; ascending."""
    values = np.unique(np.concatenate([pos[STEP::STEP], neg[STEP::STEP]]))
    left = np.searchsorted(pos, values), np.searchsorted(neg, values)
    right = np.searchsorted(pos, values, "right"), np.searchsorted(neg, values, "right")
    long = (right[0] - left[0]) + (right[1] - left[1]) > LONG
    marks = {(0, 0), (pos.size, neg.size)}
    marks.update(zip(left[0].tolist(), left[1].tolist(), strict=True))
    marks.update(zip(right[0][long].tolist(), right[1][long].tolist(), strict=True))
    return [(a, c, b, d) for (a, b), (c, d) in pairwise(sorted(marks))]


def _merge_piece(pos: Floats, neg: Floats, piece: Piece) -> tuple[int, int, int, int, float]:
    a, b, c, d = piece
    tp, fp = pos.size - a, neg.size - c
    if max(b - a, d - c) > STEP + LONG:
        # One value: in closed form, because int64 could overflow.
        p, n = b - a, d - c
        return p * n, p * n**2, n * p, n * p**2, p * (tp / (tp + fp))
    p1, p2, n1, n2, area = _merge_counts(pos[a:b], neg[c:d], tp, fp)
    return int(p1), int(p2), int(n1), int(n2), float(area)


def _merge_exactly(pos: Floats, neg: Floats) -> MergeSums:
    p, n = pos.size, neg.size
    wins = p2 = n2 = 0
    area = 0.0
    parts = cuts(pos, neg)
    for (a, b, c, d), (s1, s2, t1, t2, part) in zip(
        parts, spread(lambda *piece: _merge_piece(pos, neg, piece), parts), strict=True
    ):
        # Doubled ranks counted from the piece's start become ranks counted from the bottom (for
        # positives) and from the top (for negatives).
        shift, turn = 2 * c, 2 * (p - a)
        wins += (b - a) * shift + s1
        p2 += (b - a) * shift**2 + 2 * shift * s1 + s2
        n2 += (d - c) * turn**2 - 2 * turn * t1 + t2
        area += part
    nan = float("nan")
    both = p > 0 and n > 0
    return MergeSums(
        positive=float(p),
        negative=float(n),
        positive2=float(p),
        negative2=float(n),
        wins=wins / 2,
        average_precision=area / p if p else nan,
        square_positive=p2 / (4 * n * n) if both else nan,
        square_negative=n2 / (4 * p * p) if both else nan,
        spread_positive=(p * p2 - wins * wins) / (4 * n * n * p) if both else nan,
        spread_negative=(n * n2 - wins * wins) / (4 * p * p * n) if both else nan,
    )


def _merge_weighted(pos: Floats, neg: Floats, pos_w: Floats, neg_w: Floats) -> MergeSums:
    pieces = cuts(pos, neg)[::-1]
    above_p = np.cumsum([0.0] + [pos_w[a:b].sum() for a, b, _, _ in pieces])
    above_n = np.cumsum([0.0] + [neg_w[c:d].sum() for _, _, c, d in pieces])
    p, n = float(above_p[-1]), float(above_n[-1])

    def work(number: int, a: int, b: int, c: int, d: int) -> tuple[float, ...]:
        at = above_p[number], above_n[number], p, n
        parts: tuple[float, ...] = _merge_weights(pos[a:b], neg[c:d], pos_w[a:b], neg_w[c:d], *at)
        return parts

    parts = spread(work, [(number, *piece) for number, piece in enumerate(pieces)])
    sums: list[float] = np.array(parts).reshape(-1, 8).sum(axis=0).tolist()
    wins, area, p2, n2, p_miss, p_miss2, n_miss, n_miss2 = sums
    nan = float("nan")
    both = p > 0 and n > 0
    auc = wins / (p * n) if both else nan

    def spread_of(square: float, miss: float, miss2: float, own: float, other: float) -> float:
        # About whichever end is nearer to AUC.
        if auc < 0.5:
            return max(0.0, square / other**2 - own * auc**2)
        return max(0.0, (miss2 - miss * miss / own) / other**2)

    return MergeSums(
        positive=p,
        negative=n,
        positive2=float((pos_w**2).sum()),
        negative2=float((neg_w**2).sum()),
        wins=wins,
        average_precision=area / p if p > 0 else nan,
        square_positive=p2 / n**2 if both else nan,
        square_negative=n2 / p**2 if both else nan,
        spread_positive=spread_of(p2, p_miss, p_miss2, p, n) if both else nan,
        spread_negative=spread_of(n2, n_miss, n_miss2, n, p) if both else nan,
    )


def merge(
    pos: npt.NDArray[Any],
    neg: npt.NDArray[Any],
    pos_w: npt.NDArray[Any] | None = None,
    neg_w: npt.NDArray[Any] | None = None,
) -> MergeSums:
    """The sums of the ranking of two ascending arrays of scores (see `split_sorted`).

    Give both weights or neither. Ties are exact.
    """
    pos, neg, pos_w, neg_w = floats(pos), floats(neg), weights(pos_w), weights(neg_w)
    if pos_w is None or neg_w is None:
        return _merge_exactly(pos, neg)
    return _merge_weighted(pos, neg, pos_w, neg_w)
