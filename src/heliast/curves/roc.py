"""ROC curves: of one class against the rest, averaged over splits, and that of two normals."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label
from heliast._kernels.ranking import Curve, hull, outline, roc_hull
from heliast.curves.bands import Band, Method, band
from heliast.curves.rows import (
    GRID,
    Point,
    Record,
    Source,
    Thresholds,
    check_share,
    error_costs,
    kept,
    part_of,
    rank,
)
from heliast.measures.summaries import Ranking
from heliast.predictions import Predictions

MANY = 200_000  # rows from which a thinned curve is read off the sorted scores, not built whole
PLACES = 101
COMPARABLE = "scores of different fits are taken as comparable"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Roc(Thresholds):
    """True against false positive rate at every distinct threshold; `auc` by trapezoids.

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
    auc : float
        The area by trapezoids.
    hull : array
        Positions of the convex hull's corners among the points.
    hull_auc : float
        The area under the hull.
    pair : tuple
        The order of the classes in a 2 x 2 cost matrix.
    effective : tuple of float
        The independent rows that positives and negatives are worth.
    by_class : bool
        Whether class counts were fixed by design.
    grouped : bool
        Whether rows come in groups.
    rule : str
        Who is called positive.

    Examples
    --------
    >>> from heliast import Predictions
    >>> roc(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).auc
    0.75
    """

    _derived: ClassVar[str] = "fpr tpr"
    auc: float
    hull: Array
    hull_auc: float
    pair: tuple[Label, ...]
    effective: tuple[float, float]
    by_class: bool = False
    grouped: bool = False
    rule: str = "score >= threshold"

    def __repr__(self) -> str:
        words = f"AUC {self.auc:.4g}; {self._rows()}; {self.threshold.size} points; {self.rule}"
        return self._said(words + ("; below the diagonal: see .inverted" * (self.auc < 0.5)))

    def youden(self) -> Point:
        """The point farthest above the diagonal: max of tpr - fpr (Youden 1950).

        Returns
        -------
        Point
            Its threshold and rates.
        """
        # A linear function of both rates is largest at a corner of the hull.
        corner = self.hull
        return self._point(int(corner[np.argmax(self.tpr[corner] - self.fpr[corner])]))

    def slope(self, cost: ArrayLike | None = None, prevalence: float | None = None) -> float:
        """Slope of the iso-cost lines: C_fp (1 - prevalence) / (C_fn prevalence).

        Costs count what an error costs more than the right decision. Points on one line cost the
        same; lines further up and left cost less.

        Parameters
        ----------
        cost : array-like, optional
            Rows = true class, columns = predicted class, in the order of `pair`; every error costs
            1 if not given.
        prevalence : float, optional
            The share of the class where the threshold is used; its share here if not given.

        Returns
        -------
        float
            The slope.
        """
        alarm, miss, _, _ = error_costs(cost, self.pair, self.class_)
        share = self._share(prevalence)
        return alarm * (1 - share) / (miss * share) if miss > 0 else float("inf")

    def best(self, cost: ArrayLike | None = None, prevalence: float | None = None) -> Point:
        """The cheapest threshold: where an iso-cost line touches the hull.

        Of equally cheap points the highest threshold. A threshold of +inf means: never call a row
        positive.

        Parameters
        ----------
        cost : array-like, optional
            Rows = true class, columns = predicted class, in the order of `pair`; every error costs
            1 if not given.
        prevalence : float, optional
            The share of the class where the threshold is used; its share here if not given.

        Returns
        -------
        Point
            Its threshold, rates and cost.

        Examples
        --------
        >>> from heliast import Predictions
        >>> curve = roc(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]))
        >>> curve.best(cost=[[0, 1], [9, 0]]).threshold
        0.4
        """
        alarm, miss, tp_cost, tn_cost = error_costs(cost, self.pair, self.class_)
        share, tpr, fpr = self._share(prevalence), self.tpr[self.hull], self.fpr[self.hull]
        total = share * (tp_cost + miss * (1 - tpr)) + (1 - share) * (tn_cost + alarm * fpr)
        # Rounding must not decide between points that cost the same.
        place = int(np.flatnonzero(total <= total.min() + 1e-12 * np.abs(total).max())[0])
        point = self._point(int(self.hull[place]))
        return replace(point, cost=float(total[place]), slope=self.slope(cost, prevalence))

    def _share(self, prevalence: float | None) -> float:
        check_share("roc", prevalence, self.class_, self.by_class)
        own = self.positives / (self.positives + self.negatives)
        return own if prevalence is None else prevalence

    def band(self, level: float = 0.95, method: Method = "simultaneous") -> Band:
        """Limits around the curve; `method` says what they cover.

        `simultaneous` (default): the whole true curve lies inside with confidence `level`
        (Kolmogorov-Smirnov, Campbell 1994). `wilson` and `clopper_pearson`: a box around each
        point holds the true pair of rates at that threshold with confidence `level`; the band of
        all boxes holds the true curve at any one false positive rate.

        Parameters
        ----------
        level : float
            The confidence level.
        method : {'simultaneous', 'wilson', 'clopper_pearson'}
            What the limits cover.

        Returns
        -------
        Band
            The limits.
        """
        if self.grouped:
            raise InputError(
                "roc: the rows come in groups or in order of time, and a band takes rows as "
                "independent; use the interval of measure 'auc', which allows for it"
            )
        return band(self.threshold, self.tpr, self.fpr, self.effective, level, method)

    @property
    def inverted(self) -> "Roc | None":
        """If the curve is worse than chance (AUC < 0.5): the curve of the scores turned round.

        Its score is minus the score, its AUC 1 - AUC. None when there is nothing to gain.
        """
        if not self.auc < 0.5:
            return None
        tp, fp = (self.positives - self.tp)[::-1], (self.negatives - self.fp)[::-1]
        # Rows strictly below t: minus their score is at least minus the next lower score. On a
        # thinned curve that score is not known, but it is beyond the next number to -t.
        lower = -self.threshold[1:]
        if self.thinned:
            lower = np.nextafter(-self.threshold[:-1], np.inf)
        corner = hull(fp, tp)
        return replace(
            self, threshold=np.append(np.inf, lower[::-1]), tp=tp, fp=fp, auc=1 - self.auc,
            hull=corner, rule="-score >= threshold",
            hull_auc=_area(fp[corner] / self.negatives, tp[corner] / self.positives),
        )  # fmt: skip


def roc(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    split: int | str | None = None,
    pool: bool = False,
    thin: bool = True,
) -> Roc:
    """How many positives are found at what price in false alarms, over every threshold.

    A row is called positive if score >= threshold; (fpr, tpr) = (FP / negatives, TP / positives).
    Rows with equal scores enter together, so a tie of both classes is one sloped step and the
    trapezoid under it counts half: `auc` is the share of pairs in the right order, ties half.
    `thin` leaves out vertices that 2048 pixels cannot show; areas and hull are those of all rows.
    Undefined, and refused, without rows of both kinds. Reference: Fawcett (2006).

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
    thin : bool
        Whether vertices that no plot shows are left out.

    Returns
    -------
    Roc
        The curve.

    Examples
    --------
    >>> from heliast import Predictions
    >>> table = Predictions.of(["c1", "c2", "c1", "c1", "c2"], y_score=[0.9, 0.8, 0.8, 0.8, 0.1],
    ...                        positive="c1")
    >>> curve = roc(table)
    >>> curve.fpr, round(curve.auc, 3)
    (array([0. , 0. , 0.5, 1. ]), 0.833)
    """
    ranked = rank("roc", predictions, class_, model, split, pool)
    ranking, auc = ranked.ranking, float(ranked.ranking.auc)
    if thin and auc >= 0.5 and ranking.plain_rows > MANY and not ranked.scanned:
        points, corner = _outlined(ranking)
        fields = {**ranked.kept(points, np.arange(points[0].size)), "thinned": True}
    else:
        _, tp, fp = points = ranking.drawn if thin else ranking.points
        corner = hull(fp, tp)
        # Turned round, the lower hull becomes the upper one: below the diagonal both are kept.
        turned = hull(tp, fp) if auc < 0.5 else corner
        keep = kept(fp, tp, thin, np.union1d(corner, turned))
        fields, corner = ranked.kept(points, keep), np.searchsorted(keep, corner)
    x, y = fields["fp"] / fields["negatives"], fields["tp"] / fields["positives"]
    return Roc(
        **fields, auc=auc, hull=corner, hull_auc=_area(x[corner], y[corner]), pair=ranked.pair,
        effective=ranked.effective, by_class=ranked.by_class,
        grouped=ranked.rows.group is not None,
    )  # fmt: skip


def _outlined(ranking: Ranking) -> tuple[Curve, Array]:
    """The vertices that a plot needs and the corners of the hull, from the sorted scores."""
    corners = roc_hull(ranking.positive, ranking.negative)
    vertices = outline(ranking.positive, ranking.negative, grid=GRID)
    threshold, first = np.unique(-np.concatenate([corners[0], vertices[0]]), return_index=True)
    tp, fp = (np.concatenate(pair)[first] for pair in zip(corners[1:], vertices[1:], strict=True))
    return (-threshold, tp, fp), np.searchsorted(threshold, -corners[0])


def _area(x: Array, y: Array) -> float:
    return float(np.trapezoid(y, x))


# --- averaged over splits ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AveragedRoc(Record):
    """Means of the rates over the ROC curves of several splits, and how much these differ.

    The spreads show how much single splits differ; they are no interval, as splits share training
    rows.

    Parameters
    ----------
    by : {'fpr', 'threshold'}
        What the curves of the splits have in common where they are averaged.
    fpr : array
        False positive rates: given ones, or means over the splits.
    tpr : array
        Means of the true positive rate over the splits.
    fpr_spread, tpr_spread : array
        Standard deviations of both rates over the splits.
    auc : float
        The mean of the areas of the splits.
    auc_spread : float
        Their standard deviation.
    curves : tuple of Roc
        The curve of each split.
    class_ : object
        The class against the rest.
    threshold : array, optional
        The thresholds, where these are in common.
    model : str
        The model.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> y_true, score = [1, 0, 1, 0] * 2, [0.9, 0.2, 0.8, 0.1, 0.9, 0.8, 0.4, 0.1]
    >>> averaged_roc(Predictions.of(y_true, y_score=score, split=[0] * 4 + [1] * 4))
    <AveragedRoc of 'model', class 1: mean AUC 0.875 of 2 splits, averaged by fpr>
    """

    by: Literal["fpr", "threshold"]
    fpr: Array
    tpr: Array
    fpr_spread: Array
    tpr_spread: Array
    auc: float
    auc_spread: float
    curves: tuple[Roc, ...]
    class_: Label
    threshold: Array | None = None
    model: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        count = len(self.curves)
        return self._said(f"mean AUC {self.auc:.4g} of {count} splits, averaged by {self.by}")

    @property
    def edges(self) -> tuple[Array, Array, Array, Array]:
        """The band of one spread: fpr and tpr of its upper edge, then of its lower edge."""
        return (
            np.maximum(self.fpr - self.fpr_spread, 0.0),
            np.minimum(self.tpr + self.tpr_spread, 1.0),
            np.minimum(self.fpr + self.fpr_spread, 1.0),
            np.maximum(self.tpr - self.tpr_spread, 0.0),
        )


def averaged_roc(
    predictions: Predictions,
    class_: Label | None = None,
    model: str | None = None,
    *,
    by: Literal["fpr", "threshold"] = "fpr",
    places: int = PLACES,
) -> AveragedRoc:
    """The mean of the ROC curves of the splits, where pooling their scores would mix scales.

    `by="fpr"` (vertical averaging) takes the mean true positive rate at each false positive rate
    and never compares scores of different fits; its area is the mean of the areas.
    `by="threshold"` takes the mean of both rates at each threshold, as whoever uses one threshold
    for all fits will meet them. A curve between two of its points is a straight line; where it
    rises straight up, the upper end counts. Splits without rows of both kinds are left out and
    counted in `notes`.

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    class_ : object, optional
        The class against the rest; of two the positive one.
    model : str, optional
        The model, where the table has several.
    by : {'fpr', 'threshold'}
        Whether to average at equal false positive rates or at equal thresholds.
    places : int
        At how many rates or thresholds.

    Returns
    -------
    AveragedRoc
        The mean curve, its spread, and the curve of each split.

    Examples
    --------
    >>> y_true, score = [1, 0, 1, 0] * 2, [0.9, 0.2, 0.8, 0.1, 0.9, 0.8, 0.4, 0.1]
    >>> table = Predictions.of(y_true, y_score=score, split=[0] * 4 + [1] * 4)
    >>> averaged_roc(table, places=3).tpr
    array([0.75, 1.  , 1.  ])

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27, section 8
    (algorithms 3 and 4).
    """
    if by not in ("fpr", "threshold") or places < 2:
        raise InputError(f"averaged_roc: by={by!r}, places={places}: fpr or threshold, 2 or more")
    curves, reasons = _by_split(predictions, class_, model)
    notes: tuple[str, ...] = ()
    if reasons:
        splits = len(reasons) + len(curves)
        notes = (f"left out for want of rows of both kinds: {len(reasons)} of {splits} splits",)
    threshold = None
    if by == "fpr":
        grid = np.linspace(0.0, 1.0, places)
        rates = np.array([[grid, _tpr_at(curve, grid)] for curve in curves])
    else:
        # Some of all thresholds, from +inf to the least, about as many rows between each.
        distinct = np.unique(np.concatenate([curve.threshold for curve in curves]))[::-1]
        some = np.unique(np.linspace(0, distinct.size - 1, places).round().astype(int))
        threshold, notes = distinct[some], (*notes, COMPARABLE)
        at = [curve._reached(threshold) for curve in curves]
        rates = np.array([[c.fpr[k], c.tpr[k]] for c, k in zip(curves, at, strict=True)])
    fpr, tpr = rates.mean(axis=0)
    fpr_spread, tpr_spread = rates.std(axis=0, ddof=1)
    if by == "fpr":
        fpr, fpr_spread = grid, np.zeros(places)
    areas = np.array([curve.auc for curve in curves])
    return AveragedRoc(
        by=by, fpr=fpr, tpr=tpr, fpr_spread=fpr_spread, tpr_spread=tpr_spread,
        auc=float(areas.mean()), auc_spread=float(areas.std(ddof=1)), curves=tuple(curves),
        class_=curves[0].class_, threshold=threshold, model=curves[0].model, notes=notes,
    )  # fmt: skip


def _by_split(
    predictions: Predictions, class_: Label | None, model: str | None
) -> tuple[list[Roc], list[str]]:
    """The curve of each split that has one, and why others have none."""
    part, _ = part_of("averaged_roc", predictions, model, None, pool=True)
    curves, reasons = [], []
    for _, alone in part.per_split(part.models[0]):
        try:
            curves.append(roc(alone, class_))
        except InputError as error:
            reasons.append(str(error))
    if len(curves) < 2:
        raise InputError(
            f"averaged_roc: {len(curves)} splits have a ROC curve, and a mean needs two"
            + (f"; elsewhere: {reasons[0]}" if reasons else "")
        )
    return curves, reasons


def _tpr_at(curve: Roc, grid: Array) -> Array:
    """The true positive rate at these false positive rates; the upper end of an upright piece."""
    # Rounding must not decide which end: 3 of 30 is 0.1.
    before = np.searchsorted(curve.fpr, grid + 1e-12, "right") - 1
    after = np.minimum(before + 1, curve.fpr.size - 1)
    run = curve.fpr[after] - curve.fpr[before]
    part = np.divide(grid - curve.fpr[before], run, out=np.zeros_like(grid), where=run > 0)
    return np.asarray(curve.tpr[before] + part * (curve.tpr[after] - curve.tpr[before]))


# --- of two normals ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NormalRoc(Record):
    """The exact ROC curve of scores that are N(distance, spread^2) for positives, else N(0, 1).

    Parameters
    ----------
    distance : float
        The mean score of positives; that of negatives is 0.
    spread : float
        The standard deviation of their scores; that of negatives is 1.
    threshold : array
        Thresholds, falling.
    fpr : array
        The share of negatives called positive.
    tpr : array
        The share of positives found.
    auc : float
        The area under the curve.
    model : str
        The model.
    class_ : None
        The curve is of no table.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> normal_roc(1.5)
    <NormalRoc of 'two normals': distance 1.5, spread 1: AUC 0.8556>
    """

    distance: float
    spread: float
    threshold: Array
    fpr: Array
    tpr: Array
    auc: float
    model: str = "two normals"
    class_: None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self._said(f"distance {self.distance:g}, spread {self.spread:g}: AUC {self.auc:.4g}")

    def at(self, threshold: float) -> Point:
        """What the rule `score >= threshold` does; `tp` and `fp` are shares of their classes.

        Parameters
        ----------
        threshold : float
            The least score that counts.

        Returns
        -------
        Point
            Its rates.
        """
        fpr, tpr = _normal_rates(np.array([threshold]), self.distance, self.spread)
        rates = float(tpr[0]), float(fpr[0])
        return Point(float(threshold), *rates, *rates)

    def sample(
        self, positives: int, negatives: int, seed: int = 0, model: str = "sampled"
    ) -> Predictions:
        """Rows whose scores are drawn from the two normals, to set beside the theory.

        Parameters
        ----------
        positives, negatives : int
            Rows of the class 1 and of the class 0.
        seed : int
            Seed of the draw.
        model : str
            What the table calls it.

        Returns
        -------
        Predictions
            Rows with drawn scores; their numbers per class are fixed.
        """
        if positives < 1 or negatives < 1:
            raise InputError(
                f"positives={positives}, negatives={negatives}: give 1 or more of each"
            )
        score = np.random.default_rng(seed).standard_normal(positives + negatives)
        score[:positives] = self.distance + self.spread * score[:positives]
        y_true = [1] * positives + [0] * negatives
        return Predictions.of(y_true, y_score=score, positive=1, scores="decision", model=model)


def normal_roc(distance: float, spread: float = 1.0) -> NormalRoc:
    """The ROC curve of a signal in normal noise: what a threshold on two Gaussians does.

    TPR = Phi((distance - t) / spread) and FPR = Phi(-t), so TPR = Phi(a + b Phi^-1(FPR)) with
    a = distance / spread and b = 1 / spread, and AUC = Phi(a / sqrt(1 + b^2)). Less noise, a larger
    distance, a larger area; moving the threshold to the right lowers both rates. With unequal
    spreads the curve crosses the diagonal near a corner.

    Parameters
    ----------
    distance : float
        How far the mean score of positives lies above that of negatives, in standard deviations of
        negatives.
    spread : float
        The standard deviation of positives, in the same unit.

    Returns
    -------
    NormalRoc
        The curve.

    Examples
    --------
    >>> curve = normal_roc(2.0)
    >>> round(curve.auc, 4), round(curve.at(1.0).tpr, 4), round(curve.at(1.0).fpr, 4)
    (0.9214, 0.8413, 0.1587)

    References
    ----------
    slides-c, 'ROC Curve' (the radar signal; there moving the threshold right raises both rates,
    which is a slip). D. Green and J. Swets (1966), Signal Detection Theory and Psychophysics.
    """
    from scipy.special import ndtr

    if not (np.isfinite(distance) and np.isfinite(spread) and spread > 0):
        raise InputError(
            f"normal_roc: distance={distance}, spread={spread}: finite, spread above 0"
        )
    ends = min(-6.0, distance - 6 * spread), max(6.0, distance + 6 * spread)
    threshold = np.concatenate([[np.inf], np.linspace(*ends, 401)[::-1], [-np.inf]])
    fpr, tpr = _normal_rates(threshold, distance, spread)
    auc = float(ndtr(distance / np.hypot(1.0, spread)))
    return NormalRoc(
        distance=float(distance), spread=float(spread), threshold=threshold, fpr=fpr, tpr=tpr,
        auc=auc,
    )  # fmt: skip


def _normal_rates(threshold: Array, distance: float, spread: float) -> tuple[Array, Array]:
    from scipy.special import ndtr

    return ndtr(-threshold), ndtr((distance - threshold) / spread)
