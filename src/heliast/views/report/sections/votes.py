"""What votes and refits show: members, margins, bias and variance."""

import re

import numpy as np

from heliast import theory
from heliast._core.numbers import limits
from heliast.estimates import Estimate
from heliast.views import plots
from heliast.views.plots import Plot
from heliast.views.plots.axes import Axis, span
from heliast.views.plots.marks import Line
from heliast.views.plots.palette import series
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import apart, cell, drawn, figure, named, shown, table
from heliast.views.report.tiles import title

NUMBERED = re.compile(r"(?:^|/)B=([0-9]{1,9})(?=/|$)")
MOST_LINES = 6
MOST_VOTES = 6
MOST_MODELS = 8
FEWEST = 5
"""Predictions a row, on average, from which on their spread says something."""


def members(material: Material) -> Part | None:
    lines = families(material)
    if not lines:
        return None
    chosen = sorted(lines, key=lambda name: lines[name][-1][1].value)[:MOST_LINES]
    heading = f"{title(material.measure)} against the number of members"
    return {
        "lead": "One line a recipe: members are added from left to right. Bars are intervals.",
        "figures": [drawn(_plot(material, heading, {name: lines[name] for name in chosen}))],
        "tables": [],
    }


def families(material: Material) -> dict[str, list[tuple[int, Estimate]]]:
    """Recipes with two or more numbers of members: name without B, and (B, estimate) rising."""
    found: dict[str, list[tuple[int, Estimate]]] = {}
    for model in material.found.models:
        members = NUMBERED.search(model)
        one = material.headline(model)
        if members and one.defined:
            name = NUMBERED.sub("", model) or "members"
            found.setdefault(name, []).append((int(members.group(1)), one))
    return {
        name: sorted(points, key=lambda point: point[0])
        for name, points in found.items()
        if len(points) > 1
    }


def _plot(material: Material, heading: str, lines: dict[str, list[tuple[int, Estimate]]]) -> Plot:
    estimates = [estimate for points in lines.values() for _, estimate in points]
    ends = [end for one in estimates for end in (one.low, one.value, one.high)]
    most = max(b for points in lines.values() for b, _ in points)
    better = "lower" if material.better == "low" else "higher"
    members, measure = Axis("members B", 0.0, most), Axis(material.measure, *span(ends))
    plot = Plot(heading, f"{better} is better", members, measure, height=336.0)
    for place, (name, points) in enumerate(zip(shown(lines), lines.values(), strict=True)):
        for b, one in points:
            plot.add(Line([b, b], [one.low, one.high], series(place), opacity=0.5))
        x, y = [b for b, _ in points], [one.value for _, one in points]
        plot.curve(place, name, f": {y[-1]:.3f} at {x[-1]:g}", x, y)
    return plot


MEMBERS = Section("members", "How many members a vote needs", members, short="Members")


def margins(material: Material) -> Part | None:
    largest = {points[-1][1].model for points in families(material).values()}
    chosen = [model for model in material.scored if model in largest or _votes(material, model)]
    chosen = chosen[:MOST_VOTES]
    if not chosen:
        return None
    found = [theory.margins(material.table, model=model) for model in chosen]
    names = [material.model_names[model] for model in chosen]
    rows = [
        [named(name, one.model), figure(one.mean), figure(float(one.at_most(0.0)))]
        for name, one in zip(names, found, strict=True)
    ]
    columns = ["model", "mean margin", "share at most 0"]
    caption = "Margins: votes for the right class less those for the strongest other"
    return {
        "lead": "A vote is right if its margin is above 0; the further right, the safer.",
        "figures": [drawn(plots.margins(found, names))],
        "tables": [table("margins", caption, columns, rows)],
        "notes": list(dict.fromkeys(note for one in found for note in one.notes)),
    }


def _votes(material: Material, model: str) -> bool:
    return material.table.score_kind_of(model) == "votes"


MARGINS = Section("margins", "How clearly votes are won", margins, short="Margins")


def bias_variance(material: Material) -> Part | None:
    rows = material.table.row
    if material.found.task != "classification" or rows is None or material.splits < FEWEST:
        return None
    each = len(material.table) / len(material.found.models)
    if each < FEWEST * np.unique(rows).size:
        return None
    models = material.order[:MOST_MODELS]
    found = theory.bias_variance(
        material.table.only(list(models)), level=material.level, seed=material.seed
    )
    parts = [*found.adding, "loss"]
    lines = [
        [
            named(material.model_names[model], model),
            cell(part.replace("_", " ")),
            *apart(found[model, part], found[model, part].reason),
        ]
        for model in found.models
        for part in parts
    ]
    columns = ["model", "part", "value", limits(material.level)]
    caption = f"Parts of the expected error ({found.definition})"
    return {
        "lead": "What would remain if the model were trained on ever new data, and what varies.",
        "figures": [drawn(plots.bias_variance(found))],
        "tables": [table("bias", caption, columns, lines, words=("part",), folded=True)],
        "notes": list(found.notes),
    }


BIAS_VARIANCE = Section("bias", "Bias and variance", bias_variance, short="Bias")
