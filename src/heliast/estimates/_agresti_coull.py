"""The Agresti-Coull interval for a proportion."""

from math import sqrt

from heliast.estimates._proportion import Side, of_proportion, quantile, serve
from heliast.estimates._record import Estimate

_TITLE = "Agresti-Coull"


def agresti_coull(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Add z^2/2 successes and z^2/2 failures, then the normal interval (1998).

    With n' = n + z^2 and p' = (x + z^2/2) / n' the limits are p' +- z sqrt(p'(1 - p') / n'), cut
    at 0 and 1. Undefined (NaN with a reason) when n = 0.

    >>> round(agresti_coull(8, 30).high, 4)
    0.4465
    """
    return of_proportion(agresti_coull_limits, _TITLE, successes, n, level, side)


def agresti_coull_limits(
    rate: float, n: float, level: float, df: float | None = None
) -> tuple[float, float]:
    """The limits for a rate over n (possibly effective) rows."""
    if n <= 0:
        return 0.0, 1.0
    z = quantile(level, df)
    more = n + z**2
    middle = (rate * n + z**2 / 2) / more
    half = z * sqrt(middle * (1 - middle) / more)
    return max(0.0, middle - half), min(1.0, middle + half)


serve("agresti_coull", _TITLE, agresti_coull_limits)
