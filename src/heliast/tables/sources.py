"""Where a table lies: files, a database or a lazy frame, as SQL that the engine can run."""

import csv
import glob
import gzip
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast._core.formulas import STARTS
from heliast._core.places import ROWS, Places
from heliast.tables.engine import Engine, options_sql, quoted, short, text_literal
from heliast.tables.table import is_number, refuse_duplicates, typed_texts

SOURCE = "source"
"""What the engine calls the table once its columns are loaded."""
MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>", "None")
"""Fields of a text file that say a value is missing, unless they are quoted."""
PARQUET = (".parquet", ".pq")
JSON = (".json", ".jsonl", ".ndjson")
ARROW = (".arrow", ".feather", ".ipc")
TEXT = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".psv")
_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}
_OTHERS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"%PDF": "a PDF",
    b"\x89HDF": "an HDF5 file",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"BZh": "a bzip2 file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"SQLite format 3": "an SQLite database",
}
_STREAM = b"\xff\xff\xff\xff"
_PREFACE = re.compile(r"sep=(.)|=== .+ ===|#[^,;\t|]*|\s*")
"""Lines before the header: the separator (Excel), a title (Weka), a comment, a blank."""
_WEKA = ["inst#", "actual", "predicted", "error"]
_NOT_UTF8 = (
    "not UTF-8; save it as UTF-8, or name its encoding, such as encoding='latin-1' or 'utf-16'"
)
_HEAD = 50
_LONGEST = 1 << 30
"""Characters of the longest field of a text file."""
_SAMPLE = 20_480
_FEW = 1000


@dataclass
class Source:
    """A table as it lies: its columns with DuckDB's types, and a query that reads some of them.

    `stored` says that columns can be read one by one without reading the others; `written` that
    the values are text of a file, of which some are booleans or numbers. `look_at_all` finds the
    types again from all rows, if later rows are of other types than the first.
    """

    title: str
    stem: str
    types: dict[str, str]
    query: Callable[[Sequence[str]], str]
    places: Places = ROWS
    notes: list[str] = field(default_factory=list)
    stored: bool = False
    written: bool = False
    metadata: dict[str, str] = field(default_factory=dict)
    look_at_all: Callable[[], None] | None = None
    clean: Callable[[str, str], str] | None = None

    def load(self, engine: Engine, names: Sequence[str]) -> dict[str, str]:
        """Let the engine serve these columns as `SOURCE`; the type of each."""
        chosen = list(dict.fromkeys(names))
        engine.run(f"DROP VIEW IF EXISTS {SOURCE}")
        if self.stored:
            engine.run(f"CREATE VIEW {SOURCE} AS {self.query(chosen)}")
        else:
            try:
                engine.run(f"CREATE OR REPLACE TABLE loaded AS {self.query(chosen)}")
            except InputError:
                if self.look_at_all is None:
                    raise
                self.look_at_all()
                engine.run(f"CREATE OR REPLACE TABLE loaded AS {self.query(chosen)}")
            casts = [
                _typed_sql(engine, name, self.clean) if self.clean else quoted(name)
                for name in chosen
            ]
            engine.run(f"CREATE VIEW {SOURCE} AS SELECT {', '.join(casts)} FROM loaded")
        return engine.types(SOURCE)


def _typed_sql(engine: Engine, name: str, clean: Callable[[str, str], str]) -> str:
    """A column of a text file, cleaned; few different texts may be booleans or signed numbers."""
    column = quoted(name)
    kind = engine.types(f"SELECT {column} FROM loaded")[name]
    if kind in ("HUGEINT", "UHUGEINT"):
        return f"CAST({column} AS VARCHAR) AS {column}"
    if kind != "VARCHAR":
        return column
    tidy = clean(name, kind)
    few = f"SELECT DISTINCT {column} AS v FROM loaded WHERE v IS NOT NULL LIMIT {_FEW + 1}"
    found = engine.rows(
        f"SELECT DISTINCT {tidy} AS t, CAST(t AS VARCHAR) = {column} FROM ({few}) AS s({column})"
    )
    if len(found) > _FEW:
        return f"{tidy} AS {column}"
    sql = column if all(same for _, same in found) else f"{tidy}"
    texts = [text for text, _ in found if isinstance(text, str)]
    what = typed_texts(texts)[0] if texts else "text"
    if what == "bool":
        return f"lower({sql}) = 'true' AS {column}"
    types = {"whole": "BIGINT", "number": "DOUBLE"}
    return f"CAST({sql} AS {types[what]}) AS {column}" if what in types else f"{sql} AS {column}"


def open_source(
    engine: Engine,
    source: "str | os.PathLike[str]",
    *,
    separator: str | None = None,
    decimal_separator: str | None = None,
    encoding: str | None = None,
    names: Sequence[str] | None = None,
    table: str | None = None,
    missing: Sequence[str] = MISSING,
) -> Source:
    """Open a file, a folder or pattern of parts, or a table of a database."""
    text = os.fspath(source)
    if "://" in text:
        raise InputError(f"{text}: not fetched; download the file and give its path")
    path, colons, named = text.rpartition("::")
    if table is None and colons and path and not Path(text).exists():
        text, table = path, named
    paths, title, stem = parts_of(text)
    head = first_bytes(paths[0])
    kind = kind_of(paths[0], head)
    if kind == "arff":
        raise InputError(f"{title}: an ARFF file is read into memory, not scanned (--no-scan)")
    if names is not None and kind != "text":
        raise InputError(f"{title}: names= is for text files without a header; this has names")
    if kind == "duckdb":
        return _database(engine, paths[0], table)
    if table is not None:
        raise InputError(f"{title}: table= is for databases; leave it out")
    if kind == "text":
        options = _TextOptions(separator, decimal_separator, encoding, names, missing)
        return _text(engine, paths, title, stem, options)
    return {"parquet": _parquet, "json": _json, "arrow": _arrow}[kind](engine, paths, title, stem)


# --- paths ---------------------------------------------------------------------------------------


def parts_of(text: str) -> tuple[list[Path], str, str]:
    """The files that a path, a folder or a pattern names, in order; their title and stem."""
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:  # ~nobody
        raise InputError(f"{text}: cannot be found ({error})") from None
    if path.is_dir():
        found = [part for part in sorted(path.iterdir()) if part.name[0] not in "._"]
        known = (*PARQUET, *JSON, *ARROW, *TEXT)
        if not any(suffix_of(part) in known for part in found):
            raise InputError(
                f"{path}: a folder without a Parquet, CSV, JSON or Arrow file; name another"
            )
    elif path.exists() or not glob.has_magic(text):
        return [path], path.name, stem_of(path)
    else:
        found = [Path(part) for part in sorted(glob.glob(str(path), recursive=True))]
        inside = {parent for part in found if part.is_file() for parent in part.parents}
        found = [part for part in found if part not in inside]  # folders of a recursive pattern
        if not found:
            raise InputError(f"{text}: no file has a name like this; check the pattern")
    for part in found:
        if not part.is_file():
            raise InputError(
                f"{part}: not a file; name the files of the table, such as '{path}/**/*.parquet'"
            )
        if suffix_of(part) != suffix_of(found[0]):
            raise InputError(
                f"{text}: {found[0].name} beside {part.name}: name the files of the table, such as "
                f"'{path}/*{found[0].suffix}'"
            )
    stem = stem_of(found[0]) if len(found) == 1 else found[0].parent.name or "model"
    return found, f"{text} ({len(found)} {'part' if len(found) == 1 else 'parts'})", stem


def suffix_of(path: Path) -> str:
    """The suffix that names the format: `.csv` of `a.csv.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in (".gz", ".zst", ".bz2"):
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def stem_of(path: Path) -> str:
    """The name without the suffixes that name the format."""
    packed = path.suffix.lower() in (".gz", ".zst", ".bz2")
    return Path(path.stem).stem if packed else path.stem


def first_bytes(path: Path) -> bytes:
    """The first 16 bytes of a file, or why it cannot be read."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise InputError(f"{path}: a pipe or a device, not a file; save its content as a file")
        with path.open("rb") as file:
            return file.read(16)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder; name one file in it") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read this file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be opened ({error})") from None


def kind_of(path: Path, head: bytes) -> str:
    """The format of a file, by its first bytes and its suffix."""
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(b"PAR1") or suffix_of(path) in PARQUET:
        return "parquet"
    if head.startswith(b"ARROW1") or (head.startswith(_STREAM) and suffix_of(path) in ARROW):
        return "arrow"
    begin = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if suffix_of(path) in JSON or begin.startswith((b'{"', b"[{")):
        return "json"
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(f"{path.name}: this is {what}; save it as CSV or Parquet")
    if suffix_of(path) == ".arff":
        return "arff"
    return "text"


def _files(paths: Sequence[Path]) -> list[str]:
    """Paths as DuckDB reads them: what looks like a pattern is a name."""
    return [glob.escape(str(path)) for path in paths]


# --- Parquet and Arrow ---------------------------------------------------------------------------


def _parquet(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Source:
    """Parquet files, all with the columns of the first; folder names are no columns."""
    call = f"read_parquet({_list(paths)}, hive_partitioning = false)"
    types: dict[str, str] = {}
    for path in paths:
        first_bytes(path)
        try:
            sql = f"SELECT * FROM read_parquet({_list([path])}, hive_partitioning = false)"
            part = engine.types(sql)
        except InputError as error:
            raise InputError(
                f"{path.name}: not a Parquet file, or damaged or cut short ({error}); write it "
                "again, or name it .csv if it is CSV"
            ) from None
        types = types or part
        _refuse_other_columns(path, part, types)
    first = _files(paths)[0]
    try:
        metadata = engine.rows(
            "SELECT decode(key), decode(value) FROM parquet_kv_metadata("
            f"{text_literal(first)}) WHERE decode(key) <> 'ARROW:schema'"
        )
    except InputError as error:
        raise InputError(f"{Path(first).name}: its metadata cannot be read ({error})") from None

    def query(names: Sequence[str]) -> str:
        return f"SELECT {_columns(names, types)} FROM {call}"

    return Source(title, stem, types, query, stored=True, metadata=dict(metadata))


def _refuse_other_columns(path: Path, types: dict[str, str], first: dict[str, str]) -> None:
    """Refuse a part whose columns are not those of the first, or hold text where those do not."""
    odd = sorted(types.keys() ^ first.keys())
    odd += [n for n in types if n in first and (types[n] == "VARCHAR") != (first[n] == "VARCHAR")]
    if odd:
        raise InputError(
            f"{path.name}: column {odd[0]!r} is not the same as in the first part; all parts of a "
            "table have the same columns: write it again, or leave it out"
        )


def _list(paths: Sequence[Path]) -> str:
    return f"[{', '.join(map(text_literal, _files(paths)))}]"


def _columns(names: Sequence[str], types: dict[str, str]) -> str:
    """Columns by name; `metrics.f1` is a field of a record inside of `metrics`."""
    chosen = []
    for name in names:
        if name in types:
            chosen.append(quoted(name))
        else:
            top, *path = name.split(".")
            parts = "".join(f"[{text_literal(part)}]" for part in path)
            chosen.append(f"{quoted(top)}{parts} AS {quoted(name)}")
    return ", ".join(chosen)


def _arrow(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Source:
    """Arrow and Feather files, by pyarrow."""
    try:
        import pyarrow as pa
        import pyarrow.dataset
    except ImportError:
        raise InputError(
            f"{title}: Arrow files need pyarrow: pip install 'heliast[arrow]'"
        ) from None
    try:
        head = first_bytes(paths[0])
        if head.startswith(_STREAM):
            with pa.memory_map(str(paths[0])) as file:
                data: Any = pa.ipc.open_stream(file).read_all()
        else:
            data = pa.dataset.dataset([str(path) for path in paths], format="ipc")
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{title}: not an Arrow file, or damaged or cut short ({short(error)}); write it again"
        ) from None
    engine.register("arrow_file", data)
    types = engine.types("SELECT * FROM arrow_file")
    return Source(
        title, stem, types, lambda names: f"SELECT {_columns(names, types)} FROM arrow_file"
    )


# --- JSON ----------------------------------------------------------------------------------------


def _refuse_broken_line(path: Path) -> None:
    """Name the line of a file of JSON lines that is no record, which DuckDB miscounts."""
    from heliast.tables.files import read_records

    if path.suffix.lower() in (".jsonl", ".ndjson"):
        try:
            for _ in read_records(path):
                pass
        except UnicodeDecodeError:
            return


def _json(engine: Engine, paths: Sequence[Path], title: str, stem: str) -> Source:
    """Records of JSON: one a line, an array of them, or one record that lists each column."""
    rows = _split_orient(paths[0]) if len(paths) == 1 else None
    if rows is not None:
        copy = engine.folder / "records.json"
        copy.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        paths = [copy]
    packed = _PACKED.get(first_bytes(paths[0])[:2], "none")

    def call(options: dict[str, object]) -> str:
        options |= {"hive_partitioning": False, "compression": packed}
        return f"read_json({_list(paths)}, {options_sql(options)})"

    try:  # every record, since DuckDB rounds later fractions to whole numbers of the first
        found = engine.types(f"SELECT * FROM {call({'sample_size': -1})}")
    except InputError as error:
        for path in paths:
            _refuse_broken_line(path)
        raise InputError(f"{title}: cannot be read as JSON ({error})") from None
    if list(found) == ["json"] or all(kind.startswith("STRUCT") for kind in found.values()):
        lists = [name for name, kind in found.items() if kind.endswith("]")]
        raise InputError(
            f"{title}: these are no records, one object a row with the names of the columns, "
            'such as {"y_true": "a", "y_pred": "b"} (of pandas: to_json(orient=\'records\'))'
            + "".join(f"; if the rows are the list in {name!r}, save that" for name in lists)
        )
    dates = ("DATE", "TIME", "UUID", "HUGEINT", "UHUGEINT")
    types = {n: "VARCHAR" if t.startswith(dates) else t for n, t in found.items()}

    def query(names: Sequence[str]) -> str:
        source = call({"columns": types})
        if all(kind.endswith("]") for kind in types.values()):
            count = engine.rows(f"SELECT count(*) FROM (SELECT 1 FROM {source} LIMIT 2)")[0][0]
            if count == 1:
                each = (f"unnest({quoted(name)}) AS {quoted(name)}" for name in names)
                return f"SELECT {', '.join(each)} FROM {source}"
        return f"SELECT {_columns(names, types)} FROM {source}"

    return Source(title, stem, types, query)


def _split_orient(path: Path) -> list[dict[str, Any]] | None:
    """The records of `{"columns": [...], "data": [[...], ...]}`, as MLflow and pandas write it."""
    with path.open("rb") as file:
        if b'"columns"' not in file.read(200) or path.stat().st_size > 50_000_000:
            return None
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        names = [*map(str, content["columns"])]
        return [dict(zip(names, row, strict=True)) for row in content["data"]] or None
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


# --- text ----------------------------------------------------------------------------------------


@dataclass
class _TextOptions:
    separator: str | None
    decimal_separator: str | None
    encoding: str | None
    names: Sequence[str] | None
    missing: Sequence[str]


def _text(
    engine: Engine, paths: Sequence[Path], title: str, stem: str, options: _TextOptions
) -> Source:
    """CSV and the like: DuckDB finds the types; the names and the separator are in the header."""
    packed = "gzip" if first_bytes(paths[0])[:2] == b"\x1f\x8b" else "none"
    reading: dict[str, object] = {"compression": packed, "encoding": options.encoding or "utf-8"}
    headers = [_header(path, reading, options) for path in paths]
    separator, skip, names, width = headers[0]
    for path, header in zip(paths, headers, strict=True):
        if header != headers[0]:
            raise InputError(
                f"{path}: the header names other columns ({', '.join(header[2][:8])}) than that of "
                f"{paths[0].name}; all parts of a table have the same"
            )
    notes = [] if separator == "," else [f"columns separated by {separator!r}"]
    unnamed = sum(not name for name in names)
    if unnamed:
        notes.append(f"{unnamed} columns without a name are called after their position")
    names = [name or f"column {at + 1}" for at, name in enumerate(names)]
    try:
        refuse_duplicates(names)
    except InputError as error:
        raise InputError(f"{title}: {error}") from None
    if names[:4] == _WEKA and len(names) < width:
        names = [*names[:-1], *(f"{names[-1]}_{at}" for at in range(1, width - len(names) + 2))]
    reading |= {
        "delim": separator, "quote": '"', "escape": '"', "header": False, "skip": skip,
        "names": names, "nullstr": list(options.missing), "allow_quoted_nulls": False,
        "auto_type_candidates": ["BIGINT", "HUGEINT", "DOUBLE", "VARCHAR"],
        "hive_partitioning": False, "decimal_separator": options.decimal_separator or ".",
        "sample_size": _SAMPLE,
    }  # fmt: skip
    types: dict[str, str] = {}

    def call() -> str:
        return f"read_csv({_list(paths)}, {options_sql(reading)})"

    def look(sample: int) -> None:
        reading["sample_size"] = sample
        try:
            types.update(engine.types(f"SELECT * FROM {call()}"))
            if sample < 0:
                engine.rows(f"SELECT count(COLUMNS(*)) FROM {call()}")
        except InputError as error:
            raise _misshapen(paths, separator, width, title, error) from None

    def places(positions: Sequence[int]) -> list[int]:
        header = 0 if options.names is not None else 1
        wanted = {position + header for position in positions}
        rows = enumerate(_rows(paths[0], separator))
        lines = {at: line for at, (line, _) in rows if at in wanted}
        return [lines.get(position + header, position + 1) for position in positions]

    def query(chosen: Sequence[str]) -> str:
        return f"SELECT {', '.join(map(quoted, chosen))} FROM {call()}"

    def clean(name: str, kind: str) -> str:
        tidy = _weka_sql if names[:4] == _WEKA else _clean_sql
        return tidy(name, kind, options.missing)

    look(_SAMPLE)
    if names[:4] == _WEKA:
        _name_weka_scores(engine, call(), names)
        types.clear()
        look(_SAMPLE)
    place = Places("line", places)
    return Source(
        title,
        stem,
        types,
        query,
        place,
        notes,
        written=True,
        look_at_all=lambda: look(-1),
        clean=clean,
    )


def _clean_sql(name: str, kind: str, missing: Sequence[str]) -> str:
    """Text without blanks around it and the apostrophe that guards a formula; empty is missing."""
    column = quoted(name)
    if kind != "VARCHAR":
        return column
    plain = f"trim({column}, ' \t\r\n')"
    guarded = f"regexp_replace({plain}, '^''(''*{STARTS})', '\\1')"
    # Most texts begin with a character above the apostrophe (39) and need none of it.
    odd = f"ascii({column}) <= 39 OR ends_with({column}, ' ')"
    nothing = ", ".join(text_literal(text) for text in ("", *missing))
    tidy = f"CASE WHEN {plain} IN ({nothing}) THEN NULL ELSE {guarded} END"
    return f"CASE WHEN {odd} THEN {tidy} ELSE {column} END"


def _weka_sql(name: str, kind: str, missing: Sequence[str]) -> str:
    """Labels without their codes (`1:no`), probabilities without the star of the highest."""
    plain = _clean_sql(name, kind, missing)
    if name in ("actual", "predicted") and kind == "VARCHAR":
        return f"regexp_replace({plain}, '^[0-9]+:[?]?', '')"
    if name.startswith("distribution") and kind == "VARCHAR":
        return f"CAST(ltrim({plain}, '*') AS DOUBLE)"
    return plain


def _name_weka_scores(engine: Engine, source: str, names: list[str]) -> None:
    """Name each probability after the class whose code is its place."""
    both = f"SELECT actual AS v FROM {source} UNION SELECT predicted FROM {source}"
    texts = (str(row[0]).strip().partition(":") for row in engine.rows(both))
    classes = {code: label for code, _, label in texts if label != "?"}
    for at, name in enumerate(names):
        if name.startswith("distribution_"):
            code = name.removeprefix("distribution_")
            names[at] = f"distribution_{classes.get(code, f'#{code}')}"


def _header(
    path: Path, reading: dict[str, object], options: _TextOptions
) -> tuple[str, int, list[str], int]:
    """What separates columns, how many lines to skip, the names, and the fields of a row."""
    lines = _head_lines(path, reading)
    separator, at = options.separator, 0
    while at < len(lines) and (preface := _PREFACE.fullmatch(lines[at].strip())):
        separator, at = separator or preface[1], at + 1
    if at == len(lines):
        raise InputError(f"{path.name}: the file is empty; it needs a header line and rows")
    first = lines[at].lstrip("\ufeff").rstrip("\r\n")
    separator = separator or _separator(first, path)
    names = [name.strip() for name in next(csv.reader([first], delimiter=separator))]
    names[0] = names[0].removeprefix("# ")  # as numpy.savetxt begins it
    before = csv.field_size_limit(_LONGEST)
    try:
        following = list(islice(csv.reader(lines[at + 1 : at + 2], delimiter=separator), 1))
    finally:
        csv.field_size_limit(before)
    width = len(following[0]) if following else len(names)
    if options.names is not None:
        if len(options.names) != len(names):
            raise InputError(
                f"{path.name}: names= names {len(options.names)} columns but the first line has "
                f"{len(names)} fields"
            )
        return separator, at, [str(name) for name in options.names], len(names)
    if not following:
        raise InputError(f"{path.name}: there is a header but no row of data")
    _refuse_headless(names, path)
    return separator, at + 1, names, width if names[:4] == _WEKA else len(names)


def _head_lines(path: Path, reading: dict[str, object]) -> list[str]:
    """The first lines of a text file."""
    try:
        return list(islice(lines_of(path, str(reading["encoding"]), "strict"), _HEAD))
    except UnicodeError:
        raise InputError(f"{path.name}: {_NOT_UTF8}") from None
    except (OSError, LookupError) as error:
        raise InputError(f"{path.name}: cannot be read as text ({error})") from None


def _separator(first: str, path: Path) -> str:
    """What separates the names in the header."""
    if suffix_of(path) in (".tsv", ".tab"):
        return "\t"
    plain = re.sub(r'"[^"]*"', "", first)
    best = max(";\t|", key=plain.count)
    return best if best in plain and "," not in plain else ","


def _refuse_headless(names: Sequence[str], path: Path) -> None:
    """Refuse a first line with numbers in it, unless they only count the columns."""
    values = [name for name in names if is_number(name)]
    counted = [[str(at + base) for at in range(len(values))] for base in (0, 1)]
    if values and values not in counted:
        raise InputError(
            f"{path.name}: the first line looks like data, not like a header (it holds "
            f"{values[0]!r}); add a line that names the columns, or name them with names=[...]"
        )


def _misshapen(
    paths: Sequence[Path], separator: str, width: int, title: str, error: InputError
) -> InputError:
    """The line with more or fewer fields than the header, of a text file that cannot be read."""
    if "unicode" in str(error):
        return InputError(f"{title}: {_NOT_UTF8}")
    for path in paths:
        for line, row in islice(_rows(path, separator), 1, None):
            if len(row) != width:
                fields = "field" if len(row) == 1 else "fields"
                return InputError(
                    f"{path.name}: line {line} has {len(row)} {fields} but the first line has "
                    f"{width}; correct the line (a text that holds {separator!r} must be quoted)"
                )
    names = ", ".join(path.name for path in paths[:4])
    return InputError(f"{title}: cannot be read as CSV ({names}: {error})")


def lines_of(path: Path, encoding: str = "utf-8", errors: str = "replace") -> Iterator[str]:
    """The lines of a text file, of one packed by gzip too."""
    opened: Callable[..., Any] = gzip.open if first_bytes(path)[:2] == b"\x1f\x8b" else open
    coding = "utf-8-sig" if encoding == "utf-8" else encoding
    try:
        with opened(path, "rt", encoding=coding, errors=errors, newline="") as file:
            yield from file
    except (zlib.error, EOFError) as error:
        raise OSError(f"damaged or cut short: {error}") from None


def _rows(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each row from the header on with the line it starts on; slow, for messages only."""
    reader = csv.reader(lines_of(path), delimiter=separator)
    line, begun = 1, False
    try:
        for row in reader:
            begun = begun or not _PREFACE.fullmatch(separator.join(row))
            if row and begun:
                yield line, row
            line = reader.line_num + 1
    except (csv.Error, OSError):
        return


# --- databases -----------------------------------------------------------------------------------


def _database(engine: Engine, path: Path, table: str | None) -> Source:
    """A table of a DuckDB database. Views are refused: what they read is not in the file."""
    try:
        engine.run(f"ATTACH {text_literal(str(path))} AS stored (READ_ONLY)")
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    found = engine.rows(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'stored' "
        "AND schema_name = 'main' AND NOT internal ORDER BY ALL"
    )
    chosen = _choose_table(path, [name for (name,) in found], table)
    where = f"stored.main.{quoted(chosen)}"
    types = engine.types(f"SELECT * FROM {where}")
    return Source(
        f"{path.name}::{chosen}",
        chosen,
        types,
        lambda names: f"SELECT {_columns(names, types)} FROM {where}",
        stored=True,
    )


def _choose_table(path: Path, names: Sequence[str], table: str | None) -> str:
    shown = ", ".join(map(repr, names[:12]))
    if not names:
        raise InputError(f"{path.name}: a database without tables; name another file")
    if table is None and len(names) > 1:
        raise InputError(
            f"{path.name}: which table? There are {shown}; say {path.name}::{names[0]} or table="
        )
    if table is not None and table not in names:
        raise InputError(f"{path.name}: no table named {table!r}; there are {shown}")
    return table or names[0]


# --- lazy frames ---------------------------------------------------------------------------------


def frame_source(engine: Engine, frame: Any) -> Source:
    """A lazy frame: its own engine writes the columns we need to disk, ours sorts and counts."""
    import narwhals as nw

    try:
        lazy = nw.from_native(frame)
    except TypeError:
        raise InputError(
            "scan: expected a path or a lazy frame (DuckDB, Polars, PySpark, Dask), got "
            f"{type(frame).__name__}"
        ) from None
    if not isinstance(lazy, nw.LazyFrame):
        raise InputError(
            f"scan: this {type(frame).__name__} is in memory already: use Predictions.read"
        )
    kind = lazy.implementation.name.lower()
    title = f"the lazy frame ({kind})"
    local = kind in ("polars", "duckdb")  # others may write to disks of their workers
    folder = engine.folder / "frame"
    try:
        names = list(lazy.collect_schema().names())
    except Exception as error:  # whatever the frame's own engine raises
        raise InputError(f"{title}: its engine cannot compute it ({short(error)})") from error

    written = {name: name for name in names}
    if kind == "pyspark":  # which takes a dot in a name for a field of a structure
        written = {name: f"column_{at}" for at, name in enumerate(names)}
        lazy = nw.from_native(lazy.to_native().toDF(*written.values()))

    def query(chosen: Sequence[str]) -> str:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            lazy.select(*(written[name] for name in chosen)).sink_parquet(
                str(folder / "part.parquet")
            )
            rows = None if local else lazy.select(nw.len()).collect().item()
        except Exception as error:  # whatever the frame's own engine raises
            raise InputError(f"its engine cannot compute it ({short(error)})") from error
        parts = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
        call = f"read_parquet({_list(parts)}, hive_partitioning = false)"
        if rows is not None and engine.rows(f"SELECT count(*) FROM {call}") != [(rows,)]:
            raise InputError(
                f"its engine wrote {rows:,} rows, of which not all are here: set TMPDIR to a "
                "folder that all its workers share, or scan Parquet files"
            )
        columns = (f"{quoted(written[name])} AS {quoted(name)}" for name in chosen)
        return f"SELECT {', '.join(columns)} FROM {call}"

    notes = [f"{title}: its columns were written to a temporary file"]
    return Source(title, "model", dict.fromkeys(names, ""), query, notes=notes, stored=True)
