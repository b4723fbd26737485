"""Kill a run at random moments, again and again: it resumes and gives the same bytes."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import heliast as hl

SCRIPT = """
import sys
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from heliast._run import run
from heliast.plans import KFold
import time

class Slow(DecisionTreeClassifier):
    def fit(self, X, y):
        time.sleep(0.002)
        return super().fit(X, y)

if __name__ == "__main__":
    models = {f"tree{d}": Slow(max_depth=d, max_features=2) for d in (1, 2, 3)}
    table = run(models, load_iris(return_X_y=True), KFold(10, repeats=10), seed=3,
                store=sys.argv[1], jobs=int(sys.argv[3]), progress=False)
    table.write(sys.argv[2])
"""


def start(folder: Path, out: Path, jobs: int) -> subprocess.Popen[bytes]:
    script = folder.parent / "script.py"
    script.write_text(SCRIPT)
    return subprocess.Popen([sys.executable, script, folder, out, str(jobs)])


def test_fifty_kills_lose_nothing(tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed.parquet"
    assert start(tmp_path / "quiet", undisturbed, jobs=1).wait(120) == 0

    chance = random.Random(7)
    store, out = tmp_path / "runs", tmp_path / "out.parquet"
    kills = 0
    finished: set[str] = set()
    while kills < 50:
        process = start(store, out, jobs=1)
        # Starting takes most of the time, so wait for a first new cell, then a random moment.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if len(set(cells(store)) - finished) >= chance.randint(1, 3):
                break
            time.sleep(0.001)
        time.sleep(chance.random() * 0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        now = set(cells(store))
        assert finished <= now, "a finished cell was lost"
        finished = now
        if out.exists():
            # Ended before we could kill it: take away some of the work, and go on.
            out.unlink()
            for name in chance.sample(sorted(finished), len(finished) // 2):
                next(store.rglob(name)).unlink()
            finished = set(cells(store))
    assert start(store, out, jobs=1).wait(120) == 0
    one, two = hl.Predictions.read(undisturbed), hl.Predictions.read(out)
    assert one.equals(two)
    assert len(set(cells(store))) == 300


def cells(store: Path) -> list[str]:
    return [path.name for path in store.rglob("*.parquet")]
