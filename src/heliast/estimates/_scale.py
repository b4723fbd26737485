"""The scale on which limits for a bounded measure are symmetric: logit, log or plain."""

from math import exp, isfinite, log

from heliast.estimates._record import Scale

Bounds = tuple[float, float]


def clipped(low: float, high: float, bounds: Bounds) -> tuple[float, float]:
    """The limits, cut where the measure cannot go."""
    return max(bounds[0], low), min(bounds[1], high)


def scaled(value: float, se: float, q: float, bounds: Bounds) -> tuple[float, float, Scale]:
    """(low, high, name of the scale): value +- q se where the bounds lie at infinity, and back.

    The scale is logit between two bounds, log of the distance to a single one. The slope of the
    scale at the value turns the standard error. At a bound, or without bounds, the scale is plain.

    >>> low, high, name = scaled(0.9, 0.05, 1.96, (0.0, 1.0))
    >>> round(low, 3), round(high, 3), name
    (0.752, 0.964, 'logit')
    """
    least, most = bounds
    below, above = value - least, most - value
    if below <= 0 or above <= 0 or not (isfinite(least) or isfinite(most)):
        return (*clipped(value - q * se, value + q * se, bounds), "plain")
    if isfinite(least) and isfinite(most):
        middle, half = log(below / above), q * se * (most - least) / (below * above)
        ends = (_share(middle - half), _share(middle + half))
        return least + (most - least) * ends[0], least + (most - least) * ends[1], "logit"
    if isfinite(least):
        half = q * se / below
        return least + below * _exp(-half), least + below * _exp(half), "log"
    half = q * se / above
    return most - above * _exp(half), most - above * _exp(-half), "log"


def _exp(x: float) -> float:
    return exp(x) if x < 700 else float("inf")


def _share(x: float) -> float:
    """1 / (1 + exp(-x)) without overflow."""
    return 1 / (1 + _exp(-x)) if x >= 0 else _exp(x) / (1 + _exp(x))
