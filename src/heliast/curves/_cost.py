"""The cost curve: expected cost over all class shares and costs at once."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._chosen import FIXED, Source, check_prevalence
from heliast.curves._prices import Prices
from heliast.curves._record import ASKED, COSTS, HELD, REFUSED, Point, Record
from heliast.curves._roc import Roc, roc

LINES = 60
"""About how many lines of single thresholds a picture can bear."""


@told(
    HELD
    | {
        "x": "array: Where the pieces of the envelope meet.",
        "y": "array: The normalised cost there.",
        "threshold": "array: The cheapest threshold of each piece.",
        "lines": "array: (fpr, tpr) of some single thresholds.",
        "area": "float: The mean cost if every x is as likely.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CostCurve(Record):
    """Normalised expected cost `y` against the probability-cost function `x`, as a lower envelope.

    The envelope is straight between the places `x`; from x[i] to x[i + 1] the threshold
    threshold[i] is the cheapest, with rates tpr[i], fpr[i].

    Examples
    --------
    >>> from heliast import Predictions
    >>> cost(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).pair
    (0, 1)
    """

    x: Array
    y: Array
    threshold: Array
    tpr: Array
    fpr: Array
    lines: Array
    area: float
    positives: float
    negatives: float
    pair: tuple[Label, ...]
    class_: Label
    model: str = ""
    by_class: bool = False
    notes: tuple[str, ...] = ()

    @property
    def range(self) -> tuple[float, float]:
        """Between these x some threshold is cheaper than always or never saying positive."""
        return float(self.x[1]), float(self.x[-2])

    @told({"x": "float: The probability-cost, 0 to 1."}, returns="Point: Its threshold and rates.")
    def at(self, x: float) -> Point:
        """The cheapest threshold at one probability-cost, with its normalised cost."""
        if not 0 <= x <= 1:
            raise InputError(f"cost: x={x}: the probability-cost lies between 0 and 1")
        place = min(int(np.searchsorted(self.x[1:-1], x, "right")), self.threshold.size - 1)
        tpr, fpr = float(self.tpr[place]), float(self.fpr[place])
        point = Point(
            float(self.threshold[place]), tpr * self.positives, fpr * self.negatives, tpr, fpr
        )
        return replace(point, cost=(1 - tpr) * x + fpr * (1 - x))

    @told(COSTS, returns="float: The probability-cost.")
    def place(self, cost: npt.ArrayLike | None = None, prevalence: float | None = None) -> float:
        """The x of given costs and class share: p C_fn / (p C_fn + (1 - p) C_fp)."""
        prices = Prices.of(cost, self.pair, self.class_)
        if prevalence is not None:
            check_prevalence("cost", prevalence)
        elif self.by_class:
            raise InputError(FIXED.format(curve="cost", class_=self.class_))
        share = self.positives / (self.positives + self.negatives)
        share = share if prevalence is None else prevalence
        # An error that pays counts as one that costs nothing: it is then always committed.
        miss = max(prices.miss, 0.0) * share
        return miss / (miss + max(prices.false_alarm, 0.0) * (1 - share))

    def __repr__(self) -> str:
        low, high = self.range
        words = (
            f"mean cost {self.area:.4g} (chance 0.25); useful for x from {low:.3g} to {high:.3g}"
        )
        return f"{self._head('CostCurve', self.class_)}: {words}>"


@told(ASKED, returns="CostCurve: The curve.", raises=REFUSED)
def cost(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    split: int | str | None = None,
    pool: bool = False,
) -> CostCurve:
    """What the best threshold costs, whatever the class shares and the costs of errors.

    x = p C_fn / (p C_fn + (1 - p) C_fp) runs from 'only false alarms matter' to 'only misses
    matter'; y = (1 - tpr) x + fpr (1 - x) is the expected cost over that of being always wrong.
    Each threshold is a line, the curve their lower envelope (one piece for each corner of the ROC
    hull); never and always saying positive are the lines x and 1 - x, the triangle it must stay
    under to be of use. Lower is better.

    Examples
    --------
    >>> from heliast import Predictions
    >>> found = cost(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1]))
    >>> found.at(0.5).cost
    0.25

    References
    ----------
    Drummond and Holte (2006), Cost curves.
    """
    return of_roc(roc(predictions, class_, model, split=split, pool=pool))


def of_roc(curve: Roc) -> CostCurve:
    """The cost curve of a ROC curve: each corner of its hull is one piece of the envelope."""
    fpr, tpr = curve.fpr[curve.hull], curve.tpr[curve.hull]
    right, up = np.diff(fpr), np.diff(tpr)
    x = np.concatenate([[0.0], right / (right + up), [1.0]])
    y = np.append((1 - tpr) * x[:-1] + fpr * (1 - x[:-1]), 0.0)
    some = np.unique(np.linspace(0, curve.fpr.size - 1, LINES).astype(int))
    return CostCurve(
        x=x,
        y=y,
        threshold=curve.threshold[curve.hull],
        tpr=tpr,
        fpr=fpr,
        lines=np.column_stack([curve.fpr[some], curve.tpr[some]]),
        area=float(np.trapezoid(y, x)),
        positives=curve.positives,
        negatives=curve.negatives,
        pair=curve.pair,
        class_=curve.class_,
        model=curve.model,
        by_class=curve.by_class,
        notes=curve.notes,
    )
