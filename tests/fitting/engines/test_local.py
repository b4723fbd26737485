"""Workers on this machine: data once, deaths survived, contexts of joblib honoured."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from tests.fitting.engines.marked import Fitting, Marked, Misfit, marks
from tests.fitting.engines.same import assert_same, iris, marked_iris

import heliast as hl
from heliast.data import Dataset
from heliast.fitting.cell import FitFailed
from heliast.fitting.engines import Shared
from heliast.fitting.engines._execute import _by_workers, cpu_count
from heliast.fitting.engines._shared import File

PLAN = hl.KFold(4, repeats=3)
ROOT = Path(__file__).parents[3]


def test_arrays_lie_in_the_file_as_in_memory_and_may_be_written_to(tmp_path: Path) -> None:
    value = {"a": np.arange(7), "b": [np.eye(3), "text"], "c": np.asfortranarray(np.ones((2, 5)))}
    file = File.of(value, tmp_path)
    one, two = file.load(), file.load()
    one["a"][0] = 99
    np.testing.assert_array_equal(two["a"], np.arange(7))
    np.testing.assert_array_equal(two["b"][0], np.eye(3))
    assert two["b"][1] == "text"
    assert two["c"].flags.f_contiguous


def test_two_workers_unpickle_the_data_once_each(tmp_path: Path) -> None:
    data = marked_iris(tmp_path)
    models = {f"tree{n}": Fitting(str(tmp_path)) for n in range(2)}
    one = hl.run(models, data, PLAN, seed=4, jobs=1, progress=False)
    assert marks(tmp_path, "unpickled") == []
    two = hl.run(models, data, PLAN, seed=4, jobs=2, progress=False)
    assert_same(one, two)
    fetched = marks(tmp_path, "unpickled")
    assert len(fetched) == len(set(fetched)) <= 2
    assert set(fetched) == set(marks(tmp_path, "fitted")) - {os.getpid()}


@pytest.mark.skipif(cpu_count() < 2, reason="one processor has no use for workers")
@pytest.mark.parametrize(
    ("times", "pays"),
    [
        ({}, False),
        ({"a": [3.0]}, False),  # imports
        ({"a": [60.0]}, True),  # more than imports
        ({"a": [3.0, 0.01, 0.01]}, False),
        ({"a": [3.0, 0.01], "b": [2.0]}, False),  # imports of the next model
        ({"a": [0.1, 0.1]}, True),
        ({"a": [3.0], "b": [0.1]}, True),
    ],
)
def test_what_is_done_once_does_not_call_for_workers(
    times: dict[str, list[float]], pays: bool
) -> None:
    assert _by_workers(None, times, 80) is pays


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_an_open_joblib_context_is_used(backend: str, tmp_path: Path) -> None:
    model = {"tree": Fitting(str(tmp_path), seconds=0.02)}
    one = hl.run(model, iris(), 6, seed=4, jobs=1, progress=False)
    (tmp_path / "fitted").unlink()
    with joblib.parallel_config(backend, n_jobs=2):
        two = hl.run(model, iris(), 6, seed=4, progress=False)
    assert_same(one, two)
    here = os.getpid() in marks(tmp_path, "fitted")
    assert here == (backend == "threading")


def test_a_cell_that_kills_its_worker_is_recorded_and_the_others_are_not_lost(
    tmp_path: Path,
) -> None:
    models = {"bad": Misfit("die"), "good": GaussianNB()}
    with pytest.warns(FitFailed, match="'bad' failed in 1 of 5 splits"):
        table = hl.run(models, iris(), 5, seed=1, jobs=2, store=tmp_path, progress=False)
    wrong = [cell for cell in table.cells if cell["status"] != "ok"]
    assert [(cell["model"], cell["status"]) for cell in wrong] == [("bad", "killed")]
    assert "its worker died each of 2 times" in str(wrong[0]["failure"])
    quiet = hl.run({"good": GaussianNB()}, iris(), 5, seed=1, jobs=1, progress=False)
    np.testing.assert_array_equal(table.only("good").label, quiet.label)


def test_an_interrupted_run_ends_soon_and_keeps_what_is_finished(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "marks"
    folder.mkdir()
    script = (
        "import heliast as hl\n"
        "from sklearn.datasets import load_iris\n"
        "from tests.fitting.engines.marked import Fitting\n"
        f"models = {{'tree': Fitting({str(folder)!r}, seconds=0.3)}}\n"
        "hl.run(models, load_iris(return_X_y=True), hl.KFold(10, repeats=20), jobs=2,\n"
        f"       store={str(store)!r}, progress=False)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    running = subprocess.Popen(
        [sys.executable, "-c", script], env=env, stderr=subprocess.PIPE, start_new_session=True
    )
    while len(marks(folder, "fitted")) < 8 and running.poll() is None:
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does, to all of them
    _, said = running.communicate(timeout=120)
    assert running.returncode != 0
    assert b"KeyboardInterrupt" in said
    assert list(store.rglob("*-*.parquet"))


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("lokal", "is not known: give one of 'local'"),
        ("dask://127.0.0.1:9", "nobody answers at 127.0.0.1:9"),
        ("dask://somewhere:port", "expected HOST:PORT"),
        ("ray://127.0.0.1:9", "nobody answers at 127.0.0.1:9"),
        ("spark://127.0.0.1:9", "nobody answers at 127.0.0.1:9"),
    ],
)
def test_an_engine_that_is_not_there_is_told_at_once(engine: str, words: str) -> None:
    name = engine.partition("://")[0]
    package = {"dask": "distributed", "ray": "ray", "spark": "pyspark"}.get(name)
    if package:
        pytest.importorskip(package)
    with pytest.raises(hl.InputError, match=words):
        hl.run({"nb": GaussianNB()}, iris(), 3, engine=engine, progress=False)


def test_a_missing_extra_is_named_with_its_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("distributed", "ray", "joblibspark"):
        monkeypatch.setitem(sys.modules, package, None)
    for name in ("dask", "ray", "spark"):
        with pytest.raises(hl.InputError, match=rf"pip install 'heliast\[{name}\]'"):
            hl.run({"nb": GaussianNB()}, iris(), 3, engine=name, progress=False)


def test_a_dataset_pickles_whole_when_nothing_carries_it() -> None:
    data = Dataset.of(*load_iris(return_X_y=True))
    copy = pickle.loads(pickle.dumps(Shared(data)))
    assert copy.value.fingerprint == data.fingerprint


def test_marks_of_a_test_are_made_by_unpickling(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Marked(tmp_path)))
    assert marks(tmp_path, "unpickled") == [os.getpid()]


def test_a_model_that_cannot_be_sent_is_told_as_such() -> None:
    with pytest.raises(hl.InputError, match="the work cannot be sent to its workers"):
        hl.run({"m": Locked(threading.Lock())}, iris(), 3, jobs=2, progress=False)


class Locked(GaussianNB):
    """Holds what no pickle can."""

    def __init__(self, lock: object = None) -> None:
        super().__init__()
        self.lock = lock
