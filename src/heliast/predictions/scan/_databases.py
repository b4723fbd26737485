"""Tables in DuckDB and SQLite databases, opened for reading only."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions.scan._engine import BATCH, Engine, quoted
from heliast.predictions.scan._located import SOURCE, Located, spool

STORED = "stored"
"""What the engine calls the database."""
_COPIED = "the SQLite table was copied to a temporary file that the engine can read"


def named_table(text: str, table: str | None) -> tuple[str, str | None]:
    """`file.duckdb::table` to the file and the table."""
    path, colons, name = text.rpartition("::")
    if table is None and colons and path and not Path(text).exists():
        return path, name
    return text, table


def duckdb(engine: Engine, path: Path, table: str | None) -> Located:
    """A table of a DuckDB database. Views are refused: what they read is not in the file."""
    try:
        engine.attach(path, STORED)
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    found = engine.rows(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? "
        "AND NOT internal ORDER BY ALL",
        [STORED],
    )
    names = {
        name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in found
    }
    chosen = _one_of(path, list(names), table)
    schema, name = names[chosen]
    engine.run(f"CREATE VIEW {SOURCE} AS SELECT * FROM {STORED}.{quoted(schema)}.{quoted(name)}")
    types = engine.types(SOURCE)
    return Located(f"{path.name}::{chosen}", chosen, list(types), lambda found, notes: types)


def _one_of(path: Path, names: Sequence[str], table: str | None) -> str:
    listed = ", ".join(map(repr, names[:12]))
    if not names:
        raise InputError(f"{path.name}: a database without tables; nothing to assess")
    if table is None and len(names) > 1:
        raise InputError(
            f"{path.name}: which table? There are {listed}; say {path.name}::{names[0]} or table="
        )
    if table is not None and table not in names:
        raise InputError(f"{path.name}: no table named {table!r}; there are {listed}")
    return table or names[0]


# --- SQLite --------------------------------------------------------------------------------------


def sqlite(engine: Engine, path: Path, table: str | None) -> Located:
    """A table of an SQLite database; its columns are copied, since its types are per value."""
    with closing(_opened(path)) as base:
        rows = _ask(base, path, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        names = [row[0] for row in rows if not row[0].startswith("sqlite_")]
        chosen = _one_of(path, names, table)
        about = _ask(base, path, f"PRAGMA table_info({quoted(chosen)})")
    columns = [str(row[1]) for row in about]

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append(_COPIED)
        _copy(engine, path, chosen, found.used())
        engine.view_of_parquet([str(spool(engine))], SOURCE)
        return engine.types(SOURCE)

    return Located(f"{path.name}::{chosen}", chosen, columns, serve)


def _opened(path: Path) -> sqlite3.Connection:
    try:
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        # As SQLite advises for files of strangers: their schema calls no function that acts.
        base.execute("PRAGMA trusted_schema = OFF")
        base.execute("PRAGMA cell_size_check = ON")
        return base
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: cannot be opened ({error})") from None


def _ask(base: sqlite3.Connection, path: Path, sql: str) -> list[Any]:
    try:
        return base.execute(sql).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: cannot be read ({error})") from None


def _copy(engine: Engine, path: Path, table: str, names: Sequence[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with closing(_opened(path)) as base:
        schema = pa.schema([(name, _type(base, path, table, name)) for name in names])
        chosen = ", ".join(quoted(name) for name in names)
        with pq.ParquetWriter(spool(engine), schema) as writer:
            for rows in _batches(base, path, f"SELECT {chosen} FROM {quoted(table)}"):
                columns = [
                    pa.array(values, field.type)
                    for values, field in zip(zip(*rows, strict=True), schema, strict=True)
                ]
                writer.write_batch(pa.record_batch(columns, schema=schema))


def _batches(base: sqlite3.Connection, path: Path, sql: str) -> Iterator[list[Any]]:
    try:
        cursor = base.execute(sql)
        while rows := cursor.fetchmany(BATCH // 16):
            yield rows
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: cannot be read ({error})") from None


def _type(base: sqlite3.Connection, path: Path, table: str, name: str) -> Any:
    """One type for all values of a column: SQLite lets every row have its own."""
    import pyarrow as pa

    sql = f"SELECT DISTINCT typeof({quoted(name)}) FROM {quoted(table)}"
    there = {row[0] for row in _ask(base, path, sql)} - {"null"}
    if "blob" in there or ("text" in there and len(there) > 1):
        mixed = " and ".join(sorted(there))
        raise InputError(
            f"column {name!r} holds {mixed}: numbers never equal text; convert it to one type"
        )
    if there == {"text"}:
        return pa.string()
    return pa.int64() if there == {"integer"} else pa.float64()
