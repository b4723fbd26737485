"""Three machines, one run, one disk that shows changes late, loses answers and forgets files."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.faults.tables import same_bytes
from tests.faults.test_kill import ROOT, lives

from heliast.fitting.store import Cell, Store

MACHINES = 3
REPEATS = 1
CELLS = 50 * REPEATS
HERE = Path(__file__).parent


def _missing() -> str:
    if not os.access("/dev/fuse", os.W_OK):
        return "/dev/fuse cannot be opened here"
    try:
        import mfusepy  # noqa: F401 - whether it is there
    except (ImportError, OSError) as error:
        return f"mfusepy or libfuse is not installed ({error})"
    if not shutil.which("unshare") or os.getuid():
        return "only the superuser starts processes that do not see each other"
    return ""


MISSING = _missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process finds on a good disk."""
    folder = tmp_path_factory.mktemp("quiet")
    lives("share", folder, REPEATS, 1)
    return folder / "undisturbed"


@contextmanager
def mounted(folder: Path, told: dict[str, float], machines: int = MACHINES) -> Iterator[None]:
    """The disk as every machine sees it."""
    (folder / "disk").mkdir()
    mounts = [folder / f"mount{at}" for at in range(machines)]
    processes = []
    try:
        for place in mounts:
            place.mkdir()
            words = [sys.executable, str(HERE / "shared_disk.py"), str(folder / "disk")]
            processes.append(subprocess.Popen([*words, str(place), json.dumps(told)]))
        until = time.monotonic() + 60
        while not all(place.is_mount() for place in mounts):
            assert time.monotonic() < until, "the disk was not mounted"
            assert all(one.poll() is None for one in processes), "the disk was not mounted"
            time.sleep(0.05)
        yield
    finally:
        for place in mounts:
            subprocess.run(["umount", "--lazy", str(place)], check=False, capture_output=True)
        for one in processes:
            one.terminate()
            one.wait()


def worked(folder: Path) -> list[subprocess.CompletedProcess[str]]:
    """The run on every machine: a process cannot see those of the others."""
    own = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    words = [*own, sys.executable, "-m", "tests.faults.lives", "alone", str(folder), str(REPEATS)]
    started = [
        subprocess.Popen(
            [*words, str(at)],
            cwd=ROOT,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for at in range(MACHINES)
    ]
    return [
        subprocess.CompletedProcess(one.args, one.returncode, "", err)
        for one in started
        for _, err in [one.communicate(timeout=300)]
    ]


def shared(folder: Path, told: dict[str, float], undisturbed: Path) -> dict[str, Any]:
    """What came of the run, which has to be the same on every machine."""
    with mounted(folder, told):
        errors = [one.stderr.strip() for one in worked(folder) if one.returncode]
        time.sleep(told.get("late", 0))
    for machine in range(MACHINES) if not errors else ():
        same_bytes(undisturbed, folder / f"shared{machine}")
    names = [path.name[:32] for path in (folder / "disk" / "runs").glob("??/*.parquet")]
    return {
        "errors": errors,
        "fits": (folder / "fits").stat().st_size,
        "cells": len(set(names)),
        "files": len(names),
        "aside": len(list((folder / "disk" / "runs").glob("quarantine/*"))),
    }


ONCE = {
    "as it should be": {},
    "changes seen 2 s late": {"delay": 2},
    "answers lost": {"delay": 1, "lost": 7},
    "stale handles": {"delay": 1, "stale": 9},
}
DOUBLED = {
    "own changes seen late": {"delay": 2, "stubborn": 1},
    "renames done late": {"late": 1},
    "no exclusive files": {"delay": 1, "weak": 1},
}


def test_lost_answers_and_stale_handles_stop_nobody(tmp_path: Path) -> None:
    with mounted(tmp_path, {"delay": 1, "lost": 2, "stale": 2}, machines=1):
        store = Store.at(tmp_path / "mount0" / "runs")
        for at in range(6):
            store.keep((at,), [Cell(at, np.arange(3), np.zeros(3, np.int32))])
        assert [store.find((at,))[0].split for at in range(6)] == list(range(6))  # type: ignore[index]
        assert not store.leftovers()


@pytest.mark.long
@pytest.mark.parametrize("disk", ONCE | DOUBLED)
def test_the_run_is_the_same_on_every_machine(tmp_path: Path, disk: str, undisturbed: Path) -> None:
    found = shared(tmp_path, (ONCE | DOUBLED)[disk], undisturbed)
    assert (found["errors"], found["aside"], found["cells"]) == ([], 0, CELLS)
    assert found["files"] == found["fits"] >= CELLS
    if disk in ONCE:
        assert found["fits"] == CELLS
