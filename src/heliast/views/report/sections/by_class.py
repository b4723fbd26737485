"""Which classes are hard: recall, precision and F of each class."""

import math

from heliast._core.labels import Label
from heliast._core.numbers import count
from heliast.estimates import Estimate
from heliast.views import plots
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Cell, Table, cell, drawn, estimated, named, table

MEASURES = ("recall", "precision", "f1", "auc")
FEWEST, MOST = 3, 60
MOST_MODELS = 8


def build(material: Material) -> Part | None:
    best, classes = material.best, material.found.classes
    if not any(material.estimate(best, "recall", class_) for class_ in classes):
        return None
    ranked = sorted(classes, key=lambda class_: _recall(material, best, class_))
    part: Part = {"figures": [], "tables": []}
    name = material.model_names[best]
    if FEWEST <= len(classes) <= MOST:
        ones = [material.estimate(best, "recall", class_) for class_ in ranked]
        known = [(class_, one) for class_, one in zip(ranked, ones, strict=True) if one is not None]
        plot = plots.forest(
            [one for _, one in known],
            [material.class_names[class_] for class_, _ in known],
            title=f"Share of each class that {name} finds (recall), hardest first",
        )
        part["figures"].append(drawn(plot))
    part["tables"].append(_of_best(material, ranked))
    if len(material.found.models) > 1:
        part["tables"].append(_of_models(material, ranked))
    part["lead"] = "The error within a class is what its recall lacks to 1."
    return part


def _recall(material: Material, model: str, class_: Label) -> float:
    one = material.estimate(model, "recall", class_)
    return math.inf if one is None or math.isnan(one.value) else one.value


def _of_best(material: Material, ranked: list[Label]) -> Table:
    best, contingency = material.best, material.found.tables.get(material.best)
    there = [m for m in MEASURES if material.estimate(best, m, ranked[0]) is not None]
    rows = []
    for class_ in ranked:
        size = "–"
        if contingency is not None:
            size = count(contingency.actual[contingency.classes.index(class_)])
        found = [_shown(material.estimate(best, measure, class_)) for measure in there]
        rows.append([named(material.class_names[class_], class_), cell(size), *found])
    caption = f"{material.model_names[best]}: each class against the rest"
    rows_of = "rows" if material.splits == 1 else "rows, all splits"
    return table("classes", caption, ["class", rows_of, *there], rows)


def _of_models(material: Material, ranked: list[Label]) -> Table:
    models = material.order[:MOST_MODELS]
    rows = [
        [
            named(material.class_names[class_], class_),
            *(_shown(material.estimate(model, "recall", class_)) for model in models),
        ]
        for class_ in ranked
    ]
    more = "" if len(models) == len(material.order) else f" (the best {len(models)})"
    caption = f"Recall of each class, by model{more}"
    columns = ["class", *(material.model_names[model] for model in models)]
    return table("recalls", caption, columns, rows, folded=True)


def _shown(one: Estimate | None) -> Cell:
    return cell("–") if one is None else estimated(one, one.reason)


SECTION = Section("classes", "Error by class", build, short="Classes")
