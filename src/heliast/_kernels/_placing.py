"""Placements of rows among the other class, and DeLong's variance of AUC from them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, flags, floats, weights
from ._jit import light_kernel
from ._merging import MergeSums
from ._sorting import order


@light_kernel
def _place(truth: Any, score: Any, weight: Any, index: Any, out: Any) -> Any:
    # Doubled weight of the other class that a row beats, so that halves of ties stay integers.
    n = index.size
    total_p = total_n = 0.0
    for i in range(n):
        w = 1.0 if weight is None else weight[i]
        own = w if truth[i] else 0.0
        total_p += own
        total_n += w - own
    below_p = below_n = 0.0
    start = 0
    while start < n:
        row = index[start]
        value = score[row]
        stop = start + 1
        w = 1.0 if weight is None else weight[row]
        p = w if truth[row] else 0.0
        q = w - p
        while stop < n and score[index[stop]] == value:
            w = 1.0 if weight is None else weight[index[stop]]
            own = w if truth[index[stop]] else 0.0
            p += own
            q += w - own
            stop += 1
        positive = 2 * below_n + q
        negative = 2 * (total_p - below_p) - p
        out[row] = positive if truth[row] else negative
        for i in range(start + 1, stop):
            out[index[i]] = positive if truth[index[i]] else negative
        below_p += p
        below_n += q
        start = stop
    return total_p, total_n


def _beaten(
    truth: npt.NDArray[np.uint8], score: npt.NDArray[Any], weight: Floats | None
) -> tuple[Floats, float, float]:
    """Doubled weight of the other class beaten by each row, and the weight of each class."""
    score = floats(score)
    out = np.empty(score.size)
    positive, negative = _place(truth, score, weight, order(score), out)
    return out, float(positive), float(negative)


@light_kernel
def _share(truth: Any, beaten: Any, positive: Any, negative: Any) -> None:
    for i in range(truth.size):
        beaten[i] /= negative if truth[i] else positive


def placements(
    truth: npt.NDArray[Any],
    score: npt.NDArray[Any],
    weight: npt.NDArray[Any] | None = None,
) -> Floats:
    """Each row's placement, in row order; NaN if the other class is empty.

    For a positive the share of negatives below it, for a negative the share of positives above it,
    half of those equal included. The mean over either class is AUC.
    """
    truth, weight = flags(truth), weights(weight)
    beaten, positive, negative = _beaten(truth, score, weight)
    _share(truth, beaten, 2 * positive, 2 * negative)
    return beaten


def _variance(
    spread_p: float, spread_n: float, size: tuple[float, float], rows: tuple[float, float]
) -> float:
    """Mean square of each class over its rows less one, summed; NaN below two rows in a class."""
    (p, n), (rows_p, rows_n) = size, rows
    if rows_p <= 1 or rows_n <= 1:
        return float("nan")
    return spread_p / p / (rows_p - 1) + spread_n / n / (rows_n - 1)


def delong_variance(sums: MergeSums, sampling: bool = False) -> tuple[float, float]:
    """(AUC, its variance): S10 / P + S01 / N, S10 = Σ w (V - AUC)² / (P - 1) over the positives.

    P and N are the classes' weights; with `sampling` weights each class counts (Σ w)² / Σ w² rows
    instead. NaN if a class is empty; the variance also if a class has one row.
    """
    p, n = sums.positive, sums.negative
    if p <= 0 or n <= 0:
        return float("nan"), float("nan")
    rows = (p * p / sums.positive2, n * n / sums.negative2) if sampling else (p, n)
    variance = _variance(sums.spread_positive, sums.spread_negative, (p, n), rows)
    return sums.wins / (p * n), variance
