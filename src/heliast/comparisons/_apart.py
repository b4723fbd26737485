"""Estimates from rows that lie apart, such as slices of a table: do they differ, and which do."""

from collections.abc import Sequence
from math import inf, isfinite, nan

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._mover import added
from heliast.comparisons._record import TestResult

_FEW = "fewer than two of them have an interval, so there is nothing to compare"


def differ(
    low: ArrayLike,
    high: ArrayLike,
    level: float = 0.95,
    *,
    together: ArrayLike | None = None,
    df: float = inf,
) -> TestResult:
    """Whether several estimates of one quantity differ at all, told from their intervals.

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
        How the estimates are correlated.
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
    ends = np.stack([np.asarray(one, np.float64) for one in (low, high)])
    if ends.ndim != 2:
        raise InputError(f"differ: one low and one high each, got an array of shape {ends.shape}")
    known = np.flatnonzero(np.isfinite(ends).all(axis=0) & (ends[1] > ends[0]))
    k = known.size
    words = f"chi-squared test that {k} slices are alike"
    if k < 2:
        return TestResult(level=level, method=words, reason=_FEW)
    centre = ends[:, known].mean(axis=0)
    spread = (ends[1] - ends[0])[known] / (2 * quantile(level))
    alike = np.eye(k) if together is None else np.asarray(together)[np.ix_(known, known)]
    covariance = alike * np.outer(spread, spread)
    return _of_contrasts(centre, covariance, df, level, words)


def _of_contrasts(
    centre: Array, covariance: Array, df: float, level: float, words: str
) -> TestResult:
    from scipy.special import chdtrc, fdtrc

    k = centre.size
    contrast = np.eye(k)[1:] - np.eye(k)[0]
    apart, between = contrast @ centre, contrast @ covariance @ contrast.T
    try:
        q = float(apart @ np.linalg.solve(between, apart))
    except np.linalg.LinAlgError:
        return TestResult(level=level, method=words, reason="the slices vary as one")
    if not isfinite(df):
        p = float(chdtrc(k - 1, q))
        return TestResult(p, statistic=q, df=float(k - 1), level=level, method=words, n=float(k))
    left = df - k + 2
    if left < 1:
        why = f"{df + 1:.0f} groups are too few to compare {k} slices that share them"
        return TestResult(level=level, method=words, reason=why)
    statistic = q * left / (df * (k - 1))
    p = float(fdtrc(k - 1, left, max(0.0, statistic)))
    degrees = (float(k - 1), float(left))
    words = f"F test that {k} slices are alike, over groups"
    return TestResult(p, statistic=statistic, df=degrees, level=level, method=words, n=float(k))


def apart(
    one: Sequence[float], other: Sequence[float], level: float = 0.95, together: float = 0.0
) -> TestResult:
    """The difference of two estimates from rows that lie apart, told from their intervals.

    The distances to their limits, squared and added (Zou and Donner 2008): for rates with Wilson's
    limits that is Newcombe's interval. p is 1 less the level at which limits that grow with the
    normal quantile would meet 0, so that it agrees with the interval at `level`.

    Parameters
    ----------
    one, other : three floats
        Value, low and high of each.
    level : float
        The level of these intervals, and of that of the difference.
    together : float
        How the two are correlated.

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
    words = "square-and-add of both intervals"
    if not np.isfinite([*one, *other]).all():
        why = "one of the two has no interval"
        value = one[0] - other[0]
        return TestResult(nan, value, level=level, method=words, reason=why)
    (a, low_a, high_a), (b, low_b, high_b) = one, other
    value, down = a - b, added(a - low_a, high_b - b, together)
    up = added(high_a - a, b - low_b, together)
    reach = down if value > 0 else up
    z = inf if reach == 0 and value else 0.0 if not value else quantile(level) * abs(value) / reach
    p = 2 * float(ndtr(-z))
    return TestResult(p, value, value - down, value + up, z, level=level, method=words)
