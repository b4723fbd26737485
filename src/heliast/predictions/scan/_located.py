"""Where a table lies: a file, parts of one, a database, a lazy frame; opened and named."""

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.predictions._parquet import parquet_source
from heliast.predictions.scan._engine import Engine

SOURCE = "source"
"""What the engine calls the table as it was found."""
_PARQUET = (".parquet", ".pq")


@dataclass
class Located:
    """A table that the engine can read under the name `SOURCE`."""

    title: str
    stem: str
    types: dict[str, str]
    notes: list[str] = field(default_factory=list)
    stored: Any = None
    text: bool = False

    @property
    def names(self) -> list[str]:
        return list(self.types)


def locate(engine: Engine, source: object, table: str | None = None) -> Located:
    """Open the source in the engine; `table` names one in a database."""
    if isinstance(source, (str, os.PathLike)):
        return _of_paths(engine, str(os.fspath(source)), table)
    raise InputError(f"expected a path or a lazy frame, got {type(source).__name__}")


def _of_paths(engine: Engine, text: str, table: str | None) -> Located:
    if "://" in text:
        raise InputError(f"{text}: not fetched; download the file and give its path")
    paths, title, stem = paths_of(text)
    return _parquet(engine, paths, title, stem)


def paths_of(text: str) -> tuple[list[Path], str, str]:
    """The files that a path, a folder or a pattern names, in order; what to call them all."""
    path = Path(text).expanduser()
    if path.is_dir():
        paths = [one for one in sorted(path.iterdir()) if one.suffix.lower() in _PARQUET]
        if not paths:
            raise InputError(f"{path}: a folder without a Parquet file in it; name another")
        return paths, f"{path} ({_parts(paths)})", path.name
    if path.exists() or not glob.has_magic(text):
        return [path], path.name, path.stem
    paths = [Path(one) for one in sorted(glob.glob(str(path), recursive=True))]
    paths = [one for one in paths if one.is_file()]
    if not paths:
        raise InputError(f"{text}: no file has a name like this; check the pattern")
    stem = paths[0].stem if len(paths) == 1 else paths[0].parent.name or "model"
    return paths, f"{text} ({_parts(paths)})", stem


def _parts(paths: Sequence[Path]) -> str:
    return f"{len(paths)} {'part' if len(paths) == 1 else 'parts'}"


def _parquet(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Located:
    """Parquet files: each can be opened and has the columns of the first."""
    stored = None
    first: dict[str, str] = {}
    for path in paths:
        _openable(path)
        _, about = parquet_source(path)
        schema = _schema(path)
        if path == paths[0]:
            first, stored = schema, about if len(paths) == 1 else None
        elif schema != first:
            raise InputError(f"{path}: {_differs(schema, first)} than in {paths[0].name}; {_ONE}")
    # Escaped, since a name may hold what the engine takes for a pattern.
    engine.view_of_parquet([glob.escape(str(path)) for path in paths], SOURCE)
    return Located(title, stem, engine.types(SOURCE), stored=stored)


_ONE = "all parts of a table have the same columns: write it again, or leave it out"


def _openable(path: Path) -> None:
    try:
        with path.open("rb") as file:
            file.read(8)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read this file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be opened ({error})") from None


def _schema(path: Path) -> dict[str, str]:
    """The columns and their types; how text is stored does not matter."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = {}
    for column in pq.read_schema(path):
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        found[column.name] = "text" if text else str(kind)
    return found


def _differs(schema: dict[str, str], first: dict[str, str]) -> str:
    """What is other in the schema of a part."""
    lacking = [name for name in first if name not in schema]
    extra = [name for name in schema if name not in first]
    if lacking or extra:
        what = [f"lacks column {lacking[0]!r}"] if lacking else []
        what += [f"has column {extra[0]!r} more"] if extra else []
        return f"{' and '.join(what)}, other"
    changed = [name for name in first if first[name] != schema[name]]
    if changed:
        name = changed[0]
        return f"column {name!r} is {schema[name]} and not {first[name]}, other"
    return "the columns stand in another order"
