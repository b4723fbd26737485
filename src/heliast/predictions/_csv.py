"""CSV files as a source of columns: what cannot be read is refused with its line."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.predictions._names import RECOGNISED, Found
from heliast.predictions._source import Source
from heliast.predictions._textfile import BLOCK, TextFile, compression_of
from heliast.predictions._textual import (
    MISSING,
    Reading,
    is_number,
    long_numbers,
    many_different,
    reading_of,
    textual,
    typed,
)

_NUMERIC_ROLES = ("weight",)


def csv_source(path: Path, told: bool) -> Source:
    """Open a CSV file; `told` says that the caller names the columns, so any header will do."""
    text = TextFile(path, compression_of(path))
    names, skip = text.header()
    if not told:
        _refuse_headless(names, text.title)
    notes: list[str] = []
    if text.delimiter != ",":
        notes.append(f"columns separated by {text.delimiter!r}")

    def fetch(found: Found) -> Mapping[str, Column]:
        return _fetch(text, names, skip, found, notes)

    return Source(text.title, text.stem, names, fetch, Places("line", text.lines), notes)


def _refuse_headless(names: Sequence[str], title: str) -> None:
    known = {name for options in RECOGNISED.values() for name in options}
    number = next((name for name in names if is_number(name)), None)
    if number is not None and not any(name.lower() in known for name in names):
        raise InputError(
            f"{title}: the first line looks like data, not like a header (it holds {number!r}); "
            "add a first line that names the columns, such as truth,label"
        )


# --- the columns -------------------------------------------------------------------------------


def _fetch(
    text: TextFile, names: Sequence[str], skip: int, found: Found, notes: list[str]
) -> Mapping[str, Column]:
    import pyarrow as pa

    numeric = {*found.score_columns()} | {
        name for role, name in found.columns.items() if role in _NUMERIC_ROLES
    }
    numeric -= {name for role, name in found.columns.items() if role not in _NUMERIC_ROLES}
    try:
        table = _read(text, names, skip, found.used(), numeric)
    except pa.ArrowInvalid as error:
        if numeric and "conversion error to double" in str(error):
            table = _read_checked(text, names, skip, found.used(), ())
        else:
            _refuse(text, len(names), error)
    if not table:
        raise InputError("there is a header but no row of data; nothing to assess")
    columns: dict[str, Column] = {}
    texts: dict[str, Column] = {}
    for name, chunks in table.items():
        if pa.types.is_floating(chunks.type):
            columns[name] = _renamed(chunks, name)
        elif many_different(chunks) and (one := long_numbers(chunks, name)) is not None:
            columns[name] = one
        else:
            texts[name] = textual(chunks, name)
    for name in numeric & set(texts):
        columns[name] = _numbers(texts.pop(name), text)
    return columns | _typed(texts, found, notes)


def _renamed(chunks: Any, name: str) -> Column:
    from heliast._core.columns import column

    return column(chunks, name)


def _read_checked(
    text: TextFile, names: Sequence[str], skip: int, wanted: Sequence[str], numeric: Any
) -> dict[str, Any]:
    import pyarrow as pa

    try:
        return _read(text, names, skip, wanted, numeric)
    except pa.ArrowInvalid as error:
        _refuse(text, len(names), error)
        raise


def _read(
    text: TextFile, names: Sequence[str], skip: int, wanted: Sequence[str], numeric: Any
) -> dict[str, Any]:
    """The wanted columns as Arrow: numbers where asked for, else strings as they are written."""
    import pyarrow as pa
    import pyarrow.csv as arrow

    keys = {name: str(at) for at, name in enumerate(names)}
    types = {keys[name]: pa.float64() if name in numeric else pa.string() for name in wanted}
    with text.open() as stream:
        table = arrow.read_csv(
            stream,
            read_options=arrow.ReadOptions(
                column_names=[str(at) for at in range(len(names))],
                skip_rows=skip,
                skip_rows_after_names=1,
                block_size=BLOCK,
            ),
            parse_options=arrow.ParseOptions(
                delimiter=text.delimiter, newlines_in_values=text.quotes
            ),
            convert_options=arrow.ConvertOptions(
                include_columns=list(types),
                column_types=types,
                null_values=list(MISSING),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    return {} if not table.num_rows else {name: table[keys[name]] for name in wanted}


def _refuse(text: TextFile, width: int, error: Exception) -> None:
    for line, row in text.rows():
        if len(row) != width:
            raise InputError(
                f"line {line} has {len(row)} {'field' if len(row) == 1 else 'fields'} but the "
                f"header names {width} columns; correct the line (a text that holds "
                f"{text.delimiter!r} must be quoted)"
            ) from None
    raise InputError(f"the file cannot be read as CSV ({error})") from None


def _numbers(one: Column, text: TextFile) -> Column:
    """A column that must hold numbers, found not to be clean."""
    bad = [code for code, value in enumerate(one.texts) if not is_number(value)]
    rows = np.flatnonzero(np.isin(one.values, bad))
    if rows.size:
        value = one.texts[one.values[rows[0]]]
        hint = "use a decimal point" if "," in value else "correct it or leave it empty"
        where = Places("line", text.lines).some(rows)
        raise InputError(f"column {one.name!r}: {value[:60]!r} in {where} is not a number; {hint}")
    return typed(one, Reading("number"))


def _typed(texts: Mapping[str, Column], found: Found, notes: list[str]) -> dict[str, Column]:
    readings = {name: reading_of(one.texts) for name, one in texts.items()}
    pair = [found.columns[role] for role in ("truth", "label") if role in found.columns]
    pair = [name for name in pair if name in readings]
    together = [readings[name] for name in pair]
    if any(_binds(one, other) for one in together for other in together):
        # "1" beside "a", or "7" beside "007": the labels of both columns are text.
        readings |= dict.fromkeys(pair, next(one for one in together if one.reason))
    if found.columns.get("model") in readings:
        readings[found.columns["model"]] = Reading("text")
    for name, reading in readings.items():
        if reading.kind == "text" and reading.reason not in ("", "words"):
            notes.append(f"column {name!r} read as text: {reading.reason} ({reading.some!r})")
    return {name: typed(one, readings[name]) for name, one in texts.items()}


def _binds(text: Reading, other: Reading) -> bool:
    if text.kind != "text" or other.kind == "text":
        return False
    return text.reason == "words" if other.kind == "bool" else text.reason not in ("", "words")
