"""A chart with two axes: title, grid, ticks, legend and caption around the marks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from heliast._core.drawn import Picture
from heliast._core.kinds import Array
from heliast._kernels.ranking import thin
from heliast.views.drawings import marks as m
from heliast.views.drawings._scales import Scale, tick_labels, ticks
from heliast.views.drawings._text import escape, labelled, plain, width, wrap
from heliast.views.drawings.palette import STYLE, dash, series

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
LEFT, RIGHT, TOP, PAD = 58.0, 22.0, 58.0, 16.0
WIDTH = 500.0
SWATCH = 32.0


def document(wide: float, high: float, title: str, said: str, about: str, body: str) -> str:
    """A standalone SVG under its title, with a description for those who cannot see it."""
    room = wide - 2 * PAD
    parts = (
        m.tag("title", escape(title))
        + m.tag("desc", escape(about))
        + m.tag("style", STYLE)
        + m.tag("rect", width=wide, height=high, rx=6, **m.fill("paper"))
        + m.words(PAD, 26, title, 16, room=room, font_weight="600")
        + m.words(PAD, 44, said, 12, "soft", room)
        + body
    )
    whole = m.tag(
        "svg",
        parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {m.place(wide)} {m.place(high)}",
        width=wide,
        height=high,
        role="img",
        class_="hl",
        font_family=FONT,
    )
    return Picture(whole)


def captions(said: Sequence[str], top: float, wide: float = WIDTH) -> tuple[str, float]:
    """What is said below a picture, its first line at `top`, and where the next would be."""
    lines = [line for text in said for line in wrap(text, 11, wide - 2 * PAD)]
    parts = [m.words(PAD, top + 15 * at, line, 11, "soft") for at, line in enumerate(lines)]
    return "".join(parts), top + 15 * len(lines)


@dataclass(frozen=True)
class Key:
    """One entry of the legend: a name, which may be cut, what is said of it, and its line.

    Where `sign` is not None it has the mark of that place instead of a line.
    """

    name: str
    said: str
    look: dict[str, Any]
    sign: int | None = None

    @property
    def wide(self) -> float:
        return width(self.name[:200] + self.said, 12) + 2

    def text(self, room: float) -> str:
        return labelled(self.name, 12, room, after=self.said)


@dataclass
class Chart:
    """A plot area with its surroundings; marks are added in the pixels of the plot area.

    `strip` leaves so many pixels free between the plot and the ticks under it.
    """

    title: str
    subtitle: str
    x_label: str
    y_label: str
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    tall: float = 1.0
    strip: float = 0.0
    shares: bool = False
    marks: list[str] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    about: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wide = WIDTH - LEFT - RIGHT
        self.high = round(self.wide * self.tall)
        self.x = Scale(*self.x_range, 0.0, self.wide)
        self.y = Scale(*self.y_range, self.high, 0.0)

    # --- marks -------------------------------------------------------------------------------

    def line(self, x: Array, y: Array, tip: str = "", step: bool = False, **look: Any) -> None:
        """A line through the values; vertices that this chart cannot show are left out."""
        px, py = self.x(np.asarray(x, float)), self.y(np.asarray(y, float))
        if px.size > 2:
            keep = thin(px, py, int(2 * self.wide))
            px, py = px[keep], py[keep]
        self.marks.append((m.stairs if step else m.polyline)(px, py, tip, **look))

    def area(self, x: Array, low: Array, high: Array, colour: str) -> None:
        keep = thin(self.x(x), self.y(high), int(self.wide))
        px, bottom, top = self.x(x)[keep], self.y(low)[keep], self.y(high)[keep]
        self.marks.append(m.area(px, bottom, top, colour))

    def curve(
        self, place: int, name: str, said: str, x: Array, y: Array, about: str, step: bool = False,
        wide: float = 2,
    ) -> None:  # fmt: skip
        """The line of one of several records, its key, and what is said of it."""
        look = m.stroke(series(place), wide, dash(place))
        self.line(x, y, name + said, step, **look)
        self.key(name, said, **look)
        self.about.append(f"{name}{said}{about}")

    def key(self, name: str, said: str = "", sign: int | None = None, **look: Any) -> None:
        self.keys.append(Key(name, said, look, sign))

    # --- the whole ---------------------------------------------------------------------------

    def svg(self) -> str:
        """The chart as a standalone SVG."""
        foot = TOP + self.high + self.strip
        legend, below = self._legend(foot + 50)
        caption, bottom = captions(self.captions, below + 6)
        inside = m.group([*self._grid(), *self.marks], transform=f"translate({LEFT:g} {TOP:g})")
        body = inside + self._labels(foot) + legend + caption
        about = " ".join([self.subtitle + ".", *self.about, *self.captions])
        return document(WIDTH, bottom + 2, self.title, self.subtitle, about, body)

    def _grid(self) -> list[str]:
        rule = m.stroke("rule")
        parts = [
            m.line(float(self.x(value)), 0, float(self.x(value)), self.high, **rule)
            for value in ticks(*self.x_range)
        ]
        parts += [
            m.line(0, float(self.y(value)), self.wide, float(self.y(value)), **rule)
            for value in ticks(*self.y_range)
        ]
        frame = m.tag("rect", width=self.wide, height=self.high, **m.stroke("axis"))
        return [*parts, frame]

    def _labels(self, foot: float) -> str:
        parts = []
        values = ticks(*self.x_range)
        for value, text in zip(values, tick_labels(values, self.shares), strict=True):
            at = LEFT + float(self.x(value))
            parts.append(m.words(at, foot + 17, text, 11, "soft", anchor="middle"))
        values = ticks(*self.y_range)
        for value, text in zip(values, tick_labels(values, self.shares), strict=True):
            at = TOP + float(self.y(value)) + 4
            parts.append(m.words(LEFT - 7, at, text, 11, "soft", anchor="end"))
        middle = LEFT + self.wide / 2
        parts.append(m.words(middle, foot + 36, self.x_label, 12, "ink", self.wide, "middle"))
        turn = f"translate({PAD:g} {m.place(TOP + self.high / 2)}) rotate(-90)"
        parts.append(m.words(0, 0, self.y_label, 12, "ink", self.high, "middle", transform=turn))
        return "".join(parts)

    def _legend(self, top: float) -> tuple[str, float]:
        """The keys in two columns under the plot; one too long for a column has a row alone."""
        half = (WIDTH - 2 * PAD) / 2
        parts, column, y = [], 0, top + 8
        for key in self.keys:
            wide = key.wide + SWATCH > half
            if column == 2 or (wide and column):
                column, y = 0, y + 20
            left = PAD + column * half
            shown = key.text(2 * half - SWATCH if wide else half)
            whole = m.tooltip(key.name + key.said) if plain(key.name) not in shown else ""
            parts.append(m.group([whole, _swatch(key, left, y), m.words(left + 30, y, shown, 12)]))
            column += 2 if wide else 1
        return "".join(parts), y + 16 if self.keys else top


def _swatch(key: Key, x: float, y: float) -> str:
    if key.sign is not None:
        return m.sign(key.sign, x + 12, y - 4, 4, **key.look)
    return m.line(x, y - 4, x + 24, y - 4, **key.look)


def span(values: Iterable[float], part: float = 0.05) -> tuple[float, float]:
    """From the least to the largest of the finite values, with room; not below 0 if none is.

    >>> span([0.5, 1.5, float("nan")]), span([0.01, 1.0])
    ((0.45, 1.55), (0.0, 1.0495))
    """
    known = [value for value in values if isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = part * (high - low) or 0.05
    return max(low - room, 0.0) if low >= 0 else low - room, high + room


def value_axis(scale: Scale, top: float, foot: float, most: int) -> list[str]:
    """The axis below rows of names: at most so many rules from top to foot, each with its value."""
    values = ticks(scale.low, scale.high, most)
    parts = []
    for value, text in zip(values, tick_labels(values), strict=True):
        at = float(scale(value))
        parts.append(m.line(at, top - 4, at, foot, **m.stroke("rule")))
        parts.append(m.words(at, foot + 16, text, 11, "soft", anchor="middle"))
    parts.append(m.line(scale.start, foot, scale.stop, foot, **m.stroke("axis")))
    return parts
