"""Columns to features: numbers, dates or categories; ids left out; what is odd about them noted."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.notes import Note
from heliast.data._dataset import Input
from heliast.tables.dates import as_dates, written_dates
from heliast.tables.table import Table, UnusableError, is_number, listed, numbers, typed_texts

_FEW = 30
"""So many different values are never taken for free text or row numbers."""
_ID = re.compile(r"(?i:(?:.*[_. -])?(?:id|uuid|guid))|.*[a-z](?:Id|ID)")
_FREE = "free text or names, almost every row different (nominal= keeps it)"
_COUNTED = "a row number (numeric= keeps it)"
_IDENTIFIER = "an identifier, each row another (nominal= or numeric= keeps it)"
_WORDS = {
    "constant": "the same value in every row",
    "empty": "no value in any row",
    "distinct": "whole numbers, each row another: if it is an identifier, leave it out (ignore=)",
    "counted": f"left out: {_COUNTED}",
    "identifier": f"left out: {_IDENTIFIER}",
    "free": f"left out: {_FREE}",
    "dates": "read as dates (UTC where no zone stands); models get their parts (nominal= reads "
    "categories, numeric= seconds since 1970)",
}
_REASONS = {"counted": _COUNTED, "identifier": _IDENTIFIER, "free": _FREE}


class _Features:
    """Turns columns into features; remarks of one kind on several columns make one note."""

    def __init__(
        self, table: Table, nominal: Sequence[str], numeric: Sequence[str], ids: bool
    ) -> None:
        self.table, self.nominal, self.numeric, self.ids = table, nominal, numeric, ids
        self.remarks: dict[str, list[str]] = {}

    def remark(self, what: str, name: str) -> None:
        self.remarks.setdefault(what, []).append(name)

    def read(self, column: Column) -> Input | None:
        """The feature of a column; None if it is left out, with the reason in the remarks."""
        nominal, numeric = column.name in self.nominal, column.name in self.numeric
        declared = column.name in self.table.declared or nominal
        if column.missing.size == len(column) and not nominal:
            self.remark("empty", column.name)
            return Input(column.name, np.full(len(column), np.nan))
        if not declared:
            column = as_dates(column) or column
        if self.ids and not (nominal or numeric) and self._is_id(column):
            return None
        if numeric:
            column = numbers(column, self.table.places)
        if column.date and not numeric and not declared:
            self.remark("dates", column.name)
            return replace(self._numeric(column), date=True)
        if numeric or (column.kind in ("whole", "number") and not declared):
            return self._numeric(column)
        return self._nominal(column, declared)

    def _is_id(self, column: Column) -> bool:
        """Whether a column identifies rows: by its name, or as their number."""
        if column.date or column.kind not in ("text", "whole"):
            return False
        there = len(column) - column.missing.size
        different = len(column.texts) if column.kind == "text" else np.unique(column.values).size
        if _ID.fullmatch(column.name):
            if different < there:
                raise InputError(
                    f"{column.name!r} is named like an identifier, and {there - different:,} rows "
                    f"repeat one: is this a group? Say group={column.name!r} or "
                    f"ignore={column.name!r} (command line: --group {column.name} or --ignore "
                    f"{column.name}), or numeric= or nominal= if it is a feature"
                )
            self.remark("identifier", column.name)
            return True
        if column.kind != "whole" or different < len(column) or different <= _FEW:
            return False
        low = int(column.values.min())
        counted = low in (0, 1) and int(column.values.max()) - low + 1 == different
        self.remark("counted" if counted else "distinct", column.name)
        return counted

    def _numeric(self, column: Column) -> Input:
        values = column.values.astype(np.float64)
        if column.missing.size:
            values[column.missing] = np.nan
        if len(column) > 1 and not column.missing.size and np.all(values == values[0]):
            self.remark("constant", column.name)
        return Input(column.name, values)

    def _nominal(self, column: Column, declared: bool) -> Input | None:
        """Codes into the sorted categories that occur: the same whatever the source declared."""
        codes, texts = _coded(column)
        if column.kind == "text" and self.table.written and typed_texts(texts)[0] == "bool":
            texts = [text.lower() for text in texts]  # TRUE of one program is True of another
        used = np.zeros(len(texts) + 1, bool)
        used[codes] = True
        categories = in_order({text for at, text in enumerate(texts) if used[at] and text})
        place = {text: code for code, text in enumerate(categories)}
        recode = np.array([*(place.get(text, -1) for text in texts), -1], np.int32)
        made = Input(column.name, recode[codes], tuple(categories))
        count = len(categories)
        rows = len(column) - made.missing
        if column.kind == "text" and not declared and count > _FEW and 2 * count > rows:
            self.remark("free", column.name)
            return None
        if count == 1 and not made.missing:
            self.remark("constant", column.name)
        return made


def as_inputs(
    table: Table,
    names: Sequence[str],
    nominal: Sequence[str],
    numeric: Sequence[str],
    ids: bool = True,
) -> list[Input]:
    """The named columns as features; those left out and those that are odd go to the notes.

    `ids` says that columns which identify rows are left out.
    """
    features = _Features(table, nominal, numeric, ids)
    inputs: list[Input] = []
    for name in names:
        try:
            made = features.read(table.fetch(name))
        except UnusableError as error:
            table.notes.append(Note(f"{error}: left out", "left out"))
            table.left_out[name] = error.why
            continue
        if made is not None:
            inputs.append(made)
    for what, columns in features.remarks.items():
        table.notes.append(Note(f"{listed(columns)}: {_WORDS[what]}", what))
        if what in _REASONS:
            table.left_out.update(dict.fromkeys(columns, _REASONS[what]))
    return inputs


def _coded(column: Column) -> tuple[npt.NDArray[np.int32], list[str]]:
    if column.kind == "text":
        return column.values, list(column.texts)
    found, places = np.unique(column.values, return_inverse=True)
    codes: npt.NDArray[np.int32] = places.astype(np.int32)
    codes[column.missing] = -1
    if column.date:
        return codes, written_dates(found)
    return codes, [_written(value) for value in found.tolist()]


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
