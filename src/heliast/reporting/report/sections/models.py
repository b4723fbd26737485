"""Models side by side: a forest plot, every measure, and every pair of models."""

import math
from itertools import combinations
from typing import Any

from heliast import drawings
from heliast.estimates import Estimate
from heliast.reporting.comparing import p_words
from heliast.reporting.numbers import between, number
from heliast.reporting.report.material import Material
from heliast.reporting.report.registry import Part, Section
from heliast.reporting.report.tables import SHARES, Cell, Table, cell, drawn, figure, named, table
from heliast.reporting.report.tiles import title

MOST_COLUMNS = 4
"""More models than this stand in rows, fewer side by side."""
MOST_PAIRS = 21
"""More pairs than this are folded away."""


def build(material: Material) -> Part:
    names = material.model_names
    ranked = [material.headline(model) for model in material.order]
    part: dict[str, Any] = {"figures": [], "tables": [], "notes": []}
    if len(ranked) > 1:
        heading = f"{title(material.measure)} of each model, best first"
        shown = [names[model] for model in material.order]
        part["figures"].append(drawn(drawings.forest(ranked, shown, title=heading), wide=True))
    part["tables"].append(_measures(material))
    compared = material.compared
    if compared is not None:
        part["lead"] = f"Which test, and why: {compared.reason_for_test}."
        if len(compared.models) > 2:
            part["tables"].append(_matrix(material))
        part["tables"].append(_pairs(material))
        part["notes"] += [*compared.notes]
        part["notes"] += [f"left out: {name} ({why})" for name, why in compared.left_out.items()]
    return part


def _measures(material: Material) -> Table:
    """Every measure of every model, with its interval."""
    names, level = material.model_names, f"{100 * material.level:g}% intervals"
    overall = material.overall
    if len(material.order) <= MOST_COLUMNS:
        columns = ["measure", *(names[model] for model in material.order)]
        rows = [
            [cell(name), *(_with_interval(material, model, name) for model in material.order)]
            for name in overall
        ]
    else:
        columns = ["model", *overall]
        rows = [
            [
                named(names[model], model),
                *(_with_interval(material, model, name) for name in overall),
            ]
            for model in material.order
        ]
    return table("measures", f"Every measure, with {level}", columns, rows)


def _with_interval(material: Material, model: str, measure: str) -> Cell:
    one = material.estimate(model, measure)
    if one is None:
        return cell("–", tip="not assessed")
    found = figure(one.value, one.reason)
    if math.isnan(one.low) or math.isnan(one.high):
        return found
    return found | {"sub": between(one.low, one.high), "tip": _said(one)}


def _said(one: Estimate) -> str:
    return f"{one.method}; speaks of this {one.target}"


def _matrix(material: Material) -> Table:
    """Row minus column: green where the row is really better, red where it is really worse."""
    compared = material.compared
    assert compared is not None
    names, share = material.model_names, compared.measure in SHARES
    rows = []
    for a in compared.order:
        others = [cell("") if a == b else _versus(compared[a, b], share) for b in compared.order]
        rows.append([named(names[a], a), *others])
    what = "points" if share else "difference"
    caption = (
        f"{title(compared.measure)} of the row's model less that of the column's, in {what}; "
        "marked where the difference is real"
    )
    columns = ["model", *(names[model] for model in compared.order)]
    return table("matrix", caption, columns, rows) | {"matrix": True}


def _versus(one: Any, share: bool) -> Cell:
    words = f"{100 * one.value:+.1f}" if share else f"{one.value:+.3g}"
    tone = {"better": "good", "worse": "bad"}.get(one.verdict.partition(",")[0], "")
    mark = {"good": " ▲", "bad": " ▼"}.get(tone, "")
    tip = f"{between(one.low, one.high)}, p {p_words(one.p)}: {one.verdict}"
    return cell(words + mark, one.value, tone=tone, tip=tip)


def _pairs(material: Material) -> Table:
    """Every pair, best model first: the difference, its interval, p and the verdict in words."""
    compared = material.compared
    assert compared is not None
    names, share = material.model_names, compared.measure in SHARES
    rows = []
    for a, b in combinations(compared.order, 2):
        one = compared[a, b]
        low, high = one.low, one.high
        if share:
            size = f"{100 * one.value:+.1f} points"
            limits = "–" if math.isnan(low) else f"{100 * low:+.1f} to {100 * high:+.1f}"
        else:
            size, limits = number(one.value), between(low, high)
        tone = {"better": "good", "worse": "bad"}.get(one.verdict.partition(",")[0], "")
        rows.append(
            [
                named(names[a], a),
                named(names[b], b),
                cell(size, one.value),
                cell(limits, None if math.isnan(low) else f"{low!r} {high!r}"),
                cell(p_words(one.p), one.p),
                cell(one.verdict, tone=tone),
                cell(one.method),
            ]
        )
    columns = ["a", "b", "a minus b", f"{100 * compared.level:g}% interval", "p", "a is", "method"]
    corrected = "" if compared.correction == "none" else f"; p corrected ({compared.correction})"
    caption = f"Every pair of models on {title(compared.measure).lower()}{corrected}"
    words = ("b", "a is", "method")
    return table("pairs", caption, columns, rows, words=words, folded=len(rows) > MOST_PAIRS)


SECTION = Section("models", "Models side by side", build, short="Models")
