"""A command that is told to end does, at any moment: soon, with its code, without a word too many.

Every verb is stopped by SIGINT and SIGTERM at random moments of its life. It has to end within two
seconds with 130 or 143, to print no traceback, to leave no process, no temporary file and no half
of an output. Moments are counted from when the guard waits: before, Python itself is starting.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="asks Linux which processes are alive"
)

SOON = 4.0
"""Seconds. Two are promised; the machine may be busy with other tests."""
TREES = ("--model", "tree", "--model", "bayes")
VERBS = {
    "doctor": ("doctor",),
    "warm": ("warm", "--tables"),
    "demo": ("demo", "--report", "out.html"),
    "assess predictions": ("assess", "preds.csv", "--report", "out.html"),
    "assess data": ("assess", "data.csv", "--target", "kind", *TREES, "--plan", "3"),
    "compare": ("compare", "preds.csv", "--json"),
    "gate": ("gate", "preds.csv", "--require", "error.high <= 0.5", "--junit", "out.xml"),
    "slices": ("slices", "sliced.csv", "--columns", "region"),
    "draw": ("draw", "roc", "preds.csv", "-o", "out.svg"),
    "predict": (
        "predict", "model.skops", "data.csv", "--target", "kind", "-o", "out.csv",
        "--trust", "numpy.dtype",
    ),
    "export": ("export", "preds.csv", "--to", "md", "-o", "out.md"),
    "run": ("run", "data.csv", "--target", "kind", *TREES, "--plan", "5", "-o", "out.parquet"),
    "run with workers": (
        "run", "data.csv", "--target", "kind", "--model", "forest", "--plan", "10", "--jobs", "2",
        "--store", "new", "-o", "out.parquet",
    ),
    "run with a limit": (
        "run", "data.csv", "--target", "kind", "--model", "tree", "--plan", "5",
        "--fit-timeout", "60", "-o", "out.parquet",
    ),
    "fit": ("fit", "data.csv", "--target", "kind", *TREES, "--plan", "3", "-o", "out.skops"),
    "benchmark": ("benchmark", "sets", "--models", "tree,bayes", "--plan", "3", "-o", "out.csv"),
    "combine": (
        "combine", "data.csv", "--target", "kind", "--members", "3", "--plan", "3", "--jobs", "1",
        "-o", "out.parquet",
    ),
    "explain": ("explain", "data.csv", "--target", "kind", "--times", "10", "--report", "out.html"),
    "scan": ("assess", "preds.csv", "--scan", "--json"),
    "runs list": ("runs", "list", "store"),
    "runs show": ("runs", "show", "store", "-o", "out.parquet"),
    "runs resume": ("runs", "resume", "store", "--yes"),
    "runs clean": ("runs", "clean", "store", "--yes"),
    "reproduce": ("reproduce", "chapter-22.1", "--quick", "--page", "out.md"),
}  # fmt: skip
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with predictions, data, two sets of data and a store of an unfinished run."""
    from sklearn.datasets import load_iris

    from heliast.cli._bundled import path

    folder = tmp_path_factory.mktemp("ready")
    shutil.copy(path(), folder / "preds.csv")
    X, y = load_iris(return_X_y=True)
    rows = [[*map(str, x), "abc"[k]] for x, k in zip(X, y, strict=True)]
    text = "\n".join(",".join(row) for row in [["s", "t", "u", "v", "kind"], *rows]) + "\n"
    (folder / "sets").mkdir()
    for place in (folder / "data.csv", folder / "sets" / "one.csv", folder / "sets" / "two.csv"):
        place.write_text(text)
    sliced = [f"{i},{i % 2},{i % 3 // 2},{'nesw'[i % 4]}" for i in range(400)]
    (folder / "sliced.csv").write_text("\n".join(["row,truth,label,region", *sliced]) + "\n")
    words = ("fit", "data.csv", "--target", "kind", "--model", "bayes", "-o", "model.skops")
    subprocess.run(_command(words), cwd=folder, capture_output=True, check=True)
    words = (*VERBS["run"][:-2], "--store", "store", "-o", "whole.parquet")
    done = subprocess.run(_command(words), cwd=folder, capture_output=True, check=True, text=True)
    assert "whole.parquet" in done.stdout
    for cell in sorted(folder.glob("store/??/*.parquet"))[::2]:
        cell.unlink()
    return folder


def _command(words: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "heliast.cli", *words]


@dataclass(frozen=True)
class End:
    """How a command ended: exit code, seconds after the signal (None: before it), what it said."""

    code: int
    seconds: float | None
    said: str


class Commands:
    """Commands with a folder for temporary files of their own, and a mark by which to find them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.temporary = folder, folder / "tmp"
        self.temporary.mkdir()
        self.mark = f"HELIAST_TEST_MARK={os.urandom(8).hex()}"

    def stopped(
        self,
        command: list[str],
        number: signal.Signals,
        when: float | Callable[[], bool],
        group: bool = False,
    ) -> End:
        """Run a command and stop it after so many seconds, or when something is so."""
        name, _, value = self.mark.partition("=")
        with open(self.folder.parent / f"{self.folder.name}.err", "w+") as err:
            running = subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=err,
                env={**os.environ, "TMPDIR": str(self.temporary), name: value},
                start_new_session=True, preexec_fn=_hear,
            )  # fmt: skip
            _wait(lambda: running.poll() is not None or _waits(running.pid))
            if callable(when):
                _wait(lambda: running.poll() is not None or when())
            else:
                with suppress(subprocess.TimeoutExpired):
                    running.wait(when)
            seconds = None
            if running.poll() is None:
                start = time.monotonic()
                os.killpg(running.pid, number) if group else os.kill(running.pid, number)
                running.wait(60)
                seconds = time.monotonic() - start
            err.seek(0)
            return End(running.returncode, seconds, err.read())

    def left(self) -> list[str]:
        """Processes of these commands that are still there, and temporary files."""
        found = [str(path) for path in self.temporary.iterdir()]
        found += [str(path) for path in self.folder.rglob(".*.part")]
        for place in Path("/proc").iterdir():
            try:
                if (
                    place.name.isdecimal()
                    and self.mark.encode() in (place / "environ").read_bytes()
                ):
                    found.append((place / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
        return found


def _hear() -> None:
    """Whoever runs these tests in the background may have told them to ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _wait(so: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not so():
        assert time.monotonic() < end
        time.sleep(0.002)


def _waits(process: int) -> bool:
    """Whether the guard has started its worker: then it waits for signals."""
    try:
        return bool(Path(f"/proc/{process}/task/{process}/children").read_text())
    except OSError:
        return False


@pytest.fixture
def commands(ready: Path, tmp_path: Path) -> Commands:
    return Commands(shutil.copytree(ready, tmp_path / "work"))


def _whole(folder: Path) -> None:
    """Outputs are there in full or not at all, and so is the store."""
    import heliast as hl

    for path in folder.glob("out.*"):
        if path.suffix == ".parquet":
            assert len(hl.Predictions.read(path).truth)
        else:
            end = {".html": b"</html>", ".xml": b"</testsuite>"}.get(path.suffix, b"")
            assert path.read_bytes().rstrip().endswith(end)
            assert path.stat().st_size
    for path in folder.glob("*/??/*.parquet"):
        assert path.stem.endswith(sha256(path.read_bytes()).hexdigest()[:16])


def _stopped_at(commands: Commands, name: str, number: signal.Signals, when: float) -> End:
    """Stop a verb and check what has to hold; what it has written is removed."""
    end = commands.stopped(_command(VERBS[name]), number, when)
    where = f"{name}, {number.name} after {when:.3f} s: {end}"
    assert "Traceback" not in end.said, where
    if end.seconds is None:
        assert end.code in (0, 3), where  # 3: two data sets are too few for a test
        _wait(lambda: not commands.left())  # helpers of libraries end a little after it
    else:
        assert end.code in (CODES[number], 0), where  # 0: it had finished in the same moment
        assert end.seconds < SOON, where
    assert not commands.left(), where
    _whole(commands.folder)
    for path in commands.folder.glob("out*"):
        path.unlink()
    shutil.rmtree(commands.folder / "new", ignore_errors=True)
    return end


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_ends_when_told_to(commands: Commands, name: str) -> None:
    dice = random.Random(name)
    _stopped_at(commands, name, dice.choice([*CODES]), dice.uniform(0, 2))


@pytest.mark.long
@pytest.mark.parametrize("name", VERBS)
def test_a_verb_ends_when_told_to_at_any_of_50_moments(
    commands: Commands, ready: Path, name: str
) -> None:
    dice = random.Random(f"{name} 50")
    start = time.monotonic()
    _stopped_at(commands, name, signal.SIGINT, 600)
    lasts = min(time.monotonic() - start, 4.0)  # longer on a machine that is busy elsewhere
    ends = []
    for at in range(50):
        number = (signal.SIGINT, signal.SIGTERM)[at % 2]
        ends.append(_stopped_at(commands, name, number, dice.uniform(0, lasts)))
        if name.startswith("runs"):
            shutil.rmtree(commands.folder / "store")
            shutil.copytree(ready / "store", commands.folder / "store")
    slowest = max((end.seconds or 0 for end in ends), default=0)
    codes = {code: sum(end.code == code for end in ends) for code in (0, 130, 143)}
    print(f"\n{name}: lasts {lasts:.1f} s, slowest stop {slowest:.2f} s, exits {codes}")
    assert codes[130]
    assert codes[143]
    assert slowest <= 2, name  # the promise


def test_every_verb_is_stopped() -> None:
    from typer.main import get_command

    from heliast.cli import app

    names = get_command(app).commands  # type: ignore[attr-defined]
    assert {words[0] for words in VERBS.values()} == set(names)


# --- what Python alone would not hear ------------------------------------------------------------

DEAF = """
import os, sys, tempfile, time
from pathlib import Path
from heliast.cli._guard import guarded
guarded()
import subprocess
from heliast._core.files import write_whole

def fill(file):
    file.write(b"half")
    file.flush()
    tempfile.mkdtemp()
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
    Path("begun").touch()
    {deaf}

write_whole("out.txt", fill)
"""
HOLDS = "sum(range(1 << 60))  # compiled, and nobody else may run meanwhile"
SWALLOWS = """
    while True:
        try:
            time.sleep(1000)
        except BaseException: pass
"""


@pytest.mark.parametrize("number", CODES)
@pytest.mark.parametrize("deaf", [HOLDS, SWALLOWS], ids=["compiled", "swallowed"])
def test_who_does_not_hear_is_ended_and_cleaned_up_after(
    commands: Commands, deaf: str, number: signal.Signals
) -> None:
    begun = (commands.folder / "begun").exists
    command = [sys.executable, "-c", DEAF.format(deaf=deaf)]
    end = commands.stopped(command, number, begun)
    assert end.code == CODES[number]
    assert end.seconds is not None
    assert end.seconds < SOON
    assert "Traceback" not in end.said
    assert not commands.left()
    assert not (commands.folder / "out.txt").exists()


ORPHAN = """
import os, signal, subprocess, sys
from heliast.cli._guard import guarded
guarded()
subprocess.Popen(["sh", "-c", "sleep 1000 & echo $!"], start_new_session=True).wait()
open("begun", "w").close()
signal.pause()
"""


def test_an_orphan_of_the_worker_is_found(commands: Commands) -> None:
    command = [sys.executable, "-c", ORPHAN]
    end = commands.stopped(command, signal.SIGTERM, (commands.folder / "begun").exists)
    assert end.code == 143
    assert not commands.left()


def test_a_terminal_that_sends_it_to_all_of_them(commands: Commands) -> None:
    words = (*VERBS["run with workers"], "--plan", "kfold(10, repeats=50)")

    def cells() -> bool:
        return bool([*commands.folder.glob("new/??/*.parquet")])

    end = commands.stopped(_command(words), signal.SIGINT, cells, group=True)
    assert end.code == 130
    assert end.said == "heliast: interrupted; finished work is in new: heliast runs resume new\n"
    assert end.seconds is not None
    assert end.seconds < SOON
    assert not commands.left()


def test_a_worker_that_crashes_is_a_fault_and_no_no(commands: Commands) -> None:
    crash = "from heliast.cli._guard import guarded; guarded(); import ctypes; ctypes.string_at(0)"
    end = commands.stopped([sys.executable, "-c", crash], signal.SIGINT, 60)
    assert end.code == 2
    assert "ended by SIGSEGV" in end.said


def test_nothing_goes_on_when_the_guard_is_killed(commands: Commands) -> None:
    words = (*VERBS["run with workers"], "--plan", "kfold(10, repeats=50)")

    def cells() -> bool:
        return bool([*commands.folder.glob("new/??/*.parquet")])

    commands.stopped(_command(words), signal.SIGKILL, cells)
    _wait(
        lambda: not [one for one in commands.left() if "popen_loky" in one or "-m heliast" in one]
    )


def test_ignored_signals_stay_ignored(commands: Commands) -> None:
    """As `nohup` asks for; a command in the background of a script ignores SIGINT."""
    code = "import os, sys, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    code += "os.execv(sys.executable, sys.argv[1:])"
    command = [sys.executable, "-c", code, *_command(VERBS["compare"])]
    end = commands.stopped(command, signal.SIGINT, 0.1)
    assert end.code == 0
