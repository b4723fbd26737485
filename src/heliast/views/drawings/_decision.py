"""The picture of decision curves."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.curves import Decision
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, picture
from heliast.views.drawings._text import count
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series

ALL, NONE = m.stroke("soft", 1.2, "2 3"), m.stroke("axis", 1, "4 4")


@picture(Decision, raises="If the records are set against different things.")
def decision(
    records: Decision | Sequence[Decision],
    names: Sequence[str] | None = None,
    *,
    band: bool | None = None,
    title: str = "",
) -> str:
    """Net benefit, or its difference to another rule, against the threshold.

    A single curve gets its simultaneous band (`band=False` leaves it out); what lies further below
    0 than the curves reach above it is cut.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> table = Predictions.of([0, 0, 1, 1], score=[0.1, 0.6, 0.4, 0.8], scores="probability")
    >>> decision(curves.decision(table)).startswith("<svg")
    True
    """
    curves = named(records, Decision, names)
    found = [record for _, record in curves]
    against = {record.against for record in found}
    if len(against) > 1:
        raise InputError("decision: the records are set against different things; draw them apart")
    over = against.pop()
    bands = [one for one in found if not one.reason] if band or len(found) == 1 else []
    bands = [] if band is False else bands
    bottom, top = _range(found, bands, bool(over))
    ends = min(one.threshold[0] for one in found), max(one.threshold[-1] for one in found)
    rule = f"less {over}" if over else "positive if probability ≥ threshold"
    chart = Chart(
        title or ("Difference in net benefit" if over else "Decision curve"),
        f"{about_class(found)}; {rule}",
        "threshold",
        "difference in net benefit" if over else "net benefit",
        (float(ends[0]), float(max(ends[1], ends[0] + 1e-6))),
        (bottom, top),
        tall=0.75,
    )
    for place, record in enumerate(found):
        if record in bands:
            low, high = np.clip(record.low, bottom, top), np.clip(record.high, bottom, top)
            chart.area(record.threshold, low, high, series(place))
    _references(chart, found, over)
    for place, (name, record) in enumerate(curves):
        look = m.stroke(series(place), 2, dash(place))
        said = f": {record.words}"
        _inside(chart, record.threshold, record.value, name + said, look)
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}; {count(record.n)} rows.")
    if not over:
        chart.key("treat all", **ALL)
    chart.key(f"no difference to {over}" if over else "treat none", **NONE)
    chart.captions += _captions(found, bands)
    return chart.svg()


def _range(found: list[Decision], bands: list[Decision], over: bool) -> tuple[float, float]:
    """From the lowest to the highest that is drawn; the low end no further out than the high."""
    drawn = [one.value for one in found] + [side for one in bands for side in (one.low, one.high)]
    top = max(0.0, *(float(values.max()) for values in drawn))
    bottom = min(0.0, *(float(values.min()) for values in drawn))
    if not over:
        top = max(top, *(float(one.treat_all.max()) for one in found))
        bottom = max(min(bottom, -0.1 * top), -top)
    room = 0.04 * (top - bottom) or 0.01
    return bottom - room, top + room


def _references(chart: Chart, found: list[Decision], over: str) -> None:
    """What the curves are to be seen against: calling all rows positive, and calling none."""
    ends = np.array(chart.x_range)
    chart.line(ends, np.zeros(2), over or "treat none", **NONE)
    if not over:
        widest = max(found, key=lambda one: one.threshold.size)
        _inside(chart, widest.threshold, widest.treat_all, "treat all", ALL)


def _inside(chart: Chart, x: Array, y: Array, tip: str, look: dict[str, Any]) -> None:
    """The pieces of a line that are not below the plot."""
    bottom = chart.y_range[0]
    cross = np.flatnonzero((y[:-1] < bottom) != (y[1:] < bottom))
    part = (bottom - y[cross]) / (y[cross + 1] - y[cross])
    xs = np.insert(x, cross + 1, x[cross] + part * (x[cross + 1] - x[cross]))
    ys = np.insert(y, cross + 1, bottom)
    below = np.flatnonzero(ys < bottom)
    for piece in np.split(np.arange(xs.size), np.union1d(below, below + 1)):
        kept = piece[ys[piece] >= bottom]
        if kept.size > 1:
            chart.line(xs[kept], ys[kept], tip, **look)


def _captions(found: list[Decision], bands: list[Decision]) -> list[str]:
    first = found[0]
    said = []
    if not first.against:
        said.append("Acting from a risk t on holds a true positive to be worth (1−t)/t false ones.")
    if bands:
        said.append(
            f"Band: {first.level:.0%} confidence for the whole true curve over these "
            f"{first.threshold.size} thresholds ({first.method})."
        )
    said += [
        f"No band: {reason}." for reason in dict.fromkeys(one.reason for one in found) if reason
    ]
    return said + notes(found)
