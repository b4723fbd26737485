"""Several records of one kind in one plot, each under its name."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from heliast._core.errors import InputError
from heliast.estimates import Estimate
from heliast.views.plots._plot import Plot

T = TypeVar("T")


def named_records(
    records: Any, kind: type[T], names: Sequence[str] | None
) -> tuple[list[T], list[str]]:
    """The records and their names.

    Names are as given, or what differs between records: model, measure, class.
    """
    records = list(records) if isinstance(records, (list, tuple)) else [records]
    wrong = [type(record).__name__ for record in records if not isinstance(record, kind)]
    if wrong or not records:
        got = wrong[0] if wrong else "no record"
        raise InputError(f"plot: expected records of kind {kind.__name__}, got {got}")
    return records, checked_names(names, _names_of(records))


def _names_of(records: list[Any]) -> list[str]:
    parts = [
        (
            str(record.model),
            getattr(record, "measure", ""),
            "" if record.class_ is None else f"class {record.class_}",
        )
        for record in records
    ]
    differing = [place for place in range(3) if len({part[place] for part in parts}) > 1]
    return [
        ", ".join(part[place] for place in differing if part[place])
        or next(filter(None, part), "model")
        for part in parts
    ]


def draw_lines(
    plot: Plot, records: Sequence[Any], labels: Sequence[str], fields: str,
    detail: Callable[[Any], str], **look: Any,
) -> None:  # fmt: skip
    """The line of each record, of the fields `x y`, with its legend; and the notes of all."""
    x, y = fields.split()
    for place, (label, record) in enumerate(zip(labels, records, strict=True)):
        plot.curve(place, label, detail(record), getattr(record, x), getattr(record, y), **look)
    plot.captions += notes(records)


def checked_names(names: Sequence[str] | None, usual: Sequence[str]) -> list[str]:
    """The names given, as many as there are usual ones; else these, numbered if they repeat."""
    if names is None:
        if len(set(usual)) == len(usual):
            return list(usual)
        return [f"{name} ({place})" for place, name in enumerate(usual, 1)]
    if len(names) != len(usual):
        raise InputError(f"names: expected {len(usual)} names, got {len(names)}")
    return [str(name) for name in names]


def single(records: Sequence[Any], field: str, message: str) -> Any:
    """The value that all records have in this field; the message says that they must."""
    values = {getattr(record, field) for record in records}
    if len(values) > 1:
        raise InputError(message)
    return values.pop()


def about_class(records: Sequence[Any]) -> str:
    """The class that the records are about, if it is the same."""
    classes = {record.class_ for record in records}
    if len(classes) > 1:
        return "each class against the rest"
    class_ = classes.pop()
    return "largest probability" if class_ is None else f"class {class_} against the rest"


def notes(records: Sequence[Any]) -> list[str]:
    """The notes of all records, each once."""
    return list(dict.fromkeys(note for record in records for note in record.notes))


def limits(estimates: Iterable[Estimate]) -> list[float]:
    """All values and interval limits of estimates, for the range of an axis."""
    return [end for one in estimates for end in (one.low, one.value, one.high)]
