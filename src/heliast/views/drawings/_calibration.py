"""The picture of calibration."""

from collections.abc import Sequence

import numpy as np

from heliast.curves import Calibration
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import about_class, named, notes, picture
from heliast.views.drawings._text import count, number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import series

STRIP = 52.0


@picture(Calibration)
def calibration(
    records: Calibration | Sequence[Calibration],
    names: Sequence[str] | None = None,
    *,
    title: str = "Calibration",
) -> str:
    """Share of outcomes against the mean forecast of each bin; a single model gets its limits.

    Under it, how many rows each bin holds. A model on the diagonal forecasts what happens.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> table = Predictions.of([0, 1], score=[0.2, 0.9])
    >>> calibration(curves.calibration(table, bins=2)).startswith("<svg")
    True
    """
    curves = named(records, Calibration, names)
    found = [record for _, record in curves]
    alone = len(found) == 1
    chart = Chart(
        title, about_class(found), "forecast", "share that came true", strip=STRIP if alone else 0.0
    )
    chart.line(np.array([0, 1]), np.array([0, 1]), **m.stroke("axis", 1, "4 4"))
    for place, (name, record) in enumerate(curves):
        said = f": mean gap {number(record.error)}"
        if alone:
            _isotonic(chart, record)
            _limits(chart, record)
        about, wide = f" over {count(record.weight.sum())} rows.", 1.5 if alone else 2
        chart.curve(place, name, said, record.forecast, record.outcome, about, wide=wide)
        _dots(chart, record, place)
    chart.key("came true as forecast", **m.stroke("axis", 1, "4 4"))
    if alone:
        _finish(chart, found[0])
    chart.captions += notes(found)
    return chart.svg()


def _dots(chart: Chart, record: Calibration, place: int) -> None:
    for at in range(record.forecast.size):
        tip = (
            f"forecast {record.forecast[at]:.1%}, came true {record.outcome[at]:.1%} "
            f"[{record.low[at]:.1%}, {record.high[at]:.1%}], {count(record.weight[at])} rows"
        )
        x, y = float(chart.x(record.forecast[at])), float(chart.y(record.outcome[at]))
        chart.marks.append(m.dot(x, y, series(place), tip=tip))


def _limits(chart: Chart, record: Calibration) -> None:
    look = m.stroke(series(0), 1.5)
    for x, low, high in zip(record.forecast, record.low, record.high, strict=True):
        px, bottom, top = float(chart.x(x)), float(chart.y(low)), float(chart.y(high))
        chart.marks.append(m.line(px, bottom, px, top, **look, stroke_opacity="0.6"))
        for y in (bottom, top):
            chart.marks.append(m.line(px - 4, y, px + 4, y, **look, stroke_opacity="0.6"))


def _isotonic(chart: Chart, record: Calibration) -> None:
    if record.isotonic is not None:
        look = m.stroke("bad", 1.2)
        chart.line(record.isotonic[:, 0], record.isotonic[:, 1], "isotonic fit", **look)


def _finish(chart: Chart, record: Calibration) -> None:
    """The rows of each bin, and what lines and bars mean."""
    if record.isotonic is not None:
        chart.key("isotonic fit", **m.stroke("bad", 1.2))
    most = float(record.weight.max())
    foot = chart.high + STRIP
    for (low, high), weight in zip(record.edges, record.weight, strict=True):
        left, right = float(chart.x(low)), float(chart.x(high))
        tall = max((STRIP - 14) * float(weight) / most, 0.5)
        tip = m.tooltip(f"{low:.3g} to {high:.3g}: {count(weight)} rows")
        # A bin of one value has no width, but its rows are there.
        wide = max(right - left - 1, 2.0)
        look = {**m.fill("soft"), "fill_opacity": "0.45"}
        chart.marks.append(
            m.tag("rect", tip, x=left + 0.5, y=foot - tall, width=wide, height=tall, **look)
        )
    chart.marks.append(m.line(0, foot, chart.wide, foot, **m.stroke("axis")))
    chart.marks.append(m.words(-7, foot - 16, "rows", 11, "soft", anchor="end"))
    kind = "equal width" if record.bins == "width" else "equal numbers of rows"
    chart.captions.append(
        f"Bars: {record.level:.0%} limits of each bin on its own ({record.method}); "
        f"bins of {kind}, fullest {count(most)} rows."
    )
