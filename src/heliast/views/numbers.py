"""How values of a measure are written: which are per cent."""

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


def writes(title: str) -> Write:
    """How values of a measure are written."""
    return percent if in_percent(title) else number
