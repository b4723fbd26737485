"""How many cases: for an interval this narrow, or one that leaves out a bar."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast._core.proportions import LIMITS
from heliast._core.records import Shown
from heliast.estimates._record import Estimate
from heliast.estimates._scales import Ends

POWER = 0.8
"""The usual chance to find what is there."""
MOST = 10**15
"""Beyond this nobody counts: it is as good as never."""
APPROXIMATE = "limits of this method are taken to shrink as 1/sqrt(n)"
Function = Callable[[float], float]
EndsAt = Callable[[float], Ends]
"""n -> (low, high)."""


@dataclass(frozen=True)
class Needed(Shown):
    """How many cases do it: `cases` in all, `more` than the `now` at hand; infinite is never.

    Parameters
    ----------
    what : str
        What they are enough for.
    cases, more, now : float
        How many in all, how many more, how many there are.
    unit : str
        What is counted.
    level : float
        The confidence level of the interval.
    power : float
        With which probability they are enough; NaN: no chance is reckoned with.
    notes : tuple of str
        What was taken for granted.
    reason : str
        Why there is no number.
    fresh : bool
        Whether all of them are to be new: those at hand were looked at already.

    Examples
    --------
    >>> print(Needed("the interval is no wider than 0.02", 9604, 9504, 100))
    9,604 rows, 9,504 more than now, and the interval is no wider than 0.02.
    """

    what: str
    cases: float = math.nan
    more: float = math.nan
    now: float = math.nan
    unit: str = "rows"
    level: float = 0.95
    power: float = math.nan
    notes: tuple[str, ...] = ()
    reason: str = ""
    fresh: bool = False

    def __str__(self) -> str:
        if math.isnan(self.cases):
            return f"How many {self.unit} are needed is not known: {self.reason}."
        if math.isinf(self.cases):
            return f"No number of {self.unit} is enough: {self.reason}."
        more = f", {self.more:,.0f} more than now" if self.more else ", no more than now"
        more = "" if math.isnan(self.more) or self.fresh else more
        chance = "" if math.isnan(self.power) else f" with probability {self.power:.0%}"
        new = "fresh " if self.fresh else ""
        return f"{self.cases:,.0f} {new}{self.unit}{more}, and {self.what}{chance}."


def cases_needed(
    estimate: Estimate,
    *,
    width: float | None = None,
    bar: float | None = None,
    value: float | None = None,
    power: float = POWER,
) -> Needed:
    """The least n at which the estimate's interval is no wider, or leaves out the bar.

    Give `width`, the largest high - low, or `bar`, the value to be told from. The value, the level
    and the method stay, and so does what a row is worth (n_effective / n): Wilson and the score
    interval of AUC are solved anew at each n, limits on the logit, log or atanh scale shrink there
    as 1/sqrt(n), Student's quantile follows n, and everything else shrinks as 1/sqrt(n), each side
    by itself. Rows are counted as `n` of the estimate counts them: for recall, those of the class.

    To plan a test, give a `bar` and the true `value` that it is to tell from the bar with
    probability `power`. Only the spread is taken from the estimate, not its value: n is
    ((q s(bar) + z s(value)) / (value - bar))^2, s the standard deviation of one row there, z the
    normal quantile at `power`. With `bar` alone the value is taken to stay and no chance is
    reckoned with: the value of new rows will be another one, and falls short about every other
    time; rows added until the interval leaves out a bar find too much.

    Parameters
    ----------
    estimate : Estimate
        A value with its interval.
    width : float, optional
        The largest high - low.
    bar : float, optional
        The value that the interval is to leave out.
    value : float, optional
        The true value to plan for; the value seen if not given.
    power : float
        With `value`, the probability that the interval leaves out the bar.

    Returns
    -------
    Needed
        The number of cases; not known where there is no interval to go by.

    Raises
    ------
    InputError
        If neither or both of `width` and `bar` are given, or one is no usable number.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> cases_needed(wilson(15, 100), width=0.05).cases
    784
    >>> print(wilson(15, 100).cases_for(bar=0.2))
    246 rows, 146 more than now, and the 95% interval leaves out 0.2 if the value stays.
    >>> print(cases_needed(wilson(15, 100), bar=0.2, value=0.15))
    471 fresh rows, and the 95% interval of a true value 0.15 leaves out 0.2 with probability 80%.

    References
    ----------
    J. L. Fleiss, B. Levin and M. C. Paik (2003), Statistical methods for rates and proportions,
    Wiley.
    """
    if (width is None) == (bar is None):
        raise InputError("give either width= (of the interval) or bar= (to be left out of it)")
    if width is not None and not 0 < width < math.inf:
        raise InputError(f"width={width}: high minus low, a number above 0")
    if bar is not None and not math.isfinite(bar):
        raise InputError(f"bar={bar}: expected a finite number")
    if value is not None and not (bar is not None and math.isfinite(value)):
        raise InputError(f"value={value}: a finite number, to be told from bar=")
    check_power(power)
    what = _what(estimate, width, bar, value)
    if reason := _unknown(estimate):
        return _answer(estimate, what, math.nan, reason)
    if bar is not None and bar == (estimate.value if value is None else value):
        return _answer(estimate, what, math.inf, "the value lies on the bar")
    if bar is not None and value is not None:
        return _planned(estimate, what, bar, value, power)
    ends, notes = shrinking(estimate)
    if bar is None:
        # A width that is met but for rounding is met.
        most = float(width or 0.0) * (1 + 1e-12)
        cases = least(lambda n: ends(n)[1] - ends(n)[0] <= most)
    else:
        cases = least(lambda n: not ends(n)[0] <= bar <= ends(n)[1])
    reason = "" if math.isfinite(cases) else "the limits do not come near"
    return _answer(estimate, what, cases, reason, notes)


def least(enough: Callable[[int], bool]) -> float:
    """The smallest whole n >= 2 that is enough, where more never is less; infinite if none is.

    >>> least(lambda n: n * n >= 1000)
    32
    """
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST:
            return math.inf
    low = high // 2 if high > 2 else 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def check_power(power: float) -> None:
    """Refuse a power that is no chance worth planning for."""
    if not 0.5 <= power < 1:
        raise InputError(f"power={power}: the chance to decide, from 0.5 to below 1")


def _what(estimate: Estimate, width: float | None, bar: float | None, value: float | None) -> str:
    name = f"the {100 * estimate.level:.5g}% interval"
    if width is not None:
        return f"{name} is no wider than {width:g}"
    if value is not None:
        return f"{name} of a true value {value:g} leaves out {bar:g}"
    return f"{name} leaves out {bar:g} if the value stays"


def _unknown(estimate: Estimate) -> str:
    """Why there is nothing to go by; nothing if there is."""
    if not estimate.defined:
        return estimate.reason or "the value is undefined"
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return estimate.reason or "the estimate has no interval"
    if estimate.scale == "one-sided":
        return "the interval is one-sided; ask with a two-sided one"
    if not estimate.n > 0:
        return "the number of rows is not known"
    return "" if estimate.high > estimate.low else "the interval has no width to shrink"


def _planned(estimate: Estimate, what: str, bar: float, value: float, power: float) -> Needed:
    """From the spread alone, for a true value, with a chance."""
    from scipy.special import ndtri

    half_width = spreading(estimate)
    # At the bar the limit is made, at the true value the estimates vary.
    z = float(ndtri(power)) / quantile(estimate.level)
    both = half_width(bar) + z * half_width(value)
    if not math.isfinite(both):
        return _answer(estimate, what, math.nan, "the interval tells nothing of the spread")
    needed = _answer(estimate, what, math.ceil((both / (value - bar)) ** 2), "")
    return replace(needed, more=needed.cases, power=power, fresh=True)


def _answer(
    estimate: Estimate, what: str, cases: float, reason: str, notes: tuple[str, ...] = ()
) -> Needed:
    more = math.ceil(max(0.0, cases - estimate.n)) if math.isfinite(cases) else cases
    if estimate.target == "algorithm" and math.isfinite(cases):
        notes = ("more rows also train other models, whose value may differ", *notes)
    unit = "rows" if math.isnan(estimate.attempts) else "items"
    return Needed(what, cases, more, estimate.n, unit, estimate.level, notes=notes, reason=reason)


# --- limits as a function of n -------------------------------------------------------------------

# How the variance of one row depends on the value: of a rate, and nearly of an AUC.
VARIANCES: dict[str, Function] = {
    "rate": lambda a: a * (1 - a),
    "area": lambda a: a * (1 - a) * ((1 - a) / (2 - a) + a / (1 + a)),
}
SCALES: dict[str, tuple[Function, Function]] = {
    "plain": (lambda x: x, lambda x: x),
    "logit": (lambda x: math.log(x / (1 - x)), lambda x: 1 / (1 + math.exp(-x))),
    "log": (math.log, math.exp),
    "atanh": (math.atanh, math.tanh),
}


def shrinking(estimate: Estimate) -> tuple[EndsAt, tuple[str, ...]]:
    """The limits as a function of n that gives those at hand at the n at hand, and a caveat."""
    scale, now = estimate.scale, (estimate.low, estimate.high)
    if scale in VARIANCES:
        return _by_score(estimate.value, now, estimate.n, VARIANCES[scale]), ()
    if scale == "f":  # F = 2Q/(1+Q), score limits of Q
        value, low, high = (f / (2 - f) for f in (estimate.value, *now))
        ends = _by_score(value, (low, high), estimate.n, VARIANCES["rate"])

        def of_f(n: float) -> Ends:
            low, high = ends(n)
            return 2 * low / (1 + low), 2 * high / (1 + high)

        return of_f, ()
    if scale == "exact":
        limits, share = LIMITS[estimate.key], estimate.n_effective / estimate.n

        def exact(n: float) -> Ends:
            return limits(estimate.value, share * n, estimate.level)

        if exact(estimate.n) == now:
            return exact, ()
    if scale == "student":
        at_hand = quantile(estimate.level, max(1.0, estimate.n - 1))

        def longer(n: float) -> float:
            return quantile(estimate.level, n - 1) / at_hand

        return _by_scale(estimate, SCALES["plain"], longer), ()
    known = scale in SCALES
    try:
        return _by_scale(estimate, SCALES[scale if known else "plain"]), (
            () if known else (APPROXIMATE,)
        )
    except (ValueError, ZeroDivisionError):  # a limit lies at an end of the scale
        return _by_scale(estimate, SCALES["plain"]), ()


def _by_scale(
    estimate: Estimate, scale: tuple[Function, Function], longer: Function = lambda n: 1.0
) -> EndsAt:
    """Each limit comes nearer as 1/sqrt(n) on the scale."""
    there, back = scale
    middle = there(estimate.value)
    low, high = there(estimate.low) - middle, there(estimate.high) - middle

    def ends(n: float) -> Ends:
        share = math.sqrt(estimate.n / n) * longer(n)
        return back(middle + share * low), back(middle + share * high)

    return ends


def _by_score(value: float, now: Ends, n_now: float, variance: Function) -> EndsAt:
    """Limits a with (value - a)^2 = c variance(a), where c is q^2 / n.

    Each limit tells its own c, so neither the quantile nor the effective n need be known.
    """
    low, high = (_constant(value, end, variance) for end in now)

    def ends(n: float) -> Ends:
        share = n_now / n
        return (
            _solved(value, share * low, 0.0, variance),
            _solved(value, share * high, 1.0, variance),
        )

    return ends


def _constant(value: float, end: float, variance: Function) -> float:
    return (value - end) ** 2 / variance(end) if 0 < end < 1 else math.inf * (end != value)


def _solved(value: float, c: float, edge: float, variance: Function) -> float:
    """The limit between the value and the edge; bisection, as 0 and 1 are solutions too."""
    if not 0 < c < math.inf:
        return edge if c == math.inf else value
    near, far = value, edge
    for _ in range(100):
        middle = (near + far) / 2
        inside = (value - middle) ** 2 < c * variance(middle)
        near, far = (middle, far) if inside else (near, middle)
    return (near + far) / 2


def spreading(estimate: Estimate) -> Function:
    """value -> half of the interval's width at that value, times sqrt(n).

    The variance of a rate is that of 0 and 1, the variance of an AUC depends on it much alike;
    everything else is taken to vary at any value as it does at the one seen.
    """
    scale, q = estimate.scale, quantile(estimate.level)
    if scale == "bets on a rate":
        # With few rows bets cannot be as large as they should: the level tells more.
        return lambda value: q * math.sqrt(max(0.0, VARIANCES["rate"](value)))
    if scale == "bets" and estimate.se > 0:
        return lambda value: q * math.sqrt(estimate.n) * estimate.se
    if estimate.key in ("delong", "delong_plain"):
        scale = "area"
    if scale not in VARIANCES:
        half = math.sqrt(estimate.n) * (estimate.high - estimate.low) / 2
        return lambda value: half
    # Each limit tells the constant; a limit at the edge of the range tells nothing.
    variance, ends = VARIANCES[scale], (estimate.low, estimate.high)
    known = [_constant(estimate.value, end, variance) for end in ends if 0 < end < 1]
    if not known:
        return lambda value: math.inf
    # An exact limit of few rows lies farther out than the score limits, which are both the same.
    constant = (min(known) if scale == "rate" else sum(known) / len(known)) * estimate.n
    return lambda value: math.sqrt(constant * max(0.0, variance(value)))
