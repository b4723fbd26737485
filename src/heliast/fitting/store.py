"""Store: a folder of finished cells, so that a run that was interrupted goes on."""

import functools
import glob
import hashlib
import json
import os
import re
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from heliast._core.errors import InputError
from heliast._core.files import read_plain
from heliast._core.kinds import Array
from heliast.fitting.cell import Cell, Output

_LARGEST = 2**32  # bytes of a file that is read
_LEFTOVER = 3600.0  # seconds after which a temporary file is nobody's
_OLDER_FORMAT = re.compile(r"[0-9a-f]{2}|quarantine")


@dataclass(frozen=True)
class Run:
    """The record of a run in a store.

    Parameters
    ----------
    id : str
        The same for the same call.
    begun : str
        When it was first begun, ISO 8601.
    data, plan : str
        Name of the data, and the plan.
    models : tuple of str
        Names of the models.
    keys : tuple of str
        Keys of its cells.
    finished : int, default 0
        How many of the cells are in the store.

    Examples
    --------
    >>> run = Run("3f2a", "2026-11-18T12:00:00+00:00", "iris", "KFold(2)", ("tree",), ("a", "b"))
    >>> run.cells, run.finished
    (2, 0)
    """

    id: str
    begun: str
    data: str
    plan: str
    models: tuple[str, ...]
    keys: tuple[str, ...]
    finished: int = 0

    @property
    def cells(self) -> int:
        """How many cells the run has."""
        return len(self.keys)


class Store:
    """A folder of finished cells, each under a hash of all that decides its predictions.

    A cell is a Parquet file of predictions, and a JSON file of times, size and failure beside it.
    Both are written under a temporary name and renamed. Several processes and machines may share a
    store: whoever computes a cell writes the same Parquet file. A file that does not have its
    checksum counts as missing.

    Parameters
    ----------
    folder : str or Path
        A folder that is there; `Store.at` makes it.

    Examples
    --------
    >>> import tempfile
    >>> store = Store.at(tempfile.mkdtemp())
    >>> store.load(store.key("model", "data")), store.runs()
    (None, ())
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).expanduser().resolve()
        self._cells, self._runs = self.folder / "cells", self.folder / "runs"
        with self._access("read"):
            names = os.listdir(self.folder)
        older = any(_OLDER_FORMAT.fullmatch(name) for name in names)
        if older or any(self._runs.glob("*.parquet")):
            raise InputError(
                f"store {self.folder}: written by an older heliast, whose finished work cannot be "
                "used; name a new folder"
            )

    @classmethod
    def at(cls, place: "str | os.PathLike[str] | Store") -> "Store":
        """The store in a folder, made if it is not there.

        Parameters
        ----------
        place : Store, str or Path
            The folder, or a store, which is given back.

        Returns
        -------
        Store
            The store.
        """
        if isinstance(place, Store):
            return place
        folder = Path(place).expanduser()
        try:
            for part in ("cells", "runs"):
                (folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"store {place}: cannot make this folder ({error})") from None
        return cls(folder)

    # --- cells -------------------------------------------------------------------------------

    @staticmethod
    def key(*parts: object) -> str:
        """The name of a cell: a hash of what decides its predictions.

        Parameters
        ----------
        *parts : object
            Plain values.

        Returns
        -------
        str
            32 hexadecimal digits.
        """
        return str(joblib.hash(parts))

    def load(self, key: str) -> Cell | None:
        """The cell of this key; None if it is not there, or damaged.

        Parameters
        ----------
        key : str
            Its key.

        Returns
        -------
        Cell or None
            As it was saved.
        """
        return self.load_all([key]).get(key)

    def load_all(self, keys: Sequence[str]) -> dict[str, Cell]:
        """The cells of these keys that are there, undamaged.

        Parameters
        ----------
        keys : sequence of str
            Their keys.

        Returns
        -------
        dict
            Cells by key.
        """
        known = {key: about for key in keys if (about := self._about(key)) is not None}
        cells: dict[str, Cell] = {}
        for width in {about["width"] for about in known.values()}:  # columns of scores
            alike = {key: about for key, about in known.items() if about["width"] == width}
            cells |= self._read(alike)
        return cells

    def save(self, key: str, cell: Cell) -> None:
        """Write a cell, whole or not at all.

        Parameters
        ----------
        key : str
            Its key.
        cell : Cell
            The cell.
        """
        about, columns = _from_cell(cell)
        part = self._part(self._cells, key)
        with self._access("write"):
            try:
                _write_parquet(part, columns)
                with part.open("rb+") as file:
                    content = file.read()
                    os.fsync(file.fileno())
                text = json.dumps({"checksum": _checksum(about, content), "cell": about})
                self._write(self._cells / f"{key}.json", text)
                os.replace(part, self._path(key))
            finally:
                part.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._cells / f"{key}.parquet"

    def _finished(self) -> set[str]:
        with self._access("read"):
            names = os.listdir(self._cells) if self._cells.is_dir() else []
        return {name.removesuffix(".parquet") for name in names if name.endswith(".parquet")}

    def _about(self, key: str) -> dict[str, Any] | None:
        """What stands beside the predictions; None if either file is damaged."""
        try:
            text = json.loads(read_plain(self._cells / f"{key}.json", _LARGEST, follow=False))
            about: dict[str, Any] = text["cell"]
            content = read_plain(self._path(key), _LARGEST, follow=False)
            return about if text["checksum"] == _checksum(about, content) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _read(self, known: dict[str, dict[str, Any]]) -> dict[str, Cell]:
        """Cells that have the same columns, in one query; none if some of them cannot be read."""
        import duckdb

        names = [glob.escape(str(self._path(key))) for key in known]
        query = "SELECT * FROM read_parquet(?, hive_partitioning=false)"
        try:
            with _cursor() as cursor:
                columns = cursor.execute(query, [names]).fetchnumpy()
            ends = np.cumsum([about["rows"] for about in known.values()])[:-1]
            parts = {name: np.split(values, ends) for name, values in columns.items()}
            return {
                key: _to_cell(about, {name: parts[name][at] for name in parts})
                for at, (key, about) in enumerate(known.items())
            }
        except (duckdb.Error, KeyError, TypeError, ValueError):
            return {}

    # --- runs --------------------------------------------------------------------------------

    def begin(self, data: str, plan: str, models: Iterable[str], keys: Iterable[str]) -> None:
        """Record a run, before its first cell; a record that is there stays.

        Parameters
        ----------
        data, plan : str
            Name of the data, and the plan.
        models, keys : iterable of str
            Names of its models, keys of its cells.
        """
        keys = list(keys)
        name, now = self.key(keys)[:10], datetime.now(UTC).isoformat()
        path = self._runs / f"{name}.json"
        record = {"id": name, "begun": now, "data": data, "plan": plan, "models": list(models)}
        if self._record(path) is None:
            with self._access("write"):
                self._write(path, json.dumps({**record, "keys": keys}))

    def runs(self) -> tuple[Run, ...]:
        """The runs on record, the oldest first; a damaged record is left out.

        Returns
        -------
        tuple of Run
            With the number of their cells that are there.
        """
        there = self._finished()
        records = [run for path in self._records() if (run := self._record(path)) is not None]
        runs = [replace(run, finished=len(there.intersection(run.keys))) for run in records]
        return tuple(sorted(runs, key=lambda run: (run.begun, run.id)))

    def clean(self) -> list[Path]:
        """Files that nothing needs: old temporary files, and cells of no run on record.

        Returns
        -------
        list of Path
            No cells if a record is damaged, as they may be its own.
        """
        before, runs = time.time() - _LEFTOVER, self.runs()
        with self._access("read"):
            parts = self.folder.glob("*/.*.part")
            unused = [path for path in parts if path.lstat().st_mtime < before]
        if len(runs) == len(self._records()):
            needed = {key for run in runs for key in run.keys}
            unused += [path for path in self._cells.glob("[!.]*.*") if path.stem not in needed]
        return sorted(unused)

    def _records(self) -> list[Path]:
        return sorted(self._runs.glob("*.json"))

    def _record(self, path: Path) -> Run | None:
        try:
            record = json.loads(read_plain(path, _LARGEST, follow=False))
            name, begun, data, plan = (str(record[key]) for key in ("id", "begun", "data", "plan"))
            models, keys = (tuple(map(str, record[key])) for key in ("models", "keys"))
            return Run(name, begun, data, plan, models, keys)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    # --- files -------------------------------------------------------------------------------

    def _part(self, folder: Path, name: str) -> Path:
        return folder / f".{name}.{secrets.token_hex(4)}.part"

    def _write(self, path: Path, text: str) -> None:
        part = self._part(path.parent, path.stem)
        try:
            part.write_text(text, encoding="utf-8")
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)

    @contextmanager
    def _access(self, action: str) -> Iterator[None]:
        import duckdb

        try:
            yield
        except (OSError, duckdb.Error) as error:
            reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
            raise InputError(
                f"store {self.folder}: cannot {action} ({reason}); finished cells are kept, and "
                "the same call goes on from there"
            ) from None


# --- the bytes of a cell ---------------------------------------------------------------------


def _from_cell(cell: Cell) -> tuple[dict[str, Any], dict[str, Array]]:
    """What stands in the JSON file, and the columns of the Parquet file."""
    n = cell.row.size
    scored = [output.scores for output in cell.outputs if output.scores is not None]
    width = max((scores.shape[1] for scores in scored), default=0)
    outputs = cell.outputs or [Output("", np.full(n, -1))]  # a failed cell has its rows, too
    label = np.concatenate([np.asarray(output.label, np.float64) for output in outputs])
    columns: dict[str, Array] = {
        "output": np.repeat(np.arange(len(outputs), dtype=np.int32), n),
        "row": np.tile(cell.row.astype(np.int64), len(outputs)),
        "seen": np.tile(cell.seen.astype(np.int32), len(outputs)),
        "label": label,  # of one type, as many files are read in one query
    }
    empty = np.full((n, width), np.nan)
    matrix = np.concatenate([empty if o.scores is None else o.scores for o in outputs])
    columns |= {f"score_{at}": np.ascontiguousarray(matrix[:, at]) for at in range(width)}
    about = {
        **cell.record(),
        "split": cell.split,
        "outputs": [[o.suffix, o.kind, o.scores is not None] for o in cell.outputs],
        "rows": label.size,
        "width": width,
    }
    return about, columns


def _to_cell(about: dict[str, Any], columns: dict[str, Array]) -> Cell:
    fields = dict(about)
    outputs, width, rows = (fields.pop(name) for name in ("outputs", "width", "rows"))
    fields["warnings"] = tuple(fields["warnings"])
    n = rows // max(1, len(outputs))
    cell = Cell(row=columns["row"][:n], seen=columns["seen"][:n], **fields)
    for place, (suffix, kind, scored) in enumerate(outputs):
        mine = slice(place * n, (place + 1) * n)
        scores = [columns[f"score_{at}"][mine] for at in range(width)]
        cell.outputs.append(
            Output(
                suffix, columns["label"][mine], np.column_stack(scores) if scored else None, kind
            )
        )
    return cell


def _checksum(about: dict[str, Any], content: bytes) -> str:
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode() + content).hexdigest()


def _write_parquet(path: Path, columns: dict[str, Array]) -> None:
    literal = str(path).replace("'", "''")
    with _cursor() as cursor:
        cursor.register("cell", columns)
        cursor.execute(f"COPY cell TO '{literal}' (FORMAT parquet, COMPRESSION zstd)")


def _cursor() -> Any:
    return _database(os.getpid(), threading.get_ident()).cursor()


@functools.lru_cache(maxsize=4)
def _database(process: int, thread: int) -> Any:
    """DuckDB for this thread; one thread writes the same bytes everywhere."""
    import duckdb

    return duckdb.connect(
        config={
            "threads": 1,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
    )
