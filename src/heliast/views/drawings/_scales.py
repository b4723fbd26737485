"""From values to pixels, and the round numbers to write at the axis."""

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import numpy as np

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


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


def tick_labels(values: list[float], share: bool = False) -> list[str]:
    """The ticks as text, all with as many decimals as the finest of them needs.

    >>> tick_labels([0.0, 0.25, 0.5]), tick_labels([0, 0.5], share=True), tick_labels([0, 2e6])
    (['0.00', '0.25', '0.50'], ['0%', '50%'], ['0', '2M'])
    """
    scaled = [value * 100 for value in values] if share else values
    unit, sign = 1.0, "%" if share else ""
    if not share:
        top = max(map(abs, values))
        unit, sign = (1e6, "M") if top >= 1e6 else (1e3, "k") if top >= 1e5 else (1.0, "")
    scaled = [value / unit for value in scaled]
    decimals = max(_decimals(value) for value in scaled)
    return [
        "0" + sign * share if value == 0 and (share or unit > 1) else f"{value:,.{decimals}f}{sign}"
        for value in scaled
    ]


def _decimals(value: float) -> int:
    text = f"{value:.6f}".rstrip("0")
    return len(text.partition(".")[2])


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
        return self.start + (np.asarray(value) - self.low) / span * (self.stop - self.start)
