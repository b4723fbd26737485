"""The picture of margins: their distribution over the rows."""

from collections.abc import Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast.theory import Margins
from heliast.views.drawings import marks as m
from heliast.views.drawings._series import named, notes, picture
from heliast.views.drawings._text import count
from heliast.views.drawings.axes import Chart
from heliast.views.drawings.palette import dash, series

BINS = 40


@picture(
    Margins,
    raises="If margins and edges are mixed.",
    cumulative="bool, default True: Whether to draw the cumulative shares, or shares by bins.",
)
def margins(
    records: Margins | Sequence[Margins],
    names: Sequence[str] | None = None,
    *,
    cumulative: bool = True,
    title: str = "",
) -> str:
    """One line a record: the share of rows with at most that margin (or edge), or shares by bins.

    Margins at most 0 are votes that err or tie.

    Examples
    --------
    >>> from heliast import theory
    >>> margins(theory.margins([0, 0], votes=[[3, 1], [1, 3]], classes=[0, 1])).startswith("<svg")
    True
    """
    found = named(records, Margins, names)
    kinds = {one.word for _, one in found}
    if len(kinds) > 1:
        raise InputError("margins: draw margins or edges, not both in one picture")
    word, low = found[0][1].word, found[0][1].low
    shares = [_by_bins(record, low) for _, record in found]
    top = 1.0 if cumulative else 1.05 * max(float(one.max()) for one in shares)
    chart = Chart(
        title or f"{word.capitalize()}s of the votes",
        f"share of rows with at most this {word}" if cumulative else "share of rows, by bins",
        word,
        "share of rows",
        (low, 1.0),
        (0.0, top),
        tall=0.75,
    )
    border = 0.0 if word == "margin" else 0.5
    at = float(chart.x(border))
    chart.marks.append(m.line(at, 0, at, chart.high, **m.stroke("soft", 1.0, "3 3")))
    for place, ((name, record), share) in enumerate(zip(found, shares, strict=True)):
        look = m.stroke(series(place), 2, dash(place))
        if cumulative:
            x = np.unique(np.concatenate([[low], record.value, [1.0]]))
            chart.line(x, np.asarray(record.at_most(x)), name, step=True, **look)
        else:
            edges = np.linspace(low, 1.0, BINS + 1)
            x = np.repeat(edges, 2)[1:-1]
            chart.line(x, np.repeat(share, 2), name, **look)
        said = f": mean {record.mean:.3f}, {count(record.n)} rows"
        chart.key(name, said, **look)
        chart.about.append(f"{name}{said}, {record.error:.3f} err or tie.")
    ties = sum(record.ties for _, record in found)
    where = "at most 0" if word == "margin" else "of 1/2 or more"
    chart.captions.append(f"A vote with a {word} {where} errs or ties; {ties} rows tie.")
    chart.captions += notes([record for _, record in found])
    return chart.svg()


def _by_bins(record: Margins, low: float) -> np.ndarray:
    weight = np.ones(record.n) if record.weight is None else record.weight
    counts, _ = np.histogram(record.value, BINS, (low, 1.0), weights=weight)
    return np.asarray(counts / weight.sum())
