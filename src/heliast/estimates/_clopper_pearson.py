"""The Clopper-Pearson interval for a proportion: exact, and so wider than need be."""

from heliast.estimates._proportion import Side, of_proportion, serve, widened
from heliast.estimates._record import Estimate

_TITLE = "Clopper-Pearson"


def clopper_pearson(
    successes: float, n: float, level: float = 0.95, side: Side = "both"
) -> Estimate:
    """The rates that two one-sided exact binomial tests would not reject (1934).

    With x successes the limits are the quantiles (1 - level)/2 of Beta(x, n - x + 1) and
    (1 + level)/2 of Beta(x + 1, n - x). Never covers less than `level`, often much more.
    Undefined (NaN with a reason) when n = 0.

    >>> round(clopper_pearson(0, 10).high, 4)
    0.3085
    """
    return of_proportion(clopper_pearson_limits, _TITLE, successes, n, level, side)


def clopper_pearson_limits(
    rate: float, n: float, level: float, df: float | None = None
) -> tuple[float, float]:
    """The limits for a rate over n (possibly effective) rows."""
    from scipy.special import betaincinv

    if n <= 0:
        return 0.0, 1.0
    level = widened(level, df)
    hits = rate * n
    low = 0.0 if rate == 0 else float(betaincinv(hits, n - hits + 1, (1 - level) / 2))
    high = 1.0 if rate == 1 else float(betaincinv(hits + 1, n - hits, (1 + level) / 2))
    return low, high


serve("clopper_pearson", _TITLE, clopper_pearson_limits)
