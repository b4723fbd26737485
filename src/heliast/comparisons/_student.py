"""What the t tests share."""

from math import isnan, nan, sqrt

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast.comparisons._checks import Floats, unvarying
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult


def student(
    difference: Floats,
    size: float,
    factor: float,
    df: float,
    level: float,
    method: str,
    more: float = 0.0,
) -> TestResult:
    """Student's t with variance v = `factor` s^2 + `more`: the test, and mean +- t sqrt(v)."""
    from scipy.special import stdtr

    n = float(difference.size)
    value = float(difference.mean())
    if not difference.any() and not more > 0:
        return TestResult(
            1.0, 0.0, statistic=0.0, df=df, level=level, method=method, n=n, n_effective=n,
            notes=(IDENTICAL,), reason=UNVARYING,
        )  # fmt: skip
    if unvarying(difference, size) and not more > 0:
        return TestResult(
            value=value, df=df, level=level, method=method, n=n, n_effective=n, reason=UNVARYING
        )
    se = sqrt(spread(difference, factor) ** 2 + more)
    t = value / se if se else nan
    half = quantile(level, df) * se
    p = float(2 * stdtr(df, -abs(t)))
    if isnan(p):
        raise InputError("the squares of these differences are no longer numbers: rescale them")
    return TestResult(p, value, value - half, value + half, t, df, level, method, n, n)


def spread(difference: Floats, factor: float) -> float:
    """sqrt(factor) s, s with n - 1."""
    return sqrt(factor) * float(difference.std(ddof=1))
