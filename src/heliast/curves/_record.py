"""What every curve record offers (a dict, a picture, a line), and which vertices it keeps."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from heliast._core.drawn import Drawn
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.records import Shown, named
from heliast._core.told import told
from heliast._kernels.ranking import thin

ASKED = {
    "predictions": "Predictions or Rows: The rows of one model, or of several with `model`.",
    "class_": "object, optional: The class against the rest; of two the positive one.",
    "model": "str, optional: The model, where the table has several.",
    "split": "int or str, optional: One split, where the table has several.",
    "pool": "bool: Whether the rows of several splits are taken as one test set.",
    "prevalence": "float, optional: The share of the class in the population; that of the rows "
    "if not given.",
    "thin": "bool: Whether vertices that no picture shows are left out.",
    "level": "float: The confidence level.",
}
"""What the functions that make curves share."""
REFUSED = "If the rows do not allow for it, or more than one model or split is meant."
HELD = {
    "threshold": "array: Distinct scores, from +inf down; rows at or above count as positive.",
    "tp": "array: The weight of positives at or above each threshold (their number).",
    "fp": "array: The same of negatives.",
    "positives": "float: The weight of all positives.",
    "negatives": "float: The weight of all negatives.",
    "class_": "object: The class against the rest.",
    "model": "str: The model.",
    "thinned": "bool: Whether vertices that no picture shows were left out.",
    "notes": "tuple of str: Caveats.",
    "level": "float: The confidence level.",
    "method": "str: How limits were made.",
    "low": "array: Lower limits.",
    "high": "array: Upper limits.",
    "tpr": "array: The share of positives found.",
    "fpr": "array: The share of negatives called positive.",
    "pair": "tuple: The order of the classes in a 2 x 2 cost matrix.",
    "by_class": "bool: Whether class counts were fixed by design.",
    "rule": "str: Who is called positive.",
}
"""What the records of curves share."""
GRID = 2048
FEW = 4096
"""A curve with no more vertices than this is kept whole."""
COSTS = {
    "cost": "array-like, optional: Rows = true class, columns = label, in the order of `pair`; "
    "every error costs 1 if not given.",
    "prevalence": "float, optional: The share of the class where the threshold is used; its share "
    "here if not given.",
}


class Record(Drawn):
    """A frozen result that can be put into JSON, a notebook and the terminal."""

    model: str

    def _head(self, what: str, class_: Label | None) -> str:
        model = f" of {self.model!r}" if self.model else ""
        return f"<{what}{model}" + ("" if class_ is None else f", class {class_!r}")


@told(
    HELD
    | {
        "threshold": "float: Rows with a score of at least this are called positive.",
        "tp": "float: The weight of positives among them.",
        "fp": "float: That of negatives.",
        "tpr": "float: The share of positives found.",
        "fpr": "float: The share of negatives called positive.",
        "cost": "float, optional: The expected cost a row, where it was chosen by cost.",
        "slope": "float, optional: The slope of the iso-cost line through it.",
    }
)
@dataclass(frozen=True)
class Point(Shown):
    """What one threshold does: a row is called positive if its score is at least `threshold`.

    Examples
    --------
    >>> Point(0.5, 8.0, 2.0, 0.8, 0.1).tpr
    0.8
    """

    threshold: float
    tp: float
    fp: float
    tpr: float
    fpr: float
    cost: float | None = None
    slope: float | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Thresholds(Record):
    """A curve over the threshold: what lies at or above each distinct score, from +inf down.

    `tp` and `fp` are weights of positives and negatives with score >= threshold (counts, without
    weights); `thinned` says whether vertices that no picture shows were left out.
    """

    _followed: ClassVar[str] = ""
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
        return np.asarray(self.tp / self.positives)

    @cached_property
    def fpr(self) -> Array:
        """Share of the negatives at or above each threshold."""
        return np.asarray(self.fp / self.negatives)

    @told({"threshold": "float: The least score that counts."}, returns="Point: Its rates.")
    def at(self, threshold: float) -> Point:
        """What the rule `score >= threshold` does; on a thinned curve right to a pixel."""
        # Thresholds descend, so count from the other end: the last one that is not below.
        above = self.threshold.size - int(np.searchsorted(self.threshold[::-1], threshold))
        return self._point(max(above - 1, 0), float(threshold))

    @told({}, returns="dict: A value a field.")
    def to_dict(self) -> dict[str, object]:
        """The fields and what follows from them as plain values; what is not finite is None."""
        return {**super().to_dict(), **named(self, self._followed)}

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


def kept(x: Array, y: Array, thinning: bool, always: Array | None = None) -> Array:
    """Positions of the vertices to keep; one left out lies within a pixel of one kept before it.

    >>> kept(np.linspace(0, 1, 10), np.linspace(0, 1, 10), True).size
    10
    """
    if not thinning or x.size <= FEW:
        return np.arange(x.size)
    grid = GRID
    found = thin(x, y, grid)
    # Only a curve that goes up and down, such as precision, can need more than 2 grid + 2.
    while found.size > 4 * FEW:
        grid //= 2
        found = thin(x, y, grid)
    return found if always is None else np.union1d(found, always)
