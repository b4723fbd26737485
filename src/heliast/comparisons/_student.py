"""What the t tests share."""

from math import isnan, sqrt

from heliast.comparisons._checks import Floats, unvarying
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult
from heliast.estimates._proportion import quantile


def student(
    difference: Floats, size: float, factor: float, df: float, level: float, method: str
) -> TestResult:
    """Student's t with variance `factor` s^2: the test, and mean +- t sqrt(factor) s."""
    from scipy.special import stdtr

    n = float(difference.size)
    value = float(difference.mean())
    if not difference.any():
        return TestResult(
            1.0, 0.0, statistic=0.0, df=df, level=level, method=method, n=n, n_effective=n,
            notes=(IDENTICAL,), reason=UNVARYING,
        )  # fmt: skip
    if unvarying(difference, size):
        return TestResult(
            value=value, df=df, level=level, method=method, n=n, n_effective=n, reason=UNVARYING
        )
    se = spread(difference, factor)
    t = value / se
    half = quantile(level, df) * se
    p = float(2 * stdtr(df, -abs(t)))
    assert not isnan(p)
    return TestResult(p, value, value - half, value + half, t, df, level, method, n, n)


def spread(difference: Floats, factor: float) -> float:
    """sqrt(factor) s, s with n - 1."""
    return sqrt(factor) * float(difference.std(ddof=1))
