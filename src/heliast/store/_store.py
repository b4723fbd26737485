"""Durable cells: each finished batch is one Parquet file, written whole or not at all."""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.store._records import Cell, Output

_KEY = b"heliast-cells"


class Store:
    """A folder of finished batches, each under the fingerprint of what decides its result.

    The name of a file ends in the checksum of its bytes: a torn or changed file is seen, set
    aside under `.bad`, and its work is done again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def at(cls, place: object) -> "Store":
        """The store in a folder, made if it is not there."""
        if isinstance(place, Store):
            return place
        folder = Path(str(place))
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"store {place}: cannot make this folder ({error.strerror})") from None
        return cls(folder)

    def find(self, identity: tuple[object, ...]) -> list[Cell] | None:
        """The cells of a batch finished before, or None."""
        key = _name(identity)
        for path in sorted(self._shelf(key).glob(f"{key}-*.parquet")):
            cells = _load(path)
            if cells is not None:
                return cells
            path.rename(path.with_suffix(".bad"))
        return None

    def keep(self, identity: tuple[object, ...], cells: Sequence[Cell]) -> None:
        """Write a finished batch: a private temporary file, flushed to disk, then renamed."""
        content = _dump(cells)
        key = _name(identity)
        shelf = self._shelf(key)
        shelf.mkdir(exist_ok=True)
        final = shelf / f"{key}-{_checksum(content)}.parquet"
        handle, temporary = tempfile.mkstemp(dir=shelf, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, final)
        except OSError as error:
            Path(temporary).unlink(missing_ok=True)
            raise InputError(
                f"store {self.folder}: cannot write ({error.strerror}); what was finished before "
                "is kept, so free some space and run again"
            ) from None

    def _shelf(self, key: str) -> Path:
        return self.folder / key[:2]


def _name(identity: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(identity).encode()).hexdigest()[:32]


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _dump(cells: Sequence[Cell]) -> bytes:
    """The cells as one Parquet file: long columns as rows, everything short as metadata."""
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
    table = pa.table(arrays).replace_schema_metadata({_KEY: json.dumps(about).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _load(path: Path) -> list[Cell] | None:
    """The cells of a file, or None if its bytes are not those that were written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = path.read_bytes()
    if _checksum(content) != path.stem.rpartition("-")[2]:
        return None
    table = pq.read_table(pa.BufferReader(content), use_threads=False)
    about = json.loads(table.schema.metadata[_KEY])
    columns = {name: table[name].to_numpy() for name in table.column_names}
    width = sum(name.startswith("score_") for name in columns)
    cells = []
    for at, one in enumerate(about):
        here = columns["cell"] == at
        first = here & (columns["output"] == 0)
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
            mine = here & (columns["output"] == place)
            scores = None
            if output["scored"]:
                scores = np.column_stack([columns[f"score_{c}"][mine] for c in range(width)])
            cell.outputs.append(
                Output(
                    output["suffix"],
                    columns["label"][mine],
                    scores,
                    output["kind"],
                )
            )
        cells.append(cell)
    return cells
