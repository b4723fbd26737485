"""Models over several data sets: signed ranks and signs of two, ranks of several."""

from dataclasses import replace
from math import factorial, inf, nan, prod, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.errors import NotEnoughData
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import (
    ROUNDING,
    Better,
    Floats,
    check_better,
    check_table,
    differences,
    few_pairs,
)
from heliast.comparisons._record import (
    SAME,
    NemenyiResult,
    RankResult,
    TestResult,
    no_difference,
)
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


# --- several models -----------------------------------------------------------------------------


class MeanRanks(NamedTuple):
    """Mean ranks and Friedman's statistic of a table."""

    rows: int
    models: int
    ranks: tuple[float, ...]
    chi_square: float
    effective: int

    def fields(self, test: str) -> dict[str, Any]:
        """What the results of all tests of ranks have in common."""
        return {
            "n": float(self.rows), "n_effective": float(self.effective), "ranks": self.ranks,
            "test": test, "flags": () if self.effective else (SAME,),
        }  # fmt: skip


def friedman(table: ArrayLike, better: Better = "high") -> RankResult:
    """Friedman's test that the models rank alike over the data sets.

    Within a row the models are ranked, 1 the best, ties at their mean rank; chi-square =
    (k - 1) sum (R_j - N(k+1)/2)^2 / (sum r^2 - N k (k+1)^2 / 4) with k - 1 degrees of freedom,
    R_j the rank sums. That is Friedman's statistic corrected for ties. It rejects too rarely for
    few data sets; see `iman_davenport`. Rows of ties throughout: p = 1.

    Parameters
    ----------
    table : array of float
        A row for each data set, a column for each model.
    better : {"high", "low"}
        Which values are better: "low" for errors.

    Returns
    -------
    RankResult
        p and the mean ranks.

    Raises
    ------
    InputError
        If the table has fewer than two models or values that are not finite.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.95, 0.9, 0.9], [0.7, 0.6, 0.5]])
    >>> result.ranks, round(result.p, 4)
    ((1.25, 1.875, 2.875), 0.0569)

    References
    ----------
    M. Friedman (1937), The use of ranks to avoid the assumption of normality implicit in the
    analysis of variance, Journal of the American Statistical Association 32.
    """
    from scipy.special import chdtrc

    ranks = mean_ranks(table, better)
    statistic, df = ranks.chi_square, ranks.models - 1.0
    p, fields = float(chdtrc(df, statistic)), ranks.fields("friedman")
    return RankResult(p, statistic=statistic, df=df, method="Friedman", **fields)


def iman_davenport(table: ArrayLike, better: Better = "high") -> RankResult:
    """Friedman's test with an F distribution, which controls the Type I error rate better.

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom, chi2
    corrected for ties. If every data set ranks the models the same way F is infinite; p is then
    the chance (1/k!)^(N-1) that all rankings agree with the first (fewer ways if there are ties).

    Parameters
    ----------
    table : array of float
        A row for each data set, a column for each model.
    better : {"high", "low"}
        Which values are better: "low" for errors.

    Returns
    -------
    RankResult
        p and the mean ranks.

    Raises
    ------
    InputError
        If the table has fewer than two models or values that are not finite.

    Examples
    --------
    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.95, 0.9, 0.9], [0.7, 0.6, 0.5]]
    >>> iman_davenport(table)
    RankResult(p = 0.0227, Friedman's test in the form of Iman and Davenport)

    References
    ----------
    M. Friedman (1937), The use of ranks to avoid the assumption of normality implicit in the
    analysis of variance, Journal of the American Statistical Association 32; R. L. Iman and
    J. M. Davenport (1980), Approximations of the critical region of the Friedman statistic,
    Communications in Statistics A 9.
    """
    from scipy.special import fdtrc

    ranks = mean_ranks(table, better)
    n, k, chi_square = ranks.rows, ranks.models, ranks.chi_square
    fields = ranks.fields("iman_davenport")
    df = (k - 1.0, (k - 1.0) * (n - 1))
    rest = n * (k - 1) - chi_square
    if rest <= 1e-12 * n * k:
        tied = (factorial(ranks.ranks.count(rank)) for rank in set(ranks.ranks))
        f, p = inf, (factorial(k) // prod(tied)) ** (1.0 - n)
        fields |= {"notes": ("every data set ranks the models the same way",), "flags": ()}
    else:
        f = (n - 1) * chi_square / rest
        p = float(fdtrc(*df, f))
    words = "Friedman's test in the form of Iman and Davenport"
    return RankResult(p, statistic=f, df=df, method=words, **fields)


def nemenyi(table: ArrayLike, better: Better = "high", level: float = 0.95) -> NemenyiResult:
    """Nemenyi's test of all pairs of models over several data sets, by their mean ranks.

    Mean ranks differ if they are at least CD = q sqrt(k (k + 1) / 12 N) apart, q the quantile of
    the studentized range of k normals. `.critical_difference`, `.ranks` (1 is best), `.pairs`
    (p values) and `.groups` are for the critical-difference diagram; `p` is that of the pair
    furthest apart. Whether two models differ depends here on which others are in the table: for
    a verdict on a pair use `wilcoxon` with `holm`.

    Parameters
    ----------
    table : array of float
        A row for each data set, a column for each model.
    better : {"high", "low"}
        Which values are better: "low" for errors.
    level : float
        1 minus the level of the test.

    Returns
    -------
    NemenyiResult
        The critical difference, mean ranks, and p of each pair.

    Raises
    ------
    InputError
        If the table has fewer than two models or values that are not finite.

    Examples
    --------
    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.95, 0.9, 0.9], [0.7, 0.6, 0.5]]
    >>> result = nemenyi(table)
    >>> round(result.critical_difference, 4), result.groups
    (1.6572, ((0, 1, 2),))

    References
    ----------
    P. Nemenyi (1963), Distribution-free multiple comparisons, Doctoral dissertation, Princeton
    University; J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets,
    Journal of Machine Learning Research 7.
    """
    from scipy.stats import studentized_range

    check_level(level)
    ranks = mean_ranks(table, better)
    k = ranks.models
    se = sqrt(k * (k + 1) / (12 * ranks.rows))
    gaps = np.abs(np.subtract.outer(ranks.ranks, ranks.ranks))
    upper = np.triu_indices(k, 1)
    pairs = np.ones((k, k))
    pairs[upper] = np.clip(studentized_range.sf(gaps[upper] / se, k, inf), 0.0, 1.0)
    pairs = np.minimum(pairs, pairs.T)
    return NemenyiResult(
        float(pairs.min()), statistic=float(gaps.max() / se), level=level, method="Nemenyi",
        critical_difference=float(studentized_range.ppf(level, k, inf)) * se,
        pairs=tuple(map(tuple, pairs.tolist())), **ranks.fields("nemenyi"),
    )  # fmt: skip


def mean_ranks(table: ArrayLike, better: Better) -> MeanRanks:
    """The mean ranks, the statistic, and how many rows are not ties throughout."""
    check_better(better)
    values = check_table(table)
    n, k = values.shape
    ranks = row_ranks(values, better)
    within = float(((ranks - (k + 1) / 2) ** 2).sum())
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    statistic = (k - 1) * between / within if within > 0 else 0.0
    effective = int((np.ptp(ranks, axis=1) > 0).sum())
    return MeanRanks(n, k, tuple(ranks.mean(axis=0).tolist()), statistic, effective)


def row_ranks(values: Floats, better: str) -> Floats:
    """The rank of each value in its row, 1 the best; what differs by rounding alone is tied.

    >>> row_ranks(np.array([[0.1 + 0.2, 0.3, 0.5]]), "low")
    array([[1.5, 1.5, 3. ]])
    """
    from scipy.stats import rankdata

    signed = values if better == "low" else -values
    order = np.argsort(signed, axis=1, kind="stable")
    rising = np.take_along_axis(signed, order, axis=1)
    size = np.abs(values).max(axis=1, keepdims=True)
    step = np.diff(rising, axis=1, prepend=rising[:, :1]) > ROUNDING * size
    places = np.empty(values.shape, np.int64)
    np.put_along_axis(places, order, np.cumsum(step, axis=1), axis=1)
    return np.asarray(rankdata(places, axis=1))


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


def _table(field: Values) -> Floats:
    return np.stack(list(field.by_model.values()), axis=1)


@comparison("friedman", (SETS,), kind="omnibus")
def _friedman(field: Values, asked: Asked) -> RankResult:
    return friedman(_table(field), field.better)


@comparison("iman_davenport", (SETS,), kind="omnibus", auto=1)
def _iman_davenport(field: Values, asked: Asked) -> RankResult:
    return iman_davenport(_table(field), field.better)


@comparison("nemenyi", (SETS,), kind="omnibus")
def _nemenyi(field: Values, asked: Asked) -> NemenyiResult:
    return nemenyi(_table(field), field.better, asked.level)
