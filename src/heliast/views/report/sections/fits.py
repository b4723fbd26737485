"""What differs between fits: splits, training rows and label noise, ensembles, bias, speed."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from heliast import curves, estimates, theory
from heliast._core.numbers import count
from heliast.estimates import Estimate
from heliast.views import plots
from heliast.views.numbers import capital, measure_name, seconds, storage
from heliast.views.plots.axes import Axis, measure_axis
from heliast.views.plots.marks import Line
from heliast.views.plots.palette import series
from heliast.views.record import Column, Table
from heliast.views.report.contents import Material, Part, drawn, part, shown_names
from heliast.views.report.live import shown_class

STAGE = re.compile(r"(?:^|/)B=([0-9]{1,9})(?=/|$)")
"""How the name of a stage of an ensemble tells its number of estimators."""
MOST_MODELS, MOST_LINES = 10, 6
FEWEST_ROWS = 10
"""Rows a split, on average, from which on it has a ROC curve worth drawing."""
FEWEST_FITS = 5
"""Predictions a row, on average, from which on their spread says something."""


def splits(material: Material) -> Part | None:
    """The measure of each split, and the ROC curve of each split with their mean."""
    if material.splits < 2:
        return None
    models = material.order[:MOST_MODELS]
    record = estimates.per_split(material.table, material.measure, models, material.level)
    names = [material.model_names[model] for model in record.models]
    name = capital(measure_name(material.measure))
    figures = [
        drawn(plots.per_split(replace(record, models=tuple(names)), title=f"{name} by split"))
    ]
    figures += _roc_of_splits(material)
    lost = int(np.isnan(record.values).sum())
    notes = [f"undefined or failed in {lost} of {record.values.size} cells"] if lost else []
    return part("", figures, (), notes)


def _roc_of_splits(material: Material) -> list[dict[str, Any]]:
    """Scores of different fits need not be comparable: the mean over the curves of the splits."""
    if material.assessment.task != "classification" or not material.scored:
        return []
    if len(material.table) / len(material.assessment.models) / material.splits < FEWEST_ROWS:
        return []
    best = material.scored[0]
    record = curves.averaged_roc(material.table, shown_class(material), best)
    return [drawn(plots.averaged_roc(record, [material.model_names[best]]))]


def varied(material: Material) -> Part | None:
    """Learning curves over training rows, and over label noise."""
    figures = []
    for field, curve in (("train_share", curves.learning), ("noise", curves.noise)):
        if len({getattr(split, field) for split in material.every.splits} - {None}) > 1:
            models = material.order[:MOST_LINES]
            records = [curve(material.every, material.measure, model) for model in models]
            names = [material.model_names[model] for model in models]
            figures.append(drawn(plots.learning(records, names)))
    return part("", figures) if figures else None


# --- ensembles -----------------------------------------------------------------------------------


def ensembles(material: Material) -> Part | None:
    """The measure against the number of estimators, and the margins of the votes."""
    stages = stages_of(material)
    figures, notes = [], list[str]()
    if stages:
        lasts = sorted(stages, key=lambda name: stages[name][-1][1].value)[:MOST_LINES]
        figures.append(drawn(_stages_plot(material, {name: stages[name] for name in lasts})))
    largest = {points[-1][1].model for points in stages.values()}
    voting = [
        m for m in material.scored if material.table.score_kind_of(m) == "votes" or m in largest
    ]
    if voting:
        records = [theory.margins(material.table, model=model) for model in voting[:MOST_LINES]]
        names = [material.model_names[record.model] for record in records]
        figures.append(drawn(plots.margins(records, names)))
        notes += [note for record in records for note in record.notes]
    if not figures:
        return None
    lead = "A majority vote is right where its margin is above 0; the larger, the more stable."
    return part(lead if voting else "", figures, (), notes)


def stages_of(material: Material) -> dict[str, list[tuple[int, Estimate]]]:
    """Ensembles with several numbers of estimators: name, and (number, estimate) rising."""
    stages: dict[str, list[tuple[int, Estimate]]] = {}
    for model in material.assessment.models:
        match, estimate = STAGE.search(model), material.main_estimate(model)
        if match and estimate.defined:
            name = STAGE.sub("", model) or "ensemble"
            stages.setdefault(name, []).append((int(match.group(1)), estimate))
    return {
        name: sorted(points, key=lambda point: point[0])
        for name, points in stages.items()
        if len(points) > 1
    }


def _stages_plot(material: Material, lines: dict[str, list[tuple[int, Estimate]]]) -> plots.Plot:
    every = [point for points in lines.values() for point in points]
    ends = [end for _, one in every for end in (one.low, one.value, one.high)]
    better = "lower" if material.better == "low" else "higher"
    x = Axis("estimators", 0.0, max(number for number, _ in every))
    y = measure_axis(material.measure, ends)
    title = f"{capital(y.label)} against the number of estimators"
    plot = plots.Plot(title, f"{better} is better; bars: intervals", x, y,
                      height=336.0)  # fmt: skip
    names = shown_names(lines)
    for place, (name, points) in enumerate(lines.items()):
        for number, one in points:
            plot.add(Line([number, number], [one.low, one.high], series(place), opacity=0.5))
        x_values, y_values = [number for number, _ in points], [one.value for _, one in points]
        detail = f": {y_values[-1]:.3f} at {x_values[-1]:g}"
        plot.curve(place, names[name], detail, x_values, y_values)
    return plot


def bias_variance(material: Material) -> Part | None:
    """The parts of the expected error, where rows were predicted by several fits."""
    rows = material.table.row
    if (
        material.assessment.task != "classification"
        or rows is None
        or material.splits < FEWEST_FITS
    ):
        return None
    each = len(material.table) / len(material.assessment.models)
    if each < FEWEST_FITS * np.unique(rows).size:
        return None
    models = material.order[:MOST_LINES]
    table = material.table.only(list(models))
    record = theory.bias_variance(table, level=material.level, seed=material.seed)
    lead = (
        "The error that more training data would leave, and what varies with the training sample."
    )
    return part(lead, [drawn(plots.bias_variance(record))], (), record.notes)


# --- speed ---------------------------------------------------------------------------------------


def speed(material: Material) -> Part | None:
    """Times to fit and to predict, and sizes, over the splits."""
    n_train = {split.split: split.n_train for split in material.table.splits}
    cells: dict[object, list[Mapping[str, Any]]] = {}
    for cell in material.every.cells:
        if cell["split"] in n_train and cell["status"] == "ok":
            cells.setdefault(cell["model"], []).append(cell)
    models = [model for model in material.order if model in cells]
    if not models:
        return None
    columns = (
        Column("model", kind="name"), Column("n_train", "training rows", "measured"),
        Column("fit", "to fit", "measured"), Column("predict", "to predict", "measured"),
        Column("size", kind="measured"),
    )  # fmt: skip
    rows = [
        (
            model, _mean([n_train[cell["split"]] for cell in cells[model]], count),
            _seconds(cell["fit_seconds"] for cell in cells[model]),
            _seconds(cell["predict_seconds"] for cell in cells[model]),
            _mean([cell["size"] for cell in cells[model]], storage),
        )
        for model in models
    ]  # fmt: skip
    title = "Medians of times over splits; means of training rows and sizes"
    return part("", (), [Table("speed", title, columns, rows)])


def _seconds(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    median = float(np.median(known)) if known else math.nan
    return seconds(median) if median > 0 else "–"


def _mean(values: Iterable[float | None], write: Callable[[float], str]) -> str:
    known = [value for value in values if value is not None]
    return write(float(np.mean(known))) if known else "–"
