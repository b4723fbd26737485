"""The same table from every kind of source; what does not fit is refused by name."""

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import heliast as hl
from heliast._core.errors import InputError

N = 500


@pytest.fixture(scope="module")
def table() -> pa.Table:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, N)
    score = 1 / (1 + np.exp(-(2 * truth - 1 + rng.normal(size=N))))
    names = np.array(["no; DROP TABLE x", "it's"])
    return pa.table({"y_true": names[truth], 'a "p"': score, "weight": rng.integers(1, 4, N)})


OPTIONS: dict[str, Any] = {"y_score": 'a "p"', "positive": "it's", "scores": "probability"}
ASKED = ["error", "auc", "log_loss", "f1", "kappa"]


@pytest.fixture(scope="module")
def expected(table: pa.Table) -> list[tuple[float, float, float]]:
    return numbers(hl.Predictions.read(table, **OPTIONS))


def numbers(predictions: hl.Predictions) -> list[tuple[float, float, float]]:
    return [(one.value, one.low, one.high) for one in hl.assess(predictions, ASKED)]


def same(
    source: object, expected: list[tuple[float, float, float]], **options: Any
) -> hl.Predictions:
    scanned = hl.Predictions.scan(source, **OPTIONS, **options)
    assert len(scanned) == N
    assert np.allclose(numbers(scanned), expected, rtol=1e-9, atol=0)
    return scanned


def parts(table: pa.Table, folder: Path) -> Path:
    folder.mkdir()
    for at in range(3):
        pq.write_table(table.slice(at * 200, 200), folder / f"part-{at}.parquet")
    return folder


def test_parquet(table: pa.Table, expected: Any, tmp_path: Path) -> None:
    path = tmp_path / "it's [1] * ?.parquet"
    pq.write_table(table, path)
    pq.write_table(table, tmp_path / "it's 1 x y.parquet")  # what a pattern would also find
    scanned = same(path, expected)
    assert scanned.models == ("it's [1] * ?",)
    assert scanned.notes[0] == f"scanned where it lies: {path.name}"


def test_parts(table: pa.Table, expected: Any, tmp_path: Path) -> None:
    folder = parts(table, tmp_path / "run 1")
    (folder / "_SUCCESS").touch()
    assert same(folder, expected).models == ("run 1",)
    assert same(str(folder / "*.parquet"), expected).models == ("run 1",)


@pytest.mark.parametrize("name", ["p.csv", "p.csv.gz", "p.tsv"])
def test_csv(table: pa.Table, expected: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    options = pyarrow.csv.WriteOptions(delimiter="\t" if "tsv" in name else ",")
    with pa.output_stream(path, compression="gzip" if "gz" in name else None) as out:
        pyarrow.csv.write_csv(table, out, options)
    assert same(path, expected).models == ("p",)


CSVS = {
    "text that looks like numbers": "y_true,y_pred\n007,7\n7,007\n8,7\n",
    "spaces, guards and gaps": "y_true,y_pred\n yes,'=no\n'=no ,yes\nyes , yes\n",
    "words of truth": "y_true,prob\nTrue,0.9\nfalse, 0.2\ntrue,.7\n",
    "whole numbers as floats": "y_true,y_pred\n1.0,1\n2,2.0\n2,1\n",
    "quoted": 'y_true,y_pred\n"a,b","a,b"\nc,"a,b"\n',
    "numbers": "y_true,y_pred\n1.5,1.25\n-2e3,7\n0.001,3\n",
}


@pytest.mark.parametrize("text", CSVS.values(), ids=CSVS)
def test_csv_is_read_as_in_memory(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    memory, scanned = hl.Predictions.read(path), hl.Predictions.scan(path)
    assert (scanned.task, scanned.classes) == (memory.task, memory.classes)
    assert set(memory.notes) <= set(scanned.notes)
    asked = ["error"] if memory.task == "classification" else ["mse"]
    a, b = (hl.assess(one, asked) for one in (memory, scanned))
    assert a["p", asked[0]].to_dict() == b["p", asked[0]].to_dict()


def test_duckdb(table: pa.Table, expected: Any, tmp_path: Path) -> None:
    path = tmp_path / "it's.duckdb"
    with duckdb.connect(str(path)) as base:
        base.from_arrow(table).create('"odd "" name"')
    scanned = same(path, expected)
    assert scanned.models == ('odd " name',)
    scanned.close()  # type: ignore[attr-defined]
    with duckdb.connect(str(path)) as base:
        base.execute("CREATE TABLE other AS SELECT 1 AS a")
        base.execute("CREATE VIEW seen AS SELECT * FROM other")
    with pytest.raises(InputError, match="which table"):
        hl.Predictions.scan(path)
    with pytest.raises(InputError, match="no table named 'seen'"):
        hl.Predictions.scan(path, table="seen")
    same(f'{path}::odd " name', expected)
    same(path, expected, table='odd " name')


def test_a_damaged_database_is_named(table: pa.Table, tmp_path: Path) -> None:
    path = tmp_path / "base.db"
    with duckdb.connect(str(path)) as base:
        base.from_arrow(table).create("t")
    whole = path.read_bytes()
    draw = np.random.default_rng(1)
    for keep in (100, len(whole) // 3, len(whole) - 10):
        spoilt = bytearray(whole[:keep])
        spoilt[40 : keep // 2] = draw.bytes(max(0, keep // 2 - 40))
        path.write_bytes(spoilt)
        with pytest.raises(InputError, match=r"base\.db"):
            hl.assess(hl.Predictions.scan(path))


def test_lazy_frames(table: pa.Table, expected: Any) -> None:
    same(pl.from_arrow(table).lazy(), expected)
    with duckdb.connect() as base:
        same(base.from_arrow(table), expected)


def test_frames_in_memory_are_refused(table: pa.Table) -> None:
    with pytest.raises(InputError, match="in memory already"):
        hl.Predictions.scan(pl.from_arrow(table), **OPTIONS)
    with pytest.raises(InputError, match="expected a path or a lazy frame"):
        hl.Predictions.scan(7)


# --- what does not fit ---------------------------------------------------------------------------


def test_an_unreadable_part_is_named(table: pa.Table, tmp_path: Path) -> None:
    folder = parts(table, tmp_path / "run")
    (folder / "part-1.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InputError, match=r"part-1\.parquet: not a Parquet file, or damaged"):
        hl.Predictions.scan(folder, **OPTIONS)


def test_damage_within_a_part_is_named(table: pa.Table, tmp_path: Path) -> None:
    folder = parts(table, tmp_path / "run")
    whole = bytearray((folder / "part-1.parquet").read_bytes())
    whole[10:600] = bytes(590)
    (folder / "part-1.parquet").write_bytes(whole)
    with pytest.raises(InputError, match=r"part-1\.parquet"):
        hl.assess(hl.Predictions.scan(folder, **OPTIONS))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop_columns("weight"), "column 'weight' is not the same"),
        (lambda t: t.append_column("more", t["weight"]), "column 'more' is not the same"),
        (
            lambda t: t.set_column(2, "weight", t["weight"].cast(pa.string())),
            "column 'weight' is not the same",
        ),
    ],
)
def test_another_schema_is_named(
    table: pa.Table, tmp_path: Path, change: Any, message: str
) -> None:
    folder = parts(table, tmp_path / "run")
    pq.write_table(change(table), folder / "part-1.parquet")
    with pytest.raises(InputError, match=message) as found:
        hl.Predictions.scan(folder, **OPTIONS)
    assert "part-1.parquet" in str(found.value)


def test_other_csv_header_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("y_true,y_pred\n0,1\n")
    (tmp_path / "b.csv").write_text("y_true,other\n0,1\n")
    with pytest.raises(InputError, match=r"b\.csv: the header names other columns"):
        hl.Predictions.scan(tmp_path)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("y_true,y_pred\n0,1\n1\n")
    with pytest.raises(InputError, match=r"a\.csv: line 3 has 1 field"):
        hl.Predictions.scan(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder / "none.parquet", "no such file"),
        (lambda folder: folder / "*.parquet", "no file has a name like this"),
        (lambda folder: folder, "a folder without"),
        (lambda folder: "https://x/y.parquet", "not fetched"),
    ],
)
def test_nothing_there(tmp_path: Path, make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        hl.Predictions.scan(str(make(tmp_path)))


def test_temporary_files_are_private_and_removed(table: pa.Table) -> None:
    scanned = hl.Predictions.scan(pl.from_arrow(table).lazy(), **OPTIONS)
    folder = scanned.prepared.engine.folder  # type: ignore[attr-defined]
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "frame").exists()
    scanned.close()  # type: ignore[attr-defined]
    assert not folder.exists()


def test_nothing_is_left_after_a_refusal(table: pa.Table, tmp_path: Path, monkeypatch: Any) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(InputError):
        hl.Predictions.scan(pl.from_arrow(table).lazy(), y_true="nowhere")
    assert list(tmp_path.iterdir()) == []
