"""Sorting scores: split by class, or as an order of rows.

NumPy sorts values several times faster than it sorts indices, and short arrays faster than long
ones: so scores are dealt into buckets by value and class and each bucket is sorted by itself, on
all threads; and an order of rows is found by sorting values that carry their row in the low bits.
"""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, flags, floats, weights
from ._jit import light_kernel
from .crew import PIECE, pieces, spread

BUCKETS = 8
"""Buckets by value; their borders are seven numbers that stay in registers."""
SAMPLE = 8192
"""Rows looked at to place the borders."""


@light_kernel
def _deal(truth: Any, score: Any, border: Any, place: Any, count: Any) -> None:
    # place = 2 * bucket + class, and how many rows have each place.
    b0, b1, b2, b3 = border[0], border[1], border[2], border[3]
    b4, b5, b6 = border[4], border[5], border[6]
    for i in range(score.size):
        s = score[i]
        bucket = np.uint8(s >= b0) + np.uint8(s >= b1) + np.uint8(s >= b2) + np.uint8(s >= b3)
        bucket += np.uint8(s >= b4) + np.uint8(s >= b5) + np.uint8(s >= b6)
        place[i] = truth[i] + 2 * bucket
    part = np.zeros((4, count.size), np.int64)
    for i in range(score.size):
        part[i & 3, place[i]] += 1
    for c in range(count.size):
        count[c] = part[0, c] + part[1, c] + part[2, c] + part[3, c]


@light_kernel
def _scatter(place: Any, score: Any, offset: Any, out: Any) -> None:
    # A copy, because neighbouring pieces' offsets share a cache line.
    offset = offset.copy()
    for i in range(score.size):
        at = offset[place[i]]
        out[at] = score[i]
        offset[place[i]] = at + 1


def _offsets(count: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where each piece writes each place, positives first, and the borders of the places."""
    places = np.concatenate([np.arange(1, 2 * BUCKETS, 2), np.arange(0, 2 * BUCKETS, 2)])
    ends = np.cumsum(count[:, places].T.ravel())
    starts = np.concatenate([[0], ends[:-1]]).reshape(places.size, -1)
    offset = np.empty_like(count)
    offset[:, places] = starts.T
    return offset, np.concatenate([starts[:, 0], ends[-1:]])


def _split_values(truth: npt.NDArray[np.uint8], score: Floats) -> tuple[Floats, Floats]:
    n = score.size
    sample = np.sort(score[:: max(1, n // SAMPLE)])
    border = sample[np.arange(1, BUCKETS) * sample.size // BUCKETS]
    cuts = pieces(n)
    place = np.empty(n, np.uint8)
    count = np.zeros((len(cuts), 2 * BUCKETS), np.int64)
    values = np.empty(n)

    def deal(number: int, a: int, b: int) -> None:
        _deal(truth[a:b], score[a:b], border, place[a:b], count[number])

    def scatter(number: int, a: int, b: int) -> None:
        _scatter(place[a:b], score[a:b], offset[number], values)

    spread(deal, [(number, *cut) for number, cut in enumerate(cuts)])
    offset, ends = _offsets(count)
    spread(scatter, [(number, *cut) for number, cut in enumerate(cuts)])
    spread(lambda a, b: values[a:b].sort(), pairwise(ends))
    return values[: ends[BUCKETS]], values[ends[BUCKETS] :]


def split_sorted(
    truth: npt.NDArray[Any],
    score: npt.NDArray[Any],
    weight: npt.NDArray[Any] | None = None,
) -> tuple[Floats, Floats, Floats | None, Floats | None]:
    """Scores of the positives (truth 1) and of the negatives (truth 0), each ascending.

    Returns (positives, negatives, their weights or None). The two arrays of values share memory.
    """
    truth, score, weight = flags(truth), floats(score), weights(weight)
    if weight is None:
        if score.size >= PIECE:
            return (*_split_values(truth, score), None, None)
        positive = truth.view(np.bool_)
        return np.sort(score[positive]), np.sort(score[~positive]), None, None
    index = order(score)
    positive = truth.view(np.bool_)[index]
    above, below = index[positive], index[~positive]
    return score[above], score[below], weight[above], weight[below]


@light_kernel
def _ordered_bits(score: Any, out: Any) -> Any:
    # Bits of a float as an unsigned integer of the same order; -0.0 first becomes 0.0.
    sign = np.uint64(1) << np.uint64(63)
    low = np.uint64(0xFFFFFFFFFFFFFFFF)
    high = np.uint64(0)
    for i in range(score.size):
        bits = np.float64(score[i] + 0.0).view(np.uint64)
        bits = ~bits if bits & sign else bits | sign
        out[i] = bits
        low = min(low, bits)
        high = max(high, bits)
    return low, high


@light_kernel
def _pack(key: Any, low: Any, drop: Any, room: Any) -> None:
    # The key's leading bits, then the row: sorting these values sorts the rows.
    for i in range(key.size):
        key[i] = (((key[i] - low) >> drop) << room) | np.uint64(i)


@light_kernel
def _unpack(key: Any, score: Any, room: Any, patience: Any, out: Any) -> Any:
    # Rows in sorted order. Where leading bits agree but scores differ, insertion puts it right;
    # returns False if that would take too long.
    mask = (np.uint64(1) << room) - np.uint64(1)
    moves = 0
    for i in range(key.size):
        out[i] = np.int64(key[i] & mask)
    for i in range(1, key.size):
        if (key[i] >> room) == (key[i - 1] >> room):
            row = out[i]
            j = i
            while j > 0 and score[out[j - 1]] > score[row]:
                out[j] = out[j - 1]
                j -= 1
            out[j] = row
            moves += i - j
            if moves > patience:
                return False
    return True


def order(score: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Rows by ascending score; equal scores in row order (a stable argsort)."""
    score = floats(score)
    n = score.size
    if n < 2:
        return np.zeros(n, np.int64)
    key = np.empty(n, np.uint64)
    low, high = _ordered_bits(score, key)
    room = (n - 1).bit_length()
    drop = max(0, (int(high) - int(low)).bit_length() - (64 - room))
    _pack(key, np.uint64(low), np.uint64(drop), np.uint64(room))
    key.sort()
    index = np.empty(n, np.int64)
    if _unpack(key, score, np.uint64(room), 4 * n, index):
        return index
    return np.argsort(score, kind="stable")
