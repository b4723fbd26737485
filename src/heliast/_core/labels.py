"""Labels to codes: numbers never equal text, 1 equals 1.0, and what is missing is reported."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError

Label = str | int | float | bool
Kind = Literal["bool", "whole", "number", "text"]
Array = npt.NDArray[Any]

_FEW = 1 << 16
"""Whole numbers in a range this small are counted instead of sorted."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column of labels or numbers, in one type, with the positions of what is missing."""

    name: str
    values: Array
    kind: Kind
    missing: npt.NDArray[np.int64]

    @property
    def is_number(self) -> bool:
        return self.kind != "text"

    def at(self, keep: Array) -> "Column":
        """The column on some of its rows (a mask), nothing missing."""
        return Column(self.name, self.values[keep], self.kind, np.empty(0, np.int64))


def column(values: object, name: str) -> Column:
    """Read anything array-like as one column of booleans, whole numbers, numbers or text.

    >>> column(["b", None, "a"], "truth").missing
    array([1])
    >>> column([1.0, 2.0], "truth").kind
    'number'
    """
    array = _as_array(values, name)
    if array.dtype.kind == "b":
        return Column(name, array, "bool", np.empty(0, np.int64))
    if array.dtype.kind in "iu":
        return Column(name, array, "whole", np.empty(0, np.int64))
    if array.dtype.kind == "f":
        return Column(name, array, "number", _nan_positions(array))
    if array.dtype.kind in "US":
        if array.dtype.kind == "S":
            array = np.char.decode(array, "utf-8")
        return Column(name, array.astype(object), "text", np.empty(0, np.int64))
    return _objects(array.astype(object), name)


def _as_array(values: object, name: str) -> Array:
    if isinstance(values, (str, bytes)) or not (
        hasattr(values, "__array__") or hasattr(values, "__len__") or isinstance(values, Iterable)
    ):
        raise InputError(f"{name}: expected one value a row, got {values!r}; pass an array or list")
    if isinstance(values, (list, tuple)):
        # A list of mixed types must stay mixed, so that text beside numbers is seen and refused.
        array = np.empty(len(values), dtype=object)
        array[:] = values
    else:
        array = np.asarray(values if hasattr(values, "__array__") else list(values))  # type: ignore[call-overload]
    if array.ndim != 1:
        raise InputError(
            f"{name}: expected one value a row, got an array of shape {array.shape}; "
            "several labels a row (multi-label) are not supported: assess one label at a time"
        )
    if array.dtype.kind in "mMcV":
        raise InputError(f"{name}: values of type {array.dtype} are not labels; convert to text")
    return array


def _nan_positions(array: Array) -> npt.NDArray[np.int64]:
    if not array.size or not np.isnan(array.sum()):  # one pass, no mask, in the usual case
        return np.empty(0, np.int64)
    return np.flatnonzero(np.isnan(array))


def _is_missing(value: object) -> bool:
    if value is None:
        return True
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return type(value).__name__ in ("NAType", "NaTType", "Null")


def _objects(array: Array, name: str) -> Column:
    gone = np.fromiter((_is_missing(value) for value in array), bool, array.size)
    missing = np.flatnonzero(gone)
    there = array[~gone]
    texts = np.fromiter((isinstance(value, str) for value in there), bool, there.size)
    if texts.all():
        values = array.copy()
        values[gone] = ""
        return Column(name, values, "text", missing)
    if texts.any():
        rows = np.flatnonzero(~gone)
        at_text, at_other = rows[texts.argmax()], rows[texts.argmin()]
        raise InputError(
            f"{name}: mixes text and numbers (row {at_text}: {array[at_text]!r}, "
            f"row {at_other}: {array[at_other]!r}); numbers never equal text here, "
            "so convert the column to one type"
        )
    return _numbers_from_objects(array, there, gone, missing, name)


def _numbers_from_objects(
    array: Array, there: Array, gone: Array, missing: Array, name: str
) -> Column:
    if there.size and all(isinstance(value, (bool, np.bool_)) for value in there):
        kind: Kind = "bool"
    elif all(isinstance(value, (bool, int, np.bool_, np.integer)) for value in there):
        kind = "whole"
    else:
        kind = "number"
    dtype = {"bool": np.bool_, "whole": np.int64, "number": np.float64}[kind]
    values: Array = np.zeros(array.size, dtype)
    try:
        values[~gone] = there.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        odd = next(value for value in there if not isinstance(value, (int, float, np.number)))
        hint = (
            "several labels a row (multi-label) are not supported: assess one label at a time"
            if isinstance(odd, (list, tuple, set, frozenset, dict, np.ndarray))
            else "use text, numbers or booleans"
        )
        raise InputError(f"{name}: {odd!r} cannot be a label; {hint}") from None
    return Column(name, values, kind, missing)


def classes_of(columns: Sequence[Column]) -> tuple[Label, ...]:
    """The distinct labels of all columns, sorted; 1.0 and 1 are one class.

    >>> classes_of([column([2, 1], "truth"), column([1.0, 3.0], "label")])
    (1, 2, 3)
    """
    columns = [one for one in columns if one.values.size > one.missing.size]
    if all(one.kind == "text" for one in columns):
        found: set[Label] = set()
        for one in columns:
            there = one.values if not one.missing.size else np.delete(one.values, one.missing)
            found.update(there.tolist())
        return tuple(sorted(found))
    if any(one.kind == "text" for one in columns):
        _refuse_mixture(columns)
    if all(one.kind == "bool" for one in columns):
        seen = {bool(value) for one in columns for value in _distinct_numbers(one)}
        return tuple(sorted(seen))
    numbers = np.unique(np.concatenate([_distinct_numbers(one) for one in columns]))
    return tuple(int(x) if float(x).is_integer() else float(x) for x in numbers)


def _distinct_numbers(one: Column) -> npt.NDArray[np.float64]:
    values = one.values if not one.missing.size else np.delete(one.values, one.missing)
    if one.kind == "bool":
        flags = [value for value, there in ((0, not values.all()), (1, values.any())) if there]
        return np.array(flags, np.float64)
    if one.kind == "whole" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low <= 1:  # two neighbours, as in 0 and 1: both are there
            return np.arange(low, high + 1, dtype=np.float64)
        if high - low < _FEW:
            shifted = values if low == 0 else values - low
            counts = np.bincount(shifted.astype(np.intp, copy=False), minlength=1)
            return np.flatnonzero(counts).astype(np.float64) + low
    return np.unique(values).astype(np.float64)


def _refuse_mixture(columns: Sequence[Column]) -> None:
    parts = [
        f"{one.name} holds {'text' if one.kind == 'text' else 'numbers'} "
        f"(such as {one.values[:1].tolist()[0]!r})"
        for one in columns
    ]
    raise InputError(
        f"{'; '.join(parts)}: numbers never equal text, so no prediction could ever be right; "
        "convert the columns to one type"
    )


def encode(one: Column, classes: tuple[Label, ...]) -> Array:
    """The position of each label in `classes` (uint8 if it fits); refuses labels not in it.

    >>> encode(column(["b", "a"], "truth"), ("a", "b"))
    array([1, 0], dtype=uint8)
    """
    dtype = np.uint8 if len(classes) <= 256 else np.int32
    if one.kind == "bool" and classes in ((False, True), (0, 1)):
        return one.values.view(np.uint8)
    if one.kind == "text":
        return _encode_text(one, classes, dtype)
    return _encode_numbers(one, classes, dtype)


def _encode_text(one: Column, classes: tuple[Label, ...], dtype: Any) -> Array:
    place = {label: code for code, label in enumerate(classes)}
    codes = np.fromiter((place.get(value, -1) for value in one.values), np.int64, one.values.size)
    _refuse_unknown(one, codes < 0, classes)
    return codes.astype(dtype)


def _encode_numbers(one: Column, classes: tuple[Label, ...], dtype: Any) -> Array:
    if any(isinstance(label, str) for label in classes):
        raise InputError(
            f"{one.name} holds numbers (such as {one.values[0]}) but the classes are text "
            f"({', '.join(map(repr, classes[:3]))}): numbers never equal text; convert one of them"
        )
    known = np.array([float(label) for label in classes])
    if one.kind == "whole" and np.array_equal(known, np.arange(known.size)):
        unknown = (one.values < 0) | (one.values >= known.size)
        _refuse_unknown(one, unknown, classes)
        return one.values.astype(dtype)
    order = np.argsort(known)
    place = np.searchsorted(known[order], one.values)
    inside = np.minimum(place, known.size - 1)
    _refuse_unknown(one, known[order][inside] != one.values, classes)
    return order[inside].astype(dtype)


def _refuse_unknown(one: Column, unknown: Array, classes: tuple[Label, ...]) -> None:
    if not unknown.any():
        return
    rows = np.flatnonzero(unknown)
    values = list(dict.fromkeys(one.values[rows[:1000]].tolist()))[:3]
    raise InputError(
        f"{one.name}: unknown {'label' if len(values) == 1 else 'labels'} "
        f"{', '.join(map(repr, values))} in {rows.size} {'row' if rows.size == 1 else 'rows'} "
        f"(first: row {rows[0]}); the classes are {', '.join(map(repr, classes[:8]))}"
        f"{', ...' if len(classes) > 8 else ''}; correct the labels or declare all classes"
    )
