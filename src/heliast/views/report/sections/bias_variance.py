"""Why models err: how much of the error is bias, how much varies with the training set."""

import numpy as np

from heliast import theory
from heliast.views import drawings
from heliast.views.numbers import limits
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import apart, cell, drawn, named, table

MOST_MODELS = 8
FEWEST = 5
"""Predictions a row, on average, from which on their spread says something."""


def build(material: Material) -> Part | None:
    rows = material.table.row
    if material.found.task != "classes" or rows is None or material.splits < FEWEST:
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
        "figures": [drawn(drawings.bias_variance(found), wide=True)],
        "tables": [table("bias", caption, columns, lines, words=("part",), folded=True)],
        "notes": list(found.notes),
    }


SECTION = Section("bias", "Bias and variance", build, short="Bias")
