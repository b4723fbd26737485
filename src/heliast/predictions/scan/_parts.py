"""Files and their parts: which there are, whether they fit together."""

import glob
from collections.abc import Iterable, Sequence
from pathlib import Path

from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions._parquet import parquet_source
from heliast.predictions._restore import lasting
from heliast.predictions._textfile import refuse_pipes
from heliast.predictions.scan._engine import Engine
from heliast.predictions.scan._located import SOURCE, Located

PARQUET = (".parquet", ".pq")
_TEXT = (".csv", ".tsv", ".tab", ".csv.gz", ".csv.zst", ".csv.bz2")
_ONE = "all parts of a table have the same columns: write it again, or leave it out"


def paths_of(text: str) -> tuple[list[Path], str, str]:
    """The files that a path, a folder or a pattern names, in order; their title and stem."""
    path = Path(text).expanduser()
    if path.is_dir():
        return _inside(path)
    if path.exists() or not glob.has_magic(text):
        return [path], path.name, path.stem
    found = [Path(one) for one in sorted(glob.glob(str(path), recursive=True))]
    paths = [one for one in found if one.is_file()]
    if not found:
        raise InputError(f"{text}: no file has a name like this; check the pattern")
    # A recursive pattern names folders and what is in them.
    _refuse_left_out(one for one in found if not any(one in part.parents for part in paths))
    stem = paths[0].stem if len(paths) == 1 else paths[0].parent.name or "model"
    return paths, f"{text} ({_count(paths)})", stem


def _inside(folder: Path) -> tuple[list[Path], str, str]:
    """The part files of a folder; what starts with a dot or an underscore is somebody's own."""
    found = [one for one in sorted(folder.iterdir()) if one.name[0] not in "._"]
    _refuse_left_out(found)
    for endings in (PARQUET, _TEXT):
        paths = [one for one in found if one.name.lower().endswith(endings)]
        if paths:
            others = [one for one in found if one not in paths]
            if others:
                raise InputError(
                    f"{folder}: {paths[0].name} beside {others[0].name}: which of them are the "
                    f"table is not clear; name them, such as '{folder}/*{paths[0].suffix}'"
                )
            return paths, f"{folder} ({_count(paths)})", folder.name
    raise InputError(f"{folder}: a folder without a Parquet or CSV file in it; name another")


def _refuse_left_out(found: Iterable[Path]) -> None:
    """Refuse what is no file: a table that lacks a part in silence gives wrong numbers."""
    for one in found:
        if one.is_dir():
            raise InputError(
                f"{one}: a folder among the parts; name the files of all, such as "
                f"'{one.parent}/**/*.parquet', or take it away"
            )
        if not one.is_file():
            what = "a link to nothing" if one.is_symlink() else "not a file"
            raise InputError(f"{one}: {what}; put the part there, or take it away")


def _count(paths: Sequence[Path]) -> str:
    return f"{len(paths)} {'part' if len(paths) == 1 else 'parts'}"


def opened(path: Path) -> bytes:
    """The first bytes of a file, or why it cannot be read."""
    try:
        refuse_pipes(path)
        with path.open("rb") as file:
            return file.read(16)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read this file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be opened ({error})") from None


def parquet(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Located:
    """Parquet files: each can be opened and has the columns of the first."""
    stored, notes = None, list[str]()
    first: dict[str, str] = {}
    for path in paths:
        opened(path)
        source, about = parquet_source(path)
        notes += lasting(about)
        schema = _schema(path)
        if path == paths[0]:
            first, names, stored = schema, source.names, about
        elif schema != first:
            raise InputError(f"{path}: {_differs(schema, first)} in {paths[0].name}; {_ONE}")

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        # Escaped, since a name may hold what the engine takes for a pattern.
        engine.view_of_parquet([glob.escape(str(path)) for path in paths], SOURCE)
        engine.parts = list(paths)
        return engine.types(SOURCE)

    return Located(title, stem, names, serve, notes, stored)


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
    """What is other in the schema of a part than in that of the first."""
    lacking = [name for name in first if name not in schema]
    extra = [name for name in schema if name not in first]
    if lacking:
        return f"there is no column {lacking[0]!r} as"
    if extra:
        return f"there is a column {extra[0]!r}, which is not"
    name = next(name for name in first if first[name] != schema[name])
    return f"column {name!r} holds {schema[name]}, not {first[name]} as"
