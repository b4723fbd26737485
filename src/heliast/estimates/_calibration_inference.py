"""Whether probabilities are calibrated, as clinicians ask: intercept, slope, Z, smooth errors."""

from dataclasses import dataclass, replace
from math import nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level, quantile
from heliast._core.records import Shown
from heliast.estimates._drawn import expanded
from heliast.estimates._record import Estimate
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
        def shown(one: Estimate) -> str:
            if not one.defined:
                return "undefined"
            return f"{one.value:.3g} [{one.low:.3g}, {one.high:.3g}]"

        tests = f"p {self.p:.3g}, Spiegelhalter's Z {self.z:.3g} (p {self.z_p:.3g})"
        ends = f"ICI {self.ici:.3g}, E50 {self.e50:.3g}, E90 {self.e90:.3g}"
        return (
            f"<CalibrationInference: intercept {shown(self.intercept)}, "
            f"slope {shown(self.slope)}, {tests}, {ends}>"
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
    rows = _checked(rows)
    sampling = rows.weight_kind == "sampling"
    rows = rows if sampling else expanded(rows)
    p, y = forecasts(rows)
    weight = np.ones(rows.n) if rows.weight is None else rows.weight / rows.weight.mean()
    unit = None if rows.group is None else np.unique(rows.group, return_inverse=True)[1]
    unit = np.arange(rows.n) if sampling and unit is None else unit
    intercept, slope, line, chi2 = _recalibration(p, y, weight, unit, level)
    z = _spiegelhalter(p, y, weight, unit)
    no_curve = NO_CURVE if sampling else ONE_ROW if rows.n < 2 else ""
    return CalibrationInference(
        intercept,
        slope,
        line,
        chi2,
        float(chdtrc(2, chi2)),
        z,
        float(2 * ndtr(-abs(z))),
        *((nan,) * 4 if no_curve else _smooth_errors(p, y)),
        level=level,
        n=float(rows.n),
        notes=(no_curve,) if no_curve else (),
    )


def _smooth_errors(p: Array, y: Array) -> tuple[float, float, float, float]:
    """Mean, median, 90% quantile and maximum of |p - smooth(p)|."""
    away = np.abs(p - smooth(p, y))
    middle, most, largest = np.quantile(away, [0.5, 0.9, 1.0]).tolist()
    return float(away.mean()), middle, most, largest


def _checked(rows: Rows) -> Rows:
    """The rows that count: a weight of 0 is no row."""
    what = "calibration_inference"
    if rows.task != "classification" or len(rows.classes) != 2 or rows.score_kind != "probability":
        raise InputError(f"{what}: give probabilities of two classes (scores='probability')")
    if rows.design == "classes":
        raise InputError(f"{what}: class counts were fixed by design, so the intercept is unknown")
    if rows.weight is not None:
        rows = rows.at(rows.weight > 0)
    if not rows.n:
        raise InputError(f"{what}: there are no rows")
    return rows


def _recalibration(
    p: Array, y: Array, weight: Array, unit: Array | None, level: float
) -> tuple[Estimate, Estimate, tuple[float, float], float]:
    """Intercept, slope, the line of recalibration, and the chi-square of that line against p."""
    certain = bool(((p == 0) | (p == 1)).any())
    reason = CERTAIN if certain else ONE_OUTCOME if np.ptp(y) == 0 else ""
    none = Estimate(nan, level=level, n=float(y.size), reason=reason)
    if reason:
        return none, none, (nan, nan), nan
    x, one = np.log(p) - np.log1p(-p), np.ones((y.size, 1))
    large = _Fit.of(one, x, y, weight)
    intercept = large.estimate(0, unit, level)
    if np.ptp(x) == 0:
        return intercept, replace(none, reason=EQUAL), (nan, nan), nan
    if x[y == 0].max() <= x[y == 1].min() or x[y == 1].max() <= x[y == 0].min():
        return intercept, replace(none, reason=APART), (nan, nan), nan
    both = _Fit.of(np.column_stack([one, x]), np.zeros(y.size), y, weight)
    a, b = both.beta.tolist()
    if unit is None:
        chi2 = 2 * (both.fit - _likelihood(x, y, weight))
    else:
        away = both.beta - [0.0, 1.0]
        chi2 = float(away @ np.linalg.solve(both.covariance(unit), away))
    return intercept, both.estimate(1, unit, level), (a, b), chi2


@dataclass(frozen=True, eq=False)
class _Fit:
    """A logistic regression: coefficients, information, each row's score, log likelihood."""

    beta: Array
    information: Array
    scores: Array
    fit: float

    @classmethod
    def of(cls, design: Array, offset: Array, y: Array, weight: Array) -> "_Fit":
        """By Newton's steps, halved while they lower the likelihood."""
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
                return cls(beta, information, scores, fit)
            beta, fit = beta + step, better

    def covariance(self, unit: Array | None) -> Array:
        """That of the coefficients: of independent rows, or from the sums of scores by unit."""
        inverse: Array = np.linalg.inv(self.information)
        if unit is None:
            return inverse
        sums = np.column_stack([np.bincount(unit, weights=part) for part in self.scores.T])
        count = sums.shape[0]
        found: Array = inverse @ (count / (count - 1) * sums.T @ sums) @ inverse
        return found

    def estimate(self, which: int, unit: Array | None, level: float) -> Estimate:
        """A coefficient with Wald's interval."""
        value, n = float(self.beta[which]), float(self.scores.shape[0])
        units = None if unit is None else int(unit.max()) + 1
        if units is not None and units < FEWEST_GROUPS:
            reason = f"only {units} groups: an interval needs at least {FEWEST_GROUPS}"
            return Estimate(value, level=level, n=n, reason=reason)
        # A line that does not fit varies more than its information says; few rows show too little
        # of that. So the larger of both.
        robust = self.covariance(np.arange(self.scores.shape[0]) if unit is None else unit)
        se = sqrt(max(float(found[which, which]) for found in (robust, self.covariance(None))))
        half = quantile(level, None if units is None else units - 1.0) * se
        words = "logistic recalibration, Wald"
        return Estimate(value, value - half, value + half, se, level, words, n=n)


def _likelihood(eta: Array, y: Array, weight: Array) -> float:
    return float((weight * (y * eta - np.logaddexp(0.0, eta))).sum())


def _spiegelhalter(p: Array, y: Array, weight: Array, unit: Array | None) -> float:
    """The sum of (y - p)(1 - 2p) over its standard error if p is right; NaN if that is 0."""
    part = weight * (y - p) * (1 - 2 * p)
    if unit is None:
        variance = float((weight**2 * (1 - 2 * p) ** 2 * p * (1 - p)).sum())
    else:
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
