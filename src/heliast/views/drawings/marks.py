"""Shapes as SVG: small functions that return one element each."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.views.drawings._text import Composed, apart, escape, fit, fit_name, plain
from heliast.views.drawings.palette import LIGHT

SIGNS = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0.0, -1.3), (1.15, 0.75), (-1.15, 0.75)),
    ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
)
"""Corners of the marks of classes; the first is a circle and has none."""


def place(value: float) -> str:
    """A coordinate, to a tenth of a pixel.

    >>> place(3.14159), place(-0.001), place(7.0)
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
        shown = place(float(value)) if isinstance(value, (int, float)) else escape(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    return f"<{' '.join(parts)}>{content}</{name}>" if content else f"<{' '.join(parts)}/>"


def fill(colour: str) -> dict[str, Any]:
    return {"class_": f"hl-f-{colour}", "fill": LIGHT[colour]}


def stroke(colour: str, width: float = 1.0, dashes: str = "") -> dict[str, Any]:
    return {
        "class_": f"hl-l-{colour}",
        "stroke": LIGHT[colour],
        "fill": "none",
        "stroke_width": width,
        "stroke_dasharray": dashes,
    }


def rimmed(colour: str, rim: str = "paper", width: float = 1.5) -> dict[str, Any]:
    """Filled, with a rim: one of paper keeps a mark apart from what it sits on."""
    look = {"class_": f"hl-f-{colour} hl-l-{rim}", "fill": LIGHT[colour]}
    return {**look, "stroke": LIGHT[rim], "stroke_width": width}


def line(x1: float, y1: float, x2: float, y2: float, **look: Any) -> str:
    look.pop("fill", None)
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **look)


def points(x: Array, y: Array) -> str:
    pairs = zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True)
    return " ".join(f"{place(a)},{place(b)}" for a, b in pairs)


def polyline(x: Array, y: Array, tip: str = "", **look: Any) -> str:
    return tag("polyline", tooltip(tip), points=points(x, y), stroke_linejoin="round", **look)


def area(x: Array, low: Array, high: Array, colour: str, opacity: str = "0.15") -> str:
    """What lies between two lines over the same places."""
    xs, ys = np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]])
    return tag("polygon", points=points(xs, ys), fill_opacity=opacity, **fill(colour))


def stairs(x: Array, y: Array, tip: str = "", **look: Any) -> str:
    """A line that goes up or down to the next height, then right to its place."""
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    corners = [(place(a), place(b)) for a, b in pairs]
    way = [f"M{corners[0][0]} {corners[0][1]}"]
    for (x0, y0), (x1, y1) in pairwise(corners):
        way.append(f"V{y1}" * (y1 != y0) + f"H{x1}" * (x1 != x0))
    return tag("path", tooltip(tip), d="".join(way), stroke_linejoin="round", **look)


def dot(x: float, y: float, colour: str, radius: float = 3.5, tip: str = "") -> str:
    return tag("circle", tooltip(tip), cx=x, cy=y, r=radius, **rimmed(colour))


def sign(place: int, x: float, y: float, size: float = 3.5, tip: str = "", **look: Any) -> str:
    """The mark of a class: circle, square, triangle or diamond, about as large as each other."""
    if place % len(SIGNS) == 0:
        return tag("circle", tooltip(tip), cx=x, cy=y, r=size, **look)
    corners = size * np.array(SIGNS[place % len(SIGNS)])
    outline = points(x + corners[:, 0], y + corners[:, 1])
    return tag("polygon", tooltip(tip), points=outline, **look)


def tooltip(text: str) -> str:
    return tag("title", escape(text)) if text else ""


def words(
    x: float,
    y: float,
    text: object,
    size: float = 12,
    colour: str = "ink",
    room: float | None = None,
    anchor: str = "start",
    **more: Any,
) -> str:
    """A line of text; what does not fit the room is cut and stands whole in a tooltip."""
    shown = plain(text) if room is None else fit(text, size, room)
    whole = tooltip(str(text)) if shown != plain(text) else ""
    shown = shown if isinstance(shown, Composed) else apart(shown)
    look = {**fill(colour), "font_size": size, **more}
    anchored = None if anchor == "start" else anchor
    return tag("text", escape(shown) + whole, x=x, y=y, text_anchor=anchored, **look)


def name(x: float, y: float, text: object, room: float, size: float = 12, **more: Any) -> str:
    """A name; cut in its middle if it does not fit, the whole then stands in a tooltip."""
    shown = fit_name(text, size, room)
    whole = tooltip(str(text)) if shown != plain(text) else ""
    written = words(x, y, shown, size, **more)
    return group([whole, written]) if whole else written


def group(parts: Iterable[str], **attributes: object) -> str:
    return tag("g", "".join(parts), **attributes)
