"""The picture of bias and variance: the parts of the loss as stacked bars."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from heliast._core.drawn import draws
from heliast._core.errors import InputError
from heliast._core.notes import key_of
from heliast._core.numbers import figures
from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.theory import Decomposition
from heliast.views.drawings import marks as m
from heliast.views.drawings._scales import Scale
from heliast.views.drawings._series import SHARED, SVG, named, notes
from heliast.views.drawings._text import fit, number, width
from heliast.views.drawings.axes import PAD, captions, document, value_axis

WIDE, ROW, BAR, TOP = 620.0, 30.0, 16.0, 62.0
COLOURS = {
    "noise": "axis",
    "noise_effect": "axis",
    "bias": "s1",
    "systematic_effect": "s1",
    "variance": "s0",
    "variance_effect": "s0",
    "aggregation_effect": "s0",
    "unbiased_variance": "s0",
    "biased_variance": "s3",
}


class Bar(NamedTuple):
    """One bar: its name, the parts stacked, the loss they add up to."""

    name: str
    parts: list[Estimate]
    loss: Estimate


@draws(Decomposition)
@told(SHARED, returns=SVG, raises="If the records have different losses or definitions.")
def bias_variance(
    records: Decomposition | Sequence[Decomposition],
    names: Sequence[str] | None = None,
    *,
    title: str = "",
) -> str:
    """One bar a model (or a record, say one a value of a parameter), one colour a part.

    Parts that raise the loss are stacked to the right of 0, parts that lower it to the left; the
    dot is the expected loss they add up to, with its interval.

    Parameters
    ----------
    records : Decomposition or sequence of Decomposition
        What `heliast.theory.bias_variance` found, one or several.
    names : sequence of str, optional
        Names of the bars; None takes those of the models.

    Examples
    --------
    >>> import heliast as hl
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> bias_variance(hl.theory.bias_variance(table)).startswith("<svg")
    True
    """
    bars = _bars(records, names)
    found = [records] if isinstance(records, Decomposition) else list(records)
    if len({(one.loss, one.definition) for one in found}) > 1:
        raise InputError("bias_variance: the records have different losses or definitions")
    left = min(max(width(bar.name[:60], 12) for bar in bars) + 62, 250.0) + PAD
    scale = _scale(bars, left)
    foot = TOP + len(bars) * ROW + 4
    parts = value_axis(scale, TOP, foot, 7)
    for place, bar in enumerate(bars):
        parts += _drawn(bar, TOP + (place + 0.5) * ROW, scale, left)
    legend, bottom = _legend(bars, foot + 38)
    caption, bottom = _caption(found, bars, bottom)
    title = title or "Bias and variance"
    said = f"parts of the {found[0].title}"
    about = " ".join(f"{bar.name}: {_said(bar)}." for bar in bars)
    return document(WIDE, bottom, title, said, about, "".join(parts) + legend + caption)


def _bars(
    records: Decomposition | Sequence[Decomposition], names: Sequence[str] | None
) -> list[Bar]:
    if isinstance(records, Decomposition) and len(records.models) > 1:
        models = list(records.models)
        shown = models if names is None else [str(name) for name in names]
        if len(shown) != len(models):
            raise InputError(f"names: {len(models)} models need as many names, got {len(shown)}")
        return [_bar(records, model, name) for model, name in zip(models, shown, strict=True)]
    bars = []
    for name, record in named(records, Decomposition, names):
        several = len(record.models) > 1
        bars += [
            _bar(record, model, f"{name}, {model}" if several else name) for model in record.models
        ]
    return bars


def _bar(record: Decomposition, model: str, name: str) -> Bar:
    parts = [record[model, part] for part in record.adding]
    return Bar(name, [one for one in parts if one.defined], record[model, "loss"])


def _scale(bars: list[Bar], left: float) -> Scale:
    low = min(sum(min(one.value, 0.0) for one in bar.parts) for bar in bars)
    high = max(sum(max(one.value, 0.0) for one in bar.parts) for bar in bars)
    ends = [bar.loss.high for bar in bars if math.isfinite(bar.loss.high)]
    high = max([high, *ends]) or 1.0
    room = 0.03 * (high - low)
    return Scale(low - room if low < 0 else 0.0, high + room, left, WIDE - PAD)


def _drawn(bar: Bar, y: float, scale: Scale, left: float) -> list[str]:
    said = f": {number(bar.loss.value)}"
    label = fit(bar.name, 12, left - PAD - 10 - width(said, 12)) + said
    whole = m.tooltip(bar.name + said) if not label.startswith(bar.name) else ""
    parts = [m.group([whole, m.words(PAD, y + 4, label, 12)])]
    ahead = behind = 0.0
    for one in bar.parts:
        start = ahead if one.value >= 0 else behind
        low, high = sorted((float(scale(start)), float(scale(start + one.value))))
        tip = m.tooltip(f"{bar.name}, {_title(one.measure)}: {_figures(one)}")
        look = m.fill(COLOURS.get(one.measure, "s2"))
        parts.append(m.tag("rect", tip, x=low, y=y - BAR / 2, width=high - low, height=BAR, **look))
        if one.value >= 0:
            ahead += one.value
        else:
            behind += one.value
    zero = float(scale(0.0))
    parts.append(m.line(zero, y - ROW / 2, zero, y + ROW / 2, **m.stroke("ink")))
    if math.isfinite(bar.loss.low) and math.isfinite(bar.loss.high):
        ends = [float(scale(end)) for end in (bar.loss.low, bar.loss.high)]
        parts.append(m.line(ends[0], y, ends[1], y, **m.stroke("ink", 1.5)))
        parts += [m.line(at, y - 4, at, y + 4, **m.stroke("ink", 1.5)) for at in ends]
    tip = f"{bar.name}, expected loss: {_figures(bar.loss)}"
    return [*parts, m.dot(float(scale(bar.loss.value)), y, "ink", 4.0, tip)]


def _legend(bars: list[Bar], top: float) -> tuple[str, float]:
    """A swatch a part, in a line as long as there is room, and the dot of the loss."""
    shown = dict.fromkeys(one.measure for bar in bars for one in bar.parts)
    parts, x, y = [], PAD, top
    for part in (*shown, "loss"):
        said = "expected loss, with interval" if part == "loss" else _title(part)
        wide = width(said, 12) + 34
        if x + wide > WIDE - PAD and x > PAD:
            x, y = PAD, y + 20
        if part == "loss":
            parts.append(m.dot(x + 7, y - 4, "ink", 4.0))
        else:
            look = m.fill(COLOURS.get(part, "s2"))
            parts.append(m.tag("rect", x=x, y=y - 10, width=14, height=12, **look))
        parts.append(m.words(x + 20, y, said, 12))
        x += wide
    return "".join(parts), y + 18


def _caption(found: list[Decomposition], bars: list[Bar], top: float) -> tuple[str, float]:
    said = []
    if any(one.value < 0 for bar in bars for one in bar.parts):
        said.append("Parts left of 0 lower the loss: what lies right of 0 is more than the loss.")
    said += [note for note in notes(found) if key_of(note) == "noise"]
    words, bottom = captions(said, top + 2, WIDE)
    return words, bottom + 4


def _title(part: str) -> str:
    return part.replace("_", " ")


def _figures(one: Estimate) -> str:
    return figures(one, number).inside


def _said(bar: Bar) -> str:
    terms = ", ".join(f"{_title(one.measure)} {number(one.value)}" for one in bar.parts)
    return f"{terms}, expected loss {_figures(bar.loss)}"
