"""Confidence limits of each form on its own scale, as plain functions of numbers.

Every function takes the value, its standard error (or the number of independent rows that it is
worth), the confidence level and, where a variance was estimated from few units, the degrees of
freedom of Student's t; it returns (low, high).
"""

from collections.abc import Callable
from math import cbrt, exp, inf, isfinite, isnan, log, sqrt
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.proportions import guarded_limits
from heliast.estimates._record import Scale

Bounds = tuple[float, float]
Ends = tuple[float, float]
FEW_OF_A_CLASS = 200
"""Below this many rows in the smaller class DeLong's interval covers too little: .79 at 20
positives and AUC .9 (STATISTICS, section 2)."""
HALVINGS = 60


# --- rates -----------------------------------------------------------------------------------


def rate_limits(value: float, n_effective: float, level: float, df: float | None = None) -> Ends:
    """Wilson's limits with so many rows, exact ones where few rows lie on a side.

    >>> [round(end, 4) for end in rate_limits(0.85, 100, 0.95)]
    [0.7672, 0.9069]
    """
    low, high = guarded_limits(value, n_effective, level, df)
    # Student's quantile stands for Wilson's, so rounding may leave the value outside.
    return float(min(low, value)), float(max(high, value))


# --- values between bounds -------------------------------------------------------------------


def clipped(low: float, high: float, bounds: Bounds) -> Ends:
    """The limits, cut where the measure cannot go."""
    return max(bounds[0], low), min(bounds[1], high)


def scale_of(value: float, bounds: Bounds) -> Scale:
    """The scale on which limits are symmetric: logit between two bounds, log above or below one.

    Without bounds, or at a bound, it is `plain`; between -1 and 1 the logit is the atanh.
    """
    if value <= bounds[0] or value >= bounds[1] or not (isfinite(bounds[0]) or isfinite(bounds[1])):
        return "plain"
    return "logit" if isfinite(bounds[0]) and isfinite(bounds[1]) else "log"


def scaled(value: float, se: float, q: float, bounds: Bounds) -> tuple[float, float, Scale]:
    """(low, high, scale): q standard errors on the scale of the bounds, and back.

    >>> low, high, name = scaled(0.9, 0.05, 1.96, (0.0, 1.0))
    >>> round(low, 3), round(high, 3), name
    (0.752, 0.964, 'logit')
    """
    least, most = bounds
    below, above = value - least, most - value
    scale = scale_of(value, bounds)
    if scale == "plain":
        return (*clipped(value - q * se, value + q * se, bounds), scale)
    if scale == "logit":
        middle, half = log(below / above), q * se * (most - least) / (below * above)
        low, high = _share(middle - half), _share(middle + half)
        return least + (most - least) * low, least + (most - least) * high, scale
    if isfinite(least):
        half = q * se / below
        return least + below * _exp(-half), least + below * _exp(half), scale
    half = q * se / above
    return most - above * _exp(half), most - above * _exp(-half), scale


def _exp(x: float) -> float:
    return exp(x) if x < 700 else inf


def _share(x: float) -> float:
    """1 / (1 + exp(-x)) without overflow."""
    return 1 / (1 + _exp(-x)) if x >= 0 else _exp(x) / (1 + _exp(x))


def logit_limits(
    value: float, se: float, level: float, df: float | None = None, bounds: Bounds = (0.0, 1.0)
) -> Ends:
    """Limits symmetric on the logit scale between two bounds; plain ones at a bound."""
    return scaled(value, se, quantile(level, df), bounds)[:2]


# --- areas under the ROC curve ---------------------------------------------------------------


def plain_variance(area: float, sizes: tuple[float, float]) -> float:
    """The variance of an AUC, from its value and the class sizes alone.

    a(1-a) / (n1 n0) * [1 + ((n1 + n0)/2 - 1) ((1-a)/(2-a) + a/(1+a))]: Hanley and McNeil's, with
    the average class size in place of each (Newcombe 2006, method 4).
    """
    n1, n0 = sizes
    ratio = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) / (n1 * n0) * (1 + ((n1 + n0) / 2 - 1) * ratio)


def score_limits(area: float, variance: float, sizes: tuple[float, float], q: float) -> Ends:
    """Where (area - a)^2 = q^2 c V(a), c = max(1, variance / V(area)), below and above the area."""
    here = plain_variance(area, sizes)
    factor = 1.0 if isnan(variance) or here <= 0 else max(1.0, variance / here)

    def excess(a: float) -> float:
        return (area - a) ** 2 - q**2 * factor * plain_variance(a, sizes)

    # At either end V is 0, so the excess is positive there and negative at the area itself.
    low = 0.0 if area <= 0 else _root(excess, 0.0, min(area, 1 - 1e-15))
    high = 1.0 if area >= 1 else _root(excess, max(area, 1e-15), 1.0)
    return low, high


def _root(excess: Callable[[float], float], start: float, stop: float) -> float:
    """Where the excess changes its sign; halving needs no import of scipy.optimize."""
    above = excess(start) > 0
    if excess(start) * excess(stop) >= 0:
        return start if start > 0 else stop  # the area is within rounding of an end
    for _ in range(HALVINGS):
        middle = (start + stop) / 2
        start, stop = (middle, stop) if (excess(middle) > 0) == above else (start, middle)
    return (start + stop) / 2


# --- means -----------------------------------------------------------------------------------


def mean_limits(
    value: float, se: float, level: float, df: float | None = None, skewness: float = 0.0
) -> Ends:
    """Student's t limits of a mean; with its skewness those of Hall's transformed t.

    `skewness` is that of the mean itself: of the rows, over sqrt(n). With T = (mean - m)/se and a
    this skewness, T + a T^2/3 + a^2 T^3/27 + a/6 is nearly Student's.

    References: P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal
    Statistical Society B 54.

    >>> [round(end, 3) for end in mean_limits(1.0, 0.1, 0.95, 50, skewness=0.4)]
    [0.842, 1.335]
    """
    q = quantile(level, df)
    return value - se * untwisted(q, skewness), value - se * untwisted(-q, skewness)


def tail_limits(
    value: float, se: float, level: float, df: float | None = None, skewness: float = 0.0
) -> Ends:
    """Hall's limits for long tails: the outer ones at the skewness a seen, and at a (1 + 2 |a|).

    The few rows of a sample show too little of a long tail, the less the more one of them decides.
    The mean of squared errors from normal, Laplace, t5, t3 and heteroscedastic log-normal laws is
    covered .962, .969, .958, .943, .904 of the time at n = 50, and .960, .958, .950, .935, .965 at
    n = 200, where Hall's limits cover .949, .934, .915, .838, .827 and .953, .944, .923, .852, .883
    (4,000 samples each, Monte Carlo error .003 to .006).
    """
    plain = mean_limits(value, se, level, df, skewness)
    larger = mean_limits(value, se, level, df, skewness * (1 + 2 * abs(skewness)))
    return min(plain[0], larger[0]), max(plain[1], larger[1])


def untwisted(t: float, a: float) -> float:
    """The T whose Hall transform is t, at skewness a of the mean."""
    return t if abs(a) < 1e-9 else 3 / a * (cbrt(1 + a * (t - a / 6)) - 1)


# --- sums ------------------------------------------------------------------------------------


def mover(
    values: Any, weights: Any, limits: Any, correlate: Callable[[Array], Array] | None = None
) -> Ends:
    """MOVER: limits of sum w_i p_i from the limits (m, 2) of each p_i.

    The distances to the limits are squared and added, low = sum - sqrt(d' R d) with
    d_i = w_i (p_i - l_i); a negative weight swaps the limits. `correlate` multiplies a vector by
    the correlation matrix R; without it the p_i are independent.

    References: G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27.

    >>> low, high = mover([0.8, 0.6], [0.5, 0.5], [(0.7, 0.87), (0.5, 0.69)])
    >>> round(low, 3), round(high, 3)
    (0.629, 0.757)
    """
    values, weights, limits = (np.asarray(part, np.float64) for part in (values, weights, limits))
    down, up = values - limits[:, 0], limits[:, 1] - values
    total, positive = float(weights @ values), weights > 0
    distances = weights * np.where(positive, down, up), weights * np.where(positive, up, down)
    below, above = (
        sqrt(max(0.0, float(d @ (d if correlate is None else correlate(d))))) for d in distances
    )
    return total - below, total + above
