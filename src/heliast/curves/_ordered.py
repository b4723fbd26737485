"""Curves over rows in the order of their scores: precision and recall, lift, gain."""

from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._chosen import Source, rank
from heliast.curves._record import ASKED, HELD, REFUSED, Thresholds, kept


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

    Examples
    --------
    >>> from heliast import Predictions
    >>> precision_recall(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).prevalence
    0.5
    """

    _followed: ClassVar[str] = "recall precision"
    average_precision: float
    prevalence: float
    rule: str = "score >= threshold"

    @property
    def recall(self) -> Array:
        return self.tpr

    @property
    def precision(self) -> Array:
        """Share of positives among the rows at or above each threshold."""
        return np.asarray(self.tp / (self.tp + self.fp))

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


@told(
    HELD
    | {
        "area": "float: Between the curve and the line of a random choice.",
        "share": "float: It as a part of what a perfect order gives: 2 AUC - 1.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Lift(Thresholds):
    """Number of positives found (`found`) among the rows with the highest scores (`size`).

    Examples
    --------
    >>> from heliast import Predictions
    >>> lift(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).area
    1.0
    """

    _followed: ClassVar[str] = "size found"
    area: float
    share: float

    @property
    def size(self) -> Array:
        """Rows taken: those at or above each threshold."""
        return np.asarray(self.tp + self.fp)

    @property
    def found(self) -> Array:
        """Positives among them."""
        return self.tp

    @property
    def random(self) -> Array:
        """Positives that a random choice of as many rows would hold on average."""
        return np.asarray(self.size * (self.positives / (self.positives + self.negatives)))

    @told({"size": "float: The rows taken."}, returns="float: The positives expected among them.")
    def expected(self, size: float) -> float:
        """Positives among the `size` rows with the highest scores; tied rows in random order."""
        return float(np.interp(size, self.size, self.found))

    def __repr__(self) -> str:
        words = f"area over a random choice {self.area:.4g} ({self.share:.1%} of a perfect order)"
        return f"{self._head('Lift', self.class_)}: {words}; {self._rows()}>"


@told(ASKED, returns="Lift: The curve.", raises=REFUSED)
def lift(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    split: int | str | None = None,
    pool: bool = False,
    prevalence: float | None = None,
    thin: bool = True,
) -> Lift:
    """How many positives one finds by taking the rows with the highest scores first.

    Only the order of the scores matters. The area between the curve and the random line is
    positives x negatives x (AUC - 1/2): the larger, the better. `prevalence` redraws the chart for
    as many rows of a population where the class has that share.

    Examples
    --------
    >>> from heliast import Predictions
    >>> found = lift(Predictions.of([1, 1, 0, 1, 0], score=[0.9, 0.8, 0.6, 0.4, 0.1]))
    >>> found.expected(2), found.area
    (2.0, 2.0)
    """
    ranked = rank("lift", predictions, class_, model, split, pool)
    points = ranked.points("lift", prevalence)
    _, tp, fp = points
    positives, negatives, size = float(tp[-1]), float(fp[-1]), tp + fp
    ranked.need_points("lift", thin)
    if ranked.scanned:  # without all points: the same area, from the AUC
        area = positives * negatives * (ranked.ranking.auc - 0.5)
    else:
        area = float(np.trapezoid(tp, size)) - positives * (positives + negatives) / 2
    return Lift(
        **ranked.kept(points, kept(size, tp, thin)),
        area=area,
        share=area / (positives * negatives / 2),
    )


@told(
    HELD | {"share": "float: The area over the random line as a part of that of a perfect order."}
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Gain(Thresholds):
    """Share of the positives (`gain`) among the share `depth` of rows with the highest scores.

    `lift` is their ratio: how many times more positives than a random choice finds.

    Examples
    --------
    >>> from heliast import Predictions
    >>> gain(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).share
    0.5
    """

    _followed: ClassVar[str] = "depth gain"
    share: float

    @property
    def depth(self) -> Array:
        """Share of all rows at or above each threshold."""
        return np.asarray((self.tp + self.fp) / (self.positives + self.negatives))

    @property
    def gain(self) -> Array:
        return self.tpr

    @property
    def lift(self) -> Array:
        """gain / depth; NaN where no row is taken."""
        depth = self.depth
        ratio = np.full(depth.size, np.nan)
        np.divide(self.gain, depth, out=ratio, where=depth > 0)
        return ratio

    @told({"depth": "float: The share of rows taken."}, returns="float: The share of positives.")
    def found(self, depth: float) -> float:
        """The gain at any depth; rows with equal scores are taken in random order."""
        return float(np.interp(depth, self.depth, self.gain))

    @told({"depth": "float: The share of rows taken."}, returns="float: The lift.")
    def ratio(self, depth: float) -> float:
        """The lift at any depth above 0."""
        if not 0 < depth <= 1:
            raise InputError(f"gain: depth={depth} must be above 0 and at most 1")
        return self.found(depth) / depth

    def __repr__(self) -> str:
        words = f"{self.found(0.1):.1%} of the positives in the top 10% of rows"
        return f"{self._head('Gain', self.class_)}: {words}; {self._rows()}>"


@told(ASKED, returns="Gain: The curve.", raises=REFUSED)
def gain(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    split: int | str | None = None,
    pool: bool = False,
    prevalence: float | None = None,
    thin: bool = True,
) -> Gain:
    """The lift chart in shares, so that samples of different size can be compared.

    gain(d) = positives among the top share d of rows / all positives, lift(d) = gain(d) / d.
    A random choice has gain d and lift 1; a perfect order reaches 1 at the class's own share.

    Examples
    --------
    >>> from heliast import Predictions
    >>> found = gain(Predictions.of([1, 1, 0, 1, 0], score=[0.9, 0.8, 0.6, 0.4, 0.1]))
    >>> round(found.found(0.4), 3), round(found.ratio(0.4), 3)
    (0.667, 1.667)
    """
    chart = lift(
        predictions, class_, model, split=split, pool=pool, prevalence=prevalence, thin=thin
    )
    shared = {one.name: getattr(chart, one.name) for one in fields(Thresholds)}
    return Gain(**shared, share=chart.share)
