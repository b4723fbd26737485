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
from heliast.curves import Ranked, rank
from heliast.measures.summaries import Ranking
from heliast.predictions import Predictions
from heliast.predictions.scan import NeedsRows
from heliast.views.report.material import Material

BUDGET, MOST, LEAST = 36_000, 400, 40
"""Points of all curves together, and of one curve at most and at least."""
MOST_CURVES = 900
GRIDS = ((200, 100), (80, 10), (0, 2))
"""With so many points a curve, round thresholds in so many steps: those that people type."""
GROUPED = "rows go together, and these counts do not know which: see the tiles for intervals"
WEIGHED = "rows have sampling weights: see the tiles for intervals"


def live(
    material: Material,
    shown: Label,
    also: Callable[[Predictions], None] | None = None,
) -> dict[str, Any]:
    """Counts at thresholds by [model][class], and what turns them into rates, costs, intervals.

    `also` is called with the rows of each model in turn, while what was sorted is still at hand.
    """
    table, classes = material.table, material.found.classes
    models = material.scored[: max(1, MOST_CURVES // max(len(classes), 1))]
    points = int(np.clip(BUDGET // (len(models) * len(classes)), LEAST, MOST))
    found: dict[str, dict[int, Any]] = {}
    notes: list[str] = []
    why = ""
    for model in models:
        part = table.only(model)
        for code, class_ in enumerate(classes):
            try:
                one = _curve(material, part, class_, points)
            except HeliastError as error:
                why = why or str(error)
                continue
            notes += one.pop("notes")
            found.setdefault(model, {})[code] = one
        if also is not None and classes.index(shown) in found.get(model, {}):
            also(part)
    usable = [model for model in models if model in found]
    return {
        "level": material.level,
        "z": quantile(material.level),
        "models": [material.model_names[model] for model in usable],
        "classes": [material.class_names[class_] for class_ in classes],
        "curves": [found[model] for model in usable],
        "start": {"model": 0, "class": classes.index(shown)},
        "byClass": table.meta.design == "classes",
        "shares": _shares(material),
        "cost": _cost(material),
        "noInterval": _no_interval(material),
        "pooled": material.splits if material.splits > 1 else 0,
        "why": why,
        "notes": list(dict.fromkeys(notes)),
    }


def shown_class(material: Material) -> Label:
    """The positive class; of several classes, or where it has no rows, the largest but for all."""
    table = material.table
    counted = material.found.tables.get(material.scored[0])
    sizes = np.zeros(len(table.classes)) if counted is None else counted.actual
    there = [code for code in range(sizes.size) if 0 < sizes[code] < sizes.sum()]
    if table.positive is not None and table.classes.index(table.positive) in there:
        return table.positive
    return table.classes[max(there, key=lambda code: (sizes[code], -code), default=0)]


def _shares(material: Material) -> list[float] | None:
    given = material.prevalences
    return None if given is None else [float(given[class_]) for class_ in material.found.classes]


def _cost(material: Material) -> list[list[float]] | None:
    """The cost matrix of two classes, in their order; one of more says nothing of one class."""
    if material.cost is None or len(material.found.classes) != 2:
        return None
    found: list[list[float]] = cost_matrix(material.cost, material.found.classes).tolist()
    return found


def _no_interval(material: Material) -> str:
    if material.table.group is not None:
        return GROUPED
    return WEIGHED if material.table.meta.weight_kind == "sampling" else ""


def _curve(material: Material, part: Predictions, class_: Label, points: int) -> dict[str, Any]:
    """One model and class: thresholds from high to low with the counts at or above each."""
    ranked = rank("report", part, class_, None, None, True)
    record = curves.roc(part, class_, pool=True)
    probability = part.score_kind_of(part.models[0]) == "probability"
    kept = np.union1d(record.hull, _spaced(record.fpr + record.tpr, points))
    steps = next(steps for least, steps in GRIDS if points >= least)
    round_ones = np.arange(1, steps) / steps if probability else np.zeros(1)
    try:
        threshold, tp, fp = _counted(ranked.ranking, record.threshold[kept], round_ones)
    except NeedsRows:  # a table that stays on disk: its own thresholds, with their counts
        threshold, tp, fp = record.threshold[kept], record.tp[kept], record.fp[kept]
    hull = np.flatnonzero(_among(tp, fp, record.tp[record.hull], record.fp[record.hull]))
    found = {
        "t": [None, *threshold[1:].tolist()],  # the first is +inf: nothing is called positive
        "tp": _numbers(tp),
        "fp": _numbers(fp),
        "P": _number(record.positives),
        "N": _number(record.negatives),
        "worth": list(_worth(ranked)),
        "hull": hull.tolist(),
        "auc": record.auc,
        "band": None if record.grouped else _band(record, material.level),
        "probability": probability,
        "start": _start(threshold, probability),
        "notes": list(record.notes),
    }
    if probability:
        found["bins"] = _bins(material, part, class_)
    return found


def _spaced(way: Array, points: int) -> Array:
    """Positions at about equal steps along the curve."""
    if way.size <= points:
        return np.arange(way.size)
    steps = np.searchsorted(way, np.linspace(0, way[-1], points))
    return np.unique(np.concatenate([[0], steps, [way.size - 1]]))


def _counted(ranking: Ranking, picked: Array, round_ones: Array) -> tuple[Array, Array, Array]:
    """Thresholds (descending, the first +inf) with exact counts, each written as short as exact.

    Of several thresholds with the same counts the round one is kept, else the largest.
    """
    finite = picked[np.isfinite(picked)]
    short = np.array([float(f"{value:.5g}") for value in finite])
    same = _above(ranking, short) == _above(ranking, finite)
    finite = np.where(same.all(axis=0), short, finite)
    every = np.unique(np.concatenate([finite, round_ones]))[::-1]
    tp, fp = _above(ranking, every)
    keep = np.isin(every, round_ones)
    moved = np.append(np.inf, tp[:-1] + fp[:-1]) != tp + fp
    keep |= moved & (tp + fp > 0)
    return tuple(  # type: ignore[return-value]
        np.concatenate([[first], values[keep]])
        for first, values in ((np.inf, every), (0.0, tp), (0.0, fp))
    )


def _above(ranking: Ranking, threshold: Array) -> Array:
    """Weight of positives and of negatives with a score of at least each threshold."""
    return np.stack(
        [
            _tail(ranking.positive, ranking.positive_weight, threshold),
            _tail(ranking.negative, ranking.negative_weight, threshold),
        ]
    )


def _tail(values: Array, weight: Array | None, threshold: Array) -> Array:
    first = np.searchsorted(values, threshold, "left")
    if weight is None:
        count: Array = (values.size - first).astype(np.float64)
        return count
    # Summed from the top, as the curves sum them.
    upto = np.concatenate([[0.0], np.cumsum(weight[::-1])])
    above: Array = upto[values.size - first]
    return above


def _among(tp: Array, fp: Array, corner_tp: Array, corner_fp: Array) -> Array:
    """Which of the points are corners of the hull; of equal ones the first."""
    corners = set(zip(corner_tp.tolist(), corner_fp.tolist(), strict=True))
    found = np.zeros(tp.size, bool)
    for place, pair in enumerate(zip(tp.tolist(), fp.tolist(), strict=True)):
        if pair in corners:
            corners.discard(pair)
            found[place] = True
    return found


def _worth(ranked: Ranked) -> tuple[float, float]:
    """Independent rows per row of the class and of the rest: below 1 where repeats were pooled."""
    effective, weights = ranked.effective, ranked.ranking.weights
    return effective[0] / weights[0], effective[1] / weights[1]


def _band(record: curves.Roc, level: float) -> list[float]:
    """How far the simultaneous band reaches to the sides and up and down."""
    each = level**0.5
    return [curves.widest(record.effective[1], each), curves.widest(record.effective[0], each)]


def _start(threshold: Array, probability: bool) -> int | None:
    """Where the threshold begins: at one half for probabilities; None where costs decide."""
    return int(np.flatnonzero(threshold >= 0.5)[-1]) if probability else None


def share_of(material: Material, class_: Label) -> float | None:
    """The share of the class in the population, if it is not that of the rows."""
    if material.prevalences is not None:
        return float(material.prevalences[class_])
    return 0.5 if material.table.meta.design == "classes" else None


def _bins(material: Material, part: Predictions, class_: Label) -> dict[str, Any]:
    share = share_of(material, class_)
    found = curves.calibration(part, class_, pool=True, level=material.level, prevalence=share)
    names = ("forecast", "outcome", "low", "high", "weight")
    return {name: [float(f"{v:.5g}") for v in getattr(found, name).tolist()] for name in names}


def _numbers(values: Array) -> list[float]:
    return [_number(value) for value in values.tolist()]


def _number(value: float) -> float:
    return int(value) if float(value).is_integer() else value
