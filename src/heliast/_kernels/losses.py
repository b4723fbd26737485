"""Log loss and Brier score, row by row and as sums of powers, in one read of the scores.

A probability of 0 for the true class costs +inf: nothing is clipped, such rows are counted.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, codes, flags, floats, sealed, weights
from ._jit import kernel, part, summing_kernel
from ._moments import Moments, from_powers, join, moments
from .crew import pieces, spread

__all__ = [
    "ClassLosses",
    "LossSums",
    "Moments",
    "binary_losses",
    "class_losses",
    "from_powers",
    "join",
    "moments",
    "row_losses_binary",
    "row_losses_classes",
]

BLOCK = 256
"""Rows whose true probabilities are gathered before their logs are taken in SIMD lanes."""


class LossSums(NamedTuple):
    """Weighted sums of the powers of each row's log loss l and Brier score b."""

    weight: float
    """Σ w, the number of rows without weights."""
    weight2: float
    """Σ w²."""
    log1: float
    """Σ w l; +inf if `zeros` > 0, as are the next two."""
    log2: float
    """Σ w l²."""
    log3: float
    """Σ w l³."""
    brier1: float
    """Σ w b."""
    brier2: float
    """Σ w b²."""
    brier3: float
    """Σ w b³."""
    zeros: int
    """Rows (not weights) whose true class was given probability 0."""


class ClassLosses(NamedTuple):
    """Sums of losses, and the labels that follow from the scores."""

    sums: LossSums
    label: npt.NDArray[Any]
    """The first class of the highest score; uint8 up to 256 classes, else int32."""
    ties: int
    """Rows where several classes share the highest score."""


@part
def _minus_log(x: Any) -> Any:
    # -log(x) for 0 <= x <= 1 in operations that compile to SIMD lanes (the library's log does not).
    # x = 2^k m with m in [√½, √2); log m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172, where 12
    # terms of the series reach the last bit. Subnormal numbers are first scaled up by 2^54.
    small = x < 2.2250738585072014e-308
    bits = np.float64(x * 18014398509481984.0 if small else x).view(np.int64)
    k = (bits - np.int64(0x3FE6A09E667F3BCD)) >> np.int64(52)
    m = np.int64(bits - (k << np.int64(52))).view(np.float64)
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    t = 1 / 23
    t = t * z + 1 / 21
    t = t * z + 1 / 19
    t = t * z + 1 / 17
    t = t * z + 1 / 15
    t = t * z + 1 / 13
    t = t * z + 1 / 11
    t = t * z + 1 / 9
    t = t * z + 1 / 7
    t = t * z + 1 / 5
    t = t * z + 1 / 3
    log = (k - 54 if small else k) * 0.6931471805599453 + (2.0 * s + 2.0 * s * z * t)
    return -log if x > 0.0 else (np.inf if x == 0.0 else np.nan)


@summing_kernel
def _sum_two(truth: Any, score: Any, weight: Any) -> Any:
    total = total2 = l1 = l2 = l3 = b1 = b2 = b3 = 0.0
    zeros = 0
    for i in range(truth.size):
        q = score[i] if truth[i] else 1.0 - score[i]
        zeros += q == 0.0
        loss = _minus_log(q)
        brier = (1.0 - q) * (1.0 - q)
        w = 1.0 if weight is None else weight[i]
        total += w
        total2 += w * w
        l1 += w * loss
        l2 += w * loss * loss
        l3 += w * loss * loss * loss
        b1 += w * brier
        b2 += w * brier * brier
        b3 += w * brier * brier * brier
    return total, total2, l1, l2, l3, b1, b2, b3, float(zeros)


@summing_kernel
def _read_rows(truth: Any, score: Any, first: Any, q: Any, brier: Any, label: Any) -> Any:
    # True probability, Brier score and label of a block of rows; counts the ties. Not negative
    # floats are ordered as their bits are, and an integer maximum runs in lanes.
    bits = score.view(np.int64)
    k = score.shape[1]
    ties = 0
    for i in range(q.size):
        row = first + i
        square = 0.0
        top = np.int64(-1)
        for c in range(k):
            square += score[row, c] * score[row, c]
            top = max(top, bits[row, c])
        equal = 0
        where = 0
        for c in range(k):
            hit = bits[row, c] == top
            equal += hit
            where += c if hit else 0
        if equal > 1:
            ties += 1
            where = 0
            while bits[row, where] != top:
                where += 1
        p = score[row, truth[row]]
        q[i] = p
        # Σ p² - p_t² + (1 - p_t)²: the last square loses nothing where p_t is near 1.
        brier[i] = max(0.0, square - p * p) + (1.0 - p) * (1.0 - p)
        label[row] = where
    return ties


@summing_kernel
def _sum_classes(truth: Any, score: Any, weight: Any, label: Any) -> Any:
    total = total2 = l1 = l2 = l3 = b1 = b2 = b3 = 0.0
    zeros = ties = 0
    q = np.empty(BLOCK)
    brier = np.empty(BLOCK)
    for first in range(0, truth.size, BLOCK):
        size = min(BLOCK, truth.size - first)
        ties += _read_rows(truth, score, first, q[:size], brier[:size], label)
        for i in range(size):
            zeros += q[i] == 0.0
            loss = _minus_log(q[i])
            b = brier[i]
            w = 1.0 if weight is None else weight[first + i]
            total += w
            total2 += w * w
            l1 += w * loss
            l2 += w * loss * loss
            l3 += w * loss * loss * loss
            b1 += w * b
            b2 += w * b * b
            b3 += w * b * b * b
    return total, total2, l1, l2, l3, b1, b2, b3, float(zeros), float(ties)


@kernel
def _rows_two(truth: Any, score: Any, log: Any, brier: Any) -> None:
    for i in range(truth.size):
        q = score[i] if truth[i] else 1.0 - score[i]
        log[i] = _minus_log(q)
        brier[i] = (1.0 - q) * (1.0 - q)


@kernel
def _rows_classes(truth: Any, score: Any, log: Any, brier: Any, label: Any) -> None:
    _read_rows(truth, score, 0, log, brier, label)
    for i in range(truth.size):
        log[i] = _minus_log(log[i])


def _no_inf_times_zero(sums: list[float]) -> list[float]:
    """A row that weighs 0 and costs +inf makes NaN: such a sum says +inf, as the others do."""
    return [math.inf if math.isnan(value) else value for value in sums]


def _loss_sums(parts: list[tuple[float, ...]]) -> LossSums:
    columns = [math.fsum(column) for column in zip(*parts, strict=True)] if parts else [0.0] * 9
    if columns[8] > 0:
        columns[2:5] = _no_inf_times_zero(columns[2:5])
    return LossSums._make([*columns[:8], int(columns[8])])


def binary_losses(
    truth: npt.NDArray[Any],
    score: npt.NDArray[Any],
    weight: npt.NDArray[Any] | None = None,
) -> LossSums:
    """Sums of the losses of two-class probabilities; score is that of the positive class (1).

    l = -log q and b = (1 - q)², with q = score for positives and 1 - score for negatives.
    """
    truth, score, weight = sealed(flags(truth)), sealed(floats(score)), weights(weight)

    def work(a: int, b: int) -> tuple[float, ...]:
        part = None if weight is None else sealed(weight[a:b])
        sums: tuple[float, ...] = _sum_two(truth[a:b], score[a:b], part)
        return sums

    return _loss_sums(spread(work, pieces(truth.size)))


def _label_room(n: int, k: int) -> npt.NDArray[Any]:
    return np.empty(n, np.uint8 if k <= 256 else np.int32)


def class_losses(
    truth: npt.NDArray[Any],
    scores: npt.NDArray[Any],
    weight: npt.NDArray[Any] | None = None,
) -> ClassLosses:
    """Sums of the losses of (n, k) class probabilities, their labels and ties.

    l = -log p_truth and b = Σ_c (p_c - [c = truth])²; the label is the first of the highest.
    """
    truth, scores, weight = sealed(codes(truth)), sealed(floats(scores)), weights(weight)
    n, k = scores.shape
    label = _label_room(n, k)

    def work(a: int, b: int) -> tuple[float, ...]:
        part = None if weight is None else sealed(weight[a:b])
        sums: tuple[float, ...] = _sum_classes(truth[a:b], scores[a:b], part, label[a:b])
        return sums

    parts = spread(work, pieces(n, 1 << 15))
    ties = int(sum(part[9] for part in parts))
    return ClassLosses(_loss_sums([part[:9] for part in parts]), label, ties)


def row_losses_binary(truth: npt.NDArray[Any], score: npt.NDArray[Any]) -> tuple[Floats, Floats]:
    """(log loss, Brier score) of every row, as `binary_losses` defines them."""
    truth, score = sealed(flags(truth)), sealed(floats(score))
    log, brier = np.empty(truth.size), np.empty(truth.size)
    spread(lambda a, b: _rows_two(truth[a:b], score[a:b], log[a:b], brier[a:b]), pieces(truth.size))
    return log, brier


def row_losses_classes(truth: npt.NDArray[Any], scores: npt.NDArray[Any]) -> tuple[Floats, Floats]:
    """(log loss, Brier score) of every row, as `class_losses` defines them."""
    truth, scores = sealed(codes(truth)), sealed(floats(scores))
    n, k = scores.shape
    log, brier, label = np.empty(n), np.empty(n), _label_room(n, k)

    def work(a: int, b: int) -> None:
        _rows_classes(truth[a:b], scores[a:b], log[a:b], brier[a:b], label[a:b])

    spread(work, pieces(n, 1 << 15))
    return log, brier
