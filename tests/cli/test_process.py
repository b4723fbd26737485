"""The command as a process: signals, closed pipes, the search for modules, bugs and versions."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import heliast as hl

HELIAST = [sys.executable, "-m", "heliast"]
FAILING = ("gate", "p.csv", "--require", "error.high <= 0.01")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`p.csv`, predictions of one model; `d.csv`, data."""
    monkeypatch.chdir(tmp_path)
    truth = ["a", "b"] * 60
    hl.Predictions.of(truth, ["a"] * 60 + truth[60:], positive="b").write("p.csv")
    x = np.random.default_rng(1).normal(size=(150, 2))
    rows = [f"{u:.4f},{v:.4f},{'yes' if u + v > 0 else 'no'}" for u, v in x]
    Path("d.csv").write_text("\n".join(["u,v,class", *rows]))
    return tmp_path


def run(*words: object, **options: object) -> "subprocess.CompletedProcess[str]":
    given = {"capture_output": True, "text": True, **options}
    return subprocess.run([*HELIAST, *map(str, words)], **given)  # type: ignore[call-overload,no-any-return]


# --- signals -------------------------------------------------------------------------------------

SLOW = ("run", "d.csv", "--target", "class", "--model", "forest(n_estimators=300)", "--plan",
        "kfold(10, repeats=20)", "-o", "out.csv")  # fmt: skip
ENDS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "ended by SIGTERM")}


def listen() -> None:
    """Whoever runs these tests in the background may have told them to ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stopped(
    words: tuple[str, ...], number: signal.Signals, ready: object = 0.0
) -> "subprocess.CompletedProcess[str]":
    """A command that got a signal after some seconds, or when something is so, and has ended."""
    running = subprocess.Popen(
        [*HELIAST, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=listen,
    )  # fmt: skip
    if isinstance(ready, float):
        time.sleep(ready)
    else:
        while running.poll() is None and not ready():  # type: ignore[operator]
            time.sleep(0.01)
    os.killpg(running.pid, number)
    out, err = running.communicate(timeout=60)
    return subprocess.CompletedProcess(words, running.returncode, out, err)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_signal_ends_a_run_with_one_line_and_its_code(
    number: signal.Signals, jobs: str, folder: Path
) -> None:
    words = (*SLOW, "--jobs", jobs, "--store", "kept")
    done = stopped(words, number, lambda: [*folder.glob("kept/**/*.parquet")])
    code, line = ENDS[number]
    assert done.returncode == code
    message = f"heliast: {line}; the same command goes on from the finished work\n"
    # Last: a worker that was only starting may have said something of its own before.
    assert done.stderr.endswith(message)
    assert done.stderr == message or jobs == "2"
    assert not Path("out.csv").exists()
    assert not [*folder.rglob("*.part")]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("seconds", [0.3, 0.8, 1.5])
def test_a_signal_at_any_moment_leaves_no_traceback(number: signal.Signals, seconds: float) -> None:
    done = stopped(("assess", "p.csv", "--report", "out.html"), number, seconds)
    assert done.returncode in (0, ENDS[number][0], -number)  # it may not have begun, or be done
    assert "Traceback" not in done.stderr
    page = Path("out.html")
    assert not page.exists() or page.read_text().rstrip().endswith("</html>")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ignored_signals_stay_ignored() -> None:
    """As `nohup` asks for; a command in the background of a script ignores SIGINT."""
    code = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        "os.execv(sys.executable, sys.argv[1:])"
    )
    words = [sys.executable, "-c", code, *HELIAST, "assess", "p.csv"]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    assert running.returncode == 0


# --- pipes ---------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a shell")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (FAILING, 1),
        ((*FAILING, "--json"), 1),
        ((*FAILING, "--github"), 1),
        ((*FAILING, "--report", "r.html", "--junit", "j.xml"), 1),
        (("gate", "p.csv", "--require", "error.high <= 0.9"), 0),
        (("assess", "p.csv"), 0),
        (("--help",), 0),
        (("assess", "gone.csv"), 2),
        (("assess", "--nope"), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.parametrize("how", ["gone", "gone for both", "closed"])
def test_a_closed_pipe_does_not_change_the_exit_code(
    words: tuple[str, ...], code: int, how: str
) -> None:
    ends = {"gone": "| true", "gone for both": "2>&1 | true", "closed": ">&-"}
    line = f'"$@" {ends[how]}; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", line, "bash", *HELIAST, *words], capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    if "--junit" in words:
        assert Path("r.html").stat().st_size > 10_000
        assert Path("j.xml").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_an_error() -> None:
    with open("/dev/full", "w") as full:
        done = run("assess", "p.csv", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert "No space left" in done.stderr


# --- what is imported ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["heliast", "heliast.cli"])
def test_nothing_is_imported_from_the_current_folder(name: str, folder: Path) -> None:
    mark = folder / "imported"
    modules = "typer numpy joblib sklearn duckdb signal json shlex glob tomllib sitecustomize"
    for module in modules.split():
        (folder / f"{module}.py").write_text(f"open({str(mark)!r}, 'a').write({module!r})")
    (folder / "pyproject.toml").write_text("[tool.heliast]\npositive = 'b'\n")
    for words in (
        ("assess", "p.csv", "--report", "r.html"),
        ("run", "d.csv", "--model", "tree", "--plan", "4", "--jobs", "2", "-o", "o.csv"),
    ):
        if words[0] == "run":
            (folder / "pyproject.toml").unlink()
        done = subprocess.run([sys.executable, "-m", name, *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert not mark.exists(), mark.read_text()


def test_a_package_that_is_missing_or_broken_is_named(folder: Path) -> None:
    broken = folder / "broken"
    broken.mkdir()
    (broken / "typer.py").write_text("raise ImportError('half installed')")
    env = {**os.environ, "PYTHONPATH": str(broken)}
    done = run("assess", "p.csv", env=env)
    assert done.returncode == 2
    assert done.stderr.startswith("heliast: cannot start: half installed; see")
    (broken / "typer.py").unlink()
    (broken / "skops.py").write_text("raise ModuleNotFoundError('no lib', name='lib.sub')")
    (broken / "tomllib.py").write_text("raise ModuleNotFoundError('no lib', name='lib.sub')")
    (folder / "heliast.toml").write_text("level = 0.9")
    done = run("assess", "p.csv", env=env)
    assert (done.returncode, "this needs the package lib: `" in done.stderr) == (2, True)


def test_it_runs_optimised() -> None:
    words = ("assess", "p.csv", "--json")
    done = subprocess.run(
        [sys.executable, "-OO", "-m", "heliast", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == run(*words).stdout


# --- bugs and versions ---------------------------------------------------------------------------

BUG = """
import sys
from heliast.cli import _judge, main
def broken(*args, **kwargs):
    raise {error}
_judge.read_all = broken
sys.argv = ["heliast", "gate", "p.csv", "--require", "error.high <= 1"]
main()
"""


@pytest.mark.parametrize("error", ["EOFError('x')", "KeyError('lost')", "RuntimeError('y')"])
def test_a_bug_is_one_line_and_never_code_1(error: str) -> None:
    """Exit code 1 says that the answer is no."""
    code = [sys.executable, "-c", BUG.format(error=error)]
    done = subprocess.run(code, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert "in broken, <string> line 5): a bug in heliast, please report it" in done.stderr
    env = {**os.environ, "HELIAST_TRACEBACK": "1"}
    done = subprocess.run(code, capture_output=True, text=True, env=env)
    assert done.returncode == 2
    assert "Traceback (most recent call last)" in done.stderr


def test_versions() -> None:
    lines = run("--version").stdout.splitlines()
    assert lines[:2] == [f"heliast {hl.__version__}", f"python {sys.version.split()[0]}"]
    named = {line.split()[0] for line in lines}
    assert {"numpy", "scipy", "scikit-learn", "numba", "duckdb", "narwhals", "joblib"} <= named
