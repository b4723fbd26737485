"""The embedded engine: a DuckDB session with bounded memory, private files and no network."""

import glob
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast._kernels.threads import threads
from heliast.tables.opened import short

MEMORY = "1GB"
"""What the engine may use before it writes to disk; Python and the answers come on top."""
MOST_THREADS = 8
"""Each thread holds blocks of its own, which must fit into that memory together."""
BATCH = 1 << 20
"""Rows that are handed over at a time."""


class Engine:
    """Runs queries and hands rows over in batches, in memory that does not grow with the table.

    What does not fit goes to a folder of its own that only this user can read, which is removed
    with the engine. Extensions are never fetched.

    >>> Engine().rows("SELECT 1 + 1")
    [(2,)]
    """

    def __init__(self, memory: str = MEMORY) -> None:
        import duckdb

        self.folder = Path(tempfile.mkdtemp(prefix="heliast-scan-"))  # readable by its owner only
        try:
            self._base = duckdb.connect(
                config={
                    "memory_limit": memory,
                    "threads": min(threads(), MOST_THREADS),
                    "temp_directory": str(self.folder / "spilled"),
                    "preserve_insertion_order": "false",
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                    "allow_community_extensions": "false",
                    "allow_persistent_secrets": "false",
                }
            )
        except duckdb.Error as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise InputError(f"memory={memory!r}: say it like '1GB' ({short(error)})") from None
        self._end = weakref.finalize(self, _close, self._base, self.folder)
        self.parts: list[Path] = []
        self.spooled = 0

    def close(self) -> None:
        """End the session and remove its files."""
        self._end()

    def rows(self, sql: str, given: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The few rows of an answer."""
        answer = self._ask(sql, given)
        with _worded(self):
            found: list[tuple[Any, ...]] = answer.fetchall()
            return found

    def table(self, sql: str, given: Sequence[object] = ()) -> Any:
        """A small answer as an Arrow table."""
        answer = self._ask(sql, given)
        with _worded(self):
            return answer.to_arrow_table()

    def stream(self, sql: str, given: Sequence[object] = (), size: int = BATCH) -> Iterator[Any]:
        """The rows of an answer of any length, as Arrow record batches."""
        answer = self._ask(sql, given)
        with _worded(self):
            yield from _batches(answer, size)

    def run(self, sql: str) -> None:
        """A statement without an answer."""
        with _worded(self):
            self._base.execute(sql)

    def keep(self, table: Any, name: str) -> None:
        """Keep an Arrow table in the session, under a name of ours."""
        with _worded(self):
            self._base.from_arrow(table).create(name)

    def view_of_parquet(self, paths: Sequence[str], name: str) -> None:
        """Serve Parquet files, all of one schema, under a name of ours."""
        with _worded(self):
            self._base.read_parquet(list(paths)).create_view(name)

    def copy(self, sql: str, path: Path) -> None:
        """Write an answer of any length to a Parquet file of ours."""
        literal = str(path).replace("'", "''")
        self.run(f"COPY ({sql}) TO '{literal}' (FORMAT parquet, COMPRESSION snappy)")

    def attach(self, path: Path, name: str) -> None:
        """Open a DuckDB database for reading, under a name of ours."""
        literal = str(path).replace("'", "''")
        self.run(f"ATTACH '{literal}' AS {name} (READ_ONLY)")

    def types(self, name: str) -> dict[str, str]:
        """The columns of a table or view of ours, with the engine's types."""
        return {str(row[0]): str(row[1]) for row in self.rows(f"DESCRIBE {name}")}

    def _ask(self, sql: str, given: Sequence[object]) -> Any:
        with _worded(self):
            # Each question has a cursor of its own: answers may be read side by side.
            return self._base.cursor().sql(sql, params=list(given) or None)


class _worded:  # noqa: N801 - used like a keyword
    """Turns what the engine says into an InputError."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        import duckdb

        if isinstance(error, duckdb.OutOfMemoryException):
            raise InputError(
                f"the memory limit is too small for this table ({short(error)}); allow more with "
                "memory= (command line: --memory 2GB), or make room on the disk"
            ) from None
        if isinstance(error, duckdb.Error):
            if any(words in str(error) for words in _FULL):
                raise InputError(full(self.engine, error)) from None
            name = _damaged(self.engine.parts)
            if name is not None:
                raise InputError(
                    f"{name}: damaged ({short(error)}); write it again, or leave it out"
                ) from None
            raise InputError(f"the table cannot be read ({short(error)})") from None


def full(engine: Engine, error: BaseException) -> str:
    """What to say when the disk is full."""
    return (
        f"no room for temporary files in {engine.folder.parent} ({short(error)}); make room, or "
        "name another folder with TMPDIR"
    )


_FULL = ("No space left", "Could not write", "quota exceeded")


def _damaged(parts: Sequence[Path]) -> str | None:
    """The first part that cannot be read to its end: an engine does not say which it was."""
    import duckdb

    for part in parts:
        try:
            with duckdb.connect() as base:
                answer = base.read_parquet(glob.escape(str(part)))
                for _ in _batches(answer, BATCH):
                    pass
        except (duckdb.Error, OSError, RuntimeError):
            return part.name
    return None


def _batches(answer: Any, size: int) -> Iterator[Any]:
    if hasattr(answer, "to_arrow_reader"):
        yield from answer.to_arrow_reader(size)
    else:  # as releases before 2 called it
        yield from answer.fetch_arrow_reader(size)


def quoted(name: str) -> str:
    """A column or table as an identifier: whatever it holds, it stays a name.

    >>> quoted('a"; DROP')
    '"a""; DROP"'
    """
    return '"' + name.replace('"', '""') + '"'


def _close(base: Any, folder: Path) -> None:
    base.close()
    shutil.rmtree(folder, ignore_errors=True)
