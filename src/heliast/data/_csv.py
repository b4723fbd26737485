"""CSV files as a table of columns: types found with care, rows named by their line."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.data._table import Table, refuse_duplicates
from heliast.predictions._textfile import BLOCK, TextFile, compression_of
from heliast.predictions._textual import (
    MISSING,
    is_number,
    long_numbers,
    many_different,
    reading_of,
    textual,
    typed,
)

_UNKNOWN = "?"
"""What the archives of data sets write for a missing value."""


def csv_table(path: Path, names: Sequence[str] | None) -> Table:
    """The columns of a CSV file; `names` are given when it has no header line."""
    text = TextFile(path, compression_of(path))
    first, skip = text.header()
    notes: list[str] = []
    if text.delimiter != ",":
        notes.append(f"columns separated by {text.delimiter!r}")
    header = _header(first, names, text.title, notes)
    refuse_duplicates(header)
    columns = _strings(text, len(first), skip, headless=names is not None)
    place = dict(zip(header, columns, strict=True))

    def fetch(name: str) -> Column:
        return _typed(place[name], name, notes)

    shift = 1 if names is not None else 0

    def lines(positions: Sequence[int]) -> list[int]:
        # The header counts as the row before row 0; without one, every row comes one earlier.
        return text.lines([position - shift for position in positions])

    return Table(text.title, text.stem, header, fetch, Places("line", lines), notes, written=True)


def _header(
    first: Sequence[str], names: Sequence[str] | None, title: str, notes: list[str]
) -> list[str]:
    if names is not None:
        if len(names) != len(first):
            raise InputError(
                f"names= names {len(names)} columns but the first line has {len(first)} fields"
            )
        return [str(name) for name in names]
    numbers = [name for name in first if is_number(name)]
    counted = [[str(at + base) for at in range(len(numbers))] for base in (0, 1)]
    if numbers and numbers not in counted:
        raise InputError(
            f"the first line looks like data, not like a header (it holds {numbers[0]!r}); add a "
            "line that names the columns, or name them with names=[...]"
        )
    unnamed = [at for at, name in enumerate(first) if not name]
    if unnamed:
        notes.append(f"{len(unnamed)} columns without a name are called after their position")
    return [name or f"column {at + 1}" for at, name in enumerate(first)]


def _strings(text: TextFile, width: int, skip: int, headless: bool) -> list[Any]:
    """All columns as Arrow strings, as they are written."""
    import pyarrow as pa
    import pyarrow.csv as arrow

    keys = [str(at) for at in range(width)]
    try:
        with text.open() as stream:
            table = arrow.read_csv(
                stream,
                read_options=arrow.ReadOptions(
                    column_names=keys,
                    skip_rows=skip,
                    skip_rows_after_names=0 if headless else 1,
                    block_size=BLOCK,
                ),
                parse_options=arrow.ParseOptions(
                    delimiter=text.delimiter, newlines_in_values=text.quotes
                ),
                convert_options=arrow.ConvertOptions(
                    column_types=dict.fromkeys(keys, pa.string()),
                    null_values=[*MISSING, _UNKNOWN],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
    except pa.ArrowInvalid as error:
        raise _misshapen(text, width, error) from None
    if not table.num_rows:
        raise InputError("there is a header but no row of data")
    return [table[key] for key in keys]


def _misshapen(text: TextFile, width: int, error: Exception) -> InputError:
    """What Arrow could not read, told with the line it stands on."""
    try:
        for line, row in text.rows():
            if len(row) != width:
                return InputError(
                    f"line {line} has {len(row)} {'field' if len(row) == 1 else 'fields'} but the "
                    f"first line has {width}; correct it (a text that holds {text.delimiter!r} "
                    "must be quoted)"
                )
    except csv.Error:  # a field too long for this reader: Arrow's own words must do
        pass
    return InputError(f"the file cannot be read as CSV ({error})")


def _typed(chunks: Any, name: str, notes: list[str]) -> Column:
    if many_different(chunks) and (one := long_numbers(chunks, name)) is not None:
        return one
    one = _without_unknown(textual(chunks, name))
    reading = reading_of(one.texts)
    if reading.kind == "text" and reading.reason not in ("", "words"):
        notes.append(f"column {name!r} read as text: {reading.reason} ({reading.some!r})")
    return typed(one, reading)


def _without_unknown(one: Column) -> Column:
    """A question mark with blanks around it, which the parser did not take for missing."""
    if _UNKNOWN not in one.texts:
        return one
    mark = one.texts.index(_UNKNOWN)
    recode: Mapping[int, int] = {code: code - (code > mark) for code in range(len(one.texts))}
    table = np.array([*recode.values(), -1], np.int32)
    table[mark] = -1
    values = table[one.values]
    texts = tuple(text for text in one.texts if text != _UNKNOWN)
    return Column(one.name, values, "text", np.flatnonzero(values < 0), texts)
