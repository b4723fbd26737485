"""What differs between fits: splits, training rows and label noise, time and size."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from heliast import curves, estimates
from heliast._core.numbers import count, number
from heliast.curves import Learning
from heliast.views import plots
from heliast.views.numbers import seconds, storage
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Cell, cell, drawn, figure, named, table
from heliast.views.report.tiles import title

MOST_MODELS = 10
MOST_ROWS = 200
MOST_CURVES = 6


def by_split(material: Material) -> Part | None:
    if material.splits < 2:
        return None
    models = material.order[:MOST_MODELS]
    found = estimates.per_split(material.table, material.measure, models, material.level)
    names = [material.model_names[model] for model in found.models]
    found = replace(found, models=tuple(names))
    heading = f"{title(material.measure)}, split by split"
    rows = [
        [cell(str(split)), *(figure(value) for value in values)]
        for split, values in zip(found.splits, found.values.tolist(), strict=True)
    ]
    part: Part = {
        "figures": [drawn(plots.per_split(found, title=heading))],
        "tables": [
            table("splits", heading, ["split", *names], rows[:MOST_ROWS], folded=len(rows) > 10)
        ],
        "notes": [],
    }
    lost = int(np.isnan(found.values).sum())
    if lost:
        part["notes"].append(f"undefined or failed in {lost} of {found.values.size} cells")
    if len(rows) > MOST_ROWS:
        part["notes"].append(f"the table shows the first {MOST_ROWS} of {len(rows)} splits")
    return part


BY_SPLIT = Section("splits", "Error by split", by_split, short="Splits")


def varied(material: Material) -> Part | None:
    splits = material.every.splits
    part: Part = {"figures": [], "tables": []}
    if len({split.train_share for split in splits} - {None}) > 1:
        _add(part, material, curves.learning, "training rows", "learning")
    if len({split.noise for split in splits} - {None}) > 1:
        _add(part, material, curves.noise, "share of wrong labels", "noise")
    return part if part["figures"] else None


def _add(
    part: Part, material: Material, curve: Callable[..., Learning], what: str, name: str
) -> None:
    models = material.order[:MOST_CURVES]
    found = [curve(material.every, material.measure, model) for model in models]
    names = [material.model_names[model] for model in models]
    part["figures"].append(drawn(plots.learning(found, names)))
    rows = [
        [named(shown, one.model), cell(number(x), x), figure(value), figure(spread), cell(str(n))]
        for shown, one in zip(names, found, strict=True)
        for x, value, spread, n in zip(
            one.x.tolist(), one.value.tolist(), one.spread.tolist(), one.splits.tolist(),
            strict=True,
        )
    ]  # fmt: skip
    columns = ["model", what, material.measure, "spread over splits", "splits"]
    caption = f"{material.measure} against {what}"
    part["tables"].append(table(name, caption, columns, rows, folded=True))


VARIED = Section("varied", "More data, noisier labels", varied, short="Learning")


def speed(material: Material) -> Part | None:
    judged = {split.split: split.n_train for split in material.table.splits}
    by_model: dict[object, list[Mapping[str, Any]]] = {}
    for one in material.every.cells:
        if one["split"] in judged and one["status"] == "ok":
            by_model.setdefault(one["model"], []).append(one)
    # One of several outputs of a fit has no cells of its own.
    models = [model for model in material.order if model in by_model]
    if not models:
        return None
    rows = [
        [
            named(material.model_names[model], model),
            _spread([judged[one["split"]] for one in by_model[model]], count),
            _seconds(_median(one["fit_seconds"] for one in by_model[model])),
            _seconds(_median(one["predict_seconds"] for one in by_model[model])),
            _spread([one["size"] for one in by_model[model]], storage),
        ]
        for model in models
    ]
    columns = ["model", "training rows", "to fit", "to predict", "size"]
    caption = (
        "Over splits: times are medians, training rows and size means, with their range where they "
        "differ; where an exact shortcut stood in for fitting, those of one fit"
    )
    return {"tables": [table("speed", caption, columns, rows)]}


def _median(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else math.nan


def _spread(values: Iterable[int | None], write: Callable[[float], str]) -> Cell:
    """The mean, and beneath it the range where values differ."""
    known = [value for value in values if value is not None]
    if not known:
        return cell("–")
    mean, ends = float(np.mean(known)), (min(known), max(known))
    found = cell(write(mean), mean)
    return found if ends[0] == ends[1] else found | {"sub": " to ".join(map(write, ends))}


def _seconds(value: float) -> Cell:
    if math.isnan(value) or value == 0:
        return cell("–")
    return cell(seconds(value), value)


SPEED = Section("speed", "Speed and size", speed, short="Speed")
