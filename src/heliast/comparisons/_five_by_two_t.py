"""Dietterich's 5x2 cross-validated t test."""

from math import sqrt

from heliast.comparisons._five_by_two import NO_INTERVAL, halves
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult


def five_by_two_t(a: object, b: object) -> TestResult:
    """The t test over five repeats of two halves (Dietterich 1998).

    t = d_11 / sqrt(mean of the five s_i^2) with 5 degrees of freedom, s_i^2 the variance of the
    two halves' differences of repeat i. Only the first difference is tested, so the order of the
    halves matters; `five_by_two_f` uses all ten. `a` and `b` are errors (or any measure), one row
    a repeat. `value` is the mean of all ten differences.

    >>> a = [[0.21, 0.25], [0.24, 0.2], [0.22, 0.27], [0.23, 0.21], [0.25, 0.24]]
    >>> b = [[0.17, 0.24], [0.21, 0.2], [0.2, 0.22], [0.2, 0.18], [0.19, 0.23]]
    >>> round(five_by_two_t(a, b).statistic, 3)
    1.754
    """
    from scipy.special import stdtr

    difference, variance = halves(a, b)
    value, method = float(difference.mean()), "5x2 t"
    if not difference.any():
        return TestResult(
            1.0, 0.0, statistic=0.0, df=5.0, method=method, n=10, n_effective=10,
            notes=(IDENTICAL,), reason=NO_INTERVAL,
        )  # fmt: skip
    if not variance.any():
        return TestResult(
            value=value, df=5.0, method=method, n=10, n_effective=10, reason=UNVARYING
        )
    t = float(difference[0, 0]) / sqrt(float(variance.mean()))
    return TestResult(
        float(2 * stdtr(5, -abs(t))), value, statistic=t, df=5.0, method=method, n=10,
        n_effective=10, reason=NO_INTERVAL,
    )  # fmt: skip
