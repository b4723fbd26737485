"""How much memory a table may take, and what is refused or scanned because of it."""

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


def test_more_rows_than_fit_are_refused_or_scanned(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(room.VARIABLE, "100MB")
    for read in (hl.Predictions.read, lambda path: hl.read(path, target="y_pred")):
        with pytest.raises(hl.InputError, match=r"packed\.parquet: .*40,000,000 rows.* of memory"):
            read(packed)
    code = (
        "from pathlib import Path; import heliast as hl;"
        f"t = hl.Predictions.scan({str(packed)!r}); print(t.rows(t.models[0]).n);"
        # Not ru_maxrss, which a process inherits from the one that starts it.
        "print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rows, kilobytes = map(int, done.stdout.split())
    assert rows == ROWS
    assert kilobytes < 600_000


@pytest.mark.parametrize("text", ["much", "1", "GB", "1e9GB", "-1GB", "²GB", "9" * 30 + "GB"])
def test_memory_is_a_number_and_a_unit(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(room.VARIABLE, text)
    with pytest.raises(hl.InputError, match="say how much memory there is, such as 8GB"):
        room.room()


def test_half_of_the_free_memory_may_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(room.VARIABLE, raising=False)
    assert 1_000_000 < room.room() < room.free() <= 1 << 50
