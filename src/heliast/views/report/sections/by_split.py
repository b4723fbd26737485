"""How much the splits differ, and whether models agree on which are hard."""

from dataclasses import replace

import numpy as np

from heliast import estimates
from heliast.views import drawings
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import cell, drawn, figure, table
from heliast.views.report.tiles import title

MOST_MODELS = 10
MOST_ROWS = 200


def build(material: Material) -> Part | None:
    if material.splits < 2:
        return None
    models = material.order[:MOST_MODELS]
    found = estimates.per_split(material.table, material.measure, models, material.level)
    names = [material.model_names[model] for model in found.models]
    found = replace(found, models=tuple(names))
    heading = f"{title(material.measure)}, split by split"
    rows = [
        [cell(str(split)), *(figure(value) for value in values)]
        for split, values in zip(found.splits, found.values.tolist(), strict=True)
    ]
    part: Part = {
        "figures": [drawn(drawings.per_split(found, title=heading), wide=True)],
        "tables": [
            table("splits", heading, ["split", *names], rows[:MOST_ROWS], folded=len(rows) > 10)
        ],
        "notes": [],
    }
    lost = int(np.isnan(found.values).sum())
    if lost:
        part["notes"].append(f"undefined or failed in {lost} of {found.values.size} cells")
    if len(rows) > MOST_ROWS:
        part["notes"].append(f"the table shows the first {MOST_ROWS} of {len(rows)} splits")
    return part


SECTION = Section("splits", "Error by split", build, short="Splits")
