"""Whether acting on the models does more good than harm: decision curves."""

from dataclasses import replace

import numpy as np

from heliast import curves
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.numbers import written
from heliast.curves import Decision
from heliast.predictions.scan import NeedsRows
from heliast.views import plots
from heliast.views.report.live import shown_class
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Cell, Table, cell, drawn, table

MOST_MODELS = 6
SHOWN = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
ALL = "treat all"


def build(material: Material) -> Part | None:
    if material.found.task != "classification" or not material.scored:
        return None
    scored = [m for m in material.scored if material.table.score_kind_of(m) == "probability"]
    if not scored:
        raise InputError("no model gives probabilities, and a decision curve needs them")
    if material.prevalences is not None:
        raise InputError("class shares were given, and decision curves hold for those of the rows")
    class_ = shown_class(material)
    chosen = scored[:MOST_MODELS]
    found = [_curve(material, class_, model) for model in chosen]
    names = [material.model_names[model] for model in chosen]
    figures = [drawn(plots.decision(found, names))]
    others = _against(material, class_, scored)
    for said, one in others.items():
        title = f"{names[0]} less {said}: difference in net benefit"
        figures.append(drawn(plots.decision(one, names[:1], title=title)))
    return {
        "lead": _lead(names[0], found[0], others[ALL], material.class_names[class_]),
        "figures": figures,
        "tables": [_table(names[0], found[0], others)],
        "notes": list(dict.fromkeys(note for one in found for note in one.notes)),
    }


def _curve(material: Material, class_: Label, model: str, against: str | None = None) -> Decision:
    table, level = material.table, material.level
    return curves.decision(
        table, class_, model, against=against, level=level, pool=True, seed=material.seed
    )


def _against(material: Material, class_: Label, scored: list[str]) -> dict[str, Decision]:
    """The best model against treating all and, row by row, against the next best."""
    found = {ALL: _curve(material, class_, scored[0], ALL)}
    for model in scored[1:2]:
        try:
            found[material.model_names[model]] = _curve(material, class_, scored[0], model)
        except (InputError, NeedsRows):  # rows that do not pair, or that stay on disk
            continue
    return found


def _lead(name: str, alone: Decision, over: Decision, class_: str) -> str:
    first = (
        "Whoever acts from a risk t on holds one true positive to be worth (1 − t)/t false ones; "
        f"net benefit counts both in rows of class {class_}. "
    )
    if alone.reason:
        return f"{first}There is no band: {alone.reason}."
    # It beats both where the lower of the two low limits is above 0.
    both = replace(alone, low=np.minimum(alone.low, over.low)).better
    said = ", ".join(f"{a:.0%} to {b:.0%}" for a, b in both)
    where = f"at thresholds {said}" if said else "at no threshold"
    return (
        f"{first}Acting on {name} is shown to beat both calling every row {class_} and calling "
        f"none {where}, with {alone.level:.0%} confidence for each of the two over all thresholds."
    )


def _table(name: str, alone: Decision, others: dict[str, Decision]) -> Table:
    records = [alone, *others.values()]
    places = [int(at) for at in np.flatnonzero(np.isin(alone.threshold, SHOWN))]
    rows = [[cell(f"{alone.threshold[at]:.0%}"), *(_cell(one, at) for one in records)]
            for at in places]  # fmt: skip
    columns = ["threshold", "net benefit", *(f"less {said}" for said in others)]
    caption = f"{name}: net benefit, with bands that hold for all thresholds at once"
    return table("net_benefit", caption, columns, rows)


def _cell(one: Decision, at: int) -> Cell:
    ends = (np.nan, np.nan) if one.reason else (float(one.low[at]), float(one.high[at]))
    shown = written(float(one.value[at]), *ends)
    found = cell(shown.value, float(one.value[at]))
    return found | {"sub": shown.between} if shown.known else found


SECTION = Section("net_benefit", "More good than harm?", build, short="Net benefit")
