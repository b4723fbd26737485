"""One reader for all files: the same columns from each, and errors that name the option."""

import gzip
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from heliast._core.errors import InputError
from heliast.tables.files import read_records, read_table
from heliast.tables.room import VARIABLE
from heliast.tables.table import Table, UnusableError

COLUMNS = {
    "word": ["yes", None, "no", "yes"],
    "count": [1, 2, None, 4],
    "share": [0.5, None, 2.5, 1.0],
    "flag": [True, False, None, True],
}


def values(table: Table, names: Any = None) -> dict[str, list[Any]]:
    """The columns as Python values, None where missing."""
    columns = {}
    for name in names or table.names:
        column = table.fetch(name)
        plain = column.plain().tolist()
        for row in column.missing:
            plain[row] = None
        columns[name] = plain
    return columns


def csv_lines(separator: str = ",") -> str:
    rows = ([json.dumps(cell).strip('"') for cell in row] for row in zip(*COLUMNS.values()))  # noqa: B905
    lines = [separator.join(row).replace("null", "") for row in rows]
    return "\n".join([separator.join(COLUMNS), *lines]) + "\n"


def write_duckdb(path: Path) -> None:
    columns = pa.table(COLUMNS)  # noqa: F841 - DuckDB finds it by its name
    with duckdb.connect(str(path)) as base:
        base.execute("CREATE TABLE t AS SELECT * FROM columns")


RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
WRITERS: dict[str, Any] = {
    "t.csv": lambda path: path.write_text(csv_lines()),
    "t.tsv": lambda path: path.write_text(csv_lines("\t")),
    "semicolon.csv": lambda path: path.write_text(csv_lines(";")),
    "bar.txt": lambda path: path.write_text("# a comment\n\n" + csv_lines("|")),
    "excel.csv": lambda path: path.write_text(
        "sep=;\n" + csv_lines(";"), encoding="utf-8-sig", newline="\r\n"
    ),
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(csv_lines().encode())),
    "t.jsonl": lambda path: path.write_text("\n".join(map(json.dumps, RECORDS))),
    "t.ndjson.gz": lambda path: path.write_bytes(
        gzip.compress("\n".join(map(json.dumps, RECORDS)).encode())
    ),
    "t.json": lambda path: path.write_text(json.dumps(RECORDS)),
    "columns.json": lambda path: path.write_text(json.dumps(COLUMNS)),
    "split.json": lambda path: path.write_text(
        json.dumps({"columns": [*COLUMNS], "data": [[*record.values()] for record in RECORDS]})
    ),
    "t.parquet": lambda path: pq.write_table(pa.table(COLUMNS), path),
    "t.feather": lambda path: feather.write_feather(pa.table(COLUMNS), path),
    "t.duckdb": write_duckdb,
}


@pytest.mark.parametrize("name", WRITERS)
def test_each_format_gives_the_same_columns(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    table = read_table(path)
    expected = {column: COLUMNS[column] for column in table.names}
    assert len(table.names) == 4
    assert values(table) == expected
    assert table.fetch("share").kind == "number"
    assert table.fetch("word").kind == "text"


def read(folder: Path, text: str | bytes, name: str = "t.csv", **options: Any) -> Table:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_table(path, **options)


@pytest.mark.parametrize(
    ("cells", "kind", "first"),
    [
        (["007", "1"], "text", "007"),
        (['"1"', "2"], "whole", 1),
        (["T", "F"], "text", "T"),
        (["TRUE", "false"], "bool", True),
        (["yes", "no"], "text", "yes"),
        (["+1", "-1"], "whole", 1),
        (["1e3", "inf"], "number", 1000.0),
        (["12345678901234567890", "1"], "text", "12345678901234567890"),
        (["2024-01-31", "2024-02-01"], "text", "2024-01-31"),
        (["hAd", "had"], "text", "hAd"),
        ([" a ", "b"], "text", "a"),
        (["'=1+1", "'tis"], "text", "=1+1"),
        (["1,5", "2,5"], "text", "1,5"),
    ],
)
def test_types(cells: list[str], kind: str, first: object, tmp_path: Path) -> None:
    table = read(tmp_path, "v;w\n" + "".join(f"{cell};x\n" for cell in cells))
    column = table.fetch("v")
    assert (column.kind, column.plain().tolist()[0]) == (kind, first)


def test_later_rows_of_another_type(tmp_path: Path) -> None:
    rows = "1,a\n" * 30_000
    assert read(tmp_path, f"v,w\n{rows}x,b\n").fetch("v").texts == ("1", "x")
    records = '{"v": 1}\n' * 30_000 + '{"v": 1.5}\n'
    assert read(tmp_path, records, "t.jsonl").fetch("v").values[-1] == 1.5


def test_options_of_text_files(tmp_path: Path) -> None:
    table = read(tmp_path, "a;b\n1,5;x\n2,25;y\n", decimal_separator=",")
    assert table.fetch("a").values.tolist() == [1.5, 2.25]
    table = read(tmp_path, "1,x\n2,y\n", names=["n", "word"])
    assert values(table) == {"n": [1, 2], "word": ["x", "y"]}
    assert read(tmp_path, "a:b\n1:2\n", separator=":").names == ["a", "b"]
    assert read(tmp_path, "a,b\n?,2\n3,4\n", missing=["", "?"]).fetch("a").missing.tolist() == [0]
    for encoding in ("latin-1", "utf-16"):
        text = "a,b\ncafé,1\n".encode(encoding)
        with pytest.raises(InputError, match="encoding='latin-1'"):
            read(tmp_path, text)
        assert read(tmp_path, text, encoding=encoding).fetch("a").texts == ("café",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2,3\n1,2\n", r"t\.csv: line 2 has 3 fields but the first line has 2"),
        ("a,b\n1,2\n1\n", "line 3 has 1 field but the first line has 2"),
        ("a,b\n" + "1,2\n" * 30_000 + "1,2,3\n", "line 30002 has 3 fields"),
        ("", "the file is empty"),
        ("a,b\n", "a header but no row"),
        ("1.5,x\n2,y\n", "looks like data, not like a header"),
        ("a,a\n1,2\n", "two columns are named 'a'"),
        ("PK\x03\x04", "a zip archive or an Excel workbook"),
        ("SQLite format 3\0", "an SQLite database; save it as CSV or Parquet"),
    ],
)
def test_text_files_that_cannot_be_read(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text).fetch("b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"results": [{"a": 1}]}', "the rows are the list in 'results'"),
        ('{"a": 1}\n{"a": 2\n', r"Malformed JSON .* in line 3"),
        ("[1, 2]", "these are no records"),
    ],
)
def test_json_that_cannot_be_read(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text, "t.json")


def test_lines_of_rows(tmp_path: Path) -> None:
    text = '# hello\n\na,b\n"x\ny",1\n\n2,3\n'
    assert read(tmp_path, text).places.some(np.array([1])) == "1 row (line 7)"


def test_fields_of_records(tmp_path: Path) -> None:
    table = read(tmp_path, '{"a": 1, "m": {"f1": 0.5, "n": {"k": 2}}}\n' * 2, "t.jsonl")
    assert table.nested == ("m.f1", "m.n.k")
    assert values(table, ["m.f1", "m.n.k"]) == {"m.f1": [0.5, 0.5], "m.n.k": [2, 2]}
    with pytest.raises(UnusableError, match="holds STRUCT"):
        table.fetch("m")


def test_vectors(tmp_path: Path) -> None:
    text = 'p,q\n"[0.1, 0.9]","(3,[0],[1.0])"\n"[0.7 0.3]","(3,[2],[0.5])"\n'
    table = read(tmp_path, text)
    spread = {name: column.values.tolist() for name, column in (table.vector("p") or {}).items()}
    assert spread == {"0": [0.1, 0.7], "1": [0.9, 0.3]}
    sparse = {name: column.values.tolist() for name, column in (table.vector("q") or {}).items()}
    assert sparse == {"0": [1.0, 0.0], "1": [0.0, 0.0], "2": [0.0, 0.5]}
    table = read(tmp_path, '{"p": [0.1, 0.9], "a": 1}\n{"p": null, "a": 1}\n', "t.jsonl")
    np.testing.assert_array_equal((table.vector("p") or {})["1"].values, [0.9, np.nan])
    assert table.vector("a") is None


def test_folder_names_are_no_columns(tmp_path: Path) -> None:
    """A folder `grade=1/` does not override the column that the file has."""
    folder = tmp_path / "grade=1"
    folder.mkdir()
    table = pa.table({"grade": [0, 0], "item": ["a", "b"]})
    pq.write_table(table, folder / "t.parquet")
    (folder / "t.jsonl").write_text('{"grade": 0, "item": "a"}\n')
    (folder / "t.csv").write_text("grade,item\n0,a\n")
    for name in ("t.parquet", "t.jsonl", "t.csv"):
        assert set(read_table(folder / name).fetch("grade").values.tolist()) == {0}
    assert "grade" in read_table(f"{tmp_path}/*/*.parquet").names
    pq.write_table(table.drop(["grade"]), folder / "t.parquet")
    assert read_table(folder / "t.parquet").names == ["item"]


def test_parts_of_one_table(tmp_path: Path) -> None:
    for at in range(3):
        pq.write_table(pa.table({"a": [at]}), tmp_path / f"{at}.parquet")
    assert read_table(tmp_path).fetch("a").values.tolist() == [0, 1, 2]
    assert read_table(f"{tmp_path}/[01].parquet").title.endswith("(2 parts)")
    pq.write_table(pa.table({"b": [1]}), tmp_path / "3.parquet")
    with pytest.raises(InputError, match="is not the same as in the first part"):
        read_table(tmp_path)
    (tmp_path / "x.csv").write_text("a\n1\n")
    with pytest.raises(InputError, match=r"0\.parquet beside x\.csv"):
        read_table(tmp_path)


def test_tables_of_databases(tmp_path: Path) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as base:
        base.execute("CREATE TABLE one AS SELECT 1 AS a; CREATE TABLE two AS SELECT 2 AS a")
    with pytest.raises(InputError, match=r"which table\? There are 'one', 'two'"):
        read_table(path)
    assert read_table(path, table="two").fetch("a").values.tolist() == [2]
    assert read_table(f"{path}::one").fetch("a").values.tolist() == [1]
    with pytest.raises(InputError, match="no table named 'three'"):
        read_table(path, table="three")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing.csv", "no such file"),
        ("https://example.org/a.csv", "not fetched"),
        ("*.nothing", "no file has a name like this"),
        ("/dev/null", "a pipe or a device"),
    ],
)
def test_paths_that_cannot_be_read(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_table(name if "://" in name else tmp_path / name)


def test_metadata_of_parquet(tmp_path: Path) -> None:
    table = pa.table({"a": [1]}).replace_schema_metadata({"heliast": "{}"})
    pq.write_table(table, tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").metadata == {"heliast": "{}"}


def test_a_table_without_rows(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), tmp_path / "t.parquet")
    with pytest.raises(InputError, match="columns but no row"):
        read_table(tmp_path / "t.parquet").fetch("a")


def test_records_of_logs(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"a": {"b": [1, "x"]}}\n\n{"a": null}\n')
    assert list(read_records(path)) == [{"a": {"b": [1, "x"]}}, {"a": None}]
    path.write_text('{"a": 1}\n[2]\n')
    with pytest.raises(InputError, match=r"log\.jsonl: line 2 is no whole JSON record"):
        list(read_records(path))


# --- small files that unpack to huge tables ------------------------------------------------------


def bomb(kind: str, path: Path) -> None:
    """A file of under a megabyte that unpacks to gigabytes."""
    if kind == "rows":
        zeros = pa.table({"a": np.zeros(20_000_000, np.int8)})
        pq.write_table(zeros, path, compression="zstd")
    elif kind == "dictionary":
        texts = pa.array(["x" * 900_000, "no"])
        codes = pa.array(np.arange(40_000) % 2, pa.int32())
        table = pa.table({"a": pa.DictionaryArray.from_arrays(codes, texts)})
        pq.write_table(table, path, store_schema=False)
    elif kind == "zstd":
        table = pa.table({"a": np.zeros(20_000_000)})
        feather.write_feather(table, path, compression="zstd")
    elif kind == "gzip":
        with gzip.open(path, "wb") as file:
            file.write(b"a,b\n" + b"a,b\n" * 12_000_000)
    else:
        with duckdb.connect(str(path)) as base:
            base.execute("CREATE TABLE t (n INTEGER, a AS (repeat('x', 500000) || n))")
            base.execute("INSERT INTO t SELECT * FROM range(3000)")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("rows", "t.parquet"),
        ("dictionary", "t.parquet"),
        ("zstd", "t.feather"),
        ("gzip", "t.csv.gz"),
        ("generated", "t.duckdb"),
    ],
)
def test_what_unpacks_to_more_than_fits_is_refused(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    bomb(kind, path)
    assert path.stat().st_size < 2_500_000
    monkeypatch.setenv(VARIABLE, "300MB")
    if kind == "dictionary":  # a few long texts are read once, however often they occur
        assert len(read_table(path).fetch("a").texts) == 2
        return
    with pytest.raises(InputError, match="memory"):
        read_table(path).fetch("a")


def test_predictions_of_weka(tmp_path: Path) -> None:
    text = "=== Predictions on test data ===\n\ninst#,actual,predicted,error,distribution\n"
    rows = "1,2:no,2:no,,0.1,*0.9\n2,1:yes,2:no,+,0.2,*0.8\n"
    columns = values(read(tmp_path, text + rows))
    assert columns["actual"] == ["no", "yes"]
    assert columns["distribution_yes"] == [0.1, 0.2]
    assert columns["distribution_no"] == [0.9, 0.8]
