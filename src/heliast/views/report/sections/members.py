"""The error against the number of members B, where models are named after it: `vote/B=20`."""

import math
import re

import numpy as np

from heliast.estimates import Estimate
from heliast.views.drawings import marks as m
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import drawn, shown
from heliast.views.report.tiles import title

MEMBERS = re.compile(r"(?:^|/)B=(\d+)(?=/|$)")
MOST_LINES = 6


def build(material: Material) -> Part | None:
    lines = families(material)
    if not lines:
        return None
    chosen = sorted(lines, key=lambda name: _last(lines[name]))[:MOST_LINES]
    heading = f"{title(material.measure)} against the number of members"
    return {
        "lead": "One line a recipe: members are added from left to right. Bars are intervals.",
        "figures": [drawn(_picture(material, heading, {name: lines[name] for name in chosen}))],
        "tables": [],
    }


def families(material: Material) -> dict[str, list[tuple[int, Estimate]]]:
    """Recipes with two or more numbers of members: name without B, and (B, estimate) rising."""
    found: dict[str, list[tuple[int, Estimate]]] = {}
    for model in material.found.models:
        members = MEMBERS.search(model)
        one = material.headline(model)
        if members and one.defined:
            name = MEMBERS.sub("", model) or "members"
            found.setdefault(name, []).append((int(members.group(1)), one))
    return {
        name: sorted(points, key=lambda point: point[0])
        for name, points in found.items()
        if len(points) > 1
    }


def _last(points: list[tuple[int, Estimate]]) -> float:
    return points[-1][1].value


def _picture(material: Material, heading: str, lines: dict[str, list[tuple[int, Estimate]]]) -> str:
    every = [point for points in lines.values() for point in points]
    ends = [end for _, one in every for end in (one.low, one.value, one.high)]
    known = [end for end in ends if math.isfinite(end)]
    low, high = min(known), max(known)
    room = 0.05 * (high - low) or 0.05
    most = max(b for b, _ in every)
    better = "lower" if material.better == "low" else "higher"
    chart = Chart(
        heading, f"{better} is better", "members B", material.measure,
        (0.0, float(most)), (max(low - room, 0.0) if low >= 0 else low - room, high + room),
        tall=0.8,
    )  # fmt: skip
    for place, (name, points) in enumerate(zip(shown(lines), lines.values(), strict=True)):
        look = m.stroke(series(place), 2, dash(place))
        x = np.array([float(b) for b, _ in points])
        y = np.array([one.value for _, one in points])
        for b, one in points:
            if math.isfinite(one.low) and math.isfinite(one.high):
                bar = m.stroke(series(place), 1)
                at = np.array([float(b)] * 2)
                chart.line(at, np.array([one.low, one.high]), stroke_opacity="0.5", **bar)
        chart.line(x, y, name, **look)
        said = f": {y[-1]:.3f} at {x[-1]:g}"
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}.")
    return chart.svg()


SECTION = Section("members", "How many members a vote needs", build, short="Members")
