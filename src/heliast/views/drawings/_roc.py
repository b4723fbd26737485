"""The picture of ROC curves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.drawn import draws
from heliast.curves import Point, Roc
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, rows
from heliast.views.drawings._text import number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series

Array = npt.NDArray[Any]


@draws(Roc)
def roc(
    records: Roc | Sequence[Roc],
    names: Sequence[str] | None = None,
    *,
    band: bool | None = None,
    level: float = 0.95,
    hull: bool = False,
    mark: Sequence[Point] = (),
    title: str = "ROC curve",
) -> str:
    """True against false positive rate, with the diagonal of a random choice.

    A single curve gets its simultaneous band (`band=False` leaves it out); `hull` adds the convex
    hull, `mark` points such as `record.best(cost)`, with their iso-cost line.

    Parameters
    ----------
    records : Roc or sequence of Roc
        One record, or several in one picture.
    names : sequence of str, optional
        Names in the picture, one a record; None takes those of the models.
    band : bool, optional
        Whether to draw the simultaneous band; None does for a single curve.
    level : float, default 0.95
        Confidence level of the band.
    hull : bool, default False
        Whether to add the convex hull.
    mark : sequence of Point
        Points to mark, with their iso-cost lines.
    title : str, default 'ROC curve'
        The title; empty is a title made from the record.

    Returns
    -------
    str
        The picture as the text of an SVG file.

    Raises
    ------
    InputError
        If a record is of another kind, or names do not fit.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> roc(curves.roc(Predictions.of([0, 1], score=[0.2, 0.9]))).startswith("<svg")
    True
    """
    curves = named(records, Roc, names)
    found = [record for _, record in curves]
    rule = found[0].rule.replace(">=", "≥")
    chart = Chart(
        title,
        f"{about_class(found)}; positive if {rule}",
        "false positive rate",
        "true positive rate",
    )
    _band(chart, found, band, level)
    chart.line(np.array([0, 1]), np.array([0, 1]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        look = m.stroke(series(place), 2, dash(place))
        said = f": AUC {number(record.auc)}"
        chart.line(record.fpr, record.tpr, name + said, **look)
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}; {rows(record)}.")
    chart.key("random choice: AUC 0.5", **m.stroke("axis", 1, "4 4"))
    if hull:
        _hulls(chart, found)
    for point in mark:
        _mark(chart, point)
    chart.captions += notes(found)
    return chart.svg()


def _band(chart: Chart, found: list[Roc], wanted: bool | None, level: float) -> None:
    """Bands of several curves hide each other, so only a single one has its own unasked."""
    wanted = len(found) == 1 and not found[0].grouped if wanted is None else wanted
    if not wanted:
        return
    x = np.linspace(0, 1, 201)
    for place, record in enumerate(found):
        band = record.band(level)
        chart.area(x, *band.limits(x), series(place))
    chart.captions.append(f"Band: {level:.0%} confidence for {band.covers} ({band.method}).")


def _hulls(chart: Chart, found: list[Roc]) -> None:
    look = m.stroke("soft", 1, "2 2")
    for record in found:
        words = f"convex hull: area {number(record.hull_auc)}"
        chart.line(record.fpr[record.hull], record.tpr[record.hull], words, **look)
        chart.key(words, **look)


def _mark(chart: Chart, point: Point) -> None:
    text = f"threshold {point.threshold:.4g}: {point.tpr:.1%} found, {point.fpr:.1%} false alarms"
    if point.cost is not None:
        text += f", cost {point.cost:.4g} per row"
    if point.slope is not None:
        x, y = _iso_cost(point)
        chart.line(x, y, "points of equal cost", **m.stroke("soft", 1))
        chart.key("equal cost", **m.stroke("soft", 1))
    at = float(chart.x(point.fpr)), float(chart.y(point.tpr))
    chart.marks.append(m.dot(*at, "ink", 4.5, text))
    chart.key(text, dot=True, **m.fill("ink"))


def _iso_cost(point: Point) -> tuple[Array, Array]:
    """The ends, inside the plot, of the line of equal cost through the point."""
    slope = point.slope or 0.0
    if np.isinf(slope):
        return np.array([point.fpr] * 2), np.array([0.0, 1.0])
    x = np.array([0.0, 1.0])
    if slope > 0:
        x = np.clip(point.fpr + (np.array([0.0, 1.0]) - point.tpr) / slope, 0, 1)
    return x, point.tpr + slope * (x - point.fpr)
