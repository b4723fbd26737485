"""The Wilson score interval for a proportion."""

from math import sqrt

from heliast.estimates._proportion import Side, of_proportion, quantile, serve
from heliast.estimates._record import Estimate

_TITLE = "Wilson"


def wilson(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """The rates that a score test would not reject (Wilson 1927).

    (f + z^2/2n +- z sqrt(f(1-f)/n + z^2/4n^2)) / (1 + z^2/n). `side="upper"` gives the pessimistic
    end of an error rate: the rate is below it with confidence `level`.

    >>> round(wilson(85, 100).high, 4)
    0.9069
    """
    return of_proportion(wilson_limits, _TITLE, successes, n, level, side)


def wilson_limits(
    rate: float, n: float, level: float, df: float | None = None
) -> tuple[float, float]:
    """The limits for a rate over n (possibly effective) rows."""
    if n <= 0:
        return 0.0, 1.0
    z2n = quantile(level, df) ** 2 / n
    middle = (rate + z2n / 2) / (1 + z2n)
    half = sqrt(z2n * rate * (1 - rate) + z2n**2 / 4) / (1 + z2n)
    # At 0 and 1 the end is the rate itself; rounding must not move it.
    low = 0.0 if rate == 0 else max(0.0, middle - half)
    high = 1.0 if rate == 1 else min(1.0, middle + half)
    return low, high


serve("wilson", _TITLE, wilson_limits)
