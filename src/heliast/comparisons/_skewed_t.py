"""Student's t of row differences that may be skewed, or come in groups."""

from math import fsum, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.errors import InputError
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import Floats, differences, unvarying
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult
from heliast.estimates import acceleration, dominated, untwisted

Array = npt.NDArray[Any]


def skewed_t(a: object, b: object, level: float = 0.95, *, group: object = None) -> TestResult:
    """Whether the mean of per-row differences is 0, whatever their shape: any row loss, one set.

    With T = (mean - m) / se and c = skewness / sqrt(n), both T (Student) and
    T + c T^2/3 + c^2 T^3/27 + c/6 (Hall 1992) are taken as Student's; p is the larger of the two,
    the interval has the outer ends of both. Student's alone rejects too much if differences are
    skewed, Hall's alone if tails are long on both sides. With groups, their sums take the place of
    rows (`_core.clusters.adjusted`), with one degree of freedom less than there are equal groups.
    Any measure can be tested by its value plus the influence of each row. All differences 0:
    p = 1; all the same otherwise: no p, with a reason.

    Parameters
    ----------
    a, b : array of float
        The losses of two models on the same rows, or any values whose means are compared.
    level : float
        The level of the interval.
    group : array, optional
        The group of each row, if rows of a group vary together.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p.

    Examples
    --------
    >>> skewed_t([0.9, 0.4, 0.7, 0.3, 0.8, 0.6], [0.5, 0.3, 0.6, 0.4, 0.2, 0.1])
    TestResult(0.2667 [-0.02788, 0.5534], p = 0.067, skewness-corrected t)

    References
    ----------
    P. Hall (1992), On the removal of skewness by transformation, JRSS B 54.
    """
    check_level(level)
    difference, size = differences(a, b, what="row loss")
    n, value = float(difference.size), fsum(difference) / difference.size
    words = "skewness-corrected t" + ("" if group is None else " by group")
    if not difference.any():
        return TestResult(
            1.0, 0.0, statistic=0.0, level=level, method=words, n=n, n_effective=0.0,
            notes=(IDENTICAL,), reason=UNVARYING,
        )  # fmt: skip
    # Worked where the mean is positive, rows in order: swaps and shuffles change nothing.
    sign = -1.0 if value < 0 else 1.0
    units, df = _units(sign * difference - abs(value), group)
    total = float((units**2).sum())
    if unvarying(difference, size) or total <= 1e-24 * size**2:
        return TestResult(value=value, level=level, method=words, n=n, reason=UNVARYING)
    se, lean = sqrt(total) / n, 6 * acceleration(units)
    p = max(_p(abs(value) / se, df, tilt) for tilt in (0.0, lean))
    q = quantile(level, df)
    low = abs(value) - se * max(q, untwisted(q, lean))
    high = abs(value) + se * max(q, -untwisted(-q, lean))
    low, high = (low, high) if sign > 0 else (-high, -low)
    return TestResult(
        p, value, low, high, value / se, df, level, words, n, float(np.count_nonzero(difference)),
        dominated(lean),
    )  # fmt: skip


def _units(centred: Floats, group: object) -> tuple[Array, float]:
    """What varies on its own, so that the sum of squares over n^2 is the variance; its df."""
    if group is None:
        n = centred.size
        return np.sort(centred) * sqrt(n / (n - 1)), n - 1.0
    names = np.asarray(group)
    if names.shape != centred.shape:
        raise InputError(f"group: shape {names.shape}, but there are {centred.size} rows")
    place = np.unique(names, return_inverse=True)[1]
    rows = np.bincount(place)
    if rows.size < 2:
        raise InputError("group: all rows are in one group, so nothing varies on its own")
    return adjusted(np.bincount(place, weights=centred), rows), equal_groups(rows) - 1.0


def _p(t: float, df: float, lean: float) -> float:
    """Of Student's t, or of the transform that takes out its lean."""
    from scipy.special import stdtr

    twisted = t + lean * t**2 / 3 + lean**2 * t**3 / 27 + lean / 6
    return float(2 * stdtr(df, -abs(twisted)))
