"""The picture of a contingency table."""

from dataclasses import dataclass

import numpy as np

from heliast._core.drawn import draws
from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.measures.summaries import Contingency
from heliast.views.drawings import marks as m
from heliast.views.drawings._text import count, fit, share, width
from heliast.views.drawings.axes import PAD, captions, document

WIDE = 520.0
LARGEST, SMALLEST = 64.0, 11.0
MOST = 40
OTHER = "other classes"
NARROWEST = 380.0


@dataclass(frozen=True)
class Shown:
    """What is drawn: the counts, their names, and how many classes share the last row."""

    counts: Array
    names: list[str]
    merged: int = 0

    @classmethod
    def of(cls, table: Contingency, most: int) -> "Shown":
        """The table itself, or its largest classes and all others as one."""
        names = [str(name) for name in table.classes]
        if table.k <= max(most, 2):
            return cls(table.counts, names)
        keep = np.sort(np.argsort(-(table.actual + table.decided), kind="stable")[: most - 1])
        place = np.full(table.k, most - 1)
        place[keep] = np.arange(keep.size)
        counts = np.zeros((most, most))
        at = place[table.places.rows], place[table.places.columns]
        np.add.at(counts, at, table.weight)
        return cls(counts, [names[code] for code in keep] + [OTHER], table.k - keep.size)

    def colour(self, row: int, column: int) -> str:
        """Right, wrong, or (among classes put together) some of both."""
        if row != column:
            return "bad"
        return "axis" if self.merged and row == len(self.names) - 1 else "good"


@draws(Contingency)
@told(returns="str: The picture as the text of an SVG file.")
def contingency(
    table: Contingency, *, most: int = MOST, title: str = "Contingency table", model: str = ""
) -> str:
    """True class down, label across; the colour is the share of the true class, errors apart.

    Numbers are written where they fit, and stand in every cell's tooltip. Of more than `most`
    classes, the largest are shown and the rest are put together.

    Parameters
    ----------
    table : Contingency
        Counts of rows by true and decided class.
    most : int, default 40
        So many classes at most; the largest are shown.
    title : str, default 'Contingency table'
        The title; empty is a title made from the record.
    model : str, default ''
        Name of the model, for the description.

    Examples
    --------
    >>> from heliast import Predictions, summaries
    >>> table = Predictions.of(["a", "b", "b"], ["a", "a", "b"])
    >>> contingency(table.summary(summaries.Contingency)).startswith("<svg")
    True
    """
    shown = Shown.of(table, most)
    k = len(shown.names)
    size = 10.0 if k > 30 else 11.0
    left = min(max(width(name[:60], size) for name in shown.names) + 26, 150.0) + PAD
    cell = float(np.clip((WIDE - left - PAD) / k, SMALLEST, LARGEST))
    head, turned = _heads(shown.names, cell, size)
    wide, top = max(left + k * cell + PAD, NARROWEST), 76 + head
    inside = [
        *_cells(shown, cell),
        *_rows(shown.names, size, left, cell),
        *_columns(shown.names, size, cell, turned),
    ]
    parts = [
        m.words(left + k * cell / 2, 66, "label", 12, anchor="middle"),
        m.group(inside, transform=f"translate({m.place(left)} {m.place(top)})"),
    ]
    caption, bottom = captions([_caption(shown)], top + k * cell + 22, wide)
    said = _said(table, model)
    about = f"{table.k} classes. {said}. {_caption(shown)}"
    return document(wide, bottom, title, said, about, "".join(parts) + caption)


def _said(table: Contingency, model: str) -> str:
    who = f"{fit(model, 12, 200)}: " if model else ""
    if not table.n:
        return f"{who}no rows"
    return f"{who}{count(table.n)} rows, {share(float(table.hits.sum()) / table.n)} labelled right"


def _caption(shown: Shown) -> str:
    words = "Blue: labelled right; orange: errors; the stronger, the larger the share of its row."
    if shown.merged:
        words += f" The {shown.merged} smallest classes are put together; grey: among them."
    return words


def _heads(names: list[str], cell: float, size: float) -> tuple[float, bool]:
    """How high the names of the columns stand, and whether they must be turned."""
    longest = max(width(name[:60], size) for name in names)
    if longest <= cell - 4:
        return 20.0, False
    return min(longest + 10, 110.0), True


def _columns(names: list[str], size: float, cell: float, turned: bool) -> list[str]:
    parts = []
    for place, name in enumerate(names):
        x = (place + 0.5) * cell
        if turned:
            turn = f"translate({m.place(x + size * 0.35)} -6) rotate(-90)"
            parts.append(m.words(0, 0, name, size, "soft", 100.0, transform=turn))
        else:
            parts.append(m.words(x, -6, name, size, "soft", cell, "middle"))
    return parts


def _rows(names: list[str], size: float, left: float, cell: float) -> list[str]:
    parts = [
        m.words(-6, (place + 0.5) * cell + size * 0.36, name, size, "soft", left - PAD - 22, "end")
        for place, name in enumerate(names)
    ]
    turn = f"translate({m.place(PAD - left + 8)} {m.place(len(names) * cell / 2)}) rotate(-90)"
    return [*parts, m.words(0, 0, "true class", 12, anchor="middle", transform=turn)]


def _cells(shown: Shown, cell: float) -> list[str]:
    counts, side = shown.counts, len(shown.names) * cell
    parts = [m.tag("rect", width=side, height=side, **m.stroke("rule"))]
    for place in range(1, len(shown.names)):
        at = place * cell
        parts.append(m.line(at, 0, at, side, **m.stroke("rule", 0.5)))
        parts.append(m.line(0, at, side, at, **m.stroke("rule", 0.5)))
    totals = counts.sum(axis=1)
    short = [fit(name, 11, 200) for name in shown.names]
    for row, column in np.argwhere(counts > 0).tolist():
        weight, part = float(counts[row, column]), float(counts[row, column] / totals[row])
        tip = f"true {short[row]}, label {short[column]}: {count(weight)} ({share(part)} of it)"
        corner = column * cell, row * cell
        parts.append(_cell(*corner, cell, weight, part, shown.colour(row, column), tip))
    return parts


def _cell(
    x: float, y: float, side: float, weight: float, part: float, colour: str, tip: str
) -> str:
    opacity = 0.08 + 0.92 * part
    look = {**m.fill(colour), "fill_opacity": f"{opacity:.2f}"}
    box = m.tag("rect", x=x + 0.5, y=y + 0.5, width=side - 1, height=side - 1, **look)
    text = _figure(weight)
    size = min(13.0, side * 0.46, (side - 3) / max(width(text, 1.0), 0.5))
    if size >= 6:
        at = x + side / 2, y + side / 2 + size * 0.36
        box += m.words(*at, text, size, _on(opacity, colour), anchor="middle")
    return m.group([m.tooltip(tip), box])


def _figure(weight: float) -> str:
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if weight >= max(unit, 1e4):
            return f"{weight / unit:.3g}{sign}"
    return f"{weight:.4g}"


def _on(opacity: float, colour: str) -> str:
    """The colour of text with enough contrast on a cell, in light and in dark."""
    if opacity < 0.62:
        return "ink"
    return "paper" if colour == "good" and opacity > 0.85 else "night"
