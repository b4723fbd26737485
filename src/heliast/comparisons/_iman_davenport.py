"""Iman and Davenport's form of Friedman's test."""

from math import factorial, inf, prod

from heliast.comparisons._checks import Better
from heliast.comparisons._friedman import ranked
from heliast.comparisons._record import IDENTICAL, RankResult


def iman_davenport(table: object, better: Better = "high") -> RankResult:
    """Friedman's test with an F law, which holds its level better (Iman and Davenport 1980).

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom, chi2
    corrected for ties. If every data set ranks the models the same way F is infinite; p is then
    the chance (1/k!)^(N-1) that all rankings agree with the first (fewer ways if there are ties).

    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.95, 0.9, 0.9], [0.7, 0.6, 0.5]]
    >>> iman_davenport(table)
    RankResult(p = 0.0227, Iman-Davenport)
    """
    from scipy.special import fdtrc

    found = ranked(table, better)
    n, k, chi_square = found.rows, found.models, found.chi_square
    df = (k - 1.0, (k - 1.0) * (n - 1))
    left = n * (k - 1) - chi_square
    notes: tuple[str, ...] = () if found.effective else (IDENTICAL,)
    if left <= 1e-12 * n * k:
        ways = factorial(k) // prod(factorial(found.ranks.count(r)) for r in set(found.ranks))
        f, p = inf, ways ** (1.0 - n)
        notes = ("every data set ranks the models the same way",)
    else:
        f = (n - 1) * chi_square / left
        p = float(fdtrc(*df, f))
    return RankResult(
        p, statistic=f, df=df, method="Iman-Davenport", n=float(n),
        n_effective=float(found.effective), notes=notes, ranks=found.ranks,
    )  # fmt: skip
