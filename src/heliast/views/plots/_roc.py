"""ROC curves: of scores, averaged over splits, and of two normal distributions."""

from collections.abc import Sequence

import numpy as np

from heliast._core.numbers import figures, number
from heliast.curves import AveragedRoc, NormalRoc, Point, Roc
from heliast.estimates import Estimate
from heliast.views.plots._plot import Plot
from heliast.views.plots._records import about_class, draw_lines, named_records, notes
from heliast.views.plots.axes import Axis
from heliast.views.plots.marks import Area, Line, Points
from heliast.views.plots.palette import series

RATES = Axis("false positive rate"), Axis("true positive rate")
CHANCE = "random choice: AUC 0.5"
# Thin curves of splits beyond this number only blacken the plot.
MOST_CURVES = 30
AVERAGES = {"fpr": "mean at each false positive rate", "threshold": "mean rates at each threshold"}


def roc(
    records: Roc | Sequence[Roc],
    names: Sequence[str] | None = None,
    *,
    band: bool | None = None,
    level: float = 0.95,
    hull: bool = False,
    mark: Sequence[Point] = (),
    auc: Sequence[Estimate] = (),
    title: str = "ROC curve",
) -> Plot:
    """True against false positive rate, with the diagonal of a random choice.

    A single curve gets its simultaneous band (`band=False` leaves it out); `hull` adds the convex
    hull, `mark` points such as `record.best(cost)`, with their iso-cost line.

    Parameters
    ----------
    records : Roc or sequence of Roc
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    band : bool, optional
        Whether to draw the simultaneous band; None does for a single curve.
    level : float, default 0.95
        Confidence level of the band.
    hull : bool, default False
        Whether to add the convex hull.
    mark : sequence of Point
        Points to mark, with their iso-cost lines.
    auc : sequence of Estimate
        For each record its area with an interval, for the legend.
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
    >>> roc(curves.roc(Predictions.of([0, 1], y_score=[0.2, 0.9])))
    <Plot: ROC curve; class 1 against the rest; positive if score ≥ threshold>
    """
    records, labels = named_records(records, Roc, names)
    rule = records[0].rule.replace(">=", "≥")
    plot = Plot(title, f"{about_class(records)}; positive if {rule}", *RATES)
    # Bands of several curves hide each other.
    if band or (band is None and len(records) == 1 and not records[0].grouped):
        x = np.linspace(0, 1, 201)
        for place, record in enumerate(records):
            limits = record.band(level)
            plot.add(Area.between(x, *limits.limits(x), series(place)))
        plot.captions.append(f"Band: {level:.0%} confidence for {limits.covers} ({limits.method}).")
    areas = [figures(one, number).inside for one in auc] or [number(one.auc) for one in records]
    shown = iter(areas)
    draw_lines(plot, records, labels, "fpr tpr", lambda record: f": AUC {next(shown)}")
    plot.reference([0, 1], [0, 1], CHANCE)
    for record in records if hull else ():
        area = f"convex hull: area {number(record.hull_auc)}"
        plot.reference(record.fpr[record.hull], record.tpr[record.hull], area, "2 2")
    for point in mark:
        _mark(plot, point)
    return plot


def _mark(plot: Plot, point: Point) -> None:
    """A point of a threshold, with the line of equal cost through it."""
    text = f"threshold {point.threshold:.4g}: TPR {point.tpr:.1%}, FPR {point.fpr:.1%}"
    if point.cost is not None:
        text += f", cost {point.cost:.4g} per row"
    if point.slope is not None:
        slope = min(point.slope, 1e6)  # inf is upright
        y = [point.tpr + slope * (x - point.fpr) for x in (0.0, 1.0)]
        plot.reference([0.0, 1.0], y, "equal cost", "")
    dot = Points([point.fpr], [point.tpr], size=4.5, tips=[text])
    plot.add(dot)
    plot.key(text, dot)


def averaged_roc(
    records: AveragedRoc | Sequence[AveragedRoc],
    names: Sequence[str] | None = None,
    *,
    title: str = "ROC curve, averaged over splits",
) -> Plot:
    """The mean curve; of one record with a band of one standard deviation, over its splits.

    Parameters
    ----------
    records : AveragedRoc or sequence of AveragedRoc
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
    >>> score = [at / 8 for at in range(8)]
    >>> table = Predictions.of([0, 1] * 4, y_score=score, split=[0] * 4 + [1] * 4)
    >>> averaged_roc(curves.averaged_roc(table)).y.label
    'true positive rate'
    """
    records, labels = named_records(records, AveragedRoc, names)
    alone = len(records) == 1
    averages = {AVERAGES[record.by] for record in records}
    how = averages.pop() if len(averages) == 1 else "mean over splits"
    plot = Plot(title, f"{about_class(records)}; {how}", *RATES)
    if alone:
        left, top, right, bottom = records[0].edges
        x, y = np.append(left, right[::-1]), np.append(top, bottom[::-1])
        plot.add(Area(x, y, series(0), 0.18))
    curves = records[0].curves if alone else ()
    thin = [Line(curve.fpr, curve.tpr, "soft", 0.8, opacity=0.4) for curve in curves[:MOST_CURVES]]
    plot.add(*thin)
    for place, (label, record) in enumerate(zip(labels, records, strict=True)):
        detail = f": mean AUC {number(record.auc)} ± {number(record.auc_spread)}"
        x, y = np.append(0.0, record.fpr), np.append(0.0, record.tpr)
        plot.curve(place, label, detail, x, y, width=2.5)
    plot.reference([0, 1], [0, 1], CHANCE)
    if alone:
        of_all = f" of {len(curves)}" if len(curves) > MOST_CURVES else ""
        plot.key(f"{len(thin)}{of_all} splits", thin[0])
    plot.captions.append(
        "± and band: one standard deviation over the splits; not an interval, as splits share rows."
    )
    plot.captions += notes(records)
    return plot


def normal_roc(
    records: NormalRoc | Sequence[NormalRoc],
    names: Sequence[str] | None = None,
    *,
    sampled: Sequence[Roc] = (),
    title: str = "ROC curve of two normals",
) -> Plot:
    """The exact curve, with those of samples beside it and the diagonal of a random choice.

    Parameters
    ----------
    records : NormalRoc or sequence of NormalRoc
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    sampled : sequence of Roc
        Curves of sampled rows, beside the theory.
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
    >>> from heliast import curves
    >>> theory = curves.normal_roc(1.5)
    >>> normal_roc(theory, sampled=[curves.roc(theory.sample(30, 30))]).title
    'ROC curve of two normals'
    """
    records, labels = named_records(records, NormalRoc, names)
    plot = Plot(title, "scores of both classes are normal; positive if score ≥ threshold", *RATES)
    samples, sample_labels = named_records(sampled, Roc, None) if sampled else ([], [])
    for place, (label, curve) in enumerate(zip(sample_labels, samples, strict=True), len(records)):
        plot.curve(place, label, f": AUC {number(curve.auc)}", curve.fpr, curve.tpr, width=1.5)
    for place, (label, record) in enumerate(zip(labels, records, strict=True)):
        spread = "" if record.spread == 1 else f", spread {record.spread:g}"
        detail = f": distance {record.distance:g}{spread}, AUC {number(record.auc)}"
        plot.curve(place, label, detail, record.fpr, record.tpr, width=2.5)
    plot.reference([0, 1], [0, 1], CHANCE)
    return plot
