"""A band that holds the whole calibration curve, if it rises."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.proportions import clopper_pearson_limits
from heliast._core.records import Shown, as_dict
from heliast._core.told import told
from heliast.curves._record import A_DICT, HELD

Array = npt.NDArray[Any]


@told(
    HELD
    | {
        "start": "array: The first forecast of each block.",
        "stop": "array: The last one.",
        "low": "array: The curve lies above `low[k]` from the forecast `stop[k]` on.",
        "high": "array: It lies below `high[k]` up to the forecast `start[k]`.",
    }
)
@dataclass(frozen=True, eq=False)
class CalibrationBand(Shown):
    """Limits for the true share of outcomes at every forecast at once.

    The curve lies above `low[k]` from the forecast `stop[k]` on, and below `high[k]` up to the
    forecast `start[k]`. Where low exceeds high, no rising curve fits.

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

    @told({"forecast": "array-like: Forecasts."}, returns="tuple of array: Lower and upper limits.")
    def limits(self, forecast: npt.ArrayLike) -> tuple[Array, Array]:
        """The lowest and highest share in the band at these forecasts."""
        at = np.asarray(forecast, float)
        low = np.append(0.0, self.low)[np.searchsorted(self.stop, at, "right")]
        high = np.append(self.high, 1.0)[np.searchsorted(self.start, at, "left")]
        return low, high

    @told({}, returns=A_DICT)
    def to_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return as_dict(self)

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
    >>> found = calibration_band(np.array([0.2, 0.8]), rows, outcomes, level=0.9)
    >>> [limit.round(3).tolist() for limit in found.limits([0.2, 0.5, 0.8])]
    [[0.08, 0.08, 0.674], [0.326, 0.92, 0.92]]
    """
    upto = np.cumsum(total)
    blocks = max(1, round(2 * float(np.cbrt(upto[-1]))))
    middle = (upto - total / 2) / upto[-1]
    place = np.unique((middle * blocks).astype(np.intp), return_inverse=True)[1]
    first = np.flatnonzero(np.diff(place, prepend=-1))
    last = np.append(first[1:], value.size) - 1
    rows, outcomes = (np.append(0.0, np.cumsum(part)[last]) for part in (total, hit))
    count = first.size
    start, stop = np.triu_indices(count)
    n = rows[stop + 1] - rows[start]
    each = 1 - (1 - level) / start.size
    low, high = clopper_pearson_limits((outcomes[stop + 1] - outcomes[start]) / n, n, each)
    least, most = np.zeros(count), np.ones(count)
    np.maximum.at(least, stop, low)
    np.minimum.at(most, start, high)
    return CalibrationBand(
        value[first],
        value[last],
        np.maximum.accumulate(least),
        np.minimum.accumulate(most[::-1])[::-1],
        level,
    )
