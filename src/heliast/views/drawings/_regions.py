"""The picture of decision regions: the classes decided for over two inputs, and the data."""

from collections.abc import Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.curves import Regions
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import named, notes, picture
from heliast.views.drawings._text import count
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series

MOST = 1000
"""Rows of the data that are drawn at most."""
DEVIATIONS = (1.0, 2.0)
BORDER, FIT = m.stroke("ink", 2), m.stroke("ink", 0.8)


@picture(
    Regions,
    raises="If the records are of other inputs or classes.",
    points="bool, default True: Whether to draw the rows of the data.",
    normals="bool, default False: Whether to draw the mean of each class, and the normal's lines "
    "of one and two standard deviations.",
)
def regions(
    records: Regions | Sequence[Regions],
    names: Sequence[str] | None = None,
    *,
    points: bool = True,
    normals: bool = False,
    title: str = "Decision regions",
) -> str:
    """The regions of one model with the data, or the borders of several models in one picture.

    A row in the region of another class has a dark rim; where some rows were held out these are
    the rows to judge by, and those trained on are pale. Of several fits each has a thin border,
    their majority a thick one.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import heliast as hl
    >>> data = hl.data.simulate.two_gaussians().sample([20, 20], seed=1)
    >>> regions(hl.regions({"bayes": GaussianNB()}, data, grid=30)).startswith("<svg")
    True
    """
    found = named(records, Regions, names)
    first = found[0][1]
    if any((one.inputs, one.classes) != (first.inputs, first.classes) for _, one in found):
        raise InputError("regions: the records are of other inputs or classes; draw them apart")
    several = len(found) > 1
    chart = Chart(
        title,
        "borders of several models" if several else f"{found[0][0]}: {_wrong(first)}",
        *first.inputs,
        (float(first.x[0]), float(first.x[-1])),
        (float(first.y[0]), float(first.y[-1])),
        tall=0.85,
    )
    if several:
        _borders(chart, found)
    else:
        _areas(chart, first)
    if normals:
        _normals(chart, first)
    if points:
        _points(chart, first, plain=several)
    _classes(chart, first, points and several)
    chart.captions += notes([record for _, record in found])
    return chart.svg()


def _wrong(record: Regions) -> str:
    return f"{record.words} in a wrong region"


def _areas(chart: Chart, record: Regions) -> None:
    """The area of each class, and the borders: of each fit, and of all."""
    for code in np.unique(record.label).tolist():
        way = _rectangles(chart, record, record.label == code)
        chart.marks.append(m.tag("path", d=way, fill_opacity="0.22", **m.fill(series(code))))
    for lines in record.fit_borders:
        for x, y in lines:
            chart.line(x, y, stroke_opacity="0.45", **FIT)
    for x, y in record.borders:
        chart.line(x, y, **BORDER)
    if record.fit_borders:
        chart.key(f"borders of {len(record.fit_borders)} fits", **FIT)
        chart.key("border of their majority", **BORDER)
    chart.about.append(f"{record.model}: {_wrong(record)}.")


def _rectangles(chart: Chart, record: Regions, inside: Array) -> str:
    """One path of rectangles: the runs of places inside, row by row."""
    wide, high = chart.wide / record.x.size, chart.high / record.y.size
    edges = np.diff(np.pad(inside.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, stops = np.argwhere(edges == 1), np.argwhere(edges == -1)[:, 1]
    return "".join(
        f"M{m.place(start * wide)} {m.place(chart.high - (row + 1) * high)}"
        f"h{m.place((stop - start) * wide)}v{m.place(high)}h{m.place((start - stop) * wide)}z"
        for (row, start), stop in zip(starts.tolist(), stops.tolist(), strict=True)
    )


def _borders(chart: Chart, found: list[tuple[str, Regions]]) -> None:
    for place, (name, record) in enumerate(found):
        look = m.stroke(series(place), 2, dash(place))
        for x, y in record.borders:
            chart.line(x, y, name, **look)
        alone = "" if record.borders else "; one class everywhere"
        chart.key(name, f": {record.words} wrong{alone}", **look)
        chart.about.append(f"{name}: {_wrong(record)}.")


def _points(chart: Chart, record: Regions, plain: bool) -> None:
    """The rows, a group a class; what is not to be judged by is pale."""
    n = len(record.points)
    some = np.arange(n) if n <= MOST else np.linspace(0, n - 1, MOST).astype(int)
    judged, wrong = record.shown, record.wrong & record.shown & (not plain)
    px, py = chart.x(record.points[:, 0]), chart.y(record.points[:, 1])
    for code in range(len(record.classes)):
        colour = "soft" if plain else series(code)
        mine = some[record.truth[some] == code]
        for which, look in (
            (mine[~judged[mine]], {"fill_opacity": "0.3"}),
            (mine[judged[mine] & ~wrong[mine]], {"stroke": "none"}),
            (mine[wrong[mine]], m.rimmed(colour, "ink", 1.6)),
        ):
            shapes = [m.sign(code, float(px[at]), float(py[at])) for at in which]
            if shapes:
                chart.marks.append(m.group(shapes, **{**m.fill(colour), **look}))
    if not judged.all():
        chart.captions.append("Pale: rows that the model was trained on.")
    if wrong.any():
        chart.captions.append("Dark rim: rows in the region of another class.")
    if n > MOST:
        chart.captions.append(f"{MOST:,} of {count(n)} rows are drawn.")


def _normals(chart: Chart, record: Regions) -> None:
    for deviations in DEVIATIONS:
        for code, mean, (x, y) in record.normals(deviations):
            look = m.stroke(series(code), 1.2, dash(1))
            for piece in _inside(chart, x, y):
                chart.line(x[piece], y[piece], **look)
            at = float(chart.x(mean[0])), float(chart.y(mean[1]))
            tip = f"mean of class {record.classes[code]}"
            rim = {**m.stroke(series(code), 2), **m.fill("paper")}
            rim["class_"] = f"hl-f-paper hl-l-{series(code)}"
            chart.marks.append(m.sign(code, *at, 5, tip, **rim))
    chart.captions.append(
        "Means of the classes, and lines of one and two standard deviations of their normals."
    )


def _inside(chart: Chart, x: Array, y: Array) -> list[Array]:
    """The pieces of a line that do not leave the plot."""
    (left, right), (bottom, top) = chart.x_range, chart.y_range
    out = np.flatnonzero((x < left) | (x > right) | (y < bottom) | (y > top))
    pieces = np.split(np.arange(x.size), np.union1d(out, out + 1))
    return [piece for piece in pieces if piece.size > 1]


def _classes(chart: Chart, record: Regions, plain: bool) -> None:
    for code, class_ in enumerate(record.classes):
        rows = int((record.truth == code).sum())
        look = m.fill("soft" if plain else series(code))
        chart.key(f"class {class_}", f": {count(rows)} rows", sign=code, **look)
