"""Which classes are taken for which: the contingency table, and the errors that weigh most."""

import numpy as np

from heliast._core.numbers import count, percent
from heliast.measures.summaries import Contingency
from heliast.views import plots
from heliast.views.contingent import (
    MARGINS,
    Line,
    agreement,
    by_chance,
    kappa_of,
    margined,
)
from heliast.views.contingent import MOST_CLASSES as MARGINED
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Cell, Table, cell, drawn, named, table

FEW_CLASSES, FEW_MODELS = 8, 4
"""So few classes and models that each model can have its picture."""
MOST_CLASSES = 40
MOST_ERRORS = 10


def build(material: Material) -> Part | None:
    tables = material.found.tables
    if not tables:
        return None
    small = len(material.found.classes) <= FEW_CLASSES
    chosen = [model for model in material.order if model in tables]
    chosen = chosen[: FEW_MODELS if small else 1]
    part: Part = {"figures": [], "tables": [], "notes": []}
    for model in chosen:
        name = material.model_names[model]
        plot = plots.confusion_matrix(tables[model], title=name, most=MOST_CLASSES)
        part["figures"].append(drawn(plot))
    first = tables[chosen[0]]
    part["lead"] = f"True class down, label across. Tables: {material.model_names[chosen[0]]}."
    made = (_errors(material, first), _counts(material, first), _chance(material, first, chosen[0]))
    part["tables"] += [one for one in made if one]
    # One large picture leaves room at its side for the errors made most.
    part["beside"] = not small
    kappa = kappa_of(material.found, chosen[0])
    if kappa is not None:
        part["notes"].append(agreement(kappa, first))
    if material.splits > 1:
        part["notes"].append(f"counts of {material.splits} splits added up")
    return part


def _counts(material: Material, found: Contingency) -> Table | None:
    """The counts, of few classes with all their margins, of more with the rows of each class."""
    if found.k > MOST_CLASSES:
        return None
    few = found.k <= MARGINED
    shown, lines = margined(found, MARGINS if few else MARGINS[:1])
    caption = "Counts: true class down, label across"
    if few:
        caption += "; right is the share of a class found (down), of a label right (across)"
    columns = ["true class", *material.class_names.values(), *shown]
    rows = _lines(material, lines if few else lines[: found.k], hits=True)
    return table("contingency", caption, columns, rows, folded=found.k > 5)


def _chance(material: Material, found: Contingency, model: str) -> Table | None:
    if found.k > MARGINED or kappa_of(material.found, model) is None:
        return None
    caption = "Counts of a random classifier with the same totals, from which kappa is reckoned"
    columns = ["true class", *material.class_names.values()]
    return table("chance", caption, columns, _lines(material, by_chance(found)), folded=True)


def _lines(material: Material, lines: list[Line], hits: bool = False) -> list[list[Cell]]:
    names = list(material.class_names.items())
    rows = []
    for at, (name, entries) in enumerate(lines):
        first = named(names[at][1], names[at][0]) if at < len(names) else cell(str(name))
        others = [
            cell(
                entry.text,
                entry.value,
                tone="hit" if hits and at == to < len(names) else "",
                tip=entry.tip,
            )
            for to, entry in enumerate(entries)
        ]
        rows.append([first, *others])
    return rows


def _errors(material: Material, found: Contingency) -> Table | None:
    """The confusions that happen most, as shares of the true class."""
    wrong = np.flatnonzero(found.rows != found.columns)
    order = wrong[np.argsort(-found.count[wrong], kind="stable")[:MOST_ERRORS]]
    if not order.size or found.k == 2:
        return None
    names, errors = material.class_names, float(found.count[wrong].sum())
    rows = []
    for a, b, many in zip(
        found.rows[order].tolist(), found.columns[order].tolist(),
        found.count[order].tolist(), strict=True,
    ):  # fmt: skip
        of_class, of_errors = many / float(found.actual[a]), many / errors
        rows.append(
            [
                named(names[found.classes[a]], found.classes[a]),
                named(names[found.classes[b]], found.classes[b]),
                cell(count(many), many),
                cell(percent(of_class), of_class),
                cell(percent(of_errors), of_errors),
            ]
        )
    columns = ["true class", "taken for", "rows", "of the true class", "of all errors"]
    return table("confusions", "The errors made most", columns, rows, words=("taken for",))


SECTION = Section("contingency", "Which classes are taken for which", build, short="Confusions")
