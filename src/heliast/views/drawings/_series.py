"""Several records of one kind in one drawing, each under its name."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from heliast._core.drawn import draws
from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.views.drawings._text import count

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., str])
SHARED = {
    "names": "sequence of str, optional: Names in the picture, one a record; None takes those of "
    "the models.",
    "band": "bool, optional: Whether to draw the simultaneous band; None does for a single curve.",
    "title": "str: The title; empty is a title made from the record.",
}
"""What the pictures of several records are told alike."""
SVG = "str: The picture as the text of an SVG file."
MIXED = "If a record is of another kind, or names do not fit."


def picture(kind: type, raises: str = MIXED, **words: str) -> Callable[[F], F]:
    """Enter the decorated function as what draws records of this kind, and complete its docstring.

    `words` tells the parameters that only this picture has.
    """
    records = f"{kind.__name__} or sequence of {kind.__name__}: One record, or several."

    def enter(drawer: F) -> F:
        said = {"records": records, **SHARED, **words}
        return draws(kind)(told(said, returns=SVG, raises=raises)(drawer))

    return enter


def named(records: Any, kind: type[T], names: Sequence[str] | None) -> list[tuple[str, T]]:
    """The records with their names: given, or what tells them apart (model, class, both)."""
    found = list(records) if isinstance(records, (list, tuple)) else [records]
    wrong = [type(one).__name__ for one in found if not isinstance(one, kind)]
    if wrong or not found:
        got = wrong[0] if wrong else "no record"
        raise InputError(f"drawing: expected records of kind {kind.__name__}, got {got}")
    if names is None:
        return list(zip(_told_apart(found), found, strict=True))
    if len(names) != len(found):
        raise InputError(f"names: {len(found)} records need as many names, got {len(names)}")
    return list(zip(map(str, names), found, strict=True))


def _told_apart(records: list[Any]) -> list[str]:
    models = [str(one.model) or "model" for one in records]
    classes = [f"class {one.class_}" for one in records]
    for names in (models, classes, [", ".join(pair) for pair in zip(models, classes, strict=True)]):
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({place})" for place, name in enumerate(models, 1)]


def about_class(records: Sequence[Any]) -> str:
    """Which class the records speak of, if it is one and the same."""
    classes = {one.class_ for one in records}
    if len(classes) > 1:
        return "each class against the rest"
    class_ = classes.pop()
    return "largest probability" if class_ is None else f"class {class_} against the rest"


def notes(records: Sequence[Any]) -> list[str]:
    """What the records have to say about themselves, each thing once."""
    return list(dict.fromkeys(note for one in records for note in one.notes))


def rows(record: Any) -> str:
    """How many rows a record was counted from."""
    return f"{count(record.positives)} positives, {count(record.negatives)} others"
