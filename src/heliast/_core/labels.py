"""Labels to codes: numbers never equal text, 1 equals 1.0, and what is unknown is reported."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from heliast._core.columns import Column, Kind, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.places import ROWS, Places

__all__ = ["Column", "Kind", "Label", "classes_of", "column", "encode"]

Label = str | int | float | bool


def classes_of(columns: Sequence[Column]) -> tuple[Label, ...]:
    """The distinct labels of all columns, sorted; 1.0 and 1 are one class.

    >>> classes_of([column([2, 1], "y_true"), column([1.0, 3.0], "y_pred")])
    (1, 2, 3)
    """
    columns = [one for one in columns if len(one) > one.missing.size]
    if any(one.kind == "text" for one in columns) and any(one.is_number for one in columns):
        _refuse_mixture(columns)
    found: set[Label] = set().union(*(one.distinct() for one in columns))
    if all(one.kind in ("text", "bool") for one in columns):
        return tuple(sorted(found))
    return tuple(sorted(_tidy(value) for value in found))


def _tidy(value: Any) -> Label:
    if isinstance(value, float) and math.isinf(value):
        raise InputError(f"{value} cannot be a class: labels are text or finite numbers")
    return int(value) if float(value).is_integer() else float(value)


def _refuse_mixture(columns: Sequence[Column]) -> None:
    parts = [
        f"{one.name} holds {'text' if one.kind == 'text' else 'numbers'} (such as {one.first()!r})"
        for one in columns
    ]
    raise InputError(
        f"{'; '.join(parts)}: numbers never equal text, so no prediction could ever be right; "
        "convert the columns to one type"
    )


def encode(one: Column, classes: tuple[Label, ...], places: Places = ROWS) -> Array:
    """The position of each label in `classes` (uint8 if it fits); refuses labels not in it.

    >>> encode(column(["b", "a"], "y_true"), ("a", "b"))
    array([1, 0], dtype=uint8)
    """
    dtype = np.uint8 if len(classes) <= 256 else np.int32
    if one.kind == "bool" and classes in ((False, True), (0, 1)):
        return one.values.view(np.uint8)
    if one.kind == "text":
        return _encode_text(one, classes, dtype, places)
    return _encode_numbers(one, classes, dtype, places)


def _encode_text(one: Column, classes: tuple[Label, ...], dtype: Any, places: Places) -> Array:
    if len(one) and not any(isinstance(label, str) for label in classes):
        raise InputError(
            f"{one.name} holds text (such as {one.first()!r}) but the classes are numbers "
            f"({_shown(classes, 3)}): numbers never equal text; convert one of them"
        )
    place = {label: code for code, label in enumerate(classes)}
    codes = np.array([place.get(text, -1) for text in one.texts] + [-1], np.int32)
    if codes.size == 1 or codes[:-1].min() < 0:
        _refuse_unknown(one, codes[one.values] < 0, classes, places)
    return codes.astype(dtype)[one.values]


def _encode_numbers(one: Column, classes: tuple[Label, ...], dtype: Any, places: Places) -> Array:
    if any(isinstance(label, str) for label in classes):
        raise InputError(
            f"{one.name} holds numbers (such as {one.first()!r}) but the classes are text "
            f"({_shown(classes, 3)}): numbers never equal text; convert one of them"
        )
    values = one.values.astype(np.int8) if one.kind == "bool" else one.values
    if values.dtype.kind in "iu" and list(classes) == list(range(len(classes))):
        if values.size and (values.min() < 0 or values.max() >= len(classes)):
            _refuse_unknown(one, (values < 0) | (values >= len(classes)), classes, places)
        return values.astype(dtype, copy=False)
    known, codes = _known(values.dtype, classes)
    inside = np.minimum(np.searchsorted(known, values), known.size - 1)
    unknown = known[inside] != values if known.size else np.ones(values.size, bool)
    _refuse_unknown(one, unknown, classes, places)
    return codes[inside].astype(dtype)


def _known(dtype: np.dtype[Any], classes: tuple[Label, ...]) -> tuple[Array, Array]:
    """The classes that a column of this type can hold exactly, sorted, with their codes."""
    held = []
    for code, label in enumerate(classes):
        try:
            value = dtype.type(int(label) if dtype.kind in "iu" else label)
        except (OverflowError, ValueError):
            continue
        if value.item() == label:
            held.append((value.item(), code))
    held.sort()
    known = np.array([value for value, _ in held], dtype)
    return known, np.array([code for _, code in held], np.int64)


def _refuse_unknown(
    one: Column, unknown: Array, classes: tuple[Label, ...], places: Places
) -> None:
    if not unknown.any():
        return
    rows = np.flatnonzero(unknown)
    some = one.values[rows[:1000]].tolist()
    names = [one.texts[code] if one.kind == "text" else code for code in some]
    values = list(dict.fromkeys(names))[:3]
    raise InputError(
        f"{one.name}: unknown {'label' if len(values) == 1 else 'labels'} "
        f"{_shown(values, 3)} in {places.some(rows)}; the classes are "
        f"{_shown(classes, 8)}; correct the labels or declare all classes with classes= "
        "or order= (command line: --classes, --order)"
    )


def _shown(values: Sequence[Label], most: int) -> str:
    return ", ".join(map(repr, values[:most])) + (", ..." if len(values) > most else "")
