"""How values of a measure are written: which are per cent."""

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
