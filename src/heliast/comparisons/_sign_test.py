"""The sign test: on how many pairs is a above b?"""

import numpy as np

from heliast._core.level import check_level
from heliast.comparisons._checks import Floats, differences, too_few
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult


def sign_test(a: object, b: object, level: float = 0.95) -> TestResult:
    """Whether a is as often above b as below, whatever the sizes (Arbuthnott 1710).

    Pairs without difference are left out; the number above is binomial(m, 1/2) under the null and
    p is exact. `value` is the median difference (all pairs), between the two order statistics
    that hold the population's median with at least `level`.

    >>> sign_test([3, 5, 4, 6, 7, 8, 9, 5], [2, 4, 4, 5, 6, 7, 8, 6])
    TestResult(1 [-1, 1], p = 0.125, sign test)
    """
    from scipy.special import bdtr

    check_level(level)
    difference, _ = differences(a, b, least=1)
    n, above = float(difference.size), int((difference > 0).sum())
    effective = int(np.count_nonzero(difference))
    if not effective:
        return TestResult(
            1.0, 0.0, statistic=0.0, level=level, method="sign test", n=n, n_effective=0.0,
            notes=(IDENTICAL,), reason=UNVARYING,
        )  # fmt: skip
    p = min(1.0, 2 * float(bdtr(min(above, effective - above), effective, 0.5)))
    low, high, reason = _limits(np.sort(difference), level)
    return TestResult(
        p, float(np.median(difference)), low, high, float(above), level=level, method="sign test",
        n=n, n_effective=float(effective), notes=too_few(effective), reason=reason,
    )  # fmt: skip


def _limits(ordered: Floats, level: float) -> tuple[float, float, str]:
    """The k-th smallest and largest: P(fewer than k of n below the median) <= (1 - level) / 2."""
    from scipy.special import bdtr

    n = ordered.size
    below = bdtr(np.arange(n, dtype=float), n, 0.5)
    k = int(np.searchsorted(below, (1 - level) / 2 * (1 + 1e-9), side="right"))
    if k < 1:
        return float("nan"), float("nan"), f"{n} pairs cannot give an interval at level {level:g}"
    return float(ordered[k - 1]), float(ordered[-k]), ""
