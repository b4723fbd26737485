"""A scheduler that is killed, or started anew, or has no workers, or other ones than it should."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sklearn.naive_bayes import GaussianNB
from tests.fitting.engines.conftest import ROOT, need
from tests.fitting.engines.marked import Fitting, marks
from tests.fitting.engines.same import iris

import heliast as hl
from heliast.fitting.engines._reach import LIMIT

pytestmark = pytest.mark.engines
PLAN = hl.KFold(10, repeats=10)


class Cluster:
    """A Dask scheduler on a port that stays its own, and workers without nannies."""

    def __init__(self, folder: Path) -> None:
        need("distributed")
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.address = f"127.0.0.1:{server.getsockname()[1]}"
        self.engine = f"dask://{self.address}"
        self.schedulers: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        host, port = self.address.split(":")
        words = ["scheduler", "--host", host, "--port", port, "--no-dashboard"]
        self.schedulers.append(self._process("", words))
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                socket.create_connection((host, int(port))).close()
                return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the Dask scheduler did not start")

    def join(self, before: str = "") -> None:
        """Start a worker that does this before anything else."""
        words = ["worker", f"tcp://{self.address}", "--no-nanny", "--nthreads", "1"]
        self.workers.append(self._process(before, [*words, "--no-dashboard"]))

    def end(self, processes: list[subprocess.Popen[bytes]]) -> None:
        for process in processes:
            process.kill()
            process.wait()
        processes.clear()

    def _process(self, before: str, words: list[str]) -> "subprocess.Popen[bytes]":
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", f"{before}\nfrom dask.__main__ import main; main()", *words],
                env={**os.environ, "PYTHONPATH": path},
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setenv(LIMIT, "6")  # and 18 s for workers
    made = Cluster(tmp_path)
    made.start()
    yield made
    made.end(made.workers)
    made.end(made.schedulers)


def broken(cluster: Cluster, folder: Path, harm: Callable[[], None]) -> str:
    """What a run says when this is done to its cluster after some fits."""
    store, models = folder / "store", {"tree": Fitting(str(folder), seconds=0.1)}

    def meddle() -> None:
        until = time.monotonic() + 60
        while len(marks(folder, "fitted")) < 8 and time.monotonic() < until:
            time.sleep(0.05)
        harm()

    thread = threading.Thread(target=meddle, daemon=True)
    thread.start()
    with pytest.raises(hl.InputError) as error:
        hl.run(models, iris(), PLAN, seed=1, engine=cluster.engine, store=store, progress=False)
    thread.join()
    said = str(error.value)
    assert said.startswith(f"engine '{cluster.engine}' broke down in mid-run (")
    assert said.endswith(f"kept in {store}: run the same again, and it goes on from there")
    _goes_on(models, folder, store)
    return said


def _goes_on(models: dict[str, Any], folder: Path, store: Path) -> None:
    """What was finished is not done again, and the table is the one of an undisturbed run."""
    done = len(list(store.rglob("*-*.parquet")))
    assert done
    (folder / "fitted").unlink()
    table = hl.run(models, iris(), PLAN, seed=1, store=store, progress=False, jobs=1)
    assert len(marks(folder, "fitted")) < 100
    quick = {"tree": Fitting(str(folder))}
    assert table.equals(hl.run(quick, iris(), PLAN, seed=1, progress=False, jobs=1))


def test_a_scheduler_that_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    cluster.join()
    said = broken(cluster, tmp_path, lambda: cluster.end(cluster.schedulers))
    assert "it has had no workers for 18 s" in said


def test_a_scheduler_that_is_started_anew(cluster: Cluster, tmp_path: Path) -> None:
    def harm() -> None:
        cluster.end(cluster.schedulers)
        cluster.end(cluster.workers)
        cluster.start()
        cluster.join()

    cluster.join()
    said = broken(cluster, tmp_path, harm)
    assert "its scheduler was started anew and has forgotten the data" in said


def test_all_workers_are_lost(cluster: Cluster, tmp_path: Path) -> None:
    cluster.join()
    said = broken(cluster, tmp_path, lambda: cluster.end(cluster.workers))
    assert "it has had no workers for 18 s" in said


def refused(cluster: Cluster) -> str:
    with pytest.raises(hl.InputError) as error:
        hl.run({"nb": GaussianNB()}, iris(), 3, engine=cluster.engine, progress=False)
    return str(error.value)


def test_no_worker_ever_joins(cluster: Cluster) -> None:
    said = refused(cluster)
    assert "no workers joined within 18 s; start some, as in: dask worker tcp://" in said


def test_workers_without_heliast(cluster: Cluster) -> None:
    cluster.join("import sys; sys.modules['heliast'] = None")
    said = refused(cluster)
    assert said.startswith(f"engine '{cluster.engine}': the work cannot be sent to its workers (")
    assert "workers need the same packages" in said


def test_workers_with_other_versions(cluster: Cluster) -> None:
    cluster.join("import sklearn; sklearn.__version__ = '0.1'")
    assert " has scikit-learn 0.1 instead of " in refused(cluster)
