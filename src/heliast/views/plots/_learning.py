"""Numbers against numbers: learning curves, predicted against actual values, margins of votes."""

from collections.abc import Sequence

import numpy as np

from heliast._core.kinds import Array
from heliast._core.numbers import number
from heliast.curves import Learning, Predicted
from heliast.theory import Margins
from heliast.views.numbers import value_text
from heliast.views.plots._plot import Plot
from heliast.views.plots._records import draw_lines, named_records, notes, single
from heliast.views.plots._text import count
from heliast.views.plots.axes import Axis, measure_axis, round_span
from heliast.views.plots.marks import Area, Box, Line, Points
from heliast.views.plots.palette import series

# Pixels upright, of 420 across.
LOW, HIGH = 315.0, 336.0
# Cells of a density along each axis, and rows that a cell needs to be shown.
MOST_CELLS, FEWEST_ROWS = 28, 3


def learning(
    records: Learning | Sequence[Learning], names: Sequence[str] | None = None, *, title: str = ""
) -> Plot:
    """One line a model, with a band of one standard deviation over the splits.

    Parameters
    ----------
    records : Learning or sequence of Learning
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If records show different measures, or varied different things.

    Examples
    --------
    >>> import heliast as hl
    >>> plan = hl.LearningCurve(hl.KFold(3), shares=(0.5, 1.0))
    >>> table = hl.run({"prior": hl.Majority()}, hl.read("sklearn:iris"), plan, progress=False)
    >>> learning(hl.curves.learning(table)).x.label
    'training rows'
    """
    records, labels = named_records(records, Learning, names)
    message = "learning: the records show different measures or varied different things"
    by_rows = single(records, "varied", message) == "training rows"
    measure = single(records, "measure", message)
    spreads = [np.nan_to_num(record.spread) for record in records]  # a single split has none
    bands = [
        (record.value - spread, record.value + spread)
        for record, spread in zip(records, spreads, strict=True)
    ]
    plot = Plot(
        title or ("Learning curve" if by_rows else "Robustness to label noise"),
        f"mean over splits; {'lower' if records[0].better == 'low' else 'higher'} is better",
        Axis(
            "training rows" if by_rows else "share of wrong training labels",
            high=max(float(record.x.max()) for record in records),
        ),
        measure_axis(measure, np.hstack([np.hstack(band) for band in bands]).tolist()),
        height=HIGH,
    )
    for place, record in enumerate(records):
        low, high = np.clip(bands[place], plot.y.low, plot.y.high)
        plot.add(Area.between(record.x, low, high, series(place)))
        plot.add(Points(record.x, record.value, series(place)))
    plot.captions.append(
        "Bands: one standard deviation over the splits; not an interval, as splits share rows."
    )
    draw_lines(
        plot,
        records,
        labels,
        "x value",
        lambda record: f": {value_text(record.value[-1], measure)} at {record.x[-1]:g}",
    )
    return plot


def predicted(
    records: Predicted | Sequence[Predicted],
    names: Sequence[str] | None = None,
    *,
    residuals: bool = False,
    title: str = "",
) -> Plot:
    """Actual numbers, or residuals, over predicted ones: means by bins; of one model the density.

    Parameters
    ----------
    records : Predicted or sequence of Predicted
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    residuals : bool, default False
        Whether to draw actual less predicted instead of actual.
    title : str
        The title; empty is a title made from the record.

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
    >>> table = Predictions.of([1.0, 2.5], [1.5, 2.5], task="regression")
    >>> predicted(curves.predicted(table)).title
    'Predicted against actual'
    """
    records, labels = named_records(records, Predicted, names)
    first, alone = records[0], len(records) == 1
    means = [record.residual + (0.0 if residuals else record.forecast) for record in records]
    actual = first.y_true - (first.y_pred if residuals else 0.0)
    across = round_span(np.hstack([one.y_pred if alone else one.forecast for one in records]))
    upright = round_span(np.hstack([*means, actual if alone else [], [0.0] if residuals else []]))
    if not residuals:  # the diagonal is one at equal scales
        across = upright = min(across[0], upright[0]), max(across[1], upright[1])
    plot = Plot(
        title or ("Residuals" if residuals else "Predicted against actual"),
        "means of bins of the prediction",
        Axis("predicted", *across),
        Axis("residual (actual - predicted)" if residuals else "actual", *upright),
        height=LOW if residuals else 420.0,
    )
    if alone:
        _density(plot, first.y_pred, actual)
        base = means[0] - first.residual
        low, high = base + first.low, base + first.high
        plot.add(Area.between(first.forecast, low, high, series(0)))
        plot.captions.append(
            f"Cells: the density of the rows, without cells of fewer than {FEWEST_ROWS}. Band: "
            "90% of the rows of each bin; no interval of the mean."
        )
    for place, (label, record) in enumerate(zip(labels, records, strict=True)):
        detail = f": mean residual {number(record.bias)}"
        plot.curve(place, label, detail, record.forecast, means[place])
        plot.add(Points(record.forecast, means[place], series(place)))
    plot.reference(across, [0, 0] if residuals else across, "no error")
    plot.captions += notes(records)
    return plot


def _density(plot: Plot, x: Array, y: Array) -> None:
    """Cells of a grid, darker where there are more rows; no single row can be read back."""
    bins = int(np.clip(np.sqrt(x.size) / 2, 4, MOST_CELLS))
    limits = [(plot.x.low, plot.x.high), (plot.y.low, plot.y.high)]
    counts, columns, rows = np.histogram2d(x, y, bins, limits)
    for at, to in np.argwhere(counts >= FEWEST_ROWS).tolist():
        opacity = round(0.12 + 0.5 * float(counts[at, to] / counts.max()), 2)
        left, right, bottom, top = columns[at], columns[at + 1], rows[to], rows[to + 1]
        tip = f"{count(counts[at, to])} rows"
        plot.add(Box(left, right, bottom, top, "soft", opacity, tip=tip))


def margins(
    records: Margins | Sequence[Margins],
    names: Sequence[str] | None = None,
    *,
    title: str = "",
) -> Plot:
    """One line a record: the share of rows with at most that margin (or edge).

    Votes with a margin of at most 0 are wrong or tied.

    Parameters
    ----------
    records : Margins or sequence of Margins
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If margins and edges are mixed.

    Examples
    --------
    >>> from heliast import theory
    >>> margins(theory.margins([0, 0], votes=[[3, 1], [1, 3]], classes=[0, 1])).x.label
    'margin'
    """
    records, labels = named_records(records, Margins, names)
    word = single(records, "word", "margins: plot margins or edges, not both in one plot")
    low = records[0].low
    plot = Plot(
        title or f"{word.capitalize()}s of the votes",
        f"share of rows with at most this {word}",
        Axis(word, low, 1.0),
        Axis("share of rows"),
        height=LOW,
    )
    border = 0.0 if word == "margin" else 0.5
    plot.add(Line([border, border], [0, 1], "soft", dash="3 3"))
    for place, (label, record) in enumerate(zip(labels, records, strict=True)):
        x = np.unique(np.concatenate([[low], record.value, [1.0]]))
        detail = f": mean {record.mean:.3f}, {count(record.n)} rows"
        plot.curve(place, label, detail, x, np.asarray(record.at_most(x)), step=True)
    ties = sum(record.ties for record in records)
    where = "at most 0" if word == "margin" else "of 1/2 or more"
    plot.captions.append(f"A vote with a {word} {where} is wrong or tied; {ties} rows are tied.")
    plot.captions += notes(records)
    return plot
