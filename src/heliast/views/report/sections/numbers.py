"""Predicted numbers against actual ones, and what is left between them."""

from heliast import curves
from heliast._core.numbers import count, number
from heliast.curves import Predicted
from heliast.views import plots
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Table, cell, drawn, table

MOST_MODELS = 6


def build(material: Material) -> Part | None:
    """The best model's rows, its residuals, and those of several models by bins."""
    if material.found.task != "regression":
        return None
    chosen = material.order[:MOST_MODELS]
    found = [curves.predicted(material.table, model) for model in chosen]
    names = [material.model_names[model] for model in chosen]
    figures = [
        drawn(plots.predicted(found[0], names[:1])),
        drawn(plots.predicted(found[0], names[:1], residuals=True)),
    ]
    if len(found) > 1:
        title = "Residuals of several models"
        figures.append(drawn(plots.predicted(found, names, residuals=True, title=title)))
    lead = (
        "Residuals are actual less predicted. Where their means stray from 0, the model could be "
        "better by a function of its own prediction; where they widen, its errors grow with it."
    )
    return {"lead": lead, "figures": figures, "tables": [_table(names[0], found[0])]}


def _table(name: str, one: Predicted) -> Table:
    values = zip(one.forecast, one.forecast + one.residual, one.residual, one.low, one.high,
                 strict=True)  # fmt: skip
    rows = [
        [cell(count(weight), float(weight)), *(cell(number(v), float(v)) for v in line)]
        for weight, line in zip(one.weight, values, strict=True)
    ]
    columns = ["rows", "mean predicted", "mean actual", "mean residual", "5% below", "5% above"]
    caption = f"{name}: residuals by bins of the prediction"
    return table("residuals", caption, columns, rows, folded=True)


SECTION = Section("numbers", "Predicted against actual", build, short="Residuals")
