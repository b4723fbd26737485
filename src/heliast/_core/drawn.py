"""Who draws what: drawings enter themselves here, so that records below them can be drawn.

A record never imports the drawings (they sit above it and import it): it asks here, and here they
are loaded by name when the first picture is wanted.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

from heliast._core.errors import InputError
from heliast._core.records import Shown
from heliast._core.told import told


class Picture(str):
    """The text of an SVG file; a notebook shows the picture.

    >>> Picture("<svg/>") == "<svg/>"
    True
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(self)


F = TypeVar("F", bound=Callable[..., str])
_DRAWERS: dict[type, Callable[..., str]] = {}


def draws(kind: type) -> Callable[[F], F]:
    """Enter the decorated function as the one that draws records of this kind."""

    def register(drawer: F) -> F:
        _DRAWERS[kind] = drawer
        return drawer

    return register


def drawing(record: object, **options: object) -> str:
    """The record (or a sequence of records of one kind) as SVG.

    Parameters
    ----------
    record : record or sequence of records
        A curve, an estimate, a comparison, a decomposition, ...; several must be of one kind.
    **options : keywords
        Options of the drawing of that kind, such as `title`.

    Returns
    -------
    str
        The picture as the text of an SVG file.

    Raises
    ------
    InputError
        If there is no drawing of such a record.

    Examples
    --------
    >>> from heliast.drawings import draw
    >>> from heliast.estimates import wilson
    >>> draw(wilson(3, 30)).startswith("<svg")
    True
    """
    import_module("heliast.views.drawings")
    first = record[0] if isinstance(record, (list, tuple)) and record else record
    for kind in type(first).__mro__:
        drawer = _DRAWERS.get(kind)
        if drawer is not None:
            return drawer(record, **options)
    kinds = ", ".join(sorted(kind.__name__ for kind in _DRAWERS))
    raise InputError(f"no drawing of {type(first).__name__}; there are drawings of: {kinds}")


class Drawn(Shown):
    """A record that a notebook shows as its picture."""

    @told(
        {"options": "object: Those of the drawing, such as `title`."},
        returns="str: A standalone SVG.",
    )
    def svg(self, **options: object) -> str:
        """The record as a picture: what `drawings.draw` makes of it."""
        return drawing(self, **options)

    def _repr_html_(self) -> str:
        return self.svg()
