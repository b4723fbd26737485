"""The plot: a display list with axes, a legend and captions, which two writers draw."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast._core.files import write_text, write_whole
from heliast._core.kinds import ArrayLike
from heliast._core.plotted import Svg
from heliast.views.plots._text import width
from heliast.views.plots.axes import Axis, Scale
from heliast.views.plots.marks import Box, Key, Line, Mark, Points
from heliast.views.plots.palette import dash, series

PAD, LEFT, RIGHT, TOP = 16.0, 58.0, 22.0, 58.0
WIDTH = 500.0
SUFFIXES = (".svg", ".pdf", ".png")
# Size of the letters of names, and of those above or below columns.
NAME_SIZE, COLUMN_SIZE = 12.0, 11.0


@dataclass(eq=False, repr=False)
class Plot:
    """A plot of one or several records, as every function of `heliast.plots` returns it.

    `str(plot)` is the text of a standalone SVG, and a notebook shows it. `save` writes SVG, PDF or
    PNG, and `to_axes` draws in data coordinates on axes of matplotlib.

    Parameters
    ----------
    title, subtitle : str
        What stands above the plot.
    x, y : Axis
        The two axes.
    width, height : float
        Pixels of the whole plot across, and of the area between its axes upright.
    left, right : float
        Pixels beside that area.
    marks : list
        What is drawn, the first at the bottom.
    keys : list
        The entries of the legend.
    captions : list of str
        Lines below the plot.
    about : list of str
        The description for readers who cannot see the plot.

    Examples
    --------
    >>> from heliast import Predictions, curves, plots
    >>> plot = plots.roc(curves.roc(Predictions.of([0, 1], y_score=[0.2, 0.9])))
    >>> str(plot)[:41]
    '<svg xmlns="http://www.w3.org/2000/svg" v'
    """

    title: str
    subtitle: str
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    width: float = WIDTH
    height: float = WIDTH - LEFT - RIGHT
    left: float = LEFT
    right: float = RIGHT
    marks: list[Mark] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    about: list[str] = field(default_factory=list)

    # --- building a plot -------------------------------------------------------------------------

    def add(self, *marks: Mark) -> None:
        """Draw marks above those already there.

        Parameters
        ----------
        *marks : Line, Points, Area, Box, Text or Raster
            The marks, the first at the bottom.
        """
        self.marks += marks

    def key(self, name: str, mark: Line | Points | Box, detail: str = "") -> None:
        """Add an entry to the legend.

        Parameters
        ----------
        name : str
            The name, which is cut if it is too long.
        mark : Line, Points or Box
            A mark of the look that the entry explains.
        detail : str
            What follows the name, and is never cut.
        """
        self.keys.append(Key(name, detail, mark))

    def curve(
        self, place: int, name: str, detail: str, x: ArrayLike, y: ArrayLike, *,
        width: float = 2.0, step: bool = False,
    ) -> None:  # fmt: skip
        """The line of one of several records, with its entry in the legend and its description.

        Parameters
        ----------
        place : int
            The record's place, which decides its colour and dashes.
        name, detail : str
            The entry of the legend.
        x, y : array-like
            The points.
        width : float, default 2.0
            Width of the line.
        step : bool, default False
            Whether the line goes in steps.
        """
        tip = name + detail
        line = Line(x, y, series(place), width, dash(place), step=step, tip=tip)
        self.add(line)
        self.key(name, line, detail)
        self.about.append(f"{name}{detail}.")

    def reference(self, x: ArrayLike, y: ArrayLike, name: str, dashes: str = "4 4") -> None:
        """A thin grey line to compare with, and its entry in the legend.

        Parameters
        ----------
        x, y : array-like
            The points.
        name : str
            The entry of the legend.
        dashes : str, default "4 4"
            Lengths of the dashes and gaps.
        """
        line = Line(x, y, "axis", dash=dashes, tip=name)
        self.add(line)
        self.key(name, line)

    # --- its place on the page -------------------------------------------------------------------

    @property
    def top(self) -> float:
        """Pixels above the area: title and subtitle, and the names of columns if they are there."""
        if not (self.x.names and self.x.above):
            return TOP
        return TOP + (18.0 if self.x.label else 4.0) + self.name_height

    @property
    def name_height(self) -> float:
        """Pixels that the names of the columns need: more if they are turned."""
        return min(longest(self.x.names, COLUMN_SIZE) + 10, 110.0) if self.names_turned else 20.0

    @property
    def names_turned(self) -> bool:
        """Whether the names of the columns are too long to stand upright."""
        step = (self.width - self.left - self.right) / max(len(self.x.names), 1)
        return longest(self.x.names, COLUMN_SIZE) > step - 4

    @property
    def scales(self) -> tuple[Scale, Scale]:
        """From values to pixels of the page, across and upright."""
        across = Scale(self.x.low, self.x.high, self.left, self.width - self.right)
        ends = (self.top, self.top + self.height)
        if not self.y.names:
            ends = ends[::-1]
        return across, Scale(self.y.low, self.y.high, *ends)

    # --- writers ---------------------------------------------------------------------------------

    def to_svg(self) -> str:
        """The plot as a standalone SVG.

        Returns
        -------
        str
            The text of an SVG file.
        """
        from heliast.views.plots._svg import document

        return Svg(document(self))

    def __str__(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        return f"<Plot: {self.title}; {self.subtitle}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_axes(self, ax: Any = None) -> Any:
        """Draw the plot with matplotlib, in data coordinates.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None makes a new figure.

        Returns
        -------
        matplotlib Axes
            The axes, to which more can be added.

        Raises
        ------
        InputError
            If matplotlib is not installed.
        """
        return _matplotlib().draw_on(self, ax)

    def save(self, path: str | Path) -> Path:
        """Write the plot to a file: SVG without dependencies, PDF or PNG by matplotlib.

        Parameters
        ----------
        path : str or Path
            A file name that ends in .svg, .pdf or .png.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If the name ends otherwise, or matplotlib is needed and not installed.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in SUFFIXES:
            raise InputError(f"{path}: the file name must end in {', '.join(SUFFIXES)}")
        if suffix == ".svg":
            return write_text(path, self.to_svg())
        write: Callable[[Any], None] = _matplotlib().writer(self, suffix[1:])
        return write_whole(path, write, f"plot{suffix}")


def _matplotlib() -> Any:
    """The writer that needs matplotlib."""
    try:
        from heliast.views.plots import _matplotlib as writer
    except ImportError:
        raise InputError(
            "PDF, PNG and axes need matplotlib: pip install 'heliast[plot]'; SVG needs nothing"
        ) from None
    return writer


def left_of(names: Sequence[str], most: float = 212.0) -> float:
    """Pixels that the names of rows need to the left of a plot."""
    return PAD + min(longest(names), most) + 10


def longest(names: Sequence[str], size: float = NAME_SIZE) -> float:
    """Width of the longest name; of very long names, what may be shown of them."""
    return max((width(name[:60], size) for name in names), default=0.0)
