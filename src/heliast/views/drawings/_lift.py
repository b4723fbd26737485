"""The picture of a lift chart."""

from collections.abc import Sequence

import numpy as np

from heliast._core.drawn import draws
from heliast._core.errors import InputError
from heliast.curves import Lift
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes
from heliast.views.drawings._text import count, share
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series


@draws(Lift)
def lift(
    records: Lift | Sequence[Lift], names: Sequence[str] | None = None, *, title: str = "Lift chart"
) -> str:
    """Positives found against rows taken, with the lines of a random and of a perfect order.

    Parameters
    ----------
    records : Lift or sequence of Lift
        One record, or several in one picture.
    names : sequence of str, optional
        Names in the picture, one a record; None takes those of the models.
    title : str, default 'Lift chart'
        The title; empty is a title made from the record.

    Returns
    -------
    str
        The picture as the text of an SVG file.

    Raises
    ------
    InputError
        If the records count different rows.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> lift(curves.lift(Predictions.of([0, 1], score=[0.2, 0.9]))).startswith("<svg")
    True
    """
    curves = named(records, Lift, names)
    found = [record for _, record in curves]
    positives, rows = found[0].positives, found[0].positives + found[0].negatives
    if any(one.positives != positives or one.negatives != found[0].negatives for one in found):
        raise InputError("lift: the records count different rows; draw them as heliast.curves.gain")
    chart = Chart(
        title,
        f"{about_class(found)}; rows with the highest scores first",
        "rows taken",
        "positives found",
        (0.0, rows),
        (0.0, positives),
        tall=0.8,
    )
    if len(found) == 1:
        chart.area(found[0].size, found[0].random, found[0].found, series(0))
    ideal = np.array([0, positives, rows]), np.array([0, positives, positives])
    chart.line(*ideal, "perfect order", **m.stroke("axis", 1, "1 3"))
    chart.line(np.array([0, rows]), np.array([0, positives]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        look = m.stroke(series(place), 2, dash(place))
        said = f": {share(record.share)} of the perfect area"
        chart.line(record.size, record.found, name + said, **look)
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}; {count(positives)} positives in {count(rows)} rows.")
    chart.key("random choice", **m.stroke("axis", 1, "4 4"))
    chart.key("perfect order", **m.stroke("axis", 1, "1 3"))
    chart.captions += notes(found)
    return chart.svg()
