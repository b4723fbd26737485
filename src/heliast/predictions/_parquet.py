"""Parquet files as a source of columns, with the metadata of tables we wrote ourselves."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions._source import Source
from heliast.predictions._stored import check_stored

KEY = b"heliast"
"""Where our metadata stands in the Parquet schema."""


def parquet_source(path: Path) -> tuple[Source, Mapping[str, Any] | None]:
    """Open a Parquet file; also its heliast metadata, if it carries any."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Not memory mapped: a file that changes while it is read must not end the process.
        file = pq.ParquetFile(path)
        schema = file.schema_arrow
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{path.name}: not a Parquet file, or damaged or cut short ({_short(error)}); "
            "write it again, or name it .csv if it is CSV"
        ) from None

    def fetch(found: Found) -> Mapping[str, Column]:
        if not file.metadata.num_rows:
            raise InputError("the file has columns but no row; nothing to assess")
        try:
            table = file.read(columns=found.used())
            return {name: column(table[name], name) for name in found.used()}
        except InputError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"the file is damaged ({_short(error)}); write it again") from None

    source = Source(path.name, path.stem, list(schema.names), fetch)
    return source, _metadata(schema.metadata or {}, path.name)


def _metadata(stored: Mapping[bytes, bytes], title: str) -> Mapping[str, Any] | None:
    if KEY not in stored:
        return None
    try:
        found = json.loads(stored[KEY])
        if not isinstance(found, dict):
            raise ValueError("no table of names")
        if found["format"] == 1:
            check_stored(found)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(
            f"{title}: its heliast metadata is damaged ({_short(error)}); write the file again"
        ) from None
    return found


def _short(error: Exception) -> str:
    return str(error).split("\n")[0][:200]
