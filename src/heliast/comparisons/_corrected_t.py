"""The corrected resampled t test."""

from math import inf

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast.comparisons._checks import differences, share_of_tests
from heliast.comparisons._record import TestResult
from heliast.comparisons._student import spread, student


def corrected_t(
    a: object,
    b: object,
    n_train: object,
    n_test: object,
    df: float | None = None,
    level: float = 0.95,
    groups: float | None = None,
    *,
    between: float = 0.0,
    least: float = 0.0,
    n: float = inf,
) -> TestResult:
    """The t test over J overlapping splits of Nadeau and Bengio (2003).

    t = mean(d) / sqrt(s^2 (1/J + n_test/n_train)): the second term stands for what the splits'
    common training rows hide. `df=None` takes J - 1 degrees of freedom, as Weka does, and rejects
    up to 10% of true nulls at 5%; K - 1 for (repeated) K-fold rejects up to 7%. `n_train` and
    `n_test` are one number, or one for each split. Where rows come in `groups`, 1/J is 1/groups at
    least: more splits find no others to test on. Undefined (with a reason) if all differences
    are equal and not 0.

    Folds dealt by class have the same share of each class, so their spread lacks what the shares
    would add: `between` is that variance, sum_c share_c (d_c - d)^2 / n with d_c the mean
    difference in class c and n the rows behind it; degrees of freedom are then Satterthwaite's.
    `least` is the variance that models which do not depend on their training rows would have.

    >>> a, b = [0.20, 0.25, 0.15, 0.30, 0.22], [0.18, 0.20, 0.16, 0.24, 0.20]
    >>> corrected_t(a, b, n_train=80, n_test=20)
    TestResult(0.028 [-0.02368, 0.07968], p = 0.207, corrected t, 4 degrees of freedom)
    """
    check_level(level)
    difference, size = differences(a, b, what="split value")
    splits = difference.size
    if df is not None and not 0 < df < float("inf"):
        raise InputError(f"df={df}: degrees of freedom are positive; None takes one less than J")
    if groups is not None and not groups >= 2:
        raise InputError(f"groups={groups}: at least two are needed; None if rows are independent")
    told = splits if groups is None else min(splits, groups)
    factor = 1 / told + share_of_tests(n_train, n_test, splits)
    freedom = splits - 1.0 if df is None else float(df)
    within = spread(difference, factor) ** 2
    more = max(between, least - within)
    if more > 0:
        total = within + more
        freedom = total**2 / (within**2 / freedom + more**2 / max(1.0, n - 1))
    words = f"corrected t, {freedom:.3g} degrees of freedom"
    return student(difference, size, factor, freedom, level, words, more)
