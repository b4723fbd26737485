"""Tables of the report as plain dicts: a caption, columns, and rows of cells."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from heliast._core.numbers import Limited, Write, figures, number, shorten
from heliast.views.plots import Plot

Cell = dict[str, Any]
Table = dict[str, Any]
LONGEST_TIP = 400
LONGEST = 48
"""Letters of a name that a table shows; the rest stands in the tooltip."""


def shown(names: Iterable[object], longest: int = LONGEST) -> list[str]:
    """The names cut to a length; those that would look the same afterwards are numbered.

    >>> shown(["tree", "x" * 60 + "1", "x" * 60 + "2"], 8)
    ['tree', 'xxxxxxx…', 'xxxxxxx… (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for name in names:
        short = shorten(name, longest) or "(no name)"
        seen[short] = seen.get(short, 0) + 1
        found.append(short if seen[short] == 1 else f"{short} ({seen[short]})")
    return found


def cell(text: str, value: object = None, *, tone: str = "", tip: object = "") -> Cell:
    """One cell: what is shown, what is downloaded (the text, if nothing else), and how it looks."""
    if isinstance(value, float) and not math.isfinite(value):
        value = None if math.isnan(value) else str(value)
    found: Cell = {"text": text}
    if value is not None:
        found["value"] = value
    if tone:
        found["tone"] = tone
    if tip and str(tip) != text:
        found["tip"] = shorten(tip, LONGEST_TIP)
    return found


def named(shown: str, whole: object = None) -> Cell:
    """The name of a model or class, cut, with the whole of it in the tooltip."""
    return cell(shown, tip="" if whole is None else str(whole)) | {"name": True}


def figure(value: float, write: Write = number) -> Cell:
    """A number, or a dash."""
    return cell("–") if math.isnan(value) else cell(write(value, 0), value)


def estimated(one: Limited, reason: str = "", write: Write = number) -> Cell:
    """A number with its interval beneath it, or a dash with the reason in its tooltip."""
    if math.isnan(one.value):
        return cell("–", tip=reason)
    shown = figures(one, write)
    made = cell(shown.value, one.value, tip=reason)
    return made | {"sub": shown.between.replace("%", "")} if shown.known else made


def apart(one: Limited, reason: str = "", write: Write = number) -> tuple[Cell, Cell]:
    """A number and its interval as two cells, which share their digits."""
    shown = figures(one, write)
    if not shown.known:
        return figure(one.value, write), cell("–", tip=reason)
    return cell(shown.value, one.value), cell(shown.between, f"{one.low!r} {one.high!r}")


def table(
    name: str,
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    words: Sequence[str] = (),
    folded: bool = False,
) -> Table:
    """A table; columns are of numbers but for the first and those named in `words`."""
    return {
        "name": name,
        "caption": caption,
        "columns": [
            {"title": title, "numeric": place > 0 and title not in words}
            for place, title in enumerate(columns)
        ],
        "rows": [list(row) for row in rows],
        "folded": folded,
    }


# Pixels of a plot of which three stand side by side, or that needs the whole page.
SMALL, WIDE = 420, 640


def drawn(plot: Plot, *, live: str = "") -> dict[str, Any]:
    """A plot: `live` names the chart that takes its place where scripts run."""
    size = "small" if plot.width < SMALL else "wide" if plot.width > WIDE else ""
    return {"svg": plot.to_svg(), "size": size, "live": live}
