"""What surrounds a plot: title, grid, ticks, legend, captions, as marks in pixels of the page."""

from dataclasses import replace
from math import ceil
from typing import Any

from heliast.views.plots._plot import COLUMN_SIZE, NAME_SIZE, PAD, Plot
from heliast.views.plots._text import fit, isolate, labelled, plain, width, wrap
from heliast.views.plots.axes import Scale
from heliast.views.plots.marks import Line, Mark, Text

SWATCH = 30.0
PIXELS = Scale(0.0, 1e6, 0.0, 1e6)


def page_of(plot: Plot) -> tuple[list[Mark], float]:
    """What lies below the marks of the plot, in pixels, and the height of the whole."""
    room = plot.width - 2 * PAD
    title = replace(text(PAD, 26, plot.title, room, size=16.0), bold=True)
    marks = [title, text(PAD, 44, plot.subtitle, room, color="soft"), *_grid(plot), *_ticks(plot)]
    below = 0 if plot.x.above or not plot.x.most else 14 if not plot.x.label else 28
    legend, bottom = _legend(plot, _foot(plot) + below)
    bottom += 6.0 if plot.captions else -4.0
    lines = [line for caption in plot.captions for line in wrap(caption, 11, room)]
    for place, line in enumerate(lines):
        marks.append(Text(PAD, bottom + 15 * (place + 1), line, "soft", 11.0))
    return [*marks, *legend], bottom + 15 * len(lines) + 16


def text(x: float, y: float, value: object, room: float, **look: Any) -> Text:
    """Text cut to the room; what is cut is whole in the tooltip."""
    shown = fit(value, look.get("size", NAME_SIZE), room)
    tip = "" if shown == plain(value) else str(value)
    return Text(x, y, isolate(shown), tip=tip, **look)


def _foot(plot: Plot) -> float:
    """The bottom of what lies under the area: the names of columns may be turned."""
    names_below = plot.x.names and not plot.x.above
    below = plot.name_height if names_below and plot.names_turned else 14.0
    return plot.top + plot.height + (0.0 if plot.x.above else below)


def _grid(plot: Plot) -> list[Mark]:
    """Rules at the ticks, and a frame: around numbers, between names, below rows or columns."""
    x, y = plot.scales
    left, right, top, bottom = x.start, x.stop, plot.top, plot.top + plot.height
    across = [float(x(value)) for value, _ in plot.x.ticks()] if not plot.x.names else []
    upright = [float(y(value)) for value, _ in plot.y.ticks()] if not plot.y.names else []
    cells = bool(plot.x.names and plot.y.names)
    if cells:
        across = [float(x(place - 0.5)) for place in range(len(plot.x.names) + 1)]
        upright = [float(y(place - 0.5)) for place in range(len(plot.y.names) + 1)]
    marks: list[Mark] = [Line([at, at], [top, bottom], "rule") for at in across]
    marks += [Line([left, right], [at, at], "rule") for at in upright]
    if not (plot.x.names or plot.y.names) and plot.x.most:
        corners = [left, right, right, left, left], [top, top, bottom, bottom, top]
        marks.append(Line(*corners, "axis"))
    elif not cells and plot.x.most:
        marks.append(Line([left, right], [bottom, bottom], "axis"))
    return marks


def _ticks(plot: Plot) -> list[Mark]:
    """Numbers or names at the axes, and the labels of the axes."""
    x, y = plot.scales
    bottom, middle = plot.top + plot.height, plot.top + plot.height / 2
    marks: list[Mark] = []
    if plot.x.names:
        marks += _column_names(plot)
    else:
        for value, shown in plot.x.ticks():
            marks.append(Text(float(x(value)), bottom + 17, shown, "soft", 11.0, "middle"))
    if plot.y.names:
        size = min(NAME_SIZE, 0.9 * plot.height / len(plot.y.names))
        room = plot.left - PAD - 8 - (18 if plot.y.label else 0)
        for place, name in enumerate(plot.y.names):
            at = float(y(place)) + 0.36 * size
            marks.append(text(plot.left - 8, at, name, room, size=size, anchor="end"))
    else:
        for value, shown in plot.y.ticks():
            marks.append(Text(plot.left - 7, float(y(value)) + 4, shown, "soft", 11.0, "end"))
    if plot.x.label:
        at = 66.0 if plot.x.above else _foot(plot) + 22
        room = x.stop - x.start
        marks.append(text((x.start + x.stop) / 2, at, plot.x.label, room, anchor="middle"))
    if plot.y.label:
        label = text(PAD, middle, plot.y.label, plot.height, anchor="middle")
        marks.append(replace(label, turned=True))
    return marks


def _column_names(plot: Plot) -> list[Mark]:
    x, _ = plot.scales
    step = (x.stop - x.start) / len(plot.x.names)
    size, marks = min(COLUMN_SIZE, 0.9 * step), list[Mark]()
    edge = plot.top - 6 if plot.x.above else plot.top + plot.height + 6
    for place, name in enumerate(plot.x.names):
        at = float(x(place))
        if plot.names_turned:
            anchor = "start" if plot.x.above else "end"
            label = text(at + 0.35 * size, edge, name, 100.0, size=size, anchor=anchor)
            marks.append(replace(label, turned=True))
        else:
            down = 0.0 if plot.x.above else 12.0
            marks.append(text(at, edge + down, name, step, size=size, anchor="middle"))
    return marks


def _legend(plot: Plot, top: float) -> tuple[list[Mark], float]:
    """The entries in columns; one too long for a column spans several."""
    columns = 2 if plot.width < 600 else 3
    each = (plot.width - 2 * PAD) / columns
    column, y, marks = 0, top + 20, list[Mark]()
    for key in plot.keys:
        needs = SWATCH + width(key.name[:200] + key.detail, NAME_SIZE) + 4
        spans = min(ceil(needs / each), columns)
        if column + spans > columns:
            column, y = 0, y + 20
        x = PAD + column * each
        shown = labelled(key.name, NAME_SIZE, spans * each - SWATCH - 2, after=key.detail)
        tip = "" if plain(key.name) in shown else key.name + key.detail
        marks += [key.mark.sample(x, y - 4), Text(x + SWATCH, y, shown, tip=tip)]
        column += spans
    return marks, y + 2 if plot.keys else top
