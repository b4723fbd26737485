"""Log loss and Brier score of rows, and the moments of any row loss."""

import math
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .threads import pieces, spread

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
# Rows summed together, in the cache; their sums do not depend on the number of threads.
ROWS = 1 << 16


class Moments(NamedTuple):
    """Weighted moments about the mean m; everything is 0 without rows."""

    weight: float  # Σ w
    weight2: float  # Σ w²
    mean: float  # m = Σ w x / Σ w
    second: float  # Σ w (x - m)²
    third: float  # Σ w (x - m)³


def row_losses_binary(truth: Array, score: Array) -> tuple[Floats, Floats]:
    """(log loss, Brier score) of every row of two-class probabilities of the positive class (1).

    l = -log q and b = (1 - q)², with q = score for positives and 1 - score for negatives. Nothing
    is clipped: a probability of 0 for the true class costs +inf.
    """
    q = np.where(truth, score, 1.0 - score)
    log = _minus_log(q)
    brier = np.subtract(1.0, q, out=q)
    brier *= brier
    return log, brier


def row_losses_classes(truth: Array, scores: Array) -> tuple[Floats, Floats]:
    """(log loss, Brier score) of every row of (n, k) class probabilities.

    l = -log p_truth and b = Σ_c (p_c - [c = truth])².
    """
    q = scores[np.arange(len(scores)), truth]
    # Σ p² - q² + (1 - q)²: the last square loses nothing where q is near 1.
    others = np.maximum(np.einsum("ic,ic->i", scores, scores) - q * q, 0.0)
    return _minus_log(q), others + (1.0 - q) ** 2


def _minus_log(q: Array) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.log(q)
    return np.asarray(np.subtract(0.0, log, out=log))


def moments(values: Array, weight: Array | None = None) -> Moments:
    """Moments of a column: pieces about their own means, then joined in order.

    An infinite value makes the mean infinite and the others NaN.
    """

    def about_mean(start: int, stop: int) -> Moments:
        part = np.asarray(values[start:stop], np.float64)
        w = np.ones(part.size) if weight is None else np.asarray(weight[start:stop], np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            total = float(w.sum())
            mean = float((w * part).sum()) / (total or 1.0)
            far = part - mean
            # What rounding left in the mean.
            rest = float((w * far).sum()) / (total or 1.0) if math.isfinite(mean) else 0.0
            heavy = w * far * far
            second, third = float(heavy.sum()), float((heavy * far).sum())
        return Moments(
            total,
            float((w * w).sum()),
            mean + rest,
            second - rest * rest * total,
            third - 3.0 * rest * second,
        )

    parts = spread(about_mean, pieces(values.size, ROWS))
    return reduce(join, parts, Moments(0.0, 0.0, 0.0, 0.0, 0.0))


def join(a: Moments, b: Moments) -> Moments:
    """The moments of two sets of rows together, from the moments of each."""
    weight = a.weight + b.weight
    if a.weight == 0 or b.weight == 0:
        return b if a.weight == 0 else a
    gap = b.mean - a.mean
    both = a.weight * b.weight / weight
    second = a.second + b.second + gap**2 * both
    third = a.third + b.third + gap**3 * both * (a.weight - b.weight) / weight
    third += 3 * gap * (a.weight * b.second - b.weight * a.second) / weight
    mean = a.mean + gap * b.weight / weight
    return Moments(weight, a.weight2 + b.weight2, mean, second, third)
