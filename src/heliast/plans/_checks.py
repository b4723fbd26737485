"""Checks of what a plan was asked for: each message names the argument and what to do."""

from collections.abc import Iterable
from itertools import pairwise

from heliast._core.errors import InputError
from heliast.plans._dealing import Deck, Stratify

MOST = 1_000_000
"""Splits are held in memory before the first fit: more would fill it without a word."""


def check_count(name: str, value: int, least: int = 1) -> None:
    """A whole number, large enough and not beyond all sense."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least:
        raise InputError(f"{name}={value!r}: give a whole number of at least {least}")
    if value > MOST:
        raise InputError(f"{name} is beyond {MOST:,}: give a smaller number")


def check_share(name: str, value: float) -> None:
    """A share strictly between 0 and 1."""
    if not 0 < value < 1:
        raise InputError(f"{name}={value!r}: give a share of the rows between 0 and 1, such as 2/3")


def check_rising(shares: Iterable[float]) -> tuple[float, ...]:
    """Rising shares from 0 to 1, as a tuple: a list would make equal plans unequal."""
    given = tuple(shares)
    rising = all(a < b for a, b in pairwise(given))
    if not given or not rising or not 0 <= given[0] <= given[-1] <= 1:
        raise InputError(f"shares={given!r}: give rising shares between 0 and 1")
    return given


def check_stratify(value: Stratify) -> None:
    """'auto', True, False, or a number of bins."""
    if isinstance(value, str) and value == "auto":
        return
    if isinstance(value, bool) or (isinstance(value, int) and value >= 2):
        return
    raise InputError(
        f"stratify={value!r}: give 'auto', True (by class), False, or a number of bins of a "
        "number target, at least 2"
    )


def check_folds(k: int, deck: Deck) -> None:
    """As many rows, or groups, as folds."""
    if k > deck.units:
        what = "rows" if deck.group is None else "groups"
        raise InputError(
            f"k={k}: there are only {deck.units} {what}, so k can be {deck.units} at most"
        )


def size_of(name: str, share: float, deck: Deck) -> int:
    """The rows in a share, neither none nor all."""
    size = int(share * deck.n + 0.5)
    short = deck.units < 2 or not 0 < size < deck.n
    if short:
        what = f"{deck.n} rows" if deck.group is None else f"{deck.n} rows in {deck.units} groups"
        raise InputError(
            f"{name}={share:g}: of {what} this leaves one side empty; give more rows or a share "
            "nearer to one half"
        )
    return size
