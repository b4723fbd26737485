"""The picture of models on many data sets: where each stands, data set by data set."""

import math
from collections.abc import Sequence
from typing import Any

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.views.drawings import marks as m
from heliast.views.drawings._scales import Scale
from heliast.views.drawings._series import SHARED, SVG
from heliast.views.drawings._text import fit_name, number, width
from heliast.views.drawings.axes import PAD, document, span, value_axis
from heliast.views.drawings.palette import series

WIDE, ROW, TOP, ROOM, KEY = 720.0, 24.0, 62.0, 260.0, 20.0
SHAPES: tuple[Sequence[tuple[float, float]], ...] = (
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
    ((0, -1.3), (1.2, 0.9), (-1.2, 0.9)),
    ((0, 1.3), (1.2, -0.9), (-1.2, -0.9)),
)
"""Corners of the marks, the second way to tell models apart; without corners it is a dot."""
Row = tuple[str, dict[str, float]]


@told(SHARED, returns=SVG, raises="If it is something else, or no model is ranked.")
def data_sets(found: Any, names: Sequence[str] | None = None, *, title: str = "") -> str:
    """A line a data set, a mark a model, the best ranked models first in the key.

    Takes a `Benchmark`; `names` are its models as they are to be shown. Data sets stand by their
    mean value, the easy ones above. No intervals: these are in the table.

    Parameters
    ----------
    found : Benchmark
        What `benchmark` found.
    names : sequence of str, optional
        Names of its models as they are to be shown.

    Examples
    --------
    >>> data_sets("no benchmark")
    Traceback (most recent call last):
    heliast._core.errors.InputError: data_sets: expected what benchmark found, with a ranked model
    """
    models = getattr(found, "order", ())
    if not models or not hasattr(found, "sets"):
        raise InputError("data_sets: expected what benchmark found, with a ranked model")
    labels = dict(zip(found.models, names or found.models, strict=True))
    rows = _rows(found, models)
    longest = max((width(name[:60], 12) for name, _ in rows), default=0.0)
    left = PAD + min(longest, ROOM) + 12
    scale = _scale(rows, left)
    foot = TOP + len(rows) * ROW + 4
    parts = value_axis(scale, TOP, foot, 7)
    for place, (name, values) in enumerate(rows):
        parts.append(_line(name, values, models, labels, TOP + (place + 0.5) * ROW, scale))
    key, bottom = _key(models, labels, foot + 38)
    title = title or f"{found.measure.replace('_', ' ').capitalize()} on each data set"
    better = "left" if found.better == "low" else "right"
    said = f"{len(rows)} data sets by their mean value; better to the {better}"
    about = " ".join(f"{name}: {_said(values, models, labels)}." for name, values in rows)
    return document(WIDE, bottom, title, said, about, "".join(parts) + key)


def _rows(found: Any, models: Sequence[str]) -> list[Row]:
    """The data sets that have a value, with the values there are, the best mean first."""
    rows: list[Row] = []
    for one in found.sets:
        pairs = {model: one.estimates[model].value for model in models if model in one.estimates}
        values = {model: value for model, value in pairs.items() if math.isfinite(value)}
        if values:
            rows.append((one.name, values))
    sign = 1.0 if found.better == "low" else -1.0
    return sorted(rows, key=lambda row: sign * sum(row[1].values()) / len(row[1]))


def _scale(rows: list[Row], left: float) -> Scale:
    values = [value for _, of in rows for value in of.values()]
    return Scale(*span(values, 0.04), left + 8, WIDE - PAD - 8)


def _line(
    name: str, values: dict[str, float], models: Sequence[str], labels: dict[str, str], y: float,
    scale: Scale,
) -> str:  # fmt: skip
    """The name, a line from the least to the largest value, the marks; the best ranked on top."""
    ends = [float(scale(end)) for end in (min(values.values()), max(values.values()))]
    parts = [m.name(PAD, y + 4, name, scale.start - PAD - 16)]
    parts.append(m.line(ends[0], y, ends[1], y, **m.stroke("axis", 1)))
    step = min(4.0, 14 / len(models))  # a little apart, so that ties do not hide each other
    for place, model in reversed(list(enumerate(models))):
        if model in values:
            tip = f"{labels[model]} on {name}: {number(values[model])}"
            down = step * (place - (len(models) - 1) / 2)
            parts.append(_mark(place, float(scale(values[model])), y + down, tip))
    return "".join(parts)


def _mark(place: int, x: float, y: float, tip: str = "") -> str:
    colour, shape = series(place), SHAPES[place % len(SHAPES)]
    if not shape:
        return m.dot(x, y, colour, 4.5, tip)
    corners = " ".join(f"{m.place(x + 3.8 * a)},{m.place(y + 3.8 * b)}" for a, b in shape)
    return m.tag("polygon", m.tooltip(tip), points=corners, **m.rimmed(colour))


def _key(models: Sequence[str], labels: dict[str, str], top: float) -> tuple[str, float]:
    """Which mark is which model, in lines that fit."""
    parts, x, y = [], PAD, top
    for place, model in enumerate(models):
        shown = fit_name(labels[model], 12, ROOM)
        long = 16 + width(shown, 12) + 18
        if x > PAD and x + long > WIDE - PAD:
            x, y = PAD, y + KEY
        parts.append(_mark(place, x + 5, y - 4))
        parts.append(m.name(x + 16, y, labels[model], ROOM))
        x += long
    return "".join(parts), y + 18


def _said(values: dict[str, float], models: Sequence[str], labels: dict[str, str]) -> str:
    return ", ".join(f"{labels[one]} {number(values[one])}" for one in models if one in values)
