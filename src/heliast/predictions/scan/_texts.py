"""CSV files too large for memory: their columns as text to disk, then to types."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import NONE, Column
from heliast._core.errors import InputError
from heliast._core.formulas import STARTS
from heliast.predictions._csv import _NUMERIC_ROLES, _refuse, _refuse_headless, _typed
from heliast.predictions._names import Found
from heliast.predictions._textfile import BLOCK, TextFile, compression_of
from heliast.predictions._textual import MISSING
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._located import SOURCE, Located, spool

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
    files: list[tuple[TextFile, int]] = []
    first: list[str] = []
    for path in paths:
        text = TextFile(path, compression_of(path))
        names, skip = text.header()
        if not told:
            _refuse_headless(names, text.title)
        first = first or names
        if names != first:
            raise InputError(
                f"{path}: the header names other columns ({', '.join(names[:8])}) than that of "
                f"{paths[0].name}; all parts of a table have the same"
            )
        files.append((text, skip))

    def serve(found: Found, notes: list[str]) -> dict[str, str]:
        notes.append("the CSV text was copied to a temporary file that the engine can sort")
        _copy(files, first, found.used(), spool(engine))
        engine.view_of_parquet([str(spool(engine))], RAW)
        return _serve_typed(engine, found, notes, [text for text, _ in files], first)

    if len(paths) == 1:
        stem = files[0][0].stem
    return Located(title, stem, first, serve)


def _copy(
    files: Iterable[tuple[TextFile, int]], names: Sequence[str], used: Sequence[str], to: Path
) -> None:
    """The used columns as text, trimmed, missing values as null, in one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in used])
    with pq.ParquetWriter(to, schema, compression="zstd") as writer:
        for text, skip in files:
            try:
                for batch in _batches(text, names, skip, used):
                    columns = [_tidy(column) for column in batch.columns]
                    writer.write_batch(pa.record_batch(columns, schema=schema))
            except pa.ArrowInvalid as error:
                try:
                    _refuse(text, len(names), error)
                except InputError as worded:
                    raise InputError(f"{text.title}: {worded}") from None


def _batches(text: TextFile, names: Sequence[str], skip: int, used: Sequence[str]) -> Any:
    import pyarrow as pa
    import pyarrow.csv as arrow

    keys = {name: str(at) for at, name in enumerate(names)}
    with text.open() as stream:
        yield from arrow.open_csv(
            stream,
            read_options=arrow.ReadOptions(
                column_names=[str(at) for at in range(len(names))],
                skip_rows=skip,
                skip_rows_after_names=1,
                block_size=BLOCK,
            ),
            parse_options=arrow.ParseOptions(
                delimiter=text.delimiter, newlines_in_values=text.quotes
            ),
            convert_options=arrow.ConvertOptions(
                include_columns=[keys[name] for name in used],
                column_types={keys[name]: pa.string() for name in used},
                null_values=list(MISSING),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )


def _tidy(column: Any) -> Any:
    """Without spaces around and without the apostrophe that guards a formula; empty is null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    plain = pc.replace_substring_regex(trimmed, f"^'('*{STARTS})", r"\1")
    return pc.if_else(pc.equal(plain, ""), pa.scalar(None, pa.string()), plain)


# --- types -------------------------------------------------------------------------------------


def _serve_typed(
    engine: Engine,
    found: Found,
    notes: list[str],
    files: Sequence[TextFile],
    names: Sequence[str],
) -> dict[str, str]:
    """Serve each column as the narrowest type that loses nothing of its texts."""
    numeric = {*found.score_columns()} | {
        name for role, name in found.columns.items() if role in _NUMERIC_ROLES
    }
    casts = {name: _number(engine, name, files, names.index(name)) for name in numeric}
    few: dict[str, Column] = {}
    for name in found.used():
        if name in casts:
            continue
        about = engine.rows(f"SELECT approx_count_distinct({quoted(name)}) FROM {RAW}")
        if about[0][0] > MANY:
            casts[name] = _many(engine, name)
        else:
            few[name] = _distinct(engine, name)
    for name, one in _typed(few, found, notes).items():
        casts[name] = _CASTS.get(one.kind, "{0}")
    columns = (f"{cast.format(quoted(name))} AS {quoted(name)}" for name, cast in casts.items())
    engine.run(f"CREATE VIEW {SOURCE} AS SELECT {', '.join(columns)} FROM {RAW}")
    return engine.types(SOURCE)


def _distinct(engine: Engine, name: str) -> Column:
    column = quoted(name)
    found = engine.rows(
        f"SELECT DISTINCT {column} FROM {RAW} WHERE {column} IS NOT NULL ORDER BY 1"
    )
    return Column(name, np.arange(len(found)), "text", NONE, tuple(row[0] for row in found))


def _number(engine: Engine, name: str, files: Sequence[TextFile], at: int) -> str:
    """A column that must hold numbers, the one at that place of each file."""
    column = quoted(name)
    bad = engine.rows(
        f"SELECT min({column}), count(*) FROM {RAW} "
        f"WHERE {column} IS NOT NULL AND TRY_CAST({column} AS DOUBLE) IS NULL"
    )[0]
    if bad[1]:
        hint = "use a decimal point" if "," in bad[0] else "correct it or leave it empty"
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
