"""Limits for proportions: a number or arrays in, the same out; each declared once, for everyone."""

from collections.abc import Callable
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile, widened

Ends = tuple[float, float]
FEW = 5
"""Up to so many rows on a side its limit is guarded by an exact one."""
ProportionLimits = Callable[..., tuple[Any, Any]]
"""(rate, n, two-sided level, df) -> (low, high); 0 to 1 where n is 0.

The rate and n are numbers or arrays; n may be an effective number of rows. With `df` Student's
quantile stands for the normal one.
"""


def share(successes: object, n: object) -> Array:
    """successes / n; 0 where n is 0."""
    hits, trials = np.broadcast_arrays(np.asarray(successes, float), np.asarray(n, float))
    rate: Array = np.divide(hits, trials, out=np.zeros(trials.shape), where=trials > 0)
    return rate


def wilson_limits(
    rate: Any, n: Any, level: float = 0.95, df: float | None = None
) -> tuple[Any, Any]:
    """The rates that a score test would not reject (Wilson 1927).

    (f + z²/2n ± z sqrt(f(1-f)/n + z²/4n²)) / (1 + z²/n). Covers `level` on average over rates, not
    at each one.

    >>> low, high = wilson_limits(np.array([0, 0.85]), 100)
    >>> low.round(4), high.round(4)
    (array([0.    , 0.7672]), array([0.037 , 0.9069]))
    """
    p, rows, there = _arrays(rate, n)
    z2n = quantile(level, df) ** 2 / rows
    middle = (p + z2n / 2) / (1 + z2n)
    half = np.sqrt(z2n * p * (1 - p) + z2n**2 / 4) / (1 + z2n)
    # At 0 and 1 the end is the rate itself; rounding must not move it.
    low = np.where(p > 0, np.maximum(0.0, middle - half), 0.0)
    return _ends(low, np.where(p < 1, np.minimum(1.0, middle + half), 1.0), there)


def clopper_pearson_limits(
    rate: Any, n: Any, level: float = 0.95, df: float | None = None
) -> tuple[Any, Any]:
    """The rates that two exact tests of one side would not reject (Clopper and Pearson 1934).

    Beta quantiles: low B(a/2; x, n-x+1), high B(1-a/2; x+1, n-x), a = 1 - level. Covers at least
    `level` at every rate; with an effective n, the same by continuity.

    >>> low, high = clopper_pearson_limits(np.array([0, 0.85]), 100)
    >>> low.round(4), high.round(4)
    (array([0.    , 0.7647]), array([0.0362, 0.9135]))
    """
    p, rows, there = _arrays(rate, n)
    hits = p * rows
    return _beta(p, (hits, rows - hits + 1), (hits + 1, rows - hits), widened(level, df), there)


def guarded_limits(
    rate: Any, n: Any, level: float = 0.95, df: float | None = None
) -> tuple[Any, Any]:
    """Wilson's limits; the one of a side with few rows at most the exact one at twice the error.

    With few successes Wilson's lower limit is too high: one of 20 tells of 0.9% or more, which one
    in six samples of 0.85% show. The exact lower limit at 1 - level for its one tail mends that, as
    Brown, Cai and DasGupta (2001) do by Poisson's law. It is taken for up to five rows, from which
    on Wilson's covers as well: the lowest coverage of 20 to 1,000 rows is .921 to .931, of Wilson's
    .838 to .840, and guarding all rows would make it .924 to .933 (binomial sums).

    >>> [round(end, 4) for end in guarded_limits(0.05, 20)], round(wilson_limits(0.05, 20)[0], 4)
    ([0.0026, 0.2361], 0.0089)
    """
    low, high = wilson_limits(rate, n, level, df)
    exact = clopper_pearson_limits(rate, n, max(0.0, 2 * level - 1), df)
    p, rows = np.asarray(rate, float), np.asarray(n, float)
    most = FEW * (1 + 1e-9)
    low = np.where(p * rows <= most, np.minimum(low, exact[0]), low)
    high = np.where((1 - p) * rows <= most, np.maximum(high, exact[1]), high)
    return _ends(low, high, rows > 0)


def jeffreys_limits(
    rate: Any, n: Any, level: float = 0.95, df: float | None = None
) -> tuple[Any, Any]:
    """Equal tails of the posterior Beta(x + 1/2, n - x + 1/2); at 0 and 1 the end is the rate.

    >>> round(jeffreys_limits(8 / 30, 30)[0], 4)
    0.1349
    """
    p, rows, there = _arrays(rate, n)
    both = p * rows + 0.5, (1 - p) * rows + 0.5
    return _beta(p, both, both, widened(level, df), there)


def agresti_coull_limits(
    rate: Any, n: Any, level: float = 0.95, df: float | None = None
) -> tuple[Any, Any]:
    """The normal limits after z²/2 successes and as many failures were added (1998).

    >>> round(agresti_coull_limits(8 / 30, 30)[1], 4)
    0.4465
    """
    p, rows, there = _arrays(rate, n)
    z = quantile(level, df)
    more = rows + z**2
    middle = (p * rows + z**2 / 2) / more
    half = z * np.sqrt(middle * (1 - middle) / more)
    return _ends(np.maximum(0.0, middle - half), np.minimum(1.0, middle + half), there)


def order_limits(q: float, n: float, level: float = 0.95, df: float | None = None) -> Ends:
    """The shares of rows between which a row is the quantile q of all rows, by exact tests.

    Of n rows Binomial(n, q) lie at or below the quantile. Row k in order lies above it with chance
    P(X <= k - 1), below it with P(X >= k): the limits are the last and the first rows for which
    that is at most (1 - level)/2. No share above 0 or up to 1 where there is no such row: the
    largest of 20 rows is below the quantile 0.9 with chance 0.9^20 = 0.12.

    >>> [round(20 * share, 2) for share in order_limits(0.5, 20)]  # rows 6 and 15 of 20
    [5.17, 14.83]
    >>> order_limits(0.9, 20)[1] > 1
    True
    """
    from scipy.special import bdtrik

    tail = (1 - widened(level, df)) / 2
    return float(bdtrik(tail, n, q)) / n, float(bdtrik(1 - tail, n, q) + 1) / n


def _arrays(rate: Any, n: Any) -> tuple[Array, Array, Array]:
    """Rates and rows of one shape, and where there are rows; elsewhere 1 stands for none."""
    p, rows = np.broadcast_arrays(np.asarray(rate, float), np.asarray(n, float))
    there = rows > 0
    return p, np.where(there, rows, 1.0), there


def _beta(
    rate: Array,
    lower: tuple[Array, Array],
    upper: tuple[Array, Array],
    level: float,
    there: Array,
) -> tuple[Any, Any]:
    """Quantiles of two beta laws; at 0 and 1 the end is the rate."""
    from scipy.special import betaincinv

    some, short = rate > 0, rate < 1
    low = betaincinv(*(np.where(some, part, 1.0) for part in lower), (1 - level) / 2)
    high = betaincinv(*(np.where(short, part, 1.0) for part in upper), (1 + level) / 2)
    return _ends(np.where(some, low, 0.0), np.where(short, high, 1.0), there)


def _ends(low: Array, high: Array, there: Array) -> tuple[Any, Any]:
    """0 to 1 where there are no rows; numbers where numbers came in."""
    low, high = np.where(there, low, 0.0), np.where(there, high, 1.0)
    return (low, high) if low.ndim else (float(low), float(high))


LIMITS: dict[str, ProportionLimits] = {
    "wilson": wilson_limits,
    "clopper_pearson": clopper_pearson_limits,
    "agresti_coull": agresti_coull_limits,
    "jeffreys": jeffreys_limits,
}
"""The limits by the name that estimates know them by."""
