"""A file or a data frame to predictions."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions._source import Source, predictions_from
from heliast.predictions._table import Predictions
from heliast.predictions._textfile import refuse_pipes

_PARQUET = (".parquet", ".pq")
_OTHERS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"ARROW1": "an Arrow (Feather) file",
    b"%PDF": "a PDF",
    b"SQLite": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
}


def read(cls: type[Predictions], source: object, **options: Any) -> Predictions:
    """See `Predictions.read`."""
    if not isinstance(source, (str, os.PathLike)):
        return of_frame(cls, source, **options)
    path, head = _opened(source)
    if head.startswith(b"PAR1") or path.suffix.lower() in _PARQUET:
        from heliast.predictions._parquet import parquet_source
        from heliast.predictions._restore import lasting, restore, with_defaults

        found, stored = parquet_source(path)
        if stored is None:
            return predictions_from(cls, found, **options)
        if all(_is_default(name, value) for name, value in options.items()):
            return restore(cls, found, stored)
        return predictions_from(cls, found, **with_defaults(options, stored)).noted(
            *lasting(stored)
        )
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(f"{path.name}: this is {what}; save it as CSV or Parquet")
    from heliast.predictions._csv import csv_source

    return predictions_from(cls, csv_source(path, told=options.get("truth") is not None), **options)


def _is_default(name: str, value: object) -> bool:
    return value is None or (name, value) in (("design", "rows"), ("missing", "refuse"))


def _opened(source: "str | os.PathLike[str]") -> tuple[Path, bytes]:
    """The path and its first bytes, or why it cannot be read."""
    text = os.fspath(source)
    if "://" in text:
        raise InputError(f"{text}: not fetched; download the file and give its path")
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:  # ~nobody
        raise InputError(f"{text}: cannot be found ({error})") from None
    try:
        refuse_pipes(path)
        with path.open("rb") as file:
            return path, file.read(8)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder; name one CSV or Parquet file in it") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read this file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be opened ({error})") from None


def of_frame(cls: type[Predictions], frame: object, **options: Any) -> Predictions:
    """See `Predictions.of_frame`."""
    names, get = _columns_of(frame)

    def fetch(found: Found) -> Mapping[str, Column]:
        return {name: column(get(name), name) for name in found.used()}

    return predictions_from(cls, Source("the data frame", "model", names, fetch), **options)


def _columns_of(frame: Any) -> tuple[list[str], Any]:
    if isinstance(frame, Mapping):
        return [str(name) for name in frame], {str(name): frame[name] for name in frame}.get
    import narwhals as nw

    try:
        table = nw.from_native(frame)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
    except TypeError:
        raise InputError(
            f"expected a path or a data frame (pandas, polars, pyarrow), got {type(frame).__name__}"
        ) from None
    except nw.exceptions.NarwhalsError as error:
        raise InputError(f"the data frame cannot be used: {error}") from None
    columns = {str(name): name for name in table.columns}
    if len(columns) < len(table.columns):
        raise InputError("the data frame has two columns of the same name; rename one")
    return list(columns), lambda name: table[columns[name]].to_native()
