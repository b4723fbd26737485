"""A table of named columns, wherever it came from: what every reader gives and `make` takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.places import ROWS, Places


class UnusableError(InputError):
    """A column of a type that no model here can take; left out of the inputs, with a note."""


@dataclass
class Table:
    """Columns by name, read when asked for.

    `declared` says which columns the source itself calls nominal; `written` that values were
    written as text, so that `1` is a number; `frame` is the user's data frame, through narwhals.
    """

    title: str
    stem: str
    names: list[str]
    fetch: Callable[[str], Column]
    places: Places = ROWS
    notes: list[str] = field(default_factory=list)
    declared: frozenset[str] = frozenset()
    nominal_target: bool = False
    written: bool = False
    frame: Any = None


def refuse_duplicates(names: Sequence[str]) -> None:
    """Two columns of one name cannot be told apart."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(
                f"two columns are named {name!r}; rename one (a file without a header line needs "
                "names= for its columns)"
            )
        seen.add(name)


def as_names(given: object, argument: str) -> tuple[str, ...]:
    """One name or several, as text."""
    if given is None:
        return ()
    if isinstance(given, (str, int)):
        return (str(given),)
    try:
        return tuple(str(name) for name in given)  # type: ignore[attr-defined]
    except TypeError:
        raise InputError(f"{argument}={given!r}: give the names of columns in a list") from None


def known(name: str, names: Sequence[str], argument: str) -> str:
    """The name, if there is such a column; else the closest names are shown."""
    if name in names:
        return name
    folded = {one.lower(): one for one in names}
    close = [folded[one] for one in get_close_matches(name.lower(), folded, n=3, cutoff=0.5)]
    if close:
        hint = f"did you mean {' or '.join(map(repr, close))}?"
    else:
        hint = f"the columns are {listed(names)}"
    raise InputError(f"{argument}={name!r}: there is no such column; {hint}")


def listed(names: Sequence[object], most: int = 8) -> str:
    """The first few names, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
