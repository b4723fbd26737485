"""Curves over thresholds: precision and recall, lift, gain, cost, net benefit."""

from collections.abc import Sequence

import numpy as np

from heliast._core.numbers import number, percent
from heliast.curves import CostCurve, Decision, Gain, Lift, PrecisionRecall
from heliast.views.plots._plot import Plot
from heliast.views.plots._records import about_class, draw_lines, named_records, single
from heliast.views.plots.axes import Axis
from heliast.views.plots.marks import Area, Line, Points
from heliast.views.plots.palette import series

# What deciding blindly costs at its worst: a cost curve shows no more.
BLIND_COST = 0.5
# Shares of rows at which the legend gives the lift.
DEPTHS = (0.1, 0.2)
# Pixels upright, of 420 across.
LOW, HIGH = 294.0, 336.0


def precision_recall(
    records: PrecisionRecall | Sequence[PrecisionRecall],
    names: Sequence[str] | None = None,
    *,
    title: str = "Precision and recall",
) -> Plot:
    """Precision against recall, as steps from the highest score; the share of the class dashed.

    Parameters
    ----------
    records : PrecisionRecall or sequence of PrecisionRecall
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    title : str
        The title.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If a record is of another kind, or names do not fit.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> table = Predictions.of([0, 1], y_score=[0.2, 0.9])
    >>> precision_recall(curves.precision_recall(table)).x.label
    'recall'
    """
    records, labels = named_records(records, PrecisionRecall, names)
    rule = records[0].rule.replace(">=", "≥")
    subtitle = f"{about_class(records)}; positive if {rule}"
    plot = Plot(title, subtitle, Axis("recall"), Axis("precision"))
    for place, record in enumerate(records):
        # The curve has no point before its highest score, so its start is shown as a dot.
        plot.add(Points(record.recall[:1], record.precision[:1], series(place), 3.0))
    draw_lines(
        plot,
        records,
        labels,
        "recall precision",
        lambda record: f": average precision {number(record.average_precision)}",
        step=True,
    )
    prevalences = sorted({record.prevalence for record in records})
    chance = ", ".join(dict.fromkeys(map(number, prevalences)))
    x = np.tile([0, 1, np.nan], len(prevalences))
    plot.reference(x, np.repeat(prevalences, 3), f"random order: {chance}")
    return plot


def lift(
    records: Lift | Sequence[Lift], names: Sequence[str] | None = None, *, title: str = "Lift chart"
) -> Plot:
    """Positives found against rows taken, with the lines of a random and of a perfect order.

    Parameters
    ----------
    records : Lift or sequence of Lift
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    title : str
        The title.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If the records count different rows.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> lift(curves.lift(Predictions.of([0, 1], y_score=[0.2, 0.9]))).title
    'Lift chart'
    """
    records, labels = named_records(records, Lift, names)
    message = "lift: the records count different rows; plot them as heliast.curves.gain"
    positives = single(records, "positives", message)
    total = positives + single(records, "negatives", message)
    plot = Plot(
        title,
        f"{about_class(records)}; rows with the highest scores first",
        Axis("rows taken", 0.0, total),
        Axis("positives found", 0.0, positives),
        height=HIGH,
    )
    if len(records) == 1:
        plot.add(Area.between(records[0].size, records[0].random, records[0].found, series(0)))
    draw_lines(
        plot,
        records,
        labels,
        "size found",
        lambda record: f": {percent(record.share)} of the perfect area",
    )
    plot.reference([0, total], [0, positives], "random order")
    plot.reference([0, positives, total], [0, positives, positives], "perfect order", "1 3")
    return plot


def gain(
    records: Gain | Sequence[Gain],
    names: Sequence[str] | None = None,
    *,
    title: str = "Cumulative gain",
) -> Plot:
    """The share of positives found against the share of rows taken; the legend has the lift.

    Parameters
    ----------
    records : Gain or sequence of Gain
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    title : str
        The title.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If a record is of another kind, or names do not fit.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> gain(curves.gain(Predictions.of([0, 1], y_score=[0.2, 0.9]))).title
    'Cumulative gain'
    """
    records, labels = named_records(records, Gain, names)
    plot = Plot(
        title,
        f"{about_class(records)}; rows with the highest scores first",
        Axis("share of rows taken", percent=True),
        Axis("share of positives found", percent=True),
        height=HIGH,
    )

    def lifts(record: Gain) -> str:
        return ": lift " + ", ".join(f"{record.ratio(at):.2f} × at {at:.0%}" for at in DEPTHS)

    draw_lines(plot, records, labels, "depth gain", lifts)
    shares = {record.positives / (record.positives + record.negatives) for record in records}
    if len(shares) == 1:
        plot.reference([0, *shares, 1], [0, 1, 1], "perfect order", "1 3")
    plot.reference([0, 1], [0, 1], "random order: lift 1")
    return plot


def cost(
    records: CostCurve | Sequence[CostCurve],
    names: Sequence[str] | None = None,
    *,
    title: str = "Cost curve",
) -> Plot:
    """Normalised expected cost of the best threshold, under the triangle of deciding blindly.

    A single model also shows the lines of some of its thresholds, whose lower edge is the curve.

    Parameters
    ----------
    records : CostCurve or sequence of CostCurve
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    title : str
        The title.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If a record is of another kind, or names do not fit.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> cost(curves.cost(Predictions.of([0, 1], y_score=[0.2, 0.9]))).title
    'Cost curve'
    """
    records, labels = named_records(records, CostCurve, names)
    alone = len(records) == 1
    plot = Plot(
        title,
        f"{about_class(records)}; at each x the cheapest threshold",
        Axis("probability × cost of false negatives, as a share"),
        Axis("normalised expected cost", 0.0, BLIND_COST),
        height=LOW,
    )
    for fpr, tpr in records[0].lines.tolist() if alone else ():
        plot.add(Line([0, 1], [fpr, 1 - tpr], series(0), opacity=0.2))
    draw_lines(
        plot,
        records,
        labels,
        "x y",
        lambda record: f": mean cost {number(record.area)}",
        width=2.5 if alone else 2.0,
    )
    plot.reference([0, 0.5, 1], [0, 0.5, 0], "always or never positive: 0.250")
    plot.captions.append(
        "Left only false positives matter, right only false negatives; "
        "x = p·C(FN) / (p·C(FN) + (1−p)·C(FP)), p the share of the class."
    )
    return plot


def decision(
    records: Decision | Sequence[Decision],
    names: Sequence[str] | None = None,
    *,
    band: bool | None = None,
    title: str = "",
) -> Plot:
    """Net benefit, or its difference to another rule, against the threshold.

    A single curve gets its simultaneous band (`band=False` leaves it out); what lies further below
    0 than the curves reach above it is cut.

    Parameters
    ----------
    records : Decision or sequence of Decision
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    band : bool, optional
        Whether to draw the simultaneous band; None does for a single curve.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If the records are differences to different rules.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> table = Predictions.of([0, 0, 1, 1], y_score=[0.1, 0.6, 0.4, 0.8], scores="probability")
    >>> decision(curves.decision(table)).y.label
    'net benefit'
    """
    records, labels = named_records(records, Decision, names)
    message = "decision: the records are set against different things; plot them apart"
    against = single(records, "against", message)
    banded = band or (band is None and len(records) == 1)
    bands = [record for record in records if banded and not record.reason]
    bottom, top = _benefits(records, bands)
    benefit = "difference in net benefit" if against else "net benefit"
    start = min(float(record.threshold[0]) for record in records)
    stop = max(float(record.threshold[-1]) for record in records)
    rule = f"minus {against}" if against else "positive if probability ≥ threshold"
    plot = Plot(
        title or (benefit.capitalize() if against else "Decision curve"),
        f"{about_class(records)}; {rule}",
        Axis("threshold", start, max(stop, start + 1e-6)),
        Axis(benefit, bottom, top),
        height=315.0,
    )
    for place, record in enumerate(records):
        if record in bands:
            low, high = np.clip([record.low, record.high], bottom, top)
            plot.add(Area.between(record.threshold, low, high, series(place)))
    first = records[0]
    if not against:
        plot.captions.append(
            "Acting at a risk of t or more takes one true positive to be worth (1−t)/t false ones."
        )
    if bands:
        plot.captions.append(
            f"Band: {first.level:.0%} confidence for the whole true curve over these "
            f"{first.threshold.size} thresholds ({first.method})."
        )
    reasons = dict.fromkeys(record.reason for record in records if record.reason)
    plot.captions += [f"No band: {reason}." for reason in reasons]
    draw_lines(plot, records, labels, "threshold value", lambda record: f": {record.words}")
    if not against:
        widest = max(records, key=lambda record: record.threshold.size)
        plot.reference(widest.threshold, widest.treat_all, "treat all", "2 3")
    name = f"no difference to {against}" if against else "treat none"
    plot.reference([plot.x.low, plot.x.high], [0, 0], name)
    return plot


def _benefits(records: list[Decision], bands: list[Decision]) -> tuple[float, float]:
    """The range of what is shown; net benefit reaches no further below 0 than above."""
    shown = [record.value for record in records]
    shown += [side for record in bands for side in (record.low, record.high)]
    top = max(0.0, *(float(values.max()) for values in shown))
    bottom = min(0.0, *(float(values.min()) for values in shown))
    if not records[0].against:
        top = max(top, *(float(record.treat_all.max()) for record in records))
        bottom = max(min(bottom, -0.1 * top), -top)
    room = 0.04 * (top - bottom) or 0.01
    return bottom - room, top + room
