"""Planes: F over precision and recall; the class that a model gives to each place."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label
from heliast.curves.rows import Record, part_of
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions

PLACES = 41
Line = tuple[Array, Array]
ROUND = np.linspace(0, 2 * np.pi, 73)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FSurface(Record):
    """F = (1 + beta^2) P R / (beta^2 P + R) over precision P and recall R; a point for each class.

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision.
    classes : tuple
        The classes that have a point.
    recall : array
        Their recall.
    precision : array
        Their precision; NaN where no row was given the class.
    f : array
        Their F.
    model : str
        The model.
    class_ : object, optional
        The class, where only one is meant.
    notes : tuple of str
        Caveats.

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
        return self._said(f"beta {self.beta:g}; F {points or 'alone'}")

    @property
    def mean(self) -> float:
        """The mean F of the classes: the overall F of the chapter."""
        return float(self.f.mean()) if self.f.size else float("nan")

    def at(self, precision: ArrayLike, recall: ArrayLike) -> float | Array:
        """The height of the surface.

        Parameters
        ----------
        precision : array-like
            Precision, from 0 to 1.
        recall : array-like
            Recall, from 0 to 1.

        Returns
        -------
        float or array
            F there; 0 where both are 0.
        """
        p, r = np.asarray(precision, float), np.asarray(recall, float)
        base, top = self.beta**2 * p + r, (1 + self.beta**2) * p * r
        none = np.zeros(np.broadcast(top, base).shape)
        height = np.divide(top, base, out=none, where=base > 0)
        return float(height) if height.ndim == 0 else height

    def line(self, f: float) -> tuple[Array, Array]:
        """The line of equal F, from precision 1 to recall 1.

        Parameters
        ----------
        f : float
            A height between 0 and 1.

        Returns
        -------
        tuple of array
            Recall and precision along the line.
        """
        square = self.beta**2
        recall = np.geomspace(square * f / (1 + square - f), 1.0, PLACES)
        precision = f * recall / ((1 + square) * recall - square * f)
        return recall, precision


def f_surface(
    predictions: Predictions | None = None,
    class_: Label | None = None,
    model: str | None = None,
    *,
    beta: float = 1.0,
) -> FSurface:
    """F as a surface over precision and recall: the harmonic mean is near the smaller of the two.

    Rows of several splits are counted together, as precision and recall need labels alone.

    Parameters
    ----------
    predictions : Predictions, optional
        The table; None gives the surface alone.
    class_ : object, optional
        The class; without one the positive class of two, or all.
    model : str, optional
        The model, where the table has several.
    beta : float
        How much more recall weighs than precision.

    Returns
    -------
    FSurface
        The surface, and the points of one model.

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
    if part.task != "classification":
        raise InputError("f_surface: these are predictions of numbers; F needs classes")
    chosen = part.positive if class_ is None else class_
    if chosen is not None and chosen not in part.classes:
        raise InputError(f"f_surface: no class {class_!r}; there are {list(part.classes)[:8]}")
    table = part.summary(Contingency)
    shown = [
        code
        for code, label in enumerate(part.classes)
        if (chosen is None or label == chosen) and table.actual[code] > 0
    ]
    hit, actual, decided = (margin[shown] for margin in (table.hits, table.actual, table.decided))
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = hit / decided
    return FSurface(
        beta=beta, classes=tuple(part.classes[code] for code in shown), recall=hit / actual,
        precision=precision, f=(1 + beta**2) * hit / (beta**2 * actual + decided),
        model=part.models[0], class_=chosen,
    )  # fmt: skip


# --- decision regions ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Regions(Record):
    """The class that a model decides for at each place of two inputs, and the rows of the data.

    With several fits (a plan of several splits) `y_pred` is their majority vote. Made by
    `heliast.regions`.

    Parameters
    ----------
    x, y : array
        Places of the first and of the second input, rising, evenly spaced.
    y_pred : array
        Codes of the classes decided, a row for each `y`, a column for each `x`; of several fits by
        majority.
    classes : tuple
        The classes in order.
    inputs : tuple of str
        The names of the two inputs.
    points : array
        The rows of the data, two columns.
    y_true : array
        Codes of their true classes.
    decided : array
        Codes of the classes that they are given.
    in_train : array of bool
        Whether a fit was trained on the row; all False where that is not known.
    fits : array
        The same of each fit, where there are several; else of none.
    model : str
        The model.
    class_ : None
        Always all classes.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> ends = np.array([0.0, 1.0])
    >>> code = np.array([0, 1])
    >>> regions = Regions(x=ends, y=ends, y_pred=np.array([[0, 1], [0, 1]]), classes=("a", "b"),
    ...                 inputs=("width", "height"), points=np.array([[0.1, 0.5], [0.9, 0.5]]),
    ...                 y_true=code, decided=code, in_train=np.array([True, True]), model="tree")
    >>> regions
    <Regions of 'tree': 2 classes over width and height; 0 of 2 training rows in a wrong region>
    """

    x: Array
    y: Array
    y_pred: Array
    classes: tuple[Label, ...]
    inputs: tuple[str, str]
    points: Array
    y_true: Array
    decided: Array
    in_train: Array
    fits: Array | None = None
    model: str = ""
    class_: None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.y_pred.shape != (self.y.size, self.x.size):
            raise InputError(
                f"y_pred: expected a row for each of {self.y.size} places y and a column for each "
                f"of {self.x.size} places x, got {self.y_pred.shape}"
            )

    def __repr__(self) -> str:
        about = f"{len(self.classes)} classes over {self.inputs[0]} and {self.inputs[1]}"
        return self._said(f"{about}; {self.words} in a wrong region")

    @property
    def shown(self) -> Array:
        """Whether a row is one to judge by: held out from all fits, or any if none was held out."""
        unseen: Array = ~self.in_train
        return unseen if unseen.any() and not unseen.all() else np.ones(self.in_train.size, bool)

    @property
    def wrong(self) -> Array:
        """Whether the row lies in the region of another class."""
        return np.asarray(self.decided != self.y_true)

    @property
    def words(self) -> str:
        """How many of the rows to judge by lie in a wrong region."""
        judged = self.shown
        kind = "training " if self.in_train.all() else "held-out " if self.in_train.any() else ""
        return f"{int(self.wrong[judged].sum())} of {int(judged.sum())} {kind}rows"

    @cached_property
    def borders(self) -> list[Line]:
        """Lines between the regions: pairs of arrays, in the units of the inputs."""
        return list(self._lines(self.y_pred))

    @cached_property
    def fit_borders(self) -> list[list[Line]]:
        """The lines of each fit, where there are several."""
        return [] if self.fits is None else [list(self._lines(fit)) for fit in self.fits]

    def _lines(self, label: Array) -> Iterator[Line]:
        codes, counts = np.unique(label, return_counts=True)
        # Each border has two sides, so the class with the largest region needs no lines of its own.
        for code in np.delete(codes, np.argmax(counts)):
            for column, row in outlines(label == code):
                yield (
                    np.interp(column, np.arange(self.x.size), self.x),
                    np.interp(row, np.arange(self.y.size), self.y),
                )

    def normals(self, deviations: float = 1.0) -> list[tuple[int, Array, Line]]:
        """The normal distribution of each class: its mean, and a line of equal density.

        Of the rows that were trained on, if there are any, as in figure 22.1 of the chapter.

        Parameters
        ----------
        deviations : float
            How many standard deviations the line is from the mean.

        Returns
        -------
        list of tuple
            For each class its mean and the line around it, x and y; classes with fewer than three
            rows have none.
        """
        used = self.in_train if self.in_train.any() else np.ones(self.in_train.size, bool)
        lines = []
        for code in range(len(self.classes)):
            rows = self.points[used & (self.y_true == code)]
            if len(rows) < 3:
                continue
            values, axes = np.linalg.eigh(np.cov(rows.T))
            reach = deviations * np.sqrt(np.maximum(values, 0.0))
            line = rows.mean(axis=0)[:, None] + (axes * reach) @ [np.cos(ROUND), np.sin(ROUND)]
            lines.append((code, rows.mean(axis=0), (line[0], line[1])))
        return lines


# --- the outlines of a set of places ----------------------------------------------------------


def outlines(inside: Array, slack: float = 0.3) -> list[Line]:
    """The lines around the places that are inside, in columns and rows of the grid.

    Marching squares at a half on the share of inside places in each 3 x 3, so that a slanted
    border is a slanted line and not stairs; vertices within `slack` of a straight line are dropped.

    >>> [line] = outlines(np.array([[0, 0, 1, 1]] * 3, bool))
    >>> line[0].tolist(), line[1].tolist()
    ([1.5, 1.5], [0.0, 2.0])
    """
    share = _smooth(inside.astype(float))
    lines = []
    for chain in _chains(_links(share >= 0.5)):
        line = _straightened(np.array([_crossing(share, side) for side in chain]), slack)
        lines.append((line[:, 0], line[:, 1]))
    return lines


def _smooth(values: Array) -> Array:
    """Means over 3 x 3 places; what lies beyond the edge is as at the edge."""
    wide = np.pad(values, 1, mode="edge")
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    return np.asarray((rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9)


Side = tuple[int, int, int]
"""A side of a square of four places: row, column, and 0 if it goes right from there, 1 if up."""


def _links(high: Array) -> dict[Side, list[Side]]:
    """Which crossed sides are joined by a piece of the line, through each square."""
    links: dict[Side, list[Side]] = {}
    corners = high[:-1, :-1] * 1 + high[:-1, 1:] * 2 + high[1:, 1:] * 4 + high[1:, :-1] * 8
    for row, column in np.argwhere((corners > 0) & (corners < 15)).tolist():
        sides = ((row, column, 0), (row, column + 1, 1), (row + 1, column, 0), (row, column, 1))
        code = int(corners[row, column])
        bits = [bool(code & bit) for bit in (1, 2, 4, 8)]
        crossed = [side for at, side in enumerate(sides) if bits[at] != bits[(at + 1) % 4]]
        for a, b in zip(crossed[::2], crossed[1::2], strict=True):
            links.setdefault(a, []).append(b)
            links.setdefault(b, []).append(a)
    return links


def _crossing(share: Array, side: Side) -> tuple[float, float]:
    """Where the line crosses the side: column and row."""
    row, column, up = side
    first, last = share[row, column], share[row + up, column + 1 - up]
    part = float((0.5 - first) / (last - first))
    return (float(column), row + part) if up else (column + part, float(row))


def _chains(links: dict[Side, list[Side]]) -> Iterator[list[Side]]:
    """The sides in the order in which a line crosses them: open lines first, then closed ones."""
    left = {side: list(others) for side, others in links.items()}
    ends = [side for side, others in links.items() if len(others) == 1]
    for start in (*ends, *links):
        chain = [start]
        while left[chain[-1]]:
            following = left[chain[-1]].pop()
            left[following].remove(chain[-1])
            chain.append(following)
        if len(chain) > 1:
            yield chain


def _straightened(line: Array, slack: float) -> Array:
    """Without the vertices that a straight line passes within `slack` (Douglas and Peucker)."""
    way, off = line[-1] - line[0], line[1:-1] - line[0]
    # A closed line has no direction from end to end: its farthest vertex cuts it in two.
    far = np.hypot(*off.T)
    if way.any():
        far = np.abs(way[0] * off[:, 1] - way[1] * off[:, 0]) / np.hypot(*way)
    if not far.size or far.max() <= slack:
        return line[[0, -1]]
    cut = int(far.argmax()) + 1
    first, last = _straightened(line[: cut + 1], slack), _straightened(line[cut:], slack)
    return np.concatenate([first, last[1:]])
