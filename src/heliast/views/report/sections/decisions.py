"""Decisions: what a threshold does under costs and class shares, on every curve at once."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from heliast import curves
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.predictions import Predictions
from heliast.predictions.scan import NEEDS, NeedsRows
from heliast.views import plots
from heliast.views.report.live import live, share_of, shown_class
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import drawn

MOST_LINES = 6
"""More curves than this in one picture cannot be told apart."""
LACKING = f"The curve of precision and recall is left out: it {NEEDS}."
PLOTS: dict[str, Callable[..., plots.Plot]] = {
    "roc": plots.roc,
    "pr": plots.precision_recall,
    "gain": plots.gain,
    "cost": plots.cost,
    "calibration": plots.calibration,
}


def build(material: Material) -> Part | None:
    if material.found.task != "classification":
        return None
    if not material.scored:
        raise InputError("the predictions hold labels but no scores, and curves need scores")
    class_ = shown_class(material)
    found: dict[str, list[Any]] = {name: [] for name in PLOTS}

    def also(part: Predictions) -> None:
        if len(found["roc"]) < MOST_LINES:
            for name, record in _records(material, part, class_).items():
                found[name].append(record)

    data = live(material, class_, also)
    if not found["roc"]:
        raise InputError(data["why"] or "no class has rows of both kinds")
    return {
        "lead": (
            "A row is given the class if its score is at least the threshold. Move the threshold, "
            "the share of the class and the costs of errors: every picture, the table and the "
            "expected cost follow."
        ),
        "figures": _figures(material, found),
        "live": data,
        "class_name": material.class_names[class_],
        "notes": [*data["notes"], *([] if found["pr"] else [LACKING])],
    }


def _records(material: Material, part: Predictions, class_: Label) -> dict[str, Any]:
    """The curves of one model."""
    share = share_of(material, class_)
    found: dict[str, Any] = {
        "roc": curves.roc(part, class_, pool=True),
        "gain": curves.gain(part, class_, pool=True, prevalence=share),
        "cost": curves.cost(part, class_, pool=True),
    }
    with suppress(NeedsRows):  # it is not to be had of a table that stays on disk
        found["pr"] = curves.precision_recall(part, class_, pool=True, prevalence=share)
    if part.score_kind_of(part.models[0]) == "probability":
        found["calibration"] = curves.calibration(
            part, class_, pool=True, prevalence=share, level=material.level
        )
    return found


def _figures(material: Material, found: dict[str, list[Any]]) -> list[dict[str, Any]]:
    figures = []
    for name, plot in PLOTS.items():
        if found[name]:
            names = [material.model_names[record.model] for record in found[name]]
            options = {"hull": True} if name == "roc" and len(names) == 1 else {}
            figures.append(drawn(plot(found[name], names, **options), live=name))
    return figures


TITLE = "Decide: thresholds, costs and class shares"
SECTION = Section("decisions", TITLE, build, "decisions.html", short="Decide")
