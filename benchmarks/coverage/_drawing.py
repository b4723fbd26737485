"""Dots on a line for each method: where its cells lie, and the bar."""

from collections.abc import Sequence
from html import escape

Group = tuple[str, str, bool, Sequence[float]]
"""Heading, method, whether it is the default, one number a cell."""
LEFT, RIGHT, ROW, TOP = 330, 860, 19, 44


def dots(
    title: str, groups: Sequence[Group], low: float, high: float, bar: tuple[float, float],
    nominal: float, ticks: Sequence[float],
) -> str:  # fmt: skip
    """An SVG; values beyond the ends are drawn at the ends."""

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (min(max(value, low), high) - low) / (high - low)

    lines, y, before = [], TOP + 10, ""
    for heading, method, default, values in groups:
        if heading != before:
            y += 8
            lines.append(f'<text x="10" y="{y + 13}" class="head">{escape(heading)}</text>')
            y += ROW
            before = heading
        css = "default" if default else "other"
        lines.append(
            f'<text x="{LEFT - 12}" y="{y + 13}" class="{css} name">{escape(method)}</text>'
        )
        lines += [
            f'<circle cx="{x(v):.1f}" cy="{y + 9}" r="3.2" class="{css}"/>' for v in sorted(values)
        ]
        y += ROW
    bottom = y + 6
    grid = [
        f'<line x1="{x(t):.1f}" x2="{x(t):.1f}" y1="{TOP}" y2="{bottom}" class="grid"/>'
        f'<text x="{x(t):.1f}" y="{bottom + 16}" class="tick">{t:g}</text>'
        for t in ticks
    ]
    band = (
        f'<rect x="{x(bar[0]):.1f}" y="{TOP}" width="{x(bar[1]) - x(bar[0]):.1f}" '
        f'height="{bottom - TOP}" class="bar"/>'
    )
    at = f"{x(nominal):.1f}"
    line = f'<line x1="{at}" x2="{at}" y1="{TOP}" y2="{bottom}" class="nominal"/>'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {RIGHT + 30} {bottom + 28}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<rect width="{RIGHT + 30}" height="{bottom + 28}" fill="#fff"/>',
        f'<text x="10" y="24" class="title">{escape(title)}</text>',
        band, *grid, line, *lines, "</svg>\n",
    ])  # fmt: skip


STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#222}.title{font-size:15px;font-weight:600}"
    ".head{font-weight:600}.name{text-anchor:end}.name.default{font-weight:600}"
    ".tick{text-anchor:middle;fill:#555}.grid{stroke:#ddd}"
    ".nominal{stroke:#555;stroke-dasharray:4 3}"
    ".bar{fill:#dcefe0}circle.default{fill:#0b6e4f;fill-opacity:.55}"
    "circle.other{fill:#8a6d3b;fill-opacity:.4}"
)
