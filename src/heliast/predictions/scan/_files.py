"""Files and their parts: which there are, whether they fit; CSV as text to disk, then to types."""

import glob
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import NONE, Column
from heliast._core.errors import InputError
from heliast._core.formulas import STARTS
from heliast.predictions._names import Found, take_vector
from heliast.predictions._read import (
    hint_for,
    numeric_columns,
    pair_texts,
    refuse_headless,
    typed_texts,
)
from heliast.predictions._stored import lasting, parquet_source
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._sources import SOURCE, Located, spool
from heliast.predictions.scan._vectors import is_vector, names_of
from heliast.tables.opened import PARQUET, opened
from heliast.tables.readings import refuse_thousands
from heliast.tables.records import ARROW, JSON, Records, arrow_batches
from heliast.tables.texts import TextFile

_TEXT = (".csv", ".tsv", ".tab", ".csv.gz", ".csv.zst", ".csv.bz2")
_JSON = tuple(f"{one}{packed}" for one in JSON for packed in ("", ".gz", ".zst", ".bz2"))
_COPIED = "the {} was copied to a temporary file that the engine can sort"
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
    for endings in (PARQUET, _TEXT, _JSON, ARROW):
        paths = [one for one in found if one.name.lower().endswith(endings)]
        if paths:
            others = [one for one in found if one not in paths]
            if others:
                raise InputError(
                    f"{folder}: {paths[0].name} beside {others[0].name}: which of them are the "
                    f"table is not clear; name them, such as '{folder}/*{paths[0].suffix}'"
                )
            return paths, f"{folder} ({_count(paths)})", folder.name
    raise InputError(
        f"{folder}: a folder without a Parquet, CSV, JSON or Arrow file in it; name another"
    )


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


def records(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Located:
    """JSON files, lines or arrays of records: the engine reads them once and keeps their types."""
    found_in = Records(paths, engine.rows, engine.folder)

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append(_COPIED.format("JSON text"))
        copy = spool(engine)
        try:
            engine.copy(found_in.sql(found.used()), copy)
        except InputError:
            if not found_in.sampled:
                raise
            found_in.look(-1)  # later records have other types than the first
            engine.copy(found_in.sql(found.used()), copy)
        engine.view_of_parquet([str(copy)], SOURCE)
        return engine.types(SOURCE)

    stem = TextFile(paths[0]).stem if len(paths) == 1 else stem
    return Located(title, stem, list(found_in.types), serve)


def arrow(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Located:
    """Arrow and Feather files: each has the columns of the first."""
    import pyarrow.parquet as pq

    schemas = [next(arrow_batches(path)).schema for path in paths]
    for path, schema in zip(paths, schemas, strict=True):
        if not schema.equals(schemas[0]):
            raise InputError(f"{path}: other columns or types than {paths[0].name}; {_ONE}")

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append(_COPIED.format("Arrow table"))
        copy = spool(engine)
        parts = (part for path in paths for part in arrow_batches(path, found.used()))
        first = next(parts)
        with pq.ParquetWriter(copy, first.schema) as writer:
            for part in parts:
                writer.write(part)
        engine.view_of_parquet([str(copy)], SOURCE)
        return engine.types(SOURCE)

    return Located(title, stem, list(schemas[0].names), serve)


def spread(engine: Engine, found: Found, types: dict[str, str]) -> dict[str, str]:
    """Serve a score column of vectors as one column for each place; the types of the columns."""
    name = found.score if isinstance(found.score, str) else None
    if name is None:
        return types
    column = quoted(name)
    first = engine.rows(f"SELECT {column} FROM {SOURCE} WHERE {column} IS NOT NULL LIMIT 1")
    if not first or not is_vector(types[name], first[0][0]):
        return types
    numbers, places = names_of(engine.rows, SOURCE, column, types[name], name)
    chosen = [quoted(one) for one in found.used() if one != name]
    chosen += [
        f"list_extract(numbers, {at}) AS {quoted(part)}"
        for at, part in enumerate(take_vector(found, places).values(), start=1)
    ]
    copy = spool(engine)
    source = f"SELECT *, {numbers} AS numbers FROM {SOURCE}"
    engine.copy(f"SELECT {', '.join(chosen)} FROM ({source})", copy)
    engine.view_of_parquet([str(copy)], SOURCE)
    return engine.types(SOURCE)


RAW = "raw"
MANY = 100_000
"""A column with more different texts than this is looked at by the engine, not text by text."""
_CASTS = {
    "bool": "lower({0}) = 'true'",
    "whole": "CAST({0} AS BIGINT)",
    "number": "CAST({0} AS DOUBLE)",
}


def texts(engine: Engine, paths: Sequence[Path], title: str, stem: str, told: bool) -> Located:
    """CSV files with one header: each is looked through before a row is used."""
    files = [TextFile(path) for path in paths]
    first: list[str] = []
    for path, text in zip(paths, files, strict=True):
        names = text.header()
        if not told:
            refuse_headless(text)
        first = first or names
        if names != first:
            raise InputError(
                f"{path}: the header names other columns ({', '.join(names[:8])}) than that of "
                f"{paths[0].name}; all parts of a table have the same"
            )

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append(_COPIED.format("CSV text"))
        copy = spool(engine)
        _copy(files, found.used(), copy)
        engine.view_of_parquet([str(copy)], RAW)
        return _serve_typed(engine, found, notes, files)

    if len(paths) == 1:
        stem = files[0].stem
    return Located(title, stem, first, serve, files[0].notes)


def _copy(files: Iterable[TextFile], used: Sequence[str], to: Path) -> None:
    """The used columns as text, trimmed, missing values as null, in one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in used])
    with pq.ParquetWriter(to, schema, compression="zstd") as writer:
        for text in files:
            try:
                for batch in text.batches({text.names.index(name): pa.string() for name in used}):
                    columns = [_tidy(column) for column in batch.columns]
                    writer.write_batch(pa.record_batch(columns, schema=schema))
            except pa.ArrowInvalid as error:
                raise InputError(f"{text.title}: {text.misshapen(error)}") from None


def _tidy(column: Any) -> Any:
    """Without spaces around and without the apostrophe that guards a formula; empty is null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    plain = pc.replace_substring_regex(trimmed, f"^'('*{STARTS})", r"\1")
    return pc.if_else(pc.equal(plain, ""), pa.scalar(None, pa.string()), plain)


# --- types -------------------------------------------------------------------------------------


def _serve_typed(
    engine: Engine, found: Found, notes: list[str], files: Sequence[TextFile]
) -> dict[str, str]:
    """Serve each column as the narrowest type that loses nothing of its texts."""

    def number(name: str) -> str:
        return _number(engine, name, files, files[0].names.index(name))

    casts = {
        name: "{0}" if name == found.score and _vectors(engine, name) else number(name)
        for name in numeric_columns(found)
    }
    few: dict[str, Column] = {}
    for name in found.used():
        if name in casts:
            continue
        about = engine.rows(f"SELECT approx_count_distinct({quoted(name)}) FROM {RAW}")
        if about[0][0] > MANY:
            casts[name] = _many(engine, name)
        else:
            few[name] = _distinct(engine, name)
    if files[0].delimiter == ";":
        refuse_thousands(found.columns["y_true"], pair_texts(few, found))
    for name, one in typed_texts(few, found, notes).items():
        grouped = one.kind != "text" and any("," in text for text in few[name].texts)
        casts[name] = _CASTS.get(one.kind, "{0}").format(
            "replace({0}, ',', '')" if grouped else "{0}"
        )
    columns = (f"{cast.format(quoted(name))} AS {quoted(name)}" for name, cast in casts.items())
    engine.run(f"CREATE OR REPLACE VIEW {SOURCE} AS SELECT {', '.join(columns)} FROM {RAW}")
    return engine.types(SOURCE)


def _distinct(engine: Engine, name: str) -> Column:
    column = quoted(name)
    found = engine.rows(
        f"SELECT DISTINCT {column} FROM {RAW} WHERE {column} IS NOT NULL ORDER BY 1"
    )
    return Column(name, np.arange(len(found)), "text", NONE, tuple(row[0] for row in found))


def _vectors(engine: Engine, name: str) -> bool:
    column = quoted(name)
    first = engine.rows(f"SELECT {column} FROM {RAW} WHERE {column} IS NOT NULL LIMIT 1")
    return bool(first) and is_vector("VARCHAR", first[0][0])


def _number(engine: Engine, name: str, files: Sequence[TextFile], at: int) -> str:
    """A column that must hold numbers, the one at that place of each file."""
    column = quoted(name)
    bad = engine.rows(
        f"SELECT min({column}), count(*) FROM {RAW} "
        f"WHERE {column} IS NOT NULL AND TRY_CAST({column} AS DOUBLE) IS NULL"
    )[0]
    if bad[1]:
        hint = hint_for(bad[0])
        raise InputError(
            f"column {name!r}: {bad[0][:60]!r} is not a number ({_where(files, at, bad[0])}), in "
            f"{bad[1]:,} {'row' if bad[1] == 1 else 'rows'}; {hint}"
        )
    return _CASTS["number"]


def _where(files: Sequence[TextFile], at: int, value: str) -> str:
    """The file and line that first hold this text at this place; slow, for messages only."""
    for text in files:
        for line, row in text.rows():
            if len(row) > at and row[at].strip().removeprefix("'") == value.removeprefix("'"):
                return f"{text.title}, line {line}"
    return "in a place that is not known"


def _many(engine: Engine, name: str) -> str:
    """Very many different texts: whole numbers, numbers, or text if anything would be lost."""
    column = quoted(name)
    odd, broken, long = engine.rows(
        "SELECT count(*) FILTER (TRY_CAST(v AS DOUBLE) IS NULL), "
        "count(*) FILTER (CAST(TRY_CAST(v AS BIGINT) AS VARCHAR) IS DISTINCT FROM v), "
        "count(*) FILTER (regexp_matches(v, '^[+-]?0[0-9]|^[+-]?[0-9]{16,}$')) "
        f"FROM (SELECT {column} AS v FROM {RAW} WHERE {column} IS NOT NULL)"
    )[0]
    if not broken:
        return _CASTS["whole"]
    return "{0}" if odd or long else _CASTS["number"]
