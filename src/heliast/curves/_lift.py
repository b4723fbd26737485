"""The lift chart: positives found against rows taken."""

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
        "area": "float: Between the curve and the line of a random choice.",
        "share": "float: It as a part of what a perfect order gives: 2 AUC - 1.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Lift(Thresholds):
    """Number of positives found (`found`) among the rows with the highest scores (`size`).

    `area` lies between the curve and the line of a random choice; `share` is it as a part of what
    a perfect order would give: 2 AUC - 1.

    Examples
    --------
    >>> from heliast import Predictions
    >>> lift(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).area
    1.0
    """

    area: float
    share: float

    @property
    def size(self) -> Array:
        """Rows taken: those at or above each threshold."""
        total: Array = self.tp + self.fp
        return total

    @property
    def found(self) -> Array:
        """Positives among them."""
        return self.tp

    @property
    def random(self) -> Array:
        """Positives that a random choice of as many rows would hold on average."""
        line: Array = self.size * (self.positives / (self.positives + self.negatives))
        return line

    @told({"size": "float: The rows taken."}, returns="float: The positives expected among them.")
    def expected(self, size: float) -> float:
        """Positives among the `size` rows with the highest scores; tied rows in random order."""
        return float(np.interp(size, self.size, self.found))

    @told({}, returns=A_DICT)
    def to_dict(self) -> dict[str, object]:
        """The fields and what follows from them as plain values."""
        more = {"size": self.size.tolist(), "found": self.found.tolist()}
        return {**super().to_dict(), **more}

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
