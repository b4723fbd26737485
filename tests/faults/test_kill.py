"""Kill runs at any moment while others share their store: the same call gives the same bytes."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.faults.tables import same_bytes, same_parquet

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and limits of files")


def lives(folder: Path, *numbers: int) -> dict[str, Any]:
    words = [sys.executable, "-m", "tests.faults.lives", str(folder), *map(str, numbers)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=1000)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def same_cells(one: Path, other: Path) -> int:
    """How many Parquet files two stores have, which are the same bytes."""
    stores = [
        {path.name: path.read_bytes() for path in store.glob("cells/*.parquet")}
        for store in (one, other)
    ]
    assert stores[0] == stores[1]
    return len(stores[0])


@pytest.mark.parametrize(
    ("repeats", "kills"), [(2, 25), pytest.param(10, 200, marks=pytest.mark.long)]
)
def test_kills_lose_nothing_and_change_nothing(tmp_path: Path, repeats: int, kills: int) -> None:
    found = lives(tmp_path, repeats, kills, 7)
    assert sum(found["died"].values()) == kills
    assert min(found["died"].values()) >= kills // 10  # at any moment, and in or beside a write
    assert found["torn"]  # half-written files were left, and taken for nothing
    again, once_more = found["fits"]
    assert again <= found["missing"]
    assert once_more == 0
    assert same_cells(tmp_path / "quiet", tmp_path / "runs") == 30 * repeats
    same_bytes(tmp_path / "undisturbed", tmp_path / "disturbed")


@pytest.mark.long
def test_three_commands_on_one_store_killed_at_25_moments(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "heliast.cli", "run", "sklearn:iris", "--model", "tree"]
    words += ["--model", "logistic", "--plan", "kfold(10, repeats=30)", "--jobs", "1"]

    def begin(store: str, out: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([*words, "--store", store, "-o", f"{out}.parquet"], cwd=tmp_path)

    def cells() -> list[Path]:
        return sorted(tmp_path.glob("runs/cells/*.parquet"))

    assert begin("quiet", "undisturbed").wait() == 0
    chance = random.Random(3)
    running = [begin("runs", f"shared{at}") for at in range(3)]
    kills = 0
    while kills < 25:
        at, after = chance.randrange(3), len(cells()) + chance.randrange(40)
        while running[at].poll() is None and len(cells()) <= after:
            time.sleep(0.01)
        kills += running[at].poll() is None
        running[at].kill()
        running[at].wait()
        if len(cells()) == 600:  # the end came first: take most of it away
            for path in chance.sample(cells(), 500):
                path.unlink()
        running[at] = begin("runs", f"shared{at}")
    for process in running:
        process.kill()
        process.wait()
    assert begin("runs", "disturbed").wait() == 0
    assert same_cells(tmp_path / "quiet", tmp_path / "runs") == 600
    assert same_parquet(tmp_path / "undisturbed.parquet", tmp_path / "disturbed.parquet")


def test_processes_that_share_a_store_all_get_the_table(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.faults import lives\n"
        "lives.work(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    words = [sys.executable, "-c", script]
    running = [
        subprocess.Popen([*words, str(tmp_path / "runs"), str(tmp_path / f"out{at}")], cwd=ROOT)
        for at in range(3)
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    for at in (1, 2):
        same_bytes(tmp_path / "out0", tmp_path / f"out{at}")
    assert not list(tmp_path.rglob("*.part"))
