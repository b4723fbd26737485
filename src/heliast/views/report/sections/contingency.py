"""Which classes are taken for which: the contingency table, and the errors that weigh most."""

import numpy as np

from heliast._core.numbers import count, percent
from heliast.measures.summaries import Contingency
from heliast.views import drawings
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Table, cell, drawn, named, table

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
        svg = drawings.contingency(tables[model], title=name, most=MOST_CLASSES)
        part["figures"].append(drawn(svg, wide=not small))
    first = tables[chosen[0]]
    part["lead"] = f"True class down, label across. Tables: {material.model_names[chosen[0]]}."
    part["tables"] += [t for t in (_errors(material, first), _counts(material, first)) if t]
    # One large picture leaves room at its side for the errors made most.
    part["beside"] = not small
    if material.splits > 1:
        part["notes"].append(f"counts of {material.splits} splits added up")
    return part


def _counts(material: Material, found: Contingency) -> Table | None:
    if found.k > MOST_CLASSES:
        return None
    names = [material.class_names[class_] for class_ in found.classes]
    rows = [
        [
            named(names[at], found.classes[at]),
            *(
                cell(count(value), value, tone="hit" if at == to else "")
                for to, value in enumerate(line)
            ),
            cell(count(sum(line)), sum(line)),
        ]
        for at, line in enumerate(found.counts.tolist())
    ]
    columns = ["true class", *names, "all"]
    caption = "Counts: true class down, label across"
    return table("contingency", caption, columns, rows, folded=found.k > 5)


def _errors(material: Material, found: Contingency) -> Table | None:
    """The confusions that happen most, as shares of the true class."""
    wrong = np.flatnonzero(found.places.rows != found.places.columns)
    order = wrong[np.argsort(-found.weight[wrong], kind="stable")[:MOST_ERRORS]]
    if not order.size or found.k == 2:
        return None
    names, errors = material.class_names, float(found.weight[wrong].sum())
    rows = []
    for a, b, many in zip(
        found.places.rows[order].tolist(), found.places.columns[order].tolist(),
        found.weight[order].tolist(), strict=True,
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
