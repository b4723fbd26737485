"""What can happen to a store and to those who work on it: faults of many kinds, drawn by a seed."""

import os
import random
import re
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.disks import fill

from heliast.fitting.store._files import CELLS, CLAIM, PART, SHELF, checksum

HOUR = 3600
PATIENCE = 2.0
"""Seconds after which those who work on the store take over a claim without a sign of life."""
Fault = Callable[["Chaos"], str]
FAULTS: dict[Fault, int] = {}
"""Each fault and how often it is drawn, beside the others; it says what it did, or nothing."""


def fault(weight: int) -> Callable[[Fault], Fault]:
    def joined(made: Fault) -> Fault:
        FAULTS[made] = weight
        return made

    return joined


@dataclass(eq=False)
class Worker:
    """One who works on the store: the command line, started again when it ends.

    It is a guard and its child, a group of processes with the number of the guard.
    """

    number: int
    clock: Path
    """The file that says by how many seconds the clock of this process is wrong."""
    process: int = 0
    """The number of its guard, or 0: there is none."""
    since: float = 0.0
    stopped: bool = False
    told: str = ""
    """The signal that was sent to end it, by name."""

    def send(self, number: signal.Signals, everybody: bool = True) -> None:
        """To the guard, which nobody has waited for yet, so that its number is still its own."""
        if self.process:
            (os.killpg if everybody else os.kill)(self.process, number)

    def ended(self) -> int | None:
        """The exit code, negative for a signal; then there is no process any more."""
        child, status = os.waitpid(self.process, os.WNOHANG)
        if not child:
            return None
        self.process, self.stopped = 0, False
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        while self.process and self.ended() is None:
            time.sleep(0.01)


@dataclass(eq=False)
class Chaos:
    """Faults in a store; what was spoilt and when, so that the rest can be held to account."""

    store: Path
    disk: Path | None
    outside: Path
    """A folder that is none of the store's affair: links lead there."""
    workers: list[Worker]
    chance: random.Random
    keys: list[str] = field(default_factory=list)
    """Names of the batches that are being worked on."""
    begun: set[int] = field(default_factory=set)
    """Processes that have come so far as to fit something."""
    counts: Counter[str] = field(default_factory=Counter)
    spoilt: dict[Path, float] = field(default_factory=dict)
    """Files of cells that were damaged or forged, and when."""
    obstacles: float = 0.0
    """When the last fault ended that lets a run end with a message."""
    undo: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def strike(self, begun: set[int]) -> None:
        """Let one thing happen, if it can."""
        self.begun = begun
        (what,) = self.chance.choices(list(FAULTS), list(FAULTS.values()))
        with suppress(FileNotFoundError, PermissionError):  # another fault was quicker
            if name := what(self):
                self.counts[name] += 1

    def mend(self, everything: bool = False) -> None:
        """Take back what has lasted long enough."""
        now = time.monotonic()
        for pair in [pair for pair in self.undo if everything or pair[0] <= now]:
            with suppress(PermissionError):  # of another fault, which has to be mended first
                with suppress(FileNotFoundError):
                    pair[1]()
                self.undo.remove(pair)
        if everything and self.undo:
            self.mend(everything)

    def after(self, seconds: float, undo: Callable[[], None]) -> None:
        self.undo.append((time.monotonic() + seconds, undo))

    def after_an_obstacle(self, undo: Callable[[], None]) -> None:
        """Those who meet it end with a message and code 2, also a while after it is gone."""
        seconds = self.chance.uniform(0.2, 1.5)
        self.obstacles = max(self.obstacles, time.monotonic() + seconds)
        self.after(seconds, undo)

    # --- places ----------------------------------------------------------------------------

    def files(self, name: re.Pattern[str]) -> list[Path]:
        """The plain files of such names on all shelves."""
        found = []
        for shelf in os.listdir(self.store):
            place = self.store / shelf
            if SHELF.fullmatch(shelf) and not place.is_symlink():
                with os.scandir(place) as entries:
                    named = (entry for entry in entries if name.fullmatch(entry.name))
                    found += [Path(e.path) for e in named if e.is_file(follow_symlinks=False)]
        return found

    def cells(self) -> list[Path]:
        """Files of the batches that are being worked on."""
        keys = set(self.keys)
        return [path for path in self.files(CELLS) if path.name[:32] in keys]

    def records(self) -> list[Path]:
        return [path for path in (self.store / "runs").glob("[0-9a-f]*") if path.is_file()]

    def worker(self, early: float = 0.1) -> Worker | None:
        """One that runs; mostly one that has begun to work, or none would ever come so far."""
        running = [one for one in self.workers if one.process and not one.stopped]
        if self.chance.random() >= early:
            running = [one for one in running if one.process in self.begun]
        return self.chance.choice(running) if running else None

    def is_led_out(self, key: str) -> bool:
        """Whether the folder of a batch is a link just now."""
        return (self.store / key[:2]).is_symlink()

    def free_name(self) -> Path:
        """A name that the store would use for cells, a claim, a temporary file, or a record."""
        # Not through a folder that is a link at present: the soak itself would write outside.
        key = self.chance.choice([k for k in self.keys if not self.is_led_out(k)] or self.keys)
        shelf = self.store / key[:2]
        shelf.mkdir(exist_ok=True)
        cells = shelf / f"{key}-{self.chance.randbytes(8).hex()}.parquet"
        claim = shelf / f"{key}.claim"
        part = shelf / f".{key}.{self.chance.randbytes(5).hex()}.1.{'0' * 8}.part"
        record = self.store / "runs" / f"{self.chance.randbytes(5).hex()}.json"
        chosen = self.chance.choice([cells, cells, claim, part, record])
        self.spoilt[chosen] = 0.0
        return chosen


# --- those who work ------------------------------------------------------------------------


@fault(6)
def killed(chaos: Chaos) -> str:
    worker = chaos.worker()
    if worker is None:
        return ""
    worker.send(signal.SIGKILL, everybody=chaos.chance.random() < 0.5)
    return "killed"


@fault(8)
def told_to_end(chaos: Chaos) -> str:
    worker = chaos.worker(early=0.0)
    if worker is None or worker.told:
        return ""
    number = chaos.chance.choice([signal.SIGTERM, signal.SIGINT])
    worker.told = number.name
    worker.send(number, everybody=number == signal.SIGINT)  # as from a terminal
    return "told to end"


@fault(8)
def stopped(chaos: Chaos) -> str:
    """Some of them for longer than others wait, who take the work over; then it wakes up."""
    worker = chaos.worker()
    if worker is None:
        return ""
    seconds = chaos.chance.choice([0.3, 1.0, 2 * PATIENCE])
    process = worker.process
    worker.stopped = True
    worker.send(signal.SIGSTOP)

    def go_on() -> None:
        if worker.process is process:
            worker.send(signal.SIGCONT)
            worker.stopped = False

    chaos.after(seconds, go_on)
    return "stopped longer than patience" if seconds > PATIENCE else "stopped"


# --- time ----------------------------------------------------------------------------------


@fault(4)
def clock_set(chaos: Chaos) -> str:
    """The clock of one worker jumps, while the others and the disk keep theirs."""
    worker = chaos.worker()
    if worker is None:
        return ""
    worker.clock.write_text(str(chaos.chance.choice([-HOUR - 100, 0, HOUR + 100])))
    return "clock set by an hour"


@fault(4)
def files_dated(chaos: Chaos) -> str:
    """The times of all claims, and of files that are being written, are of another hour."""
    dated = chaos.files(CLAIM) + chaos.files(PART)
    then = time.time() + chaos.chance.choice([-1, 1]) * (HOUR + 100)
    for path in dated:
        with suppress(FileNotFoundError):
            os.utime(path, (then, then))
    return "files dated by an hour" if dated else ""


# --- the disk ------------------------------------------------------------------------------


@fault(3)
def full(chaos: Chaos) -> str:
    if chaos.disk is None or (chaos.disk / "ballast").exists():
        return ""
    with suppress(OSError):  # others write at the same time
        fill(chaos.disk)
    chaos.after_an_obstacle((chaos.disk / "ballast").unlink)
    return "disk full"


@fault(5)
def rights(chaos: Chaos) -> str:
    """A file or folder may not be read, or not be written."""
    some = [chaos.store, chaos.store / "runs", chaos.store / "quarantine", *chaos.records()]
    some += chaos.chance.sample(cells := chaos.cells(), min(3, len(cells)))
    some += [path.parent for path in some[-3:]]
    place = chaos.chance.choice(some)
    before = place.stat().st_mode & 0o777
    if before & 0o600 != 0o600:
        return ""
    place.chmod(chaos.chance.choice([0, 0o500, 0o400]))
    chaos.after_an_obstacle(lambda: place.chmod(before))
    return "rights taken"


# --- what lies in the store ----------------------------------------------------------------


@fault(6)
def damaged(chaos: Chaos) -> str:
    cells, records = chaos.cells(), chaos.records()
    some = records if chaos.chance.random() < 0.2 else cells
    if not some:
        return ""
    path = chaos.chance.choice(some)
    content = bytearray(path.read_bytes())
    if not content:
        return ""
    chaos.spoilt.setdefault(path, time.monotonic())
    if cut := chaos.chance.random() < 0.5:
        content = content[: chaos.chance.randrange(len(content))]
    else:
        content[chaos.chance.randrange(len(content))] ^= 1 << chaos.chance.randrange(8)
    with suppress(OSError), path.open("r+b") as file:  # never a new file: it may be gone
        file.truncate(len(content))
        file.write(content)
    return "files cut" if cut else "bits flipped"


@fault(3)
def planted(chaos: Chaos) -> str:
    """Whole cells of other work, such as of the model as it was, under the name of this one's."""
    some, key = chaos.files(CELLS), chaos.chance.choice(chaos.keys)
    if not some:
        return ""
    content = chaos.chance.choice(some).read_bytes()
    path = chaos.store / key[:2] / f"{key}-{checksum(content)}.parquet"
    if path.exists() or not path.parent.is_dir():
        return ""
    chaos.spoilt[path] = 0.0
    with suppress(OSError):
        path.write_bytes(content)
    return "cells of other work planted"


@fault(4)
def claim_lost(chaos: Chaos) -> str:
    claims = chaos.files(CLAIM)
    if not claims:
        return ""
    chaos.chance.choice(claims).unlink()
    return "claims removed"


@fault(3)
def claim_forged(chaos: Chaos) -> str:
    """A claim of another machine, or of nobody."""
    key = chaos.chance.choice(chaos.keys)
    said = chaos.chance.choice([b"elsewhere.1.00000000", b"", b"\0\xff" * 50, b"x" * 5000])
    path = chaos.store / key[:2] / f"{key}.claim"
    if chaos.is_led_out(key) or not path.parent.is_dir():
        return ""
    with suppress(OSError), path.open("xb") as file:
        file.write(said)
        return "claims forged"
    return ""


@fault(5)
def linked(chaos: Chaos) -> str:
    path = chaos.free_name()
    targets = ["/dev/zero", "/nowhere", path, chaos.outside / "mine.parquet", chaos.outside]
    with suppress(OSError):
        path.symlink_to(chaos.chance.choice(targets))
        return "links thrown in"
    return ""


@fault(3)
def piped(chaos: Chaos) -> str:
    with suppress(OSError):
        os.mkfifo(chaos.free_name())
        return "pipes thrown in"
    return ""


@fault(3)
def littered(chaos: Chaos) -> str:
    """Files and folders that nobody of the store would have made, some under names of its own."""
    name = chaos.free_name()
    junk = name.with_name(f"{name.name}{secrets.token_hex(2)}")
    with suppress(OSError):
        if chaos.chance.random() < 0.5:
            junk.write_bytes(chaos.chance.randbytes(100))
        else:
            (name if CELLS.fullmatch(name.name) else junk).mkdir()
        return "junk thrown in"
    return ""


@fault(2)
def shelf_linked(chaos: Chaos) -> str:
    """A folder of the store that is not there yet, as a link that leads out of it."""
    missing = [key for key in chaos.keys if not (chaos.store / key[:2]).exists()]
    if not missing:
        return ""
    path = chaos.store / chaos.chance.choice(missing)[:2]
    with suppress(OSError):
        path.symlink_to(chaos.outside)
        chaos.after_an_obstacle(path.unlink)
        return "links thrown in"
    return ""
