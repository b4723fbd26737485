"""Predictions to a data frame or a file; files appear complete or not at all."""

import gzip
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.files import write_whole
from heliast._core.formulas import guarded as guarded_formula
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import keys_of
from heliast._kernels.deciding import extremes
from heliast.predictions.columns import PREFIX, SPLIT_FIELDS
from heliast.predictions.kept import to_arrow as kept_to_arrow
from heliast.predictions.records import Split
from heliast.predictions.scores import looks_like_probability
from heliast.predictions.stored import FORMAT, KEY

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions

# How file names end, and whether the file is text and packed.
FORMATS = {
    ".csv": (",", False), ".tsv": ("\t", False), ".csv.gz": (",", True), ".tsv.gz": ("\t", True),
    ".parquet": ("", False), ".pq": ("", False),
}  # fmt: skip
TAKEN = {
    "y_true", "y_pred", "truth", "label", "seen", "model", "split", "row", "in_train", "weight",
    "group", "time", "item", "attempt", "grade", *(f"split_{name}" for name in SPLIT_FIELDS),
}  # fmt: skip


def write(table: "Predictions", target: "str | os.PathLike[str]", y_true: bool = True) -> Path:
    """Write CSV or Parquet, as the name ends."""
    path = Path(target).expanduser()
    ending = "".join(path.suffixes[-2:]) if path.suffix.lower() == ".gz" else path.suffix
    if ending.lower() not in FORMATS:
        raise InputError(f"{path.name}: write to a name that ends in {', '.join(FORMATS)}")
    delimiter, packed = FORMATS[ending.lower()]
    if delimiter and table.unfinished:
        raise InputError(
            f"{path.name}: {table.unfinished}, and CSV has no place to say so; write Parquet"
        )
    arrow = to_arrow(table, text=bool(delimiter)).drop_columns([] if y_true else ["y_true"])

    def fill(file: IO[bytes]) -> None:
        if not delimiter:
            _write_parquet(table, arrow, file)
        elif packed:  # no name and no time in it: the same table gives the same bytes
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as stream:
                _write_csv(arrow, stream, delimiter)
        else:
            _write_csv(arrow, file, delimiter)

    write_whole(path, fill)
    return path


def _write_parquet(table: "Predictions", arrow: Any, file: IO[bytes]) -> None:
    import pyarrow.parquet as pq

    text = json.dumps(metadata(table), allow_nan=False, sort_keys=True)
    pq.write_table(arrow.replace_schema_metadata({KEY: text.encode()}), file, compression="zstd")


def _write_csv(arrow: Any, file: Any, delimiter: str) -> None:
    import pyarrow.csv

    pyarrow.csv.write_csv(arrow, file, pyarrow.csv.WriteOptions(delimiter=delimiter))


def to_arrow(table: "Predictions", text: bool = False) -> Any:
    """The table as a pyarrow Table; as `text` with what CSV would lose in columns of their own."""
    import pyarrow as pa

    n = len(table)
    columns: dict[str, Any] = {"model": _named(table.models, table.model_code, n, text)}
    if table.task == "graded":
        return _graded(table, columns, text)
    if text and table.stages:
        stage_of = [table.meta.stages.get(name, name) for name in table.models]
        columns["stage_of"] = _named(stage_of, table.model_code, n, text)
    names = table.splits.names
    if len({isinstance(name, str) for name in names}) == 2:
        names = tuple(str(name) for name in names)  # one column, one type
    if not text or table.split_code is not None or names != (0,):
        columns["split"] = _named(names, table.split_code, n, text)
        if text:
            columns |= _split_columns(table)
    if table.row is not None:
        columns["row"] = _rows(table.row, text)
    if table.in_train is not None:
        columns["in_train"] = pa.array(table.in_train)
    for name in ("y_true", "y_pred"):
        codes = getattr(table, name)
        regression = table.task == "regression"
        columns[name] = pa.array(codes) if regression else _named(table.classes, codes, n, text)
    if table.scores is not None:
        scores = [table.scores] if table.scores.ndim == 1 else [*table.scores.T]
        arrays = [pa.array(np.ascontiguousarray(score)) for score in scores]
        columns |= dict(zip(score_names(table, text), arrays, strict=True))
    if table.weight is not None:
        columns["weight"] = pa.array(table.weight)
    if table.group is not None:
        columns["time" if table.meta.design == "time" else "group"] = pa.array(table.group)
    return pa.table(columns | _kept(table, text))


def _split_columns(table: "Predictions") -> dict[str, Any]:
    """What the splits say beside their names, in a column per field that says something."""
    import pyarrow as pa

    plain = [Split(split.split, fold=at) for at, split in enumerate(table.splits)]
    columns = {}
    for name in SPLIT_FIELDS:
        values = [getattr(split, name) for split in table.splits]
        if values != [getattr(split, name) for split in plain]:
            codes = pa.array(table.codes("split"))
            columns[f"split_{name}"] = pa.array(values).take(codes)
    return columns


def _graded(table: "Predictions", columns: dict[str, Any], text: bool) -> Any:
    """A table of grades, a row per attempt."""
    import pyarrow as pa

    if table.row is not None:
        columns["item"] = _rows(table.row, text)
    for name, values in (("weight", table.weight), ("group", table.group)):
        if values is not None:
            columns[name] = pa.array(values)
    columns |= _kept(table, text)
    if table.scores is None:
        return pa.table({**columns, "grade": pa.array(table.y_pred)})
    item, attempt = np.nonzero(~np.isnan(table.scores))
    arrow = pa.table(columns).take(pa.array(item))
    arrow = arrow.append_column("attempt", pa.array(attempt + 1))
    return arrow.append_column("grade", pa.array(table.scores[item, attempt]))


def _kept(table: "Predictions", text: bool) -> dict[str, Any]:
    import pyarrow as pa

    arrays = []
    for part in table.columns.values():
        if text and not part.is_number:
            texts = tuple(guard(word) for word in part.texts)
            arrays.append(kept_to_arrow(replace(part, texts=texts)).cast(pa.string()))
        else:
            arrays.append(kept_to_arrow(part))
    return dict(zip(_kept_names(table, text), arrays, strict=True))


def _kept_names(table: "Predictions", text: bool = False) -> list[str]:
    """What kept columns are called in a file where a role may have the same name."""
    taken = {*TAKEN, *score_names(table, text)}
    return [PREFIX + name if PREFIX + name in taken or name in taken else name
            for name in table.columns]  # fmt: skip


def score_names(table: "Predictions", text: bool = False) -> list[str]:
    """`score_<class>`; in CSV another prefix where `score_` would be read as another kind."""
    if table.scores is None or table.task == "graded":
        return []
    kind, prefix = table.meta.score_kind, "score"
    if text and kind == "votes":
        prefix = "votes"
    elif text and kind == "decision":
        probable = looks_like_probability(table.scores, *extremes(table.scores))
        prefix = "decision" if probable else "score"
    classes = (table.positive,) if table.scores.ndim == 1 else table.classes
    broken = [label for label in classes if text and len(str(label).splitlines()) > 1]
    if broken:
        raise InputError(f"{broken[0]!r}: a name of a class with a line break: write Parquet")
    return [f"{prefix}_{label}" for label in classes]


def _named(names: Sequence[Label], codes: Array | None, n: int, text: bool) -> Any:
    """Codes and what they stand for as one column: text as a dictionary, numbers as they are."""
    import pyarrow as pa

    codes = np.zeros(n, np.int32) if codes is None else codes
    if not any(isinstance(name, str) for name in names):
        return pa.array(np.array(names)[codes])
    texts = [guard(str(name)) if text else name for name in names]
    arrow = pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(texts))
    return arrow.cast(pa.string()) if text else arrow


def _rows(row: Array, text: bool) -> Any:
    import pyarrow as pa

    if row.dtype.kind not in "OUT" or not text:
        return pa.array(row)
    return pa.array([guard(str(name)) for name in row.tolist()])


def guard(text: str) -> str:
    """Text as a CSV file holds it, or why it cannot.

    >>> guard("=1+1"), guard("a=b")
    ("'=1+1", 'a=b')
    """
    if text != text.strip(" \t\r\n") or not text or "\0" in text:
        raise InputError(
            f"{text!r}: CSV cannot tell an empty name, or spaces around one, from none; rename it, "
            "or write Parquet"
        )
    return guarded_formula(text)


def metadata(table: "Predictions") -> dict[str, Any]:
    """All that the columns do not say, as JSON can hold it."""
    meta = table.meta
    plain = ("task", "positive", "score_kind", "weight_kind", "design", "ordinal", "bounds")
    run = ("data_fingerprint", "plan_fingerprint", "seed", "versions", "score_kinds", "stages")
    return {
        "format": FORMAT,
        **{name: getattr(meta, name) for name in plain},
        "classes": list(meta.classes),
        "meta": {name: _as_json(getattr(meta, name)) for name in run},
        "notes": list(meta.notes),
        "note_keys": keys_of(meta.notes),
        "models": list(table.models),
        "scores": score_names(table),
        "kept": _kept_names(table),
        "splits": table.splits.to_dict(),
        "cells": [dict(cell) for cell in table.cells],
    }


def _as_json(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
