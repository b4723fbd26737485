"""Names of models and classes as a page shows them: short, told apart, in one direction."""

from collections.abc import Iterable

from heliast.views.numbers import shorten

LONGEST = 48
"""Letters of a name that a table shows; the rest stands in the tooltip."""


def shown(names: Iterable[object], longest: int = LONGEST) -> list[str]:
    """The names cut to a length; those that would look the same afterwards are numbered.

    >>> shown(["tree", "x" * 60 + "1", "x" * 60 + "2"], 8)
    ['tree', 'xxxxxxx…', 'xxxxxxx… (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for name in names:
        short = shorten(name, longest) or "(no name)"
        seen[short] = seen.get(short, 0) + 1
        found.append(short if seen[short] == 1 else f"{short} ({seen[short]})")
    return found
