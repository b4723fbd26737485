"""The picture of a comparison: every model against every other."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heliast._core.numbers import figures, more_digits
from heliast._core.told import told
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import SHARED, SVG
from heliast.views.drawings._text import fit_name, number, width, wrap
from heliast.views.drawings.axes import PAD, document

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison, Difference

TOP, NAMES, NUMBER = 60.0, 190.0, 22.0
NARROWEST = 500.0


@dataclass(frozen=True)
class Look:
    """How a verdict is shown: a sign, so that colour is not needed, a colour and its strength."""

    sign: str
    colour: str
    opacity: str
    words: str


LOOKS = {
    "better": Look("+", "good", "0.38", "row is better"),
    "perhaps better": Look("(+)", "good", "0.16", "better, perhaps by less than the margin"),
    "equivalent": Look("≈", "axis", "0.16", "equivalent within the margin"),
    "identical": Look("=", "axis", "0.16", "identical predictions"),
    "undecided": Look("?", "", "0", "undecided"),
    "perhaps worse": Look("(−)", "bad", "0.16", "worse, perhaps by less than the margin"),
    "worse": Look("−", "bad", "0.38", "row is worse"),
}


@dataclass(frozen=True)
class Grid:
    """Where the cells lie, and how much each can tell: the fewer models, the more."""

    left: float
    wide: float
    high: float
    lines: int

    def corner(self, row: int, column: int) -> tuple[float, float]:
        return self.left + column * self.wide, TOP + 24 + row * self.high


@told(SHARED | {"comparison": "Pairs: What `compare` found, of two or more models."}, returns=SVG)
def comparison_matrix(comparison: "Comparison", *, title: str = "") -> str:
    """Row minus column for each pair of models, best first; signs and colours tell the verdicts.

    Up to 6 models with values and intervals, up to 12 with values, beyond with signs alone; the
    whole is in the tooltips. Columns are numbered like the rows, so that names may be long.

    Examples
    --------
    >>> import heliast as hl
    >>> a = hl.Predictions.of([0, 1, 1], [0, 1, 1], model="a", row=[1, 2, 3])
    >>> b = hl.Predictions.of([0, 1, 1], [0, 0, 1], model="b", row=[1, 2, 3])
    >>> comparison_matrix(hl.compare(a.join(b), "error")).startswith("<svg")
    True
    """
    models = comparison.order
    grid = _grid(models)
    wide = max(NARROWEST, grid.left + len(models) * grid.wide + PAD)
    parts, about, used = [_heads(models, grid)], list[str](), dict[str, Look]()
    for row, a in enumerate(models):
        for column, b in enumerate(models):
            if a == b:
                parts.append(_own(comparison, a, grid, row))
                continue
            kind = _kind(comparison[a, b])
            used[kind] = LOOKS[kind]
            parts.append(_cell(comparison, (a, b), LOOKS[kind], grid, (row, column)))
            if row < column and len(about) < 50:
                about.append(_said(comparison, a, b) + ".")
    foot = grid.corner(len(models), 0)[1] + 10
    legend, bottom = _legend(used, foot, wide)
    title = title or f"Every model against every other: {comparison.measure}"
    better = "lower" if comparison.better == "low" else "higher"
    said = f"row minus column, best first; {better} is better; diagonal: own values"
    if grid.lines == 1:
        said = f"row against column, best first; {better} is better"
    return document(wide, bottom, title, said, " ".join(about), "".join(parts) + legend)


def _grid(models: tuple[str, ...]) -> Grid:
    longest = max(width(model[:60], 12) for model in models)
    left = PAD + NUMBER + min(longest, NAMES) + 12
    if len(models) <= 6:
        return Grid(left, 118.0, 50.0, 3)
    return Grid(left, 58.0, 34.0, 2) if len(models) <= 12 else Grid(left, 24.0, 22.0, 1)


def _heads(models: tuple[str, ...], grid: Grid) -> str:
    parts = []
    for place, model in enumerate(models):
        x, y = grid.corner(place, place)
        above = grid.corner(0, 0)[1] - 7
        parts.append(m.words(x + grid.wide / 2, above, place + 1, 11, "soft", anchor="middle"))
        parts.append(m.words(PAD, y + grid.high / 2 + 4, place + 1, 11, "soft"))
        room = grid.left - PAD - NUMBER - 11
        parts.append(m.name(PAD + NUMBER, y + grid.high / 2 + 4, model, room))
    return "".join(parts)


def _own(comparison: "Comparison", model: str, grid: Grid, row: int) -> str:
    x, y = grid.corner(row, row)
    tip = f"{model}: {number(comparison.values[model])}"
    shown = number(comparison.values[model]) if grid.lines > 1 else "·"
    middle = m.words(x + grid.wide / 2, y + grid.high / 2 + 4, shown, 12, "soft", anchor="middle")
    return m.group([m.tooltip(tip), middle])


def _cell(
    comparison: "Comparison", names: tuple[str, str], look: Look, grid: Grid, at: tuple[int, int]
) -> str:
    x, y = grid.corner(*at)
    parts = [m.tooltip(_said(comparison, *names, NAMES if grid.lines > 1 else NAMES / 2))]
    if look.colour or grid.lines > 1:
        parts.append(_box(look, x + 1, y + 1, grid.wide - 2, grid.high - 2))
    lines = _lines(comparison[names], look, grid.lines)
    middle, first = x + grid.wide / 2, y + grid.high / 2 + 4 - 7.5 * (len(lines) - 1)
    for place, (words, size, colour) in enumerate(lines):
        parts.append(
            m.words(middle, first + 15 * place, words, size, colour, grid.wide - 4, "middle")
        )
    return m.group(parts)


def _box(look: Look, x: float, y: float, wide: float, high: float) -> str:
    edge = m.stroke("rule")
    if look.colour:
        inside = m.fill(look.colour)
        both = f"{inside['class_']} {edge['class_']}"
        edge |= {**inside, "class_": both, "fill_opacity": look.opacity}
    return m.tag("rect", x=x, y=y, width=wide, height=high, **edge)


def _lines(one: "Difference", look: Look, most: int) -> list[tuple[str, float, str]]:
    if most == 1:
        return [(look.sign, 12, "ink")]
    if most == 2:
        return [(_signed(one.value), 11, "ink"), (look.sign, 11, "ink")]
    known = math.isfinite(one.low) and math.isfinite(one.high)
    shown = figures(one, _signed)
    word = {"+": "+ better", "−": "− worse"}.get(look.sign) or _short_words(look)
    limits = shown.between if known else "no interval"
    return [(shown.value, 12, "ink"), (limits, 10.5, "soft"), (word, 11, "ink")]


def _short_words(look: Look) -> str:
    words = look.words.split(",")[0].split(" within")[0].split(" predictions")[0]
    return f"{look.sign} {words}"


def _signed(value: float, more: int = 0) -> str:
    """A difference with its sign; a real minus is as wide as a plus."""
    if math.isnan(value):
        return "unknown"
    shown = number(abs(value), more)
    if not any(digit in "123456789" for digit in shown):
        return shown
    return ("+" if value > 0 else "−") + shown


def _kind(one: "Difference") -> str:
    if one.better or one.worse:
        word = "better" if one.better else "worse"
        return word if one.beyond else f"perhaps {word}"
    return "identical" if one.identical else "equivalent" if one.equivalent else "undecided"


def _said(comparison: "Comparison", a: str, b: str, room: float = NAMES) -> str:
    one = comparison[a, b]
    known = math.isfinite(one.low) and math.isfinite(one.high)
    more = more_digits(one.value, one.low, one.high, number)
    ends = f"{number(one.low, more)} to {number(one.high, more)}"
    limits = f", {comparison.level:.0%} from {ends}" if known else ""
    names = " minus ".join(fit_name(name, 12, room) for name in (a, b))
    return f"{names}: {_signed(one.value, more)}{limits}, {one.verdict}"


def _legend(used: dict[str, Look], top: float, wide: float) -> tuple[str, float]:
    """What the signs mean, those used here only."""
    parts, x, y = [], PAD, top + 12
    for look in (one for kind, one in LOOKS.items() if kind in used):
        long = 30 + width(look.words, 11) + 14
        if x > PAD and x + long > wide - PAD:
            x, y = PAD, y + 22
        parts.append(_box(look, x, y - 12, 24, 16))
        parts.append(m.words(x + 12, y, look.sign, 11, anchor="middle"))
        parts.append(m.words(x + 30, y, look.words, 11, "soft"))
        x += long
    for line in wrap("Undecided is not equal: the data do not tell.", 11, wide - 2 * PAD):
        if "undecided" in used:
            y += 19
            parts.append(m.words(PAD, y, line, 11, "soft"))
    return "".join(parts), y + 14
