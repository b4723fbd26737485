"""Confidence limits around a ROC curve."""

from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast._core.proportions import LIMITS
from heliast._core.records import Shown, as_dict
from heliast._core.told import told
from heliast.curves._record import A_DICT, HELD

Array = npt.NDArray[Any]
Method = Literal["simultaneous", "wilson", "clopper_pearson"]
_TITLES = {
    "simultaneous": "Kolmogorov-Smirnov",
    "wilson": "Wilson",
    "clopper_pearson": "Clopper-Pearson",
}
_WHOLE = "the whole true curve"
_POINT = "the true rates at a threshold chosen beforehand, or the curve at one false positive rate"


@told(
    HELD
    | {
        "fpr_low": "array: Lower limits of the false positive rate.",
        "fpr_high": "array: Upper ones.",
        "tpr_low": "array: Lower limits of the true positive rate.",
        "tpr_high": "array: Upper ones.",
        "covers": "str: What the band holds.",
    }
)
@dataclass(frozen=True, eq=False)
class Band(Shown):
    """A box of limits around each point of a ROC curve; `covers` says what it holds, how sure.

    The upper edge of the band runs through the corners (fpr_low, tpr_high), the lower one through
    (fpr_high, tpr_low).

    Examples
    --------
    >>> from heliast import Predictions
    >>> from heliast.curves import roc
    >>> roc(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).band().covers
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

    @told(
        {"fpr": "array-like: False positive rates."},
        returns="tuple of array: Lower and upper limits.",
    )
    def limits(self, fpr: npt.ArrayLike) -> tuple[Array, Array]:
        """The lowest and highest true positive rate in the band at these false positive rates."""
        at = np.asarray(fpr, float)
        # All limits rise along the curve: the first box that reaches so far right is the lowest
        # there, the last box that begins so far left the highest.
        low = np.minimum(np.searchsorted(self.fpr_high, at, "left"), self.fpr_high.size - 1)
        high = np.maximum(np.searchsorted(self.fpr_low, at, "right") - 1, 0)
        return self.tpr_low[low], self.tpr_high[high]

    @told({}, returns=A_DICT)
    def to_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return as_dict(self)

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
    if method not in _TITLES:
        raise InputError(f"method={method!r}: choose one of {', '.join(_TITLES)}")
    each = sqrt(level)
    whole = method == "simultaneous"

    def sides(rate: Array, n: float) -> tuple[Array, Array]:
        if not whole:
            return LIMITS[method](rate, n, each)
        width = widest(n, each)
        return np.maximum(rate - width, 0.0), np.minimum(rate + width, 1.0)

    fpr_low, fpr_high = sides(fpr, effective[1])
    tpr_low, tpr_high = sides(tpr, effective[0])
    title = f"{_TITLES[method]}, {'simultaneous' if whole else 'pointwise'}"
    covers = _WHOLE if whole else _POINT
    return Band(threshold, fpr_low, fpr_high, tpr_low, tpr_high, level, title, covers)


def widest(n: float, level: float) -> float:
    """How far the empirical distribution of n rows strays anywhere, with probability `level`.

    The bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, sqrt(log(2/a) / 2n): it
    holds at every n, ties or not, and exceeds the Kolmogorov-Smirnov quantile by 5% at n = 10.

    >>> round(widest(100, 0.95), 4)
    0.1358
    """
    return sqrt(log(2 / (1 - level)) / (2 * n))
