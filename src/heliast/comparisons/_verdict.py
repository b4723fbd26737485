"""A difference in words."""

from math import isnan

from heliast._core.errors import InputError
from heliast.comparisons._checks import Better, check_better, check_margin


def verdict(
    value: float,
    low: float,
    high: float,
    low90: float,
    high90: float,
    margin: float,
    better: Better = "high",
    *,
    p: float | None = None,
    level: float = 0.95,
) -> str:
    """What may be said of a against b, from the interval of a minus b and a margin d.

    The interval beyond d: "better" (or "worse"); it leaves out 0 only: "better, perhaps by less
    than d"; the 90% interval inside (-d, d): "equivalent within d", which is two one-sided tests
    at 5%; otherwise "undecided", and never "equal". With `p` (adjusted, if there are several
    tests) models are told apart only if p is below 1 - `level` too.

    >>> verdict(0.03, 0.015, 0.045, 0.018, 0.042, margin=0.01, better="low")
    'worse'
    >>> verdict(0.001, -0.006, 0.008, -0.005, 0.007, margin=0.01)
    'equivalent within 0.01'
    """
    check_better(better)
    check_margin(margin)
    for name, ends in (("low, high", (low, high)), ("low90, high90", (low90, high90))):
        if ends[0] > ends[1]:
            raise InputError(f"{name}={ends}: the lower limit comes first")
    apart = (low > 0 or high < 0) and (p is None or p < 1 - level)
    if apart and not isnan(value):
        word = "better" if (low > 0) == (better == "high") else "worse"
        beyond = low > margin or high < -margin
        return word if beyond else f"{word}, perhaps by less than {margin:g}"
    if -margin < low90 and high90 < margin:
        return f"equivalent within {margin:g}"
    return "undecided"
