"""read: CSV and Parquet files, and what every source says alike."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heliast._core.errors import InputError
from heliast.data import Dataset, read

TEXT = """x,sky,flag,whole,class
1.5,sun,TRUE,3,b
,rain,False,1,a
3.0,,true,2,b
-0.5,sun,TRUE,3,a
"""
COLUMNS = {
    "x": [1.5, None, 3.0, -0.5],
    "sky": ["sun", "rain", None, "sun"],
    "flag": [True, False, True, True],
    "whole": [3, 1, 2, 3],
    "class": ["b", "a", "b", "a"],
}
ARFF = """@relation r
@attribute x real
@attribute sky {sun,rain}
@attribute flag {TRUE,FALSE}
@attribute whole integer
@attribute class {b,a}
@data
1.5,sun,TRUE,3,b
?,rain,FALSE,1,a
3.0,?,TRUE,2,b
-0.5,sun,TRUE,3,a
"""


def load(folder: Path, text: str | bytes, name: str = "some.csv", **options: object) -> Dataset:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, **options)  # type: ignore[arg-type]


def test_every_source_gives_the_same_data(tmp_path: Path) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "p.parquet")
    found = {
        "csv": load(tmp_path, TEXT),
        "tsv": load(tmp_path, TEXT.replace(",", "\t"), "t.tsv"),
        "semicolons": load(tmp_path, TEXT.replace(",", ";")),
        "gzip": load(tmp_path, gzip.compress(TEXT.encode()), "some.csv.gz"),
        "marks": load(tmp_path, TEXT.replace("\n,", "\n?,").replace(",,", ", ? ,")),
        "ends": load(tmp_path, "\ufeff" + TEXT.replace("\n", "\r\n")),
        "quoted": load(tmp_path, TEXT.replace("sun", '"sun"')),
        "parquet": read(tmp_path / "p.parquet"),
        "pandas": read(pd.DataFrame(COLUMNS)),
        "polars": read(pl.DataFrame(COLUMNS)),
        "lazy": read(pl.LazyFrame(COLUMNS)),
        "arrow": read(pa.table(COLUMNS)),
        "dict": read(COLUMNS),
        "arff": load(tmp_path, ARFF, "a.arff"),
    }
    prints = {name: data.fingerprint for name, data in found.items()}
    assert len(set(prints.values())) == 1, prints
    for name in ("csv", "parquet", "arff"):
        assert found[name].frame is None
    assert found["gzip"].name == "some"
    assert "columns separated by '\\t'" in found["tsv"].notes


def test_pandas_reads_the_file_as_we_do(tmp_path: Path) -> None:
    data = load(tmp_path, TEXT)
    theirs = read(pd.read_csv(tmp_path / "some.csv"))
    assert theirs.fingerprint == data.fingerprint


def test_leading_zeros_stay_text(tmp_path: Path) -> None:
    data = load(tmp_path, "zip,class\n007,a\n010,b\n")
    assert data.inputs[0].categories == ("007", "010")
    assert load(tmp_path, "zip,class\n007,a\n010,b\n", numeric="zip").matrix.tolist() == [[7], [10]]


def test_no_header_line(tmp_path: Path) -> None:
    text = "5.1,3.5,setosa\n4.9,?,virginica\n"
    data = load(tmp_path, text, names=["length", "width", "class"])
    assert (data.n, data.names, data.inputs[1].missing) == (2, ("length", "width"), 1)
    with pytest.raises(InputError, match="first line looks like data"):
        load(tmp_path, text)
    with pytest.raises(InputError, match="names 2 columns but the first line has 3"):
        load(tmp_path, text, names=["a", "b"])
    with pytest.raises(InputError, match=r"missing in 1 row \(line 2\)"):
        load(tmp_path, "1,a\n2,\n3,b\n", names=["x", "class"])
    with pytest.raises(InputError, match=r"two columns are named 'n'.*names="):
        load(tmp_path, "n,y,n\ny,n,y\n")


def test_headers_of_counted_columns(tmp_path: Path) -> None:
    assert load(tmp_path, "0,1,class\n5,6,a\n7,8,b\n").names == ("0", "1")
    data = load(tmp_path, ",x,class\n1,6,a\n2,8,b\n")
    assert data.names == ("column 1", "x")


def test_lines_in_messages_are_those_of_the_file(tmp_path: Path) -> None:
    text = '\n\nx,class\n1,a\n\n"two\nlines",b\n3,\n'
    with pytest.raises(
        InputError, match=r"some.csv: target 'class' is missing in 1 row \(line 8\)"
    ):
        load(tmp_path, text)
    with pytest.raises(InputError, match="line 3 has 3 fields but the first line has 2"):
        load(tmp_path, "x,class\n1,a\n2,b,c\n")
    with pytest.raises(InputError, match=r"column 'x': 'w' in 1 row \(line 4"):
        load(tmp_path, "x,class\n1,a\n2,b\nw,a\n", numeric="x")
    dropped = load(tmp_path, "x,class\n1,a\n2,\n3,b\n", missing="drop")
    assert dropped.n == 2
    assert "dropped 1 of 3 rows: target 'class' is missing in 1 row (line 3)" in dropped.notes
    with pytest.raises(InputError, match=r"target 'class' is inf in 1 row \(line 4\)"):
        load(tmp_path, "x,class\n1,0.5\n2,\n3,inf\n", missing="drop")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("x,class\n", "a header but no row"),
        ("x,class\n1,a\n2,a\n", "one class only"),
        ("x,x\n1,a\n", "two columns are named 'x'"),
        ("class\na\nb\n", "no column beside the target"),
        ("x,class\n1,\n2,\n", "missing in 2 rows"),
        (b"x,class\n\xff,a\n", "not UTF-8"),
        (b"PK\x03\x04abcd", "zip archive"),
        (b"PAR1abc", "not a Parquet file"),
    ],
)
def test_refusals(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load(tmp_path, content)
    assert str(caught.value).count("some.csv: ") == 1


def test_what_is_not_a_source(tmp_path: Path) -> None:
    for source, message in (
        (tmp_path / "none.csv", "no such file"),
        (tmp_path, "a folder"),
        ("https://x.org/a.csv", "not fetched"),
        (np.zeros((2, 2)), r"or \(X, y\)"),
        (5, "expected a path, a data frame"),
        (None, "expected a path, a data frame"),
    ):
        with pytest.raises(InputError, match=message):
            read(source)


def test_options(tmp_path: Path) -> None:
    data = load(tmp_path, TEXT, ignore=["x", "whole"], group="flag", name="weather")
    assert (data.names, data.name) == (("sky",), "weather")
    assert data.group is not None
    assert data.group.tolist() == [1, 0, 1, 1]
    with pytest.raises(InputError, match="ignore='wole': there is no such column; did you mean"):
        load(tmp_path, TEXT, ignore="wole")
    with pytest.raises(InputError, match=r"group is missing in 1 row \(line 4\)"):
        load(tmp_path, TEXT, group="sky")
    with pytest.raises(InputError, match="target='nope'"):
        load(tmp_path, TEXT, target="nope")


def test_parquet_of_the_real_thing(shared_data: Path, tmp_path: Path) -> None:
    for name in ("housevotes84", "iris", "boston", "weather_nominal"):
        data = read(shared_data / f"{name}.csv")
        pq.write_table(data.to_frame(), tmp_path / "x.parquet")
        assert read(tmp_path / "x.parquet").fingerprint == data.fingerprint
        assert read(data.to_frame("pandas")).fingerprint == data.fingerprint
        assert read(data.to_frame("polars")).fingerprint == data.fingerprint


def test_nothing_heavy_is_imported() -> None:
    import subprocess
    import sys

    code = "import sys, heliast.data; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"pyarrow", "narwhals", "scipy", "sklearn", "pandas", "polars", "duckdb", "numba"}
    assert not heavy & set(done.stdout.split())
