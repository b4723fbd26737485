"""Axes: which values a plot covers, their ticks, and where they lie in pixels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite, log10
from typing import Any

import numpy as np

from heliast import measures
from heliast._core.errors import InputError
from heliast.views.numbers import in_percent, measure_name

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """A linear map from [low, high] to pixels [start, stop].

    >>> float(Scale(0, 10, 0, 200)(5))
    100.0
    """

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: Any) -> Any:
        span = (self.high - self.low) or 1.0
        share = (np.asarray(value, float) - self.low) / span
        return self.start + share * (self.stop - self.start)


@dataclass(frozen=True)
class Axis:
    """One direction of a plot: numbers from `low` to `high`, or `names` at 0, 1, 2, ...

    `most` is the number of ticks at most, and 0 hides the axis; `above` puts names above the plot.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    names: tuple[str, ...] = ()
    percent: bool = False
    most: int = 7
    above: bool = False

    @classmethod
    def of_names(cls, names: Sequence[str], label: str = "", above: bool = False) -> "Axis":
        """An axis with a place for each name."""
        return cls(label, -0.5, len(names) - 0.5, tuple(names), above=above)

    def ticks(self) -> list[tuple[float, str]]:
        """Values and the numbers written there."""
        values = ticks(self.low, self.high, self.most) if self.most else []
        return list(zip(values, tick_labels(values, self.percent), strict=True))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many.

    >>> ticks(0, 1), ticks(0.713, 0.808, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.725, 0.75, 0.775, 0.8])
    """
    if not high > low:
        return [low]
    power = 10.0 ** floor(log10((high - low) / max(most - 1, 1)))
    for step in _STEPS:
        size = step * power
        first, last = ceil(low / size - 1e-9), floor(high / size + 1e-9)
        if last - first < most:
            break
    return [float(f"{k * size:.12g}") for k in range(first, last + 1)]


def tick_labels(values: list[float], percent: bool = False) -> list[str]:
    """The ticks as text, all with as many decimals as the finest of them needs.

    >>> tick_labels([0.0, 0.25, 0.5]), tick_labels([0, 0.5], percent=True), tick_labels([0, 2e6])
    (['0.00', '0.25', '0.50'], ['0%', '50%'], ['0', '2M'])
    """
    top = max(map(abs, values), default=0.0)
    unit, sign = (1e6, "M") if top >= 1e6 else (1e3, "k") if top >= 1e5 else (1.0, "")
    if percent:
        unit, sign = 0.01, "%"
    scaled = [value / unit for value in values]
    decimals = max((len(f"{v:.6f}".rstrip("0").partition(".")[2]) for v in scaled), default=0)
    return [
        f"0{'%' if percent else ''}" if value == 0 and sign else f"{value:,.{decimals}f}{sign}"
        for value in scaled
    ]


def span(values: Iterable[float], part: float = 0.05) -> tuple[float, float]:
    """From the least to the largest of the finite values, with room; not below 0 if none is.

    >>> span([0.5, 1.5, float("nan")]), span([0.01, 1.0])
    ((0.45, 1.55), (0.0, 1.0495))
    """
    finite = [value for value in values if isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    room = part * (high - low) or 0.05 * abs(high) or 0.05
    return max(low - room, 0.0) if low >= 0 else low - room, high + room


def round_span(values: Iterable[float]) -> tuple[float, float]:
    """From a round number below the values to one above them, which tells no value exactly.

    >>> round_span([0.13, 0.98])
    (0.0, 1.0)
    """
    low, high = span(values, 0.02)
    step = np.diff(ticks(low, high, 7)[:2]).max(initial=0.0) or 1.0
    return float(step * floor(low / step)), float(step * ceil(high / step))


def measure_axis(measure: str, values: Iterable[float], part: float = 0.05) -> Axis:
    """An axis for the values of a measure: in percent where people read it so, in its bounds."""
    low, high = span(values, part)
    try:
        bounds = measures.titled(measure).bounds
    except InputError:  # a measure of the user's own
        bounds = (-inf, inf)
    name = measure_name(measure)
    return Axis(name, max(low, bounds[0]), min(high, bounds[1]), percent=in_percent(measure))
