"""How numbers are written for people: short, aligned, never more digits than they deserve."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

Write = Callable[[float, int], str]
"""Writes a value, with so many digits more than usual."""
SAME, MOST_DIGITS = 1e-12, 14
"""Ends nearer to a value than this share of it are the value itself, but for rounding."""


def number(value: float | None, more: int = 0) -> str:
    """A value to three decimals, or three significant digits where that says more.

    >>> number(0.26667), number(1234.5), number(0.00012), number(0.26667, 1), number(10, 2)
    ('0.267', '1230', '0.00012', '0.2667', '10.000')
    """
    if value is None or math.isnan(value):
        return "-"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == 0 or 0.001 <= abs(value) < 10:
        return f"{value:.{3 + more}f}"
    if abs(value) < 0.001:
        return f"{value:.{2 + more}g}"
    digits = 3 + more
    rounded = float(f"{value:.{digits}g}")
    if more and abs(rounded) < 10.0 ** max(6, digits):  # zeros at the end are digits, too
        return f"{rounded:.{max(digits - len(str(int(abs(rounded)))), 0)}f}"
    return f"{rounded:.{max(6, digits)}g}"


def percent(value: float, more: int = 0) -> str:
    """A share in per cent, with one decimal.

    >>> percent(0.0312), percent(0.0312, 1)
    ('3.1%', '3.12%')
    """
    return f"{100 * value:.{1 + more}f}%"


def points(value: float, more: int = 0) -> str:
    """A difference of shares in points, without their name.

    >>> points(-0.0312), points(-0.0001)
    ('-3.1', '0.0')
    """
    return f"{round(100 * value, 1 + more) + 0.0:.{1 + more}f}"


# --- a value and its interval ------------------------------------------------------------------


class Limited(Protocol):
    """A record with a value and the ends of its interval: an estimate, a difference, a ruling."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True)
class Figures:
    """A value and the ends of its interval as text, all with as many digits as they need."""

    value: str
    low: str = ""
    high: str = ""

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return bool(self.low)

    @property
    def between(self) -> str:
        """The interval in words, or a dash."""
        return f"{self.low} to {self.high}" if self.known else "-"

    @property
    def inside(self) -> str:
        """The value, and its interval in brackets where there is one."""
        return f"{self.value} [{self.low}, {self.high}]" if self.known else self.value


def figures(record: Limited, write: Write = number) -> Figures:
    """A record's value and interval as text: see `written`.

    >>> from heliast.estimates import Estimate
    >>> figures(Estimate(0.25, 0.14, 0.44)).between
    '0.140 to 0.440'
    """
    return written(record.value, record.low, record.high, write)


def written(value: float, low: float, high: float, write: Write = number) -> Figures:
    """A value and its interval: with usual digits, or as many as tell the ends from the value.

    Parameters
    ----------
    value, low, high : float
        What is written; without an interval the ends are NaN.
    write : callable
        How: `number`, `percent`, `points`.

    Returns
    -------
    Figures
        The three as text; `between` and `inside` join them.

    Examples
    --------
    >>> written(0.3771, 0.37701, 0.37719, percent).inside
    '37.71% [37.70%, 37.72%]'
    """
    if math.isnan(low) or math.isnan(high):
        return Figures(write(value, 0))
    more = more_digits(value, low, high, write)
    return Figures(write(value, more), write(low, more), write(high, more))


def more_digits(value: float, low: float, high: float, write: Write = number) -> int:
    """How many digits more than usual tell the ends of an interval from its value.

    As numbers, not as text: 10 and 10.000 are the same.

    >>> more_digits(0.377, 0.3769999, 0.3770001), more_digits(0.5, 0.5, 0.6)
    (4, 0)
    """
    ends = [
        end
        for end in (low, high)
        if math.isfinite(end) and math.isfinite(value) and abs(end - value) > SAME * abs(value)
    ]

    def read(number: float, more: int) -> float:
        return float(write(number, more).rstrip("%").replace("−", "-"))

    def told(more: int) -> bool:
        return all(read(end, more) != read(value, more) for end in ends)

    return next((more for more in range(MOST_DIGITS) if told(more)), 0)


def limits(level: float) -> str:
    """The heading of intervals.

    >>> limits(0.95)
    '95% interval'
    """
    return f"{100 * level:g}% interval"


def count(value: float) -> str:
    """A count with thousands set apart.

    >>> count(20000)
    '20,000'
    """
    return f"{value:,.0f}"


def duration(seconds: float) -> str:
    """A time for people who wait.

    >>> duration(0.4), duration(42), duration(200), duration(9000)
    ('1 s', '42 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def shorten(text: object, width: int) -> str:
    """The text in at most `width` characters, on one line, with control characters shown.

    >>> shorten("a long name of a class", 10)
    'a long na…'
    """
    line = "".join(letter if letter.isprintable() else "·" for letter in str(text))
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"
