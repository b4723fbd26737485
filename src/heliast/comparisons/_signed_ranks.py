"""Two models over several data sets, by the signs and ranks of their differences."""

from dataclasses import replace
from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.errors import NotEnoughData
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import Floats, differences, few_pairs
from heliast.comparisons._record import TestResult, no_difference
from heliast.comparisons._registry import SETS, Answer, Asked, Values, comparison, of_values

# Most pairs for which the distribution is computed, not approximated by the normal.
EXACT = 200
# Most pairs for which all their averages are taken.
MOST_PAIRS = 5000
# Fewer pairs cannot reach p < 0.05, even if all point the same way (2 / 2^5 = 0.0625).
LEAST = 6
NULLS = (
    "Wilcoxon tests whether differences are symmetric about 0, the sign test whether each model "
    "is as often the better one"
)


def wilcoxon(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> TestResult:
    """Wilcoxon signed-rank test of two models over several data sets, zeros by Pratt.

    The sizes of all differences are ranked, zeros included, ties at their mean rank; the zeros'
    ranks are then left out (Pratt) and the ranks of the positive differences added up to W.
    Under the null, differences symmetric about 0, each sign is a fair coin: p is exact up to 200
    pairs, with ties and zeros too, and normal beyond. `value` is the Hodges-Lehmann estimate, the
    median of all averages of two differences (each with itself too); the interval inverts the
    test, ties left aside. Differences that are rounding (0.3 - 0.2 and 0.2 - 0.1) count as tied.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one for each data set, in the same order.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult
        The difference a - b, its interval and p.

    Raises
    ------
    NotEnoughData
        Below 6 pairs, where no p below 0.05 exists.
    InputError
        If values do not pair, or are not finite.

    Examples
    --------
    >>> a = [0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.95]
    >>> b = [0.78, 0.70, 0.91, 0.67, 0.82, 0.77, 0.90]
    >>> wilcoxon(a, b)
    TestResult(0.03 [0.005, 0.05], p = 0.0469, Wilcoxon signed rank, exact; zeros by Pratt)

    References
    ----------
    F. Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1; J. W.
    Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, Journal of the
    American Statistical Association 54.
    """
    check_level(level)
    difference, size = differences(a, b, least=1, what="data set value")
    n, effective = difference.size, int(np.count_nonzero(difference))
    fields: dict[str, Any] = {
        "level": level, "n": float(n), "n_effective": float(effective), "test": "wilcoxon",
    }  # fmt: skip
    if not effective:
        return no_difference(method="Wilcoxon signed rank", **fields)
    if n < LEAST:
        raise NotEnoughData(
            f"{n} pairs: with fewer than {LEAST} data sets no Wilcoxon p below 0.05 exists; "
            "add data sets, or show the differences without a test"
        )
    digits = 12 - int(np.floor(np.log10(size)))
    tied = np.round(difference, digits) if abs(digits) < 300 else difference
    statistic, p, words = _signed_rank(tied)
    centre = hodges_lehmann(difference, level)
    return TestResult(
        p, centre.value, centre.low, centre.high, statistic,
        method=f"Wilcoxon signed rank, {words}; zeros by Pratt", notes=few_pairs(effective),
        reason=centre.reason, **fields,
    )  # fmt: skip


def _signed_rank(difference: Floats) -> tuple[float, float, str]:
    """(W, p, how)."""
    from scipy.special import ndtr
    from scipy.stats import rankdata

    # Doubled, so that mean ranks of ties are whole.
    doubled = np.rint(2 * rankdata(np.abs(difference))).astype(np.int64)
    total = int(doubled[difference > 0].sum())
    ranks = doubled[difference != 0]
    if difference.size <= EXACT:
        chance = rank_sum_distribution(ranks)
        p = 2 * float(min(chance[: total + 1].sum(), chance[total:].sum()))
        return total / 2, min(1.0, p), "exact"
    z = (total - ranks.sum() / 2) / sqrt(float((ranks.astype(float) ** 2).sum()) / 4)
    return total / 2, float(2 * ndtr(-abs(z))), "normal"


class Centre(NamedTuple):
    """The pseudo-median and its limits, or why there are none."""

    value: float
    low: float = nan
    high: float = nan
    reason: str = ""


def rank_sum_distribution(ranks: npt.NDArray[np.int64]) -> Floats:
    """P(sum = 0), P(sum = 1), ... of the ranks that a fair coin makes positive.

    >>> rank_sum_distribution(np.array([1, 2])).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    chance = np.zeros(int(ranks.sum()) + 1)
    chance[0] = 1.0
    for rank in ranks:
        half = chance / 2
        chance = half.copy()
        chance[rank:] += half[: half.size - rank]
    return chance


def hodges_lehmann(difference: Floats, level: float) -> Centre:
    """The median of the averages of all pairs (i <= j), and the limits that the test accepts."""
    n = difference.size
    if n > MOST_PAIRS:
        return Centre(nan, reason=f"no Hodges-Lehmann estimate above {MOST_PAIRS} pairs")
    i, j = np.triu_indices(n)
    averages = np.sort((difference[i] + difference[j]) / 2)
    value = float(np.median(averages))
    # How many averages, counting the limit, may lie at or below the lower limit.
    if n > EXACT:
        se = sqrt(n * (n + 1) * (2 * n + 1) / 24)
        k = int(n * (n + 1) / 4 - quantile(level) * se)
    else:
        k = _tail(np.cumsum(rank_sum_distribution(np.arange(1, n + 1))), level)
    if k < 1:
        return Centre(value, reason=f"{n} pairs cannot give an interval at level {level:g}")
    return Centre(value, float(averages[k - 1]), float(averages[-k]))


def _tail(cumulative: Floats, level: float) -> int:
    """How many values have a cumulative probability up to (1 - level) / 2, rounding aside."""
    return int(np.searchsorted(cumulative, (1 - level) / 2 * (1 + 1e-9), side="right"))


def sign_test(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> TestResult:
    """Sign test that a is as often above b as below.

    Pairs without difference are left out; the number above is binomial(m, 1/2) under the null and
    p is exact. `value` is the median difference (all pairs), between the two order statistics
    that hold the population's median with at least `level`.

    Parameters
    ----------
    a, b : array of float
        The values of two models, in the same order.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult
        The median difference a - b, its interval and p.

    Raises
    ------
    InputError
        If values do not pair, or are not finite.

    Examples
    --------
    >>> sign_test([3, 5, 4, 6, 7, 8, 9, 5], [2, 4, 4, 5, 6, 7, 8, 6])
    TestResult(1 [-1, 1], p = 0.125, sign test)

    References
    ----------
    J. Arbuthnott (1710), An argument for divine providence, Philosophical Transactions 27.
    """
    from scipy.special import bdtr

    check_level(level)
    difference, _ = differences(a, b, least=1)
    n, effective = difference.size, int(np.count_nonzero(difference))
    above = int((difference > 0).sum())
    fields: dict[str, Any] = {
        "level": level, "method": "sign test", "n": float(n), "n_effective": float(effective),
        "test": "sign_test",
    }  # fmt: skip
    if not effective:
        return no_difference(**fields)
    p = min(1.0, 2 * float(bdtr(min(above, effective - above), effective, 0.5)))
    low, high, reason, ordered = nan, nan, "", np.sort(difference)
    # The k-th smallest and largest: P(fewer than k of n below the median) <= (1 - level) / 2.
    k = _tail(bdtr(np.arange(n, dtype=float), n, 0.5), level)
    if k < 1:
        reason = f"{n} pairs cannot give an interval at level {level:g}"
    else:
        low, high = float(ordered[k - 1]), float(ordered[-k])
    return TestResult(
        p, float(np.median(difference)), low, high, float(above), notes=few_pairs(effective),
        reason=reason, **fields,
    )  # fmt: skip


# --- for compare -------------------------------------------------------------------------------


@comparison("wilcoxon", (SETS,), auto=1)
def _ranks(field: Values, asked: Asked) -> Answer:
    def test(a: Floats, b: Floats, level: float) -> TestResult:
        result, signs = wilcoxon(a, b, level), sign_test(a, b, level)
        wins, ties = int(signs.statistic), int(signs.n - signs.n_effective)
        count = f"{wins} above, {int(signs.n_effective) - wins} below, {ties} ties"
        return replace(result, notes=(*result.notes, f"sign test: p = {signs.p:.3g} ({count})"))

    return Answer(of_values(field, test), "Wilcoxon signed ranks", notes=(NULLS,))


@comparison("sign_test", (SETS,))
def _signs(field: Values, asked: Asked) -> Answer:
    return Answer(of_values(field, sign_test))
