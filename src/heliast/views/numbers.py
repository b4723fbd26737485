"""How numbers are written for people: short, aligned, never more digits than they deserve."""

import math


def number(value: float | None) -> str:
    """A value to three decimals, or three significant digits where that says more.

    >>> number(0.26667), number(1234.5), number(0.00012)
    ('0.267', '1230', '0.00012')
    """
    if value is None or math.isnan(value):
        return "-"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == 0 or 0.001 <= abs(value) < 10:
        return f"{value:.3f}"
    if abs(value) < 0.001:
        return f"{value:.2g}"
    return f"{float(f'{value:.3g}'):g}"


def percent(value: float) -> str:
    """A share in per cent, with one decimal.

    >>> percent(0.0312)
    '3.1%'
    """
    return f"{100 * value:.1f}%"


def between(low: float | None, high: float | None) -> str:
    """An interval in words.

    >>> between(0.1418, 0.4445)
    '0.142 to 0.445'
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return "-"
    return f"{number(low)} to {number(high)}"


def count(value: float) -> str:
    """A count with thousands set apart.

    >>> count(20000)
    '20,000'
    """
    return f"{value:,.0f}"


def shorten(text: object, width: int) -> str:
    """The text in at most `width` characters, on one line, with control characters shown.

    >>> shorten("a long name of a class", 10)
    'a long na…'
    """
    line = "".join(letter if letter.isprintable() else "·" for letter in str(text))
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"
