"""Comparisons: every model against every other, mean ranks over data sets, worth against cost."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from heliast._core.errors import InputError
from heliast.comparisons import NemenyiResult
from heliast.estimates import Estimate
from heliast.views.fronts import pareto
from heliast.views.numbers import (
    Measured,
    capital,
    ci,
    in_percent,
    interval,
    measure_name,
    value_text,
)
from heliast.views.plots._page import text
from heliast.views.plots._plot import PAD, Plot, left_of, longest
from heliast.views.plots._records import checked_names, limits
from heliast.views.plots._text import fit
from heliast.views.plots.axes import Axis, measure_axis
from heliast.views.plots.marks import Box, Line, Points, Text
from heliast.views.plots.palette import series

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison, Difference

# Pixels of a name in a tooltip or beside a diagram of ranks.
NAME, NAME_OF_RANK = 190.0, 300.0
# Pixels of a cell of the matrix.
ACROSS, UPRIGHT = 58.0, 34.0


class Look(NamedTuple):
    """How a verdict is shown: by a sign, so that colour is not needed, and by a colour."""

    sign: str
    color: str
    opacity: float
    meaning: str


LOOKS = {
    "better": Look("+", "good", 0.38, "row is better"),
    "perhaps better": Look("(+)", "good", 0.16, "better, perhaps by less than the margin"),
    "equivalent": Look("≈", "axis", 0.16, "equivalent within the margin"),
    "identical": Look("=", "axis", 0.16, "identical predictions"),
    "undecided": Look("?", "", 1.0, "inconclusive"),
    "perhaps worse": Look("(−)", "bad", 0.16, "worse, perhaps by less than the margin"),
    "worse": Look("−", "bad", 0.38, "row is worse"),
}


def comparison_matrix(comparison: "Comparison", *, title: str = "") -> Plot:
    """Row minus column for each pair of models, best first; signs and colours show the verdicts.

    Intervals are in the tooltips. Columns have the numbers of the rows.

    Parameters
    ----------
    comparison : Comparison
        What `compare` gives, of two or more models.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Examples
    --------
    >>> import heliast as hl
    >>> a = hl.Predictions.of([0, 1, 1], [0, 1, 1], model="a", row=[1, 2, 3])
    >>> b = hl.Predictions.of([0, 1, 1], [0, 0, 1], model="b", row=[1, 2, 3])
    >>> comparison_matrix(hl.compare(a.join(b), "error")).x.names
    ('1', '2')
    """
    models = comparison.order
    count = len(models)
    names = [f"{place}  {model}" for place, model in enumerate(models, 1)]
    left, measure = left_of(names), measure_name(comparison.measure)
    better = "lower" if comparison.better == "low" else "higher"
    points = " (points)" if in_percent(comparison.measure) else ""
    plot = Plot(
        title or f"Every model against every other: {measure}",
        f"row minus column{points}, best first; {better} is better",
        Axis.of_names([str(place) for place in range(1, count + 1)], above=True),
        Axis.of_names(names),
        width=max(500.0, left + count * ACROSS + PAD),
        height=UPRIGHT * count,
        left=left,
    )
    plot.right = plot.width - left - count * ACROSS
    used: dict[str, Box] = {}
    for row, a in enumerate(models):
        for column, b in enumerate(models):
            ends = column - 0.5, column + 0.5, row + 0.5, row - 0.5
            if a == b:
                value = value_text(comparison.values[a], comparison.measure)
                plot.add(Box(*ends, lines=[(value, 11.0, "soft")], tip=f"{a}: {value}"))
            elif comparison.tested(a, b):
                pair = comparison[a, b]
                look = LOOKS[_verdict(pair)]
                tip, sign = _pair_text(pair), (look.sign, 11.0, "ink")
                value = Measured.difference(pair).figures.value.replace("-", "−")
                lines = [(value, 11.0, "ink"), sign]
                plot.add(Box(*ends, look.color, look.opacity, lines, tip))
                if row < column:
                    plot.about.append(f"{tip}.")
                used[_verdict(pair)] = Box(0, 0, 0, 0, look.color, look.opacity, [sign])
    for verdict, look in LOOKS.items():
        if verdict in used:
            plot.key(look.meaning, used[verdict])
    if "undecided" in used:
        plot.captions.append("Inconclusive is not equal: the data do not show which is better.")
    return plot


def _verdict(pair: "Difference") -> str:
    kind = pair.finding.kind
    return f"perhaps {kind}" if kind in ("better", "worse") and not pair.beyond else kind


def _pair_text(pair: "Difference") -> str:
    """A difference with its interval and verdict in words."""
    size = Measured.difference(pair)
    limits = interval(size, pair.level)
    names = " minus ".join(fit(name, 12, NAME) for name in (pair.a, pair.b))
    value = f"{names}: {size.figures.value}{f' ({limits})' if limits else ''}"
    return f"{value}, {pair.verdict}".replace("-", "−")


# --- mean ranks over data sets -------------------------------------------------------------------

# Where things lie upright, in pixels from the axis of ranks; below it bars, then names.
ABOVE, BAR, NAMES = -54.0, 9.0, 20.0
# From the ends of the axis to the names, and pixels that a number at the axis needs.
REACH, BETWEEN = 48.0, 26.0


def critical_difference(
    found: NemenyiResult | Any, names: Sequence[str] | None = None, *, title: str = ""
) -> Plot:
    """Models at their mean ranks, best left; a bar joins those not significantly different.

    Of a comparison its own tests of pairs decide, else the critical difference, which is shown.
    Takes a `NemenyiResult` with the models' names, a `Comparison` over several data sets, or a
    `Benchmark`.

    Parameters
    ----------
    found : NemenyiResult, Comparison or Benchmark
        A comparison over several data sets.
    names : sequence of str, optional
        Names of the models; needed with a `NemenyiResult`.
    title : str
        The title; empty is a title made from the record.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If it is none of these, or names do not fit.

    Examples
    --------
    >>> from heliast.comparisons import nemenyi
    >>> found = nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.8]])
    >>> critical_difference(found, ["a", "b", "c"]).title
    'Mean ranks over data sets'

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets.
    """
    record = found if isinstance(found, NemenyiResult) else getattr(found, "nemenyi", None)
    if not isinstance(record, NemenyiResult):
        raise InputError(
            "critical_difference: needs ranks of three or more models over several data sets: "
            "compare({name: table, ...}), or comparisons.nemenyi(table)"
        )
    usual = getattr(found, "models", None)
    usual = usual or [f"model {place}" for place in range(1, len(record.ranks) + 1)]
    labels = checked_names(names, usual)
    order = sorted(range(len(labels)), key=lambda model: record.ranks[model])
    half = (len(order) + 1) // 2
    room = min(longest(labels), NAME_OF_RANK)
    side = PAD + room + 4  # to the left of the plot, whose axis begins REACH further in
    plot_width = max(720.0, 2 * (side + REACH) + 360.0)
    first = math.floor(min(record.ranks))
    last = max(math.ceil(max(record.ranks)), first + 1)
    pixel = (last - first) / (plot_width - 2 * (side + REACH))
    bars = _bars(record, 13 * pixel)
    names_top = 26.0 + BAR * (max((level for _, level in bars), default=-1) + 1)
    bottom = names_top + NAMES * half
    plot = Plot(
        title or "Mean ranks over data sets",
        f"{record.n:g} data sets, rank 1 is best; bars join models not significantly different",
        Axis("", first - REACH * pixel, last + REACH * pixel, most=0),
        Axis("", -bottom, -ABOVE, most=0),
        width=plot_width,
        height=bottom - ABOVE,
        left=side,
        right=side,
    )
    _rank_axis(plot, record, first, last)
    for group, level in bars:
        ranks, y = [record.ranks[model] for model in group], -12 - BAR * level
        plot.add(Line([ranks[0] - 5 * pixel, ranks[-1] + 5 * pixel], [y, y], "s0", 4.0))
        plot.add(Points(ranks, [y] * len(ranks), "s0", 4.0, rim=""))
        joined = ", ".join(labels[model] for model in group)
        plot.about.append(f"Not significantly different: {joined}.")
    size = 4.0 if len(order) <= 12 else 2.5
    for place, model in enumerate(order):
        left = place < half
        y = -names_top - NAMES * (place if left else len(order) - 1 - place)
        end, anchor = (plot.x.low, "end") if left else (plot.x.high, "start")
        rank, away = record.ranks[model], -4 if left else 4
        plot.add(
            Line([rank, rank, end], [0, y, y], "axis"),
            Points([rank], [0], size=size, tips=[f"{labels[model]}: {rank:.2f}"]),
            text(end, y, labels[model], room, anchor=anchor, dx=away, dy=4),
            Text(end, y, f"{rank:.2f}", "soft", 10.5, "start" if left else "end", -away / 2, -3),
        )
        plot.about.append(f"{labels[model]}: mean rank {rank:.2f}.")
    test = "By the tests of pairs" if record.differing is not None else "Nemenyi"
    plot.captions.append(
        f"{test} at {record.level:.0%}; a bar joins the models with a dot on it, which need not "
        "be equal."
    )
    return plot


def _bars(record: NemenyiResult, gap: float) -> list[tuple[tuple[int, ...], int]]:
    """The groups of two or more models, each with a level at which its bar meets no other."""
    bars: list[tuple[tuple[int, ...], int]] = []
    ends: list[float] = []
    for group in record.groups:
        if len(group) > 1:
            first, last = record.ranks[group[0]], record.ranks[group[-1]]
            free = (level for level, end in enumerate(ends) if end + gap < first)
            level = next(free, len(ends))
            ends[level : level + 1] = [last]
            bars.append((group, level))
    return bars


def _rank_axis(plot: Plot, record: NemenyiResult, first: int, last: int) -> None:
    """The axis of ranks, with the critical difference as a length above it."""
    pixels = (plot.width - plot.left - plot.right - 2 * REACH) / (last - first)
    plot.add(Line([first, last], [0, 0], "axis", 1.5))
    for rank in range(first, last + 1, math.ceil(BETWEEN / pixels)):
        plot.add(Line([rank, rank], [6, 0], "axis", 1.5))
        plot.add(Text(rank, 0, str(rank), "soft", 11.0, "middle", dy=-11))
    if record.differing is not None:
        return
    difference = record.critical_difference
    label = f"critical difference {difference:.2f}"
    if difference > last - first:
        plot.add(Text(first, 40, f"{label}, more than is shown here", size=11.0))
    elif difference > 0:
        plot.add(Line([first, first + difference], [36, 36], width=1.5, caps=True))
        plot.add(Text(first + difference / 2, 36, label, size=11.0, anchor="middle", dy=-7))


# --- worth against cost --------------------------------------------------------------------------


def trade_off(
    spent: Sequence[Estimate],
    worth: Sequence[Estimate],
    names: Sequence[str],
    *,
    better: str = "high",
    title: str = "",
) -> Plot:
    """One point a model, with its intervals both ways; a line joins the front.

    Parameters
    ----------
    spent : sequence of Estimate
        What each model takes, such as its `tokens_per_attempt`.
    worth : sequence of Estimate
        What each is worth, such as its `grade`.
    names : sequence of str
        Names of the models.
    better : {"high", "low"}
        Which worth is better.
    title : str, default ''
        The title; empty is a title made from the measures.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If they do not fit together, or no model has both values.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> len(trade_off([wilson(3, 30), wilson(9, 30)], [wilson(9, 30)] * 2, ["a", "b"]).keys)
    2
    """
    if not len(spent) == len(worth) == len(names):
        raise InputError(
            f"trade_off: {len(spent)} estimates, {len(worth)} estimates and {len(names)} names; "
            "need one each"
        )
    front = pareto([cost.value for cost in spent], [value.value for value in worth], better)
    if not front:
        raise InputError("trade_off: no model has both values")
    values = np.array([(a.value, b.value) for a, b in zip(spent, worth, strict=True)])
    known = np.flatnonzero(np.isfinite(values).all(axis=1)).tolist()
    shown = [*front[::-1], *(at for at in known if at not in front)]
    x = measure_axis(spent[shown[0]].measure, limits(spent[at] for at in known), 0.06)
    y = measure_axis(worth[shown[0]].measure, limits(worth[at] for at in known), 0.06)
    direction = "up" if better == "high" else "down"
    subtitle = f"{ci(worth[shown[0]].level)} both ways; better is {direction} and left"
    title = title or f"{capital(y.label or 'worth')} against {x.label or 'cost'}"
    plot = Plot(title, subtitle, x, y, height=336.0)
    # What can be had for no more than each cost: level until the next model of the front.
    costs, best = values[list(front)].T
    levels = np.append(y.low if better == "high" else y.high, best)
    plot.add(Line(np.append(costs, x.high), levels, "axis", 1.5, "5 4", step=True))
    # The front is drawn last, above the others.
    for place, at in reversed(list(enumerate(shown))):
        cost, value = spent[at], worth[at]
        color = series(place)
        inside = color if at in front else "paper"
        of_value, of_cost = Measured.of(value).figures, Measured.of(cost).figures
        tip = f"{names[at]}: {of_value.inside} for {of_cost.inside}"
        dot = Points([cost.value], [value.value], inside, 4.5, place, color, tips=[tip])
        plot.add(
            Line([cost.low, cost.high], [value.value] * 2, color),
            Line([cost.value] * 2, [value.low, value.high], color),
            dot,
        )
        plot.about.append(f"{tip}.")
        plot.key(names[at], dot, f": {of_value.value} for {of_cost.value}")
    plot.keys.reverse()
    plot.captions.append(
        "Dashed line and filled markers: the Pareto front of the observed values, on which no "
        "other model is as good for less."
    )
    lacking = len(names) - len(shown)
    if lacking:
        plot.captions.append(f"Left out without both values: {lacking} of {len(names)} models.")
    return plot
