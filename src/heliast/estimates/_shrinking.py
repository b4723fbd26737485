"""How the limits of an estimate move towards its value when there are more rows."""

from collections.abc import Callable
from math import atanh, exp, inf, log, sqrt, tanh

from heliast._core.level import quantile
from heliast._core.proportions import LIMITS, ProportionLimits
from heliast.estimates._record import Estimate

Ends = Callable[[float], tuple[float, float]]
"""n -> (low, high)."""
Function = Callable[[float], float]
APPROXIMATE = "limits of this method are taken to shrink as 1/sqrt(n)"
_SCALES: dict[str, tuple[Function, Function]] = {
    "logit": (lambda x: log(x / (1 - x)), lambda x: 1 / (1 + exp(-x))),
    "log": (log, exp),
    "atanh": (atanh, tanh),
}


def shrinking(one: Estimate) -> tuple[Ends, tuple[str, ...]]:
    """The limits as a function of n that gives those at hand at the n at hand, and a caveat."""
    if one.scale == "rate":
        return _score(one, _rate_spread), ()
    if one.scale == "f":
        return _of_f(one), ()
    if one.scale == "area":
        return _score(one, _area_spread), ()
    if one.scale == "exact" and _exact(one, LIMITS[one.key])(one.n) == (one.low, one.high):
        return _exact(one, LIMITS[one.key]), ()
    if one.scale in _SCALES and _inside(one, _SCALES[one.scale][0]):
        return _scaled(one, *_SCALES[one.scale]), ()
    if one.scale == "student":
        return _student(one), ()
    known = one.scale == "plain" or one.scale in _SCALES
    return _scaled(one, lambda x: x, lambda x: x), () if known else (APPROXIMATE,)


def spreading(one: Estimate) -> Function:
    """value -> half of the interval's width at that value, times sqrt(n).

    The variance of a rate is that of 0 and 1, the variance of an AUC depends on it much alike;
    everything else is taken to vary at any value as it does at the one seen.
    """
    half = sqrt(one.n) * (one.high - one.low) / 2
    if one.scale == "bets on a rate":
        # With few rows bets cannot be as large as they should: the level tells more.
        return lambda value: quantile(one.level) * sqrt(max(0.0, _rate_spread(value)))
    if one.scale == "bets" and one.se > 0:
        return lambda value: quantile(one.level) * sqrt(one.n) * one.se
    if one.scale == "rate":
        spread: Function = _rate_spread
    elif one.scale == "area" or one.key in ("delong", "delong_plain"):
        spread = _area_spread
    else:
        return lambda value: half
    # Each limit tells the constant; a limit at the edge of the range tells nothing.
    known = [_constant(one.value, end, spread) for end in (one.low, one.high) if 0 < end < 1]
    constant = sum(known) / len(known) * one.n if known else inf
    return lambda value: sqrt(constant * max(0.0, spread(value)))


def _score(one: Estimate, spread: Function) -> Ends:
    """Limits a with (value - a)^2 = c spread(a), where c is q^2 / n.

    Each limit tells its own c, so neither the quantile nor the effective n need be known.
    """
    value = one.value
    now = [_constant(value, end, spread) for end in (one.low, one.high)]

    def ends(n: float) -> tuple[float, float]:
        low, high = (c * one.n / n for c in now)
        return _solved(value, low, 0.0, spread), _solved(value, high, 1.0, spread)

    return ends


def _constant(value: float, end: float, spread: Function) -> float:
    return (value - end) ** 2 / spread(end) if 0 < end < 1 else (0.0 if end == value else inf)


def _solved(value: float, c: float, edge: float, spread: Function) -> float:
    """The limit between the value and the edge; bisection, as 0 and 1 are solutions too."""
    if c == 0:
        return value
    if c == inf:
        return edge
    near, far = value, edge
    for _ in range(100):
        middle = (near + far) / 2
        if (value - middle) ** 2 < c * spread(middle):
            near = middle
        else:
            far = middle
    return (near + far) / 2


def _rate_spread(a: float) -> float:
    return a * (1 - a)


def _area_spread(a: float) -> float:
    """How the variance of an AUC depends on the area, but for classes of a few rows."""
    return a * (1 - a) * ((1 - a) / (2 - a) + a / (1 + a))


def _of_f(one: Estimate) -> Ends:
    """F = 2Q/(1+Q), Wilson on Q."""
    value, low, high = (f / (2 - f) for f in (one.value, one.low, one.high))
    ends = _score(Estimate(value, low, high, n=one.n), _rate_spread)

    def back(n: float) -> tuple[float, float]:
        low, high = ends(n)
        return 2 * low / (1 + low), 2 * high / (1 + high)

    return back


def _exact(one: Estimate, limits: ProportionLimits) -> Ends:
    worth = one.n_effective / one.n
    return lambda n: limits(one.value, worth * n, one.level)


def _inside(one: Estimate, there: Function) -> bool:
    try:
        return all(abs(there(x)) < inf for x in (one.low, one.value, one.high))
    except (ValueError, ZeroDivisionError):
        return False


def _scaled(one: Estimate, there: Function, back: Function) -> Ends:
    """Each limit comes nearer as 1/sqrt(n) on the scale."""
    middle = there(one.value)
    low, high = there(one.low) - middle, there(one.high) - middle

    def ends(n: float) -> tuple[float, float]:
        share = sqrt(one.n / n)
        return back(middle + share * low), back(middle + share * high)

    return ends


def _student(one: Estimate) -> Ends:
    """As 1/sqrt(n), and Student's quantile follows n - 1."""
    now = quantile(one.level, max(1.0, one.n - 1))

    def ends(n: float) -> tuple[float, float]:
        share = sqrt(one.n / n) * quantile(one.level, n - 1) / now
        return (
            one.value - share * (one.value - one.low),
            one.value + share * (one.high - one.value),
        )

    return ends
