"""Decisions: what a threshold does under costs and prevalence."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from heliast import curves
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.predictions import Predictions
from heliast.predictions.scan import NEEDS, NeedsRows
from heliast.views import plots
from heliast.views.report.contents import Material, Part, drawn, part
from heliast.views.report.live import live, share_of, shown_class

MOST_LINES = 6
"""Curves in one plot."""
PLOTS: dict[str, Callable[..., plots.Plot]] = {
    "roc": plots.roc, "pr": plots.precision_recall, "gain": plots.gain, "cost": plots.cost,
    "calibration": plots.calibration,
}  # fmt: skip


def thresholds(material: Material) -> Part | None:
    """The curves of all models, and the counts that the controls move on."""
    if material.assessment.task != "classification":
        return None
    if not material.scored:
        raise InputError("the predictions have no scores, and curves need scores")
    class_ = shown_class(material)
    records: dict[str, list[Any]] = {name: [] for name in PLOTS}

    def add_curves(rows: Predictions) -> None:
        if len(records["roc"]) < MOST_LINES:
            for name, record in _curves(material, rows, class_).items():
                records[name].append(record)

    data = live(material, class_, add_curves)
    if not records["roc"]:
        raise InputError(data["why"] or "no class has rows of both kinds")
    figures = []
    for name, plot in PLOTS.items():
        if records[name]:
            names = [material.model_names[record.model] for record in records[name]]
            options = _roc_options(material, records[name]) if name == "roc" else {}
            figures.append(drawn(plot(records[name], names, **options), live=name))
    lead = (
        "A row is predicted as the class if its score is at least the threshold. Move the "
        "threshold, the prevalence and the costs of errors: all plots and numbers follow."
    )
    lacking = [] if records["pr"] else [f"The precision-recall curve is left out: it {NEEDS}."]
    notes = [*data["notes"], *lacking]
    return part(lead, figures, (), notes, live=data, class_name=material.class_names[class_])


def _roc_options(material: Material, records: list[Any]) -> dict[str, Any]:
    """The intervals of the areas, where they were estimated; the hull of a single curve."""
    two = len(material.assessment.classes) == 2
    areas = [
        material.estimate(record.model, "auc", None if two else record.class_) for record in records
    ]
    options: dict[str, Any] = {} if None in areas else {"auc": areas}
    return {**options, "hull": len(records) == 1}


def _curves(material: Material, rows: Predictions, class_: Label) -> dict[str, Any]:
    """The curves of one model."""
    share = share_of(material, class_)
    records: dict[str, Any] = {
        "roc": curves.roc(rows, class_, pool=True),
        "gain": curves.gain(rows, class_, pool=True, prevalence=share),
        "cost": curves.cost(rows, class_, pool=True),
    }
    with suppress(NeedsRows):  # a table that stays on disk
        records["pr"] = curves.precision_recall(rows, class_, pool=True, prevalence=share)
    if rows.score_kind_of(rows.models[0]) == "probability":
        records["calibration"] = curves.calibration(
            rows, class_, pool=True, prevalence=share, level=material.level
        )
    return records
