"""The F surface: F over all pairs of precision and recall, and where models lie on it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._chosen import part_of
from heliast.curves._record import ASKED, HELD, Record
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions

PLACES = 41


@told(
    HELD
    | {
        "beta": "float: How much more recall weighs than precision.",
        "classes": "tuple: The classes that have a point.",
        "recall": "array: Their recall.",
        "precision": "array: Their precision; NaN where no row was given the class.",
        "f": "array: Their F.",
        "class_": "object, optional: The class, where only one is meant.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FSurface(Record):
    """F = (1 + beta^2) P R / (beta^2 P + R) over precision P and recall R; a point for each class.

    Examples
    --------
    >>> f_surface(beta=2.0).at(0.5, 1.0)
    0.8333333333333334
    """

    beta: float
    classes: tuple[Label, ...]
    recall: Array
    precision: Array
    f: Array
    model: str = ""
    class_: Label | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        points = ", ".join(f"{c}: {f:.3f}" for c, f in zip(self.classes, self.f, strict=True))
        return f"{self._head('FSurface', self.class_)}: beta {self.beta:g}; F {points or 'alone'}>"

    @property
    def mean(self) -> float:
        """The mean F of the classes: the overall F of the chapter."""
        return float(self.f.mean()) if self.f.size else float("nan")

    @told(
        {
            "precision": "array-like: Precision, from 0 to 1.",
            "recall": "array-like: Recall, from 0 to 1.",
        },
        returns="float or array: F there; 0 where both are 0.",
    )
    def at(self, precision: npt.ArrayLike, recall: npt.ArrayLike) -> float | Array:
        """The height of the surface."""
        found = _height(np.asarray(precision, float), np.asarray(recall, float), self.beta)
        return float(found) if found.ndim == 0 else found

    @told(
        {"f": "float: A height between 0 and 1."},
        returns="tuple of array: Recall and precision along the line.",
    )
    def line(self, f: float) -> tuple[Array, Array]:
        """The line of equal F, from precision 1 to recall 1."""
        square = self.beta**2
        recall = np.geomspace(square * f / (1 + square - f), 1.0, PLACES)
        precision = f * recall / ((1 + square) * recall - square * f)
        return recall, precision


@told(
    ASKED
    | {
        "predictions": "Predictions, optional: The table; None gives the surface alone.",
        "class_": "object, optional: The class; without one the positive class of two, or all.",
        "beta": "float: How much more recall weighs than precision.",
    },
    returns="FSurface: The surface, and the points of one model.",
    raises="If beta is not above 0, or the rows do not allow for it.",
)
def f_surface(
    predictions: Predictions | None = None,
    class_: Label | None = None,
    model: str | None = None,
    *,
    beta: float = 1.0,
) -> FSurface:
    """F as a surface over precision and recall: the harmonic mean is near the smaller of the two.

    Rows of several splits are counted together, as precision and recall need labels alone.

    Examples
    --------
    >>> f_surface(Predictions.of([1, 0, 1, 1], [1, 1, 0, 1], positive=1))
    <FSurface of 'model', class 1: beta 1; F 1: 0.667>

    References
    ----------
    chapter, section 22.1.1, F-measure. C. van Rijsbergen (1979), Information Retrieval, chapter 7.
    """
    if not 0 < beta < np.inf:
        raise InputError(f"f_surface: beta={beta} must be a number greater than 0")
    nothing = np.zeros(0)
    if predictions is None:
        return FSurface(beta=beta, classes=(), recall=nothing, precision=nothing, f=nothing)
    part, _ = part_of("f_surface", predictions, model, None, pool=True)
    if part.task != "classes":
        raise InputError("f_surface: these are predictions of numbers; F needs classes")
    chosen = part.positive if class_ is None else class_
    if chosen is not None and chosen not in part.classes:
        raise InputError(f"f_surface: no class {class_!r}; there are {list(part.classes)[:8]}")
    counts = part.summary(Contingency).counts
    hit, actual, decided = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    shown = [
        code
        for code, label in enumerate(part.classes)
        if (chosen is None or label == chosen) and actual[code] > 0
    ]
    recall = hit[shown] / actual[shown]
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = hit[shown] / decided[shown]
    return FSurface(
        beta=beta,
        classes=tuple(part.classes[code] for code in shown),
        recall=recall,
        precision=precision,
        f=(1 + beta**2) * hit[shown] / (beta**2 * actual[shown] + decided[shown]),
        model=part.models[0],
        class_=chosen,
    )


def _height(precision: Array, recall: Array, beta: float) -> Array:
    base = beta**2 * precision + recall
    top = (1 + beta**2) * precision * recall
    found: Array = np.divide(top, base, out=np.zeros(np.broadcast(top, base).shape), where=base > 0)
    return found
