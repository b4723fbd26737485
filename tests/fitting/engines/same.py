"""What the tests of all engines share: data, and what it means that two tables are the same."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from warnings import catch_warnings, simplefilter

from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from tests.fitting.engines.marked import Fitting, marks

import heliast as hl
from heliast.data import Dataset


def iris() -> Dataset:
    return Dataset.of(*load_iris(return_X_y=True))


def assert_same(one: hl.Predictions, two: hl.Predictions) -> None:
    """Bit for bit."""
    assert one.equals(two)
    for name in ("y_true", "y_pred", "scores", "row", "in_train"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes(), name
    assert {cell["status"] for cell in two.cells} == {"ok"}


@contextmanager
def killing(folder: Path, after: int) -> Iterator[list[int]]:
    """Kill the process that begins a fit, after so many of them; who was killed."""
    killed: list[int] = []

    def kill() -> None:
        until = time.monotonic() + 120
        while len(found := marks(folder, "fitted")) < after:
            if time.monotonic() > until:
                return
            time.sleep(0.01)
        os.kill(found[-1], signal.SIGKILL)
        killed.append(found[-1])

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        killer.join()


def assert_engine_gives_the_same(engine: str, folder: Path, kill: bool = False) -> None:
    """The table of `local` from other processes, whose results come while others are at work.

    With `kill`, one of the workers is killed in the middle.
    """
    store, data = folder / "store", iris()
    models = {
        "tree": Fitting(str(folder), seconds=0.05),
        "regression": LogisticRegression(max_iter=20),
    }
    plan = hl.KFold(5, repeats=2)
    with catch_warnings():
        simplefilter("ignore")
        one = hl.run(models, data, plan, seed=8, jobs=1, progress=False)
        (folder / "fitted").unlink()
        with killing(folder, after=4) if kill else nullcontext([]) as killed:
            two = hl.run(models, data, plan, seed=8, engine=engine, store=store, progress=False)
    assert_same(one, two)
    assert len(killed) == kill
    assert marks(folder, "fitted")[-1] not in killed
    assert os.getpid() not in marks(folder, "fitted")
    kept = [path.stat().st_mtime for path in store.rglob("*.parquet")]
    assert len(kept) == 20
    assert min(kept) < (folder / "fitted").stat().st_mtime, "results came only at the end"
