"""What every result record shares: a plain-dict view that JSON can hold."""

import math
from dataclasses import fields
from typing import Any, ClassVar, Protocol


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


def as_dict(record: _Dataclass) -> dict[str, object]:
    """The record's fields by name; values that are not finite become None, as JSON has no NaN."""
    return {field.name: plain(getattr(record, field.name)) for field in fields(record)}


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
