"""How long the first answer takes: `python -m benchmarks.start`.

Builds the wheel, installs it in a fresh environment that belongs to root, and runs each verb on
small files as another user with an empty home: its first run, its second, what they import, how
much memory they take. Processor seconds, since a busy machine has no others to compare. Beside them
stand `import sklearn.metrics` and scikit-learn's report on the same file. Ends in 1 where a bar is
missed.

`--wheel FILE` takes one that was built before, `--here` the installation that runs this.
"""

import argparse
import os
import pwd
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ROWS = 500
HEAVY = ("numba", "scipy.linalg", "scipy.stats", "sklearn", "pandas", "duckdb", "rich")
AGAIN = 1.2
"""A first run may take so many times as long as the second."""
PEER = """
import csv
from sklearn.metrics import classification_report
rows = list(csv.DictReader(open("a.csv")))
print(classification_report([one["y_true"] for one in rows], [one["y_pred"] for one in rows]))
"""


class Verb(NamedTuple):
    """A command, and the most processor seconds that its first run may take."""

    name: str
    words: list[str]
    bar: float | None = None
    compiles: bool = False
    """Whether its first run compiles kernels: then the bar is for the second."""


VERBS = (
    Verb("--help", ["--help"]),
    Verb("gate", ["gate", "a.csv", "--require", "error.high <= 0.5"], 1.0),
    Verb("assess", ["assess", "a.csv"], 1.2),
    Verb("compare", ["compare", "a.csv", "b.csv"], 1.2),
    Verb("report", ["assess", "a.csv", "--report", "report.html"], 1.8),
    Verb("combine", ["combine", "glass.csv", "--n-estimators", "10"], 10.0, True),
)


class Cost(NamedTuple):
    """What a process, with those that it started, has used."""

    seconds: float
    megabytes: float


class Place(NamedTuple):
    """An interpreter with heliast, and who uses it where."""

    python: str
    folder: Path
    user: str | None

    def run(self, words: list[str], home: Path) -> tuple[Cost, str]:
        """Run words after the interpreter; what they cost, and what they said on stderr."""
        around = {"HOME": str(home), "PATH": os.environ["PATH"], "HELIAST_THREADS": "2"}
        if self.user is None and "PYTHONPATH" in os.environ:
            around["PYTHONPATH"] = os.environ["PYTHONPATH"]
        errors = self.folder / "stderr.txt"
        with errors.open("w") as said:
            worker = subprocess.Popen(
                [self.python, *words], cwd=self.folder, env=around, user=self.user,
                stdout=subprocess.DEVNULL, stderr=said, umask=0o022,
            )  # fmt: skip
            _, status, used = os.wait4(worker.pid, 0)
        worker.returncode = os.waitstatus_to_exitcode(status)
        text = errors.read_text()
        if worker.returncode not in (0, 1, 3) or "Traceback" in text:
            sys.exit(f"{' '.join(words)}: ended in {worker.returncode}: {text[-2000:]}")
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), text

    @contextmanager
    def home(self) -> Iterator[Path]:
        """An empty home."""
        home = Path(tempfile.mkdtemp(dir=self.folder))
        home.chmod(0o755)
        if self.user is not None:
            shutil.chown(home, self.user)
        yield home
        shutil.rmtree(home)


def main() -> int:
    options = argparse.ArgumentParser("python -m benchmarks.start", description=__doc__)
    options.add_argument("--wheel", type=Path, help="a wheel that was built before")
    options.add_argument("--here", action="store_true", help="the installation that runs this")
    options.add_argument("--user", default="nobody", help="who runs the verbs, if we are root")
    options.add_argument("--python", default=sys.executable, help="one that the user may run")
    options.add_argument("--data", type=Path, default=os.environ.get("HELIAST_DATA"))
    said = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        place = (
            _here(folder) if said.here else _installed(folder, said.wheel, said.user, said.python)
        )
        files(place, said.data)
        missed = measured(place)
    print(*missed, sep="\n", end="\n" if missed else "")
    return bool(missed)


def _here(folder: Path) -> Place:
    (folder / "work").mkdir()
    return Place(sys.executable, folder / "work", None)


def _installed(folder: Path, wheel: Path | None, user: str, base: str) -> Place:
    """A fresh environment that belongs to us; the user, if we may choose, is another."""
    other = user if os.geteuid() == 0 else None
    base = _that_may_be_run(base, other)
    if wheel is None:
        words = [sys.executable, "tools/wheel.py", "--out", str(folder / "dist")]
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = folder.glob("dist/*.whl")
    subprocess.run([base, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = str(folder / "venv" / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    subprocess.run([*pip, str(wheel)], check=True)
    site = next(folder.glob("venv/lib/python*/site-packages"))
    sizes = {one.name: _size(one) for one in site.iterdir()}
    print(f"installed: {sum(sizes.values()) / 1e6:.0f} MB", end="; ")
    largest = sorted(sizes, key=lambda one: -sizes[one])[:8]
    print(", ".join(f"{one} {sizes[one] / 1e6:.0f}" for one in largest))
    work = folder / "work"
    work.mkdir()
    if other is not None:
        pwd.getpwnam(other)
        shutil.chown(work, other)
    return Place(python, work, other)


def _that_may_be_run(base: str, user: str | None) -> str:
    """The interpreter, or the system's of the same version where the user may not reach it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for one in (base, shutil.which(version, path="/usr/local/bin:/usr/bin")):
        try:
            if one and not subprocess.run([one, "-c", ""], user=user, cwd="/").returncode:
                return one
        except PermissionError:
            print(f"{user} may not run {one}")
    return sys.exit(f"no {version} that {user} may run: name one with --python, or --user root")


def _size(path: Path) -> int:
    every = path.rglob("*") if path.is_dir() else [path]
    return sum(one.stat().st_size for one in every if one.is_file())


def files(place: Place, data: Path | None) -> None:
    """Predictions of two models, and glass if it is there."""
    dice = random.Random(1)
    truth = [dice.random() < 0.5 for _ in range(ROWS)]
    for name in "ab":
        lines = ["row,y_true,y_pred,prob_0,prob_1"]
        for row, positive in enumerate(truth):
            p = min(0.99, max(0.01, dice.gauss(0.65 if positive else 0.35, 0.2)))
            lines.append(f"{row},{positive:d},{p > 0.5:d},{1 - p:.6f},{p:.6f}")
        (place.folder / f"{name}.csv").write_text("\n".join(lines))
    if data is not None and (Path(data) / "glass.csv").exists():
        shutil.copy(Path(data) / "glass.csv", place.folder)


def measured(place: Place) -> list[str]:
    """Print what the verbs take; the bars that they miss."""
    missed = []
    print(f"{'':<24}{'first':>8}{'second':>8}{'bar':>6}{'MB':>6}  imports")
    for verb in VERBS:
        if verb.name == "combine" and not (place.folder / "glass.csv").exists():
            print("combine: not measured, --data names no folder with glass.csv")
            continue
        with place.home() as home:
            words = ["-m", "heliast.cli", *verb.words]
            first, _ = place.run(words, home)
            second, _ = place.run(words, home)
            heavy = imported(place, verb, home)
        bar = "" if verb.bar is None else f"{verb.bar:.1f}"
        print(
            f"{verb.name:<24}{first.seconds:8.2f}{second.seconds:8.2f}{bar:>6}"
            f"{first.megabytes:6.0f}  {', '.join(heavy) or '-'}"
        )
        warm = second if verb.compiles else first
        if verb.bar is not None and warm.seconds > verb.bar:
            missed.append(f"{verb.name}: {warm.seconds:.2f} s, the bar is {verb.bar}")
        if first.seconds > AGAIN * second.seconds + 0.05 and not verb.compiles:
            missed.append(f"{verb.name}: its first run takes {first.seconds / second.seconds:.2f}x")
    for name, code in (("import sklearn.metrics",) * 2, ("classification_report", PEER)):
        with place.home() as home:
            first, second = (place.run(["-c", textwrap.dedent(code)], home)[0] for _ in "12")
        print(f"{name:<24}{first.seconds:8.2f}{second.seconds:8.2f}{'':6}{first.megabytes:6.0f}")
    return missed


def imported(place: Place, verb: Verb, home: Path) -> list[str]:
    """Which of the heavy packages the verb imports, each with the seconds that it takes itself."""
    code = f"import sys; sys.argv = ['heliast', *{verb.words!r}]; from heliast.cli import main"
    _, said = place.run(["-X", "importtime", "-c", f"{code}; main()"], home)
    spent: dict[str, float] = {}
    for line in said.splitlines():
        if line.startswith("import time:") and "|" in line and "self" not in line:
            own, _, name = line.removeprefix("import time:").split("|")
            found = [one for one in HEAVY if f"{name.strip()}.".startswith(f"{one}.")]
            for one in found:
                spent[one] = spent.get(one, 0.0) + int(own) / 1e6
    return [f"{name} {seconds:.2f}" for name, seconds in spent.items()]


if __name__ == "__main__":
    sys.exit(main())
