"""The picture of cumulative gains."""

from collections.abc import Sequence

import numpy as np

from heliast._core.drawn import draws
from heliast.curves import Gain
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, rows
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series

DEPTHS = (0.1, 0.2)


@draws(Gain)
def gain(
    records: Gain | Sequence[Gain],
    names: Sequence[str] | None = None,
    *,
    title: str = "Cumulative gain",
) -> str:
    """The share of positives found against the share of rows taken; lift at two depths in words.

    Parameters
    ----------
    records : Gain or sequence of Gain
        One record, or several in one picture.
    names : sequence of str, optional
        Names in the picture, one a record; None takes those of the models.
    title : str, default 'Cumulative gain'
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
        look = m.stroke(series(place), 2, dash(place))
        lifts = ", ".join(f"{record.ratio(d):.2f} × at {d:.0%}" for d in DEPTHS)
        said = f": lift {lifts}"
        chart.line(record.depth, record.gain, name + said, **look)
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}; {rows(record)}.")
    shares = {one.positives / (one.positives + one.negatives) for one in found}
    if len(shares) == 1:
        perfect = np.array([0, *shares, 1]), np.array([0, 1, 1])
        chart.line(*perfect, "perfect order", **m.stroke("axis", 1, "1 3"))
        chart.key("perfect order", **m.stroke("axis", 1, "1 3"))
    chart.key("random choice: lift 1", **m.stroke("axis", 1, "4 4"))
    chart.captions += notes(found)
    return chart.svg()
