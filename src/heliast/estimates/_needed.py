"""How many cases: for an interval this narrow, or one that leaves out a bar."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast._core.records import Shown
from heliast.estimates._record import Estimate
from heliast.estimates._shrinking import shrinking, spreading

POWER = 0.8
"""The usual chance to find what is there."""
MOST = 10**15
"""Beyond this nobody counts: it is as good as never."""


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
    asked = _Asked(estimate, width, bar, value, power)
    if asked.reason:
        return asked.answer(math.nan, asked.reason)
    if bar is not None and value is not None:
        return asked.planned(bar, value)
    if bar is not None and bar == estimate.value:
        return asked.answer(math.inf, "the value lies on the bar")
    ends, notes = shrinking(estimate)
    if width is not None:
        cases = least(lambda n: _span(ends(n)) <= width)
    else:
        assert bar is not None
        cases = least(lambda n: not ends(n)[0] <= bar <= ends(n)[1])
    return asked.answer(cases, "" if math.isfinite(cases) else "the limits do not come near", notes)


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


def _span(ends: tuple[float, float]) -> float:
    # A width that is met but for rounding is met.
    return (ends[1] - ends[0]) * (1 - 1e-12)


@dataclass(frozen=True)
class _Asked:
    estimate: Estimate
    width: float | None
    bar: float | None
    value: float | None
    power: float

    @property
    def what(self) -> str:
        name = f"the {100 * self.estimate.level:.5g}% interval"
        if self.value is not None:
            return f"{name} of a true value {self.value:g} leaves out {self.bar:g}"
        if self.width is not None:
            return f"{name} is no wider than {self.width:g}"
        return f"{name} leaves out {self.bar:g} if the value stays"

    @property
    def reason(self) -> str:
        one = self.estimate
        if not one.defined:
            return one.reason or "the value is undefined"
        if math.isnan(one.low) or math.isnan(one.high):
            return one.reason or "the estimate has no interval"
        if one.scale == "one-sided":
            return "the interval is one-sided; ask with a two-sided one"
        if not one.n > 0:
            return "the number of rows is not known"
        return "" if one.high > one.low else "the interval has no width to shrink"

    def planned(self, bar: float, value: float) -> Needed:
        """From the spread alone, for a true value, with a chance."""
        from scipy.special import ndtri

        if bar == value:
            return self.answer(math.inf, "the value lies on the bar")
        reach, q = spreading(self.estimate), quantile(self.estimate.level)
        # At the bar the limit is made, at the true value the estimates vary.
        both = reach(bar) + float(ndtri(self.power)) / q * reach(value)
        if not math.isfinite(both):
            return self.answer(math.nan, "the interval tells nothing of the spread")
        found = self.answer(math.ceil((both / (value - bar)) ** 2), "")
        return replace(found, more=found.cases, power=self.power, fresh=True)

    def answer(self, cases: float, reason: str, notes: tuple[str, ...] = ()) -> Needed:
        one = self.estimate
        more = max(0.0, cases - one.n) if math.isfinite(cases) else cases
        if one.target == "algorithm" and math.isfinite(cases):
            notes += ("more rows also train other models, whose value may differ",)
        if self.value is None:
            notes += _by_attempts(one, cases)
        return Needed(
            self.what, cases, math.ceil(more) if math.isfinite(more) else more, one.n,
            unit="rows" if math.isnan(one.attempts) else "items", level=one.level, notes=notes,
            reason=reason,
        )  # fmt: skip


def _by_attempts(one: Estimate, cases: float) -> tuple[str, ...]:
    """Whether more attempts at the items at hand would do as well, from the split of variance.

    The variance of a mean over n items with m attempts each is (b + w / m) / n: more attempts
    make the second part smaller only, which is `within` of the whole now.
    """
    if math.isnan(one.within) or not one.n < cases < math.inf:
        return ()
    between = 1 - one.within
    left = one.n / cases - between
    if left > 0:
        attempts = math.ceil(one.attempts * one.within / left)
        return (f"or {attempts:,} attempts at each of the {one.n:,.0f} items at hand",)
    least_ = max(2, math.ceil(cases * between))
    return (
        f"more attempts alone are not enough, as {between:.0%} of the variance is between items; "
        f"with very many attempts at each, {least_:,} items are",
    )
