"""Files as they are opened: there, plain, and of which kind, or why not."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.tables.room import decoded, refuse_more, written

PARQUET = (".parquet", ".pq")
PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd", b"BZ": "bz2"}
"""Compressed files by their first bytes."""
_OTHERS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"%PDF": "a PDF",
    b"SQLite": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
}


def opened(source: "str | os.PathLike[str]") -> tuple[Path, bytes]:
    """The path and its first 16 bytes, or why it cannot be read."""
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
            return path, file.read(16)
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


def refuse_pipes(path: Path) -> None:
    """Refuse what is no plain file: a pipe waits for a writer, and is read once where we do twice.

    What is not there, or a folder, is left to whoever opens it.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path}: a pipe or a device, not a file; save what it gives as a file")


def is_parquet(path: Path, head: bytes) -> bool:
    """Whether the file says that it is Parquet, by its first bytes or its name."""
    return head.startswith(b"PAR1") or path.suffix.lower() in PARQUET


def refuse_others(path: Path, head: bytes) -> None:
    """Refuse a file whose first bytes are those of another kind than text."""
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(f"{path.name}: this is {what}; save it as CSV or Parquet")


def parquet_file(path: Path) -> Any:
    """A Parquet file (pyarrow), its schema looked at, or why it is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Not memory mapped: a file that changes while it is read must not end the process.
        file = pq.ParquetFile(path)
        file.schema_arrow  # noqa: B018 - a damaged schema shows here
        return file
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{path.name}: not a Parquet file, or damaged or cut short ({short(error)}); "
            "write it again, or name it .csv if it is CSV"
        ) from None


def parquet_table(path: Path, names: Sequence[str] | None = None) -> Any:
    """Columns of a Parquet file as an Arrow table, if there is room for them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = parquet_file(path)
    there = file.schema_arrow.names if names is None else list(names)
    what = f"the file holds {file.metadata.num_rows:,} rows of {len(there)} columns"
    refuse_more(decoded(file, there), what)
    # Read as they are packed, each text once: one may be long and stand in every row.
    texts = [one.name for one in file.schema_arrow if one.type in (pa.string(), pa.large_string())]
    try:
        table = pq.ParquetFile(path, read_dictionary=texts).read(columns=names)
        refuse_more(written(table), f"{what} with long texts")
        for at, name in enumerate(table.column_names):
            if name in texts:
                plain = table.column(at).cast(file.schema_arrow.field(name).type)
                table = table.set_column(at, name, plain)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"the file is damaged ({short(error)}); write it again") from None
    return table


def short(error: BaseException, most: int = 200) -> str:
    """The first line of what a library says."""
    return str(error).split("\n")[0][:most]
