"""Curves over thresholds: precision and recall, lift, gain, cost, net benefit."""

from collections.abc import Sequence

import numpy as np

from heliast.curves import CostCurve, Decision, Gain, Lift, PrecisionRecall
from heliast.views.plots._plot import Plot
from heliast.views.plots._records import about_class, named_records, notes, rows, single
from heliast.views.plots._text import count, number, share
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
    found, entries = named_records(records, PrecisionRecall, names)
    rule = found[0].rule.replace(">=", "≥")
    subtitle = f"{about_class(found)}; positive if {rule}"
    plot = Plot(title, subtitle, Axis("recall"), Axis("precision"))
    for place, label, record in entries:
        detail, about = f": average precision {number(record.average_precision)}", rows(record)
        x, y = record.recall, record.precision
        plot.curve(place, label, detail, x, y, about=f"; {about}", step=True)
        # The curve has no point before its highest score, so its start is shown as a dot.
        tip = f"{label}: highest score"
        plot.add(Points(x[:1], y[:1], series(place), 3.0, tips=[tip]))
    prevalences = sorted({record.prevalence for record in found})
    chance = ", ".join(dict.fromkeys(map(number, prevalences)))
    x = np.tile([0, 1, np.nan], len(prevalences))
    plot.reference(x, np.repeat(prevalences, 3), f"random order: {chance}")
    plot.captions += notes(found)
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
    found, entries = named_records(records, Lift, names)
    message = "lift: the records count different rows; plot them as heliast.curves.gain"
    positives = single(found, "positives", message)
    total = positives + single(found, "negatives", message)
    plot = Plot(
        title,
        f"{about_class(found)}; rows with the highest scores first",
        Axis("rows taken", 0.0, total),
        Axis("positives found", 0.0, positives),
        height=HIGH,
    )
    if len(found) == 1:
        plot.add(Area.between(found[0].size, found[0].random, found[0].found, series(0)))
    for place, label, record in entries:
        about = f"; {count(positives)} positives in {count(total)} rows"
        detail = f": {share(record.share)} of the perfect area"
        plot.curve(place, label, detail, record.size, record.found, about=about)
    plot.reference([0, total], [0, positives], "random order")
    plot.reference([0, positives, total], [0, positives, positives], "perfect order", "1 3")
    plot.captions += notes(found)
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
    found, entries = named_records(records, Gain, names)
    plot = Plot(
        title,
        f"{about_class(found)}; rows with the highest scores first",
        Axis("share of rows taken", percent=True),
        Axis("share of positives found", percent=True),
        height=HIGH,
    )
    for place, label, record in entries:
        lifts = ", ".join(f"{record.ratio(depth):.2f} × at {depth:.0%}" for depth in DEPTHS)
        about = f"; {rows(record)}"
        plot.curve(place, label, f": lift {lifts}", record.depth, record.gain, about=about)
    shares = {record.positives / (record.positives + record.negatives) for record in found}
    if len(shares) == 1:
        plot.reference([0, *shares, 1], [0, 1, 1], "perfect order", "1 3")
    plot.reference([0, 1], [0, 1], "random order: lift 1")
    plot.captions += notes(found)
    return plot


def cost(
    records: CostCurve | Sequence[CostCurve],
    names: Sequence[str] | None = None,
    *,
    lines: bool | None = None,
    title: str = "Cost curve",
) -> Plot:
    """Normalised expected cost of the best threshold, under the triangle of deciding blindly.

    A single model also shows the `lines` of some of its thresholds, whose lower edge is the curve.

    Parameters
    ----------
    records : CostCurve or sequence of CostCurve
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    lines : bool, optional
        Whether to show those of single thresholds; None does for one model.
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
    found, entries = named_records(records, CostCurve, names)
    alone = len(found) == 1
    plot = Plot(
        title,
        f"{about_class(found)}; at each x the cheapest threshold",
        Axis("probability × cost of false negatives, as a share"),
        Axis("normalised expected cost", 0.0, BLIND_COST),
        height=LOW,
    )
    for place, record in enumerate(found if lines or (lines is None and alone) else ()):
        for fpr, tpr in record.lines.tolist():
            plot.add(Line([0, 1], [fpr, 1 - tpr], series(place), opacity=0.2))
    for place, label, record in entries:
        low, high = record.range
        about = f"; of use from x = {low:.3g} to {high:.3g}"
        detail, width = f": mean cost {number(record.area)}", 2.5 if alone else 2.0
        plot.curve(place, label, detail, record.x, record.y, about=about, width=width)
    plot.reference([0, 0.5, 1], [0, 0.5, 0], "always or never positive: 0.250")
    plot.captions.append(
        "Left only false positives matter, right only false negatives; "
        "x = p·C(FN) / (p·C(FN) + (1−p)·C(FP)), p the share of the class."
    )
    plot.captions += notes(found)
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
    found, entries = named_records(records, Decision, names)
    message = "decision: the records are set against different things; plot them apart"
    against = single(found, "against", message)
    banded = band or (band is None and len(found) == 1)
    bands = [record for record in found if banded and not record.reason]
    bottom, top = _benefits(found, bands)
    benefit = "difference in net benefit" if against else "net benefit"
    start = min(float(record.threshold[0]) for record in found)
    stop = max(float(record.threshold[-1]) for record in found)
    rule = f"less {against}" if against else "positive if probability ≥ threshold"
    plot = Plot(
        title or (benefit.capitalize() if against else "Decision curve"),
        f"{about_class(found)}; {rule}",
        Axis("threshold", start, max(stop, start + 1e-6)),
        Axis(benefit, bottom, top),
        height=315.0,
    )
    for place, record in enumerate(found):
        if record in bands:
            low, high = np.clip([record.low, record.high], bottom, top)
            plot.add(Area.between(record.threshold, low, high, series(place)))
    for place, label, record in entries:
        about = f"; {count(record.n)} rows"
        plot.curve(place, label, f": {record.words}", record.threshold, record.value, about=about)
    if not against:
        widest = max(found, key=lambda record: record.threshold.size)
        plot.reference(widest.threshold, widest.treat_all, "treat all", "2 3")
    name = f"no difference to {against}" if against else "treat none"
    plot.reference([plot.x.low, plot.x.high], [0, 0], name)
    plot.captions += _captions_of_decision(found, bands)
    return plot


def _benefits(found: list[Decision], bands: list[Decision]) -> tuple[float, float]:
    """The range of what is drawn; net benefit reaches no further below 0 than above."""
    drawn = [record.value for record in found]
    drawn += [side for record in bands for side in (record.low, record.high)]
    top = max(0.0, *(float(values.max()) for values in drawn))
    bottom = min(0.0, *(float(values.min()) for values in drawn))
    if not found[0].against:
        top = max(top, *(float(record.treat_all.max()) for record in found))
        bottom = max(min(bottom, -0.1 * top), -top)
    room = 0.04 * (top - bottom) or 0.01
    return bottom - room, top + room


def _captions_of_decision(found: list[Decision], bands: list[Decision]) -> list[str]:
    first = found[0]
    captions = []
    if not first.against:
        captions.append(
            "Acting at a risk of t or more takes one true positive to be worth (1−t)/t false ones."
        )
    if bands:
        captions.append(
            f"Band: {first.level:.0%} confidence for the whole true curve over these "
            f"{first.threshold.size} thresholds ({first.method})."
        )
    reasons = dict.fromkeys(record.reason for record in found if record.reason)
    return captions + [f"No band: {reason}." for reason in reasons] + notes(found)
