"""Confidence limits around a ROC curve, and around a calibration curve."""

from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level
from heliast._core.proportions import LIMITS, clopper_pearson_limits
from heliast._core.records import Shown

Method = Literal["simultaneous", "wilson", "clopper_pearson"]
TITLES = {
    "simultaneous": "Kolmogorov-Smirnov, simultaneous",
    "wilson": "Wilson, pointwise",
    "clopper_pearson": "Clopper-Pearson, pointwise",
}
WHOLE = "the whole true curve"
POINT = "the true rates at a threshold chosen beforehand, or the curve at one false positive rate"


@dataclass(frozen=True, eq=False)
class Band(Shown):
    """A box of limits around each point of a ROC curve; `covers` says what it holds, how sure.

    The upper edge of the band runs through the corners (fpr_low, tpr_high), the lower one through
    (fpr_high, tpr_low).

    Parameters
    ----------
    threshold : array
        Distinct scores, from +inf down; rows at or above count as positive.
    fpr_low, fpr_high : array
        Limits of the false positive rate.
    tpr_low, tpr_high : array
        Limits of the true positive rate.
    level : float
        The confidence level.
    method : str
        How limits were made.
    covers : str
        What the band holds.

    Examples
    --------
    >>> from heliast import Predictions
    >>> from heliast.curves import roc
    >>> roc(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).band().covers
    'the whole true curve'
    """

    threshold: Array
    fpr_low: Array
    fpr_high: Array
    tpr_low: Array
    tpr_high: Array
    level: float
    method: str
    covers: str

    def limits(self, fpr: ArrayLike) -> tuple[Array, Array]:
        """The lowest and highest true positive rate in the band at these false positive rates.

        Parameters
        ----------
        fpr : array-like
            False positive rates.

        Returns
        -------
        tuple of array
            Lower and upper limits.
        """
        at = np.asarray(fpr, float)
        # All limits rise along the curve: the first box that reaches so far right is the lowest
        # there, the last box that begins so far left the highest.
        low = np.minimum(np.searchsorted(self.fpr_high, at, "left"), self.fpr_high.size - 1)
        high = np.maximum(np.searchsorted(self.fpr_low, at, "right") - 1, 0)
        return self.tpr_low[low], self.tpr_high[high]

    def __repr__(self) -> str:
        return f"<Band at {self.level:g}: {self.method}, covers {self.covers}>"


def band(
    threshold: Array,
    tpr: Array,
    fpr: Array,
    effective: tuple[float, float],
    level: float,
    method: Method,
) -> Band:
    """Limits for both rates at each threshold, each at sqrt(level): the two are independent."""
    check_level(level)
    if method not in TITLES:
        raise InputError(f"method={method!r}: choose one of {', '.join(TITLES)}")
    simultaneous, each = method == "simultaneous", sqrt(level)

    def limits(rate: Array, n: float) -> tuple[Array, Array]:
        if not simultaneous:
            return LIMITS[method](rate, n, each)
        width = widest(n, each)
        return np.maximum(rate - width, 0.0), np.minimum(rate + width, 1.0)

    (fpr_low, fpr_high), (tpr_low, tpr_high) = limits(fpr, effective[1]), limits(tpr, effective[0])
    covers = WHOLE if simultaneous else POINT
    return Band(threshold, fpr_low, fpr_high, tpr_low, tpr_high, level, TITLES[method], covers)


def widest(n: float, level: float) -> float:
    """How far the empirical distribution of n rows strays anywhere, with probability `level`.

    The bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, sqrt(log(2/a) / 2n): it
    holds at every n, ties or not, and exceeds the Kolmogorov-Smirnov quantile by 5% at n = 10.

    >>> round(widest(100, 0.95), 4)
    0.1358
    """
    return sqrt(log(2 / (1 - level)) / (2 * n))


@dataclass(frozen=True, eq=False)
class CalibrationBand(Shown):
    """Limits for the true share of outcomes at every forecast at once, if the curve rises.

    Where low exceeds high, no rising curve fits.

    Parameters
    ----------
    start, stop : array
        The first and the last forecast of each block.
    low : array
        The curve lies above `low[k]` from the forecast `stop[k]` on.
    high : array
        It lies below `high[k]` up to the forecast `start[k]`.
    level : float
        The confidence level.
    method : str
        How limits were made.

    Examples
    --------
    >>> rows, outcomes = np.array([50.0, 50.0]), np.array([9.0, 41.0])
    >>> calibration_band(np.array([0.2, 0.8]), rows, outcomes, level=0.9).low.round(2)
    array([0.08, 0.67])
    """

    start: Array
    stop: Array
    low: Array
    high: Array
    level: float
    method: str = "Clopper-Pearson over all runs of blocks, simultaneous"

    def limits(self, forecast: ArrayLike) -> tuple[Array, Array]:
        """The lowest and highest share in the band at these forecasts.

        Parameters
        ----------
        forecast : array-like
            Forecasts.

        Returns
        -------
        tuple of array
            Lower and upper limits.
        """
        at = np.asarray(forecast, float)
        low = np.append(0.0, self.low)[np.searchsorted(self.stop, at, "right")]
        high = np.append(self.high, 1.0)[np.searchsorted(self.start, at, "left")]
        return low, high

    def __repr__(self) -> str:
        return f"<CalibrationBand at {self.level:g} over {self.low.size} blocks: {self.method}>"


def calibration_band(value: Array, total: Array, hit: Array, level: float) -> CalibrationBand:
    """From distinct forecasts, rising, with the rows and outcomes of each.

    Rows are put in 2 n^(1/3) blocks. The outcomes of a run of blocks have a mean share between
    those of the curve at its two ends, so a lower limit of that mean holds for all forecasts
    beyond the run and an upper limit for all before it; Clopper-Pearson limits hold for sums of
    unequal chances too (Hoeffding 1956). With m blocks, m (m + 1) limits share 1 - level
    (Dimitriadis, Dümbgen, Henzi, Puke and Ziegel 2023, Honest calibration assessment for binary
    outcome predictions).

    >>> rows, outcomes = np.array([50.0, 50.0]), np.array([9.0, 41.0])
    >>> band = calibration_band(np.array([0.2, 0.8]), rows, outcomes, level=0.9)
    >>> [limit.round(3).tolist() for limit in band.limits([0.2, 0.5, 0.8])]
    [[0.08, 0.08, 0.674], [0.326, 0.92, 0.92]]
    """
    upto = np.cumsum(total)
    blocks = max(1, round(2 * float(np.cbrt(upto[-1]))))
    middle = (upto - total / 2) / upto[-1]
    place = np.unique((middle * blocks).astype(np.intp), return_inverse=True)[1]
    first = np.flatnonzero(np.diff(place, prepend=-1))
    last = np.append(first[1:], value.size) - 1
    rows, outcomes = (np.append(0.0, np.cumsum(part)[last]) for part in (total, hit))
    start, stop = np.triu_indices(first.size)
    n = rows[stop + 1] - rows[start]
    each = 1 - (1 - level) / start.size
    low, high = clopper_pearson_limits((outcomes[stop + 1] - outcomes[start]) / n, n, each)
    least, most = np.zeros(first.size), np.ones(first.size)
    np.maximum.at(least, stop, low)
    np.minimum.at(most, start, high)
    rising = np.maximum.accumulate(least), np.minimum.accumulate(most[::-1])[::-1]
    return CalibrationBand(value[first], value[last], *rising, level)
