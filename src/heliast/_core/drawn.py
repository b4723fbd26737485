"""Who draws what: drawings enter themselves here, so that records below them can be drawn.

A record never imports the drawings (they sit above it and import it): it asks here, and here they
are loaded by name when the first picture is wanted.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

from heliast._core.errors import InputError

F = TypeVar("F", bound=Callable[..., str])
_DRAWERS: dict[type, Callable[..., str]] = {}


def draws(kind: type) -> Callable[[F], F]:
    """Enter the decorated function as the one that draws records of this kind."""

    def register(drawer: F) -> F:
        _DRAWERS[kind] = drawer
        return drawer

    return register


def drawing(record: object, **options: object) -> str:
    """The record (or a sequence of records of one kind) as SVG."""
    import_module("heliast.drawings")
    first = record[0] if isinstance(record, (list, tuple)) and record else record
    for kind in type(first).__mro__:
        if kind in _DRAWERS:
            return _DRAWERS[kind](record, **options)
    kinds = ", ".join(sorted(kind.__name__ for kind in _DRAWERS))
    raise InputError(f"no drawing of {type(first).__name__}; there are drawings of: {kinds}")
