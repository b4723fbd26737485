"""What the live controls need: exact counts at some thresholds of every model and class."""

from collections.abc import Callable
from typing import Any

import numpy as np

from heliast import curves
from heliast._core.costs import cost_matrix
from heliast._core.errors import HeliastError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import quantile
from heliast.curves import rank
from heliast.measures.summaries import Ranking
from heliast.predictions import Predictions
from heliast.predictions.scan import NeedsRows
from heliast.views.numbers import Measured
from heliast.views.report.contents import Material

BUDGET, MOST, LEAST = 36_000, 400, 40
"""Points of all curves together, and of one curve at most and at least."""
MOST_CURVES = 900
GRIDS = ((200, 100), (80, 10), (0, 2))
"""With so many points a curve, round thresholds in so many steps: those that people type."""
GROUPED = "the rows are clustered; the key figures have cluster-robust intervals"
WEIGHED = "the rows have sampling weights; the key figures have intervals"


def live(
    material: Material, shown: Label, also: Callable[[Predictions], None] | None = None
) -> dict[str, Any]:
    """Counts at thresholds by [model][class], and what turns them into rates, costs, intervals.

    `also` is called with the rows of each model in turn, while what was sorted is still at hand.
    """
    table, classes = material.table, material.assessment.classes
    models = material.scored[: max(1, MOST_CURVES // max(len(classes), 1))]
    points = int(np.clip(BUDGET // (len(models) * len(classes)), LEAST, MOST))
    by_model: dict[str, dict[int, Any]] = {}
    notes: list[str] = []
    why = ""
    for model in models:
        rows = table.only(model)
        for code, class_ in enumerate(classes):
            try:
                curve = _curve(material, rows, class_, points)
            except HeliastError as error:
                why = why or str(error)
                continue
            notes += curve.pop("notes")
            by_model.setdefault(model, {})[code] = curve
        if also is not None and classes.index(shown) in by_model.get(model, {}):
            also(rows)
    return {
        "level": material.level,
        "z": quantile(material.level),
        "tail": 1 - material.level,
        "models": [material.model_names[model] for model in by_model],
        "classes": [material.class_names[class_] for class_ in classes],
        "curves": [*by_model.values()],
        "start": {"model": 0, "class": classes.index(shown)},
        "byClass": table.meta.design == "classes",
        "shares": _prevalences(material),
        "cost": _cost(material),
        "noInterval": _no_interval(material),
        "pooled": material.splits if material.splits > 1 else 0,
        "why": why,
        "notes": list(dict.fromkeys(notes)),
    }


def shown_class(material: Material) -> Label:
    """The positive class; of several classes, or where it has no rows, the largest but for all."""
    table = material.table
    counted = material.assessment.confusion.get(material.scored[0])
    sizes = np.zeros(len(table.classes)) if counted is None else counted.actual
    usable = [code for code in range(sizes.size) if 0 < sizes[code] < sizes.sum()]
    if table.positive is not None and table.classes.index(table.positive) in usable:
        return table.positive
    return table.classes[max(usable, key=lambda code: (sizes[code], -code), default=0)]


def _prevalences(material: Material) -> list[float] | None:
    shares = material.prevalences
    if shares is None:
        return None
    return [float(shares[class_]) for class_ in material.assessment.classes]


def _cost(material: Material) -> list[list[float]] | None:
    """The cost matrix of two classes, in their order; one of more says nothing of one class."""
    if material.cost is None or len(material.assessment.classes) != 2:
        return None
    matrix: list[list[float]] = cost_matrix(material.cost, material.assessment.classes).tolist()
    return matrix


def _no_interval(material: Material) -> str:
    if material.table.group is not None:
        return GROUPED
    return WEIGHED if material.table.meta.weight_kind == "sampling" else ""


def _curve(material: Material, rows: Predictions, class_: Label, points: int) -> dict[str, Any]:
    """One model and class: thresholds from high to low with the counts at or above each."""
    ranked = rank("report", rows, class_, None, None, True)
    record = curves.roc(rows, class_, pool=True)
    probability = rows.score_kind_of(rows.models[0]) == "probability"
    kept = np.union1d(record.hull, _spaced(record.fpr + record.tpr, points))
    steps = next(steps for least, steps in GRIDS if points >= least)
    round_values = np.arange(1, steps) / steps if probability else np.zeros(1)
    try:
        threshold, tp, fp = _counted(ranked.ranking, record.threshold[kept], round_values)
    except NeedsRows:  # a table that stays on disk: its own thresholds, with their counts
        threshold, tp, fp = record.threshold[kept], record.tp[kept], record.fp[kept]
    hull = np.flatnonzero(_among(tp, fp, record.tp[record.hull], record.fp[record.hull]))
    effective, weights = ranked.effective, ranked.ranking.weights
    each = material.level**0.5
    band = [curves.widest(n, each) for n in record.effective[::-1]]
    curve = {
        "t": [None, *threshold[1:].tolist()],  # the first is +inf: nothing is called positive
        "tp": _numbers(tp),
        "fp": _numbers(fp),
        "P": _number(record.positives),
        "N": _number(record.negatives),
        # Independent rows per row: below 1 where repeats were pooled.
        "worth": [effective[0] / weights[0], effective[1] / weights[1]],
        "hull": hull.tolist(),
        "auc": record.auc,
        "area": _area_text(material, rows.models[0], class_),
        "band": None if record.grouped else band,
        "probability": probability,
        "start": int(np.flatnonzero(threshold >= 0.5)[-1]) if probability else None,
        "notes": list(record.notes),
    }
    if probability:
        curve["bins"] = _bins(material, rows, class_)
    return curve


def _area_text(material: Material, model: str, class_: Label) -> str:
    """The AUC with its interval, where it was estimated."""
    two = len(material.assessment.classes) == 2
    estimate = material.estimate(model, "auc", None if two else class_)
    return "" if estimate is None or not estimate.defined else Measured.of(estimate).figures.inside


def _spaced(way: Array, points: int) -> Array:
    """Positions at about equal steps along the curve."""
    if way.size <= points:
        return np.arange(way.size)
    steps = np.searchsorted(way, np.linspace(0, way[-1], points))
    return np.unique(np.concatenate([[0], steps, [way.size - 1]]))


def _counted(ranking: Ranking, picked: Array, round_values: Array) -> tuple[Array, Array, Array]:
    """Thresholds (descending, the first +inf) with exact counts, each written as short as exact.

    Of several thresholds with the same counts the round one is kept, else the largest.
    """
    finite = picked[np.isfinite(picked)]
    short = np.array([float(f"{value:.5g}") for value in finite])
    same = _above(ranking, short) == _above(ranking, finite)
    finite = np.where(same.all(axis=0), short, finite)
    candidates = np.unique(np.concatenate([finite, round_values]))[::-1]
    tp, fp = _above(ranking, candidates)
    moved = np.append(np.inf, tp[:-1] + fp[:-1]) != tp + fp
    keep = np.isin(candidates, round_values) | (moved & (tp + fp > 0))
    thresholds = np.concatenate([[np.inf], candidates[keep]])
    return thresholds, np.append(0.0, tp[keep]), np.append(0.0, fp[keep])


def _above(ranking: Ranking, threshold: Array) -> Array:
    """Weight of positives and of negatives with a score of at least each threshold."""
    sides = (ranking.positive, ranking.positive_weight), (ranking.negative, ranking.negative_weight)
    counts = []
    for values, weight in sides:
        first = np.searchsorted(values, threshold, "left")
        weight = np.ones(values.size) if weight is None else weight
        # Summed from the top, as the curves sum them.
        upto = np.concatenate([[0.0], np.cumsum(weight[::-1])])
        counts.append(upto[values.size - first])
    return np.stack(counts)


def _among(tp: Array, fp: Array, corner_tp: Array, corner_fp: Array) -> Array:
    """Which of the points are corners of the hull; of equal ones the first."""
    corners = set(zip(corner_tp.tolist(), corner_fp.tolist(), strict=True))
    is_corner = np.zeros(tp.size, bool)
    for place, pair in enumerate(zip(tp.tolist(), fp.tolist(), strict=True)):
        if pair in corners:
            corners.discard(pair)
            is_corner[place] = True
    return is_corner


def share_of(material: Material, class_: Label) -> float | None:
    """The share of the class in the population, if it is not that of the rows."""
    if material.prevalences is not None:
        return float(material.prevalences[class_])
    return 0.5 if material.table.meta.design == "classes" else None


def _bins(material: Material, rows: Predictions, class_: Label) -> dict[str, Any]:
    share = share_of(material, class_)
    record = curves.calibration(rows, class_, pool=True, level=material.level, prevalence=share)
    names = ("forecast", "outcome", "low", "high", "weight")
    return {name: [float(f"{v:.5g}") for v in getattr(record, name).tolist()] for name in names}


def _numbers(values: Array) -> list[float]:
    return [_number(value) for value in values.tolist()]


def _number(value: float) -> float:
    return int(value) if float(value).is_integer() else value
