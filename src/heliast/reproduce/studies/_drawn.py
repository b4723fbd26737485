"""Figures of the documents, drawn from a run: lines with bars of two standard errors."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from heliast._core.kinds import Array
from heliast.reproduce import Figure
from heliast.reproduce._study import error_of_mean
from heliast.reproduce.studies._votes import Errors
from heliast.views.drawings import marks as m
from heliast.views.drawings.axes import Chart, span
from heliast.views.drawings.palette import dash, series

MOST = 600
"""Points drawn at most: a page is not a data set."""


def against_members(
    name: str, title: str, found: Errors, rows: Sequence[str], stages: Sequence[int]
) -> Figure:
    """Error against B, one line a classifier, as in figures 2.2 and 2.8 to 2.12."""
    x = np.array(stages, float)
    lines = {row: averaged(x, [found[row, b] for b in stages]) for row in rows}
    return drawn(name, title, "members B", "test error, per cent", lines)


Line = tuple[Array, Array, Array]


def averaged(x: Array, each: Iterable[Array]) -> Line:
    """The mean of the repetitions at each x, with a bar of two standard errors."""
    pairs = [(at.mean(), 2 * np.nan_to_num(error_of_mean(at))) for at in each]
    means, bars = np.array(pairs).T
    return x, means, bars


def drawn(name: str, title: str, x: str, y: str, lines: Mapping[str, Line]) -> Figure:
    """Lines of (x, y, half of a bar), each with its own colour and dash."""
    ends = [end for _, value, bar in lines.values() for end in (*(value - bar), *(value + bar))]
    most = max(float(at.max()) for at, _, _ in lines.values())
    chart = Chart(
        title, "bars: two standard errors over the repetitions", x, y, (0.0, most), span(ends),
        tall=0.8,
    )  # fmt: skip
    for place, (label, (at, value, bar)) in enumerate(lines.items()):
        look = m.stroke(series(place), 2, dash(place))
        for one, middle, half in zip(at, value, bar, strict=True):
            if half > 0:
                ends_of = np.array([middle - half, middle + half])
                thin = m.stroke(series(place), 1)
                chart.line(np.array([one, one]), ends_of, stroke_opacity="0.5", **thin)
        chart.line(at, value, label, **look)
        said = f": {value[-1]:.3g} at {at[-1]:.3g}"
        chart.key(label, said, **look)
        chart.about.append(f"{label}{said}.")
    return Figure(name, title, chart.svg())


def histogram(name: str, title: str, x: str, values: Array, bins: int = 10) -> Figure:
    """The outline of how many values lie in each of some even bins."""
    counts, edges = np.histogram(values, bins)
    chart = Chart(
        title, f"{len(values)} values", x, "number",
        (float(edges[0]), float(edges[-1])), (0.0, 1.05 * float(counts.max())), tall=0.8,
    )  # fmt: skip
    outline = np.concatenate([[0], np.repeat(counts, 2), [0]]).astype(float)
    chart.line(np.repeat(edges, 2), outline, "number", **m.stroke(series(0), 2))
    chart.about.append(f"From {values.min():.3g} to {values.max():.3g}, mean {values.mean():.3g}.")
    return Figure(name, title, chart.svg())


def scattered(
    name: str, title: str, x: str, y: str, at: Array, line: tuple[float, float]
) -> Figure:
    """Points with the line through them and the diagonal; at most MOST points are drawn."""
    low, high = min(0.0, float(at.min())), float(at.max())
    chart = Chart(title, f"{len(at)} points; the diagonal in grey", x, y, (low, high), (low, high))
    ends = np.array([low, high])
    chart.line(ends, ends, "equal", **m.stroke("axis", 1, dash(1)))
    dots = [
        m.tag("circle", cx=float(chart.x(a)), cy=float(chart.y(b)), r=1)
        for a, b in at[:: max(1, len(at) // MOST)]
    ]
    chart.marks.append(m.group(dots, fill_opacity="0.5", **m.fill(series(0))))
    level, slope = line
    look = m.stroke(series(1), 2)
    chart.line(ends, level + slope * ends, "least squares", **look)
    chart.key("least squares", f": {level:.3f} + {slope:.3f} x", **look)
    chart.about.append(f"Least squares: {level:.3f} + {slope:.3f} x.")
    return Figure(name, title, chart.svg())
