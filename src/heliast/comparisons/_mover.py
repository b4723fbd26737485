"""MOVER: the difference of two estimates from the limits of each; whether several differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._record import TestResult

Pair = tuple[float, float]
# Levels nearer to 1 than this are 1.
LEAST_P = 1e-15


def square_and_add(a: Sequence[float], b: Sequence[float], correlation: float = 0.0) -> Pair:
    """The limits of a - b from (value, low, high) of each (Zou and Donner 2008).

    With limits l and u: low = a - b - sqrt((a - l_a)^2 + (u_b - b)^2 - 2 r (a - l_a)(u_b - b)),
    high with the other limits.

    >>> [round(limit, 3) for limit in square_and_add((0.9, 0.8, 0.95), (0.7, 0.6, 0.8))]
    [0.059, 0.312]
    """
    (value_a, low_a, high_a), (value_b, low_b, high_b) = a, b
    down = _combined(value_a - low_a, high_b - value_b, correlation)
    up = _combined(high_a - value_a, value_b - low_b, correlation)
    return value_a - value_b - down, value_a - value_b + up


def _combined(x: float, y: float, correlation: float) -> float:
    return sqrt(max(0.0, x**2 + y**2 - 2 * correlation * x * y))


@dataclass(frozen=True)
class Mover:
    """Square-and-add of two values whose own limits are known at each level.

    `own` gives the limits of the first (0) or second (1) at a level. What these know of the ends
    of a measure's range, the limits of the difference know too.
    """

    values: Pair
    own: Callable[[int, float], Pair]
    correlation: float

    @property
    def value(self) -> float:
        """The first less the second."""
        return self.values[0] - self.values[1]

    def limits(self, level: float) -> Pair:
        """The limits of the difference."""
        a, b = ((self.values[which], *self.own(which, level)) for which in (0, 1))
        return square_and_add(a, b, self.correlation)

    @property
    def p(self) -> float:
        """1 less the level at which the limits meet 0."""
        from scipy.optimize import brentq

        if self.value == 0:
            return 1.0
        side, sign = (0, 1.0) if self.value > 0 else (1, -1.0)

        def gap(exponent: float) -> float:
            return sign * self.limits(1 - 10**exponent)[side]

        if gap(-15.0) > 0:
            return LEAST_P
        return float(10 ** brentq(gap, -15.0, -1e-9, xtol=1e-6)) if gap(-1e-9) > 0 else 1.0


def apart(
    one: Sequence[float], other: Sequence[float], level: float = 0.95, together: float = 0.0
) -> TestResult:
    """The difference of two estimates from their confidence intervals (MOVER).

    For rates with Wilson's limits of independent rows it is Newcombe's interval. p is 1 less the
    level at which limits that grow with the normal quantile would meet 0, so that it agrees with
    the interval at `level`.

    Parameters
    ----------
    one, other : three floats
        Value, low and high of each.
    level : float
        The level of these intervals, and of that of the difference.
    together : float
        The correlation of the two.

    Returns
    -------
    TestResult
        The first less the second, with limits and p.

    Examples
    --------
    >>> apart((0.9, 0.8, 0.95), (0.7, 0.6, 0.8))
    TestResult(0.2 [0.05858, 0.3118], p = 0.00557, square-and-add of both intervals)

    References
    ----------
    G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect measures: a
    general approach, Statistics in Medicine 27. R. G. Newcombe (1998), Interval estimation for the
    difference between independent proportions, Statistics in Medicine 17.
    """
    from scipy.special import ndtr

    check_level(level)
    words, value = "square-and-add of both intervals", one[0] - other[0]
    if not np.isfinite([*one, *other]).all():
        why = "one of the two has no interval"
        return TestResult(nan, value, level=level, method=words, reason=why)
    low, high = square_and_add(one, other, together)
    reach = value - low if value > 0 else high - value
    z = 0.0 if not value else quantile(level) * abs(value) / reach if reach else inf
    return TestResult(2 * float(ndtr(-z)), value, low, high, z, level=level, method=words)


def differ(
    low: ArrayLike,
    high: ArrayLike,
    level: float = 0.95,
    *,
    together: ArrayLike | None = None,
    df: float = inf,
) -> TestResult:
    """Whether several estimates of one quantity differ, from their confidence intervals.

    Each interval stands for a centre c = (low + high)/2 and a variance v = ((high - low)/(2 q))^2,
    q the quantile of its level. Intervals that know the ends of a range, such as Wilson's, have
    centres drawn in from it, so that 0 errors in 20 rows count as few, not as certainly none
    (Agresti and Caffo 2000). With S the covariance (diagonal unless rows of one group are in
    several slices), Q = (C c)' (C S C')^-1 (C c) over differences C is chi-squared with k - 1
    degrees of freedom; where S comes from `df` + 1 groups, Q (df - k + 2)/(df (k - 1)) is F with
    k - 1 and df - k + 2, as Hotelling's T.

    Parameters
    ----------
    low, high : array of float
        The limits of each; those without (NaN) are left out.
    level : float
        The level of these intervals.
    together : array (k, k), optional
        The correlations of the estimates.
    df : float
        Degrees of freedom of the variances: groups less one.

    Returns
    -------
    TestResult
        With p and the statistic; `reason` where there is nothing to compare.

    Raises
    ------
    InputError
        If there is not one high for each low.

    Examples
    --------
    >>> round(differ([0.1, 0.1, 0.16], [0.2, 0.2, 0.26]).p, 4)
    0.1582
    >>> differ([0.1, 0.1], [0.2, 0.2]).p
    1.0

    References
    ----------
    A. Agresti and B. Caffo (2000), Simple and effective confidence intervals for proportions and
    differences of proportions, The American Statistician 54. W. G. Cochran (1954), The combination
    of estimates from different experiments, Biometrics 10.
    """
    check_level(level)
    limits = np.stack([np.asarray(low, np.float64), np.asarray(high, np.float64)])
    if limits.ndim != 2:
        raise InputError(f"differ: one low and one high each, got an array of shape {limits.shape}")
    known = np.flatnonzero(np.isfinite(limits).all(axis=0) & (limits[1] > limits[0]))
    k, words = known.size, f"chi-squared test that {known.size} slices are alike"
    if k < 2:
        why = "fewer than two of them have an interval, so there is nothing to compare"
        return TestResult(level=level, method=words, reason=why)
    spread = (limits[1] - limits[0])[known] / (2 * quantile(level))
    correlation = np.eye(k) if together is None else np.asarray(together)[np.ix_(known, known)]
    centre = limits[:, known].mean(axis=0)
    return _contrasts(centre, correlation * np.outer(spread, spread), df, level, words)


def _contrasts(centre: Array, covariance: Array, df: float, level: float, words: str) -> TestResult:
    from scipy.special import chdtrc, fdtrc

    k = centre.size
    contrast = np.eye(k)[1:] - np.eye(k)[0]
    gaps = contrast @ centre
    try:
        q = float(gaps @ np.linalg.solve(contrast @ covariance @ contrast.T, gaps))
    except np.linalg.LinAlgError:
        return TestResult(level=level, method=words, reason="the slices vary as one")
    if not isfinite(df):
        p, freedom = float(chdtrc(k - 1, q)), k - 1.0
        return TestResult(p, statistic=q, df=freedom, level=level, method=words, n=float(k))
    rest = df - k + 2
    if rest < 1:
        why = f"{df + 1:.0f} groups are too few to compare {k} slices that share them"
        return TestResult(level=level, method=words, reason=why)
    f = q * rest / (df * (k - 1))
    return TestResult(
        float(fdtrc(k - 1, rest, max(0.0, f))), statistic=f, df=(k - 1.0, float(rest)), level=level,
        method=f"F test that {k} slices are alike, over groups", n=float(k),
    )  # fmt: skip
