"""Runs cases through the command line, each in a child of a warm process, and judges them."""

import functools
import gc
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer.main

from tests.fuzz._case import Case

SECONDS = 10.0
ROOM = 3 << 30
"""What a child may add to the memory it starts with."""
LONGEST = 4000
"""Characters on stderr, at most."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
"""What the log of a build obeys."""
_FAULT = "a bug in heliast"
BEGINS = {".pdf": b"%PDF-", ".png": b"\x89PNG\r\n"}
"""How a picture that is no text begins."""


@dataclass
class Outcome:
    """What came of one case."""

    code: int | None
    seconds: float
    out: str = ""
    err: str = ""
    reader: str = ""
    problems: list[str] = field(default_factory=list)


class Runner:
    """A warm process: every module imported, every kernel compiled, then forked into workers."""

    def __init__(self) -> None:
        shelf = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=shelf if shelf.is_dir() else None))
        # The words and options of every verb are built once, not for each case.
        typer.main.get_command = functools.cache(typer.main.get_command)
        _warm(self.folder)
        gc.collect()
        gc.freeze()  # or every worker would copy all that the collector looks at
        self._worker: Worker | None = None

    def close(self) -> None:
        self._retire()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, case: Case) -> Outcome:
        """Run a case; what looks wrong must look wrong in a fresh worker as well.

        Else the machine was only busy, or an earlier case had left something in the worker.
        """
        outcome = self._once(case)
        if not outcome.problems:
            return outcome
        self._retire()
        return self._once(case)

    def _once(self, case: Case) -> Outcome:
        place = self.folder / "case"
        here, temporary = place / "here", place / "tmp"
        here.mkdir(parents=True)
        temporary.mkdir()
        case.lay_out(here)
        before = set(here.rglob("*"))
        try:
            outcome = self._asked(case, place)
            made = [one for one in here.rglob("*") if one not in before]
            left = list(temporary.rglob("*"))
            outcome.problems += judged(case, outcome, here, made, left)
            return outcome
        finally:
            shutil.rmtree(place)

    def _asked(self, case: Case, place: Path) -> Outcome:
        if self._worker is None:
            self._worker = Worker()
        code, seconds, ended = self._worker.ask(case, place)
        if ended:
            self._retire()
        reader = place / "reader"
        return Outcome(
            code,
            seconds,
            (place / "out").read_text("utf-8", errors="backslashreplace"),
            (place / "err").read_text("utf-8", errors="backslashreplace"),
            reader.read_text() if reader.exists() else "",
        )

    def _retire(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None


# --- the worker ----------------------------------------------------------------------------------


class Worker:
    """A fork that runs some cases; a crash or a hang costs no more than the fork."""

    MOST = 40

    def __init__(self) -> None:
        self._ours, theirs = multiprocessing.Pipe()
        self._done = 0
        self.process = os.fork()
        if self.process == 0:
            self._ours.close()
            _work(theirs)
        theirs.close()

    def ask(self, case: Case, place: Path) -> tuple[int | None, float, bool]:
        """The exit code (None: hung), the seconds, and whether the worker has come to its end.

        The seconds are those of the processor: on a busy machine the clock says little. Whoever
        has used as many as are allowed hangs, and so does who sleeps and uses none while the clock
        runs; who is ready to run but gets no processor only waits. Processes that it has started
        count with it, and may use as much again for their own beginning.
        """
        self._done += 1
        start = last = _used(self.process)
        self._ours.send((case, place))
        while not self._ours.poll(SECONDS):
            family = _family(self.process)
            own, used = _used(self.process), sum(map(_used, family))
            asleep = used - last < 0.05 and all(map(_sleeps, family))
            if own - start >= SECONDS or used - start >= 2 * SECONDS or asleep:
                return None, used - start, True
            last = used
        spent = _used(self.process) - start
        try:
            return int(self._ours.recv()), spent, self._done >= self.MOST
        except (EOFError, ConnectionError):
            status = os.waitpid(self.process, 0)[1]
            self.process = 0
            return os.waitstatus_to_exitcode(status), spent, True

    def end(self) -> None:
        self._ours.close()
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
            self.process = 0


def _family(process: int) -> list[int]:
    """A process and all that it has started."""
    parents = {
        int(one.parent.name): int(_stat(one)[1]) for one in Path("/proc").glob("[0-9]*/stat")
    }
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def _stat(path: Path) -> list[str]:
    """What the system says of a process or thread after its name; of one that has ended, zeros."""
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:
        return ["Z", *["0"] * 20]


def _sleeps(process: int) -> bool:
    """Whether no thread of a process is ready to run."""
    return not any(_stat(one)[0] in "RD" for one in Path(f"/proc/{process}/task").glob("*/stat"))


def _used(process: int) -> float:
    """Seconds of the processor that a process has used, all threads together."""
    fields = _stat(Path(f"/proc/{process}/stat"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _work(orders: Any) -> None:
    """The whole life of a worker; never returns."""
    try:
        _limit()
        surroundings = dict(os.environ)
        while True:
            case, place = orders.recv()
            os.environ.clear()
            os.environ.update(surroundings)
            orders.send(_lived(case, place))
    except EOFError:
        pass
    finally:
        os._exit(99)


def _lived(case: Case, place: Path) -> int:
    for stream, name in ((1, "out"), (2, "err")):
        opened = os.open(place / name, os.O_CREAT | os.O_WRONLY)
        os.dup2(opened, stream)
        os.close(opened)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    os.environ["TMPDIR"] = str(place / "tmp")
    tempfile.tempdir = None
    os.chdir(place / "here")
    code = command(case.argv)
    gc.collect()  # what the end of a process would close
    sys.stdout.flush()
    sys.stderr.flush()
    if case.reader:
        (place / "reader").write_text(_read(case))
    os.chdir("/")
    return code


def command(argv: list[str]) -> int:
    """The command line as the shell would call it: its exit code."""
    from heliast.cli import main

    sys.argv = ["heliast", *argv]
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _limit() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(case: Case) -> str:
    """What the reader says of the same file: `refused`, `too few`, `no predictions` or `read`."""
    import heliast as hl
    from heliast._core.errors import InputError, NotEnoughData, NotPredictions

    try:
        if case.reader == "data":
            hl.read(case.main)
        else:
            hl.Predictions.read(case.main)
    except NotPredictions:
        return "no predictions"
    except InputError:
        return "refused"
    except NotEnoughData:
        return "too few"
    return "read"


def _warm(folder: Path) -> None:
    """Run what is common once, so that no child has to import or compile it."""
    from tests.fuzz._warm import commands

    place = folder / "warm"
    place.mkdir()
    before = Path.cwd()
    kept = os.dup(1), os.dup(2)
    nowhere = os.open(place / "said", os.O_CREAT | os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.chdir(place)
    try:
        codes = [(command(words), words) for words in commands(place)]
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os.chdir(before)
        for stream, old in zip((1, 2), kept, strict=True):
            os.dup2(old, stream)
            os.close(old)
    wrong = [
        words
        for code, words in codes
        if code not in ((0, 1, 3) if words[0] in ("gate", "benchmark") else (0,))
    ]
    if wrong:
        said = (place / "said").read_text()
        raise RuntimeError(f"valid inputs are not taken: {wrong}\n{said[-2000:]}")


# --- the judge -----------------------------------------------------------------------------------


def judged(
    case: Case, outcome: Outcome, here: Path, made: list[Path], left: list[Path]
) -> list[str]:
    """All that is wrong with an outcome."""
    if outcome.code is None:
        return [f"still running after {SECONDS:g} s"]
    wrong = []
    if outcome.code not in (0, 1, 2, 3):
        wrong.append(f"exit code {outcome.code}")
    wrong += _said(case, outcome)
    wrong += _agrees(case, outcome)
    allowed = {here / name for name in case.outputs}
    stray = [one for one in made if one not in allowed and not _kept(one, case, here)]
    if case.anywhere:
        stray = [one for one in stray if outcome.code == 2 and ".part" in one.name]
    if stray or left:
        wrong.append(f"left behind: {', '.join(one.name for one in [*stray, *left][:4])}")
    for name, content in case.files.items():
        if (
            not (case.keeps and name.startswith(case.keeps))
            and (here / name).read_bytes() != content
        ):
            wrong.append(f"{name} was changed")
    there = [one for one in made if one in allowed]
    if outcome.code == 0 and len(there) < len(case.outputs):
        wrong.append("an output is missing")
    if outcome.code == 2 and outcome.reader == "refused" and there:
        wrong.append(f"refused, yet {there[0].name} was written")
    return wrong + [f"{one.name} cannot be read: {why}" for one in there if (why := _broken(one))]


def _kept(one: Path, case: Case, here: Path) -> bool:
    return bool(case.keeps) and one.is_relative_to(here / case.keeps)


def _said(case: Case, outcome: Outcome) -> list[str]:
    wrong = []
    if "Traceback" in outcome.err + outcome.out or _FAULT in outcome.err:
        wrong.append("traceback")
    if len(outcome.err) > LONGEST + sum(map(len, case.argv)):  # a usage error repeats the words
        wrong.append(f"{len(outcome.err):,} characters on stderr")
    if outcome.err.count("\n") > 25:
        wrong.append(f"{outcome.err.count(chr(10))} lines on stderr")
    for name, text in (("stderr", outcome.err), ("stdout", outcome.out)):
        found = _CONTROL.search(text)
        if found and case.argv[0] != "export":
            wrong.append(f"control character {found[0]!r} on {name}")
        if _COMMAND.search(text) and "--github" not in case.argv:
            wrong.append(f"a command to the log of a build on {name}")
    if outcome.code == 2 and not outcome.err.strip():
        wrong.append("refused without a word")
    if outcome.code == 0 and "--json" in case.argv and (why := _no_json(outcome.out)):
        wrong.append(f"stdout is no JSON: {why}")
    return wrong


def _agrees(case: Case, outcome: Outcome) -> list[str]:
    """The exit code beside what the reader says of the same file."""
    fits = case.argv[0] == "assess"  # which takes a file of data as well
    if outcome.reader == "refused" or (outcome.reader == "no predictions" and not fits):
        if outcome.code != 2:
            return [f"the reader refuses the file, yet exit code {outcome.code}"]
        if case.main not in outcome.err and "other.csv" not in outcome.err:
            return [f"the refusal does not name {case.main}"]
    if outcome.reader == "too few" and outcome.code != 3:
        return [f"the reader finds too few data, yet exit code {outcome.code}"]
    return []


def _no_json(text: str) -> str:
    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError as error:
        return str(error)
    return ""


def _broken(path: Path) -> str:
    """Why a written file does not read again."""
    import heliast as hl

    try:
        if path.name.startswith("o") and ".txt" not in path.name:
            hl.Predictions.read(path)
        elif (begin := BEGINS.get(path.suffix)) is not None:
            if not path.read_bytes().startswith(begin):
                return f"no {path.suffix}"
        else:
            content = path.read_text(encoding="utf-8")
            if path.suffix == ".html" and not content.rstrip().endswith("</html>"):
                return "no end"
            if path.suffix in (".xml", ".svg"):
                import xml.dom.minidom

                xml.dom.minidom.parseString(content)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return ""
