"""The tiles: the few numbers of the best model that one looks at first, and what they rest on."""

import math
from typing import Any

from heliast import measures
from heliast.estimates import Estimate
from heliast.views.numbers import count, number, percent
from heliast.views.report.material import Material

MOST = 6
FIRST = (
    "error", "balanced_accuracy", "auc", "f", "expected_cost", "log_loss", "brier", "kappa",
    "mae", "rmse", "r2", "rrse", "mse", "rae",
)  # fmt: skip
"""Which measures get a tile, in this order."""
TITLES = {
    "error": "Error rate", "balanced_accuracy": "Balanced accuracy", "auc": "Area under ROC",
    "f": "F", "expected_cost": "Expected cost", "log_loss": "Log loss", "brier": "Brier score",
    "kappa": "Kappa", "mae": "Mean absolute error", "rmse": "Root mean square error",
    "r2": "R²", "mse": "Mean square error", "rae": "Relative absolute error",
    "rrse": "Root relative square error", "average_precision": "Average precision",
    "mcc": "Matthews correlation", "accuracy": "Accuracy", "precision": "Precision",
    "recall": "Recall", "specificity": "Specificity",
}  # fmt: skip
PERCENT = ("error", "accuracy", "balanced_accuracy")


def title(measure: str) -> str:
    """The name of a measure as a heading.

    >>> title("log_loss"), title("cost_per_row")
    ('Log loss', 'Cost per row')
    """
    return TITLES.get(measure) or measure.replace("_", " ").capitalize()


def tiles(material: Material) -> list[dict[str, Any]]:
    """One dict a tile, of the best model; the measure that models are ranked by comes first."""
    wanted = dict.fromkeys((material.measure, *FIRST, *material.overall))
    found = [material.estimate(material.best, name) for name in wanted]
    defined = [one for one in found if one is not None and math.isfinite(one.value)]
    return [_tile(one, _of(material, one.measure)) for one in defined[:MOST]]


def _of(material: Material, measure: str) -> str:
    """Which class a measure of classes speaks of, or that it is the mean over them.

    Two classes have one area under the ROC curve, whichever is called positive.
    """
    declared = measures.get(measure.split("(")[0])
    if not declared.classwise or declared.average is not None:
        return ""
    if len(material.found.classes) > 2:
        return ", mean of classes"
    positive = material.found.positive
    if positive is None or declared.name == "auc":
        return ""
    return f", {material.class_names[positive]}"


def _tile(one: Estimate, of: str) -> dict[str, Any]:
    known = math.isfinite(one.low) and math.isfinite(one.high)
    write = percent if one.measure in PERCENT else number
    return {
        "measure": one.measure,
        "title": title(one.measure) + of,
        "value": write(one.value),
        "interval": f"{write(one.low)} to {write(one.high)}" if known else "no interval",
        "method": one.method if known else one.reason,
        "bar": _bar(one) if known else None,
        "better": measures.get(one.measure.split("(")[0]).better,
    }


def _bar(one: Estimate) -> dict[str, float]:
    """Where interval and value lie, in per cent of what the measure can be."""
    least, most = measures.get(one.measure.split("(")[0]).bounds
    if not math.isfinite(least):
        least = min(0.0, one.low)
    if not math.isfinite(most):
        most = max(one.high, one.value) * 1.25 or 1.0
    span = (most - least) or 1.0

    def place(value: float) -> float:
        return round(100 * min(max((value - least) / span, 0.0), 1.0), 2)

    return {"low": place(one.low), "value": place(one.value), "high": place(one.high)}


def facts(material: Material) -> list[dict[str, str]]:
    """What the numbers rest on: rows, classes, models, splits, and who is meant."""
    table, found = material.table, material.found
    one = material.headline(material.best)
    each = len(table) / max(len(found.models), 1) if math.isnan(one.n) else one.n
    said = [("rows tested", count(each)), ("models", count(len(found.models)))]
    if found.task == "classes":
        said.insert(1, ("classes", count(len(found.classes))))
    if material.splits > 1:
        said.append(("splits", count(material.splits)))
    if one.n_train is not None:
        said.append(("training rows", count(one.n_train)))
    said.append(("confidence", f"{100 * found.level:g}%"))
    return [{"name": name, "value": value} for name, value in said]
