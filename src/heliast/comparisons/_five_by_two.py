"""Tests over five repeats of two halves: Dietterich's t and Alpaydin's F."""

from math import sqrt
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast.comparisons._checks import Floats, numbers, snapped
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import SPLITS, Answer, Asked, comparison, of_values
from heliast.comparisons._splits import Splits

NO_INTERVAL = "this test has no interval: its spread is not that of the mean difference"
_DF = (10.0, 5.0)


def five_by_two_t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """The t test over five repeats of two halves (Dietterich).

    t = d_11 / sqrt(mean of the five s_i^2) with 5 degrees of freedom, s_i^2 the variance of the
    two halves' differences of repeat i. Only the first difference is tested, so the order of the
    halves matters; `five_by_two_f` uses all ten. `value` is the mean of all ten differences.

    Parameters
    ----------
    a, b : array of float, shape (5, 2)
        Errors (or any measure) of two models, one row a repeat.

    Returns
    -------
    TestResult
        The mean difference a - b and p; no interval.

    Raises
    ------
    InputError
        If there are not five repeats of two halves, or values are not finite.

    Examples
    --------
    >>> a = [[0.21, 0.25], [0.24, 0.2], [0.22, 0.27], [0.23, 0.21], [0.25, 0.24]]
    >>> b = [[0.17, 0.24], [0.21, 0.2], [0.2, 0.22], [0.2, 0.18], [0.19, 0.23]]
    >>> round(five_by_two_t(a, b).statistic, 3)
    1.754

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification
    learning algorithms, Neural Computation 10.
    """
    from scipy.special import stdtr

    difference, variance = _halves(a, b)
    t = float(difference[0, 0]) / sqrt(float(variance.mean())) if variance.any() else 0.0
    p = float(2 * stdtr(5, -abs(t)))
    return _found("five_by_two_t", "5x2 t", difference, variance, p, t, 5.0)


def five_by_two_f(a: ArrayLike, b: ArrayLike) -> TestResult:
    """The F test over five repeats of two halves (Alpaydin).

    F = sum of the ten d^2 / (2 sum of the five s_i^2) with 10 and 5 degrees of freedom. Unlike
    `five_by_two_t` it does not depend on the order of the halves. It rejected 9% of true nulls at
    5% for unpruned trees. `value` is the mean of the ten differences.

    Parameters
    ----------
    a, b : array of float, shape (5, 2)
        Errors (or any measure) of two models, one row a repeat.

    Returns
    -------
    TestResult
        The mean difference a - b and p; no interval.

    Raises
    ------
    InputError
        If there are not five repeats of two halves, or values are not finite.

    Examples
    --------
    >>> a = [[0.21, 0.25], [0.24, 0.2], [0.22, 0.27], [0.23, 0.21], [0.25, 0.24]]
    >>> b = [[0.17, 0.24], [0.21, 0.2], [0.2, 0.22], [0.2, 0.18], [0.19, 0.23]]
    >>> round(five_by_two_f(a, b).statistic, 3)
    2.115

    References
    ----------
    E. Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning
    algorithms, Neural Computation 11.
    """
    from scipy.special import fdtrc

    difference, variance = _halves(a, b)
    f = float((difference**2).sum() / (2 * variance.sum())) if variance.any() else 0.0
    p = float(fdtrc(*_DF, f))
    return _found("five_by_two_f", "5x2 F", difference, variance, p, f, _DF)


def _found(
    test: str, method: str, difference: Floats, variance: Floats, p: float, statistic: float,
    df: float | tuple[float, float],
) -> TestResult:  # fmt: skip
    said: dict[str, Any] = {"df": df, "method": method, "n": 10, "n_effective": 10, "test": test}
    value = float(difference.mean())
    if not difference.any():
        return TestResult(1.0, 0.0, statistic=0.0, reason=NO_INTERVAL, flags=(SAME,), **said)
    if not variance.any():
        return TestResult(value=value, reason=UNVARYING, **said)
    return TestResult(p, value, statistic=statistic, reason=NO_INTERVAL, **said)


def _halves(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """(differences 5 by 2, the five variances s_i^2 = sum over halves of (d - mean)^2)."""
    first, second = _five(a, "a"), _five(b, "b")
    size = float(max(np.abs(first).max(), np.abs(second).max()))
    difference = snapped(first - second, size)
    gap = snapped(difference[:, 0] - difference[:, 1], size)
    return difference, gap**2 / 2


def _five(values: ArrayLike, name: str) -> Floats:
    found = numbers(values, name)
    if found.shape not in ((5, 2), (10,)):
        raise InputError(
            f"{name}: expected five repeats of two halves, shape (5, 2), got {found.shape}"
        )
    return found.reshape(5, 2)


# --- as compare asks for them ------------------------------------------------------------------


def _no_halves(field: Splits) -> str:
    ten = (field.design.repeats, field.count, field.design.folds) == (5, 10, True)
    return "" if ten else "needs 5 repeats of 2 folds (the plan FiveByTwo)"


@comparison("five_by_two_t", (SPLITS,), refuses=_no_halves)
def _t(field: Splits, asked: Asked) -> Answer:
    return Answer(of_values(field, lambda x, y, level: five_by_two_t(x, y)))


@comparison("five_by_two_f", (SPLITS,), refuses=_no_halves)
def _f(field: Splits, asked: Asked) -> Answer:
    return Answer(of_values(field, lambda x, y, level: five_by_two_f(x, y)))
