"""Calibration: the share of outcomes against the forecast."""

from collections.abc import Sequence

from heliast._core.numbers import number
from heliast.curves import Calibration
from heliast.views.plots._plot import Plot
from heliast.views.plots._records import about_class, draw_lines, named_records
from heliast.views.plots._text import count
from heliast.views.plots.axes import Axis
from heliast.views.plots.marks import Line, Points
from heliast.views.plots.palette import series


def calibration(
    records: Calibration | Sequence[Calibration],
    names: Sequence[str] | None = None,
    *,
    title: str = "Calibration",
) -> Plot:
    """Share of outcomes against the mean forecast of each bin; a single model gets its limits.

    Tooltips say how many rows each bin holds. A calibrated model lies on the diagonal.

    Parameters
    ----------
    records : Calibration or sequence of Calibration
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
    >>> calibration(curves.calibration(table, bins=2)).title
    'Calibration'
    """
    records, labels = named_records(records, Calibration, names)
    alone = len(records) == 1
    plot = Plot(title, about_class(records), Axis("forecast"), Axis("observed share"))
    if alone:
        for forecast, low, high in zip(
            records[0].forecast, records[0].low, records[0].high, strict=True
        ):
            ends = [forecast, forecast], [low, high]
            plot.add(Line(*ends, series(0), 1.5, opacity=0.6, caps=True))
    draw_lines(
        plot,
        records,
        labels,
        "forecast outcome",
        lambda record: f": mean gap {number(record.error)}",
        width=1.5 if alone else 2.0,
    )
    for place, record in enumerate(records):
        columns = record.forecast, record.outcome, record.low, record.high, record.weight
        tips = [
            f"forecast {forecast:.1%}, observed {outcome:.1%} [{low:.1%}, {high:.1%}], "
            f"{count(weight)} rows"
            for forecast, outcome, low, high, weight in zip(*columns, strict=True)
        ]
        plot.add(Points(record.forecast, record.outcome, series(place), tips=tips))
    plot.reference([0, 1], [0, 1], "observed as forecast")
    if not alone:
        return plot
    first = records[0]
    if first.isotonic is not None:
        x, y = first.isotonic.T
        line = Line(x, y, "bad", 1.2, tip="isotonic fit")
        plot.add(line)
        plot.key("isotonic fit", line)
    kind = "equal width" if first.bins == "width" else "equal numbers of rows"
    plot.captions.append(
        f"Bars: {first.level:.0%} limits of each bin on its own ({first.method}); "
        f"bins of {kind}, at most {count(float(first.weight.max()))} rows."
    )
    return plot
