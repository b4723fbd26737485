"""Runs that are killed, resumed and shared: a process that imports once and forks each run.

Usage: python -m tests.faults.lives kill FOLDER REPEATS KILLS SEED
       python -m tests.faults.lives share FOLDER REPEATS PROCESSES
       python -m tests.faults.lives workers FOLDER REPEATS SEED
       python -m tests.faults.lives alone FOLDER REPEATS MACHINE

Each writes undisturbed.csv and .parquet, what the disturbed run gives beside them, and prints as
JSON what happened. Cells are 5 models x 10 folds x REPEATS splits, each in a file of its own.
"""

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from tests.faults.deaths import beside_a_write, forked, within_a_write
from tests.faults.noted import before_each_fit

import heliast as hl

DATA = hl.Dataset.of(*load_iris(return_X_y=True))
MODELS = {
    f"tree{depth}": DecisionTreeClassifier(max_depth=depth, max_features=2) for depth in range(1, 6)
}
REPEATS = 1


def work(store: Path, out: Path, jobs: int = 1) -> None:
    plan = hl.KFold(10, repeats=REPEATS).on(DATA, 3)
    table = hl.run(MODELS, DATA, plan, seed=3, store=store, jobs=jobs, progress=False)
    table.write(out.with_suffix(".csv"))
    table.write(out.with_suffix(".parquet"))


def finished(pid: int) -> None:
    """Wait for a process, which has to end well; no assert, as `python -O` would not wait then."""
    code = os.waitpid(pid, 0)[1]
    if code:
        raise AssertionError(f"ended with {code}")


def life(store: Path, out: Path, prepare=lambda: None, jobs: int = 1) -> int:
    def live() -> None:
        prepare()
        work(store, out, jobs)

    return forked(live)


def ended(child: int) -> bool:
    return os.waitpid(child, os.WNOHANG) != (0, 0)


def every_cell() -> int:
    return len(MODELS) * 10 * REPEATS


def cells(store: Path) -> Counter[str]:
    """How many files there are of each cell."""
    return Counter(path.name[:32] for path in store.glob("??/*.parquet"))


# --- ways to die -------------------------------------------------------------------------------


def at_any_moment(child: int, chance: random.Random, finished: int) -> bool:
    """After a random time: while looking up what is there, fitting or writing."""
    until = time.monotonic() + chance.random() * (0.05 + 0.0008 * finished)
    while time.monotonic() < until:
        if ended(child):
            return False
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def dies_by_itself(child: int, chance: random.Random, finished: int) -> bool:
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


DEATHS = {
    "moment": (lambda chance: None, at_any_moment),
    "within": (within_a_write, dies_by_itself),
    "beside": (beside_a_write, dies_by_itself),
}


# --- what is done ------------------------------------------------------------------------------


def undisturbed(folder: Path) -> None:
    """All that is imported on the way is imported here, so that a life costs little."""
    hl.run(MODELS, DATA, 2, store=folder / "first", progress=False).write(folder / "first.parquet")
    finished(life(folder / "quiet", folder / "undisturbed"))


def kill(folder: Path, kills: int, seed: int) -> dict[str, object]:
    undisturbed(folder)
    chance = random.Random(seed)
    store, out = folder / "runs", folder / "disturbed"
    died: Counter[str] = Counter()
    torn = 0
    while died.total() < kills:
        before = cells(store)
        how = chance.choice(list(DEATHS))
        prepare, wait = DEATHS[how]
        own = random.Random(chance.random())
        child = life(store, out, lambda prepare=prepare, own=own: prepare(own))
        if wait(child, chance, before.total()):
            died[how] += 1
        torn += sum(part.stat().st_size < 1500 for part in store.glob("??/.*.part"))
        if not before.keys() <= cells(store).keys():
            raise AssertionError(f"a finished cell was lost ({how})")
        if len(cells(store)) == every_cell():  # the end came first: take most of it away, go on
            for path in chance.sample(sorted(store.glob("??/*.parquet")), every_cell() * 4 // 5):
                path.unlink()
    finished(life(store, out))
    return {"died": dict(died), "torn": torn, **counted(store)}


def counted(store: Path) -> dict[str, object]:
    found = cells(store)
    return {
        "cells": len(found),
        "doubled": sum(count > 1 for count in found.values()),
        "leftovers": len(list(store.rglob("*.part"))) + len(list(store.rglob("*.claim"))),
    }


def count_fits(folder: Path) -> Path:
    """From now on each fit leaves a letter in a file."""
    log = folder / "fits"

    def count(split: int, seed: int) -> None:
        with log.open("ab", buffering=0) as file:
            file.write(b".")

    before_each_fit(count)
    return log


def share(folder: Path, processes: int) -> dict[str, object]:
    undisturbed(folder)
    log = count_fits(folder)
    store = folder / "runs"
    children = [life(store, folder / f"shared{at}") for at in range(processes)]
    codes = [os.waitpid(child, 0)[1] for child in children]
    return {"codes": codes, "fits": log.stat().st_size, **counted(store)}


def alone(folder: Path, machine: int) -> dict[str, object]:
    """One run in a store that others see as well, by mounts of the same disk."""
    count_fits(folder)
    work(folder / f"mount{machine}" / "runs", folder / f"shared{machine}")
    return {}


def workers_of(child: int) -> list[int]:
    listed = Path(f"/proc/{child}/task/{child}/children").read_text().split()
    return [one for one in map(int, listed) if b"LokyProcess" in command(one)]


def command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def workers(folder: Path, seed: int) -> dict[str, object]:
    """A run with two worker processes: one worker is killed, then the parent, then all goes on."""
    undisturbed(folder)
    chance = random.Random(seed)
    store, out = folder / "runs", folder / "disturbed"
    died = []
    for victim in ("parent", "worker"):
        before = len(cells(store))
        child = life(store, out, jobs=2)
        while len(cells(store)) < before + 20:
            time.sleep(0.002)
        time.sleep(chance.random() * 0.01)
        seen = workers_of(child)
        os.kill(child if victim == "parent" else chance.choice(seen), signal.SIGKILL)
        died.append((victim, len(seen), os.waitpid(child, 0)[1]))
    if len(cells(store)) < every_cell():
        finished(life(store, out, jobs=2))
    return {"died": died, **counted(store)}


if __name__ == "__main__":
    mode, place, repeats, *rest = sys.argv[1:]
    REPEATS = int(repeats)
    doing = {"kill": kill, "share": share, "workers": workers, "alone": alone}[mode]
    print(json.dumps(doing(Path(place), *map(int, rest))))
