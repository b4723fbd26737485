"""The picture of what models are worth against what they take, with the front of the best."""

import math
from collections.abc import Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast._core.numbers import figures
from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.views.drawings import marks as m
from heliast.views.drawings._text import number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import series
from heliast.views.fronts import pareto

MOST_NAMED = 12
"""Of more models than this only those of the front are told apart by colour and sign."""
Place = tuple[float, float]


@told(
    {
        "spent": "sequence of Estimate: What each model takes, such as its `tokens_per_attempt`.",
        "worth": "sequence of Estimate: What each is worth, such as its `grade`.",
        "names": "sequence of str: Names of the models.",
        "better": '{"high", "low"}: Which worth is better.',
        "title": "str, default '': The title; empty is a title made from the measures.",
    },
    returns="str: The picture as the text of an SVG file.",
    raises="If they do not fit together, or no model has both values.",
)
def trade_off(
    spent: Sequence[Estimate],
    worth: Sequence[Estimate],
    names: Sequence[str],
    *,
    better: str = "high",
    title: str = "",
) -> str:
    """One point a model, with its intervals both ways; a line joins the front.

    Up to 12 models are told apart in the key; of more, those on the front are, and the others say
    their names in tooltips.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> picture = trade_off([wilson(3, 30), wilson(9, 30)], [wilson(9, 30)] * 2, ["a", "b"])
    >>> picture.startswith("<svg")
    True
    """
    if not len(spent) == len(worth) == len(names):
        raise InputError(
            f"trade_off: {len(spent)} estimates, {len(worth)} estimates and {len(names)} names; "
            "need one each"
        )
    front = pareto([one.value for one in spent], [one.value for one in worth], better)
    if not front:
        raise InputError("trade_off: no model has both values")
    both = list(zip(names, spent, worth, strict=True))
    known = [one for one in both if math.isfinite(one[1].value) and math.isfinite(one[2].value)]
    across, upright = spent[front[0]].measure, worth[front[0]].measure
    chart = Chart(
        title or f"{upright or 'worth'} against {(across or 'what it takes').replace('_', ' ')}",
        f"{worth[front[0]].level:.0%} intervals both ways; better is "
        f"{'up' if better == 'high' else 'down'} and to the left",
        across.replace("_", " "),
        upright,
        _range([one for _, one, _ in known]),
        _range([one for _, _, one in known]),
        tall=0.8,
    )
    _line(chart, [(spent[at].value, worth[at].value) for at in front], better)
    best = front[::-1]
    shown = [*best, *(at for at, one in enumerate(both) if one in known and at not in front)]
    keyed = shown if len(known) <= MOST_NAMED else list(best[:MOST_NAMED])
    # The front is drawn last, above the others.
    for at in reversed(shown):
        place = shown.index(at) if at in keyed else None
        _point(chart, both[at], place, at in front)
    for place, at in enumerate(keyed):
        said = f": {number(worth[at].value)} for {number(spent[at].value)}"
        look = m.fill(series(place)) if at in front else m.stroke(series(place), 1.5)
        chart.key(names[at], said, sign=place, **look)
        chart.about.append(f"{names[at]}{said}{', on the front' if at in front else ''}.")
    _said(chart, len(known) - len(keyed), len(both) - len(known))
    return chart.svg()


def _range(ones: Sequence[Estimate]) -> Place:
    ends = [end for one in ones for end in (one.low, one.value, one.high) if math.isfinite(end)]
    low, high = min(ends), max(ends)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 0.05
    return (max(low - room, 0.0) if low >= 0 else low - room, high + room)


def _line(chart: Chart, points: list[Place], better: str) -> None:
    """The best that can be had for no more than each cost: level until the next of the front."""
    x, y = (np.array(values) for values in zip(*points, strict=True))
    edge = chart.y_range[0 if better == "high" else 1]
    x, y = np.append(np.repeat(x, 2), chart.x_range[1]), np.concatenate([[edge], np.repeat(y, 2)])
    chart.line(x, y, "the front", **m.stroke("axis", 1.5, "5 4"))


def _point(
    chart: Chart, model: tuple[str, Estimate, Estimate], place: int | None, on_front: bool
) -> None:
    name, spent, worth = model
    colour = "axis" if place is None else series(place)
    x, y = float(chart.x(spent.value)), float(chart.y(worth.value))
    arms = m.stroke(colour, 1 if place is None else 1.5)
    parts = [m.tooltip(f"{name}: {figures(worth).inside} for {figures(spent).inside}")]
    if math.isfinite(spent.low) and math.isfinite(spent.high):
        low, high = chart.x([spent.low, spent.high]).tolist()
        parts.append(m.line(low, y, high, y, **arms))
    if math.isfinite(worth.low) and math.isfinite(worth.high):
        low, high = chart.y([worth.low, worth.high]).tolist()
        parts.append(m.line(x, low, x, high, **arms))
    look = m.fill(colour) if on_front or place is None else m.rimmed("paper", colour)
    parts.append(m.sign(place or 0, x, y, 2.5 if place is None else 4.5, **look))
    chart.marks.append(m.group(parts))


def _said(chart: Chart, others: int, lacking: int) -> None:
    chart.captions.append(
        "The dashed line and filled signs: the front, the models than which no other is as good "
        "for less, by their values as seen. Intervals tell how sure that is."
    )
    if others:
        models = "one more model; its name is a tooltip"
        if others > 1:
            models = f"{others} more models; their names are tooltips"
        chart.captions.append(f"Small grey points: {models}.")
    if lacking:
        many = f"{lacking} models without both values are"
        one = "one model without both values is"
        chart.captions.append(f"{one if lacking == 1 else many} left out.")
