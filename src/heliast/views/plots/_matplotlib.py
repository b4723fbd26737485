"""The writer of matplotlib: plots on axes in data coordinates, and whole as PDF or PNG."""

import sys
from collections.abc import Callable
from functools import singledispatch
from typing import IO, Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter

from heliast.views.plots._page import page_of
from heliast.views.plots._plot import Plot
from heliast.views.plots._text import fit, labelled, plain
from heliast.views.plots.axes import Axis
from heliast.views.plots.marks import Area, Box, Line, Mark, Points, Raster, Text
from heliast.views.plots.palette import LIGHT

POINTS = 0.75  # of a pixel
LETTERS = 0.7  # the letters of matplotlib's own font are wider than those that browsers take
MARKERS = "os^Dv"
SIDES = {"start": "left", "middle": "center", "end": "right"}
NAME, KEY = 200.0, 400.0  # pixels of a name at an axis and in a legend


def draw_on(plot: Plot, ax: Any) -> Any:
    """The plot on axes, with ticks and a legend of matplotlib's own."""
    ax = _new_axes(plot) if ax is None else ax
    cells = bool(plot.x.names and plot.y.names)
    _prepare(ax.xaxis, plot.x, cells, plot.names_turned)
    _prepare(ax.yaxis, plot.y, cells)
    ax.set(xlim=(plot.x.low, plot.x.high), ylim=_limits(plot.y))
    ax.set_title(plain(plot.title), loc="left", parse_math=False)
    if not plot.x.most:
        ax.set_axis_off()
    elif plot.x.names or plot.y.names:
        ax.spines[:].set_visible(False)
        ax.spines["bottom"].set_visible(not cells)
    artists = {id(mark): draw(mark, ax) for mark in plot.marks}
    handles = []
    for key in plot.keys:
        handle = artists.get(id(key.mark)) or draw(key.mark.sample(np.nan, np.nan), ax)
        handle.set_label(_plain(labelled(key.name, 12, KEY, after=key.detail)))
        handles.append(handle)
    if handles:
        beside = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if cells else {}
        legend = ax.legend(handles=handles, fontsize="small", **beside)
        for text in legend.get_texts():
            text.set_parse_math(False)
    return ax


def writer(plot: Plot, kind: str) -> Callable[[IO[bytes]], None]:
    """What writes the whole plot, as the SVG shows it, into a file of this kind."""
    around, height = page_of(plot)
    figure = Figure(figsize=(plot.width / 96, height / 96))
    size = np.array([plot.width, height] * 2)
    place = np.array(
        [
            plot.left,
            height - plot.top - plot.height,
            plot.width - plot.left - plot.right,
            plot.height,
        ]
    )
    for marks, corners, across, upright in (
        (around, (0, 0, 1, 1), (0, plot.width), (height, 0)),
        (plot.marks, place / size, (plot.x.low, plot.x.high), _limits(plot.y)),
    ):
        ax = figure.add_axes(corners, xlim=across, ylim=upright)
        ax.set_axis_off()
        for mark in marks:
            draw(mark, ax)

    def write(file: IO[bytes]) -> None:
        with mpl.rc_context({"pdf.fonttype": 42}):  # letters that journals take
            figure.savefig(file, format=kind, dpi=300)

    return write


def _new_axes(plot: Plot) -> Any:
    look: dict[str, Any] = {"figsize": (plot.width / 96, page_of(plot)[1] / 96)}
    look["layout"] = "constrained"
    # A figure of pyplot is shown: by whoever uses it already, and below the cell of a notebook.
    if "matplotlib.pyplot" in sys.modules or "ipykernel" in sys.modules:
        from matplotlib import pyplot

        return pyplot.subplots(**look)[1]
    return Figure(**look).subplots()


def _limits(y: Axis) -> tuple[float, float]:
    return (y.high, y.low) if y.names else (y.low, y.high)


def _prepare(axis: Any, given: Axis, cells: bool, turned: bool = False) -> None:
    """The label of an axis, and its ticks: names, percent or what matplotlib chooses."""
    axis.set_label_text(plain(given.label), parse_math=False)
    if given.names:
        names = [_plain(fit(name, 12, NAME)) for name in given.names]
        axis.set_ticks(range(len(names)), names, parse_math=False)
        axis.set_tick_params(which="both", length=0, labelrotation=90 if turned else 0)
        if cells:
            axis.set_ticks(np.arange(len(names) + 1) - 0.5, minor=True)
            axis.grid(which="minor", color=LIGHT["rule"])
        if given.above:
            axis.tick_top()
            axis.set_label_position("top")
        return
    axis.grid(color=LIGHT["rule"])
    if given.percent:
        axis.set_major_formatter(PercentFormatter(1))


def _plain(text: str) -> str:
    """Text without marks of direction; a leading underscore would hide it from the legend."""
    text = plain(text)
    return f" {text}" if text.startswith("_") else text


@singledispatch
def draw(mark: Mark, ax: Any) -> Any:
    """Draw a mark; gives an artist that a legend can show."""
    raise NotImplementedError


@draw.register
def _line(mark: Line, ax: Any) -> Any:
    look: dict[str, Any] = {
        "color": LIGHT[mark.color],
        "linewidth": mark.width * POINTS,
        "alpha": mark.opacity,
        "solid_capstyle": "butt",
    }
    if mark.dash:  # in widths of the line
        look["linestyle"] = (0, tuple(float(part) / mark.width for part in mark.dash.split()))
    if mark.step:
        look["drawstyle"] = "steps-pre"
    if mark.caps:
        upright = np.ptp(np.asarray(mark.x, float)) == 0
        look |= {"marker": "_" if upright else "|", "markersize": 6}
    return ax.plot(*np.broadcast_arrays(mark.x, mark.y), **look)[0]


@draw.register
def _points(mark: Points, ax: Any) -> Any:
    return ax.plot(
        *np.broadcast_arrays(mark.x, mark.y),
        linestyle="none",
        marker=MARKERS[mark.marker % len(MARKERS)],
        markersize=2 * mark.size * POINTS,
        color=LIGHT[mark.color],
        markeredgecolor=LIGHT[mark.rim] if mark.rim else "none",
        markeredgewidth=1.5 * POINTS,
        alpha=mark.opacity,
        clip_on=False,
    )[0]


@draw.register
def _area(mark: Area, ax: Any) -> Any:
    look = {"color": LIGHT[mark.color], "alpha": mark.opacity, "linewidth": 0, "zorder": 2}
    return ax.fill(mark.x, mark.y, **look)[0]


@draw.register
def _box(mark: Box, ax: Any) -> Any:
    corner, size = (mark.left, mark.bottom), (mark.right - mark.left, mark.top - mark.bottom)
    color = to_rgba(LIGHT[mark.color], mark.opacity) if mark.color else "none"
    patch = ax.add_patch(Rectangle(corner, *size, facecolor=color, linewidth=0, zorder=2))
    for text in mark.texts():
        draw(text, ax)
    return patch


@draw.register
def _text(mark: Text, ax: Any) -> Any:
    return ax.annotate(
        plain(mark.text),
        (mark.x, mark.y),
        (mark.dx * POINTS, -mark.dy * POINTS),
        textcoords="offset points",
        ha=SIDES[mark.anchor],
        va="baseline",
        rotation=90 if mark.turned else 0,
        rotation_mode="anchor",
        fontsize=mark.size * LETTERS,
        fontweight="bold" if mark.bold else "normal",
        color=LIGHT[mark.color],
        annotation_clip=False,
        parse_math=False,
    )


@draw.register
def _raster(mark: Raster, ax: Any) -> Any:
    colors = np.array([to_rgba(LIGHT[color], mark.opacity) for color in mark.colors])
    extent = (*ax.get_xlim(), *ax.get_ylim())
    return ax.imshow(
        colors[mark.codes], extent=extent, origin="lower", aspect="auto", interpolation="nearest"
    )
