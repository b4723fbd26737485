"""The Diebold-Mariano test: two models on rows in order of time."""

from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level
from heliast._core.times import FEWEST, long_run
from heliast.comparisons._checks import Floats, differences
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import TestResult, student
from heliast.comparisons._registry import IN_ORDER, Answer, Asked, comparison
from heliast.estimates.resampled import influences


def diebold_mariano(
    a: ArrayLike, b: ArrayLike, horizon: int | None = None, level: float = 0.95
) -> TestResult:
    """Diebold-Mariano test that two models have the same mean loss, in order of time.

    t = mean(d) / sqrt(v), v the variance of the mean of the differences d, which allows for
    neighbours that are alike. With a `horizon` h (forecasts h steps ahead, whose errors less than
    h apart may be correlated) v is that of Diebold and Mariano with the correction of Harvey,
    Leybourne and Newbold: (g_0 + 2 (g_1 + ... + g_{h-1})) / n, g_k the covariance of differences k
    apart, times n^2 / (n (n + 1 - 2 h) + h (h - 1)), with n - 1 degrees of freedom. Without one,
    v is the long-run variance by cosines after an autoregression, with the degrees of freedom of
    its cosines (Coroneo and Iacone 2020). Measured (docs/coverage.md), it rejects about 5% of true
    nulls up to an autocorrelation of 0.6 and at 0.9 up to 11%, where horizon=1 rejects two thirds.

    Parameters
    ----------
    a, b : array of float
        The losses of two models, one for each time, in order of time.
    horizon : int, optional
        How many steps ahead the models look, at least 1; None if losses may be correlated further.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p; without p, and with a reason, if all
        differences are equal and not 0, or their covariances leave no variance.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or the horizon is impossible.
    NotEnoughData
        If there are fewer than 10 times.

    Examples
    --------
    >>> a, b = [3, 1, 2, 4, 2, 3, 5, 4, 3, 2, 4, 3], [2, 1, 2, 2, 1, 3, 4, 2, 3, 1, 2, 3]
    >>> diebold_mariano(a, b, horizon=2)
    TestResult(0.8333 [0.4534, 1.213], p = 0.000529, Diebold-Mariano (HLN), horizon 2)
    >>> round(diebold_mariano(a, b).df, 2)
    1.47

    References
    ----------
    F. X. Diebold and R. S. Mariano (1995), Comparing predictive accuracy, Journal of Business and
    Economic Statistics 13.
    D. Harvey, S. Leybourne and P. Newbold (1997), Testing the equality of prediction mean squared
    errors, International Journal of Forecasting 13.
    L. Coroneo and F. Iacone (2020), Comparing predictive accuracy in small samples using
    fixed-smoothing asymptotics, Journal of Applied Econometrics 35.
    """
    check_level(level)
    difference, size = differences(a, b, what="loss")
    n, value = difference.size, float(difference.mean())
    if n < FEWEST:
        raise NotEnoughData(f"only {n} times: a test needs at least {FEWEST}")
    if horizon is None:
        return _long_run_test(difference, size, value, level)
    if not (isinstance(horizon, int) and 1 <= horizon < n / 2):
        raise InputError(f"horizon={horizon}: give whole steps, at least 1, below half of the rows")
    away = difference - value
    covariances = [float(away[k:] @ away[: n - k]) / n for k in range(horizon)]
    scale = n * (n + 1 - 2 * horizon) + horizon * (horizon - 1)
    variance = (2 * sum(covariances) - covariances[0]) * n / scale
    words = f"Diebold-Mariano (HLN), horizon {horizon}"
    return _t_test(difference, size, value, variance, n - 1.0, words, level)


def _long_run_test(difference: Floats, size: float, value: float, level: float) -> TestResult:
    units, df = long_run(difference[None])
    variance = float((units**2).sum()) / difference.size**2
    words = f"Diebold-Mariano, long-run variance, {df:.3g} degrees of freedom"
    return _t_test(difference, size, value, variance, df, words, level)


def _t_test(
    difference: Floats, size: float, value: float, variance: float, df: float, words: str,
    level: float,
) -> TestResult:  # fmt: skip
    n = float(difference.size)
    fields: dict[str, Any] = {"method": words, "n": n, "test": "diebold_mariano"}
    if variance > 0:
        fields["n_effective"] = n * min(1.0, float(difference.var()) / n / variance)
    return student(value, difference, size, variance, df, level, **fields)


# --- for compare -------------------------------------------------------------------------------


@comparison("diebold_mariano", (IN_ORDER,), auto=1)
def _diebold_mariano(field: Paired, asked: Asked) -> Answer:
    added = {model: _by_time(field, model) for model in field.models}
    n = float(field.shared.n)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        value, difference = field.values[a] - field.values[b], added[a] - added[b]
        result = _long_run_test(difference, float(np.abs(difference).max()), value, level)
        return replace(result, n=n, n_effective=result.n_effective * n / difference.size)

    return Answer(pair, "Diebold-Mariano with the long-run variance of the influence of each time")


def _by_time(field: Paired, model: str) -> Array:
    """The influence of each time on a model's value, times the number of times; mean zero."""
    case = field.cases[model]
    table, psi = case.parts.whole, influences(case)
    if psi is None:
        raise InputError(
            f"the influence of a row on {field.measure.title} is not known, so no test of rows in "
            "order of time can be made; compare by another measure, such as error or brier"
        )
    weight = np.ones(len(table)) if table.weight is None else np.asarray(table.weight, np.float64)
    place = np.unique(np.asarray(table.group), return_inverse=True)[1]
    sums = np.bincount(place, weights=weight * np.where(np.isfinite(psi), psi, 0.0))
    return np.asarray(sums * (sums.size / weight.sum()))
