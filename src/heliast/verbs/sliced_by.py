"""The words that name slices: light, as the command line reads them before anything is imported."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heliast._core.errors import InputError

By = str | Sequence[str | Sequence[str]]
# Numbers are cut at quantiles into so many parts of about as many rows.
PARTS = 4
# What every table can be sliced by without keeping a column.
OWN = ("y_true", "y_pred", "group", "split")
_PARTED = re.compile(r"(.+):([0-9]{1,3})")


def as_by(by: object) -> tuple[tuple[str, ...], ...]:
    """The columns to slice by, each with those that it is crossed with.

    >>> as_by(["region", "region * age:3"])
    (('region',), ('region', 'age:3'))
    """
    if by is None:
        return ()
    items: Any = [by] if isinstance(by, str) else by
    if isinstance(items, Mapping) or not isinstance(items, Sequence):
        raise InputError(
            f"by={type(by).__name__}: name a column, or several in a list (values go to "
            "columns={'name': values}, and by='name')"
        )
    crossed = []
    for item in items:
        words = item.split("*") if isinstance(item, str) else item
        if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
            raise InputError(f"by={by!r:.60}: name a column, or several in a list")
        names = tuple(word.strip() for word in words)
        if not names or not all(names):
            raise InputError(f"by={by!r:.60}: a column without a name")
        crossed.append(names)
    return tuple(dict.fromkeys(crossed))


def to_keep(by: object) -> tuple[str, ...]:
    """The columns that must be kept to slice by these.

    >>> to_keep(["y_true", "region*age:3"])
    ('region', 'age')
    """
    names = dict.fromkeys(parted(word)[0] for words in as_by(by) for word in words)
    return tuple(name for name in names if name not in OWN)


def parted(word: str) -> tuple[str, int]:
    """The column, and into how many parts its numbers are cut."""
    match = _PARTED.fullmatch(word)
    return (word, PARTS) if match is None else (match[1], int(match[2]))
