"""Where a table lies: files, a database or a lazy frame; its columns, and how to serve them."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions.scan._engine import BATCH, Engine, quoted
from heliast.tables.opened import is_parquet, opened, refuse_others, short
from heliast.tables.records import is_arrow, is_json

SOURCE = "source"
"""What the engine calls the table as it was found."""


@dataclass
class Located:
    """A table with named columns; `serve` lets the engine read those wanted, as `SOURCE`."""

    title: str
    stem: str
    names: list[str]
    serve: Callable[[Found, list[str]], dict[str, str]]
    """Takes the columns and notes to add to; gives the engine's type of each column."""
    notes: list[str] = field(default_factory=list)
    stored: Any = None


def locate(engine: Engine, source: object, table: str | None, told: bool) -> Located:
    """Find the table; `told` says that the caller names the columns, so any header will do."""
    from heliast.predictions.scan import _files

    if not isinstance(source, (str, os.PathLike)):
        return frame(engine, source)
    text = str(os.fspath(source))
    if "://" in text:
        raise InputError(f"{text}: not fetched; download the file and give its path")
    text, table = named_table(text, table)
    paths, title, stem = _files.paths_of(text)
    _, head = opened(paths[0])
    if is_parquet(paths[0], head):
        return _files.parquet(engine, paths, title, stem)
    if len(paths) == 1 and head.startswith(b"SQLite format 3"):
        return sqlite(engine, paths[0], table)
    if len(paths) == 1 and head[8:12] == b"DUCK":
        return duckdb(engine, paths[0], table)
    if is_json(paths[0], head):
        return _files.records(engine, paths, title, stem)
    if is_arrow(paths[0], head):
        return _files.arrow(engine, paths, title, stem)
    refuse_others(paths[0], head)
    return _files.texts(engine, paths, title, stem, told)


def spool(engine: Engine) -> Path:
    """A new Parquet file among the engine's own."""
    engine.spooled += 1
    return engine.folder / f"source{engine.spooled if engine.spooled > 1 else ''}.parquet"


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
        engine.view_of_parquet([str(_copy(engine, path, chosen, found.used()))], SOURCE)
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


def _copy(engine: Engine, path: Path, table: str, names: Sequence[str]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    copy = spool(engine)
    with closing(_opened(path)) as base:
        schema = pa.schema([(name, _type(base, path, table, name)) for name in names])
        chosen = ", ".join(quoted(name) for name in names)
        with pq.ParquetWriter(copy, schema) as writer:
            for rows in _batches(base, path, f"SELECT {chosen} FROM {quoted(table)}"):
                columns = [
                    pa.array(values, field.type)
                    for values, field in zip(zip(*rows, strict=True), schema, strict=True)
                ]
                writer.write_batch(pa.record_batch(columns, schema=schema))
    return copy


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


def frame(engine: Engine, native: Any) -> Located:
    """A lazy frame: its own engine writes the columns we need to disk, ours sorts and counts."""
    import narwhals as nw

    try:
        lazy = nw.from_native(native)
    except TypeError:
        raise InputError(
            "scan: expected a path or a lazy frame (DuckDB, Polars, PySpark, Dask), got "
            f"{type(native).__name__}"
        ) from None
    if not isinstance(lazy, nw.LazyFrame):
        raise InputError(
            f"scan: this {type(native).__name__} is in memory already: use Predictions.of_frame"
        )
    kind = lazy.implementation.name.lower()
    title = f"the lazy frame ({kind})"
    try:
        names = list(lazy.collect_schema().names())
    except Exception as error:  # whatever the frame's own engine raises
        raise InputError(f"{title}: {_CANNOT} ({short(error)})") from error

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append(f"{title}: {len(found.used())} columns were written to a temporary file")
        path = spool(engine)
        try:
            rows = _WRITERS.get(kind, _sink)(lazy, found.used(), path)
        except Exception as error:  # whatever the frame's own engine raises
            raise InputError(f"{_CANNOT} ({short(error)})") from error
        parts = [path] if path.is_file() else sorted(path.glob("*.parquet"))
        if rows is not None:
            all_there(parts, rows)
        engine.view_of_parquet([str(part) for part in parts], SOURCE)
        return engine.types(SOURCE)

    return Located(title, "model", names, serve)


_CANNOT = "its engine cannot compute it"


# --- how each engine writes --------------------------------------------------------------------


def _sink(lazy: Any, names: Sequence[str], path: Path) -> None:
    """One file, written by this process."""
    lazy.select(*names).sink_parquet(str(path))


def _by_spark(lazy: Any, names: Sequence[str], path: Path) -> int:
    """A folder with a file for each partition; Spark counts the rows while it writes them."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as spark

    # In back-quotes, or Spark would take a dot in a name for a field of a structure.
    quoted = ["`" + name.replace("`", "``") + "`" for name in names]
    seen = Observation()
    chosen = lazy.to_native().select(*quoted).observe(seen, spark.count(spark.lit(1)).alias("rows"))
    chosen.write.parquet(path.as_uri())
    return int(seen.get["rows"])


def _by_dask(lazy: Any, names: Sequence[str], path: Path) -> int:
    """A folder with a file for each partition; what its workers report of them tells the rows."""
    import pyarrow.parquet as pq

    chosen = lazy.to_native()[list(names)]
    chosen.to_parquet(str(path), engine="pyarrow", write_index=False, write_metadata_file=True)
    return int(pq.read_metadata(path / "_metadata").num_rows)


_WRITERS: dict[str, Any] = {
    "pyspark": _by_spark,
    "pyspark_connect": _by_spark,
    "dask": _by_dask,
}


def all_there(parts: Sequence[Path], rows: int) -> None:
    """Refuse parts that do not hold all rows: a worker may have written to a disk of its own."""
    import pyarrow.parquet as pq

    found = sum(pq.read_metadata(part).num_rows for part in parts)
    if found != rows:
        raise InputError(
            f"its engine wrote {rows:,} rows, but {found:,} of them are here: its workers write "
            "to disks of their own; set TMPDIR to a folder that all of them share, or write the "
            "frame to Parquet files and scan those"
        )
