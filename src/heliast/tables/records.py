"""JSON and Arrow files: typed columns by name, whole or a part at a time."""

import glob
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from heliast._core.errors import InputError
from heliast._core.places import ROWS, Places
from heliast.tables.opened import short
from heliast.tables.room import refuse_more, room
from heliast.tables.texts import TextFile

JSON = (".json", ".jsonl", ".ndjson")
ARROW = (".arrow", ".feather", ".ipc")
_STREAM = b"\xff\xff\xff\xff"
_PACKED = (".gz", ".zst", ".bz2")
_WHOLE = 50_000_000
"""Bytes up to which every record is looked at for its types; of larger files, the first ones."""
_SAMPLE = 50_000
_AS_TEXT = ("DATE", "TIME", "UUID", "HUGEINT", "UHUGEINT")
"""Types that a text was taken for, or that hold more digits than a number can."""


def is_json(path: Path, head: bytes) -> bool:
    """Whether a file holds JSON, by its name or by how it begins."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    inner = suffixes[:-1] if suffixes and suffixes[-1] in _PACKED else suffixes
    begins = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return (bool(inner) and inner[-1] in JSON) or begins.startswith((b'{"', b"[{"))


def is_arrow(path: Path, head: bytes) -> bool:
    """Whether a file is Arrow's or Feather's, by its first bytes."""
    stream = head.startswith(_STREAM) and path.suffix.lower() in ARROW
    return stream or head.startswith((b"ARROW1", b"FEA1"))


# --- records inside of columns -----------------------------------------------------------------


def inside(schema: Any) -> list[str]:
    """What records inside of columns hold, by the names of both: `metrics.f1`."""
    import pyarrow as pa

    found = []
    for field in schema:
        if pa.types.is_struct(field.type):
            own = pa.schema(field.type)
            plain = [one.name for one in own if not _of_records(one.type)]
            found += [f"{field.name}.{name}" for name in (*plain, *inside(own))]
    return found


def listed(schema: Any) -> str:
    """The first list of records inside of the columns, by its names: `results.rows`, or nothing."""
    import pyarrow as pa

    for field in schema:
        deeper = listed(pa.schema(field.type)) if pa.types.is_struct(field.type) else ""
        if deeper or _of_records(field.type):
            return f"{field.name}.{deeper}" if deeper else str(field.name)
    return ""


def _of_records(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_list(kind) and pa.types.is_struct(kind.value_type))


def alone(name: str) -> str:
    """What to do where the rows are a list inside of something else."""
    return f"if the rows are the list in {name!r}, write it as a file of its own"


def within(table: Any, name: str) -> Any:
    """A column of an Arrow table, or what records inside of one hold."""
    import pyarrow.compute as pc

    if name in table.column_names:
        return table[name]
    top, *path = name.split(".")
    return pc.struct_field(table[top], path)


def outermost(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """The columns in which these are.

    >>> outermost(["item", "metrics.f1"], ["item", "metrics"])
    ['item', 'metrics']
    """
    return list(dict.fromkeys(n if n in known else n.partition(".")[0] for n in names))


# --- Arrow -------------------------------------------------------------------------------------


def arrow_batches(path: Path, names: Sequence[str] | None = None) -> Iterator[Any]:
    """The record batches of an Arrow or Feather file, these columns; the first has no rows."""
    import pyarrow as pa
    import pyarrow.feather as feather

    try:
        with path.open("rb") as file:
            head = file.read(4)
            file.seek(0)
            if head == b"FEA1":
                table = feather.read_table(file)
                parts: Any = [table.schema.empty_table(), table]
            elif head == _STREAM:
                reader: Any = pa.ipc.open_stream(file)
                parts = _from(reader.schema, lambda: iter(reader))
            else:
                reader = pa.ipc.open_file(file)
                count = reader.num_record_batches
                parts = _from(reader.schema, lambda: map(reader.get_batch, range(count)))
            for part in parts:
                yield part if names is None else part.select(list(names))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{path.name}: not an Arrow file, or damaged or cut short ({short(error)}); write it "
            "again"
        ) from None


def _from(schema: Any, batches: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    yield schema.empty_table()
    yield from batches()


def arrow_table(path: Path, names: Sequence[str] | None = None) -> Any:
    """The columns of an Arrow file as one table, if there is room for them."""
    import pyarrow as pa

    parts, total = [], 0
    for part in arrow_batches(path, names):
        total += part.nbytes
        refuse_more(total, "the file holds more than a table")
        parts.append(part if isinstance(part, pa.Table) else pa.Table.from_batches([part]))
    return pa.concat_tables(parts)


# --- JSON --------------------------------------------------------------------------------------


class Records:
    """Records of JSON (lines, or one array) as DuckDB reads them: `types` by name, and their SQL.

    What has to be unpacked goes to `folder`. A file that is one record of lists holds a column in
    each of them.
    """

    def __init__(self, paths: Sequence[Path], ask: Callable[[str], list[Any]], folder: Path):
        self.ask = ask
        self.paths = [_readable(path, folder, at) for at, path in enumerate(paths)]
        self.types: dict[str, str] = {}
        small = sum(path.stat().st_size for path in self.paths) < _WHOLE
        self.look(-1 if small else _SAMPLE)

    def look(self, sample: int) -> None:
        """Find the columns and their types from so many records; -1 from all."""
        rows = self.ask(f"DESCRIBE SELECT * FROM {self._call(f'sample_size={sample}')}")
        kinds = {str(row[0]): str(row[1]) for row in rows}
        self.sampled = sample > 0
        if list(kinds) == ["json"] or all(kind.startswith("STRUCT") for kind in kinds.values()):
            raise InputError(
                f"{self.paths[0].name}: these are no records, one object a row with the names of "
                'the columns, such as {"y_true": "a", "y_pred": "b"} (of pandas: '
                "to_json(orient='records'))"
                + "".join(f"; {alone(name)}" for name, one in kinds.items() if one[-1] == "]")
            )
        self.types = {
            name: "VARCHAR" if kind.startswith(_AS_TEXT) else kind for name, kind in kinds.items()
        }

    def sql(self, names: Sequence[str] | None = None) -> str:
        """A query for these columns."""
        chosen = list(self.types) if names is None else list(names)
        mixed = next((name for name in names or () if self.types[name] == "JSON"), None)
        if mixed is not None:
            raise InputError(
                f"column {mixed!r} holds values of several kinds (text, numbers, lists), or none "
                "at all: convert it to one kind"
            )
        columns = ", ".join(f"{_text(name)}: {_text(self.types[name])}" for name in chosen)
        source = self._call(f"columns={{{columns}}}")
        listed = all(self.types[name].endswith("]") for name in self.types)
        if listed and self.ask(f"SELECT count(*) FROM (SELECT 1 FROM {source} LIMIT 2)") == [(1,)]:
            each = (f"unnest({_name(name)}) AS {_name(name)}" for name in chosen)
            return f"SELECT {', '.join(each)} FROM {source}"
        return f"SELECT {', '.join(map(_name, chosen))} FROM {source}"

    def _call(self, option: str) -> str:
        paths = ", ".join(_text(glob.escape(str(path))) for path in self.paths)
        return f"read_json([{paths}], {option})"


def _readable(path: Path, folder: Path, at: int) -> Path:
    """The file, or a copy where it is packed, or names its columns once and lists rows."""
    text, copy = TextFile(path), folder / f"unpacked-{at}.json"
    if text.compression is not None:
        with copy.open("wb") as file:
            for chunk in text.chunks():
                file.write(chunk)
        path = copy
    rows = _rows_of_lists(path)
    if rows is not None:
        copy.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path if rows is None else copy


def _rows_of_lists(path: Path) -> list[dict[str, Any]] | None:
    """The records of `{"columns": [...], "data": [[...], ...]}`, as MLflow and pandas write it."""
    if path.stat().st_size > _WHOLE:
        return None
    try:
        said = json.loads(path.read_text(encoding="utf-8-sig"))
        names, rows = [*map(str, said["columns"])], said["data"]
        return [dict(zip(names, row, strict=True)) for row in rows] or None
    except (KeyError, TypeError, ValueError, RecursionError):
        return None  # another shape, which the reader knows or refuses


def json_table(path: Path, names: Sequence[str] | None = None) -> Any:
    """The columns of a JSON file as an Arrow table, if there is room for them."""
    import duckdb

    with json_records(path) as (records, base):
        try:
            return base.sql(records.sql(names)).to_arrow_table()
        except (duckdb.ConversionException, duckdb.InvalidInputException):
            records.look(-1)  # later records have other types than the first
            return base.sql(records.sql(names)).to_arrow_table()


def json_schema(path: Path) -> Any:
    """The columns of a JSON file and their types, as Arrow has them."""
    with json_records(path) as (records, base):
        return base.sql(records.sql()).limit(0).to_arrow_table().schema


@contextmanager
def json_records(path: Path) -> Iterator[tuple[Records, Any]]:
    """The records of a file that fits into memory, and the DuckDB session that reads them."""
    import duckdb

    text = TextFile(path, most=room())
    with TemporaryDirectory(prefix="heliast-json-") as folder, duckdb.connect() as base:
        try:
            text.check()
            yield Records([path], lambda sql: base.sql(sql).fetchall(), Path(folder)), base
        except duckdb.Error as error:
            cut = _broken_line(text)
            if cut:
                raise InputError(broken_line(path.name, cut)) from None
            raise InputError(f"{path.name}: cannot be read as JSON ({short(error)})") from None


def record_places(path: Path) -> Places:
    """How messages name the rows of a JSON file: by their lines, if each holds a record."""
    text = TextFile(path)
    first = next(text.chunks(), b"").removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    try:
        values = json.loads(first).values()
    except (AttributeError, ValueError, RecursionError):
        return ROWS
    if all(isinstance(one, list) for one in values):  # of columns
        return ROWS

    def lines(positions: Sequence[int]) -> list[int]:
        written = enumerate(b"".join(text.chunks()).splitlines(), 1)
        numbers = [number for number, line in written if line.strip()]
        return [numbers[position] for position in positions]

    return Places("line", lines)


def broken_line(name: str, number: int) -> str:
    """What to say of a line of JSON that cannot be read."""
    return (
        f"{name}: line {number} is no whole JSON record: the file is cut short or damaged there; "
        "write it again, or remove the line"
    )


def _broken_line(text: TextFile) -> int:
    """The first line that is no JSON, of a file with a record a line; 0 if there is none."""
    whole = 0
    for number, line in enumerate(b"".join(text.chunks()).splitlines(), 1):
        try:
            json.loads(line or b"0")
            whole += 1
        except (ValueError, RecursionError):
            return number if whole else 0
    return 0


def _text(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"


def _name(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
