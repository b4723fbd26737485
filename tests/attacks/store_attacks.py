"""Stores that are laid as traps: what lies under their names is no plain file of the store.

Usage: python store_attacks.py FOLDER few|all

Makes a store, then for each attack a copy of it with the trap inside, and gives each verb to
another fork of this warm process, which may use little time and memory. Prints as JSON what came
of it, and whether the files outside, which nobody may touch, are as they were.
"""

import json
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from heliast.cli import main
from heliast.fitting.store._files import checksum, largest

DATA = "u,class\n" + "".join(f"{at * 37 % 11}.5,{'ab'[at * 5 % 7 % 2]}\n" for at in range(24))
RUN = ["d.csv", "--target", "class", "--model", "bayes", "--plan", "3", "--store", "kept"]
VERBS = {
    "list": ["runs", "list", "kept"],
    "show": ["runs", "show", "kept"],
    "show -o": ["runs", "show", "kept", "-o", "out.csv"],
    "clean": ["runs", "clean", "kept", "--yes"],
    "resume": ["runs", "resume", "kept"],
    "run": ["run", *RUN, "-o", "out.csv"],
    "assess": ["assess", *RUN],
}
SECONDS = 60.0
ROOM = 3 << 29
"""What a fork may add to the memory it starts with."""
NOBODY = 65534
HUGE = 10 << 30


class Place:
    """A store, and a folder outside of it with files that are nobody's business."""

    def __init__(self, folder: Path) -> None:
        self.here, self.outside = folder / "here", folder / "outside"
        self.store = self.here / "kept"
        self.outside.mkdir()
        self.victim = self.outside / "victim"
        self.victim.write_text("mine")
        self.children: list[subprocess.Popen[bytes]] = []

    @property
    def cell(self) -> Path:
        return sorted(self.store.glob("??/*.parquet"))[0]

    @property
    def record(self) -> Path:
        return next(self.store.glob("runs/*.json"))

    @property
    def subject(self) -> Path:
        return next(self.store.glob("runs/*.parquet"))

    def claim(self) -> Path:
        """The name of the claim to a cell that is not there."""
        cell = self.cell
        cell.unlink()
        return cell.with_name(f"{cell.name[:32]}.claim")


Trap = Callable[[Path, Place], None]


# --- what may lie under a name -------------------------------------------------------------------


def fifo(path: Path, place: Place) -> None:
    os.mkfifo(path)


def endless(path: Path, place: Place) -> None:
    path.symlink_to("/dev/zero")


def link_out(path: Path, place: Place) -> None:
    path.symlink_to(place.victim)


def link_to_fifo(path: Path, place: Place) -> None:
    os.mkfifo(place.outside / "pipe")
    path.symlink_to(place.outside / "pipe")


def link_to_itself(path: Path, place: Place) -> None:
    path.symlink_to(path.name)


def link_to_nothing(path: Path, place: Place) -> None:
    path.symlink_to(place.outside / "nothing")


def hard_link(path: Path, place: Place) -> None:
    path.hardlink_to(place.victim)


def listening(path: Path, place: Place) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        before = Path.cwd()
        os.chdir(path.parent)  # the names of sockets are short
        one.bind(path.name)
        os.chdir(before)


def device(path: Path, place: Place) -> None:
    if os.getuid():  # only the superuser makes devices
        path.symlink_to("/dev/zero")
    else:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))


def folder(path: Path, place: Place) -> None:
    path.mkdir()
    (path / "mine").write_text("mine")


def sparse(path: Path, place: Place) -> None:
    path.touch()
    os.truncate(path, HUGE)


def growing(path: Path, place: Place) -> None:
    path.write_bytes(b"PAR1")
    words = "import sys\nfor _ in range(100_000): open(sys.argv[1], 'ab').write(b' ' * 4096)"
    place.children.append(subprocess.Popen([sys.executable, "-c", words, str(path)]))


UNDER_A_NAME: dict[str, Trap] = {
    "a pipe": fifo,
    "an endless link": endless,
    "a link out": link_out,
    "a link to a pipe": link_to_fifo,
    "a link to itself": link_to_itself,
    "a link to nothing": link_to_nothing,
    "a hard link": hard_link,
    "a socket": listening,
    "a device": device,
    "a folder": folder,
    "10 GB of nothing": sparse,
    "a file that grows": growing,
}


# --- the attacks ---------------------------------------------------------------------------------

Attack = Callable[[Place], None]
RECOVERS: dict[str, Attack] = {}
"""A run does the work again, and gives what it gave before."""
REFUSED: dict[str, Attack] = {}
"""A run says what is wrong with the store, and ends in 2."""


def _under(name: Callable[[Place], Path], trap: Trap) -> Attack:
    def attack(place: Place) -> None:
        path = name(place)
        path.unlink(missing_ok=True)
        trap(path, place)

    return attack


NAMES: dict[str, Callable[[Place], Path]] = {
    "cell": lambda place: place.cell,
    "record": lambda place: place.record,
    "subject": lambda place: place.subject,
    "claim": lambda place: place.claim(),
}
for _name, _path in NAMES.items():
    for _what, _trap in UNDER_A_NAME.items():
        if (_name, _what) != ("claim", "a hard link"):  # a claim of nobody known: waited for
            RECOVERS[f"{_name}: {_what}"] = _under(_path, _trap)


def recovers(attack: Attack) -> Attack:
    RECOVERS[attack.__name__.replace("_", " ")] = attack
    return attack


def refused(attack: Attack) -> Attack:
    REFUSED[attack.__name__.replace("_", " ")] = attack
    return attack


@recovers
def a_link_to_a_true_copy(place: Place) -> None:
    copy = place.outside / place.cell.name
    shutil.copy(place.cell, copy)
    cell = place.cell
    cell.unlink()
    cell.symlink_to(copy)


@recovers
def more_rows_than_memory(place: Place) -> None:
    """A small Parquet file with a true checksum, and the rows of a very large one."""
    cell, content = place.cell, many_rows()
    cell.with_name(f"{cell.name[:32]}-{checksum(content)}.parquet").write_bytes(content)
    cell.unlink()


@cache
def many_rows() -> bytes:
    rows, sink = 10_000_000, pa.BufferOutputStream()
    table = pa.table({"cell": pa.nulls(rows, pa.int64())})
    with pq.ParquetWriter(sink, table.schema, compression="zstd") as writer:
        for _ in range(largest() // (8 * rows) + 1):
            writer.write_table(table, row_group_size=rows)
    return bytes(sink.getvalue())


@recovers
def a_quarantine_that_leads_out(place: Place) -> None:
    place.cell.write_bytes(b"damaged")
    (place.store / "quarantine").symlink_to(place.outside)


@recovers
def odd_things_in_the_quarantine(place: Place) -> None:
    aside = place.store / "quarantine"
    aside.mkdir()
    for at, trap in enumerate(one for one in UNDER_A_NAME.values() if one is not growing):
        trap(aside / f"{at:032x}-{at:016x}.parquet", place)


@recovers
def odd_leftovers(place: Place) -> None:
    for at, trap in enumerate(one for one in UNDER_A_NAME.values() if one is not growing):
        trap(place.cell.with_name(f".{at:032x}.elsewhere.7.{at:08x}.part"), place)


@recovers
def odd_cells_of_no_run(place: Place) -> None:
    shelf = place.store / "00"
    shelf.mkdir(exist_ok=True)
    for at, trap in enumerate(one for one in UNDER_A_NAME.values() if one is not growing):
        trap(shelf / f"{at:032x}-{at:016x}.parquet", place)


@recovers
def names_that_are_no_text(place: Place) -> None:
    for shelf in (place.store, place.cell.parent, place.store / "runs"):
        with open(os.fsencode(shelf) + b"/\xff\xfe.json", "wb"):
            pass
    for path in (place.cell, place.record):
        path.with_name(path.name.upper()).write_text("another case")
    (place.store / place.cell.parent.name.upper()).mkdir(exist_ok=True)


@recovers
def thousands_of_files(place: Place) -> None:
    cell = place.cell
    for at in range(1000):
        cell.with_name(f"{cell.name[:32]}-{at:016x}.parquet").write_text("")
        (place.store / f"{at:08}").touch()


@refused
def a_shelf_that_leads_out(place: Place) -> None:
    shelf = place.cell.parent
    for path in shelf.iterdir():
        path.write_bytes(b"damaged")
    shutil.move(shelf, place.outside / "shelf")
    shelf.symlink_to(place.outside / "shelf")


@refused
def records_that_lead_out(place: Place) -> None:
    records = place.store / "runs"
    shutil.move(records, place.outside / "runs")
    records.symlink_to(place.outside / "runs")


@refused
def a_shelf_that_is_a_file(place: Place) -> None:
    shelf = place.cell.parent
    shutil.rmtree(shelf)
    shelf.write_text("mine")


@refused
def a_shelf_that_is_a_pipe(place: Place) -> None:
    shelf = place.cell.parent
    shutil.rmtree(shelf)
    os.mkfifo(shelf)


@refused
def a_cell_that_may_not_be_read(place: Place) -> None:
    place.cell.chmod(0)
    if not os.getuid():  # nothing is kept from the superuser
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@recovers
def a_store_behind_a_link(place: Place) -> None:
    """No attack: whoever names the store may name a link."""
    place.store.rename(place.here / "real")
    place.store.symlink_to("real")


# --- what comes of them --------------------------------------------------------------------------


def seen(folder: Path) -> dict[str, object]:
    """Everything in a folder: kind, content, time of change."""
    found = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        content = path.read_bytes().hex() if stat.S_ISREG(about.st_mode) else ""
        found[str(path.relative_to(folder))] = [about.st_mode, about.st_mtime_ns, content]
    return found


def command(words: list[str]) -> int:
    sys.argv = ["heliast", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    return 0


def _limited() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(int(SECONDS))


@contextmanager
def _said_into(folder: Path) -> Iterator[None]:
    for stream, name in ((1, "out"), (2, "err")):
        handle = os.open(folder / name, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.dup2(handle, stream)
    yield
    sys.stdout.flush()
    sys.stderr.flush()


def _lived(attack: Attack, place: Place, folder: Path, words: list[str], ready: int) -> int:
    """The life of a fork: it lays the trap, then gives the command."""
    with _said_into(folder):
        attack(place)
        os.write(ready, json.dumps(seen(place.outside)).encode() + b"\n")
        os.close(ready)
        _limited()
        os.chdir(place.here)
        try:
            return command(words)
        finally:
            for child in place.children:
                child.kill()


def outcome(attack: Attack, whole: Path, folder: Path, words: list[str]) -> dict[str, object]:
    folder.mkdir()
    shutil.copytree(whole, folder / "here")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY) if not os.getuid() else None
    place = Place(folder)
    reading, writing = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.close(reading)
            code = _lived(attack, place, folder, words, writing)
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as file:
        before = json.loads(file.read() or "null")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    out = place.here / "out.csv"
    return {
        "code": code,
        "seconds": time.monotonic() - began,
        "out": (folder / "out").read_text(errors="replace"),
        "err": (folder / "err").read_text(errors="replace"),
        "table": out.read_text() if out.exists() else None,
        "untouched": before is not None and before == seen(place.outside),
    }


FEW = {
    *(f"{name}: {what}" for name in NAMES for what in ("a pipe", "an endless link", "a folder")),
    *(f"cell: {what}" for what in UNDER_A_NAME),
    *(name for name in RECOVERS | REFUSED if ":" not in name),
}


def go(folder: Path, few: bool) -> dict[str, object]:
    folder.chmod(0o755)
    whole = folder / "whole"
    whole.mkdir()
    (whole / "d.csv").write_text(DATA)
    os.chdir(whole)
    with open(os.devnull, "w") as sys.stdout:
        if command(VERBS["run"]) or command(VERBS["assess"]) or command(VERBS["show"]):
            raise AssertionError("the store was not made")
    sys.stdout = sys.__stdout__
    table = (whole / "out.csv").read_text()
    (whole / "out.csv").unlink()
    found: dict[str, object] = {"table": table}
    many_rows()
    for name, attack in (RECOVERS | REFUSED).items():
        if few and name not in FEW:
            continue
        for verb in ["show -o", "run"] if few else VERBS:
            place = folder / "attacked"
            found[f"{name} / {verb}"] = outcome(attack, whole, place, VERBS[verb])
            shutil.rmtree(place)
    return found


if __name__ == "__main__":
    said = go(Path(sys.argv[1]).resolve(), sys.argv[2] == "few")
    print(json.dumps(said))
