"""From log densities to labels and probabilities, and whether rounding could change either."""

import math
from typing import Any

import numpy as np

from ._arrays import Counts, Floats
from ._jit import kernel
from .crew import pieces, spread

CLEAR = 40.0
"""A class whose log density is lower by this much has a probability below 1e-17."""
CLOSE = 2e-10
"""The largest error of a log density that still leaves every probability right to 1e-9."""
SAFETY = 4.0
"""The top two densities must differ by this many times their estimated errors."""


@kernel
def _decide(
    score: Any, borders: Any, limits: Any, first: int, last: int, label: Any, doubt: Any
) -> None:
    k = score.shape[1]
    for piece in range(first, last):
        still, root, slope, shift = limits[piece]
        for i in range(borders[piece], borders[piece + 1]):
            best, top, second = 0, score[i, 0], -np.inf
            nan = top != top
            for c in range(1, k):
                value = score[i, c]
                nan |= value != value
                best = c if value > top else best
                second = max(second, min(top, value))
                top = max(top, value)
            label[i] = best
            if nan or abs(top) == np.inf:
                doubt[piece] = True
                continue
            if second > -np.inf:
                size = 2.0 * (max(abs(top), abs(second)) + shift)
                error = still + root * math.sqrt(size) + slope * size
                gap = top - second
                if gap <= SAFETY * error or (gap < CLEAR and error > CLOSE):
                    doubt[piece] = True
            for c in range(k):
                score[i, c] -= top


@kernel
def _normalize(score: Any) -> None:
    for i in range(score.shape[0]):
        total = 0.0
        for c in range(score.shape[1]):
            total += score[i, c]
        total = 1.0 / total
        for c in range(score.shape[1]):
            score[i, c] *= total


def _part(
    score: Floats, borders: Counts, limits: Floats, first: int, last: int, label: Any, doubt: Any
) -> None:
    _decide(score, borders, limits, first, last, label, doubt)
    rows = score[borders[first] : borders[last]]
    # NumPy takes exponentials in SIMD lanes, compiled loops one by one.
    with np.errstate(all="ignore"):
        np.exp(rows, out=rows)
    _normalize(rows)


def decide(score: Floats, borders: Counts, limits: Floats) -> tuple[Counts, Any]:
    """Turn log densities into probabilities in place; return labels and doubtful pieces.

    Rows borders[p] .. borders[p+1] belong to piece p. A log density s is trusted to within
    a + b √t + c t, t = 2(|s| + h), with (a, b, c, h) = limits[p]. A piece is doubtful if in some
    row the top two are not further apart than that, or if the error could reach a probability.
    Equal scores go to the first class. A class without density (-inf) has probability 0.
    """
    count = borders.size - 1
    label = np.empty(len(score), np.int64)
    doubt = np.zeros(count, np.bool_)
    share = max(1, min(count, 20_000 * count // max(len(score), 1)))
    tasks = [(score, borders, limits, *ends, label, doubt) for ends in pieces(count, share)]
    spread(_part, tasks)
    return label, doubt
