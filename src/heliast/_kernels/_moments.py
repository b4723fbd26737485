"""Moments of a column of numbers, so that parts can be joined without loss."""

from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import floats, weights
from ._jit import summing_kernel
from .crew import pieces, spread


class Moments(NamedTuple):
    """Weighted moments about the mean m; everything is 0 without rows."""

    weight: float
    """Σ w."""
    weight2: float
    """Σ w²."""
    mean: float
    """m = Σ w x / Σ w."""
    second: float
    """Σ w (x - m)²."""
    third: float
    """Σ w (x - m)³."""


@summing_kernel
def _about_mean(values: Any, weight: Any) -> Any:
    total = total2 = first = 0.0
    for i in range(values.size):
        w = 1.0 if weight is None else weight[i]
        total += w
        total2 += w * w
        first += w * values[i]
    mean = first / total if total != 0.0 else 0.0
    rest = second = third = 0.0
    for i in range(values.size):
        w = 1.0 if weight is None else weight[i]
        d = values[i] - mean
        rest += w * d
        second += w * d * d
        third += w * d * d * d
    # `rest` is what rounding left in the mean.
    shift = rest / total if total != 0.0 and np.isfinite(mean) else 0.0
    third -= 3.0 * shift * second
    second -= shift * rest
    return total, total2, mean + shift, second, third


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


def from_powers(weight: float, weight2: float, s1: float, s2: float, s3: float) -> Moments:
    """Moments from Σ w, Σ w², Σ w x, Σ w x², Σ w x³; loses digits if the spread is far below m."""
    if weight == 0:
        return Moments(0.0, 0.0, 0.0, 0.0, 0.0)
    mean = s1 / weight
    second = max(0.0, s2 - s1 * mean)
    return Moments(weight, weight2, mean, second, s3 - 3 * mean * s2 + 2 * mean**2 * s1)


def moments(values: npt.NDArray[Any], weight: npt.NDArray[Any] | None = None) -> Moments:
    """Moments of a column: pieces about their own means, then joined in order.

    An infinite value makes the mean infinite and the others NaN.
    """
    values, weight = floats(values), weights(weight)

    def work(a: int, b: int) -> Moments:
        return Moments(*_about_mean(values[a:b], None if weight is None else weight[a:b]))

    with np.errstate(invalid="ignore"):
        return reduce(join, spread(work, pieces(values.size, 1 << 16)), Moments(*[0.0] * 5))
