"""The picture of predicted against actual numbers, and of what is left between them."""

from collections.abc import Sequence

import numpy as np

from heliast._core.kinds import Array
from heliast.curves import Predicted
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import named, notes, picture
from heliast.views.drawings._text import count, number
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import series


@picture(
    Predicted,
    residuals="bool, default False: Whether to draw actual less predicted instead of actual.",
)
def predicted(
    records: Predicted | Sequence[Predicted],
    names: Sequence[str] | None = None,
    *,
    residuals: bool = False,
    title: str = "",
) -> str:
    """Actual numbers, or residuals, over predicted ones: means by bins; a single model's rows, too.

    Examples
    --------
    >>> from heliast import Predictions, curves
    >>> table = Predictions.of([1.0, 2.5], [1.5, 2.5], task="number")
    >>> predicted(curves.predicted(table)).startswith("<svg")
    True
    """
    curves = named(records, Predicted, names)
    found = [record for _, record in curves]
    alone = len(found) == 1
    bases = [np.zeros(1) if residuals else one.forecast for one in found]
    across = _range([one.label if alone else one.forecast for one in found])
    ends = [base + one.residual for base, one in zip(bases, found, strict=True)]
    if alone:
        ends.append(found[0].truth - found[0].label if residuals else found[0].truth)
    upright = _range([*ends, np.zeros(1)] if residuals else ends)
    if not residuals:  # the diagonal is one at equal scales
        across = upright = min(across[0], upright[0]), max(across[1], upright[1])
    what = "residual (actual - predicted)" if residuals else "actual"
    usual = "Residuals" if residuals else "Predicted against actual"
    chart = Chart(
        title or usual, "means of bins of the prediction", "predicted", what, across, upright,
        tall=0.75 if residuals else 1.0,
    )  # fmt: skip
    line = np.zeros(2) if residuals else np.array(across)
    chart.line(np.array(across), line, **m.stroke("axis", 1, "4 4"))
    for place, (name, one) in enumerate(curves):
        mean = ends[place]
        if alone:
            _dots(chart, one, ends[-1])
            chart.area(one.forecast, bases[0] + one.low, bases[0] + one.high, series(place))
        about = f" over {count(one.n)} rows."
        chart.curve(place, name, f": mean residual {number(one.bias)}", one.forecast, mean, about)
        for x, y in zip(chart.x(one.forecast).tolist(), chart.y(mean).tolist(), strict=True):
            chart.marks.append(m.dot(x, y, series(place)))
    chart.key("no error", **m.stroke("axis", 1, "4 4"))
    if alone:
        drawn = found[0].label.size
        of_all = "every row" if drawn == found[0].n else f"{count(drawn)} rows drawn at random"
        chart.captions.append(
            f"Small dots: {of_all}. Band: 90% of the rows of each bin; no interval of the mean."
        )
    chart.captions += notes(found)
    return chart.svg()


def _range(parts: Sequence[Array]) -> tuple[float, float]:
    low, high = min(float(part.min()) for part in parts), max(float(part.max()) for part in parts)
    room = 0.04 * (high - low) or max(abs(high), 1.0) / 2
    return low - room, high + room


def _dots(chart: Chart, one: Predicted, heights: Array) -> None:
    """All rows as one mark: a round end at each place."""
    places = zip(chart.x(one.label).tolist(), chart.y(heights).tolist(), strict=True)
    path = "".join(f"M{m.place(x)} {m.place(y)}h0" for x, y in places)
    look = {"stroke_linecap": "round", "stroke_opacity": "0.35"}
    chart.marks.append(m.tag("path", d=path, **m.stroke("soft", 3), **look))
