"""The smooth calibration curve: a local line through outcomes over forecasts."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
SPAN, STEP = 2 / 3, 0.01


def smooth(forecast: Array, outcome: Array) -> Array:
    """What comes true at each forecast, by local lines through the nearest two thirds of the rows.

    Lines are weighted by (1 - (distance / farthest)³)³, fitted at forecasts a hundredth of the
    range apart, and joined straight in between: Cleveland's lowess without robustness steps, as R
    has it with `iter = 0` (Cleveland 1979, Robust locally weighted regression and smoothing
    scatterplots).

    >>> smooth(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.0, 0.5, 1.0, 1.5])).round(6)
    array([0. , 0.5, 1. , 1.5])
    """
    order = np.argsort(forecast, kind="stable")
    x, y = forecast[order], outcome[order]
    at = _places(x)
    fitted: Array = np.interp(forecast, x[at], _lines(x, y, at))
    return fitted


def _places(x: Array) -> list[int]:
    """Where lines are fitted: the last place within a step of the one before, or the next one."""
    at, last = [0], int(np.searchsorted(x, x[0], "right")) - 1
    while last < x.size - 1:
        beyond = int(np.searchsorted(x, x[last] + STEP * (x[-1] - x[0]), "right"))
        place = max(last + 1, beyond - 1)
        at.append(place)
        last = int(np.searchsorted(x, x[place], "right")) - 1
    return at


def _lines(x: Array, y: Array, at: list[int]) -> Array:
    """The height of the local line at each of these places."""
    near = max(2, min(x.size, int(SPAN * x.size + 1e-7)))
    # A window moves right while its next row is nearer than its first.
    ends = x[:-near] + x[near:]
    found = []
    for place in at:
        centre = x[place]
        left = int(np.searchsorted(ends, 2 * centre))
        far = max(centre - x[left], x[left + near - 1] - centre)
        right = int(np.searchsorted(x, centre + 0.999 * far, "right"))
        part, distance = slice(left, right), np.abs(x[left:right] - centre)
        weight = np.where(distance <= 0.001 * far, 1.0, (1 - (distance / (far or 1.0)) ** 3) ** 3)
        weight = np.where(distance <= 0.999 * far, weight, 0.0)
        found.append(_line(x[part], y[part], weight / weight.sum(), centre, x[-1] - x[0]))
    return np.array(found)


def _line(x: Array, y: Array, weight: Array, centre: float, width: float) -> float:
    """The weighted line at the centre; the weighted mean where the rows hardly differ."""
    mean = float(weight @ x)
    square = float(weight @ (x - mean) ** 2)
    if np.sqrt(square) > 0.001 * width:
        weight = weight * (1 + (centre - mean) / square * (x - mean))
    return float(weight @ y)
