"""McNemar's test: two models, one test set, right or wrong."""

from math import isfinite, nan
from typing import Literal

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast.comparisons._newcombe import Limits, bonett_price, newcombe
from heliast.comparisons._record import IDENTICAL, TestResult

ChiSquare = Literal["plain", "corrected"]


def mcnemar(
    only_a_wrong: float,
    only_b_wrong: float,
    exact: bool = False,
    *,
    chi_square: ChiSquare | None = None,
    n: float | None = None,
    both_wrong: float | None = None,
    level: float = 0.95,
) -> TestResult:
    """Whether two models err equally often on the same rows (McNemar 1947).

    Only rows on which exactly one errs count. With k the smaller and m the sum of the two counts,
    X binomial(m, 1/2): the default mid-p value is 2 P(X <= k) - P(X = k) (Fagerland, Lydersen and
    Laake 2013), `exact=True` gives 2 P(X <= k), which rejects less often than it may.
    `chi_square` gives (b - c)^2 / m, `corrected` with |b - c| - 1. No discordant row: p = 1.

    With `n`, the number of test rows, `value` is the error of a minus that of b. Its interval is
    Newcombe's square-and-add if `both_wrong` is given too, else that of Bonett and Price (2012).

    >>> mcnemar(9, 2)
    TestResult(p = 0.0386, McNemar, mid-p)
    >>> mcnemar(9, 2, n=100, both_wrong=5)
    TestResult(0.07 [0.002074, 0.1447], p = 0.0386, McNemar, mid-p; Newcombe interval)
    """
    check_level(level)
    a, b = _count(only_a_wrong, "only_a_wrong"), _count(only_b_wrong, "only_b_wrong")
    if chi_square not in (None, "plain", "corrected"):
        raise InputError(f"chi_square={chi_square!r}: choose 'plain', 'corrected' or None")
    if exact and chi_square:
        raise InputError("exact=True and chi_square=... exclude each other: choose one")
    p, statistic, df, words = _tested(a, b, exact, chi_square)
    value, limits = _difference(a, b, n, both_wrong, level)
    notes = (IDENTICAL,) if a + b == 0 else ()
    reason = "" if n is not None else "give n= for the difference of the error rates"
    return TestResult(
        p, value, limits.low, limits.high, statistic, df, level, words + limits.words,
        nan if n is None else float(n), a + b, notes, reason,
    )  # fmt: skip


def _tested(
    a: float, b: float, exact: bool, chi_square: ChiSquare | None
) -> tuple[float, float, float, str]:
    """(p, statistic, df, method)."""
    from scipy.special import bdtr, chdtrc

    m, less = a + b, min(a, b)
    if chi_square:
        gap = max(abs(a - b) - (chi_square == "corrected"), 0.0)
        statistic = gap**2 / m if m else 0.0
        words = "McNemar, chi-square" + (", corrected" if chi_square == "corrected" else "")
        return float(chdtrc(1, statistic)), statistic, 1.0, words
    words = "McNemar, exact" if exact else "McNemar, mid-p"
    if a == b:
        return 1.0, a, nan, words
    tail = float(bdtr(less, int(m), 0.5))
    if exact:
        return min(1.0, 2 * tail), a, nan, words
    # P(X = k) as a difference of tails would lose digits; 2 P(X <= k) - P(X = k) does not.
    return tail + (float(bdtr(less - 1, int(m), 0.5)) if less else 0.0), a, nan, words


def _difference(
    a: float, b: float, n: float | None, both_wrong: float | None, level: float
) -> tuple[float, Limits]:
    if n is None:
        if both_wrong is not None:
            raise InputError("both_wrong: give n=, the number of test rows, too")
        return nan, Limits(nan, nan, "")
    rows = _count(n, "n")
    both = 0.0 if both_wrong is None else _count(both_wrong, "both_wrong")
    if rows < max(a + b + both, 1):
        raise InputError(f"n={n}: there are already {a + b + both:g} rows with an error")
    value = (a - b) / rows
    if both_wrong is None:
        return value, bonett_price(a, b, rows, level)
    return value, newcombe(both, a, b, rows - both - a - b, level)


def _count(value: float, name: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}={value!r}: expected a number of rows") from error
    if not (isfinite(found) and found >= 0 and found == int(found)):
        raise InputError(f"{name}={value!r}: a number of rows is whole and not negative")
    return found
