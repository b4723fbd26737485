"""Anything array-like to one column of one type, with what is missing reported by position."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array

Kind = Literal["bool", "whole", "number", "text"]

_FEW = 1 << 16
"""Whole numbers in a range this small are counted instead of sorted."""
NONE = np.empty(0, np.int64)
MULTI = "several labels a row (multi-label) are not supported: assess one label at a time"


@dataclass(frozen=True, eq=False)
class Column:
    """One column in one type, with the positions of what is missing.

    Text is kept as codes (`values`) into its distinct `texts`, so that no step loops over rows;
    a missing text has code -1. A `date` is a number: seconds since 1970.
    """

    name: str
    values: Array
    kind: Kind
    missing: npt.NDArray[np.int64]
    texts: tuple[str, ...] = ()
    date: bool = False

    def __len__(self) -> int:
        return int(self.values.size)

    @property
    def is_number(self) -> bool:
        return self.kind != "text"

    def at(self, keep: Array | slice) -> "Column":
        """The column on some of its rows, by mask, position or stretch."""
        missing = NONE
        if self.missing.size:
            gone = np.zeros(len(self), bool)
            gone[self.missing] = True
            missing = np.flatnonzero(gone[keep])
        return Column(self.name, self.values[keep], self.kind, missing, self.texts, self.date)

    def plain(self) -> Array:
        """The values themselves: text as an object array of str, None where missing."""
        if self.kind != "text":
            return self.values
        table = np.empty(len(self.texts) + 1, dtype=object)
        table[:-1] = self.texts
        return table[self.values]

    def first(self) -> Any:
        """The first value that is there, to show in a message; None if all are missing."""
        if len(self) == self.missing.size:
            return None
        there = np.ones(len(self), bool)
        there[self.missing] = False
        value = self.values[int(there.argmax())]
        return self.texts[value] if self.kind == "text" else value.item()

    def distinct(self) -> set[Any]:
        """The different values that occur, as Python objects (1 and 1.0 are one)."""
        values = self.values
        if self.kind == "text":
            counts = np.bincount(values + 1, minlength=len(self.texts) + 1)[1:]
            return {self.texts[code] for code in np.flatnonzero(counts).tolist()}
        if self.missing.size:
            values = np.delete(values, self.missing)
        if self.kind == "bool":
            return {
                flag for flag, there in ((False, not values.all()), (True, values.any())) if there
            }
        return set(_distinct(values, self.kind).tolist())

    def coded(self, ordered: bool = True) -> tuple[Sequence[Any], Array]:
        """The different values that occur, sorted, and the place of each row's value in them.

        Where order does not matter, text needs no sorting; some of it may then not occur.
        """
        if self.kind == "text":
            if not ordered:
                return self.texts, self.values
            found = sorted(self.distinct())
            place = {text: code for code, text in enumerate(found)}
            table = np.array([place.get(text, -1) for text in self.texts], np.int32)
            return found, table[self.values]
        if self.kind == "bool":
            return _lookup(self.values.view(np.uint8), 0, 1, np.bool_)
        if self.kind == "whole" and self.values.size:
            low, high = int(self.values.min()), int(self.values.max())
            if high - low <= 4 * self.values.size + _FEW and high < 2**63:
                return _lookup(self.values, low, high, np.int64)
        found_values, codes = np.unique(self.values, return_inverse=True)
        return found_values.tolist(), codes.astype(np.int32, copy=False)


def _lookup(values: Array, low: int, high: int, dtype: Any) -> tuple[list[Any], Array]:
    """Distinct whole numbers and codes by a table over their range, without sorting."""
    shifted = values if low == 0 else values.astype(np.int64) - low
    there = np.zeros(high - low + 1, bool)
    there[shifted] = True
    found = np.flatnonzero(there)
    codes = (np.cumsum(there) - 1).astype(np.int32)
    return (found + low).astype(dtype).tolist(), codes[shifted]


def _distinct(values: Array, kind: Kind) -> Array:
    if kind == "whole" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low <= 1:  # two neighbours, as in 0 and 1: both are there
            return np.arange(low, high + 1, dtype=values.dtype)
        if high - low < _FEW:
            shifted = (values - values.dtype.type(low)) if low else values
            return np.flatnonzero(np.bincount(shifted.astype(np.intp, copy=False))) + low
    return np.unique(values)


def column(values: object, name: str) -> Column:
    """Read anything array-like as one column of booleans, whole numbers, numbers or text.

    What is a `Column` already keeps its name, which tells where it came from.

    >>> column(["b", None, "a"], "y_true").missing
    array([1])
    >>> column([1.0, 2.0], "y_true").kind
    'number'
    """
    if isinstance(values, Column):
        return values
    dtype = getattr(values, "dtype", None)
    if not isinstance(dtype, np.dtype) and (
        hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")
    ):
        from heliast._core.arrow import from_arrow

        found = from_arrow(values, name)
        if found is not None:
            return found
    return from_array(_as_array(values, name), name)


# --- from NumPy and Python ---------------------------------------------------------------------


def _as_array(values: object, name: str) -> Array:
    if isinstance(values, (str, bytes, dict)) or not (
        hasattr(values, "__array__") or hasattr(values, "__len__") or isinstance(values, Iterable)
    ):
        raise InputError(f"{name}: expected one value a row, got {values!r}; pass an array or list")
    array: Array
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        array = values.data.astype(object)
        array[np.ma.getmaskarray(values)] = None  # what is masked is missing
    elif hasattr(values, "__array__"):
        array = np.asarray(values)
    else:
        # A list of mixed types must stay mixed, so that text beside numbers is seen and refused.
        items = values if isinstance(values, (list, tuple)) else list(values)  # type: ignore[call-overload]
        array = np.empty(len(items), dtype=object)
        for at, item in enumerate(items) if _nested(items) else ():
            array[at] = item
        if not _nested(items):
            array[:] = items
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(
            f"{name}: expected one value a row, got an array of shape {array.shape}; {MULTI}"
        )
    if array.dtype.kind in "mMcV":
        raise InputError(f"{name}: values of type {array.dtype} are not labels; convert to text")
    return array


def _nested(items: list[Any] | tuple[Any, ...]) -> bool:
    return any(hasattr(item, "__len__") and not isinstance(item, str) for item in items)


def from_array(array: Array, name: str) -> Column:
    if array.dtype.kind == "b":
        return Column(name, np.ascontiguousarray(array), "bool", NONE)
    if array.dtype.kind in "iu":
        return Column(name, array, "whole", NONE)
    if array.dtype.kind == "f":
        if array.dtype.itemsize not in (4, 8):
            array = array.astype(np.float64)
        return Column(name, array, "number", nan_positions(array))
    if array.dtype.kind == "S":
        try:
            array = np.char.decode(array, "utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: bytes that are not UTF-8 ({error}); decode first") from None
    return _from_objects(array.astype(object), name)


def nan_positions(array: Array) -> npt.NDArray[np.int64]:
    """Where a column of floats is NaN: one pass and no mask in the usual case of none."""
    with np.errstate(invalid="ignore"):
        none = not array.size or not np.isnan(array.min())  # the least is NaN if any is
    return NONE if none else np.flatnonzero(np.isnan(array))


def _is_missing(value: object) -> bool:
    if value is None:
        return True
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return type(value).__name__ in ("NAType", "NaTType", "Null")


class _Codes(dict[str, int]):
    """Gives each new text the next code."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


def _from_objects(array: Array, name: str) -> Column:
    place = _Codes()
    # Text is the usual case: one dictionary lookup a row; anything else starts over, with care.
    values = array.tolist() if array.size and isinstance(array[0], str) else []
    if values and set(map(type, values)) == {str}:
        codes = np.fromiter(map(place.__getitem__, values), np.int32, array.size)
        return Column(name, codes, "text", NONE, _sound(tuple(place), name))
    gone = np.fromiter((_is_missing(value) for value in array), bool, array.size)
    missing = np.flatnonzero(gone)
    if missing.size == array.size:
        return Column(name, np.full(array.size, np.nan), "number", missing)
    there = array[~gone]
    texts = np.fromiter((isinstance(value, str) for value in there), bool, there.size)
    if texts.all():
        codes = np.full(array.size, -1, np.int32)
        codes[~gone] = [place[str(value)] for value in there]
        return Column(name, codes, "text", missing, _sound(tuple(place), name))
    if texts.any():
        rows = np.flatnonzero(~gone)
        at_text, at_other = int(rows[texts.argmax()]), int(rows[texts.argmin()])
        raise InputError(
            f"{name}: mixes text and numbers (row {at_text}: {array[at_text]!r}, "
            f"row {at_other}: {array[at_other]!r}); numbers never equal text here, "
            "so convert the column to one type"
        )
    return _numbers_from_objects(there, gone, missing, name)


def _sound(texts: tuple[str, ...], name: str) -> tuple[str, ...]:
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(
                f"{name}: {text!r} holds a half character (a lone surrogate), which no file can "
                "store; read the source with the right encoding"
            ) from None
    return texts


def _numbers_from_objects(there: Array, gone: Array, missing: Array, name: str) -> Column:
    types = set(map(type, there))
    odd = next((kind for kind in types if not _is_number_type(kind)), None)
    if odd is not None:
        value = next(value for value in there if type(value) is odd)
        listed = isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray))
        hint = MULTI if listed else "use text, numbers or booleans"
        raise InputError(f"{name}: {value!r} cannot be a label; {hint}")
    if types and types <= {bool, np.bool_}:
        kind: Kind = "bool"
    elif types and all(issubclass(one, (bool, int, np.bool_, np.integer)) for one in types):
        kind = "whole"
    else:
        kind = "number"
    dtype = {"bool": np.bool_, "whole": np.int64, "number": np.float64}[kind]
    values: Array = np.zeros(gone.size, dtype)
    try:
        values[~gone] = there.astype(dtype)
    except OverflowError:
        big = next(value for value in there if isinstance(value, int) and abs(value) >= 2**63)
        raise InputError(
            f"{name}: {str(big)[:40]} does not fit a 64-bit number; write such names as text"
        ) from None
    return Column(name, values, kind, missing)


def _is_number_type(kind: type) -> bool:
    from numbers import Real

    return issubclass(kind, (bool, np.bool_, Real)) or kind.__name__ == "Decimal"
