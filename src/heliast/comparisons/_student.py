"""Student's t over splits: plain, and corrected for what splits share."""

from math import inf, isnan, nan, sqrt
from typing import Any

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import Floats, differences, share_of_tests, unvarying
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import SETS, SPLITS, Answer, Asked, comparison, of_values
from heliast.comparisons._splits import Splits

PLAIN = "paired t takes splits as independent and finds too much: 30 to 50% of true nulls at 5%"
MEAN = (
    "TestResult: The mean difference a - b, its interval and p; without p, and with a reason, if "
    "all differences are equal and not 0."
)


def paired_t(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> TestResult:
    """Student's t on the differences of two models over the same folds.

    t = sqrt(K) mean(d) / s with K - 1 degrees of freedom, s^2 = sum (d - mean)^2 / (K - 1). Kept
    as the documents have it: training sets of folds overlap, so over repeated folds it finds
    differences that are not there far too often (30 to 50% at 5% for 5 times 10 folds). For
    folds use `corrected_t`; this one is right for independent pairs, such as fresh samples.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one a fold, in the same order.
    level : float
        The level of the interval.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p; without p, and with a reason, if all
        differences are equal and not 0.

    Raises
    ------
    InputError
        If values do not pair, or are not finite.

    Examples
    --------
    >>> found = paired_t([7, 8, 3, 12, 9], [6, 6, 5, 10, 7])
    >>> round(found.statistic, 3), found.df
    (1.291, 4.0)

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6.
    """
    check_level(level)
    difference, size = differences(a, b, what="fold value")
    n = difference.size
    return _student("paired_t", "paired t", difference, size, 1 / n, n - 1.0, level)


def corrected_t(
    a: ArrayLike,
    b: ArrayLike,
    n_train: ArrayLike,
    n_test: ArrayLike,
    df: float | None = None,
    level: float = 0.95,
    groups: float | None = None,
    *,
    between: float = 0.0,
    least: float = 0.0,
    n: float = inf,
) -> TestResult:
    """The t test over J overlapping splits of Nadeau and Bengio.

    t = mean(d) / sqrt(s^2 (1/J + n_test/n_train)): the second term stands for what the splits'
    common training rows hide. With J - 1 degrees of freedom, as Weka has it, up to 10% of true
    nulls are rejected at 5%; with K - 1 for (repeated) K-fold up to 7%.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one a split, in the same order.
    n_train, n_test : float or array of float
        The rows of a training and of a test set, one number or one for each split.
    df : float, optional
        Degrees of freedom; J - 1 if not given.
    level : float
        The level of the interval.
    groups : float, optional
        The number of groups that rows come in: 1/J is then 1/groups at least, as more splits find
        no others to test on.
    between : float
        Folds dealt by class have the same share of each class, so that their spread lacks what the
        shares would add: this is that variance, sum_c share_c (d_c - d)^2 / n, with d_c the mean
        difference in class c. Degrees of freedom are then Satterthwaite's.
    least : float
        The variance that models which do not depend on their training rows would have.
    n : float
        The rows behind `between` and `least`.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p; without p, and with a reason, if all
        differences are equal and not 0.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or sizes, df or groups are impossible.

    Examples
    --------
    >>> a, b = [0.20, 0.25, 0.15, 0.30, 0.22], [0.18, 0.20, 0.16, 0.24, 0.20]
    >>> corrected_t(a, b, n_train=80, n_test=20)
    TestResult(0.028 [-0.02368, 0.07968], p = 0.207, corrected t, 4 degrees of freedom)

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52.
    """
    check_level(level)
    difference, size = differences(a, b, what="split value")
    splits = difference.size
    if df is not None and not 0 < df < inf:
        raise InputError(f"df={df}: degrees of freedom are positive; None takes one less than J")
    if groups is not None and not groups >= 2:
        raise InputError(f"groups={groups}: at least two are needed; None if rows are independent")
    apart = splits if groups is None else min(splits, groups)
    factor = 1 / apart + share_of_tests(n_train, n_test, splits)
    freedom = splits - 1.0 if df is None else float(df)
    within = spread(difference, factor) ** 2
    more = max(between, least - within)
    if more > 0:
        total = within + more
        freedom = total**2 / (within**2 / freedom + more**2 / max(1.0, n - 1))
    words = f"corrected t, {freedom:.3g} degrees of freedom"
    return _student("corrected_t", words, difference, size, factor, freedom, level, more)


def _student(
    test: str, method: str, difference: Floats, size: float, factor: float, df: float,
    level: float, more: float = 0.0,
) -> TestResult:  # fmt: skip
    """Student's t with variance v = `factor` s^2 + `more`: the test, and mean +- t sqrt(v)."""
    from scipy.special import stdtr

    n, value = float(difference.size), float(difference.mean())
    said: dict[str, Any] = {
        "df": df, "level": level, "method": method, "n": n, "n_effective": n, "test": test,
    }  # fmt: skip
    if not difference.any() and not more > 0:
        return TestResult(1.0, 0.0, statistic=0.0, reason=UNVARYING, flags=(SAME,), **said)
    if unvarying(difference, size) and not more > 0:
        return TestResult(value=value, reason=UNVARYING, **said)
    se = sqrt(spread(difference, factor) ** 2 + more)
    t, half = value / se if se else nan, quantile(level, df) * se
    p = float(2 * stdtr(df, -abs(t)))
    if isnan(p):
        raise InputError("the squares of these differences are no longer numbers: rescale them")
    return TestResult(p, value, value - half, value + half, t, **said)


def spread(difference: Floats, factor: float) -> float:
    """sqrt(factor) s, s with n - 1."""
    return sqrt(factor) * float(difference.std(ddof=1))


# --- as compare asks for them ------------------------------------------------------------------


@comparison("corrected_t", (SPLITS,), auto=1)
def _corrected(field: Splits, asked: Asked) -> Answer:
    design, rows, df = field.ratio(), field.row_variation, field.df

    def test(a: str, b: str, level: float, again: bool = False) -> TestResult:
        x, y = field.by_model[a] - rows.moved(a), field.by_model[b] - rows.moved(b)
        result = corrected_t(
            x, y, design.n_train or 0.0, design.n_test, df, level, field.groups,
            between=rows.between(a, b), least=rows.least(a, b), n=design.n,
        )  # fmt: skip
        return field.told(a, b, result)

    freedom = f"{df:.3g} degree{'' if df == 1 else 's'} of freedom"
    return Answer(test, f"share training rows: corrected t with {freedom}")


@comparison("paired_t", (SPLITS, SETS))
def _paired(field: Any, asked: Asked) -> Answer:
    return Answer(of_values(field, paired_t), notes=(PLAIN,) if field.here == SPLITS else ())
