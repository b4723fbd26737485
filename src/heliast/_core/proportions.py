"""Limits for many proportions at once: arrays in, arrays out."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Limits = Literal["wilson", "clopper_pearson"]


def wilson_limits(successes: Array, n: Array | float, level: float = 0.95) -> tuple[Array, Array]:
    """Wilson limits for each rate successes / n; 0 to 1 where n is 0.

    (f + z²/2n ± z sqrt(f(1-f)/n + z²/4n²)) / (1 + z²/n). n may be an effective number of rows.
    Covers `level` on average over rates, not at each one (Wilson 1927).

    >>> low, high = wilson_limits(np.array([0, 85]), 100)
    >>> low.round(4), high.round(4)
    (array([0.    , 0.7672]), array([0.037 , 0.9069]))
    """
    from scipy.special import ndtri

    successes, n = np.broadcast_arrays(np.asarray(successes, float), np.asarray(n, float))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, z2n = successes / n, float(ndtri((1 + level) / 2)) ** 2 / n
        middle = (rate + z2n / 2) / (1 + z2n)
        half = np.sqrt(z2n * rate * (1 - rate) + z2n**2 / 4) / (1 + z2n)
    # At 0 and 1 the end is the rate itself; rounding must not move it.
    low = np.where(rate > 0, np.maximum(0.0, middle - half), 0.0)
    high = np.where(rate < 1, np.minimum(1.0, middle + half), 1.0)
    return np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)


def clopper_pearson_limits(
    successes: Array, n: Array | float, level: float = 0.95
) -> tuple[Array, Array]:
    """Clopper-Pearson limits for each rate successes / n; 0 to 1 where n is 0.

    Beta quantiles: low B(a/2; x, n-x+1), high B(1-a/2; x+1, n-x), a = 1 - level. Covers at least
    `level` at every rate (Clopper and Pearson 1934); with an effective n, the same by continuity.

    >>> low, high = clopper_pearson_limits(np.array([0, 85]), 100)
    >>> low.round(4), high.round(4)
    (array([0.    , 0.7647]), array([0.0362, 0.9135]))
    """
    from scipy.special import betaincinv

    successes, n = np.broadcast_arrays(np.asarray(successes, float), np.asarray(n, float))
    tail, missed = (1 - level) / 2, n - successes
    some, short = (n > 0) & (successes > 0), (n > 0) & (missed > 0)
    low, high = np.zeros(n.shape), np.ones(n.shape)
    low[some] = betaincinv(successes[some], missed[some] + 1, tail)
    high[short] = betaincinv(successes[short] + 1, missed[short], 1 - tail)
    return low, high


LIMITS = {"wilson": wilson_limits, "clopper_pearson": clopper_pearson_limits}
"""The limits by the name that estimates know them by."""
