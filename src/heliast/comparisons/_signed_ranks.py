"""The law of the signed-rank sum, and the Hodges-Lehmann estimate that goes with it."""

from math import nan, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.level import quantile
from heliast.comparisons._checks import Floats

EXACT = 200
"""Most pairs for which the law is computed, not approximated by the normal."""
MOST_PAIRS = 5000
"""Most pairs for which all their averages are taken."""


class Centre(NamedTuple):
    """The pseudo-median and its limits, or why there are none."""

    value: float
    low: float = nan
    high: float = nan
    reason: str = ""


def law(ranks: npt.NDArray[np.int64]) -> Floats:
    """P(sum = 0), P(sum = 1), ... of the ranks that a fair coin makes positive.

    >>> law(np.array([1, 2])).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    chance = np.zeros(int(ranks.sum()) + 1)
    chance[0] = 1.0
    for rank in ranks:
        half = chance / 2
        chance = half.copy()
        chance[rank:] += half[: half.size - rank]
    return chance


def hodges_lehmann(difference: Floats, level: float) -> Centre:
    """The median of the averages of all pairs (i <= j), and the limits that the test accepts."""
    n = difference.size
    if n > MOST_PAIRS:
        return Centre(nan, reason=f"no Hodges-Lehmann estimate above {MOST_PAIRS} pairs")
    i, j = np.triu_indices(n)
    averages = np.sort((difference[i] + difference[j]) / 2)
    value = float(np.median(averages))
    k = _outside(n, level)
    if k < 1:
        return Centre(value, reason=f"{n} pairs cannot give an interval at level {level:g}")
    return Centre(value, float(averages[k - 1]), float(averages[-k]))


def _outside(n: int, level: float) -> int:
    """How many averages (counting the limit) may lie at or below the lower limit."""
    if n > EXACT:
        middle, se = n * (n + 1) / 4, sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return int(middle - quantile(level) * se)
    below = np.cumsum(law(np.arange(1, n + 1)))
    # The level may be met exactly, so leave room for rounding.
    return int(np.searchsorted(below, (1 - level) / 2 * (1 + 1e-9), side="right"))
