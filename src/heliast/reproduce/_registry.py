"""The studies by name: one file each, found by the decorator above its function."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import cache

from heliast._core.errors import InputError
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found, Study

Maker = Callable[[Setting], Iterable[Found]]
_studies: dict[str, Study] = {}


def study(
    name: str,
    title: str,
    *,
    design: str,
    tolerance: str,
    repetitions: int = 1,
    quick: int = 1,
    needs: tuple[str, ...] = (),
) -> Callable[[Maker], Maker]:
    """Register a function that yields what a study found; its name is `document-place`."""

    def register(make: Maker) -> Maker:
        _studies[name] = Study(
            name, title, " ".join(design.split()), " ".join(tolerance.split()), make,
            repetitions, quick, needs,
        )  # fmt: skip
        return make

    return register


@cache
def _load() -> None:
    from heliast.reproduce import studies

    for module in sorted(found.name for found in pkgutil.iter_modules(studies.__path__)):
        if not module.startswith("_"):
            importlib.import_module(f"{studies.__name__}.{module}")


def every() -> dict[str, Study]:
    """All studies by name, in the order of the documents."""
    _load()
    return {name: _studies[name] for name in sorted(_studies, key=_place)}


def _place(name: str) -> tuple[str, tuple[int, ...], str]:
    """thesis-2.9 comes before thesis-2.10."""
    document, _, rest = name.partition("-")
    digits = tuple(int(part) for part in rest.replace("-", ".").split(".") if part.isdigit())
    return document, digits, rest


def chosen(names: Iterable[str]) -> list[Study]:
    """The studies that names or their beginnings ask for; none given: all.

    >>> [one.name for one in chosen(["chapter-22.7"])]
    ['chapter-22.7']
    """
    known = every()
    asked = list(names)
    if not asked:
        return list(known.values())
    found: dict[str, Study] = {}
    for name in asked:
        match = {name: known[name]} if name in known else _beginning(name, known)
        if not match:
            raise InputError(f"no study {name!r}; `heliast reproduce --list` names them all")
        found.update(match)
    return [known[name] for name in known if name in found]


def _beginning(name: str, known: dict[str, Study]) -> dict[str, Study]:
    """`chapter` means all of its studies, `thesis-2` those of its second chapter."""
    starts = (f"{name}-", f"{name}.")
    return {each: one for each, one in known.items() if each.startswith(starts)}
