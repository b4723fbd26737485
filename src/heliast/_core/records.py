"""What every result record shares: a plain-dict view that JSON can hold, and a notebook view."""

import math
from collections.abc import Callable
from dataclasses import fields
from html import escape
from typing import Any, ClassVar, Protocol

from heliast._core.kinds import Array


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


def as_dict(record: _Dataclass) -> dict[str, object]:
    """The record's fields by name; values that are not finite become None, as JSON has no NaN."""
    return {field.name: plain(getattr(record, field.name)) for field in fields(record)}


def named(record: object, names: str) -> dict[str, object]:
    """What the record has under these names, apart by blanks, in their order and as plain values.

    >>> named(3 + 4j, "real imag")
    {'real': 3.0, 'imag': 4.0}
    """
    return {name: plain(getattr(record, name)) for name in names.split()}


def plain(value: object) -> object:
    """The value with nothing in it that JSON cannot hold.

    >>> plain((1, float("nan"), "a"))
    [1, None, 'a']
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value


def each(record: object, names: str, change: Callable[[Array], Array]) -> dict[str, Any]:
    """The arrays of these names, changed; those that are not there stay None."""
    found = {name: getattr(record, name) for name in names.split()}
    return {name: None if one is None else change(one) for name, one in found.items()}


class Shown:
    """A record that a notebook shows as its own line and a table of its fields, all escaped."""

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; what is undefined is None.

        Returns
        -------
        dict
            Field names and plain values.
        """
        return as_dict(self)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(str(name))}</th><td>{escape(_short(value))}</td></tr>"
            for name, value in self._fields().items()
        )
        return f"<p>{escape(_short(repr(self)))}</p><table><tbody>{rows}</tbody></table>"

    def _fields(self) -> dict[str, object]:
        found = self.to_dict()
        return {name: value for name, value in found.items() if value not in (None, "", [], ())}


def _short(value: object, most: int = 300) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    line = "".join(letter if letter.isprintable() else "·" for letter in text)
    return line if len(line) <= most else line[:most] + "…"
