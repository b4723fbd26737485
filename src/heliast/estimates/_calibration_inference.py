"""Whether probabilities are calibrated, as clinicians ask: intercept, slope, Z, smooth errors."""

from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level
from heliast._core.records import Shown
from heliast.estimates._drawn import expanded
from heliast.estimates._record import Estimate
from heliast.estimates._scales import mean_limits
from heliast.estimates._spread import in_units, is_sampled, units_of, weights_of
from heliast.measures.summaries import forecasts
from heliast.predictions import Predictions, Rows

FEWEST_GROUPS = 5
SPAN, STEP = 2 / 3, 0.01
CERTAIN = "a forecast is 0 or 1, so its logit is infinite"
ONE_OUTCOME = "all rows have the same outcome"
EQUAL = "all forecasts are equal"
NO_CURVE = "no smooth curve: lowess does not know sampling weights"
ONE_ROW = "no smooth curve: one row shows none"
APART = "the forecasts separate the outcomes perfectly, so the slope has no bound"


@dataclass(frozen=True)
class CalibrationInference(Shown):
    """What recalibration on the logit scale would change, and tests of perfect calibration.

    Parameters
    ----------
    intercept, slope : Estimate
        Best are 0 and 1.
    line : tuple of float
        The recalibration logit = a + b logit(p), whose b is the slope.
    chi2, p : float
        The test of a = 0 and b = 1 together.
    z, z_p : float
        Spiegelhalter's test.
    ici, e50, e90, emax : float
        Mean, median, 90% quantile and maximum of |p - smooth(p)|; they have no interval.
    level : float
        The confidence level of the intervals.
    n : float
        The rows that count.
    notes : tuple of str
        Why a part is undefined.

    Examples
    --------
    >>> table = Predictions.of([0, 0, 1, 0, 1, 1] * 9, y_score=[0.1, 0.3, 0.4, 0.6, 0.7, 0.9] * 9)
    >>> calibration_inference(table).slope.high > 1
    True
    """

    intercept: Estimate
    slope: Estimate
    line: tuple[float, float]
    chi2: float
    p: float
    z: float
    z_p: float
    ici: float
    e50: float
    e90: float
    emax: float
    level: float
    n: float
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        intercept, slope = (
            f"{part.value:.3g} [{part.low:.3g}, {part.high:.3g}]" if part.defined else "undefined"
            for part in (self.intercept, self.slope)
        )
        return (
            f"<CalibrationInference: intercept {intercept}, slope {slope}, p {self.p:.3g}, "
            f"Spiegelhalter's Z {self.z:.3g} (p {self.z_p:.3g}), ICI {self.ici:.3g}, "
            f"E50 {self.e50:.3g}, E90 {self.e90:.3g}>"
        )


def calibration_inference(
    predictions: Predictions | Rows, level: float = 0.95
) -> CalibrationInference:
    """Calibration of the probabilities of two classes: intercept, slope, tests, smooth errors.

    The intercept is that of a logistic regression of the outcome with offset logit(p)
    (calibration in the large: below 0 forecasts are too high), the slope that of logit(p) in one
    with an intercept of its own (below 1: forecasts too extreme). Intervals are Wald's, with the
    larger of the model's standard error and the robust one (by groups, if rows have them, and then
    with Student's t): where the slope is not 1 the intercept varies more than its model says. Z is
    the sum of (y - p)(1 - 2p) over its standard error under calibration. The smooth curve is
    lowess; its errors exceed 0 even for perfect forecasts, so no resampling interval covers them
    and none is given.

    Parameters
    ----------
    predictions : Predictions or Rows
        One model's probabilities of two classes.
    level : float
        The confidence level of the intervals.

    Returns
    -------
    CalibrationInference
        Undefined parts are NaN, with the reason in the estimate or in `notes`.

    Raises
    ------
    InputError
        If there are no probabilities of two classes, or class counts were fixed by design.

    Examples
    --------
    >>> table = Predictions.of([0, 0, 1, 0, 1, 1] * 9, y_score=[0.1, 0.3, 0.4, 0.6, 0.7, 0.9] * 9)
    >>> found = calibration_inference(table)
    >>> round(found.intercept.value, 6), round(found.slope.value, 4), round(found.z, 4)
    (0.0, 1.5048, -1.069)

    References
    ----------
    D. R. Cox (1958), Two further applications of a model for binary regression, Biometrika 45.
    D. J. Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials,
    Statistics in Medicine 5. P. C. Austin and E. W. Steyerberg (2019), The integrated calibration
    index (ICI) and related metrics for quantifying the calibration of logistic regression models,
    Statistics in Medicine 38.
    """
    from scipy.special import chdtrc, ndtr

    check_level(level)
    rows = predictions if isinstance(predictions, Rows) else predictions.rows()
    _check(rows)
    if rows.weight is not None:
        rows = rows.at(rows.weight > 0)  # a weight of 0 is no row
    if not rows.n:
        raise InputError("calibration_inference: there are no rows")
    rows = rows if is_sampled(rows) else expanded(rows)
    p, y = forecasts(rows)
    sample = _Sample(p, y, weights_of(rows) / weights_of(rows).mean(),
                     units_of(rows) if in_units(rows) else None)  # fmt: skip
    intercept, slope, line, chi2 = _recalibration(sample, level)
    no_curve = NO_CURVE if is_sampled(rows) else ONE_ROW if rows.n < 2 else ""
    away = np.full(2, nan) if no_curve else np.abs(p - smooth(p, y))
    middle, most, largest = np.quantile(away, [0.5, 0.9, 1.0]).tolist()
    z = _spiegelhalter(sample)
    z_p = float(2 * ndtr(-abs(z)))
    notes = (no_curve,) if no_curve else ()
    return CalibrationInference(
        intercept, slope, line, chi2, float(chdtrc(2, chi2)), z, z_p, float(away.mean()),
        middle, most, largest, level, float(rows.n), notes,
    )  # fmt: skip


def _check(rows: Rows) -> None:
    what = "calibration_inference"
    if rows.task != "classification" or len(rows.classes) != 2 or rows.score_kind != "probability":
        raise InputError(f"{what}: give probabilities of two classes (scores='probability')")
    if rows.design == "classes":
        raise InputError(f"{what}: class counts were fixed by design, so the intercept is unknown")


class _Sample(NamedTuple):
    """Forecasts, outcomes, weights of mean 1, and the units that vary, if these are not rows."""

    p: Array
    y: Array
    weight: Array
    unit: Array | None


def _recalibration(
    sample: _Sample, level: float
) -> tuple[Estimate, Estimate, tuple[float, float], float]:
    """Intercept, slope, the line of recalibration, and the chi-square of that line against p."""
    p, y, weight, unit = sample
    none = Estimate(nan, level=level, n=float(y.size))
    reason = CERTAIN if ((p == 0) | (p == 1)).any() else ONE_OUTCOME if np.ptp(y) == 0 else ""
    if reason:
        none = replace(none, reason=reason)
        return none, none, (nan, nan), nan
    x, ones = np.log(p) - np.log1p(-p), np.ones((y.size, 1))
    intercept = _coefficient(sample, *_fit(ones, x, y, weight)[:3], level)
    apart = x[y == 0].max() <= x[y == 1].min() or x[y == 1].max() <= x[y == 0].min()
    reason = EQUAL if np.ptp(x) == 0 else APART if apart else ""
    if reason:
        return intercept, replace(none, reason=reason), (nan, nan), nan
    beta, information, scores, fit = _fit(np.hstack([ones, x[:, None]]), 0 * x, y, weight)
    if unit is None:
        chi2 = 2 * (fit - _likelihood(x, y, weight))
    else:
        away = beta - [0.0, 1.0]
        chi2 = float(away @ np.linalg.solve(_robust(information, scores, unit), away))
    slope = _coefficient(sample, beta, information, scores, level)
    return intercept, slope, (float(beta[0]), float(beta[1])), chi2


def _fit(
    design: Array, offset: Array, y: Array, weight: Array
) -> tuple[Array, Array, Array, float]:
    """A logistic regression: coefficients, information, each row's score, log likelihood.

    By Newton's steps, halved while they lower the likelihood.
    """
    beta = np.zeros(design.shape[1])
    fit = _likelihood(offset, y, weight)
    while True:
        mean = (1 + np.tanh((design @ beta + offset) / 2)) / 2
        scores = design * (weight * (y - mean))[:, None]
        information = (design.T * (weight * mean * (1 - mean))) @ design
        step = np.linalg.solve(information, scores.sum(axis=0))
        better = _likelihood(design @ (beta + step) + offset, y, weight)
        while better < fit and np.abs(step).max() > 1e-10:
            step = step / 2
            better = _likelihood(design @ (beta + step) + offset, y, weight)
        if np.abs(step).max() <= 1e-10:
            return beta, information, scores, fit
        beta, fit = beta + step, better


def _robust(information: Array, scores: Array, unit: Array) -> Array:
    """The covariance of coefficients from the sums of scores by unit."""
    inverse = np.linalg.inv(information)
    sums = np.column_stack([np.bincount(unit, weights=part) for part in scores.T])
    count = sums.shape[0]
    return np.asarray(inverse @ (count / (count - 1) * sums.T @ sums) @ inverse)


def _coefficient(
    sample: _Sample, beta: Array, information: Array, scores: Array, level: float
) -> Estimate:
    """The last coefficient with Wald's interval."""
    value, n, unit = float(beta[-1]), float(sample.y.size), sample.unit
    units = None if unit is None else int(unit.max()) + 1
    if units is not None and units < FEWEST_GROUPS:
        reason = f"only {units} groups: an interval needs at least {FEWEST_GROUPS}"
        return Estimate(value, level=level, n=n, reason=reason)
    # A line that does not fit varies more than its information says; few rows show too little
    # of that. So the larger of both, of the model and by units.
    robust = _robust(information, scores, np.arange(sample.y.size) if unit is None else unit)
    variances = [robust[-1, -1], np.linalg.inv(information)[-1, -1]]
    se = sqrt(float(max(variances)))
    low, high = mean_limits(value, se, level, None if units is None else units - 1.0)
    return Estimate(value, low, high, se, level, "logistic recalibration, Wald", n=n)


def _likelihood(eta: Array, y: Array, weight: Array) -> float:
    return float((weight * (y * eta - np.logaddexp(0.0, eta))).sum())


def _spiegelhalter(sample: _Sample) -> float:
    """The sum of (y - p)(1 - 2p) over its standard error if p is right; NaN if that is 0."""
    p, y, weight, unit = sample
    part = weight * (y - p) * (1 - 2 * p)
    variance = float((weight**2 * (1 - 2 * p) ** 2 * p * (1 - p)).sum())
    if unit is not None:
        variance = float((np.bincount(unit, weights=part) ** 2).sum())
    return float(part.sum()) / sqrt(variance) if variance > 0 else nan


# --- the smooth curve: a local line through outcomes over forecasts -----------------------------


def smooth(forecast: Array, outcome: Array) -> Array:
    """What comes true at each forecast, by local lines through the nearest two thirds of the rows.

    Lines are weighted by (1 - (distance / farthest)³)³, fitted at forecasts a hundredth of the
    range apart, and joined straight in between: Cleveland's lowess without robustness steps, as R
    has it with `iter = 0` (Cleveland 1979, Robust locally weighted regression and smoothing
    scatterplots).

    >>> smooth(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.0, 0.5, 1.0, 1.5])).round(6)
    array([0. , 0.5, 1. , 1.5])
    """
    order = np.argsort(forecast, kind="stable")
    x, y = forecast[order], outcome[order]
    at = _places(x)
    fitted: Array = np.interp(forecast, x[at], _lines(x, y, at))
    return fitted


def _places(x: Array) -> list[int]:
    """Where lines are fitted: the last place within a step of the one before, or the next one."""
    at, last = [0], int(np.searchsorted(x, x[0], "right")) - 1
    while last < x.size - 1:
        beyond = int(np.searchsorted(x, x[last] + STEP * (x[-1] - x[0]), "right"))
        place = max(last + 1, beyond - 1)
        at.append(place)
        last = int(np.searchsorted(x, x[place], "right")) - 1
    return at


def _lines(x: Array, y: Array, at: list[int]) -> Array:
    """The height of the local line at each of these places."""
    near = max(2, min(x.size, int(SPAN * x.size + 1e-7)))
    # A window moves right while its next row is nearer than its first.
    ends = x[:-near] + x[near:]
    found = []
    for place in at:
        centre = x[place]
        left = int(np.searchsorted(ends, 2 * centre))
        far = max(centre - x[left], x[left + near - 1] - centre)
        right = int(np.searchsorted(x, centre + 0.999 * far, "right"))
        part, distance = slice(left, right), np.abs(x[left:right] - centre)
        weight = np.where(distance <= 0.001 * far, 1.0, (1 - (distance / (far or 1.0)) ** 3) ** 3)
        weight = np.where(distance <= 0.999 * far, weight, 0.0)
        found.append(_line(x[part], y[part], weight / weight.sum(), centre, x[-1] - x[0]))
    return np.array(found)


def _line(x: Array, y: Array, weight: Array, centre: float, width: float) -> float:
    """The weighted line at the centre; the weighted mean where the rows hardly differ."""
    mean = float(weight @ x)
    square = float(weight @ (x - mean) ** 2)
    if np.sqrt(square) > 0.001 * width:
        weight = weight * (1 + (centre - mean) / square * (x - mean))
    return float(weight @ y)
