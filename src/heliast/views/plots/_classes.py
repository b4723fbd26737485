"""Classes: the confusion matrix, F over precision and recall, and decision regions."""

from collections.abc import Sequence

import numpy as np

from heliast._core.kinds import Array
from heliast._core.numbers import number, percent
from heliast.curves import FSurface, Regions
from heliast.measures.summaries import Contingency
from heliast.views.plots._plot import PAD, Plot, left_of
from heliast.views.plots._records import about_class, named_records, notes, single
from heliast.views.plots._text import count, fit, width
from heliast.views.plots.axes import Axis
from heliast.views.plots.marks import Area, Box, Line, Points, Raster, Text
from heliast.views.plots.palette import dash, series

# Pixels of a cell of the confusion matrix, and of the whole.
LARGEST, SMALLEST, WIDE, NARROWEST = 64.0, 11.0, 520.0, 380.0
HEIGHTS = tuple(tenth / 10 for tenth in range(1, 10))
# Classes that the legend of the F surface lists.
MOST_CLASSES = 8
# Rows that are drawn over decision regions.
MOST_ROWS = 1000
DEVIATIONS = (1.0, 2.0)


def confusion_matrix(
    table: Contingency, *, title: str = "Confusion matrix", model: str = ""
) -> Plot:
    """True class down, predicted class across; the colour is the share of the true class.

    Counts are written where they fit, and stand in every cell's tooltip.

    Parameters
    ----------
    table : Contingency
        Counts of rows by true and predicted class.
    title : str, default 'Confusion matrix'
        The title.
    model : str, default ''
        Name of the model, for the subtitle.

    Returns
    -------
    Plot
        The plot.

    Examples
    --------
    >>> from heliast import Predictions, summaries
    >>> table = Predictions.of(["a", "b", "b"], ["a", "a", "b"])
    >>> confusion_matrix(table.summary(summaries.Contingency)).subtitle
    '3 rows, 66.7% correct'
    """
    names = [str(name) for name in table.classes]
    left = left_of(names, 150.0) + 18
    cell = float(np.clip((WIDE - left - PAD) / len(names), SMALLEST, LARGEST))
    side = cell * len(names)
    who = f"{fit(model, 12, 200)}: " if model else ""
    correct = f"{percent(float(table.hits.sum()) / table.n)} correct" if table.n else ""
    subtitle = f"{who}{count(table.n)} rows, {correct}" if table.n else f"{who}no rows"
    plot = Plot(
        title,
        subtitle,
        Axis.of_names(names, "predicted class", above=True),
        Axis.of_names(names, "true class"),
        width=max(left + side + PAD, NARROWEST),
        height=side,
        left=left,
    )
    plot.right = plot.width - left - side
    short = [fit(name, 11, 200) for name in names]
    cells = zip(table.rows.tolist(), table.columns.tolist(), table.count.tolist(), strict=True)
    for row, column, weight in cells:
        part = weight / float(table.actual[row])
        color = "good" if row == column else "bad"
        tip = (
            f"true {short[row]}, predicted {short[column]}: {count(weight)} ({percent(part)} of it)"
        )
        opacity = round(0.08 + 0.92 * part, 2)
        text = _short_count(weight)
        size = min(13.0, cell * 0.46, (cell - 3) / max(width(text, 1.0), 0.5))
        lines = [(text, size, _readable(opacity, color))] if size >= 6 else []
        ends = column - 0.5, column + 0.5, row + 0.5, row - 0.5
        plot.add(Box(*ends, color, opacity, lines, tip))
    plot.captions.append(
        "Blue: correct; orange: errors; the stronger, the larger the share of its row."
    )
    plot.about.append(f"{table.k} classes.")
    return plot


def _short_count(weight: float) -> str:
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if weight >= max(unit, 1e4):
            return f"{weight / unit:.3g}{sign}"
    return f"{weight:.4g}"


def _readable(opacity: float, color: str) -> str:
    """The colour of text with enough contrast on a cell, in light and in dark."""
    if opacity < 0.62:
        return "ink"
    return "paper" if color == "good" and opacity > 0.85 else "night"


def f_surface(
    records: FSurface | Sequence[FSurface],
    names: Sequence[str] | None = None,
    *,
    title: str = "F over precision and recall",
) -> Plot:
    """Lines of equal F, darker where F is higher, and the points of models and classes.

    Parameters
    ----------
    records : FSurface or sequence of FSurface
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
        If the records weigh recall differently.

    Examples
    --------
    >>> from heliast import curves
    >>> f_surface(curves.f_surface()).subtitle
    'beta 1; every class'
    """
    records, labels = named_records(records, FSurface, names)
    message = "f_surface: the records weigh recall differently; plot them apart"
    beta = single(records, "beta", message)
    first = records[0]
    about = "every class" if first.class_ is None else about_class(records)
    plot = Plot(title, f"beta {beta:g}; {about}", Axis("recall"), Axis("precision"))
    for height in HEIGHTS:
        recall, precision = first.line(height)
        # Areas lie on each other, so that each step up is a shade darker.
        plot.add(
            Area(np.append(recall, 1.0), np.append(precision, 1.0), "good", 0.08),
            Line(recall, precision, "good", tip=f"F = {height:g}"),
            Text(height, height, f"{height:g}", "soft", 10.0, dx=3, dy=-3),
        )
    for place, (label, record) in enumerate(zip(labels, records, strict=True)):
        if record.classes:
            _scores(plot, place, label, record)
    if len(first.classes) > 1:
        for code, class_ in enumerate(first.classes[:MOST_CLASSES]):
            detail = f": F {number(float(first.f[code]))}" if len(records) == 1 else ""
            plot.key(f"class {class_}", Points([], [], "soft", 4.0, code, rim=""), detail)
    plot.captions.append(
        "On each line F is the same; where precision equals recall, F equals both."
    )
    plot.captions += notes(records)
    return plot


def _scores(plot: Plot, place: int, name: str, record: FSurface) -> None:
    """A point for each class of a model that has a precision."""
    for code, class_ in enumerate(record.classes):
        if np.isnan(record.precision[code]):
            plot.captions.append(f"No row was given the class {class_}: it has no precision.")
            continue
        tip = f"{name}, class {class_}: F {number(float(record.f[code]))}"
        x, y = [record.recall[code]], [record.precision[code]]
        plot.add(Points(x, y, series(place), 5.5, code, tips=[tip]))
        plot.about.append(f"{tip}.")
    detail = f": mean F {number(record.mean)} of {len(record.classes)} classes"
    if len(record.classes) == 1:
        f, p, r = (float(values[0]) for values in (record.f, record.precision, record.recall))
        detail = f": F {number(f)}, precision {number(p)}, recall {number(r)}"
    plot.key(name, Points([], [], series(place), 4.0, rim=""), detail)


def regions(
    records: Regions | Sequence[Regions],
    names: Sequence[str] | None = None,
    *,
    points: bool = True,
    normals: bool = False,
    title: str = "Decision regions",
) -> Plot:
    """The regions of one model with the data, or the borders of several models in one plot.

    A row in the region of another class has a dark rim; where some rows were held out these are
    the rows to judge by, and those trained on are pale. Of several fits each has a thin border,
    their majority a thick one.

    Parameters
    ----------
    records : Regions or sequence of Regions
        One record, or several.
    names : sequence of str, optional
        Names in the legend, one a record; None takes those of the models.
    points : bool, default True
        Whether to draw the rows of the data.
    normals : bool, default False
        Whether to draw the mean of each class, and the normal's lines of one and two standard
        deviations.
    title : str
        The title.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If the records have other features or classes.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import heliast as hl
    >>> from heliast.data import simulate
    >>> data = simulate.two_gaussians().sample([20, 20], seed=1)
    >>> regions(hl.regions({"bayes": GaussianNB()}, data, grid=30)).x.label
    'x1'
    """
    records, labels = named_records(records, Regions, names)
    message = "regions: the records are of other features or classes; plot them apart"
    x, y = single(records, "inputs", message)
    single(records, "classes", message)
    first, several = records[0], len(records) > 1
    plot = Plot(
        title,
        "borders of several models" if several else f"{labels[0]}: {first.words} in a wrong region",
        Axis(x, float(first.x[0]), float(first.x[-1])),
        Axis(y, float(first.y[0]), float(first.y[-1])),
        height=357.0,
    )
    if several:
        for place, (label, record) in enumerate(zip(labels, records, strict=True)):
            border = Line(*_joined(record.borders), series(place), 2.0, dash(place), tip=label)
            plot.add(border)
            everywhere = "" if record.borders else "; one class everywhere"
            plot.key(label, border, f": {record.words} wrong{everywhere}")
    else:
        _areas(plot, first)
    if normals:
        _normals(plot, first)
    if points:
        _rows(plot, first, plain=several)
    for code, class_ in enumerate(first.classes):
        color = "soft" if points and several else series(code)
        detail = f": {count(int((first.y_true == code).sum()))} rows"
        plot.key(f"class {class_}", Points([], [], color, 4.0, code, rim=""), detail)
    plot.captions += notes(records)
    return plot


def _joined(borders: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """The lines as one, with gaps between them."""
    gaps = [np.append(line, [[np.nan], [np.nan]], axis=1) for line in borders]
    x, y = np.hstack(gaps) if gaps else np.empty((2, 0))
    return x, y


def _areas(plot: Plot, record: Regions) -> None:
    """The area of each class, and the borders: of each fit, and of all."""
    colors = [series(code) for code in range(len(record.classes))]
    plot.add(Raster(record.y_pred, colors))
    fits = [Line(*_joined(lines), width=0.8, opacity=0.45) for lines in record.fit_borders]
    border = Line(*_joined(record.borders), width=2.0)
    plot.add(*fits, border)
    if fits:
        plot.key(f"borders of {len(fits)} fits", fits[0])
        plot.key("border of their majority", border)


def _rows(plot: Plot, record: Regions, plain: bool) -> None:
    """The rows of the data by class; those that are not to be judged by are pale."""
    n = len(record.points)
    drawn = np.zeros(n, bool)
    drawn[np.arange(n) if n <= MOST_ROWS else np.linspace(0, n - 1, MOST_ROWS).astype(int)] = True
    judged, wrong = record.shown, record.wrong & record.shown & (not plain)
    for code in range(len(record.classes)):
        members = drawn & (record.y_true == code)
        color = "soft" if plain else series(code)
        for which, rim, opacity in (
            (members & ~judged, "", 0.3),
            (members & judged & ~wrong, "", 1.0),
            (members & wrong, "ink", 1.0),
        ):
            x, y = record.points[which].T
            plot.add(Points(x, y, color, marker=code, rim=rim, opacity=opacity))
    if not judged.all():
        plot.captions.append("Pale: rows that the model was trained on.")
    if wrong.any():
        plot.captions.append("Dark rim: rows in the region of another class.")
    if n > MOST_ROWS:
        plot.captions.append(f"{MOST_ROWS:,} of {count(n)} rows are drawn.")


def _normals(plot: Plot, record: Regions) -> None:
    for deviations in DEVIATIONS:
        for code, mean, (x, y) in record.normals(deviations):
            plot.add(Line(x, y, series(code), 1.2, dash(1)))
            tip = f"mean of class {record.classes[code]}"
            at = [mean[0]], [mean[1]]
            plot.add(Points(*at, "paper", 5.0, code, series(code), tips=[tip]))
    plot.captions.append(
        "Means of the classes, and lines of one and two standard deviations of their normals."
    )
