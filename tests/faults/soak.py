"""Three processes work on one store while everything goes wrong; at the end nothing is missing.

Usage: python -m tests.faults.soak SECONDS SEED [KINDS...]   (KINDS: only these faults, by name)

Each round is a run of a few hundred cells with a model that was edited since the last, in the same
store. Fits are noted, so it is known which cells were worked on, when and by whom.
"""

import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.chaos import FAULTS, PATIENCE, Chaos, Worker
from tests.faults.deaths import ALONE, forked, keep_time_by
from tests.faults.disks import mounted, unmount
from tests.faults.noted import before_each_fit
from tests.faults.tables import differences, same_parquet

from heliast.cli import main, start
from heliast.fitting.store import Store, _claims

MODELS, REPEATS, WORKERS = 6, 6, 3
ROUNDS_A_STORE = 3
HANGS = 900.0
"""Seconds in which a round has to end."""
TICK, LULL = 0.05, 10.0
MESSAGE = re.compile(r"heliast: store ")  # cut short where files may not become longer
DEATH = re.compile(r"heliast: the process was ended by SIG(KILL|XFSZ)")
"""What the guard says of a worker that died."""

LOOKED: list[float] = []
"""In a worker: when it last looked what is there."""
SOAKED = """
import numpy as np
from sklearn.tree import DecisionTreeClassifier


class Soaked(DecisionTreeClassifier):
    def fit(self, X, y):
        return super().fit(X, np.random.RandomState({version}).permutation(y))
"""


@dataclass(frozen=True)
class Fit:
    """A fit as it was noted: of what, by whom, and when he last looked what was there."""

    mark: str
    process: int
    looked: float


@dataclass(eq=False)
class Soak:
    """A folder to work in, what goes wrong, and what is counted."""

    folder: Path
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """What must not be, in words."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.outside = self.folder / "outside"
        self.outside.mkdir()
        (self.outside / "mine.parquet").write_text("mine")
        self.is_disk = os.geteuid() == 0 and mounted(self.disk, "size=32m")
        self.workers = [Worker(n, self.folder / f"clock{n}") for n in range(WORKERS)]
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        sys.dont_write_bytecode = True  # one that is as old and as long as the next would be taken
        draw = random.Random(1)
        rows = [f"{draw.random()},{draw.random()},{draw.random()},{i % 2}" for i in range(60)]
        (self.folder / "data.csv").write_text("\n".join(["a,b,c,y", *rows, ""]))

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
        if self.is_disk:
            unmount(self.disk)
        shutil.rmtree(self.folder)

    # --- the command line ------------------------------------------------------------------

    def words(self, store: Path, out: str) -> list[str]:
        models = [f"--model=tree{n}=soaked.Soaked(max_depth={n})" for n in range(1, MODELS + 1)]
        return [
            "run", "data.csv", "--target", "y", *models, "--plan", f"kfold(10, repeats={REPEATS})",
            "--seed", "3", "--jobs", "1", "--store", str(store), "-o", out,
        ]  # fmt: skip

    def start(
        self, words: list[str], said: str, pace: float = 0.0, how: str = "", clock: str = ""
    ) -> int:
        """The command line in a process of its own, perhaps with a death ahead of it."""
        seed = self.chance.random()

        def note(split: int, seed_of_cell: int) -> None:
            with (self.folder / "fits").open("ab", buffering=0) as file:
                said = f"{split}-{seed_of_cell} {os.getpgrp()} {LOOKED[0]}\n"
                file.write(said.encode())
            time.sleep(pace * (0.02 + 0.18 * (seed_of_cell % 1000) / 1000))

        def run() -> None:
            handle = os.open(self.folder / said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(handle, stream)
            sys.addaudithook(note_looks)
            before_each_fit(note)
            keep_time_by(self.folder / clock)
            if how:
                ALONE[how](random.Random(seed))
            command_line(words)

        return forked(run, group=True)

    def finished(self, words: list[str]) -> None:
        """Do it without disturbance; it has to end well."""
        quiet = Worker(0, self.folder, self.start(words, "said"))
        until = time.monotonic() + HANGS
        try:
            while (code := quiet.ended()) is None and time.monotonic() < until:
                time.sleep(TICK)
        finally:
            quiet.kill()
        if code != 0:
            said = (self.folder / "said").read_text(errors="replace")
            self.wrong.append(f"undisturbed, it ended with {code} (None: it hung): {said[-2000:]}")

    def fits(self) -> list[Fit]:
        try:
            lines = (self.folder / "fits").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [Fit(a, int(b), float(c)) for a, b, c in (line.split() for line in lines)]

    # --- a round ---------------------------------------------------------------------------

    def soak(self, seconds: float) -> None:
        """Rounds until the time is over."""
        start, round_ = time.monotonic(), 0
        while round_ < 1 or time.monotonic() - start < seconds:
            store = self.disk / f"store{round_ // ROUNDS_A_STORE}"
            if round_ % ROUNDS_A_STORE == 0:
                for old in self.disk.iterdir():
                    shutil.rmtree(old)
                store.mkdir()
            self.round(store, round_)
            round_ += 1
        self.counts["rounds"] = round_
        self.counts["seconds"] = round(time.monotonic() - start)

    def round(self, store: Path, version: int) -> None:
        (self.folder / "soaked.py").write_text(SOAKED.format(version=version))
        keys = self.undisturbed()
        chaos = Chaos(
            store, self.disk if self.is_disk else None, self.outside, self.workers, self.chance,
            list(keys.values()),
        )  # fmt: skip
        account = Account(chaos, keys)
        self.disturbed(chaos, account)
        chaos.mend(everything=True)
        self.finished(self.words(store, "last.parquet"))
        self.compared("last.parquet")
        noted = len(self.fits())
        self.finished(self.words(store, "again.parquet"))
        self.compared("again.parquet")
        again = len(self.fits()) - noted
        account.close(self.fits())
        self.counts += chaos.counts
        self.counts["cells"] += len(keys)
        self.counts["cells worked on again"] += noted - len(keys)
        self.counts["lost"] += again + len(account.lost)
        self.counts["files doubled"] += account.doubled
        self.wrong += account.lost + [f"{again} cells done again when all were there"] * bool(again)
        if sorted(path.name for path in self.outside.iterdir()) != ["mine.parquet"]:
            self.wrong.append(f"outside: {sorted(self.outside.iterdir())}")
        (self.folder / "fits").unlink()

    def undisturbed(self) -> dict[str, str]:
        """The table as it should be, and the name of the batch of each mark."""
        quiet = self.folder / "quiet"
        shutil.rmtree(quiet, ignore_errors=True)
        self.finished(self.words(quiet, "undisturbed.parquet"))
        batches = Store.existing(quiet).run().batches
        keys = dict(zip([fit.mark for fit in self.fits()], [b.key for b in batches], strict=True))
        (self.folder / "fits").unlink()
        return keys

    def disturbed(self, chaos: Chaos, account: "Account") -> None:
        """All of it at once, until each worker has come to its end."""
        start, left = time.monotonic(), list(self.workers)
        struck, due = start, 0
        while left:
            for worker in list(left):
                if not worker.process:
                    self.begin(worker, chaos.store)
                elif (code := worker.ended()) is not None and self.is_done(worker, code, chaos):
                    left.remove(worker)
            chaos.mend()
            account.look()
            now, fits = time.monotonic(), self.fits()
            if len(fits) >= due or now > struck + LULL:  # by work done: a busy machine is slow
                chaos.strike({fit.process for fit in fits})
                struck, due = now, len(fits) + self.chance.randint(1, 6)
            if now - start > HANGS:
                self.wrong.append(f"a round did not end within {HANGS} s")
                break
            time.sleep(TICK)
        for worker in self.workers:
            worker.kill()

    def begin(self, worker: Worker, store: Path) -> None:
        how = self.chance.choice(["", "", "", *ALONE])
        words, said = self.words(store, f"out{worker.number}.parquet"), f"said{worker.number}"
        worker.process = self.start(words, said, pace=1.0, how=how, clock=worker.clock.name)
        worker.since, worker.told = time.monotonic(), ""
        self.counts["lives"] += 1

    def is_done(self, worker: Worker, code: int, chaos: Chaos) -> bool:
        """Whether this one has come to the end of its work, and not to one that must not be."""
        if code == 0:
            self.compared(f"out{worker.number}.parquet")
            return True
        said = (self.folder / f"said{worker.number}").read_text(errors="replace")
        if code == -signal.SIGKILL or (code == 2 and DEATH.search(said)):
            how = "died"
        elif worker.told and code == 128 + signal.Signals[worker.told]:
            how = "ended as told"
        elif code == 2 and MESSAGE.search(said) and chaos.obstacles >= worker.since:
            how = "ended with a message"
        else:
            how = "ended otherwise"
        self.counts[how] += 1
        if how == "ended otherwise" or "Traceback" in said or "a fault of heliast" in said:
            self.wrong.append(f"a worker {worker.told} {how}, {code}: {said[-2000:]}")
        return False

    def compared(self, name: str) -> None:
        """A table that a worker has written is the same as that of the undisturbed run."""
        table, undisturbed = self.folder / name, self.folder / "undisturbed.parquet"
        if not table.exists():
            self.wrong.append(f"{name} was not written")
            return
        self.counts["tables"] += 1
        found = differences(table, undisturbed)
        self.counts += found
        if found.total() or not same_parquet(table, undisturbed):
            self.wrong.append(f"{name} differs: {dict(found)}")
        table.unlink()


class Account:
    """Which files of cells are there, since when; none may go, or be made again, for no reason."""

    def __init__(self, chaos: Chaos, keys: dict[str, str]) -> None:
        self.chaos, self.keys = chaos, keys
        self.since: dict[Path, float] = {}
        self.there: set[Path] = set()
        self.lost: list[str] = []

    def look(self) -> None:
        with suppress(PermissionError):  # while nothing can be seen, nothing is missed
            before, self.there = self.there, set(self.chaos.cells())
            gone = before - self.there - self.chaos.spoilt.keys()
            self.lost += [f"{path.name} is gone" for path in gone]
            now = time.monotonic()
            for path in self.there:
                self.since.setdefault(path, now)

    @property
    def doubled(self) -> int:
        """Files beyond the first of a batch."""
        whole = [path.name[:32] for path in self.there - self.chaos.spoilt.keys()]
        return len(whole) - len(set(whole))

    def close(self, fits: list[Fit]) -> None:
        """Look for fits by those who looked when the cells were there, and whole."""
        self.look()
        whole: dict[str, list[tuple[float, float]]] = {}
        for path, since in self.since.items():
            until = self.chaos.spoilt.get(path, math.inf)
            whole.setdefault(path.name[:32], []).append((since, until))
        for fit in fits:
            key = self.keys[fit.mark]
            if any(since < fit.looked < until for since, until in whole.get(key, [])):
                self.lost.append(f"{key} was fitted although it was there")


def table(counts: Counter[str], seeds: str) -> str:
    """What happened, as a table of Markdown."""
    last = ("cells", "cells worked on again", "files doubled", "tables", "lost", "doubled", "stale")
    first = ("seconds", "rounds", "lives", "died", "ended as told", "ended with a message")
    rest = sorted(name for name in counts if name not in first + last)
    rows = [("seeds", seeds)]
    rows += [(name, f"{counts[name]:,}") for name in (*first, *rest, *last)]
    return "\n".join(
        ["| what | how many |", "| --- | ---: |", *(f"| {a} | {b} |" for a, b in rows)]
    )


def note_looks(event: str, arguments: tuple[object, ...]) -> None:
    """In a worker: when it last listed a folder by its handle, as a store does, but no import."""
    if event == "os.listdir" and isinstance(arguments[0], int):
        LOOKED[:] = [time.monotonic()]


def command_line(words: list[str]) -> None:
    sys.argv = ["heliast", *words]
    start()


def warm() -> None:
    """All that is imported on the way is imported here, so that a life costs little."""
    words = ["run", "data.csv", "--target", "y", "--model", "tree", "--plan", "3", "--jobs", "1"]
    sys.argv = ["heliast", *words, "--store", "first", "-o", "first.parquet"]
    with suppress(SystemExit):
        main()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where begun in background
    _claims.PATIENCE, _claims.BEAT = PATIENCE, PATIENCE / 8


def soaked(seconds: float, seed: int) -> Soak:
    soak = Soak(Path(tempfile.mkdtemp(prefix="heliast-soak-")), seed)
    try:
        warm()
        soak.soak(seconds)
    finally:
        soak.close()
    return soak


if __name__ == "__main__":
    wanted = sys.argv[3:]
    for made in [made for made in FAULTS if wanted and made.__name__ not in wanted]:
        del FAULTS[made]
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    done = soaked(seconds, seed)
    print(table(done.counts, str(seed)), *done.wrong, sep="\n")
    sys.exit(bool(done.wrong))
