"""The picture of cost curves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.drawn import draws
from heliast.curves import CostCurve
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes
from heliast.views.drawings._text import number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series

Array = npt.NDArray[Any]
TOP = 0.5


@draws(CostCurve)
def cost(
    records: CostCurve | Sequence[CostCurve],
    names: Sequence[str] | None = None,
    *,
    lines: bool | None = None,
    title: str = "Cost curve",
) -> str:
    """Normalised expected cost of the best threshold, under the triangle of deciding blindly.

    A single model also shows the `lines` of some of its thresholds, whose lower edge is the curve.

    Parameters
    ----------
    records : CostCurve or sequence of CostCurve
        One record, or several in one picture.
    names : sequence of str, optional
        Names in the picture, one a record; None takes those of the models.
    lines : bool, optional
        Whether to show lines of single thresholds; None does for a single model.
    title : str, default 'Cost curve'
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
    >>> cost(curves.cost(Predictions.of([0, 1], score=[0.2, 0.9]))).startswith("<svg")
    True
    """
    curves = named(records, CostCurve, names)
    found = [record for _, record in curves]
    chart = Chart(
        title,
        f"{about_class(found)}; at each x the cheapest threshold",
        "probability × cost of misses, as a share",
        "normalised expected cost",
        y_range=(0.0, TOP),
        tall=0.7,
    )
    if lines if lines is not None else len(found) == 1:
        _lines(chart, found)
    chart.line(np.array([0, 0.5, 1]), np.array([0, 0.5, 0]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        look = m.stroke(series(place), 2.5 if len(found) == 1 else 2, dash(place))
        said = f": mean cost {number(record.area)}"
        chart.line(record.x, record.y, name + said, **look)
        chart.key(name, said, **look)
        low, high = record.range
        chart.about.append(f"{name}{said}; of use from x = {low:.3g} to {high:.3g}.")
    chart.key("always or never positive: 0.250", **m.stroke("axis", 1, "4 4"))
    chart.captions.append(
        "Left only false alarms matter, right only misses; "
        "x = p·C(miss) / (p·C(miss) + (1−p)·C(false alarm)), p the share of the class."
    )
    chart.captions += notes(found)
    return chart.svg()


def _lines(chart: Chart, found: list[CostCurve]) -> None:
    """One line for each threshold, from (0, fpr) to (1, 1 - tpr), as far as the plot goes."""
    for place, record in enumerate(found):
        look = m.stroke(series(place), 1)
        for fpr, tpr in record.lines.tolist():
            ends = _inside(fpr, 1 - tpr)
            if ends is not None:
                x, y = ends
                px, py = chart.x(x).tolist(), chart.y(y).tolist()
                chart.marks.append(m.line(px[0], py[0], px[1], py[1], **look, stroke_opacity="0.2"))


def _inside(left: float, right: float) -> tuple[Array, Array] | None:
    """The part of the line from (0, left) to (1, right) that is not above the plot."""
    x = np.array([0.0, 1.0])
    if left > TOP and right > TOP:
        return None
    if max(left, right) > TOP:
        cross = (TOP - left) / (right - left)
        x = np.array([cross, 1.0]) if left > TOP else np.array([0.0, cross])
    return x, left + (right - left) * x
