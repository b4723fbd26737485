"""Lazy frames of any library that narwhals knows: DuckDB, Polars, PySpark, Dask."""

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
    names = list(lazy.collect_schema().names())
    title = f"the lazy frame ({lazy.implementation.name.lower()})"

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append(f"{title}: {len(found.used())} columns were written to a temporary file")
        _write(lazy, found.used(), spool(engine))
        path = spool(engine)
        # Some engines write a folder of parts.
        parts = [str(path)] if path.is_file() else [f"{path}/*.parquet"]
        engine.view_of_parquet(parts, SOURCE)
        return engine.types(SOURCE)

    return Located(title, "model", names, serve)


def _write(lazy: Any, names: list[str], path: Any) -> None:
    try:
        lazy.select(*names).sink_parquet(str(path))
    except Exception as error:  # whatever the frame's own engine raises
        raise InputError(f"its engine cannot compute it ({short(error)})") from error
