"""How the numbers of views are written: those of `_core`, and which measures are per cent."""

from heliast import measures
from heliast._core.errors import InputError
from heliast._core.numbers import (
    Figures,
    Limited,
    Write,
    count,
    figures,
    limits,
    more_digits,
    number,
    percent,
    points,
    shorten,
    written,
)

__all__ = [
    "Figures",
    "Limited",
    "Write",
    "brief",
    "count",
    "figures",
    "in_percent",
    "limits",
    "more_digits",
    "number",
    "percent",
    "points",
    "shorten",
    "writes",
    "written",
]


def brief(words: str) -> str:
    """The first clause of what a method says of itself, where there is no room for more.

    >>> brief("McNemar (mid-p), interval by Newcombe")
    'McNemar (mid-p)'
    """
    return words.split(",")[0].split(";")[0]


def in_percent(title: str) -> bool:
    """Whether people read this measure, given by its title, in per cent.

    >>> in_percent("error"), in_percent("auc"), in_percent("variance_effect")
    (True, False, False)
    """
    try:
        return measures.titled(title).percent
    except InputError:  # a part of a decomposition, a measure of the user's own
        return False


def writes(title: str) -> Write:
    """How values of a measure are written."""
    return percent if in_percent(title) else number
