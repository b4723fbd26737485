"""Kill a run at random moments, again and again: it resumes and gives the same bytes."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.faults.tables import same_bytes

ROOT = Path(__file__).parents[2]
SHORT, LONG = 4, 10
"""Repeats of the plan: 5 models, 10 folds."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and looks into /proc")


def lives(mode: str, folder: Path, *numbers: int) -> dict[str, Any]:
    words = [sys.executable, "-m", "tests.faults.lives", mode, str(folder), *map(str, numbers)]
    out, err = folder / "out", folder / "err"
    with out.open("w") as stdout, err.open("w") as stderr:
        done = subprocess.Popen(
            words, stdout=stdout, stderr=stderr, start_new_session=True, cwd=ROOT
        )
        code = done.wait(timeout=1000)
    with suppress(ProcessLookupError):  # workers whose parent was killed wait for minutes
        os.killpg(done.pid, signal.SIGKILL)
    assert code == 0, err.read_text()
    found: dict[str, Any] = json.loads(out.read_text())
    return found


@pytest.mark.parametrize(
    ("repeats", "kills"), [(SHORT, 40), pytest.param(LONG, 200, marks=pytest.mark.long)]
)
def test_kills_lose_nothing_and_double_nothing(tmp_path: Path, repeats: int, kills: int) -> None:
    found = lives("kill", tmp_path, repeats, kills, 7)
    assert sum(found["died"].values()) == kills
    assert min(found["died"].values()) >= kills // 5  # any moment, within a write, beside a write
    assert found["torn"] >= kills // 5  # half-written files were left, and taken for nothing
    assert (found["cells"], found["doubled"], found["leftovers"]) == (50 * repeats, 0, 0)
    same_bytes(tmp_path / "undisturbed", tmp_path / "disturbed")


def test_processes_that_share_a_store_do_each_cell_once(tmp_path: Path) -> None:
    found = lives("share", tmp_path, SHORT, 3)
    assert found["codes"] == [0, 0, 0]
    assert found["fits"] == 50 * SHORT
    assert (found["cells"], found["doubled"], found["leftovers"]) == (50 * SHORT, 0, 0)
    for at in range(3):
        same_bytes(tmp_path / "undisturbed", tmp_path / f"shared{at}")


def test_killed_workers_and_parents_lose_nothing(tmp_path: Path) -> None:
    found = lives("workers", tmp_path, SHORT, 3)
    (parent, workers, code), (worker, _, code_of_parent) = found["died"]
    assert (parent, worker, workers, code) == ("parent", "worker", 2, 9)
    assert code_of_parent == 0  # a run outlives its worker
    assert (found["cells"], found["doubled"]) == (50 * SHORT, 0)
    same_bytes(tmp_path / "undisturbed", tmp_path / "disturbed")
