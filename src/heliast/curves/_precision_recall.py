"""Precision against recall of one class."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._chosen import Source, rank
from heliast.curves._record import A_DICT, ASKED, HELD, REFUSED, Thresholds
from heliast.curves._thinned import kept

Array = npt.NDArray[Any]


@told(
    HELD
    | {
        "average_precision": "float: The area under the steps.",
        "prevalence": "float: The precision of a random order.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PrecisionRecall(Thresholds):
    """Precision and recall at every distinct threshold, from the highest score down.

    `average_precision` is the area under the steps; `prevalence` the precision of a random order.

    Examples
    --------
    >>> from heliast import Predictions
    >>> precision_recall(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).prevalence
    0.5
    """

    average_precision: float
    prevalence: float
    rule: str = "score >= threshold"

    @property
    def recall(self) -> Array:
        return self.tpr

    @property
    def precision(self) -> Array:
        """Share of positives among the rows at or above each threshold."""
        share: Array = self.tp / (self.tp + self.fp)
        return share

    @told({}, returns=A_DICT)
    def to_dict(self) -> dict[str, object]:
        """The fields and what follows from them as plain values."""
        rates = {"recall": self.recall.tolist(), "precision": self.precision.tolist()}
        return {**super().to_dict(), **rates}

    def __repr__(self) -> str:
        words = f"average precision {self.average_precision:.4g} (chance {self.prevalence:.4g})"
        head = self._head("PrecisionRecall", self.class_)
        return f"{head}: {words}; {self._rows()}; {self.threshold.size} points; {self.rule}>"


@told(ASKED, returns="PrecisionRecall: The curve.", raises=REFUSED)
def precision_recall(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    split: int | str | None = None,
    pool: bool = False,
    prevalence: float | None = None,
    thin: bool = True,
) -> PrecisionRecall:
    """How pure the rows called positive are, against how many of the positives they hold.

    precision = TP / (TP + FP), recall = TP / positives, positive if score >= threshold. The curve
    starts at the highest score: above it nothing is called positive, precision is 0 / 0 and no
    point is invented. Between points the curve is a step, since a straight line would promise what
    no threshold gives (Davis and Goadrich 2006); average precision is the area under the steps,
    sum of (R_t - R_t-1) P_t. Precision depends on the class shares: `prevalence` gives those of
    another population, and is required when class counts were fixed by design.

    Examples
    --------
    >>> from heliast import Predictions
    >>> found = precision_recall(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1]))
    >>> found.precision.round(2), found.recall
    (array([1.  , 0.5 , 0.67, 0.5 ]), array([0.5, 0.5, 1. , 1. ]))
    """
    ranked = rank("precision_recall", predictions, class_, model, split, pool)
    ranked.need_rows("precision_recall")
    points = ranked.points("precision_recall", prevalence)
    # Rows without weight may come first; there precision is 0 / 0 as well.
    start = int(np.argmax(points[1] + points[2] > 0))
    threshold, tp, fp = (values[start:] for values in points)
    recall, precision = tp / tp[-1], tp / (tp + fp)
    keep = kept(recall, precision, thin)
    return PrecisionRecall(
        **ranked.kept((threshold, tp, fp), keep),
        average_precision=float((np.diff(recall, prepend=0.0) * precision).sum()),
        prevalence=float(precision[-1]),
    )
