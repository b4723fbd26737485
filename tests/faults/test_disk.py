"""A disk that is full, a store that cannot be written, or goes away: told, and nothing is lost."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from tests.faults.disks import fill, mounted, unmount

import heliast as hl
from heliast.fitting.cell import Cell, Output
from heliast.fitting.store import Store

DATA = load_iris(return_X_y=True)
MODEL = {"tree": DecisionTreeClassifier(random_state=0)}
CLI = [sys.executable, "-m", "heliast.cli"]

# Newer Pythons warn of forks beside threads; what is forked here ends without them.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def go(store: object, model: object = None) -> hl.Predictions:
    return hl.run(model or MODEL, DATA, 20, seed=1, store=store, jobs=1, progress=False)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or not mounted(place, "size=64k"):
        pytest.skip("mounting a small disk needs to be root")
    yield place
    unmount(place)


def test_a_full_disk_keeps_what_was_finished(small_disk: Path) -> None:
    store = small_disk / "runs"
    store.mkdir()
    ballast = fill(small_disk, but=32_000)
    with pytest.raises(hl.InputError, match=r"cannot write .*No space left on device.* are kept"):
        go(store)
    (run,) = Store(store).runs()
    assert 0 < run.finished < 20
    assert not list(store.rglob("*.part"))
    before = {path: path.stat().st_mtime_ns for path in store.rglob("*.parquet")}
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=1m", str(small_disk)], check=True)
    assert go(store).equals(go(None))
    assert {path: path.stat().st_mtime_ns for path in before} == before  # none was done again


def test_output_on_a_full_disk_leaves_no_half_file(small_disk: Path) -> None:
    table = hl.Predictions.of([0, 1] * 2000, y_score=np.random.default_rng(0).random(4000))
    fill(small_disk, but=4096)
    for name in ("out.csv", "out.parquet"):
        with pytest.raises(hl.InputError, match="cannot be written"):
            table.write(small_disk / name)
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


def test_the_command_line_says_that_the_disk_is_full(small_disk: Path) -> None:
    words = [*CLI, "run", "sklearn:iris", "--model", "tree", "--plan", "50", "--jobs", "1"]
    words += ["--store", str(small_disk / "runs"), "-o", str(small_disk / "out.parquet")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (small_disk / "out.parquet").exists()


def in_child(work: Callable[[], None]) -> int:
    """Do something in a forked process, which may give up rights; its exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_limit_on_the_size_of_files_is_told(tmp_path: Path) -> None:
    """The same without being root: no file may be larger than 1 kB."""

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        with pytest.raises(hl.InputError, match=r"cannot write \(.*File too large"):
            store.save("big", large())
        with pytest.raises(hl.InputError, match="cannot be written"):
            table.write(tmp_path / "out.csv")

    table, store = go(None), Store.at(tmp_path)
    assert in_child(work) == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def large() -> Cell:
    scores = np.random.default_rng(0).random((1000, 3))
    output = Output("", np.zeros(1000), scores, "probability")
    return Cell(0, np.arange(1000), np.zeros(1000, np.int32), [output])


def as_nobody(work: Callable[[], None]) -> int:
    def lowered() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        work()

    return in_child(lowered)


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A folder that everybody may reach."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


def test_a_store_for_reading_only(open_path: Path) -> None:
    store = open_path / "runs"
    whole = go(store)
    gone = sorted(store.rglob("*.parquet"))[:3]
    spared = {path: path.read_bytes() for path in gone}
    places = [store, store / "runs", store / "cells"]

    def finished() -> None:
        assert go(store).equals(whole)  # all is there: nothing has to be written

    def unfinished() -> None:
        with pytest.raises(hl.InputError, match=r"cannot write \(.*Permission denied"):
            go(store)

    for place in places:
        place.chmod(0o555)
    try:
        assert as_nobody(finished) == 0
        places[-1].chmod(0o755)
        for path in gone:
            path.unlink()
        places[-1].chmod(0o555)
        assert as_nobody(unfinished) == 0
    finally:
        for place in places:
            place.chmod(0o755)
    assert len(list(store.rglob("*.parquet"))) == 17
    for path, content in spared.items():
        path.write_bytes(content)
    assert go(store).equals(whole)


class Vanishing(DecisionTreeClassifier):
    """A tree at whose tenth fit its store goes away."""

    fits = 0
    store: Path

    def fit(self, X: object, y: object) -> "Vanishing":
        Vanishing.fits += 1
        if Vanishing.fits == 10:
            shutil.rmtree(Vanishing.store)
        fitted: Vanishing = super().fit(X, y)
        return fitted


def test_a_store_that_goes_away_in_mid_run(tmp_path: Path) -> None:
    Vanishing.store = tmp_path / "runs"
    with pytest.raises(hl.InputError, match=r"runs: cannot (read|write) \(.*No such file"):
        go(tmp_path / "runs", {"tree": clone(Vanishing())})
    assert Vanishing.fits == 10
