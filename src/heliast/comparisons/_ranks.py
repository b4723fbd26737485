"""Several models over several data sets: Friedman's test, its F form, and Nemenyi's pairs."""

from math import factorial, inf, prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level
from heliast.comparisons._checks import ROUNDING, Better, Floats, check_better, check_table
from heliast.comparisons._record import SAME, NemenyiResult, RankResult
from heliast.comparisons._registry import SETS, Asked, Values, comparison


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
