"""The paired t test over identical folds."""

from heliast._core.level import check_level
from heliast.comparisons._checks import differences
from heliast.comparisons._record import TestResult
from heliast.comparisons._student import student


def paired_t(a: object, b: object, level: float = 0.95) -> TestResult:
    """Student's t on the differences of two models over the same folds.

    t = sqrt(K) mean(d) / s with K - 1 degrees of freedom, s^2 = sum (d - mean)^2 / (K - 1). Kept
    as the documents have it: training sets of folds overlap, so over repeated folds it finds
    differences that are not there far too often (30 to 50% at 5% for 5 times 10 folds). For
    folds use `corrected_t`; this one is right for independent pairs, such as fresh samples.
    Undefined (with a reason) if all differences are equal and not 0.

    >>> found = paired_t([7, 8, 3, 12, 9], [6, 6, 5, 10, 7])
    >>> round(found.statistic, 3), found.df
    (1.291, 4.0)
    """
    check_level(level)
    difference, size = differences(a, b, what="fold value")
    n = difference.size
    return student(difference, size, 1 / n, n - 1.0, level, "paired t")
