"""Small files that unpack to huge tables: refused before they are, or scanned where they lie."""

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import heliast as hl
from heliast.tables import room

ROWS = 40_000_000


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 million rows in less than a megabyte."""
    path = tmp_path_factory.mktemp("packed") / "packed.parquet"
    truth = np.zeros(ROWS // 4, np.int8)
    truth[::100_000] = 1
    table = pa.table({"y_true": truth, "y_pred": np.zeros(ROWS // 4, np.int8)})
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        for _ in range(4):
            writer.write_table(table, row_group_size=ROWS // 4)
    assert path.stat().st_size < 1_000_000
    return path


def heliast(*words: object, memory: str = "100MB") -> "subprocess.CompletedProcess[str]":
    call = [sys.executable, "-m", "heliast.cli", *map(str, words)]
    env = {**os.environ, room.VARIABLE: memory}
    return subprocess.run(call, capture_output=True, text=True, timeout=120, check=False, env=env)


@pytest.mark.parametrize(
    "words", [["assess", "--no-scan"], ["compare"], ["combine", "--target", "y_pred"]], ids=" ".join
)
def test_more_rows_than_there_is_room_for_are_refused(words: list[str], packed: Path) -> None:
    verb, *options = words
    other = [packed] if verb != "compare" else [packed, packed.with_name("b.parquet")]
    if other[-1] != packed:
        other[-1].write_bytes(packed.read_bytes())
    found = heliast(verb, *other, *options)
    assert found.returncode == 2
    said = "packed.parquet: the file holds 40,000,000 rows of 2 columns, which takes about 640.0 MB"
    assert said in found.stderr
    assert "HELIAST_MEMORY" in found.stderr


def test_what_is_large_when_unpacked_is_scanned(packed: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found = heliast("assess", packed, "--measure", "error")
    assert found.returncode == 0, found.stderr
    assert "from 40,000,000 rows" in " ".join(found.stdout.split())
    assert "scanned where it lies" in found.stdout
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most == before or most < 600_000  # kilobytes


def test_a_long_text_in_every_row_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = pa.array(["x" * 1_000_000, "no"])
    truth = pa.DictionaryArray.from_arrays(pa.array(np.arange(40_000) % 2, pa.int32()), names)
    path = tmp_path / "long.parquet"
    pq.write_table(pa.table({"y_true": truth, "y_pred": truth}), path, store_schema=False)
    assert path.stat().st_size < 1_000_000
    monkeypatch.setenv(room.VARIABLE, "1GB")
    for read in (hl.Predictions.read, hl.read):
        with pytest.raises(hl.InputError, match=r"with long texts, which takes about 40\.0 GB"):
            read(path)


def test_text_that_unpacks_to_more_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "packed.csv.gz"
    with gzip.open(path, "wb") as file:
        file.write(b"y_true,y_pred\n" + b"a,b\nb,b\n" * 5_000_000)
    assert path.stat().st_size < 100_000
    monkeypatch.setenv(room.VARIABLE, "20MB")
    for read in (hl.Predictions.read, hl.read):
        with pytest.raises(hl.InputError, match=r"packed\.csv\.gz: more than 20 MB of text"):
            read(path)


def test_what_fits_is_read_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "some.parquet"
    kinds = {"y_true": ["a", None, "b"], "y_pred": ["a", "b", "b"], "weight": [1, 2, 3]}
    pq.write_table(pa.table(kinds), path)
    monkeypatch.setenv(room.VARIABLE, "1MB")
    found = hl.Predictions.read(path, missing="drop")
    assert (found.classes, found.y_true.tolist(), found.y_pred.tolist()) == (
        ("a", "b"),
        [0, 1],
        [0, 1],
    )


@pytest.mark.parametrize("said", ["much", "1", "GB", "1e9GB", "-1GB", "²GB", "9" * 30 + "GB"])
def test_memory_is_said_plainly(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(room.VARIABLE, said)
    with pytest.raises(hl.InputError, match="say how much memory there is, such as 8GB"):
        room.room()


def test_half_of_what_is_free_may_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(room.VARIABLE, raising=False)
    assert 1_000_000 < room.room() < room.free() <= 1 << 50


def test_a_group_of_processes_may_have_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.current").write_text("1000000\n")
    monkeypatch.setattr(room, "_GROUP", tmp_path)
    assert room.free() == 2_000_000
    (tmp_path / "memory.max").write_text("max\n")
    assert room.free() > 2_000_000
