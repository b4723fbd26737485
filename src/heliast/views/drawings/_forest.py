"""The picture of estimates side by side, each with its interval."""

import math
from collections.abc import Sequence

from heliast._core.drawn import draws
from heliast._core.errors import InputError
from heliast._core.numbers import figures
from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.views.drawings import marks as m
from heliast.views.drawings._scales import Scale
from heliast.views.drawings._series import SHARED, SVG
from heliast.views.drawings._text import number, width
from heliast.views.drawings.axes import PAD, document, value_axis
from heliast.views.numbers import brief

WIDE, ROW, TOP = 620.0, 26.0, 62.0
VALUES = 150.0


@draws(Estimate)
@told(SHARED, returns=SVG, raises="If there is none, or names do not fit.")
def forest(
    estimates: Estimate | Sequence[Estimate], names: Sequence[str] | None = None, *, title: str = ""
) -> str:
    """One line an estimate: its name, its interval, its value in figures.

    Estimates of one measure are to be compared on one axis; one without a value or an interval
    says why.

    Parameters
    ----------
    estimates : Estimate or sequence of Estimate
        One estimate or several, of one measure.
    names : sequence of str, optional
        Names of the lines; None takes those of the models.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> forest([wilson(3, 30), wilson(9, 30)], ["a", "b"]).startswith("<svg")
    True
    """
    found = [estimates] if isinstance(estimates, Estimate) else list(estimates)
    labels = _names(found) if names is None else [str(name) for name in names]
    if not found or len(labels) != len(found):
        raise InputError(f"forest: {len(found)} estimates and {len(labels)} names; need one each")
    left = min(max((width(label[:60], 12) for label in labels), default=0.0) + 10, 212.0) + PAD
    scale = _scale(found, left)
    foot = TOP + len(found) * ROW + 4
    parts = value_axis(scale, TOP, foot, 6)
    for place, (label, one) in enumerate(zip(labels, found, strict=True)):
        y = TOP + (place + 0.5) * ROW
        parts.append(m.name(PAD, y + 4, label, left - PAD - 8))
        parts.append(_row(one, y, scale))
        parts.append(_figures(one, y, scale))
    measures = list(dict.fromkeys(one.measure for one in found if one.measure))
    title = title or (measures[0] if len(measures) == 1 else "Estimates")
    level = f"{found[0].level:.0%} intervals"
    methods = ", ".join(dict.fromkeys(brief(one.method) for one in found if one.method))
    said = f"{level}: {methods}" if methods else level
    about = " ".join(f"{label}: {_said(one)}." for label, one in zip(labels, found, strict=True))
    return document(WIDE, foot + 30, title, said, about, "".join(parts))


def _names(found: list[Estimate]) -> list[str]:
    """What tells the estimates apart: model, measure, class, as far as they differ."""
    parts = [
        (one.model, one.measure, "" if one.class_ is None else str(one.class_)) for one in found
    ]
    used = [place for place in range(3) if len({part[place] for part in parts}) > 1]
    return [
        ", ".join(part[place] for place in used if part[place]) or one.model or one.measure
        for part, one in zip(parts, found, strict=True)
    ]


def _scale(found: list[Estimate], left: float) -> Scale:
    ends = [end for one in found for end in (one.low, one.value, one.high) if math.isfinite(end)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    margin = (high - low) * 0.06 or 0.05
    return Scale(low - margin, high + margin, left + 8, WIDE - PAD - VALUES)


def _row(one: Estimate, y: float, scale: Scale) -> str:
    if not math.isfinite(one.value):
        return ""
    parts = []
    if math.isfinite(one.low) and math.isfinite(one.high):
        low, high = float(scale(one.low)), float(scale(one.high))
        look = m.stroke("s0", 2)
        parts.append(m.line(low, y, high, y, **look))
        parts += [m.line(at, y - 4, at, y + 4, **look) for at in (low, high)]
    parts.append(m.dot(float(scale(one.value)), y, "s0", 4.5, _said(one)))
    return "".join(parts)


def _figures(one: Estimate, y: float, scale: Scale) -> str:
    x, room = WIDE - PAD - VALUES + 12, VALUES - 12
    if not math.isfinite(one.value):
        said, wide = f"undefined: {one.reason}", WIDE - PAD - scale.start
        return m.words(scale.start, y + 4, said, 12, "soft", wide)
    if not (math.isfinite(one.low) and math.isfinite(one.high)):
        return m.words(x, y + 4, f"{number(one.value)}, {one.reason}", 12, "ink", room)
    return m.words(x, y + 4, figures(one, number).inside, 12, "ink", room)


def _said(one: Estimate) -> str:
    if not math.isfinite(one.value):
        return f"undefined, {one.reason}"
    if not math.isfinite(one.low):
        return f"{number(one.value)}, no interval: {one.reason}"
    shown = figures(one, number)
    return f"{shown.value}, {one.level:.0%} from {shown.between}"
