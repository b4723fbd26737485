"""A DuckDB session with bounded memory, private temporary files and no network."""

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import NONE, Column, column, nan_positions
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.threads import threads
from heliast.tables.room import refuse_more
from heliast.tables.table import UnusableError

BATCH = 1 << 20
"""Rows that are handed over at a time."""
MOST_THREADS = 8
"""Each thread holds blocks of its own, which must fit into the memory together."""
_FEW = 1 << 16
"""Up to so many different texts are coded by DuckDB, more of them in Python."""
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
_QUIET = "SET enable_progress_bar = false"
_FULL = ("No space left", "Could not write", "quota exceeded")
_AS_TEXT = ("HUGEINT", "UHUGEINT", "UUID", "TIME")


class Engine:
    """Runs queries in memory that does not grow with the table.

    What does not fit goes to a temporary folder that only this user can read and that is removed
    with the engine, unless `spill` is off. Extensions are never fetched.

    >>> Engine("1GB").rows("SELECT 1 + 1")
    [(2,)]
    """

    def __init__(self, memory: str, spill: bool = True) -> None:
        import duckdb

        self.folder = Path(tempfile.mkdtemp(prefix="heliast-"))  # readable by its owner only
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        try:
            self._base = duckdb.connect(
                config={
                    "memory_limit": memory,
                    "threads": min(threads(), MOST_THREADS),
                    "temp_directory": str(self.folder) if spill else "",
                    "preserve_insertion_order": str(not spill).lower(),
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                    "allow_community_extensions": "false",
                    "allow_persistent_secrets": "false",
                }
            )
        except duckdb.Error as error:
            raise InputError(f"memory={memory!r}: say it like '1GB' ({short(error)})") from None
        self._base.execute(_QUIET)
        self._end = weakref.finalize(self, _close, self._base, self.folder)

    def close(self) -> None:
        """End the session and remove its files."""
        self._end()

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The few rows of an answer."""
        with self._errors():
            return self._base.execute(sql, list(parameters)).fetchall()

    def arrays(self, sql: str, parameters: Sequence[object] = ()) -> dict[str, Array]:
        """The columns of an answer as NumPy arrays, masked where a value is missing."""
        with self._errors():
            return self._base.execute(sql, list(parameters)).fetchnumpy()

    def stream(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[list[Array]]:
        """The columns of an answer of any length without missing values, some rows at a time."""
        with self._errors():
            # A cursor of its own: answers may be read side by side.
            cursor = self._base.cursor()
            cursor.execute(_QUIET)
            answer = cursor.sql(sql, params=list(parameters) or None)
            for batch in answer.to_arrow_reader(BATCH):
                yield [
                    np.ascontiguousarray(values.to_numpy(zero_copy_only=False))
                    for values in batch.columns
                ]

    def run(self, sql: str) -> None:
        """A statement without an answer."""
        with self._errors():
            self._base.execute(sql)

    def register(self, name: str, table: Any) -> None:
        """Let queries read a table of Arrow, or a dict of arrays, under this name."""
        with self._errors():
            self._base.register(name, table)

    def types(self, sql: str) -> dict[str, str]:
        """The columns of a query, with DuckDB's types."""
        return {str(row[0]): str(row[1]) for row in self.rows(f"DESCRIBE {sql}")}

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn DuckDB's errors into an InputError."""
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise InputError(
                f"the table needs more memory than it may take ({short(error)}); allow more with "
                "HELIAST_MEMORY=8GB, or for a scan with memory= (command line: --memory 2GB)"
            ) from None
        except duckdb.Error as error:
            if any(words in str(error) for words in _FULL):
                raise InputError(
                    f"no room for temporary files ({short(error)}); make room, or name another "
                    "folder with TMPDIR"
                ) from None
            raise InputError(
                f"the table cannot be read, a file may be damaged ({short(error)})"
            ) from None

    # --- columns -------------------------------------------------------------------------

    def column(self, source: str, expression: str, kind: str, name: str) -> Column:
        """The values of an expression of DuckDB's type `kind` over all rows of a source."""
        if kind.startswith("ENUM") or kind in _AS_TEXT:
            expression, kind = f"CAST({expression} AS VARCHAR)", "VARCHAR"
        if kind == "VARCHAR":
            return self._text(source, expression, name)
        if kind.startswith(("DATE", "TIMESTAMP")):
            expression = f"epoch_us(CAST({expression} AS TIMESTAMP))"
        elif kind.startswith("DECIMAL"):
            expression = f"CAST({expression} AS DOUBLE)"
        elif kind.removeprefix("U") not in (*_WHOLE, "BOOLEAN", "FLOAT", "DOUBLE"):
            what = "values of several kinds" if kind == "JSON" else kind
            raise UnusableError(name, f"holds {what}, neither numbers nor text")
        values = self.arrays(f"SELECT {expression} AS v FROM {source}")["v"]
        missing = NONE
        if isinstance(values, np.ma.MaskedArray):
            missing = np.flatnonzero(np.ma.getmaskarray(values))
            values = values.filled(0)
        if kind.startswith(("DATE", "TIMESTAMP")):
            seconds = values / 1e6
            seconds[missing] = np.nan
            return Column(name, seconds, "number", missing, date=True)
        if kind == "BOOLEAN":
            return Column(name, values.astype(np.bool_), "bool", missing)
        if kind.removeprefix("U") in _WHOLE:
            return Column(name, values, "whole", missing)
        values[missing] = np.nan
        return Column(name, values, "number", nan_positions(values))

    def _text(self, source: str, expression: str, name: str) -> Column:
        """Text as codes of its different texts."""
        few = f"SELECT DISTINCT {expression} AS v FROM {source} WHERE v IS NOT NULL"
        texts = [row[0] for row in self.rows(f"{few} LIMIT {_FEW + 1}")]
        if len(texts) > _FEW:
            self._refuse_long(source, expression, name)
            values = self.arrays(f"SELECT {expression} AS v FROM {source}")["v"]
            if isinstance(values, np.ma.MaskedArray):
                values = values.filled(None)
            return column(values, name)
        if not texts:
            count = self.rows(f"SELECT count(*) FROM {source}")[0][0]
            return Column(name, np.full(count, np.nan), "number", np.arange(count))
        texts.sort()
        listed = ", ".join(text_literal(text) for text in texts)
        self.run(f"CREATE OR REPLACE TYPE labels AS ENUM ({listed})")
        code = f"enum_code(CAST({expression} AS labels))"
        codes = self.arrays(f"SELECT {code} AS v FROM {source}")["v"]
        missing = NONE
        if isinstance(codes, np.ma.MaskedArray):
            missing = np.flatnonzero(np.ma.getmaskarray(codes))
            codes = codes.filled(0)
        codes = codes.astype(np.int32)
        codes[missing] = -1
        return Column(name, codes, "text", missing, tuple(texts))

    def _refuse_long(self, source: str, expression: str, name: str) -> None:
        sql = f"SELECT count(*), sum(strlen({expression})) FROM {source}"
        count, size = self.rows(sql)[0]
        refuse_more(int(size) + 60 * count, f"column {name!r} holds {count:,} long texts")


def short(error: BaseException, most: int = 200) -> str:
    """A library's message in one line, without its advice."""
    lines = str(error).split("Possible ")[0].splitlines()
    return "; ".join(line.strip() for line in lines if line.strip())[:most]


def quoted(name: str) -> str:
    """A column or table as an SQL identifier.

    >>> quoted('a"; DROP')
    '"a""; DROP"'
    """
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def options_sql(options: Mapping[str, object]) -> str:
    """Named arguments of a table function of DuckDB."""
    return ", ".join(f"{name} = {_literal(value)}" for name, value in options.items())


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{text_literal(key)}: {_literal(each)}" for key, each in value.items())
        return f"{{{', '.join(pairs)}}}"
    return str(value) if isinstance(value, int) else text_literal(str(value))


def _close(base: Any, folder: Path) -> None:
    base.close()
    shutil.rmtree(folder, ignore_errors=True)
