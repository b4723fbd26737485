"""Decisions: what a threshold does under costs and class shares, on every curve at once."""

from heliast import curves, drawings
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.reporting.report.live import live
from heliast.reporting.report.material import Material
from heliast.reporting.report.registry import Part, Section
from heliast.reporting.report.tables import drawn

MOST_LINES = 6
"""More curves than this in one picture cannot be told apart."""


def build(material: Material) -> Part | None:
    if material.found.task != "classes":
        return None
    if not material.scored:
        raise InputError("the predictions hold labels but no scores, and curves need scores")
    data = live(material)
    class_ = data["shown_class"]
    chosen = [model for model in material.scored if model in data["usable"]][:MOST_LINES]
    if not chosen:
        raise InputError(data["why"] or "no class has rows of both kinds")
    return {
        "lead": (
            "A row is given the class if its score is at least the threshold. Move the threshold, "
            "the share of the class and the costs of errors: every picture, the table and the "
            "expected cost follow."
        ),
        "figures": _figures(material, chosen, class_),
        "live": data,
        "class_name": material.class_names[class_],
        "notes": data["notes"],
    }


def _figures(material: Material, chosen: list[str], class_: Label) -> list[dict[str, object]]:
    table, names = material.table, [material.model_names[model] for model in chosen]
    share = _share(material, class_)
    rocs = [curves.roc(table, class_, model, pool=True) for model in chosen]
    single = len(rocs) == 1
    found = [drawn(drawings.roc(rocs, names, hull=single), live="roc")]
    recalls = [
        curves.precision_recall(table, class_, m, prevalence=share, pool=True) for m in chosen
    ]
    found.append(drawn(drawings.precision_recall(recalls, names), live="pr"))
    gains = [curves.gain(table, class_, m, prevalence=share, pool=True) for m in chosen]
    found.append(drawn(drawings.gain(gains, names), live="gain"))
    found.append(
        drawn(
            drawings.cost([curves.cost(table, class_, m, pool=True) for m in chosen], names),
            live="cost",
        )
    )
    certain = [m for m in chosen if table.score_kind_of(m) == "probability"]
    if certain:
        records = [
            curves.calibration(table, class_, m, prevalence=share, level=material.level, pool=True)
            for m in certain
        ]
        shown = [material.model_names[m] for m in certain]
        found.append(drawn(drawings.calibration(records, shown), live="calibration"))
    return found


def _share(material: Material, class_: Label) -> float | None:
    """The share of the class in the population, if it is not that of the rows."""
    if material.prevalences is not None:
        return float(material.prevalences[class_])
    return 0.5 if material.table.meta.design == "classes" else None


TITLE = "Decide: thresholds, costs and class shares"
SECTION = Section("decisions", TITLE, build, "decisions.html", short="Decide")
