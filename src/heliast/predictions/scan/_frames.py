"""Lazy frames of any library that narwhals knows: DuckDB, Polars, PySpark, Dask."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions.scan._engine import Engine, short
from heliast.predictions.scan._located import SOURCE, Located, spool


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
