"""Rows predicted many times, once by each of several fits: their votes, means and medians.

Predictions are held row by row: those of row i stand at start[i] to start[i + 1], each with the
split it came from. `times` says how often each split counts, so that splits can be drawn again
without moving anything.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._arrays import codes as codes
from ._jit import kernel
from .crew import pieces, spread

Array = npt.NDArray[Any]

TOTAL, MAIN, OF_MAIN, OF_BEST, POSTERIOR, HIT, SQUARES, TIED = range(8)
"""Columns of `vote_facts`."""
ROWS = 1 << 12
"""Rows in a piece of work."""
LANES = 16
"""Resamples of the splits that are counted at once."""
WORDS = LANES // 4
MOST = 1 << 15
"""Splits that 16 bits can count."""


@kernel
def _placed(place: Any, start: Any, order: Any) -> None:
    at = start[:-1].copy()
    for i in range(place.size):
        order[at[place[i]]] = i
        at[place[i]] += 1


def by_row(place: Array, n: int) -> tuple[Array, Array]:
    """Where each row's predictions start, and the order that puts them row by row."""
    start = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(place, minlength=n), out=start[1:])
    order = np.empty(place.size, np.int64)
    _placed(place, start, order)
    return start, order


@kernel
def _votes(
    start: Any, label: Any, split: Any, times: Any, posterior: Any, best: Any, k: Any, lo: Any,
    hi: Any, out: Any,
) -> None:  # fmt: skip
    # Four resamples share a word, 16 bits each, so that one addition counts a vote in all four.
    word = np.zeros((k, WORDS), np.uint64)
    count = word.view(np.uint16)
    there = np.zeros(k, np.bool_)
    kinds = np.zeros(k, np.int64)
    for i in range(lo, hi):
        for at in range(start[i], start[i + 1]):
            own, s = np.uint64(label[at]), np.uint64(split[at])
            there[own] = True
            for w in range(WORDS):
                word[own, w] += times[s, w]
        several = 0
        for c in range(k):
            if there[c]:
                kinds[several] = c
                several += 1
        for lane in range(LANES):
            total, most, main, tied, squares = 0, -1, 0, 0, 0
            hit = 0.0
            for kind in range(several):
                c = kinds[kind]
                v: Any = np.int64(count[c, lane])
                if v > most:
                    most, main, tied = v, c, 0
                elif v == most:
                    tied = 1
                total += v
                squares += v * v
                if posterior is not None:
                    hit += posterior[i, c] * v
            all_ = np.float64(total)
            right = count[best[i], lane] / all_
            row = out[lane, i]
            row[TOTAL] = all_
            row[MAIN] = main
            row[OF_MAIN] = most / all_
            row[OF_BEST] = right
            if posterior is None:
                row[POSTERIOR] = 1.0 if main == best[i] else 0.0
                row[HIT] = right
            else:
                row[POSTERIOR] = posterior[i, main]
                row[HIT] = hit / all_
            row[SQUARES] = squares / (all_ * all_)
            row[TIED] = tied
        for kind in range(several):
            there[kinds[kind]] = False
            for w in range(WORDS):
                word[kinds[kind], w] = 0


def vote_facts(
    start: Array, label: Array, split: Array, times: Array, k: int, best: Array,
    posterior: Floats | None = None,
) -> Floats:  # fmt: skip
    """(R, n, 8), for each line of `times` (R x splits): votes counted, the class of most votes (the
    first of several), the shares of it and of class `best`, the posterior of the former,
    Σ posterior x share, Σ share², whether votes tie.

    Without `posterior` all of it is on class `best`. A row without votes has a total of 0 and NaN.
    At most 32,768 splits.
    """
    R, n = len(times), start.size - 1
    out = np.empty((-(-R // LANES) * LANES, n, 8))

    def count(first: int, lo: int, hi: int) -> None:
        lanes = np.zeros((times.shape[1], LANES), np.uint16)
        lanes[:, : min(LANES, R - first)] = times[first : first + LANES].T
        part = out[first : first + LANES]
        words = lanes.view(np.uint64)
        _votes(start, label, split, words, posterior, best, k, lo, hi, part)

    firsts = range(0, R, LANES)
    spread(count, [(first, *border) for first in firsts for border in pieces(n, ROWS)])
    return out[:R]


@kernel
def _shares(start: Any, label: Any, split: Any, times: Any, lo: Any, hi: Any, out: Any) -> None:
    k = out.shape[1] - 1
    for i in range(lo, hi):
        total = 0.0
        for c in range(k):
            out[i, c] = 0.0
        for at in range(start[i], start[i + 1]):
            d = np.float64(times[split[at]])
            out[i, label[at]] += d
            total += d
        for c in range(k):
            out[i, c] = out[i, c] / total if total > 0 else np.nan
        out[i, k] = total


def vote_shares(start: Array, label: Array, split: Array, times: Array, k: int) -> Floats:
    """(n, k + 1): the share of each class among the votes of a row, and how many they are."""
    out = np.empty((start.size - 1, k + 1))

    def count(lo: int, hi: int) -> None:
        _shares(start, label, split, times, lo, hi, out)

    spread(count, pieces(start.size - 1, ROWS))
    return out


@kernel
def _numbers(start: Any, value: Any, split: Any, times: Any, median: Any, out: Any) -> None:
    for i in range(start.size - 1):
        total, sum_ = 0.0, 0.0
        for at in range(start[i], start[i + 1]):
            d = np.float64(times[split[at]])
            total += d
            sum_ += d * value[at]
        out[i, 0] = total
        if total == 0:
            out[i, 1] = out[i, 2] = out[i, 3] = np.nan
            continue
        middle = sum_ / total
        if median:  # values ascend within a row; between two middle ones, half way
            passed, low, high = 0.0, np.nan, np.nan
            for at in range(start[i], start[i + 1]):
                passed += times[split[at]]
                if np.isnan(low) and passed * 2 >= total:
                    low = value[at]
                if passed * 2 > total:
                    high = value[at]
                    break
            middle = (low + high) / 2
        loss, spread_ = 0.0, 0.0
        for at in range(start[i], start[i + 1]):
            d = np.float64(times[split[at]])
            far = value[at] - middle
            if median:
                loss += d * abs(value[at])
                spread_ += d * abs(far)
            else:
                loss += d * value[at] * value[at]
                spread_ += d * far * far
        out[i, 1] = middle
        out[i, 2] = loss / total
        out[i, 3] = spread_ / total


def number_facts(start: Array, value: Floats, split: Array, times: Array, median: bool) -> Floats:
    """(n, 4): how many numbers a row has, their mean (or median), their mean loss about 0 and about
    that middle: squared, or absolute for the median, which needs values ascending in each row.
    """
    out = np.empty((start.size - 1, 4))
    _numbers(start, value, split, times, median, out)
    return out
