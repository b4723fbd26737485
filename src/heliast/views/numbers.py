"""How values of a measure are written: which are per cent; and times and sizes."""

import math
import re
from collections.abc import Iterable

from heliast import measures
from heliast._core.errors import InputError
from heliast._core.numbers import Write as Write
from heliast._core.numbers import count as count
from heliast._core.numbers import number, percent


def brief(words: str) -> str:
    """The first clause of what a method says of itself, where there is no room for more.

    >>> brief("McNemar (mid-p), interval by Newcombe")
    'McNemar (mid-p)'
    """
    return words.split(",")[0].split(";")[0]


def unnumbered(words: str) -> str:
    """The same without a number of this one case in brackets.

    >>> unnumbered("skewness-corrected t (skewness 5.3), Johnson")
    'skewness-corrected t'
    """
    return re.sub(r" \([a-z ]*[\d.]+\)$", "", brief(words))


def joined(names: Iterable[str]) -> str:
    """Names one after another as in a sentence, each once.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = dict.fromkeys(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def in_percent(title: str) -> bool:
    """Whether people read this measure, given by its title, in per cent.

    >>> in_percent("error"), in_percent("auc"), in_percent("variance_effect")
    (True, False, False)
    """
    try:
        return measures.titled(title).percent
    except InputError:  # a part of a decomposition, a measure of the user's own
        return False


def unit_of(title: str) -> str:
    """What this measure, given by its title, is taken of.

    >>> unit_of("error"), unit_of("pass@3")
    ('rows', 'items')
    """
    try:
        return "items" if measures.titled(title).task == "graded" else "rows"
    except InputError:  # a measure of the user's own
        return "rows"


def writes(title: str) -> Write:
    """How values of a measure are written."""
    return percent if in_percent(title) else number


UNITS = ((1e6, "MB"), (1e3, "kB"), (1.0, "bytes"))


def seconds(value: float) -> str:
    """A time with its unit; a dash where it is not known.

    >>> seconds(2.5), seconds(0.0123), seconds(math.nan)
    ('2.50 s', '12.3 ms', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.3g} ms"


def storage(value: float) -> str:
    """A number of bytes with its unit; a dash where it is not known.

    >>> storage(2856), storage(math.nan)
    ('2.86 kB', '–')
    """
    if math.isnan(value):
        return "–"
    unit, sign = next(((u, s) for u, s in UNITS if value >= u), UNITS[-1])
    return f"{value / unit:.3g} {sign}"
