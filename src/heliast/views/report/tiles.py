"""The tiles: the few numbers of the best model that one looks at first, and what they rest on."""

import math
from typing import Any

from heliast import measures
from heliast._core.numbers import count, figures
from heliast.estimates import Estimate
from heliast.views.numbers import writes
from heliast.views.report.material import Material

MOST = 6
TITLES = {
    "error": "Error rate", "balanced_accuracy": "Balanced accuracy", "auc": "Area under ROC",
    "f1": "F", "expected_cost": "Expected cost", "log_loss": "Log loss", "brier": "Brier score",
    "kappa": "Kappa", "mae": "Mean absolute error", "rmse": "Root mean square error",
    "r2": "R²", "mse": "Mean square error", "rae": "Relative absolute error",
    "rrse": "Root relative square error", "average_precision": "Average precision",
    "mcc": "Matthews correlation", "accuracy": "Accuracy", "precision": "Precision",
    "recall": "Recall", "specificity": "Specificity",
}  # fmt: skip


def title(measure: str) -> str:
    """The name of a measure as a heading.

    >>> title("log_loss"), title("cost_per_row")
    ('Log loss', 'Cost per row')
    """
    return TITLES.get(measure) or measure.replace("_", " ").capitalize()


def tiles(material: Material) -> list[dict[str, Any]]:
    """One dict a tile, of the best model; the measure that models are ranked by comes first."""
    wanted = dict.fromkeys((material.measure, *measures.KEY_FIGURES, *material.overall))
    found = [material.estimate(material.best, name) for name in wanted]
    defined = [one for one in found if one is not None and math.isfinite(one.value)][:MOST]
    made = [_tile(one, _of(material, one)) for one in defined]
    best = material.announced
    if best.corrected and made:  # the first is what the best model was chosen by
        of = _of(material, best.estimate)
        made[0] = _tile(best.estimate, f"{of}, corrected for the choice among {best.among}")
    return made


def choice(material: Material) -> str:
    """Which of the tiles are corrected for the choice of the best model; empty for one model."""
    best = material.announced
    if best.among < 2 or best.apart:
        return best.words
    if not best.corrected:
        return f"as seen, not corrected for the choice among {best.among}"
    return f"the first corrected for the choice among {best.among}, the others as seen"


def _of(material: Material, one: Estimate) -> str:
    """Which class a measure of classes speaks of, or that it is the mean over them; kappa's word.

    Two classes have one area under the ROC curve, whichever is called positive.
    """
    if one.measure == "kappa":
        return f", {measures.kappa_word(one.value)}"
    declared = measures.titled(one.measure)
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
    shown = figures(one, writes(one.measure))
    return {
        "measure": one.measure,
        "title": title(one.measure) + of,
        "value": shown.value,
        "interval": shown.between if known else "no interval",
        "method": one.method if known else one.reason,
        "bar": _bar(one) if known else None,
        "better": measures.titled(one.measure).better,
    }


def _bar(one: Estimate) -> dict[str, float]:
    """Where interval and value lie, in per cent of what the measure can be."""
    least, most = measures.titled(one.measure).bounds
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
    found, one = material.found, material.headline(material.best)
    said = [("items" if found.task == "graded" else "rows tested", count(material.tested))]
    if one.n < material.tested:
        said.append((f"of these count for {title(one.measure).lower()}", count(one.n)))
    if found.task == "classification":
        said.append(("classes", count(len(found.classes))))
    said.append(("models", count(len(found.models))))
    if material.splits > 1:
        said.append(("splits", count(material.splits)))
    if one.n_train is not None:
        said.append(("training rows", count(one.n_train)))
    said.append(("confidence", f"{100 * found.level:g}%"))
    return [{"name": name, "value": value} for name, value in said]
