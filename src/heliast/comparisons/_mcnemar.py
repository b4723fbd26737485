"""Right or wrong on one test set: McNemar's test of two models, Cochran's Q of several."""

from math import isfinite, nan, sqrt
from typing import Literal, NamedTuple

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast._core.proportions import wilson_limits
from heliast.comparisons._mover import square_and_add
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison

ChiSquare = Literal["plain", "corrected"]
# Fewer rows on which models disagree, times models, and chi-square is rough (Cochran).
FEW = 24


class Limits(NamedTuple):
    """Confidence limits and the name of their method."""

    low: float
    high: float
    words: str


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
    """McNemar's test that two models have the same error rate on the same rows.

    Only rows on which exactly one is wrong count. With k the smaller and m the sum of the two
    counts, X binomial(m, 1/2): the default mid-p value is 2 P(X <= k) - P(X = k). No discordant
    row: p = 1.

    Parameters
    ----------
    only_a_wrong, only_b_wrong : float
        The rows on which one model alone is wrong.
    exact : bool
        2 P(X <= k) instead, which rejects less often than it may.
    chi_square : {"plain", "corrected"}, optional
        (b - c)^2 / m instead, `corrected` with |b - c| - 1.
    n : float, optional
        The number of test rows: with it, `value` is the error rate of a minus that of b, and has
        an interval.
    both_wrong : float, optional
        The rows on which both are wrong: with it the interval is Newcombe's, else that of Bonett
        and Price.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult
        p and, as far as the counts allow, the difference of the error rates.

    Raises
    ------
    InputError
        If counts are not whole, negative, or more than n.

    Examples
    --------
    >>> mcnemar(9, 2)
    TestResult(p = 0.0386, McNemar, mid-p)
    >>> mcnemar(9, 2, n=100, both_wrong=5)
    TestResult(0.07 [0.002074, 0.1447], p = 0.0386, McNemar, mid-p; Newcombe interval)

    References
    ----------
    Q. McNemar (1947), Note on the sampling error of the difference between correlated proportions
    or percentages, Psychometrika 12; M. W. Fagerland, S. Lydersen and P. Laake (2013), The McNemar
    test for binary matched-pairs data, BMC Medical Research Methodology 13.
    """
    check_level(level)
    a, b = _count(only_a_wrong, "only_a_wrong"), _count(only_b_wrong, "only_b_wrong")
    if chi_square not in (None, "plain", "corrected"):
        raise InputError(f"chi_square={chi_square!r}: choose 'plain', 'corrected' or None")
    if exact and chi_square:
        raise InputError("exact=True and chi_square=... exclude each other: choose one")
    if n is None and both_wrong is not None:
        raise InputError("both_wrong: give n=, the number of test rows, too")
    if chi_square:
        p, statistic, words = _chi_square(a, b, corrected=chi_square == "corrected")
    else:
        p, statistic, words = _binomial(a, b, exact)
    value, limits, rows = nan, Limits(nan, nan, ""), nan
    if n is not None:
        rows, both = _count(n, "n"), _count(both_wrong or 0, "both_wrong")
        if rows < max(a + b + both, 1):
            raise InputError(f"n={n}: there are already {a + b + both:g} rows with an error")
        value, limits = (a - b) / rows, bonett_price(a, b, rows, level)
        if both_wrong is not None:
            limits = newcombe(both, a, b, rows - both - a - b, level)
    reason = "" if n is not None else "give n= for the difference of the error rates"
    return TestResult(
        p, value, limits.low, limits.high, statistic, 1.0 if chi_square else nan, level,
        words + limits.words, rows, a + b, reason=reason, test="mcnemar",
        flags=() if a + b else (SAME,),
    )  # fmt: skip


def _chi_square(a: float, b: float, corrected: bool) -> tuple[float, float, str]:
    from scipy.special import chdtrc

    gap = max(abs(a - b) - corrected, 0.0)
    statistic = gap**2 / (a + b) if a + b else 0.0
    words = "McNemar, chi-square" + (", corrected" if corrected else "")
    return float(chdtrc(1, statistic)), statistic, words


def _binomial(a: float, b: float, exact: bool) -> tuple[float, float, str]:
    from scipy.special import bdtr

    words, m, k = "McNemar, exact" if exact else "McNemar, mid-p", int(a + b), min(a, b)
    if a == b:
        return 1.0, a, words
    tail = float(bdtr(k, m, 0.5))
    # 2 P(X <= k) - P(X = k) as a sum of tails: the probability of k alone would lose digits.
    other = tail if exact else float(bdtr(k - 1, m, 0.5)) if k else 0.0
    return min(1.0, tail + other), a, words


def _count(value: float, name: str) -> float:
    try:
        count = float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}={value!r}: expected a number of rows") from error
    if not (isfinite(count) and count >= 0 and count == int(count)):
        raise InputError(f"{name}={value!r}: a number of rows is whole and not negative")
    return count


def newcombe(both: float, only_a: float, only_b: float, neither: float, level: float) -> Limits:
    """Newcombe's interval of the difference of paired rates (1998, method 10).

    Square-and-add of the Wilson limits of each rate with their correlation phi. Where phi is
    positive its numerator is made n/2 smaller, but not negative, as few discordant rows make it
    look too large.

    >>> limits = newcombe(36, 12, 2, 0, 0.95)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.0569, 0.3404)
    """
    n = both + only_a + only_b + neither
    a, b = both + only_a, both + only_b
    product = a * (n - a) * b * (n - b)
    cross = both * neither - only_a * only_b
    if cross > 0:
        cross = max(0.0, cross - n / 2)
    phi = cross / sqrt(product) if product else 0.0
    own = [(rate, *wilson_limits(rate, n, level)) for rate in (a / n, b / n)]
    low, high = square_and_add(own[0], own[1], phi)
    return Limits(max(-1.0, low), min(1.0, high), "; Newcombe interval")


def bonett_price(only_a: float, only_b: float, n: float, level: float) -> Limits:
    """Wald's interval with one row added to each discordant cell (Bonett and Price 2012)."""
    p, q = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    half = quantile(level) * sqrt((p + q - (p - q) ** 2) / (n + 2))
    return Limits(max(-1.0, p - q - half), min(1.0, p - q + half), "; Bonett-Price interval")


def cochran_q(correct: ArrayLike) -> TestResult:
    """Cochran's test that several models have the same error rate on the same rows.

    With G the sums of the k columns and L those of the rows,
    Q = (k - 1)(k sum G^2 - (sum G)^2) / (k sum L - sum L^2), chi-square with k - 1 degrees of
    freedom. Rows on which all models agree do not count (`n_effective` is the number of the
    others). For two models it is McNemar's chi-square. No such row: p = 1.

    Parameters
    ----------
    correct : array of bool
        A row for each test row and a column for each model: true where it is right.

    Returns
    -------
    TestResult
        p of all models being equal.

    Raises
    ------
    InputError
        If this is no table of true and false with at least two models.

    Examples
    --------
    >>> rows = [[1, 1, 0]] * 6 + [[1, 0, 0]] * 3 + [[0, 1, 1]] * 2 + [[1, 1, 1]] * 9
    >>> cochran_q(rows)
    TestResult(p = 0.0201, Cochran Q)

    References
    ----------
    W. G. Cochran (1950), The comparison of percentages in matched samples, Biometrika 37.
    """
    from scipy.special import chdtrc

    array = np.asarray(correct)
    if array.ndim != 2 or array.shape[1] < 2 or not array.shape[0]:
        raise InputError(
            f"correct: expected rows by models (at least two), got shape {array.shape}"
        )
    if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
        raise InputError("correct: expected true (right) or false (wrong) for each row and model")
    table = array.astype(np.int64)
    n, k = table.shape
    right, models = table.sum(axis=1), table.sum(axis=0)
    effective = int(((right > 0) & (right < k)).sum())
    between = (k - 1) * (k * (models**2).sum() - models.sum() ** 2)
    q = float(between) / float((right * (k - right)).sum()) if effective else 0.0
    notes: tuple[str, ...] = ()
    if 0 < k * effective < FEW:
        notes = (f"the models disagree on {effective} rows only: chi-square is rough here",)
    return TestResult(
        float(chdtrc(k - 1, q)), statistic=q, df=k - 1.0, method="Cochran Q", n=float(n),
        n_effective=float(effective), notes=notes, test="cochran_q",
        flags=() if effective else (SAME,),
    )  # fmt: skip


# --- for compare -------------------------------------------------------------------------------


def _no_errors(field: Paired) -> str:
    if field.wrong is None:
        if field.graded:
            return "compares answers that are right or wrong, one attempt at each item"
        return f"compares error or accuracy, not {field.measure.title}"
    return field.drawn_alone


@comparison("mcnemar", (ONE,), auto=1, refuses=_no_errors)
def _mcnemar(field: Paired, asked: Asked) -> Answer:
    wrong = field.wrong or {}

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        x, y = wrong[a], wrong[b]
        a_wrong, b_wrong = int((x & ~y).sum()), int((y & ~x).sum())
        only = (b_wrong, a_wrong) if field.better == "high" else (a_wrong, b_wrong)
        return mcnemar(*only, n=x.size, both_wrong=int((x & y).sum()), level=level)

    why = "right or wrong: McNemar's test (mid-p) on the rows where one of two models errs"
    if len(field.models) == 2:
        return Answer(pair, why)
    return Answer(pair, f"{why}, Cochran's Q for all models at once", _cochran(field, asked))


@comparison("cochran_q", (ONE,), kind="omnibus", refuses=_no_errors)
def _cochran(field: Paired, asked: Asked) -> TestResult:
    return cochran_q(~np.stack(list((field.wrong or {}).values()), axis=1))
