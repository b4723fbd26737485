"""The critical-difference diagram: mean ranks over data sets, and who is not told apart."""

import math
from collections.abc import Sequence
from typing import Any

from heliast._core.drawn import draws
from heliast._core.told import told
from heliast.comparisons import NemenyiResult
from heliast.views.drawings import marks as m
from heliast.views.drawings._scales import Scale
from heliast.views.drawings._series import SHARED, SVG
from heliast.views.drawings._text import width
from heliast.views.drawings.axes import PAD, captions, document
from heliast.views.ranks import ranks_of

LEAST, AXIS, ROW, BAR = 720.0, 108.0, 20.0, 9.0
"""The width of the picture is at least so much; it grows with long names."""
ROOM, RANKS = 300.0, 360.0
"""Pixels of a name at most, and of the axis of ranks at least."""
BETWEEN = 26.0
"""Pixels that a figure at the axis needs."""


@draws(NemenyiResult)
@told(SHARED, returns=SVG, raises="If it is none of these, or names do not fit.")
def critical_difference(
    found: NemenyiResult | Any, names: Sequence[str] | None = None, *, title: str = ""
) -> str:
    """Models at their mean ranks, best left; a bar joins those within the critical difference.

    Takes a `NemenyiResult` with the models' names, a `Comparison` over several data sets, or a
    `Benchmark`.

    Parameters
    ----------
    found : NemenyiResult, Comparison or Benchmark
        What a comparison over several data sets found.
    names : sequence of str, optional
        Names of the models; needed with a `NemenyiResult`.

    Examples
    --------
    >>> from heliast.comparisons import nemenyi
    >>> found = nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.8]])
    >>> critical_difference(found, ["a", "b", "c"]).startswith("<svg")
    True

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets.
    """
    record, labels = ranks_of(found, names)
    order = sorted(range(len(labels)), key=lambda j: record.ranks[j])
    longest = max(width(label[:60], 12) for label in labels)
    side = PAD + min(longest, ROOM) + 52
    wide = max(LEAST, 2 * side + RANKS)
    first, last = math.floor(min(record.ranks)), math.ceil(max(record.ranks))
    scale = Scale(float(first), float(max(last, first + 1)), side, wide - side)
    bars, below = _bars(record, scale)
    half = (len(order) + 1) // 2
    parts = [_axis(scale), _bracket(record, scale, wide), bars]
    for place, model in enumerate(order):
        left = place < half
        row = place if left else len(order) - 1 - place
        size = 4.0 if len(order) <= 12 else 2.5
        parts.append(_leader(record.ranks[model], below + 14 + ROW * row, scale, left, size))
        parts.append(
            _name(labels[model], record.ranks[model], below + 18 + ROW * row, left, (side, wide))
        )
    foot = below + 14 + ROW * half
    title = title or "Mean ranks over data sets"
    said = f"{record.n:g} data sets, rank 1 is best; bars join models that are not told apart"
    caption, bottom = _caption(foot, record, wide)
    about = [f"{labels[j]}: mean rank {record.ranks[j]:.2f}." for j in order]
    about += [f"Not told apart: {', '.join(labels[j] for j in g)}." for g in _joined(record)]
    return document(wide, bottom, title, said, " ".join(about), "".join(parts) + caption)


def _joined(record: NemenyiResult) -> list[tuple[int, ...]]:
    return [group for group in record.groups if len(group) > 1]


def _axis(scale: Scale) -> str:
    """Whole ranks as far as there are models; figures as many as fit."""
    parts = [m.line(scale.start, AXIS, scale.stop, AXIS, **m.stroke("axis", 1.5))]
    ranks = range(int(scale.low), int(scale.high) + 1)
    step = math.ceil(BETWEEN * (len(ranks) - 1) / (scale.stop - scale.start))
    for rank in ranks:
        at = float(scale(rank))
        told = (rank - ranks[0]) % step == 0
        parts.append(m.line(at, AXIS - (6 if told else 3), at, AXIS, **m.stroke("axis", 1.5)))
        if told:
            parts.append(m.words(at, AXIS - 11, rank, 11, "soft", anchor="middle"))
    return "".join(parts)


def _bracket(record: NemenyiResult, scale: Scale, wide: float) -> str:
    """The critical difference as a length, above the axis."""
    long = float(scale(scale.low + record.critical_difference)) - scale.start
    y, look = AXIS - 38, m.stroke("ink", 1.5)
    if not 0 < long <= wide - PAD - scale.start:
        words = f"critical difference {record.critical_difference:.2f}, more than is shown here"
        return m.words(scale.start, y + 4, words, 11) if long > 0 else ""
    start, stop = scale.start, scale.start + long
    parts = [m.line(start, y, stop, y, **look)]
    parts += [m.line(at, y - 4, at, y + 4, **look) for at in (start, stop)]
    words = f"critical difference {record.critical_difference:.2f}"
    fits = stop + 8 + width(words, 11) < wide - PAD
    x, anchor = (stop + 8, "start") if fits else (start - 8, "end")
    if not fits and start - 8 - width(words, 11) < 0:
        words = f"CD {record.critical_difference:.2f}"
    return "".join(parts) + m.words(x, y + 4, words, 11, "ink", anchor=anchor)


def _bars(record: NemenyiResult, scale: Scale) -> tuple[str, float]:
    """The groups, on as few levels as their overlaps allow; and where the names may begin."""
    levels: list[float] = []
    parts = []
    for group in _joined(record):
        ranks = [record.ranks[j] for j in group]
        start, stop = float(scale(min(ranks))) - 5, float(scale(max(ranks))) + 5
        free = (at for at, end in enumerate(levels) if end + 8 < start)
        level = next(free, len(levels))
        if level == len(levels):
            levels.append(stop)
        levels[level] = stop
        y = AXIS + 12 + BAR * level
        parts.append(m.line(start, y, stop, y, stroke_linecap="round", **m.stroke("s0", 4)))
    return "".join(parts), AXIS + 12 + BAR * len(levels)


def _leader(rank: float, y: float, scale: Scale, left: bool, size: float) -> str:
    """From the axis down to the row of the name, and out to it."""
    x = float(scale(rank))
    end = scale.start - 48 if left else scale.stop + 48
    look = m.stroke("axis", 1)
    dot = m.dot(x, AXIS, "ink", size)
    return m.line(x, AXIS, x, y, **look) + m.line(x, y, end, y, **look) + dot


def _name(label: str, rank: float, y: float, left: bool, sizes: tuple[float, float]) -> str:
    side, wide = sizes
    room = side - PAD - 52
    x, anchor = (side - 52, "end") if left else (wide - side + 52, "start")
    figure = side - 46 if left else wide - side + 46
    shown = m.name(x, y, label, room, anchor=anchor)
    side_of = "start" if left else "end"
    return shown + m.words(figure, y - 7, f"{rank:.2f}", 10.5, "soft", anchor=side_of)


def _caption(top: float, record: NemenyiResult, wide: float) -> tuple[str, float]:
    text = (
        f"Nemenyi at {record.level:.0%}. A bar is no finding of equality, and who is joined "
        "depends on which models are in the picture."
    )
    return captions([text], top + 16, wide)
