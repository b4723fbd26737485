"""Text on a terminal: lines that do not fit are folded, between cells where they can be."""

import re
import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand, TyperGroup

LEAST = 20
"""The fewest columns that are folded to."""


def folded(text: str) -> str:
    """The text for this terminal, as it is if there is none: a log or a file has no columns."""
    columns = shutil.get_terminal_size((0, 0)).columns
    return fold(text, max(LEAST, columns)) if columns else text


def fold(text: str, width: int) -> str:
    """Text in lines of at most so many columns; what goes on stands further in.

    >>> print(fold("error     0.333  0.186 to 0.522  Wilson", 20))
    error  0.333
      0.186 to 0.522
      Wilson
    """
    return "\n".join(part for line in text.split("\n") for part in _parts(line, width))


def _parts(line: str, width: int) -> Iterator[str]:
    if len(line) <= width:
        yield line
        return
    first, *cells = re.split(" {2,}", line.strip(" "))
    begin = " " * min(len(line) - len(line.lstrip(" ")), width // 2)
    inside = begin + "  "
    *done, now = _wrapped(first, width, begin, inside)
    yield from done
    for cell in cells:
        if len(now) + 2 + len(cell) <= width:
            now += "  " + cell
        else:
            yield now
            *done, now = _wrapped(cell, width, inside, inside)
            yield from done
    yield now


def _wrapped(cell: str, width: int, begin: str, inside: str) -> list[str]:
    """A cell in lines; one that is empty is a line, too."""
    return textwrap.wrap(
        cell, width, initial_indent=begin, subsequent_indent=inside, break_on_hyphens=False
    ) or [begin]


class _Folds:
    """Help that fits the terminal; the library that writes it takes 50 columns at least."""

    def get_help(self, ctx: Any) -> str:
        return folded(super().get_help(ctx))  # type: ignore[misc]

    def get_usage(self, ctx: Any) -> str:
        return folded(super().get_usage(ctx))  # type: ignore[misc]


class Command(_Folds, TyperCommand):
    """A verb whose help fits the terminal."""


class Commands(_Folds, TyperGroup):
    """A group of verbs whose help fits the terminal."""
