"""The picture of precision-recall curves."""

from collections.abc import Sequence

import numpy as np

from heliast._core.drawn import draws
from heliast.curves import PrecisionRecall
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, rows
from heliast.views.drawings._text import number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series


@draws(PrecisionRecall)
def precision_recall(
    records: PrecisionRecall | Sequence[PrecisionRecall],
    names: Sequence[str] | None = None,
    *,
    title: str = "Precision and recall",
) -> str:
    """Precision against recall, as steps from the highest score; the share of the class dashed.

    Parameters
    ----------
    records : PrecisionRecall or sequence of PrecisionRecall
        One record, or several in one picture.
    names : sequence of str, optional
        Names in the picture, one a record; None takes those of the models.
    title : str, default 'Precision and recall'
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
    >>> table = Predictions.of([0, 1], score=[0.2, 0.9])
    >>> precision_recall(curves.precision_recall(table)).startswith("<svg")
    True
    """
    curves = named(records, PrecisionRecall, names)
    found = [record for _, record in curves]
    rule = found[0].rule.replace(">=", "≥")
    chart = Chart(title, f"{about_class(found)}; positive if {rule}", "recall", "precision")
    for share in sorted({record.prevalence for record in found}):
        look = m.stroke("axis", 1, "4 4")
        chart.line(np.array([0, 1]), np.array([share, share]), **look)
    for place, (name, record) in enumerate(curves):
        look = m.stroke(series(place), 2, dash(place))
        said = f": average precision {number(record.average_precision)}"
        chart.line(record.recall, record.precision, name + said, step=True, **look)
        # The curve has no point before its highest score, so its start is shown as a dot.
        start = float(chart.x(record.recall[0])), float(chart.y(record.precision[0]))
        chart.marks.append(m.dot(*start, series(place), 3, f"{name}: highest score"))
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}; {rows(record)}.")
    shares = sorted({number(record.prevalence) for record in found})
    chart.key(f"random order: {', '.join(shares)}", **m.stroke("axis", 1, "4 4"))
    chart.captions += notes(found)
    return chart.svg()
