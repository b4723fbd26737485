"""Predictions to a data frame or a file; files appear whole or not at all."""

import gzip
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.files import write_whole
from heliast._core.formulas import guarded
from heliast._core.frames import in_library
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import keys_of
from heliast._kernels.deciding import extremes
from heliast.predictions._kept import names_in_file
from heliast.predictions._kept import to_arrow as kept_to_arrow
from heliast.predictions._scores import looks_like_probability
from heliast.predictions._stored import FORMAT, KEY
from heliast.predictions._table import Predictions

GRADED_NAMES = ("item", "attempt", "grade")
_KINDS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv.gz": "csv",
    ".tsv.gz": "tsv",
}


def write(table: Predictions, target: "str | os.PathLike[str]", truth: bool = True) -> Path:
    """See `Predictions.write`."""
    drop = [] if truth else ["y_true"]
    path = Path(target).expanduser()
    ending = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix
    kind = _KINDS.get(ending.lower())
    if kind is None:
        raise InputError(f"{path.name}: write to a name that ends in {', '.join(_KINDS)}")
    if kind == "parquet":
        write_whole(path, lambda file: _parquet(table, file, drop))
    else:
        if table.unfinished:
            raise InputError(
                f"{path.name}: {table.unfinished}, and CSV has no place to say so; write Parquet"
            )
        plain = to_arrow(table, guarded=True).drop_columns(drop)
        packed = path.suffix.lower() == ".gz"
        write_whole(path, lambda file: _csv(plain, file, "\t" if kind == "tsv" else ",", packed))
    return path


def _parquet(table: Predictions, file: IO[bytes], drop: list[str]) -> None:
    import pyarrow.parquet as pq

    plain = to_arrow(table).drop_columns(drop)
    said = json.dumps(metadata(table), allow_nan=False, sort_keys=True)
    pq.write_table(plain.replace_schema_metadata({KEY: said.encode()}), file, compression="zstd")


def _csv(plain: Any, file: IO[bytes], delimiter: str, packed: bool) -> None:
    import pyarrow.csv as arrow

    options = arrow.WriteOptions(delimiter=delimiter)
    if not packed:
        arrow.write_csv(plain, file, options)
        return
    # No name and no time in it: the same table gives the same bytes.
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as stream:
        arrow.write_csv(plain, stream, options)


# --- the columns -------------------------------------------------------------------------------


def to_arrow(table: Predictions, guarded: bool = False) -> Any:
    """The table as a pyarrow Table: plain columns that any tool can read."""
    import pyarrow as pa

    columns: dict[str, Any] = {"model": _named(table.models, table.model_code, len(table), guarded)}
    if table.task == "graded":
        return _grades(table, columns["model"], guarded)
    if guarded and table.stages:
        of = [table.meta.stages.get(name, name) for name in table.models]
        columns["stage_of"] = _named(of, table.model_code, len(table), guarded)
    names = _split_names(table)
    if not guarded or table.split_code is not None or names != (0,):
        columns["split"] = _named(names, table.split_code, len(table), guarded)
    if table.row is not None:
        columns["row"] = _values(table.row, guarded)
    if table.in_train is not None:
        columns["in_train"] = pa.array(table.in_train)
    for name in ("y_true", "y_pred"):
        codes = getattr(table, name)
        if table.task == "regression":
            columns[name] = pa.array(codes)
        else:
            columns[name] = _named(table.classes, codes, len(table), guarded)
    columns |= dict(zip(score_names(table, guarded), _score_columns(table), strict=True))
    if table.weight is not None:
        columns["weight"] = pa.array(table.weight)
    if table.group is not None:
        columns["time" if table.meta.design == "time" else "group"] = pa.array(table.group)
    inside = names_in_file(table.columns, score_names(table, guarded))
    kept = [_kept(one, guarded) for one in table.columns.values()]
    return pa.table({**columns, **dict(zip(inside, kept, strict=True))})


def _kept(one: Column, guarded: bool) -> Any:
    import pyarrow as pa

    if not guarded or one.is_number:
        return kept_to_arrow(one)
    texts = tuple(guard(text) for text in one.texts)
    return kept_to_arrow(replace(one, texts=texts)).cast(pa.string())


def _grades(table: Predictions, model: Any, guarded: bool) -> Any:
    """A graded table, a row for each attempt."""
    import pyarrow as pa

    columns = {"model": model}
    if table.row is not None:
        columns["item"] = _values(table.row, guarded)
    for name, values in (("weight", table.weight), ("group", table.group)):
        if values is not None:
            columns[name] = pa.array(values)
    inside = names_in_file(table.columns, GRADED_NAMES)
    kept = [_kept(one, guarded) for one in table.columns.values()]
    columns |= dict(zip(inside, kept, strict=True))
    if table.scores is None:
        return pa.table({**columns, "grade": pa.array(table.y_pred)})
    item, attempt = np.nonzero(~np.isnan(table.scores))
    written = pa.table(columns).take(pa.array(item))
    written = written.append_column("attempt", pa.array(attempt + 1))
    return written.append_column("grade", pa.array(table.scores[item, attempt]))


def score_names(table: Predictions, guarded: bool = False) -> list[str]:
    """`score_<class>`; in CSV another prefix where `score_` would be read as another kind."""
    if table.scores is None or table.task == "graded":
        return []
    prefix = "score"
    kind = table.meta.score_kind
    if guarded and kind == "votes":
        prefix = "votes"
    elif (
        guarded
        and kind == "decision"
        and looks_like_probability(table.scores, *extremes(table.scores))
    ):
        prefix = "decision"
    classes = (table.positive,) if table.scores.ndim == 1 else table.classes
    return [f"{prefix}_{label}" for label in classes]


def _score_columns(table: Predictions) -> list[Array]:
    if table.scores is None:
        return []
    if table.scores.ndim == 1:
        return [table.scores]
    return [np.ascontiguousarray(column) for column in table.scores.T]


def _split_names(table: Predictions) -> tuple[int | str, ...]:
    names = table.splits.names
    if len({isinstance(name, str) for name in names}) == 2:
        return tuple(str(name) for name in names)  # one column, one type
    return names


def _named(names: Sequence[Label], codes: Array | None, n: int, guarded: bool) -> Any:
    """Codes and what they stand for as one column: text as a dictionary, numbers as they are."""
    import pyarrow as pa

    at = np.zeros(n, np.int32) if codes is None else codes
    if any(isinstance(name, str) for name in names):
        texts = [guard(str(name)) if guarded else name for name in names]
        column = pa.DictionaryArray.from_arrays(pa.array(at.astype(np.int32)), pa.array(texts))
        return column.cast(pa.string()) if guarded else column
    return pa.array(np.array(names)[at])


def _values(row: Array, guarded: bool) -> Any:
    import pyarrow as pa

    if row.dtype.kind not in "OUT" or not guarded:
        return pa.array(row)
    return pa.array([guard(str(name)) for name in row.tolist()])


def guard(text: str) -> str:
    """Text as a CSV file holds it, or why it cannot.

    >>> guard("=1+1"), guard("a=b")
    ("'=1+1", 'a=b')
    """
    if text != text.strip() or not text or "\0" in text:
        raise InputError(
            f"{text!r}: CSV cannot tell an empty name, or spaces around one, from none; "
            "rename it, or write Parquet"
        )
    return guarded(text)


def metadata(table: Predictions) -> dict[str, Any]:
    """All that the columns do not say, as JSON can hold it."""
    meta = table.meta
    return {
        "format": FORMAT,
        "task": meta.task,
        "classes": list(meta.classes),
        "positive": meta.positive,
        "score_kind": meta.score_kind,
        "weight_kind": meta.weight_kind,
        "design": meta.design,
        "ordinal": meta.ordinal,
        "bounds": None if meta.bounds is None else list(meta.bounds),
        "meta": {
            "data_fingerprint": meta.data_fingerprint,
            "plan_fingerprint": meta.plan_fingerprint,
            "seed": meta.seed,
            "versions": dict(meta.versions),
            "score_kinds": dict(meta.score_kinds),
            "stages": dict(meta.stages),
        },
        "notes": list(meta.notes),
        "note_keys": keys_of(meta.notes),
        "models": list(table.models),
        "scores": score_names(table),
        "kept": names_in_file(
            table.columns, GRADED_NAMES if table.task == "graded" else score_names(table)
        ),
        "splits": table.splits.to_dict(),
        "cells": [dict(cell) for cell in table.cells],
    }


# --- data frames -------------------------------------------------------------------------------


def to_frame(table: Predictions, backend: str) -> Any:
    """See `Predictions.to_frame`."""
    return in_library(to_arrow(table), backend)
