"""Files to tables: one reader for text, JSON, Parquet, Arrow, ARFF and databases."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast.tables.engine import Engine, quoted
from heliast.tables.room import refuse_more, room
from heliast.tables.sources import (
    MISSING,
    SOURCE,
    Source,
    first_bytes,
    kind_of,
    lines_of,
    open_source,
    stem_of,
)
from heliast.tables.table import Table
from heliast.tables.vectors import spread

_VALUE = 8
"""Bytes that a value takes at least on the way from a file to a column."""
_LEAST = 200_000_000
"""Bytes without which DuckDB cannot work."""
_PLAIN = ("BIGINT", "UBIGINT", "INTEGER", "DOUBLE", "FLOAT", "VARCHAR", "BOOLEAN", "HUGEINT")
_LONGEST = 100_000_000
"""Characters of the longest record of a log."""


def read_table(
    path: "str | os.PathLike[str]",
    *,
    separator: str | None = None,
    decimal_separator: str | None = None,
    encoding: str | None = None,
    names: Sequence[str] | None = None,
    table: str | None = None,
    missing: Sequence[str] = MISSING,
) -> Table:
    """The columns of a file, read when they are needed.

    Parameters
    ----------
    path : str or path
        CSV, TSV and the like, JSON (lines, or an array of records), Parquet, Arrow, Feather, ARFF,
        a DuckDB database; text and JSON also packed by gzip. A folder or a
        pattern names the parts of one table.
    separator, decimal_separator, encoding : str, optional
        How a text file is written; else commas (or what the header has), points, UTF-8.
    names : sequence of str, optional
        The names of the columns of a text file without a header line.
    table : str, optional
        The table of a database.
    missing : sequence of str
        Fields of a text file that say a value is missing.

    Returns
    -------
    Table
        Columns by name, typed by DuckDB.

    Raises
    ------
    InputError
        If the file cannot be read, or would take more memory than there is.
    """
    text = os.fspath(path)
    if isinstance(text, str) and "://" not in text and Path(text).expanduser().is_file():
        where = Path(text).expanduser()
        if kind_of(where, first_bytes(where)) == "arff":
            return _arff(where, names)
    engine = Engine(f"{max(room(), _LEAST) // 10**6}MB", spill=False)
    source = open_source(
        engine, text, separator=separator, decimal_separator=decimal_separator,
        encoding=encoding, names=names, table=table, missing=missing,
    )  # fmt: skip
    reader = _Reader(engine, source)
    return Table(
        source.title,
        source.stem,
        list(source.types),
        reader.fetch,
        source.places,
        source.notes,
        nested=tuple(_nested(source.types)),
        written=source.written,
        metadata=source.metadata,
        prepare=reader.prepare,
        vector=reader.vector,
    )


class _Reader:
    """Reads columns of a source; those of text files and JSON in one pass."""

    def __init__(self, engine: Engine, source: Source) -> None:
        self.engine, self.source = engine, source
        self.types: dict[str, str] = {}
        self.rows = 0

    def prepare(self, names: Sequence[str]) -> None:
        """Load these columns."""
        lacking = [name for name in names if name not in self.types]
        if not lacking:
            return
        names = list(dict.fromkeys([*self.types, *lacking]))
        self.types = self.source.load(self.engine, names)
        self.rows = self.engine.rows(f"SELECT count(*) FROM {SOURCE}")[0][0]
        if not self.rows:
            raise InputError(f"{self.source.title}: there are columns but no row of data")
        shown = f"{self.rows:,} rows of {len(names)} {'column' if len(names) == 1 else 'columns'}"
        refuse_more(2 * _VALUE * self.rows * len(names), f"the file holds {shown}")

    def fetch(self, name: str) -> Column:
        """One column; all columns of a text file are loaded at once if none was prepared."""
        if name not in self.types:
            self.prepare([name] if self.source.stored or self.types else [*self.source.types, name])
        return self.engine.column(SOURCE, quoted(name), self.types[name], name)

    def vector(self, name: str) -> dict[str, Column] | None:
        """A column of vectors as one column for each place."""
        self.prepare([name])
        column = quoted(name)
        kind = self.types[name]
        if kind == "VARCHAR":
            first = self.engine.rows(
                f"SELECT {column} FROM {SOURCE} WHERE {column} IS NOT NULL LIMIT 1"
            )
            if not first or first[0][0].lstrip()[:1] not in ("[", "("):
                return None
        elif not kind.endswith("]") and not kind.startswith(("STRUCT", "MAP")):
            return None
        values = self.engine.arrays(f"SELECT {column} AS v FROM {SOURCE}")["v"]
        if isinstance(values, np.ma.MaskedArray):
            mask, values = np.ma.getmaskarray(values), np.asarray(values.data, object).copy()
            values[mask] = None
        return spread(values, name)


def unpacked_size(path: Path) -> int:
    """The bytes that a Parquet file takes in memory at least, from its rows and columns."""
    engine = Engine(f"{_LEAST // 10**6}MB", spill=False)
    source = open_source(engine, path)
    rows = engine.rows(f"SELECT count(*) FROM ({source.query(list(source.types)[:1])})")[0][0]
    return _VALUE * int(rows) * len(source.types)


def _nested(types: dict[str, str]) -> Iterator[str]:
    """What records inside of columns hold, by the names of both: `metrics.f1`."""
    for name, kind in types.items():
        if kind.startswith("STRUCT(") and not kind.endswith("]"):
            fields = _fields(kind)
            yield from (f"{name}.{field}" for field, inner in fields.items() if inner in _PLAIN)
            yield from (f"{name}.{field}" for field in _nested(fields))


def _fields(kind: str) -> dict[str, str]:
    """The fields of a STRUCT type of DuckDB with their types."""
    fields, depth, start, quotes = {}, 0, 0, False
    inside = kind.removeprefix("STRUCT(").removesuffix(")") + ","
    for at, mark in enumerate(inside):
        quotes ^= mark == '"'
        depth += (mark == "(") - (mark == ")") if not quotes else 0
        if mark == "," and not depth and not quotes:
            part = inside[start:at].strip()
            name, _, inner = part[1:].partition('" ') if part[0] == '"' else part.partition(" ")
            fields[name] = inner
            start = at + 1
    return fields


def _arff(path: Path, names: Sequence[str] | None) -> Table:
    from heliast.tables.arff import arff_table

    if names is not None:
        raise InputError(f"{path.name}: names= is for text files without a header; this has names")
    try:
        lines = list(read_text(path, "utf-8"))
    except UnicodeDecodeError:
        lines = list(read_text(path, "latin-1"))  # what Weka writes on many machines
    try:
        return arff_table(lines, path.name, stem_of(path))
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None


def read_text(path: Path, encoding: str = "utf-8") -> Iterator[str]:
    """The lines of a text file, packed by gzip or not, of a bounded size."""
    total, most = 0, room()
    try:
        for line in lines_of(path, encoding, "strict"):
            total += len(line)
            if total > most:
                what = f"{path.name}: the file holds more than {most / 1e6:,.0f} MB"
                refuse_more(2 * total, what)
            yield line
    except OSError as error:
        raise InputError(f"{path.name}: cannot be read ({error})") from None


def read_records(path: "str | os.PathLike[str]") -> Iterator[dict[str, Any]]:
    """The records of a log: one JSON object a line.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = file.write('{"a": {"b": 1}}')
    ...     file.flush()
    ...     list(read_records(file.name))
    [{'a': {'b': 1}}]
    """
    where = Path(path)
    for number, line in enumerate(read_text(where), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line) if len(line) <= _LONGEST else None
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise InputError(
                f"{where.name}: line {number} is no whole JSON record: the file is cut short or "
                "damaged there; write it again, or remove the line"
            )
        yield record
