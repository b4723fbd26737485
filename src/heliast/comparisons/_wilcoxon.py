"""Wilcoxon's signed-rank test, zeros by Pratt."""

from math import sqrt

import numpy as np

from heliast._core.errors import NotEnoughData
from heliast._core.level import check_level
from heliast.comparisons._checks import Floats, differences, too_few
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult
from heliast.comparisons._signed_ranks import EXACT, hodges_lehmann, law

LEAST = 6
"""Fewer pairs cannot reach p < 0.05, even if all point the same way (2 / 2^5 = 0.0625)."""


def wilcoxon(a: object, b: object, level: float = 0.95) -> TestResult:
    """Whether two models differ over several data sets (Wilcoxon 1945).

    The sizes of all differences are ranked, zeros included, ties at their mean rank; the zeros'
    ranks are then left out (Pratt 1959) and the ranks of the positive differences added up to W.
    Under the null each sign is a fair coin: p is exact up to 200 pairs, with ties and zeros too,
    and normal beyond. `value` is the Hodges-Lehmann estimate, the median of all averages of two
    differences (each with itself too); the interval inverts the test, ties left aside.
    Differences that are rounding (0.3 - 0.2 and 0.2 - 0.1) count as tied. Refused below 6 pairs.

    >>> a = [0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.95]
    >>> b = [0.78, 0.70, 0.91, 0.67, 0.82, 0.77, 0.90]
    >>> wilcoxon(a, b)
    TestResult(0.03 [0.005, 0.05], p = 0.0469, Wilcoxon signed rank, exact; zeros by Pratt)
    """
    check_level(level)
    difference, size = differences(a, b, least=1, what="data set value")
    n = float(difference.size)
    if not difference.any():
        return TestResult(
            1.0, 0.0, statistic=0.0, level=level, method="Wilcoxon signed rank", n=n,
            n_effective=0.0, notes=(IDENTICAL,), reason=UNVARYING,
        )  # fmt: skip
    if n < LEAST:
        raise NotEnoughData(
            f"{n:g} pairs: with fewer than {LEAST} data sets no Wilcoxon p below 0.05 exists; "
            "add data sets, or show the differences without a test"
        )
    statistic, p, words = _signed_rank(_tied(difference, size))
    centre = hodges_lehmann(difference, level)
    effective = int(np.count_nonzero(difference))
    return TestResult(
        p, centre.value, centre.low, centre.high, statistic, level=level,
        method=f"Wilcoxon signed rank, {words}; zeros by Pratt", n=n, n_effective=float(effective),
        notes=too_few(effective), reason=centre.reason,
    )  # fmt: skip


def _tied(difference: Floats, size: float) -> Floats:
    """Differences that differ by rounding alone become equal."""
    digits = 12 - int(np.floor(np.log10(size)))
    return np.asarray(np.round(difference, digits)) if abs(digits) < 300 else difference


def _signed_rank(difference: Floats) -> tuple[float, float, str]:
    """(W, p, how)."""
    from scipy.special import ndtr
    from scipy.stats import rankdata

    # Doubled, so that mean ranks of ties are whole.
    doubled = np.rint(2 * rankdata(np.abs(difference))).astype(np.int64)
    total = int(doubled[difference > 0].sum())
    ranks = doubled[difference != 0]
    if difference.size <= EXACT:
        chance = law(ranks)
        p = 2 * float(min(chance[: total + 1].sum(), chance[total:].sum()))
        return total / 2, min(1.0, p), "exact"
    z = (total - ranks.sum() / 2) / sqrt(float((ranks.astype(float) ** 2).sum()) / 4)
    return total / 2, float(2 * ndtr(-abs(z))), "normal"
