"""Columns to inputs: numbers or categories, with what is odd about them told once."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.notes import Note
from heliast._core.places import Places
from heliast.data._dataset import Input
from heliast.tables.dates import as_dates, look_like_dates, written_dates
from heliast.tables.readings import is_number, reading_of
from heliast.tables.table import Table, UnusableError, listed

_FEW = 30
"""So many different texts are never taken for free text, however few rows there are."""
_MANY = 1000
"""More categories than this are worth a word."""
_FREE = "free text or names, almost every row different (nominal= keeps it)"
_WORDS = {
    "constant": "the same value in every row",
    "empty": "no value in any row",
    "counted": "looks like a row number (ignore= leaves it out)",
    "free": f"left out: {_FREE}",
    "many": f"more than {_MANY} categories",
    "written": "numbers written as text, read as categories (numeric= reads them as numbers)",
    "dates": "read as dates (UTC where no zone stands); models get their parts (nominal= reads "
    "categories, numeric= seconds since 1970)",
    "undated": "look like dates, but not all are written as 2024-12-31 or 2024-12-31T23:59: not "
    "read as dates",
    "infinite": "holds infinite numbers, which few models take",
    "blank": "empty texts read as missing",
}


class Remarks:
    """What was seen in which columns, so that 200 constant columns make one line."""

    def __init__(self) -> None:
        self._seen: dict[str, list[str]] = {}

    def add(self, what: str, name: str) -> None:
        self._seen.setdefault(what, []).append(name)

    def lines(self) -> list[str]:
        """One line a remark, naming the columns."""
        return [
            Note(f"{listed(names)}: {_WORDS[what]}", what) for what, names in self._seen.items()
        ]


def as_inputs(
    table: Table, names: Sequence[str], nominal: Sequence[str], numeric: Sequence[str]
) -> list[Input]:
    """The named columns as inputs; those left out and those that are odd go to the notes."""
    remarks = Remarks()
    inputs: list[Input] = []
    for name in names:
        try:
            one = table.fetch(name)
        except UnusableError as error:
            table.notes.append(Note(f"{error}: left out", "left out"))
            table.left_out[name] = error.why
            continue
        made = _input(one, table, name in nominal, name in numeric, remarks)
        if made is None:
            table.left_out[name] = _FREE
        else:
            inputs.append(made)
    table.notes.extend(remarks.lines())
    return inputs


def _input(
    one: Column, table: Table, nominal: bool, numeric: bool, remarks: Remarks
) -> Input | None:
    if one.missing.size == len(one) and not nominal:
        remarks.add("empty", one.name)
        return Input(one.name, np.full(len(one), np.nan))
    declared = one.name in table.declared or nominal
    if not declared:
        one = as_dates(one) or one
    if numeric and one.kind == "text":
        one = _parsed(one, table.places)
    if one.date and not numeric and not declared:
        remarks.add("dates", one.name)
        return replace(_numbers(one, remarks), date=True)
    if one.kind in ("whole", "number") and (numeric or not declared):
        return _numbers(one, remarks)
    if one.kind == "bool" and numeric:
        return _numbers(one, remarks)
    made = _categories(one, table, remarks)
    count = len(made.categories or ())
    if one.kind == "text" and not declared:
        if look_like_dates(made.categories or ()):
            remarks.add("undated", one.name)
        if count > _FEW and 2 * count > len(one) - made.missing:
            remarks.add("free", one.name)
            return None
        if not table.written and reading_of(made.categories or ()).kind in ("whole", "number"):
            remarks.add("written", one.name)
    if count > _MANY:
        remarks.add("many", one.name)
    if count == 1 and not made.missing:
        remarks.add("constant", one.name)
    return made


def _numbers(one: Column, remarks: Remarks) -> Input:
    values = one.values.astype(np.float64)
    if one.missing.size:
        values[one.missing] = np.nan
    low, high = np.nanmin(values), np.nanmax(values)
    if np.isinf(low) or np.isinf(high):
        remarks.add("infinite", one.name)
    elif low == high and not one.missing.size and len(one) > 1:
        remarks.add("constant", one.name)
    elif one.kind == "whole" and len(one) > _FEW and _is_counted(one.values):
        remarks.add("counted", one.name)
    return Input(one.name, values)


def _is_counted(values: npt.NDArray[np.int64]) -> bool:
    return bool(values[0] in (0, 1) and np.all(np.diff(values) == 1))


def _parsed(one: Column, places: Places) -> Column:
    """Texts that must be numbers, as numbers."""
    bad = [code for code, text in enumerate(one.texts) if text.strip() and not is_number(text)]
    rows = np.flatnonzero(np.isin(one.values, bad))
    if rows.size:
        raise InputError(
            f"column {one.name!r} is asked for as numeric but holds "
            f"{one.texts[one.values[rows[0]]]!r} in {places.some(rows)}; correct it, or leave the "
            "column nominal"
        )
    numbers = [float(text) if text.strip() else np.nan for text in one.texts]
    values = np.array([*numbers, np.nan])[one.values]
    return Column(one.name, values, "number", np.flatnonzero(np.isnan(values)))


def _categories(one: Column, table: Table, remarks: Remarks) -> Input:
    """Codes into the sorted categories that occur: the same whatever the source declared."""
    codes, texts = _coded(one)
    if one.kind == "text" and table.written and reading_of(texts).kind == "bool":
        texts = [text.lower() for text in texts]  # TRUE of one program is True of another
    if one.kind == "text" and "" in texts:
        remarks.add("blank", one.name)
    there = np.zeros(len(texts) + 1, bool)
    there[codes] = True
    found = {text for text, used in zip(texts, there[:-1], strict=True) if used and text}
    ordered = in_order(found)
    place = {text: code for code, text in enumerate(ordered)}
    recode = np.array([*(place.get(text, -1) for text in texts), -1], np.int32)
    return Input(one.name, recode[codes], tuple(ordered))


def _coded(one: Column) -> tuple[npt.NDArray[np.int32], list[str]]:
    if one.kind == "text":
        return one.values, list(one.texts)
    found, places = np.unique(one.values, return_inverse=True)
    codes: npt.NDArray[np.int32] = places.astype(np.int32)
    codes[one.missing] = -1
    texts = written_dates(found) if one.date else [_written(value) for value in found.tolist()]
    return codes, texts


def _written(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if float(value).is_integer() else repr(value)


def in_order(texts: set[str]) -> list[str]:
    """Sorted as numbers if all are numbers, else as text.

    >>> in_order({"10", "9"}), in_order({"10", "a", "9"})
    (['9', '10'], ['10', '9', 'a'])
    """
    if all(is_number(text) for text in texts):
        return sorted(texts, key=lambda text: (float(text), text))
    return sorted(texts)
