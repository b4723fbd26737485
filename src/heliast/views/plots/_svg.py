"""The writer of SVG: one element or a few for each mark."""

from functools import singledispatch
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.ranking import thin
from heliast.views.plots._page import PIXELS, page_of
from heliast.views.plots._plot import Plot
from heliast.views.plots._text import escape
from heliast.views.plots.axes import Scale
from heliast.views.plots.marks import MARKERS, Area, Box, Line, Mark, Points, Raster, Text
from heliast.views.plots.palette import LIGHT, STYLE

Bounds = tuple[tuple[float, float], tuple[float, float]]
# From cap to cap of an interval, across it.
CAPS = np.array([-4, 4, 0, 0, -4, 4])
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"


def document(plot: Plot) -> str:
    """The plot as a standalone SVG, with a description for readers who cannot see it."""
    around, height = page_of(plot)
    about = " ".join([f"{plot.subtitle}.", *plot.about, *plot.captions])
    parts = [
        tag("title", escape(plot.title)),
        tag("desc", escape(about)),
        tag("style", STYLE),
        tag("rect", width=plot.width, height=height, rx=6, **fill("paper")),
        *(element(mark, PIXELS, PIXELS) for mark in around),
        *(element(mark, *plot.scales) for mark in plot.marks),
    ]
    return tag(
        "svg",
        "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {coordinate(plot.width)} {coordinate(height)}",
        width=plot.width,
        height=height,
        role="img",
        class_="hl",
        font_family=FONT,
    )


def coordinate(value: float) -> str:
    """A coordinate, to a tenth of a pixel.

    >>> coordinate(3.14159), coordinate(-0.001), coordinate(7.0)
    ('3.1', '0', '7')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def tag(name: str, content: str = "", **attributes: object) -> str:
    """One element; `stroke_width` becomes stroke-width, numbers are coordinates, None is left out.

    `content` is markup; attributes are escaped.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None or value == "":
            continue
        shown = coordinate(float(value)) if isinstance(value, (int, float)) else escape(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    return f"<{' '.join(parts)}>{content}</{name}>" if content else f"<{' '.join(parts)}/>"


def fill(color: str, opacity: float = 1.0) -> dict[str, Any]:
    """The look of a filled shape: a class that follows the reader's scheme, and a plain colour."""
    look = {"class_": f"hl-f-{color}", "fill": LIGHT[color]}
    return look if opacity == 1.0 else {**look, "fill_opacity": f"{opacity:.3g}"}


def stroke(color: str, width: float, dash: str = "", opacity: float = 1.0) -> dict[str, Any]:
    """The look of a line."""
    return {
        "class_": f"hl-l-{color}",
        "stroke": LIGHT[color],
        "fill": "none",
        "stroke_width": width,
        "stroke_dasharray": dash,
        "stroke_opacity": None if opacity == 1.0 else f"{opacity:.3g}",
    }


def tooltip(text: str) -> str:
    """A child that viewers show where the pointer rests."""
    return tag("title", escape(text)) if text else ""


def vertices(x: Array, y: Array) -> str:
    """The points of a polyline or polygon."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return " ".join(f"{coordinate(a)},{coordinate(b)}" for a, b in pairs)


@singledispatch
def element(mark: Mark, x: Scale, y: Scale) -> str:
    """A mark as SVG, its values brought to pixels by two scales."""
    raise NotImplementedError


@element.register
def _line(mark: Line, x: Scale, y: Scale) -> str:
    look = stroke(mark.color, mark.width, mark.dash, mark.opacity) | {"stroke_linejoin": "round"}
    bounds = (x.start, x.stop), (y.start, y.stop)
    parts = []
    for px, py in pieces(x(mark.x), y(mark.y), bounds):
        if px.size > 2:
            keep = thin(px, py, 840)
            px, py = px[keep], py[keep]
        if mark.step:
            px, py = np.repeat(px, 2)[:-1], np.repeat(py, 2)[1:]
        if mark.caps:
            upright = px[0] == px[1]
            px = np.repeat(px, 3) + CAPS * upright
            py = np.repeat(py, 3) + CAPS * (not upright)
        parts.append(tag("polyline", tooltip(mark.tip), points=vertices(px, py), **look))
    return "".join(parts)


def pieces(x: Array, y: Array, bounds: Bounds) -> list[Array]:
    """The pieces of a line between gaps (NaN) that lie within the bounds, cut where it crosses.

    >>> [piece.tolist() for piece in pieces(
    ...     np.array([0.0, 2, 4]), np.array([0.0, 2, 0]), ((0, 4), (0, 1)))]
    [[[0.0, 1.0], [0.0, 1.0]], [[3.0, 4.0], [1.0, 0.0]]]
    """
    points = np.array([x, y])
    for axis in (0, 1):
        for bound in bounds[axis]:
            away = points[axis] - bound
            cross = np.flatnonzero(away[:-1] * away[1:] < 0)
            part = away[cross] / (away[cross] - away[cross + 1])
            with np.errstate(invalid="ignore"):  # an end without limit
                ends = points[:, cross] + part * (points[:, cross + 1] - points[:, cross])
            ends[axis] = bound
            points = np.insert(points, cross + 1, ends, axis=1)
    low, high = np.sort(np.array(bounds), axis=1).T[:, :, None]
    outside = ~((points > low - 0.01) & (points < high + 0.01)).all(axis=0)
    gaps = np.flatnonzero(outside)
    runs = np.split(np.arange(points.shape[1]), np.union1d(gaps, gaps + 1))
    return [points[:, run] for run in runs if run.size > 1 and not outside[run[0]]]


@element.register
def _points(mark: Points, x: Scale, y: Scale) -> str:
    px, py = np.broadcast_arrays(x(mark.x), y(mark.y))
    shown = np.isfinite(px) & np.isfinite(py)
    places = list(zip(px[shown].tolist(), py[shown].tolist(), strict=True))
    tips = np.array(mark.tips, object)[shown] if len(mark.tips) else [""] * len(places)
    if len(places) > 1 and not (mark.rim or mark.marker or len(mark.tips)):
        # All points as one path: a round end at each place.
        path = "".join(f"M{coordinate(a)} {coordinate(b)}h0" for a, b in places)
        look = stroke(mark.color, 2 * mark.size, "", mark.opacity)
        return tag("path", d=path, stroke_linecap="round", **look)
    look = fill(mark.color, mark.opacity)
    if mark.rim:
        look["class_"] += f" hl-l-{mark.rim}"
        look |= {"stroke": LIGHT[mark.rim], "stroke_width": 1.5}
    corners = mark.size * np.array(MARKERS[mark.marker % len(MARKERS)])
    shapes = []
    for (a, b), tip in zip(places, tips, strict=True):
        if corners.size:
            outline = vertices(a + corners[:, 0], b + corners[:, 1])
            shapes.append(tag("polygon", tooltip(tip), points=outline))
        else:
            shapes.append(tag("circle", tooltip(tip), cx=a, cy=b, r=mark.size))
    return tag("g", "".join(shapes), **look)


@element.register
def _area(mark: Area, x: Scale, y: Scale) -> str:
    px, py = x(mark.x), y(mark.y)
    known = np.isfinite(px) & np.isfinite(py)
    px, py = px[known], py[known]
    keep = thin(px, py, 420)
    return tag("polygon", points=vertices(px[keep], py[keep]), **fill(mark.color, mark.opacity))


@element.register
def _box(mark: Box, x: Scale, y: Scale) -> str:
    left, right = sorted((float(x(mark.left)), float(x(mark.right))))
    top, bottom = sorted((float(y(mark.bottom)), float(y(mark.top))))
    parts = [tooltip(mark.tip)]
    if mark.color:
        # A rectangle of no width is shown all the same.
        place = {"width": max(right - left - 1, 2.0), "height": max(bottom - top - 1, 0.5)}
        look = fill(mark.color, mark.opacity)
        parts.append(tag("rect", x=left + 0.5, y=top + 0.5, **(place | look)))
    return tag("g", "".join([*parts, *(_text(text, x, y) for text in mark.texts())]))


@element.register
def _text(mark: Text, x: Scale, y: Scale) -> str:
    px, py = float(x(mark.x)) + mark.dx, float(y(mark.y)) + mark.dy
    place: dict[str, Any] = {"x": px, "y": py}
    if mark.turned:
        turn = f"translate({coordinate(px)} {coordinate(py)}) rotate(-90)"
        place = {"x": 0, "y": 0, "transform": turn}
    return tag(
        "text",
        escape(mark.text) + tooltip(mark.tip),
        **place,
        text_anchor=None if mark.anchor == "start" else mark.anchor,
        **fill(mark.color),
        font_size=mark.size,
        font_weight="600" if mark.bold else None,
    )


@element.register
def _raster(mark: Raster, x: Scale, y: Scale) -> str:
    """A path for each colour: the runs of its cells, row by row."""
    rows, columns = mark.codes.shape
    width, height = (x.stop - x.start) / columns, (y.start - y.stop) / rows
    parts = []
    for code in np.unique(mark.codes).tolist():
        inside = np.pad(mark.codes == code, ((0, 0), (1, 1))).astype(np.int8)
        edges = np.diff(inside, axis=1)
        runs = zip(np.argwhere(edges == 1), np.argwhere(edges == -1)[:, 1], strict=True)
        path = "".join(
            f"M{coordinate(x.start + start * width)} {coordinate(y.start - (row + 1) * height)}"
            f"h{coordinate((stop - start) * width)}v{coordinate(height)}"
            f"h{coordinate((start - stop) * width)}z"
            for (row, start), stop in runs
        )
        parts.append(tag("path", d=path, **fill(mark.colors[code], mark.opacity)))
    return "".join(parts)
