"""The heat map: a square for each measure and design, its left half the first family of worlds."""

from collections.abc import Mapping, Sequence
from html import escape

SIDE, TALL, LEFT, TOP = 46, 19, 150, 178
Halves = tuple[float | None, float | None]
"""A number for each family of worlds; None where there is none."""
LEGEND = (
    ("#b2182b", "below 0.90"), ("#ef8a62", "below 0.925"), ("#d9f0d3", "0.925 to 0.985"),
    ("#67a9cf", "above 0.985"), ("#eeeeee", "no interval, or not measured"),
)  # fmt: skip


def shade(coverage: float | None, low: float = 0.925, high: float = 0.985) -> str:
    """The colour of a coverage."""
    if coverage is None or coverage != coverage:
        return LEGEND[4][0]
    if coverage < low:
        return LEGEND[0 if coverage < low - 0.025 else 1][0]
    return LEGEND[3 if coverage > high else 2][0]


def heat(
    title: str, rows: Sequence[str], columns: Sequence[str], found: Mapping[tuple[str, str], Halves]
) -> str:
    """An SVG of coverages by row and column."""
    wide, high = LEFT + SIDE * len(columns) + 40, TOP + TALL * len(rows) + 50
    lines = []
    for at, column in enumerate(columns):
        x = LEFT + SIDE * at + SIDE / 2
        lines.append(
            f'<text transform="translate({x:.0f} {TOP - 8}) rotate(-50)">{escape(column)}</text>'
        )
    for down, row in enumerate(rows):
        y = TOP + TALL * down
        lines.append(f'<text x="{LEFT - 8}" y="{y + 13}" class="name">{escape(row)}</text>')
        for at, column in enumerate(columns):
            lines += _square(LEFT + SIDE * at, y, found.get((row, column), (None, None)))
    for at, (colour, words) in enumerate(LEGEND):
        x = LEFT + 150 * at
        y = high - 24
        lines.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{colour}"/>')
        lines.append(f'<text x="{x + 17}" y="{y + 10}">{escape(words)}</text>')
    wide = max(wide, LEFT + 150 * len(LEGEND) + 60)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>", f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        f'<text x="10" y="22" class="title">{escape(title)}</text>', *lines, "</svg>\n",
    ])  # fmt: skip


def _square(x: int, y: int, halves: Halves) -> list[str]:
    half = (SIDE - 2) / 2
    found = []
    for at, value in enumerate(halves):
        left = x + at * half
        found.append(
            f'<rect x="{left:.0f}" y="{y + 1}" width="{half:.0f}" height="{TALL - 2}" '
            f'fill="{shade(value)}"/>'
        )
        if value is not None and value == value:
            words = "1" if value > 0.995 else f"{value:.2f}"[1:]
            found.append(
                f'<text x="{left + half / 2:.0f}" y="{y + 13}" class="cell">{words}</text>'
            )
    return found


STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#222}.title{font-size:15px;font-weight:600}"
    ".name{text-anchor:end}.cell{text-anchor:middle;font-size:9px}"
)
