"""Where a table lies: files, a database or a lazy frame; its columns, and how to serve them."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions.scan._engine import Engine

SOURCE = "source"
"""What the engine calls the table as it was found."""
_OTHERS = {b"PK\x03\x04": "a zip archive or an Excel workbook", b"ARROW1": "an Arrow file"}


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
    from heliast.predictions.scan import _databases, _frames, _parts, _texts

    if not isinstance(source, (str, os.PathLike)):
        return _frames.frame(engine, source)
    text = str(os.fspath(source))
    if "://" in text:
        raise InputError(f"{text}: not fetched; download the file and give its path")
    text, table = _databases.named_table(text, table)
    paths, title, stem = _parts.paths_of(text)
    head = _parts.opened(paths[0])
    if head[:4] == b"PAR1" or paths[0].suffix.lower() in _parts.PARQUET:
        return _parts.parquet(engine, paths, title, stem)
    if len(paths) == 1 and head.startswith(b"SQLite format 3"):
        return _databases.sqlite(engine, paths[0], table)
    if len(paths) == 1 and head[8:12] == b"DUCK":
        return _databases.duckdb(engine, paths[0], table)
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(f"{paths[0].name}: this is {what}; save it as CSV or Parquet")
    return _texts.texts(engine, paths, title, stem, told)


def spool(engine: Engine) -> Path:
    """A new Parquet file among the engine's own."""
    return engine.folder / "source.parquet"
