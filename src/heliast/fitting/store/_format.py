"""Cells as bytes: one Parquet file a batch, long columns as rows, everything short as metadata."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.fitting.store._files import largest
from heliast.fitting.store._records import Cell, Output

_META = b"heliast-cells"
_KINDS = (None, "probability", "decision", "votes")
FORMAT = 2
"""Of the files written here. The first had no name inside, and is read as well."""


class NotCells(ValueError):  # noqa: N818 - it names the finding
    """Bytes that are not the cells they are said to be; the message says why."""


class OtherFormat(NotCells):
    """Cells, but of a heliast that this one does not understand."""


def dump(key: str, cells: Sequence[Cell]) -> bytes:
    """The cells of a batch, with its name inside, so that a file under another's name is seen."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    about: list[dict[str, Any]] = []
    columns: dict[str, list[Any]] = {"cell": [], "output": [], "row": [], "seen": [], "label": []}
    widths = {o.scores.shape[1] for c in cells for o in c.outputs if o.scores is not None}
    width = max(widths, default=0)
    scores: list[Any] = []
    for at, cell in enumerate(cells):
        outputs = [
            {"suffix": o.suffix, "kind": o.kind, "scored": o.scores is not None}
            for o in cell.outputs
        ]
        about.append({**cell.about("", cell.split), "outputs": outputs})
        shown = cell.outputs or [Output("", np.full(cell.row.size, -1))]
        for place, output in enumerate(shown):
            n = cell.row.size
            columns["cell"].append(np.full(n, at, np.int32))
            columns["output"].append(np.full(n, place, np.int32))
            columns["row"].append(cell.row.astype(np.int64))
            columns["seen"].append(cell.seen)
            columns["label"].append(np.asarray(output.label, np.float64))
            empty = np.full((n, width), np.nan)
            scores.append(empty if output.scores is None else output.scores)
    arrays = {name: pa.array(np.concatenate(parts)) for name, parts in columns.items()}
    matrix = np.concatenate(scores) if scores else np.empty((0, 0))
    for at in range(width):
        arrays[f"score_{at}"] = pa.array(np.ascontiguousarray(matrix[:, at]))
    said = {"format": FORMAT, "key": key, "cells": about}
    table = pa.table(arrays).replace_schema_metadata({_META: json.dumps(said).encode()})
    sink = pa.BufferOutputStream()
    # Small tables: what would help to search large ones costs more than the cells themselves.
    pq.write_table(table, sink, compression="zstd", use_dictionary=False, write_statistics=False)
    return bytes(sink.getvalue())


def numbers(content: bytes) -> Any:
    """The table (pyarrow) of a Parquet file of numbers; ValueError if it holds else, or too much.

    A few bytes can stand for very many equal numbers, so the file is asked for how many first.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(content))
    types = file.schema_arrow.types
    if not all(pa.types.is_integer(one) or pa.types.is_floating(one) for one in types):
        raise ValueError("columns that are no numbers")
    meta = file.metadata
    groups = [meta.row_group(at) for at in range(meta.num_row_groups)]
    rows = max(meta.num_rows, sum(group.num_rows for group in groups))
    if rows * sum(one.bit_width // 8 for one in types) > largest():
        raise ValueError(f"{rows:,} rows, more than are read")
    return file.read(use_threads=False)


def load(key: str, content: bytes) -> list[Cell]:
    """The cells in these bytes; `NotCells` if they are not those of the batch of that name."""
    import pyarrow as pa

    try:
        table = numbers(content)
        said = json.loads(table.schema.metadata[_META])
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, RecursionError):
        raise NotCells("it is no file of cells") from None
    if isinstance(said, dict):
        if said.get("format") != FORMAT:
            raise OtherFormat(f"it has format {said.get('format')!r:.20}, not {FORMAT}")
        if said.get("key") != key:
            raise NotCells("it holds other cells than its name says")
        said = said.get("cells")
    try:
        return _cells(table, said)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, pa.ArrowException):
        raise NotCells("it lacks part of its cells") from None


def _cells(table: Any, about: Any) -> list[Cell]:
    columns = {name: table[name].to_numpy() for name in table.column_names}
    width = sum(name.startswith("score_") for name in columns)
    cells = []
    _check(columns, about)
    places = _places(columns["cell"], columns["output"])
    nowhere = np.empty(0, np.intp)
    for at, one in enumerate(about):
        first = places.get((at, 0), nowhere)
        cell = Cell(
            one["split"],
            columns["row"][first],
            columns["seen"][first],
            status=one["status"],
            fit_seconds=one["fit_seconds"],
            predict_seconds=one["predict_seconds"],
            size=one["size"],
            failure=one["failure"],
            warnings=tuple(one["warnings"]),
        )
        for place, output in enumerate(one["outputs"]):
            mine = places.get((at, place), nowhere)
            scores = None
            if output["scored"]:
                scores = np.column_stack([columns[f"score_{c}"][mine] for c in range(width)])
            cell.outputs.append(
                Output(output["suffix"], columns["label"][mine], scores, output["kind"])
            )
        cells.append(cell)
    return cells


def _places(cell: Array, output: Array) -> dict[tuple[int, int], Array]:
    """The rows of each output of each cell, in order: one sort, however many are said to be."""
    order = np.lexsort((output, cell))
    pairs = np.column_stack([cell, output])[order]
    cuts = np.flatnonzero((pairs[1:] != pairs[:-1]).any(axis=1)) + 1
    return {
        (int(pairs[start, 0]), int(pairs[start, 1])): order[start:stop]
        for start, stop in pairwise([0, *cuts.tolist(), order.size])
        if stop > start
    }


_TYPES: dict[str, type | tuple[type, ...]] = {
    "split": int,
    "status": str,
    "fit_seconds": (int, float),
    "predict_seconds": (int, float),
    "size": (int, type(None)),
    "failure": str,
    "warnings": list,
    "outputs": list,
}


def _check(columns: dict[str, Any], about: Any) -> None:
    """A file may come from anywhere: refuse what no writer of ours would have written."""
    for name in ("cell", "output", "row", "seen"):
        if columns[name].dtype.kind != "i":
            raise ValueError(f"{name} holds no whole numbers")
    for name in ("label", *(name for name in columns if name.startswith("score_"))):
        if columns[name].dtype.kind != "f":
            raise ValueError(f"{name} holds no numbers")
    for one in about:
        for name, kind in _TYPES.items():
            if not isinstance(one[name], kind) or isinstance(one[name], bool):
                raise TypeError(name)
        for output in one["outputs"]:
            if not isinstance(output["suffix"], str) or output["kind"] not in _KINDS:
                raise ValueError("outputs")
