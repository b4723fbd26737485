"""Curves over rows in the order of their scores: precision and recall, lift, gain, cost."""

from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label
from heliast.curves.roc import roc
from heliast.curves.rows import (
    Point,
    Record,
    Source,
    Thresholds,
    check_share,
    error_costs,
    kept,
    rank,
)

LINES = 60  # about how many lines of single thresholds a plot can bear


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PrecisionRecall(Thresholds):
    """Precision and recall at every distinct threshold, from the highest score down.

    Parameters
    ----------
    threshold : array
        Distinct scores, from +inf down; rows at or above count as positive.
    tp, fp : array
        The weight of positives and of negatives at or above each threshold (their number).
    positives, negatives : float
        The weight of all positives and of all negatives.
    class_ : object
        The class against the rest.
    model : str
        The model.
    thinned : bool
        Whether vertices that no plot shows were left out.
    notes : tuple of str
        Caveats.
    average_precision : float
        The area under the steps.
    prevalence : float
        The precision of a random order.
    rule : str
        Who is called positive.

    Examples
    --------
    >>> from heliast import Predictions
    >>> precision_recall(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).prevalence
    0.5
    """

    _derived: ClassVar[str] = "recall precision"
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
        return self._said(f"{words}; {self._rows()}; {self.threshold.size} points; {self.rule}")


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

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    class_ : object, optional
        The class against the rest; of two the positive one.
    model : str, optional
        The model, where the table has several.
    split : int or str, optional
        One split, where the table has several.
    pool : bool
        Whether the rows of several splits are taken as one test set.
    prevalence : float, optional
        The share of the class in the population; that of the rows if not given.
    thin : bool
        Whether vertices that no plot shows are left out.

    Returns
    -------
    PrecisionRecall
        The curve.

    Examples
    --------
    >>> from heliast import Predictions
    >>> curve = precision_recall(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]))
    >>> curve.precision.round(2), curve.recall
    (array([1.  , 0.5 , 0.67, 0.5 ]), array([0.5, 0.5, 1. , 1. ]))
    """
    ranked = rank("precision_recall", predictions, class_, model, split, pool)
    points = ranked.points(prevalence, thin=False)
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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Lift(Thresholds):
    """Number of positives found (`found`) among the rows with the highest scores (`size`).

    Parameters
    ----------
    threshold : array
        Distinct scores, from +inf down; rows at or above count as positive.
    tp, fp : array
        The weight of positives and of negatives at or above each threshold (their number).
    positives, negatives : float
        The weight of all positives and of all negatives.
    class_ : object
        The class against the rest.
    model : str
        The model.
    thinned : bool
        Whether vertices that no plot shows were left out.
    notes : tuple of str
        Caveats.
    area : float
        Between the curve and the line of a random choice.
    share : float
        It as a part of what a perfect order gives: 2 AUC - 1.

    Examples
    --------
    >>> from heliast import Predictions
    >>> lift(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).area
    1.0
    """

    _derived: ClassVar[str] = "size found"
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

    def expected(self, size: float) -> float:
        """Positives among the `size` rows with the highest scores; tied rows in random order.

        Parameters
        ----------
        size : float
            The rows taken.

        Returns
        -------
        float
            The positives expected among them.
        """
        return float(np.interp(size, self.size, self.found))

    def __repr__(self) -> str:
        words = f"area over a random choice {self.area:.4g} ({self.share:.1%} of a perfect order)"
        return self._said(f"{words}; {self._rows()}")


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

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    class_ : object, optional
        The class against the rest; of two the positive one.
    model : str, optional
        The model, where the table has several.
    split : int or str, optional
        One split, where the table has several.
    pool : bool
        Whether the rows of several splits are taken as one test set.
    prevalence : float, optional
        The share of the class in the population; that of the rows if not given.
    thin : bool
        Whether vertices that no plot shows are left out.

    Returns
    -------
    Lift
        The curve.

    Examples
    --------
    >>> from heliast import Predictions
    >>> curve = lift(Predictions.of([1, 1, 0, 1, 0], y_score=[0.9, 0.8, 0.6, 0.4, 0.1]))
    >>> curve.expected(2), curve.area
    (2.0, 2.0)
    """
    ranked = rank("lift", predictions, class_, model, split, pool)
    _, tp, fp = points = ranked.points(prevalence, thin)
    positives, negatives, size = float(tp[-1]), float(fp[-1]), tp + fp
    if ranked.scanned:  # without all points: the same area, from the AUC
        area = positives * negatives * (ranked.ranking.auc - 0.5)
    else:
        area = float(np.trapezoid(tp, size)) - positives * (positives + negatives) / 2
    return Lift(
        **ranked.kept(points, kept(size, tp, thin)),
        area=area,
        share=area / (positives * negatives / 2),
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Gain(Thresholds):
    """Share of the positives (`gain`) among the share `depth` of rows with the highest scores.

    `lift` is their ratio: how many times more positives than a random choice finds.

    Parameters
    ----------
    threshold : array
        Distinct scores, from +inf down; rows at or above count as positive.
    tp, fp : array
        The weight of positives and of negatives at or above each threshold (their number).
    positives, negatives : float
        The weight of all positives and of all negatives.
    class_ : object
        The class against the rest.
    model : str
        The model.
    thinned : bool
        Whether vertices that no plot shows were left out.
    notes : tuple of str
        Caveats.
    share : float
        The area over the random line as a part of that of a perfect order.

    Examples
    --------
    >>> from heliast import Predictions
    >>> gain(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).share
    0.5
    """

    _derived: ClassVar[str] = "depth gain"
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

    def found(self, depth: float) -> float:
        """The gain at any depth; rows with equal scores are taken in random order.

        Parameters
        ----------
        depth : float
            The share of rows taken.

        Returns
        -------
        float
            The share of positives.
        """
        return float(np.interp(depth, self.depth, self.gain))

    def ratio(self, depth: float) -> float:
        """The lift at any depth above 0.

        Parameters
        ----------
        depth : float
            The share of rows taken.

        Returns
        -------
        float
            The lift.
        """
        if not 0 < depth <= 1:
            raise InputError(f"gain: depth={depth} must be above 0 and at most 1")
        return self.found(depth) / depth

    def __repr__(self) -> str:
        words = f"{self.found(0.1):.1%} of the positives in the top 10% of rows"
        return self._said(f"{words}; {self._rows()}")


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

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    class_ : object, optional
        The class against the rest; of two the positive one.
    model : str, optional
        The model, where the table has several.
    split : int or str, optional
        One split, where the table has several.
    pool : bool
        Whether the rows of several splits are taken as one test set.
    prevalence : float, optional
        The share of the class in the population; that of the rows if not given.
    thin : bool
        Whether vertices that no plot shows are left out.

    Returns
    -------
    Gain
        The curve.

    Examples
    --------
    >>> from heliast import Predictions
    >>> curve = gain(Predictions.of([1, 1, 0, 1, 0], y_score=[0.9, 0.8, 0.6, 0.4, 0.1]))
    >>> round(curve.found(0.4), 3), round(curve.ratio(0.4), 3)
    (0.667, 1.667)
    """
    chart = lift(
        predictions, class_, model, split=split, pool=pool, prevalence=prevalence, thin=thin
    )
    shared = {field.name: getattr(chart, field.name) for field in fields(Thresholds)}
    return Gain(**shared, share=chart.share)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CostCurve(Record):
    """Normalised expected cost `y` against the probability-cost function `x`, as a lower envelope.

    The envelope is straight between the places `x`; from x[i] to x[i + 1] the threshold
    threshold[i] is the cheapest, with rates tpr[i], fpr[i].

    Parameters
    ----------
    x : array
        Where the pieces of the envelope meet.
    y : array
        The normalised cost there.
    threshold : array
        The cheapest threshold of each piece.
    tpr : array
        The share of positives found.
    fpr : array
        The share of negatives called positive.
    lines : array
        (fpr, tpr) of some single thresholds.
    area : float
        The mean cost if every x is as likely.
    positives : float
        The weight of all positives.
    negatives : float
        The weight of all negatives.
    pair : tuple
        The order of the classes in a 2 x 2 cost matrix.
    class_ : object
        The class against the rest.
    model : str
        The model.
    by_class : bool
        Whether class counts were fixed by design.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> from heliast import Predictions
    >>> cost(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).pair
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

    def at(self, x: float) -> Point:
        """The cheapest threshold at one probability-cost, with its normalised cost.

        Parameters
        ----------
        x : float
            The probability-cost, 0 to 1.

        Returns
        -------
        Point
            Its threshold and rates.
        """
        if not 0 <= x <= 1:
            raise InputError(f"cost: x={x}: the probability-cost lies between 0 and 1")
        place = min(int(np.searchsorted(self.x[1:-1], x, "right")), self.threshold.size - 1)
        tpr, fpr = float(self.tpr[place]), float(self.fpr[place])
        point = Point(
            float(self.threshold[place]), tpr * self.positives, fpr * self.negatives, tpr, fpr
        )
        return replace(point, cost=(1 - tpr) * x + fpr * (1 - x))

    def place(self, cost: ArrayLike | None = None, prevalence: float | None = None) -> float:
        """The x of given costs and class share: p C_fn / (p C_fn + (1 - p) C_fp).

        Parameters
        ----------
        cost : array-like, optional
            Rows = true class, columns = label, in the order of `pair`; every error costs 1 if not
            given.
        prevalence : float, optional
            The share of the class where the threshold is used; its share here if not given.

        Returns
        -------
        float
            The probability-cost.
        """
        alarm, miss, _, _ = error_costs(cost, self.pair, self.class_)
        check_share("cost", prevalence, self.class_, self.by_class)
        share = self.positives / (self.positives + self.negatives)
        share = share if prevalence is None else prevalence
        # An error that pays counts as one that costs nothing: it is then always committed.
        miss = max(miss, 0.0) * share
        return miss / (miss + max(alarm, 0.0) * (1 - share))

    def __repr__(self) -> str:
        low, high = self.range
        words = (
            f"mean cost {self.area:.4g} (chance 0.25); useful for x from {low:.3g} to {high:.3g}"
        )
        return self._said(words)


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

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    class_ : object, optional
        The class against the rest; of two the positive one.
    model : str, optional
        The model, where the table has several.
    split : int or str, optional
        One split, where the table has several.
    pool : bool
        Whether the rows of several splits are taken as one test set.

    Returns
    -------
    CostCurve
        The curve.

    Examples
    --------
    >>> from heliast import Predictions
    >>> curve = cost(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]))
    >>> curve.at(0.5).cost
    0.25

    References
    ----------
    Drummond and Holte (2006), Cost curves.
    """
    curve = roc(predictions, class_, model, split=split, pool=pool)
    # Each corner of the hull is one piece of the envelope.
    fpr, tpr = curve.fpr[curve.hull], curve.tpr[curve.hull]
    right, up = np.diff(fpr), np.diff(tpr)
    x = np.concatenate([[0.0], right / (right + up), [1.0]])
    y = np.append((1 - tpr) * x[:-1] + fpr * (1 - x[:-1]), 0.0)
    some = np.unique(np.linspace(0, curve.fpr.size - 1, LINES).astype(int))
    return CostCurve(
        x=x, y=y, threshold=curve.threshold[curve.hull], tpr=tpr, fpr=fpr,
        lines=np.column_stack([curve.fpr[some], curve.tpr[some]]), area=float(np.trapezoid(y, x)),
        positives=curve.positives, negatives=curve.negatives, pair=curve.pair,
        class_=curve.class_, model=curve.model, by_class=curve.by_class, notes=curve.notes,
    )  # fmt: skip
