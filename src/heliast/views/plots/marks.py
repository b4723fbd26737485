"""What a plot is made of: marks at data coordinates, and entries of the legend.

Sizes are pixels (96 to the inch), colours are names of the palette. `svg` and `figure` draw them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import ArrayLike


@dataclass(frozen=True, eq=False)
class Line:
    """A line through points, broken where a value is NaN.

    A `step` goes up or down to the next height, then right to its place; `caps` end an interval.
    """

    x: ArrayLike
    y: ArrayLike
    color: str = "ink"
    width: float = 1.0
    dash: str = ""
    opacity: float = 1.0
    step: bool = False
    caps: bool = False
    tip: str = ""

    def sample(self, x: float, y: float) -> "Line":
        """The line as the legend shows it."""
        return replace(self, x=[x, x + 24], y=[y, y], step=False, caps=False, tip="")


@dataclass(frozen=True, eq=False)
class Points:
    """Points of one look; `marker` is a place in `MARKERS`, `size` a radius, `tips` one a point."""

    x: ArrayLike
    y: ArrayLike
    color: str = "ink"
    size: float = 3.5
    marker: int = 0
    rim: str = "paper"
    opacity: float = 1.0
    tips: Sequence[str] = ()

    def sample(self, x: float, y: float) -> "Points":
        """The marker as the legend shows it."""
        size = min(self.size, 4.5)
        return replace(self, x=[x + 12], y=[y], size=size, opacity=1.0, tips=())


@dataclass(frozen=True, eq=False)
class Area:
    """A filled polygon."""

    x: ArrayLike
    y: ArrayLike
    color: str
    opacity: float = 0.15

    @classmethod
    def between(cls, x: ArrayLike, low: ArrayLike, high: ArrayLike, color: str) -> "Area":
        """What lies between two lines over the same x."""
        x, low, high = np.asarray(x), np.asarray(low), np.asarray(high)
        return cls(np.append(x, x[::-1]), np.append(high, low[::-1]), color)


@dataclass(frozen=True, eq=False)
class Box:
    """A rectangle, with lines of text (text, size, colour) in its middle if there are any."""

    left: float
    right: float
    bottom: float
    top: float
    color: str = ""
    opacity: float = 1.0
    lines: Sequence[tuple[str, float, str]] = ()
    tip: str = ""

    def sample(self, x: float, y: float) -> "Box":
        """The box as the legend shows it."""
        return replace(self, left=x, right=x + 24, bottom=y + 7, top=y - 8, tip="")

    def texts(self) -> "Iterator[Text]":
        """The lines of text, each around the middle of the box."""
        x, y = (self.left + self.right) / 2, (self.bottom + self.top) / 2
        down = -0.65 * sum(size for _, size, _ in self.lines)
        for text, size, color in self.lines:
            down += 1.3 * size
            yield Text(x, y, text, color, size, "middle", dy=down - 0.3 * size)


@dataclass(frozen=True, eq=False)
class Text:
    """A line of text, moved by (dx, dy) pixels from its point; `turned` reads upwards."""

    x: float
    y: float
    text: str
    color: str = "ink"
    size: float = 12.0
    anchor: str = "start"
    dx: float = 0.0
    dy: float = 0.0
    turned: bool = False
    bold: bool = False
    tip: str = ""


@dataclass(frozen=True, eq=False)
class Raster:
    """A colour for each cell of a grid that fills the plot: `colors[codes[row, column]]`."""

    codes: npt.NDArray[np.integer]
    colors: Sequence[str]
    opacity: float = 0.22


Mark = Line | Points | Area | Box | Text | Raster


@dataclass(frozen=True)
class Key:
    """An entry of the legend: a name, which may be cut, what follows it, and a mark of its look."""

    name: str
    detail: str
    mark: Line | Points | Box


# Corners of the markers, all about as large; the first is a circle and has none.
MARKERS = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0.0, -1.3), (1.15, 0.75), (-1.15, 0.75)),
    ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    ((0.0, 1.3), (1.15, -0.75), (-1.15, -0.75)),
)
