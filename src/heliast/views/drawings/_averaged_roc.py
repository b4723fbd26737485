"""The picture of a ROC curve averaged over splits."""

from collections.abc import Sequence

import numpy as np

from heliast.curves import AveragedRoc
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, picture
from heliast.views.drawings._text import number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import series

MOST_CURVES = 30
HOW = {"fpr": "mean at each false positive rate", "threshold": "mean rates at each threshold"}


@picture(
    AveragedRoc,
    band="bool, optional: Whether to draw the band of one standard deviation; None does for one "
    "record, with the curves of its splits.",
)
def averaged_roc(
    records: AveragedRoc | Sequence[AveragedRoc],
    names: Sequence[str] | None = None,
    *,
    band: bool | None = None,
    title: str = "ROC curve, averaged over splits",
) -> str:
    """The mean curve with a band of one standard deviation, over the thin curves of the splits.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> score = [at / 8 for at in range(8)]
    >>> table = Predictions.of([0, 1] * 4, score=score, split=[0] * 4 + [1] * 4)
    >>> averaged_roc(curves.averaged_roc(table)).startswith("<svg")
    True
    """
    found = named(records, AveragedRoc, names)
    every = [record for _, record in found]
    ways = {record.by for record in every}
    how = HOW[ways.pop()] if len(ways) == 1 else "mean over splits"
    chart = Chart(
        title, f"{about_class(every)}; {how}", "false positive rate", "true positive rate"
    )
    chart.line(np.array([0, 1]), np.array([0, 1]), **m.stroke("axis", 1, "4 4"))
    for place, record in enumerate(every):
        if band or (band is None and len(every) == 1):
            _band(chart, place, record)
        if len(every) == 1:
            _splits(chart, record)
    for place, (name, record) in enumerate(found):
        said = f": mean AUC {number(record.auc)} ± {number(record.auc_spread)}"
        start = np.append(0.0, record.fpr), np.append(0.0, record.tpr)
        chart.curve(place, name, said, *start, f" over {len(record.curves)} splits.", wide=2.5)
    chart.key("random choice: AUC 0.5", **m.stroke("axis", 1, "4 4"))
    chart.captions.append(
        "± and band: one standard deviation over the splits; no interval, as splits share rows."
    )
    chart.captions += notes(every)
    return chart.svg()


def _band(chart: Chart, place: int, record: AveragedRoc) -> None:
    left, top, right, bottom = record.edges
    xs = chart.x(np.concatenate([left, right[::-1]]))
    ys = chart.y(np.concatenate([top, bottom[::-1]]))
    look = {"fill_opacity": "0.18", **m.fill(series(place))}
    chart.marks.append(m.tag("polygon", points=m.points(xs, ys), **look))


def _splits(chart: Chart, record: AveragedRoc) -> None:
    look = m.stroke("soft", 0.8)
    shown = record.curves[:MOST_CURVES]
    for one in shown:
        chart.line(one.fpr, one.tpr, stroke_opacity="0.4", **look)
    whole = len(shown) == len(record.curves)
    some = f"{len(shown)} splits" if whole else f"{len(shown)} of {len(record.curves)} splits"
    chart.key(some, **look)
