"""Workers on this machine: the same predictions, deaths survived, joblib contexts honoured."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from tests.fitting.engines.marked import Fitting, Misfit, marks
from tests.fitting.engines.same import assert_same, iris

import heliast as hl
from heliast.fitting.cell import FitFailed
from heliast.fitting.parallel import _worth_workers

ROOT = Path(__file__).parents[2]
PLAN = hl.KFold(4, repeats=3)


@pytest.mark.parametrize("engine", ["local", "loky", "threading", "multiprocessing"])
def test_every_backend_gives_the_same_bits(engine: str, tmp_path: Path) -> None:
    models = {f"tree{n}": Fitting(str(tmp_path)) for n in range(2)}
    alone = hl.run(models, iris(), PLAN, seed=4, jobs=1, progress=False)
    (tmp_path / "fitted").unlink()
    table = hl.run(models, iris(), PLAN, seed=4, jobs=2, engine=engine, progress=False)
    assert_same(alone, table)
    assert len(marks(tmp_path, "fitted")) == 24
    here = os.getpid() in marks(tmp_path, "fitted")
    assert here == (engine == "threading")


def test_large_data_reach_the_workers_as_they_are(tmp_path: Path) -> None:
    """joblib hands arrays above a megabyte over as files that are for reading only."""
    rng = np.random.default_rng(1)
    data = hl.Dataset.of(rng.normal(size=(20_000, 10)), rng.choice(["a", "b"], 20_000))
    models = {"tree": Fitting(str(tmp_path))}
    alone = hl.run(models, data, 3, jobs=1, progress=False)
    assert_same(alone, hl.run(models, data, 3, jobs=2, progress=False))


@pytest.mark.parametrize(
    ("seconds", "pays"),
    [
        ([], False),
        ([60.0], False),  # imports
        ([3.0, 0.01, 0.01], False),
        ([0.1, 0.1], True),
    ],
)
def test_what_is_done_once_does_not_call_for_workers(seconds: list[float], pays: bool) -> None:
    assert _worth_workers(seconds, 80) is pays


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_an_open_joblib_context_is_used(backend: str, tmp_path: Path) -> None:
    model = {"tree": Fitting(str(tmp_path), seconds=0.02)}
    one = hl.run(model, iris(), 6, seed=4, jobs=1, progress=False)
    (tmp_path / "fitted").unlink()
    with joblib.parallel_config(backend, n_jobs=2):
        two = hl.run(model, iris(), 6, seed=4, progress=False)
    assert_same(one, two)
    assert (os.getpid() in marks(tmp_path, "fitted")) == (backend == "threading")


def test_a_cell_that_kills_its_worker_is_recorded_and_tried_again_the_next_time(
    tmp_path: Path,
) -> None:
    models = {"bad": Misfit("die"), "good": Fitting(str(tmp_path))}
    store = tmp_path / "store"
    for _ in range(2):
        with pytest.warns(FitFailed, match="'bad' failed in 1 of 5 splits"):
            table = hl.run(models, iris(), 5, seed=1, jobs=2, store=store, progress=False)
        wrong = [cell for cell in table.cells if cell["status"] != "ok"]
        assert [(cell["model"], cell["status"]) for cell in wrong] == [("bad", "lost")]
        assert "its worker died (TerminatedWorkerError" in str(wrong[0]["failure"])
    (found,) = hl.fitting.store.Store(store).runs()
    assert (found.cells, found.finished) == (10, 9)
    quiet = hl.run({"good": Fitting(str(tmp_path))}, iris(), 5, seed=1, jobs=1, progress=False)
    np.testing.assert_array_equal(table.only("good").y_pred, quiet.y_pred)


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
    _, errors = running.communicate(timeout=120)
    assert running.returncode != 0
    assert b"KeyboardInterrupt" in errors
    assert list(store.rglob("*.parquet"))


HOSTILE = """
import os
open({mark!r}, "a").write(__name__ + "\\n")
raise ImportError("a trap")
"""


def test_no_worker_imports_from_the_current_folder(tmp_path: Path) -> None:
    """A folder from elsewhere may hold modules under the names of those that workers import."""
    folder, beside = tmp_path / "cloned", tmp_path / "beside"
    folder.mkdir()
    beside.mkdir()
    for name in ("joblib", "numpy", "encodings", "heliast", "pickle", "threadpoolctl", "runpy"):
        (folder / f"{name}.py").write_text(HOSTILE.format(mark=str(tmp_path / "hit")))
    (beside / "theirs.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "class Theirs(DecisionTreeClassifier):\n    pass\n"
    )
    script = beside / "script.py"
    script.write_text(
        "import sys\n"
        "import heliast as hl\n"
        "from theirs import Theirs\n"
        "assert __name__ == '__main__'\n"
        "table = hl.run({'m': Theirs()}, 'sklearn:iris', 4, jobs=2, progress=False)\n"
        "print(sorted({cell['status'] for cell in table.cells}))\n"
    )
    path = os.pathsep.join([str(ROOT / "src"), str(beside)])
    done = subprocess.run(
        [sys.executable, script], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.stdout == "['ok']\n", done.stderr
    assert not (tmp_path / "hit").exists()
    assert "PYTHONSAFEPATH" not in os.environ


def test_a_worker_that_would_load_an_edited_module_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "class Theirs(DecisionTreeClassifier):\n    pass\n"
    )
    (tmp_path / "script.py").write_text(
        "import heliast as hl\n"
        "from theirs import Theirs\n"
        "from heliast.fitting import run\n"
        "fit_all = run.fit_all\n"
        "def edited_first(*args, **more):\n"
        "    with open('theirs.py', 'a') as file:\n"
        "        file.write('# edited')\n"
        "    return fit_all(*args, **more)\n"
        "run.fit_all = edited_first\n"
        "hl.run({'m': Theirs()}, 'sklearn:iris', 4, jobs=2, store='kept', progress=False)\n"
    )
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert "InputError: model 'm': a worker has another file of module 'theirs'" in done.stderr


@pytest.mark.parametrize("engine", ["lokal", "lokal://there"])
def test_an_engine_that_nobody_knows_is_refused(engine: str) -> None:
    with pytest.raises(hl.InputError, match=f"engine='{engine}': .*Invalid backend"):
        hl.run({"tree": Fitting()}, iris(), 3, engine=engine, progress=False)


def test_a_missing_extra_is_named_with_its_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("distributed", "ray", "joblibspark"):
        monkeypatch.setitem(sys.modules, package, None)
    for name in ("dask", "ray", "spark"):
        with pytest.raises(hl.InputError, match=rf"pip install 'heliast\[{name}\]'"):
            hl.run({"nb": GaussianNB()}, iris(), 3, engine=name, shortcuts=False, progress=False)


def test_a_number_of_jobs_that_is_none() -> None:
    with pytest.raises(hl.InputError, match="jobs must be >= 1, got 0"):
        hl.run({"nb": GaussianNB()}, iris(), 3, jobs=0, progress=False)


def test_a_model_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(hl.InputError, match="cannot be sent to worker processes"):
        hl.run({"m": Locked(threading.Lock())}, iris(), 3, jobs=2, progress=False)


class Locked(GaussianNB):
    """Holds what no pickle can."""

    def __init__(self, lock: object = None) -> None:
        super().__init__()
        self.lock = lock
