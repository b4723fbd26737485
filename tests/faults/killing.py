"""Run, kill, resume: a process that imports once, forks the run and kills it at random moments.

Usage: python killing.py FOLDER KILLS SEED. Writes undisturbed.parquet and out.parquet there, and
prints how many kills there were and how many cells the store holds at the end.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import heliast as hl


class Slow(DecisionTreeClassifier):
    """A tree that takes its time, so that a kill may come at any point of a cell."""

    def fit(self, X, y):
        time.sleep(0.001)
        return super().fit(X, y)


def work(store: Path, out: Path) -> None:
    models = {f"tree{depth}": Slow(max_depth=depth, max_features=2) for depth in (1, 2, 3)}
    data, plan = load_iris(return_X_y=True), hl.KFold(10, repeats=10)
    hl.run(models, data, plan, seed=3, store=store, jobs=1, progress=False).write(out)


def forked(store: Path, out: Path) -> int:
    child = os.fork()
    if child == 0:
        work(store, out)
        os._exit(0)
    return child


def cells(store: Path) -> set[str]:
    return {path.name for path in store.glob("??/*.parquet")}


def killed(child: int, store: Path, before: set[str], chance: random.Random) -> bool:
    """Kill after one to nine new cells and a moment more; False if the run ended first."""
    wanted = chance.randint(1, 9)
    while len(cells(store) - before) < wanted:
        if os.waitpid(child, os.WNOHANG) != (0, 0):
            return False
        time.sleep(0.0005)
    time.sleep(chance.random() * 0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def main(folder: Path, kills: int, seed: int) -> None:
    os.waitpid(forked(folder / "quiet", folder / "undisturbed.parquet"), 0)
    chance = random.Random(seed)
    store, out = folder / "runs", folder / "out.parquet"
    store.mkdir()
    done = 0
    while done < kills:
        before = cells(store)
        if killed(forked(store, out), store, before, chance):
            done += 1
            assert before <= cells(store), "a finished cell was lost"
        else:  # it ended before we killed it: take away half of the work and go on
            for name in chance.sample(sorted(cells(store)), 150):
                next(store.glob(f"??/{name}")).unlink()
    out.unlink(missing_ok=True)
    os.waitpid(forked(store, out), 0)
    print(done, len(cells(store)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
