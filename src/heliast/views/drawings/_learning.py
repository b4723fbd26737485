"""The picture of a measure against training rows or label noise."""

from collections.abc import Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast.curves import Learning
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import named, notes, picture
from heliast.views.drawings.axes import Chart, span
from heliast.views.drawings.palette import dash, series


@picture(Learning, raises="If records show different measures, or varied different things.")
def learning(
    records: Learning | Sequence[Learning], names: Sequence[str] | None = None, *, title: str = ""
) -> str:
    """One line a model, with a band of one standard deviation over the splits.

    Examples
    --------
    >>> import heliast as hl
    >>> plan = hl.LearningCurve(hl.KFold(3), shares=(0.5, 1.0))
    >>> table = hl.run({"prior": hl.Majority()}, hl.read("sklearn:iris"), plan, progress=False)
    >>> learning(hl.curves.learning(table)).startswith("<svg")
    True
    """
    curves = named(records, Learning, names)
    found = [record for _, record in curves]
    if len({(one.varied, one.measure) for one in found}) > 1:
        raise InputError("learning: the records show different measures or varied different things")
    spreads = [np.nan_to_num(one.spread) for one in found]  # a single split has none
    reach = [(one.value - by, one.value + by) for one, by in zip(found, spreads, strict=True)]
    first = found[0]
    chart = Chart(
        title or ("Learning curve" if first.varied == "training rows" else "Robustness to noise"),
        f"mean over splits; {'lower' if first.better == 'low' else 'higher'} is better",
        first.varied if first.varied == "training rows" else "share of wrong training labels",
        first.measure,
        (0.0, max(float(one.x.max()) for one in found)),
        span(np.hstack([side for sides in reach for side in sides]).tolist()),
        tall=0.8,
    )
    for place, (name, record) in enumerate(curves):
        look = m.stroke(series(place), 2, dash(place))
        chart.area(record.x, *reach[place], series(place))
        chart.line(record.x, record.value, name, **look)
        for x, y in zip(chart.x(record.x).tolist(), chart.y(record.value).tolist(), strict=True):
            if np.isfinite(y):
                chart.marks.append(m.dot(x, y, series(place), 3.5))
        said = f": {record.value[-1]:.3f} at {record.x[-1]:g}"
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}.")
    chart.captions.append(
        "Bands: one standard deviation over the splits; no interval, as splits share rows."
    )
    chart.captions += notes(found)
    return chart.svg()
