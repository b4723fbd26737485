"""The ROC curve of one class against the rest."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast._kernels.ranking import outline, roc_hull
from heliast.curves._band import Band, Method, band
from heliast.curves._chosen import FIXED, Source, check_prevalence, rank
from heliast.curves._prices import Prices
from heliast.curves._record import ASKED, COSTS, GRID, HELD, REFUSED, Point, Thresholds, kept
from heliast.measures.summaries import Ranking

MANY = 200_000
"""Rows from which a thinned curve is read off the sorted scores, without building it whole."""
HALVINGS = 8
"""How often points under the line between their neighbours, about half of them, are left out."""


@told(
    HELD
    | {
        "auc": "float: The area by trapezoids.",
        "hull": "array: Positions of the convex hull's corners among the points.",
        "hull_auc": "float: The area under the hull.",
        "effective": "tuple of float: The independent rows that positives and negatives are worth.",
        "grouped": "bool: Whether rows come in groups.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Roc(Thresholds):
    """True against false positive rate at every distinct threshold; `auc` by trapezoids.

    Examples
    --------
    >>> from heliast import Predictions
    >>> roc(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).auc
    0.75
    """

    _followed: ClassVar[str] = "fpr tpr"
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
        if self.auc < 0.5:
            words += "; below the diagonal: see .inverted"
        return f"{self._head('Roc', self.class_)}: {words}>"

    # --- choosing a threshold ----------------------------------------------------------------

    @told({}, returns="Point: Its threshold and rates.")
    def youden(self) -> Point:
        """The point farthest above the diagonal: max of tpr - fpr (Youden 1950)."""
        # A linear function of both rates is largest at a corner of the hull.
        corner = self.hull
        return self._point(int(corner[np.argmax(self.tpr[corner] - self.fpr[corner])]))

    @told(COSTS, returns="float: The slope.")
    def slope(self, cost: npt.ArrayLike | None = None, prevalence: float | None = None) -> float:
        """Slope of the iso-cost lines: C_fp (1 - prevalence) / (C_fn prevalence).

        Costs count what an error costs more than the right decision. Points on one line cost the
        same; lines further up and left cost less.
        """
        prices, share = Prices.of(cost, self.pair, self.class_), self._share(prevalence)
        rise, run = prices.false_alarm * (1 - share), prices.miss * share
        return rise / run if run > 0 else float("inf")

    @told(COSTS, returns="Point: Its threshold, rates and cost.")
    def best(self, cost: npt.ArrayLike | None = None, prevalence: float | None = None) -> Point:
        """The cheapest threshold: where an iso-cost line touches the hull.

        Of equally cheap points the highest threshold. A threshold of +inf means: never call a row
        positive.

        Examples
        --------
        >>> from heliast import Predictions
        >>> found = roc(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1]))
        >>> found.best(cost=[[0, 1], [9, 0]]).threshold
        0.4
        """
        prices, share = Prices.of(cost, self.pair, self.class_), self._share(prevalence)
        tpr, fpr = self.tpr[self.hull], self.fpr[self.hull]
        positive = share * (prices.right_positive + prices.miss * (1 - tpr))
        negative = (1 - share) * (prices.right_negative + prices.false_alarm * fpr)
        total = positive + negative
        # Rounding must not decide between points that cost the same.
        place = int(np.flatnonzero(total <= total.min() + 1e-12 * np.abs(total).max())[0])
        point = self._point(int(self.hull[place]))
        slope = self.slope(cost, prevalence)
        return replace(point, cost=float(total[place]), slope=slope)

    def _share(self, prevalence: float | None) -> float:
        if prevalence is not None:
            check_prevalence("roc", prevalence)
            return prevalence
        if self.by_class:
            raise InputError(FIXED.format(curve="roc", class_=self.class_))
        return self.positives / (self.positives + self.negatives)

    # --- how sure ----------------------------------------------------------------------------

    @told(
        ASKED | {"method": "{'simultaneous', 'wilson', 'clopper_pearson'}: What the limits cover."},
        returns="Band: The limits.",
        raises="If rows come in groups, or there is no such method.",
    )
    def band(self, level: float = 0.95, method: Method = "simultaneous") -> Band:
        """Limits around the curve; `method` says what they cover.

        `simultaneous` (default): the whole true curve lies inside with confidence `level`
        (Kolmogorov-Smirnov, Campbell 1994). `wilson` and `clopper_pearson`: a box around each
        point holds the true pair of rates at that threshold with confidence `level`; the band of
        all boxes holds the true curve at any one false positive rate.
        """
        if self.grouped:
            raise InputError(
                "roc: the rows come in groups or in order of time, and a band takes rows as "
                "independent; use the interval of measure 'auc', which allows for it"
            )
        return band(self.threshold, self.tpr, self.fpr, self.effective, level, method)

    # --- other views -------------------------------------------------------------------------

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
        threshold = np.concatenate([[np.inf], lower[::-1]])
        corner = hull(fp, tp)
        return replace(
            self,
            threshold=threshold,
            tp=tp,
            fp=fp,
            auc=1 - self.auc,
            hull=corner,
            hull_auc=_area(fp[corner] / self.negatives, tp[corner] / self.positives),
            rule="-score >= threshold",
        )


@told(ASKED, returns="Roc: The curve.", raises=REFUSED)
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

    Examples
    --------
    >>> from heliast import Predictions
    >>> table = Predictions.of(["c1", "c2", "c1", "c1", "c2"], score=[0.9, 0.8, 0.8, 0.8, 0.1],
    ...                        positive="c1")
    >>> found = roc(table)
    >>> found.fpr, round(found.auc, 3)
    (array([0. , 0. , 0.5, 1. ]), 0.833)
    """
    ranked = rank("roc", predictions, class_, model, split, pool)
    ranked.need_points("roc", thin)
    auc = float(ranked.ranking.auc)
    if thin and auc >= 0.5 and ranked.ranking.plain_rows > MANY and not ranked.scanned:
        points, corner = _outlined(ranked.ranking)
        fields = {**ranked.kept(points, np.arange(points[0].size)), "thinned": True}
    else:
        _, tp, fp = points = ranked.ranking.drawn
        corner = hull(fp, tp)
        # Turned round, the lower hull becomes the upper one: below the diagonal both are kept.
        turned = hull(tp, fp) if auc < 0.5 else corner
        keep = kept(fp, tp, thin, np.union1d(corner, turned))
        fields, corner = ranked.kept(points, keep), np.searchsorted(keep, corner)
    x, y = fields["fp"] / fields["negatives"], fields["tp"] / fields["positives"]
    return Roc(
        **fields,
        auc=auc,
        hull=corner,
        hull_auc=_area(x[corner], y[corner]),
        pair=ranked.chosen.pair,
        effective=ranked.effective,
        by_class=ranked.by_class,
        grouped=ranked.chosen.rows.group is not None,
    )


def _outlined(ranking: Ranking) -> tuple[tuple[Array, Array, Array], Array]:
    """The vertices that a picture needs and the corners of the hull, from the sorted scores."""
    corners = roc_hull(ranking.positive, ranking.negative)
    vertices = outline(ranking.positive, ranking.negative, grid=GRID)
    threshold, first = np.unique(-np.concatenate([corners[0], vertices[0]]), return_index=True)
    tp, fp = (np.concatenate(pair)[first] for pair in zip(corners[1:], vertices[1:], strict=True))
    return (-threshold, tp, fp), np.searchsorted(threshold, -corners[0])


def _area(x: Array, y: Array) -> float:
    return float(np.trapezoid(y, x))


# --- the convex hull: the points that are best for some costs ---------------------------------


def hull(fp: Array, tp: Array) -> Array:
    """Positions of the corners of the upper convex hull of a rising curve from (0, 0).

    One pass, which takes off what each next point leaves under the hull (Andrew 1979).

    >>> hull(np.array([0.0, 1, 1, 2]), np.array([0.0, 0, 3, 3]))
    array([0, 2, 3])
    """
    # Rows without weight repeat a point: the first of equal points is taken.
    place = np.flatnonzero(np.append(True, (tp[1:] > tp[:-1]) | (fp[1:] > fp[:-1])))
    for _ in range(HALVINGS):
        at = fp[place], tp[place]
        before, here, after = ([one[k : one.size - 2 + k] for one in at] for k in range(3))
        place = place[np.concatenate([[True], _turn(before, here, after) < 0, [True]])]
    out: list[tuple[float, float, int]] = []
    for point in zip(fp[place].tolist(), tp[place].tolist(), place.tolist(), strict=True):
        while len(out) > 1 and _turn(out[-2], out[-1], point) >= 0:
            out.pop()
        out.append(point)
    return np.array([place for _, _, place in out], np.int64)


def _turn(a: Any, b: Any, c: Any) -> Any:
    """Positive if the way a, b, c turns left: then b lies under the hull."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
