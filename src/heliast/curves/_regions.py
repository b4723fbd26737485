"""Decision regions: which class a model gives to each place of two inputs, and the data there."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._record import HELD, Record

Line = tuple[Array, Array]
ROUND = np.linspace(0, 2 * np.pi, 73)


@told(
    HELD
    | {
        "x": "array: Places of the first input, rising, evenly spaced.",
        "y": "array: Places of the second one.",
        "label": "array: Codes of the classes decided, a row for each `y`, a column for each `x`; "
        "of several fits by majority.",
        "fits": "array: The same of each fit, where there are several; else of none.",
        "classes": "tuple: The classes in order.",
        "inputs": "tuple of str: The names of the two inputs.",
        "points": "array: The rows of the data, two columns.",
        "truth": "array: Codes of their true classes.",
        "decided": "array: Codes of the classes that they are given.",
        "seen": "array of bool: Whether a fit was trained on the row; all False where that is not "
        "known.",
        "class_": "None: Always all classes.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Regions(Record):
    """The class that a model decides for at each place of two inputs, and the rows of the data.

    With several fits (a plan of several splits) `label` is their majority vote. Made by
    `heliast.regions`.

    Examples
    --------
    >>> ends = np.array([0.0, 1.0])
    >>> code = np.array([0, 1])
    >>> found = Regions(x=ends, y=ends, label=np.array([[0, 1], [0, 1]]), classes=("a", "b"),
    ...                 inputs=("width", "height"), points=np.array([[0.1, 0.5], [0.9, 0.5]]),
    ...                 truth=code, decided=code, seen=np.array([True, True]), model="tree")
    >>> found
    <Regions of 'tree': 2 classes over width and height; 0 of 2 training rows in a wrong region>
    """

    x: Array
    y: Array
    label: Array
    classes: tuple[Label, ...]
    inputs: tuple[str, str]
    points: Array
    truth: Array
    decided: Array
    seen: Array
    fits: Array | None = None
    model: str = ""
    class_: None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.label.shape != (self.y.size, self.x.size):
            raise InputError(
                f"label: expected a row for each of {self.y.size} places y and a column for each "
                f"of {self.x.size} places x, got {self.label.shape}"
            )

    def __repr__(self) -> str:
        about = f"{len(self.classes)} classes over {self.inputs[0]} and {self.inputs[1]}"
        return f"{self._head('Regions', None)}: {about}; {self.words} in a wrong region>"

    @property
    def shown(self) -> Array:
        """Whether a row is one to judge by: held out from all fits, or any if none was held out."""
        unseen: Array = ~self.seen
        return unseen if unseen.any() and not unseen.all() else np.ones(self.seen.size, bool)

    @property
    def wrong(self) -> Array:
        """Whether the row lies in the region of another class."""
        return np.asarray(self.decided != self.truth)

    @property
    def words(self) -> str:
        """How many of the rows to judge by lie in a wrong region."""
        judged = self.shown
        kind = "training " if self.seen.all() else "held-out " if self.seen.any() else ""
        return f"{int(self.wrong[judged].sum())} of {int(judged.sum())} {kind}rows"

    @cached_property
    def borders(self) -> list[Line]:
        """Lines between the regions: pairs of arrays, in the units of the inputs."""
        return list(self._lines(self.label))

    @cached_property
    def fit_borders(self) -> list[list[Line]]:
        """The lines of each fit, where there are several."""
        return [] if self.fits is None else [list(self._lines(one)) for one in self.fits]

    def _lines(self, label: Array) -> Iterator[Line]:
        codes, counts = np.unique(label, return_counts=True)
        # Each border has two sides, so the class with the largest region needs no lines of its own.
        for code in np.delete(codes, np.argmax(counts)):
            for column, row in outlines(label == code):
                yield (
                    np.interp(column, np.arange(self.x.size), self.x),
                    np.interp(row, np.arange(self.y.size), self.y),
                )

    @told(
        {"deviations": "float: How many standard deviations the line is from the mean."},
        returns="list of tuple: For each class its mean and the line around it, x and y; classes "
        "with fewer than three rows have none.",
    )
    def normals(self, deviations: float = 1.0) -> list[tuple[int, Array, Line]]:
        """The normal distribution of each class: its mean, and a line of equal density.

        Of the rows that were trained on, if there are any, as in figure 22.1 of the chapter.
        """
        used = self.seen if self.seen.any() else np.ones(self.seen.size, bool)
        found = []
        for code in range(len(self.classes)):
            rows = self.points[used & (self.truth == code)]
            if len(rows) < 3:
                continue
            values, axes = np.linalg.eigh(np.cov(rows.T))
            reach = deviations * np.sqrt(np.maximum(values, 0.0))
            line = rows.mean(axis=0)[:, None] + (axes * reach) @ [np.cos(ROUND), np.sin(ROUND)]
            found.append((code, rows.mean(axis=0), (line[0], line[1])))
        return found


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
    found: dict[Side, list[Side]] = {}
    corners = high[:-1, :-1] * 1 + high[:-1, 1:] * 2 + high[1:, 1:] * 4 + high[1:, :-1] * 8
    for row, column in np.argwhere((corners > 0) & (corners < 15)).tolist():
        sides = ((row, column, 0), (row, column + 1, 1), (row + 1, column, 0), (row, column, 1))
        code = int(corners[row, column])
        bits = [bool(code & bit) for bit in (1, 2, 4, 8)]
        crossed = [side for at, side in enumerate(sides) if bits[at] != bits[(at + 1) % 4]]
        for a, b in zip(crossed[::2], crossed[1::2], strict=True):
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
    return found


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
            here = chain[-1]
            there = left[here].pop()
            left[there].remove(here)
            chain.append(there)
        if len(chain) > 1:
            yield chain


def _straightened(line: Array, slack: float) -> Array:
    """Without the vertices that a straight line passes within `slack` (Douglas and Peucker)."""
    keep = np.zeros(len(line), bool)
    # A closed line has no direction from end to end: its farthest vertex cuts it in two.
    middle = int(np.argmax(((line - line[0]) ** 2).sum(axis=1)))
    keep[[0, middle, -1]] = True
    todo = [(0, middle), (middle, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        if last - first < 2:
            continue
        way = line[last] - line[first]
        off = line[first + 1 : last] - line[first]
        far = np.abs(way[0] * off[:, 1] - way[1] * off[:, 0]) / max(float(np.hypot(*way)), 1e-12)
        if far.max() > slack:
            cut = first + 1 + int(np.argmax(far))
            keep[cut] = True
            todo += [(first, cut), (cut, last)]
    return line[keep]
