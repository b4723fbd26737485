"""The ranking of every class against the rest, from one matrix of scores."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, codes, floats, weights
from ._jit import light_kernel
from ._merging import MergeSums, merge
from ._sorting import split_sorted
from .crew import pieces, spread

TOGETHER = 16
"""Columns dealt at a time: few reads of the matrix, without a second copy of all of it."""


@light_kernel
def _count(truth: Any, count: Any) -> None:
    for i in range(truth.size):
        count[truth[i]] += 1


@light_kernel
def _split_columns(
    truth: Any, score: Any, first: Any, positive: Any, negative: Any, out: Any
) -> None:
    # out[c] receives column first + c: its positives from positive[c] on, its negatives from
    # negative[c] on (both are used up as counters). Column by column over a few rows at a time, so
    # that rows are read from cache and columns written in order.
    n = truth.size
    for start in range(0, n, 64):
        stop = min(start + 64, n)
        for c in range(out.shape[0]):
            own = first + c
            p, q = positive[c], negative[c]
            for i in range(start, stop):
                if truth[i] != own:
                    out[c, q] = score[i, own]
                    q += 1
                else:
                    out[c, p] = score[i, own]
                    p += 1
            positive[c], negative[c] = p, q


def _columns(
    truth: npt.NDArray[Any], scores: Floats, first: int, before: Any, room: Floats
) -> list[MergeSums]:
    """The merges of the columns first .. first + TOGETHER - 1; `before[piece, c]` counts rows."""
    n, k = scores.shape
    some = slice(first, min(first + TOGETHER, k))
    out = room[: some.stop - first]
    size = before[-1, some]

    def split(number: int, a: int, b: int) -> None:
        positive = before[number, some].copy()
        negative = size + a - positive
        _split_columns(truth[a:b], scores[a:b], first, positive, negative, out)

    def column(values: Floats, p: int) -> MergeSums:
        values[:p].sort()
        values[p:].sort()
        return merge(values[:p], values[p:])

    spread(split, [(number, *cut) for number, cut in enumerate(pieces(n, 1 << 16))])
    return spread(column, zip(out, size.tolist(), strict=True))


def class_merges(
    truth: npt.NDArray[Any],
    scores: npt.NDArray[Any],
    weight: npt.NDArray[Any] | None = None,
) -> list[MergeSums]:
    """For each class c, `merge` of the scores in column c: rows of class c against all others."""
    truth, scores, weight = codes(truth), floats(scores), weights(weight)
    n, k = scores.shape
    if weight is not None:
        one = (split_sorted(truth == c, scores[:, c], weight) for c in range(k))
        return [merge(*streams) for streams in one]
    cuts = pieces(n, 1 << 16)
    count = np.zeros((len(cuts) + 1, k), np.int64)
    for number, (a, b) in enumerate(cuts):
        _count(truth[a:b], count[number + 1])
    before = np.cumsum(count, axis=0)
    room = np.empty((min(k, TOGETHER), n))
    found = [_columns(truth, scores, first, before, room) for first in range(0, k, TOGETHER)]
    return [sums for part in found for sums in part]
