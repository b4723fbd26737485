"""Right or wrong on one test set: McNemar's test of two models, Cochran's Q of several."""

from math import isfinite, nan, sqrt
from typing import Literal, NamedTuple

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._mover import added
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.estimates import wilson_limits

ChiSquare = Literal["plain", "corrected"]
_FEW = 24


class Limits(NamedTuple):
    """The ends and how the method is called."""

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
    """Whether two models err equally often on the same rows.

    Only rows on which exactly one errs count. With k the smaller and m the sum of the two counts,
    X binomial(m, 1/2): the default mid-p value is 2 P(X <= k) - P(X = k). No discordant row: p = 1.

    Parameters
    ----------
    only_a_wrong, only_b_wrong : float
        The rows on which one model alone errs.
    exact : bool
        2 P(X <= k) instead, which rejects less often than it may.
    chi_square : {"plain", "corrected"}, optional
        (b - c)^2 / m instead, `corrected` with |b - c| - 1.
    n : float, optional
        The number of test rows: with it, `value` is the error of a minus that of b, and has an
        interval.
    both_wrong : float, optional
        The rows on which both err: with it the interval is Newcombe's square-and-add, else that of
        Bonett and Price.
    level : float
        The level of the interval.

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
    p, statistic, df, words = _tested(a, b, exact, chi_square)
    value, limits = _difference(a, b, n, both_wrong, level)
    reason = "" if n is not None else "give n= for the difference of the error rates"
    return TestResult(
        p, value, limits.low, limits.high, statistic, df, level, words + limits.words,
        nan if n is None else float(n), a + b, reason=reason, test="mcnemar",
        flags=() if a + b else (SAME,),
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


def newcombe(both: float, only_a: float, only_b: float, none: float, level: float) -> Limits:
    """Square-and-add with the correlation of the two rates (Newcombe 1998, method 10).

    The distances of each rate to its Wilson limits are added as squares, less twice their product
    times phi. Where phi is positive its numerator is made n/2 smaller, but not negative, as few
    discordant rows make it look too large.

    >>> limits = newcombe(36, 12, 2, 0, 0.95)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.0569, 0.3404)
    """
    n = both + only_a + only_b + none
    rate_a, rate_b = (both + only_a) / n, (both + only_b) / n
    low_a, high_a = wilson_limits(rate_a, n, level)
    low_b, high_b = wilson_limits(rate_b, n, level)
    phi = _phi(both, only_a, only_b, none)
    value = (only_a - only_b) / n
    down = added(rate_a - low_a, high_b - rate_b, phi)
    up = added(high_a - rate_a, rate_b - low_b, phi)
    return Limits(max(-1.0, value - down), min(1.0, value + up), "; Newcombe interval")


def _phi(both: float, only_a: float, only_b: float, none: float) -> float:
    product = (both + only_a) * (only_b + none) * (both + only_b) * (only_a + none)
    if product == 0:
        return 0.0
    cross = both * none - only_a * only_b
    if cross > 0:
        cross = max(0.0, cross - (both + only_a + only_b + none) / 2)
    return cross / sqrt(product)


def bonett_price(only_a: float, only_b: float, n: float, level: float) -> Limits:
    """Wald with one row added to each discordant cell (Bonett and Price 2012).

    It needs the discordant rows and n alone.
    """
    p, q = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    half = quantile(level) * sqrt((p + q - (p - q) ** 2) / (n + 2))
    return Limits(max(-1.0, p - q - half), min(1.0, p - q + half), "; Bonett-Price interval")


def cochran_q(correct: ArrayLike) -> TestResult:
    """Whether all models err equally often on the same rows.

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

    table = _correct(correct)
    n, k = table.shape
    right = table.sum(axis=1)
    effective = int(((right > 0) & (right < k)).sum())
    if not effective:
        return TestResult(
            1.0, statistic=0.0, df=k - 1.0, method="Cochran Q", n=float(n), n_effective=0.0,
            test="cochran_q", flags=(SAME,),
        )  # fmt: skip
    models = table.sum(axis=0)
    above = (k - 1) * (k * (models**2).sum() - models.sum() ** 2)
    q = float(above) / float((right * (k - right)).sum())
    notes: tuple[str, ...] = ()
    if k * effective < _FEW:
        notes = (f"the models disagree on {effective} rows only: chi-square is rough here",)
    return TestResult(
        float(chdtrc(k - 1, q)), statistic=q, df=k - 1.0, method="Cochran Q", n=float(n),
        n_effective=float(effective), notes=notes, test="cochran_q",
    )  # fmt: skip


def _correct(correct: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    table = np.asarray(correct)
    if table.ndim != 2 or table.shape[1] < 2 or not table.shape[0]:
        raise InputError(
            f"correct: expected rows by models (at least two), got shape {table.shape}"
        )
    if table.dtype != np.bool_ and not np.isin(table, (0, 1)).all():
        raise InputError("correct: expected true (right) or false (wrong) for each row and model")
    return table.astype(np.int64)


# --- as compare asks for them ------------------------------------------------------------------


def _no_errors(field: Paired) -> str:
    if field.table.task == "graded":
        if field.measure.name not in ("grade", "pass@k") or not field.right_or_wrong:
            return "compares answers that are right or wrong, one attempt at each item"
    elif field.measure.name not in ("error", "accuracy"):
        return f"compares error or accuracy, not {field.measure.title}"
    if field.fixed:
        return "takes rows as drawn at random, but their numbers per class were fixed by design"
    return "" if field.group is None else "takes rows as independent, but these come in groups"


def _wrong(field: Paired) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    if field.table.task == "graded":
        low = field.bounds[0]
        return {model: rows.y_pred == low for model, rows in field.rows.items()}
    return {model: rows.y_pred != rows.y_true for model, rows in field.rows.items()}


@comparison("mcnemar", (ONE,), auto=1, refuses=_no_errors)
def _mcnemar(field: Paired, asked: Asked) -> Answer:
    wrong = _wrong(field)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        x, y = wrong[a], wrong[b]
        only = int((x & ~y).sum()), int((y & ~x).sum())
        if field.better == "high":
            only = only[::-1]
        return mcnemar(*only, n=x.size, both_wrong=int((x & y).sum()), level=level)

    why = "right or wrong: McNemar's test (mid-p) on the rows where one of two models errs"
    if len(field.models) == 2:
        return Answer(pair, why)
    return Answer(pair, f"{why}, Cochran's Q for all models at once", _cochran(field, asked))


@comparison("cochran_q", (ONE,), kind="omnibus", refuses=_no_errors)
def _cochran(field: Paired, asked: Asked) -> TestResult:
    return cochran_q(~np.stack(list(_wrong(field).values()), axis=1))
