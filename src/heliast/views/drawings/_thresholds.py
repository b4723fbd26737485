"""The pictures of curves over thresholds: ROC, precision and recall, lift, gain, cost."""

from collections.abc import Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.curves import CostCurve, Gain, Lift, Point, PrecisionRecall, Roc
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, picture, rows
from heliast.views.drawings._text import count, number, share
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import series

TOP = 0.5
"""The most that a cost curve shows: what deciding blindly costs at its worst."""
DEPTHS = (0.1, 0.2)
"""The shares of rows at which lift is told."""


@picture(
    Roc,
    level="float, default 0.95: Confidence level of the band.",
    hull="bool, default False: Whether to add the convex hull.",
    mark="sequence of Point: Points to mark, with their iso-cost lines.",
)
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
        said = f": AUC {number(record.auc)}"
        chart.curve(place, name, said, record.fpr, record.tpr, f"; {rows(record)}.")
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
    chart.key(text, sign=0, **m.fill("ink"))


def _iso_cost(point: Point) -> tuple[Array, Array]:
    """The ends, inside the plot, of the line of equal cost through the point."""
    slope = point.slope or 0.0
    if np.isinf(slope):
        return np.array([point.fpr] * 2), np.array([0.0, 1.0])
    x = np.array([0.0, 1.0])
    if slope > 0:
        x = np.clip(point.fpr + (np.array([0.0, 1.0]) - point.tpr) / slope, 0, 1)
    return x, point.tpr + slope * (x - point.fpr)


@picture(PrecisionRecall)
def precision_recall(
    records: PrecisionRecall | Sequence[PrecisionRecall],
    names: Sequence[str] | None = None,
    *,
    title: str = "Precision and recall",
) -> str:
    """Precision against recall, as steps from the highest score; the share of the class dashed.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> table = Predictions.of([0, 1], score=[0.2, 0.9])
    >>> precision_recall(curves.precision_recall(table)).startswith("<svg")
    True
    """
    curves = named(records, PrecisionRecall, names)
    found = [record for _, record in curves]
    rule = found[0].rule.replace(">=", "≥")
    chart = Chart(title, f"{about_class(found)}; positive if {rule}", "recall", "precision")
    for chance in sorted({record.prevalence for record in found}):
        chart.line(np.array([0, 1]), np.array([chance, chance]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        said = f": average precision {number(record.average_precision)}"
        about = f"; {rows(record)}."
        chart.curve(place, name, said, record.recall, record.precision, about, step=True)
        # The curve has no point before its highest score, so its start is shown as a dot.
        start = float(chart.x(record.recall[0])), float(chart.y(record.precision[0]))
        chart.marks.append(m.dot(*start, series(place), 3, f"{name}: highest score"))
    shares = sorted({number(record.prevalence) for record in found})
    chart.key(f"random order: {', '.join(shares)}", **m.stroke("axis", 1, "4 4"))
    chart.captions += notes(found)
    return chart.svg()


@picture(Lift, raises="If the records count different rows.")
def lift(
    records: Lift | Sequence[Lift], names: Sequence[str] | None = None, *, title: str = "Lift chart"
) -> str:
    """Positives found against rows taken, with the lines of a random and of a perfect order.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> lift(curves.lift(Predictions.of([0, 1], score=[0.2, 0.9]))).startswith("<svg")
    True
    """
    curves = named(records, Lift, names)
    found = [record for _, record in curves]
    positives, total = found[0].positives, found[0].positives + found[0].negatives
    if any(one.positives != positives or one.negatives != found[0].negatives for one in found):
        raise InputError("lift: the records count different rows; draw them as heliast.curves.gain")
    chart = Chart(
        title,
        f"{about_class(found)}; rows with the highest scores first",
        "rows taken",
        "positives found",
        (0.0, total),
        (0.0, positives),
        tall=0.8,
    )
    if len(found) == 1:
        chart.area(found[0].size, found[0].random, found[0].found, series(0))
    ideal = np.array([0, positives, total]), np.array([0, positives, positives])
    chart.line(*ideal, "perfect order", **m.stroke("axis", 1, "1 3"))
    chart.line(np.array([0, total]), np.array([0, positives]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        said = f": {share(record.share)} of the perfect area"
        about = f"; {count(positives)} positives in {count(total)} rows."
        chart.curve(place, name, said, record.size, record.found, about)
    chart.key("random choice", **m.stroke("axis", 1, "4 4"))
    chart.key("perfect order", **m.stroke("axis", 1, "1 3"))
    chart.captions += notes(found)
    return chart.svg()


@picture(Gain)
def gain(
    records: Gain | Sequence[Gain],
    names: Sequence[str] | None = None,
    *,
    title: str = "Cumulative gain",
) -> str:
    """The share of positives found against the share of rows taken; lift at two depths in words.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> gain(curves.gain(Predictions.of([0, 1], score=[0.2, 0.9]))).startswith("<svg")
    True
    """
    curves = named(records, Gain, names)
    found = [record for _, record in curves]
    chart = Chart(
        title,
        f"{about_class(found)}; rows with the highest scores first",
        "share of rows taken",
        "share of positives found",
        tall=0.8,
        shares=True,
    )
    chart.line(np.array([0, 1]), np.array([0, 1]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        lifts = ", ".join(f"{record.ratio(d):.2f} × at {d:.0%}" for d in DEPTHS)
        said = f": lift {lifts}"
        chart.curve(place, name, said, record.depth, record.gain, f"; {rows(record)}.")
    shares = {one.positives / (one.positives + one.negatives) for one in found}
    if len(shares) == 1:
        perfect = np.array([0, *shares, 1]), np.array([0, 1, 1])
        chart.line(*perfect, "perfect order", **m.stroke("axis", 1, "1 3"))
        chart.key("perfect order", **m.stroke("axis", 1, "1 3"))
    chart.key("random choice: lift 1", **m.stroke("axis", 1, "4 4"))
    chart.captions += notes(found)
    return chart.svg()


@picture(
    CostCurve,
    lines="bool, optional: Whether to show those of single thresholds; None does for one model.",
)
def cost(
    records: CostCurve | Sequence[CostCurve],
    names: Sequence[str] | None = None,
    *,
    lines: bool | None = None,
    title: str = "Cost curve",
) -> str:
    """Normalised expected cost of the best threshold, under the triangle of deciding blindly.

    A single model also shows the `lines` of some of its thresholds, whose lower edge is the curve.

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
        said = f": mean cost {number(record.area)}"
        low, high = record.range
        about = f"; of use from x = {low:.3g} to {high:.3g}."
        wide = 2.5 if len(found) == 1 else 2
        chart.curve(place, name, said, record.x, record.y, about, wide=wide)
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
