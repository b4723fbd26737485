"""Cumulative gain: the share of positives found against the share of rows taken."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._chosen import Source
from heliast.curves._lift import lift as lift_chart
from heliast.curves._record import A_DICT, ASKED, HELD, REFUSED, Thresholds

Array = npt.NDArray[Any]


@told(
    HELD
    | {
        "share": "float: The area over the random line as a part of that of a perfect order.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Gain(Thresholds):
    """Share of the positives (`gain`) among the share `depth` of rows with the highest scores.

    `lift` is their ratio: how many times more positives than a random choice finds. `share` is the
    area over the random line as a part of that of a perfect order.

    Examples
    --------
    >>> from heliast import Predictions
    >>> gain(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).share
    0.5
    """

    share: float

    @property
    def depth(self) -> Array:
        """Share of all rows at or above each threshold."""
        part: Array = (self.tp + self.fp) / (self.positives + self.negatives)
        return part

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

    @told({}, returns=A_DICT)
    def to_dict(self) -> dict[str, object]:
        """The fields and what follows from them as plain values."""
        more = {"depth": self.depth.tolist(), "gain": self.gain.tolist()}
        return {**super().to_dict(), **more}

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
    chart = lift_chart(
        predictions, class_, model, split=split, pool=pool, prevalence=prevalence, thin=thin
    )
    return Gain(
        threshold=chart.threshold,
        tp=chart.tp,
        fp=chart.fp,
        positives=chart.positives,
        negatives=chart.negatives,
        class_=chart.class_,
        model=chart.model,
        thinned=chart.thinned,
        notes=chart.notes,
        share=chart.share,
    )
