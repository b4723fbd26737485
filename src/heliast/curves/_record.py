"""What every curve record offers: a plain dict, a picture, a line for the terminal."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.drawn import drawing
from heliast._core.labels import Label
from heliast._core.records import Shown, as_dict

Array = npt.NDArray[Any]


class Record:
    """A frozen result that can be put into JSON, a notebook and the terminal."""

    model: str

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; what is not finite (such as a first threshold) is None."""
        return as_dict(self)  # type: ignore[arg-type]

    def svg(self, **options: object) -> str:
        """The picture, as a standalone SVG; options are those of the drawing."""
        return drawing(self, **options)

    def _repr_html_(self) -> str:
        return self.svg()

    def _head(self, what: str, class_: Label | None) -> str:
        model = f" of {self.model!r}" if self.model else ""
        return f"<{what}{model}" + ("" if class_ is None else f", class {class_!r}")


@dataclass(frozen=True)
class Point(Shown):
    """What one threshold does: a row is called positive if its score is at least `threshold`.

    `cost` is the expected cost per row and `slope` that of the iso-cost line through the point,
    when the point was chosen by cost.
    """

    threshold: float
    tp: float
    fp: float
    tpr: float
    fpr: float
    cost: float | None = None
    slope: float | None = None

    def to_dict(self) -> dict[str, object]:
        return as_dict(self)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Thresholds(Record):
    """A curve over the threshold: what lies at or above each distinct score, from +inf down.

    `tp` and `fp` are weights of positives and negatives with score >= threshold (counts, without
    weights); `thinned` says whether vertices that no picture shows were left out.
    """

    threshold: Array
    tp: Array
    fp: Array
    positives: float
    negatives: float
    class_: Label
    model: str = ""
    thinned: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def tpr(self) -> Array:
        """Share of the positives at or above each threshold: recall."""
        rate: Array = self.tp / self.positives
        return rate

    @cached_property
    def fpr(self) -> Array:
        """Share of the negatives at or above each threshold."""
        rate: Array = self.fp / self.negatives
        return rate

    def at(self, threshold: float) -> Point:
        """What the rule `score >= threshold` does; on a thinned curve right to a pixel."""
        # Thresholds descend, so count from the other end: the last one that is not below.
        above = self.threshold.size - int(np.searchsorted(self.threshold[::-1], threshold))
        return self._point(max(above - 1, 0), float(threshold))

    def _point(self, place: int, threshold: float | None = None) -> Point:
        return Point(
            float(self.threshold[place]) if threshold is None else threshold,
            float(self.tp[place]),
            float(self.fp[place]),
            float(self.tpr[place]),
            float(self.fpr[place]),
        )

    def _rows(self) -> str:
        return f"{self.positives:g} positives, {self.negatives:g} negatives"
