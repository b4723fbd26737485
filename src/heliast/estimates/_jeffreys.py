"""The Jeffreys interval for a proportion."""

from heliast.estimates._proportion import Side, of_proportion, serve, widened
from heliast.estimates._record import Estimate

_TITLE = "Jeffreys"


def jeffreys(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Equal tails of the posterior Beta(x + 1/2, n - x + 1/2) under Jeffreys' prior.

    With no success the lower end is 0, with no failure the upper end is 1 (Brown, Cai and
    DasGupta 2001). Undefined (NaN with a reason) when n = 0.

    >>> round(jeffreys(8, 30).low, 4)
    0.1349
    """
    return of_proportion(jeffreys_limits, _TITLE, successes, n, level, side)


def jeffreys_limits(
    rate: float, n: float, level: float, df: float | None = None
) -> tuple[float, float]:
    """The limits for a rate over n (possibly effective) rows."""
    from scipy.special import betaincinv

    if n <= 0:
        return 0.0, 1.0
    level = widened(level, df)
    a, b = rate * n + 0.5, (1 - rate) * n + 0.5
    low = 0.0 if rate == 0 else float(betaincinv(a, b, (1 - level) / 2))
    high = 1.0 if rate == 1 else float(betaincinv(a, b, (1 + level) / 2))
    return low, high


serve("jeffreys", _TITLE, jeffreys_limits)
