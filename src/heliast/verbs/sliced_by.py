"""What tables are sliced by, in words; light, so that the command line can ask early."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heliast._core.errors import InputError

By = str | Sequence[str | Sequence[str]]
"""Columns by name, each by itself; several in a tuple, or joined by `*`, are crossed."""
PARTS = 4
"""Numbers are cut into so many parts of about as many rows, at their quantiles."""
OWN = ("y_true", "y_pred", "group", "split")
"""What every table can be sliced by without keeping a column."""
_PARTED = re.compile(r"(.+):([0-9]{1,3})")


def as_by(by: object) -> tuple[tuple[str, ...], ...]:
    """What was asked for as columns to cross, each by itself where that is one.

    >>> as_by(["region", "region * age:3"])
    (('region',), ('region', 'age:3'))
    """
    if by is None:
        return ()
    listed: Any = [by] if isinstance(by, str) else by
    if isinstance(listed, Mapping) or not isinstance(listed, Sequence):
        arrays = " (values go to columns={'name': values}, and by='name')"
        hint = arrays if hasattr(by, "__len__") else ""
        shown = type(by).__name__ if hint else f"{by!r:.60}"
        raise InputError(f"by={shown}: the name of a column, or several in a list{hint}")
    found = []
    for one in listed:
        words = one.split("*") if isinstance(one, str) else one
        if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
            raise InputError(f"by={by!r:.60}: the name of a column, or several in a list")
        names = tuple(word.strip() for word in words)
        if not names or not all(names):
            raise InputError(f"by={by!r:.60}: a column without a name")
        found.append(names)
    return tuple(dict.fromkeys(found))


def columns_of(by: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The names of the columns that are asked for.

    >>> columns_of(as_by(["region", "region*age:3"]))
    ('region', 'age')
    """
    return tuple(dict.fromkeys(parted(word)[0] for words in by for word in words))


def to_keep(by: object) -> tuple[str, ...]:
    """The columns that must be kept to slice by these.

    >>> to_keep(["y_true", "region*age:3"])
    ('region', 'age')
    """
    return tuple(name for name in columns_of(as_by(by)) if name not in OWN)


def parted(word: str) -> tuple[str, int]:
    """The column, and into how many parts its numbers are cut."""
    found = _PARTED.fullmatch(word)
    return (word, PARTS) if found is None else (found[1], int(found[2]))
