"""Processes that share a store and are killed: forks of a process that imports once.

Usage: python -m tests.faults.lives FOLDER REPEATS KILLS SEED

Writes the tables `undisturbed` and `disturbed` (CSV and Parquet) with their stores `quiet` and
`runs`, and prints as JSON what happened. Cells are 3 models x 10 folds x REPEATS splits.
"""

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from tests.faults.deaths import beside_a_write, forked, within_a_write
from tests.faults.noted import before_each_fit

import heliast as hl

PROCESSES = 3
DATA = hl.Dataset.of(*load_iris(return_X_y=True))
MODELS = {
    "stump": DecisionTreeClassifier(max_depth=1, max_features=2),
    "tree": DecisionTreeClassifier(max_features=2),
    "bayes": GaussianNB(),
}
REPEATS = 1


def work(store: Path, out: Path) -> None:
    plan = hl.KFold(10, repeats=REPEATS)
    table = hl.run(MODELS, DATA, plan, seed=3, store=store, jobs=1, progress=False)
    table.write(out.with_suffix(".csv"))
    table.write(out.with_suffix(".parquet"))


def finished(process: int) -> None:
    code = os.waitpid(process, 0)[1]
    if code:
        raise AssertionError(f"ended with {code}")


def cells(store: Path) -> set[str]:
    return {path.name for path in store.glob("cells/*.parquet")}


def begin(folder: Path, chance: random.Random) -> int:
    """One of the processes; some of them die by themselves, within or just beside a write."""
    how = chance.choice([None, None, within_a_write, beside_a_write])
    own = random.Random(chance.random())

    def live() -> None:
        if how is not None:
            how(own)
        work(folder / "runs", folder / f"shared{os.getpid()}")

    return forked(live)


def kill(folder: Path, kills: int, seed: int) -> dict[str, object]:
    """Kill one of them again and again, at any moment, and start it again."""
    chance = random.Random(seed)
    store, every = folder / "runs", 30 * REPEATS
    died: Counter[str] = Counter()
    torn = 0
    running = [begin(folder, chance) for _ in range(PROCESSES)]
    while died.total() < kills:
        before = cells(store)
        victim = running.pop(chance.randrange(PROCESSES))
        time.sleep(chance.random() * 0.05)
        by_itself, status = os.waitpid(victim, os.WNOHANG)
        if not by_itself:
            os.kill(victim, signal.SIGKILL)
            status = os.waitpid(victim, 0)[1]
        if os.WIFSIGNALED(status):
            died["by itself" if by_itself else "killed"] += 1
        elif status:
            raise AssertionError(f"ended with {status}")
        torn += torn_writes(store)
        if not before <= cells(store):
            raise AssertionError("a finished cell was lost")
        if len(before) == every:  # the end came first: take most of it away
            for name in chance.sample(sorted(before), every * 4 // 5):
                (store / "cells" / name).unlink()
        running.append(begin(folder, chance))
    for process in running:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    missing = every - len(cells(store))
    return {"died": dict(died), "torn": torn, "missing": missing, "fits": resumed(folder)}


def torn_writes(store: Path) -> int:
    """How many temporary files hold less than a cell; others may rename theirs meanwhile."""
    torn = 0
    for part in store.glob("cells/.*.part"):
        with suppress(FileNotFoundError):
            torn += part.stat().st_size < 1500
    return torn


def resumed(folder: Path) -> list[int]:
    """How many cells are fitted when the call is made again, twice."""
    log, counts = folder / "fits", []

    def count(split: int, seed: int) -> None:
        with log.open("ab", buffering=0) as file:
            file.write(b".")

    before_each_fit(count)
    for _ in range(2):
        log.write_bytes(b"")
        finished(forked(lambda: work(folder / "runs", folder / "disturbed")))
        counts.append(log.stat().st_size)
    return counts


def main(folder: Path, kills: int, seed: int) -> None:
    hl.run(MODELS, DATA, 2, store=folder / "first", jobs=1, progress=False)
    finished(forked(lambda: work(folder / "quiet", folder / "undisturbed")))
    print(json.dumps(kill(folder, kills, seed)))


if __name__ == "__main__":
    place, repeats, kills, seed = sys.argv[1:]
    REPEATS = int(repeats)
    main(Path(place), int(kills), int(seed))
