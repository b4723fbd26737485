"""What models cost to fit, to ask and to keep."""

import math

from heliast import curves
from heliast._core.errors import InputError
from heliast.views.numbers import count
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Cell, cell, named, table

UNITS = ((1e6, "MB"), (1e3, "kB"), (1.0, "bytes"))


def build(material: Material) -> Part | None:
    if not material.every.cells:
        return None
    rows = []
    for model in material.order:
        try:
            one = curves.speed(material.every, model)
        except InputError:  # one of several outputs of a fit has no cells of its own
            continue
        if one.n_train.size:
            rows.append(
                [
                    named(material.model_names[model], model),
                    cell(count(one.n_train[-1]), float(one.n_train[-1])),
                    _seconds(float(one.fit_seconds[-1])),
                    _seconds(float(one.predict_seconds[-1])),
                    _bytes(float(one.size[-1])),
                ]
            )
    if not rows:
        return None
    columns = ["model", "training rows", "to fit", "to predict", "size"]
    caption = "Median over splits; a dash where an exact shortcut stood in for fitting"
    return {"tables": [table("speed", caption, columns, rows)]}


def _seconds(value: float) -> Cell:
    if math.isnan(value) or value == 0:
        return cell("–")
    shown = f"{value:.2f} s" if value >= 1 else f"{1000 * value:.3g} ms"
    return cell(shown, value)


def _bytes(value: float) -> Cell:
    if math.isnan(value):
        return cell("–")
    unit, sign = next(((u, s) for u, s in UNITS if value >= u), UNITS[-1])
    return cell(f"{value / unit:.3g} {sign}", value)


SECTION = Section("speed", "Speed and size", build, short="Speed")
