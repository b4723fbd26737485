"""The picture of a measure split by split: how much do splits differ, and do they agree?"""

import math
from itertools import pairwise

import numpy as np

from heliast._core.drawn import draws
from heliast._core.numbers import figures
from heliast._core.told import told
from heliast.estimates import Estimate, PerSplit
from heliast.views.drawings import marks as m
from heliast.views.drawings._scales import Scale, tick_labels, ticks
from heliast.views.drawings._series import SHARED, SVG
from heliast.views.drawings._text import labelled, number, width
from heliast.views.drawings.axes import LEFT, PAD, TOP, captions, document, span
from heliast.views.drawings.palette import series

HIGH, NARROWEST = 320.0, 420.0
MOST_LINES = 200


@draws(PerSplit)
@told(
    SHARED | {"found": "PerSplit: Values of each split, from `heliast.estimates.per_split`."},
    returns=SVG,
)
def per_split(found: PerSplit, *, title: str = "") -> str:
    """A column a model, a dot a split, lines between values of the same split; mean and interval.

    Columns are named where the names fit, else numbered, with the names below. The thick line
    beside the dots is the model's interval, which is not that of single splits.

    Examples
    --------
    >>> import heliast as hl
    >>> table = hl.run({"prior": hl.Majority()}, hl.read("sklearn:iris"), 3, progress=False)
    >>> per_split(hl.estimates.per_split(table, "error")).startswith("<svg")
    True
    """
    count = len(found.models)
    step = min(130.0, max(34.0, 640.0 / count))
    wide = max(NARROWEST, LEFT + count * step + PAD)
    step = (wide - LEFT - PAD) / count
    y = _scale(found)
    centres = [LEFT + (place + 0.5) * step for place in range(count)]
    short = all(width(model[:60], 12) <= step - 6 for model in found.models)
    parts = _axis(y, wide, found.measure)
    parts += _pairs(found, centres, y)
    for place, (model, one) in enumerate(zip(found.models, found.estimates, strict=True)):
        parts.append(_column(found, place, centres[place], y, min(14.0, step / 3)))
        parts.append(_whole(one, model, place, centres[place] + min(14.0, step / 3), y))
        head = model if short else str(place + 1)
        parts.append(m.words(centres[place], TOP + HIGH + 18, head, 12, anchor="middle"))
    below, bottom = _below(found, short, wide)
    title = title or f"{found.measure[:1].upper()}{found.measure[1:]}, split by split"
    better = "lower" if found.better == "low" else "higher"
    said = f"{len(found.splits)} splits; {better} is better"
    about = " ".join(
        f"{model[:200]}: {_figures(one)}."
        for model, one in zip(found.models, found.estimates, strict=True)
    )
    return document(wide, bottom, title, said, about, "".join(parts) + below)


def _scale(found: PerSplit) -> Scale:
    ends = [end for one in found.estimates for end in (one.low, one.value, one.high)]
    # A little air, so that dots at the edge are whole.
    return Scale(*span([*found.values.ravel().tolist(), *ends]), TOP + HIGH - 6, TOP + 6)


def _axis(y: Scale, wide: float, measure: str) -> list[str]:
    values = ticks(y.low, y.high)
    parts = []
    for value, words in zip(values, tick_labels(values), strict=True):
        at = float(y(value))
        parts.append(m.line(LEFT, at, wide - PAD, at, **m.stroke("rule")))
        parts.append(m.words(LEFT - 7, at + 4, words, 11, "soft", anchor="end"))
    parts.append(m.line(LEFT, TOP + HIGH, wide - PAD, TOP + HIGH, **m.stroke("axis")))
    turn = f"translate({PAD:g} {m.place(TOP + HIGH / 2)}) rotate(-90)"
    parts.append(m.words(0, 0, measure, 12, room=HIGH, anchor="middle", transform=turn))
    return parts


def _pairs(found: PerSplit, centres: list[float], y: Scale) -> list[str]:
    """A line a split, broken where a value is missing."""
    if len(found.splits) > MOST_LINES or len(centres) < 2:
        return []
    look = {**m.stroke("axis", 0.8), "stroke_opacity": "0.35" if len(found.splits) < 40 else "0.2"}
    parts = []
    for row in found.values:
        for stretch in _stretches(np.isfinite(row)):
            xs = np.array([centres[at] for at in stretch])
            parts.append(m.polyline(xs, y(row[stretch]), **look))
    return parts


def _stretches(known: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]") -> list[list[int]]:
    """Runs of neighbours that are known, of two or more."""
    runs: list[list[int]] = []
    places = np.flatnonzero(known).tolist()
    for at, (before, here) in enumerate(pairwise([-2, *places])):
        if at == 0 or here != before + 1:
            runs.append([here])
        else:
            runs[-1].append(here)
    return [run for run in runs if len(run) > 1]


def _column(found: PerSplit, place: int, x: float, y: Scale, reach: float) -> str:
    values = found.values[:, place]
    radius = 3.0 if values.size <= 30 else 2.2
    parts = []
    for split, value in zip(found.splits, values.tolist(), strict=True):
        if math.isfinite(value):
            tip = f"{found.models[place][:200]}, split {split}: {number(value)}"
            parts.append(
                m.tag("circle", m.tooltip(tip), cx=x, cy=float(y(value)), r=radius,
                      fill_opacity="0.55", **m.fill(series(place)))
            )  # fmt: skip
    return "".join(parts)


def _whole(one: Estimate, model: str, place: int, x: float, y: Scale) -> str:
    if not math.isfinite(one.value):
        return ""
    parts, look = [], m.stroke(series(place), 3)
    if math.isfinite(one.low) and math.isfinite(one.high):
        parts.append(m.line(x, float(y(one.low)), x, float(y(one.high)), **look))
    said = f"{model[:200]}: {_figures(one)}"
    parts.append(m.dot(x, float(y(one.value)), series(place), 5, said))
    return "".join(parts)


def _figures(one: Estimate) -> str:
    if not math.isfinite(one.value):
        return f"undefined, {one.reason}"
    if not math.isfinite(one.low):
        return f"{number(one.value)}, no interval"
    return figures(one, number).inside


def _below(found: PerSplit, short: bool, wide: float) -> tuple[str, float]:
    """The names of the columns with their values, in as many columns as fit, and what is shown."""
    said = [
        ("" if short else f"{place}  ", model, f": {_figures(one)}")
        for place, (model, one) in enumerate(zip(found.models, found.estimates, strict=True), 1)
    ]
    longest = max(width("".join(part[:60] for part in one), 12) for one in said) + 18
    room = wide - 2 * PAD
    columns = max(1, min(int(room // min(longest, room)), 3))
    each, top = room / columns, TOP + HIGH + 44
    parts = []
    for place, (lead, model, values) in enumerate(said):
        x, y = PAD + each * (place % columns), top + 19 * (place // columns)
        parts.append(m.tag("circle", cx=x + 5, cy=y - 4, r=4, **m.fill(series(place))))
        shown = m.words(x + 14, y, labelled(model, 12, each - 18, lead, values), 12)
        parts.append(m.group([m.tooltip(model + values), shown]))
    y = top + 19 * -(-len(said) // columns) + 2
    words = [
        "Thick lines: the mean and its interval. Thin lines join values of the same split; splits "
        "share training rows, so their spread alone is no interval."
    ]
    bare = dict.fromkeys(one.reason for one in found.estimates if math.isnan(one.low))
    words += [f"No interval: {reason}." for reason in bare if reason]
    caption, bottom = captions(words, y, wide)
    return "".join(parts) + caption, bottom
