"""Estimates side by side: with their intervals, split by split, data set by data set, in parts."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.notes import key_of
from heliast._core.numbers import figures, number
from heliast.estimates import Estimate, PerSplit
from heliast.theory import Decomposition
from heliast.views.numbers import (
    Measured,
    capital,
    ci,
    in_percent,
    measure_name,
    method_name,
    value_text,
)
from heliast.views.plots._page import text
from heliast.views.plots._plot import LEFT, PAD, Plot, left_of
from heliast.views.plots._records import (
    checked_names,
    limits,
    named_records,
    notes,
    single,
)
from heliast.views.plots.axes import Axis, measure_axis, span
from heliast.views.plots.marks import Box, Line, Points
from heliast.views.plots.palette import series
from heliast.views.terminal import cell_text

ROW, WIDE, WIDEST = 26.0, 620.0, 720.0
# Pixels to the right of a forest, for values in digits.
VALUES = 150.0
# More splits than this are not joined by lines.
MOST_LINES = 200
PARTS = {
    "noise": "axis",
    "noise_effect": "axis",
    "bias": "s1",
    "systematic_effect": "s1",
    "variance": "s0",
    "variance_effect": "s0",
    "aggregation_effect": "s0",
    "unbiased_variance": "s0",
    "biased_variance": "s3",
}


def forest(
    estimates: Estimate | Sequence[Estimate], names: Sequence[str] | None = None, *, title: str = ""
) -> Plot:
    """One line an estimate: its name, its interval, its value in digits.

    Estimates of one measure are to be compared on one axis; one without a value or an interval
    says why.

    Parameters
    ----------
    estimates : Estimate or sequence of Estimate
        One estimate or several, of one measure.
    names : sequence of str, optional
        Names of the lines; None takes those of the models.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If there is none, or names do not fit.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> forest([wilson(3, 30), wilson(9, 30)], ["a", "b"]).y.names
    ('a', 'b')
    """
    records, labels = named_records(estimates, Estimate, names)
    measures = list(dict.fromkeys(one.measure for one in records if one.measure))
    methods = ", ".join(dict.fromkeys(method_name(one.method) for one in records if one.method))
    percent = all(in_percent(measure) for measure in measures or [""])
    plot = Plot(
        title or (capital(measure_name(measures[0])) if len(measures) == 1 else "Estimates"),
        ci(records[0].level) + (f": {methods}" if methods else ""),
        Axis("", *span(limits(records), 0.06), percent=percent),
        Axis.of_names(labels),
        width=WIDE,
        height=ROW * len(records),
        left=left_of(labels) + 8,
        right=PAD + VALUES,
    )
    for place, (label, estimate) in enumerate(zip(labels, records, strict=True)):
        value, known = _value(estimate), math.isfinite(estimate.value)
        at, room = (plot.x.high, VALUES - 12) if known else (plot.x.low, WIDE - plot.left - PAD)
        tip = f"{label}: {value}"
        plot.add(
            text(at, place, value, room, dx=12 if known else 0, dy=4),
            Line([estimate.low, estimate.high], [place] * 2, "s0", 2.0, caps=True),
            Points([estimate.value], [place], "s0", 4.5, tips=[tip]),
        )
        plot.about.append(f"{tip}.")
    return plot


def _value(estimate: Estimate) -> str:
    """The value with its interval, or why there is none."""
    if not math.isfinite(estimate.value):
        return f"undefined: {estimate.reason}"
    if not math.isfinite(estimate.low):
        shown = value_text(estimate.value, estimate.measure)
        return f"{shown}, {estimate.reason or 'no interval'}"
    return cell_text(Measured.of(estimate), "measured")


def per_split(record: PerSplit, *, title: str = "") -> Plot:
    """A column a model, a dot a split, lines between values of the same split; mean and interval.

    The thick line beside the dots is the model's interval, which is not that of single splits.

    Parameters
    ----------
    record : PerSplit
        Values of each split, from `heliast.estimates.per_split`.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Examples
    --------
    >>> import heliast as hl
    >>> table = hl.run({"prior": hl.Majority()}, hl.read("sklearn:iris"), 3, progress=False)
    >>> per_split(hl.estimates.per_split(table, "error")).title
    'Error rate, split by split'
    """
    models, splits = record.models, len(record.splits)
    step = min(130.0, max(34.0, 640.0 / len(models)))
    values = [*record.values.ravel().tolist(), *limits(record.estimates)]
    plot = Plot(
        title or f"{capital(measure_name(record.measure))}, split by split",
        f"{splits} splits; {'lower' if record.better == 'low' else 'higher'} is better",
        Axis.of_names(models),
        measure_axis(record.measure, values),
        width=max(420.0, LEFT + len(models) * step + PAD),
        height=320.0,
        right=PAD,
    )
    if len(models) > 1 and splits <= MOST_LINES:
        columns = range(len(models))
        plot.add(*(Line(columns, row, "axis", 0.8, opacity=0.3) for row in record.values))
    for place, (model, estimate) in enumerate(zip(models, record.estimates, strict=True)):
        column, color = record.values[:, place], series(place)
        tips = [
            f"split {split}: {value_text(value, record.measure)}"
            for split, value in zip(record.splits, column.tolist(), strict=True)
        ]
        plot.add(Points([place] * splits, column, color, 2.6, rim="", opacity=0.55, tips=tips))
        middle = [place + 0.12] * 2
        dot = Points(middle[:1], [estimate.value], color, 5.0)
        plot.add(Line(middle, [estimate.low, estimate.high], color, 3.0), dot)
        detail = f": {cell_text(Measured.of(replace(estimate, measure=record.measure)), '')}"
        plot.key(model, dot, detail)
        plot.about.append(f"{model[:200]}{detail}.")
    plot.captions.append(
        "Thick lines: the mean and its interval. Thin lines join values of the same split; splits "
        "share training rows, so their spread alone is no interval."
    )
    missing = dict.fromkeys(one.reason for one in record.estimates if math.isnan(one.low))
    plot.captions += [f"No interval: {reason}." for reason in missing if reason]
    return plot


def data_sets(found: Any, names: Sequence[str] | None = None, *, title: str = "") -> Plot:
    """A line a data set, a mark a model, the best ranked models first in the legend.

    Takes a `Benchmark`; `names` are its models as they are to be shown. Data sets stand by their
    mean value, the easy ones above. No intervals: these are in the table.

    Parameters
    ----------
    found : Benchmark
        A benchmark with a ranked model.
    names : sequence of str, optional
        Names of its models as they are to be shown.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If it is something else, or no model is ranked.

    Examples
    --------
    >>> data_sets("no benchmark")
    Traceback (most recent call last):
    heliast._core.errors.InputError: data_sets: needs a Benchmark with a ranked model
    """
    models = getattr(found, "order", ())
    if not models or not hasattr(found, "sets"):
        raise InputError("data_sets: needs a Benchmark with a ranked model")
    labels = dict(zip(found.models, names or found.models, strict=True))
    values = np.array(
        [
            [getattr(one.estimates.get(model), "value", math.nan) for model in models]
            for one in found.sets
        ]
    )
    values[np.isinf(values)] = math.nan
    sets = np.flatnonzero(~np.isnan(values).all(axis=1))
    means = np.nanmean(values[sets], axis=1)
    sets = sets[np.argsort(means if found.better == "low" else -means, kind="stable")]
    rows, values = [found.sets[at].name for at in sets], values[sets]
    plot = Plot(
        title or f"{capital(measure_name(found.measure))} on each data set",
        f"{len(rows)} data sets by their mean value; better to the "
        f"{'left' if found.better == 'low' else 'right'}",
        replace(measure_axis(found.measure, values.ravel().tolist(), 0.04), label=""),
        Axis.of_names(rows),
        width=WIDEST,
        height=24.0 * len(rows),
        left=left_of(rows, 260.0) + 8,
    )
    for place, row in enumerate(values):
        plot.add(Line([np.nanmin(row), np.nanmax(row)], [place] * 2, "axis"))
    step = min(4.0, 14 / len(models)) / 24  # a little apart, so that ties do not hide each other
    for rank, model in reversed(list(enumerate(models))):
        tips = [
            f"{labels[model]} on {name}: {value_text(value, found.measure)}"
            for name, value in zip(rows, values[:, rank].tolist(), strict=True)
        ]
        y = np.arange(len(rows)) + step * (rank - (len(models) - 1) / 2)
        points = Points(values[:, rank], y, series(rank), 4.2, rank, tips=tips)
        plot.add(points)
        plot.key(labels[model], points)
        plot.about += [f"{tip}." for tip in tips]
    plot.keys.reverse()
    return plot


def bias_variance(
    records: Decomposition | Sequence[Decomposition],
    names: Sequence[str] | None = None,
    *,
    title: str = "",
) -> Plot:
    """One bar a model (or a record, say one a value of a parameter), one colour a part.

    Parts that raise the loss are stacked to the right of 0, parts that lower it to the left; the
    dot is the expected loss they add up to, with its interval.

    Parameters
    ----------
    records : Decomposition or sequence of Decomposition
        What `heliast.theory.bias_variance` gives, one or several.
    names : sequence of str, optional
        Names of the bars, one for each model of each record; None takes those of the models.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If the records have different losses or definitions.

    Examples
    --------
    >>> import heliast as hl
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> bias_variance(hl.theory.bias_variance(table)).title
    'Bias and variance'
    """
    records, _ = named_records(records, Decomposition, None)
    for field in ("loss", "definition"):
        single(records, field, "bias_variance: the records have different losses or definitions")
    pairs = [(record, model) for record in records for model in record.models]
    labels = checked_names(names, [model for _, model in pairs])
    bars = [
        (name, [part for part in (record[model, part] for part in record.adding) if part.defined],
         record[model, "loss"])
        for name, (record, model) in zip(labels, pairs, strict=True)
    ]  # fmt: skip
    stacks = [[part.value for part in parts] for _, parts, _ in bars]
    low = min(sum(min(value, 0.0) for value in stack) for stack in stacks)
    high = max(sum(max(value, 0.0) for value in stack) for stack in stacks)
    high = max([high, *(loss.high for *_, loss in bars if math.isfinite(loss.high))]) or 1.0
    room = 0.03 * (high - low)
    labels = [f"{name}: {number(loss.value)}" for name, _, loss in bars]
    plot = Plot(
        title or "Bias and variance",
        f"parts of the {records[0].title}",
        Axis("", low - room if low < 0 else 0.0, high + room),
        Axis.of_names(labels),
        width=WIDE,
        height=30.0 * len(bars),
        left=left_of(labels, 250.0),
    )
    keys: dict[str, Box] = {}
    for place, (name, parts, _) in enumerate(bars):
        ahead = behind = 0.0
        for part in parts:
            start = ahead if part.value >= 0 else behind
            stop = start + part.value
            part_title = part.measure.replace("_", " ")
            tip = f"{name}, {part_title}: {figures(part, number).inside}"
            color = PARTS.get(part.measure, "s2")
            box = Box(start, stop, place - 0.27, place + 0.27, color, tip=tip)
            plot.add(box)
            keys.setdefault(part_title, box)
            ahead, behind = max(ahead, stop), min(behind, stop)
    for part_title, box in keys.items():
        plot.key(part_title, box)
    _losses(plot, bars)
    if low < 0:
        plot.captions.append(
            "Parts left of 0 lower the loss: what lies right of 0 is more than the loss."
        )
    plot.captions += [note for note in notes(records) if key_of(note) == "noise"]
    return plot


Bar = tuple[str, list[Estimate], Estimate]


def _losses(plot: Plot, bars: list[Bar]) -> None:
    """The expected loss of each bar, with its interval."""
    plot.add(Line([0, 0], [-0.5, len(bars) - 0.5]))
    for place, (name, parts, loss) in enumerate(bars):
        value = figures(loss, number).inside
        plot.add(Line([loss.low, loss.high], [place] * 2, width=1.5, caps=True))
        tip = f"{name}, expected loss: {value}"
        dot = Points([loss.value], [place], size=4.0, tips=[tip])
        plot.add(dot)
        terms = ", ".join(
            f"{part.measure.replace('_', ' ')} {number(part.value)}" for part in parts
        )
        plot.about.append(f"{name}: {terms}, expected loss {value}.")
    plot.key("expected loss, with interval", dot)
