"""`heliast runs`: list, show, resume, clean."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import heliast as hl
from heliast.cli import main
from heliast.cli._runs import foreign_code
from heliast.fitting.store import Store


class Done(NamedTuple):
    code: int
    out: str
    err: str


Heliast = Callable[..., Done]


@pytest.fixture
def heliast(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Heliast:
    def call(*words: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["heliast", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(int(ended.value.code or 0), *capfd.readouterr())

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUN = ("run", "sklearn:iris", "--model", "bayes", "--model", "tree", "--plan", "10", "--seed", "3")


def take_away(store: Path, count: int) -> None:
    for path in random.Random(1).sample(sorted(store.glob("??/*.parquet")), count):
        path.unlink()


@pytest.fixture
def begun(folder: Path, heliast: Heliast) -> Path:
    """A store with one run from the command line, of which 4 of 14 files are gone."""
    done = heliast(*RUN, "--store", "runs", "-o", "out.parquet")
    assert done.code == 0, done.err
    (folder / "out.parquet").rename(folder / "whole.parquet")
    take_away(folder / "runs", 4)
    return folder / "runs"


def test_list_and_show_tell_how_far_a_run_is(begun: Path, heliast: Heliast) -> None:
    run = Store.at(begun).run()
    missing = Store.at(begun).progress(run).unfinished
    assert missing.startswith("unfinished: ")
    done = heliast("runs", "list", begun)
    assert (done.code, done.out.split()[0]) == (0, run.id)
    assert missing in done.out
    (listed,) = json.loads(heliast("runs", "list", begun, "--json").out)
    assert listed["progress"]["complete"] is False
    done = heliast("runs", "show", begun, run.id[:6])
    assert done.code == 0
    for words in (
        missing,
        "tree",
        "bayes",
        "iris, 150 rows",
        "KFold(k=10",
        "seed 3",
        "heliast run",
    ):
        assert words in done.out
    shown = json.loads(heliast("runs", "show", begun, "--json").out)
    assert shown["runs"][0]["progress"]["models"]["tree"]["cells"] == 10
    assert shown["quarantined"] == 0


def test_show_writes_the_table_as_far_as_it_is(begun: Path, heliast: Heliast) -> None:
    done = heliast("runs", "show", begun, "-o", "part.parquet")
    assert done.code == 0
    assert "unfinished" in done.err
    assert hl.Predictions.read("part.parquet").equals(Store.at(begun).table())
    done = heliast("gate", "part.parquet", "--require", "error.high <= 0.9", "--positive", "setosa")
    assert done.code == 3
    assert "unfinished" in done.out
    assert heliast("runs", "show", begun, "-o", "part.csv").code == 2
    assert not Path("part.csv").exists()


def test_resume_gives_the_command_again(begun: Path, heliast: Heliast) -> None:
    moved = begun.rename(begun.with_name("moved"))  # the store may have moved meanwhile
    done = heliast("runs", "resume", moved)
    assert done.code == 0, done.err
    assert f"heliast {' '.join(RUN)} --store {moved}" in done.err  # shown before it is run
    assert hl.Predictions.read("out.parquet").equals(hl.Predictions.read("whole.parquet"))
    assert not begun.exists()
    done = heliast("runs", "resume", moved)
    assert (done.code, done.out.strip()) == (0, "nothing to resume: every run is finished")


def test_an_interrupted_run_says_how_to_go_on(folder: Path) -> None:
    words = ["run", "sklearn:digits", "--model", "forest", "--plan", "kfold(10, repeats=10)"]
    words += ["--jobs", "1", "--store", "runs", "-o", "out.parquet"]
    run = subprocess.Popen(
        [sys.executable, "-m", "heliast.cli", *words],
        stderr=subprocess.PIPE,
        text=True,
    )
    while run.poll() is None and not list(folder.glob("runs/??/*.parquet")):
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 130
    assert said == "heliast: interrupted; finished work is in runs: heliast runs resume runs\n"
    assert not list(folder.rglob("*.part"))
    assert not list(folder.rglob("*.claim"))
    assert not (folder / "out.parquet").exists()


def test_a_run_from_python_is_resumed_in_python(folder: Path, heliast: Heliast) -> None:
    from sklearn.naive_bayes import GaussianNB

    hl.run({"b": GaussianNB()}, "sklearn:iris", 5, store="runs", shortcuts=False, progress=False)
    take_away(folder / "runs", 1)
    done = heliast("runs", "resume", "runs")
    assert done.code == 1
    assert "call run again with the same arguments" in done.err


def test_a_command_with_code_of_its_own_needs_a_yes(begun: Path, heliast: Heliast) -> None:
    harm = Path("harm")
    words = (*RUN, "--model", f"x=os.mkdir('{harm}')", "--store", "runs", "-o", "out.parquet")
    store = Store.at(begun, command=words)
    hl.run(*_same(), seed=3, store=store, progress=False)
    take_away(begun, 1)
    done = heliast("runs", "resume", begun)
    assert done.code == 2
    assert "if you trust this store, give --yes" in done.err
    assert not harm.exists()


def _same() -> tuple[dict[str, object], hl.Dataset, int]:
    from heliast.cli import _words

    data = hl.read("sklearn:iris")
    return dict(_words.model(word, data.task) for word in ("bayes", "tree")), data, 10


@pytest.mark.parametrize(
    ("words", "foreign"),
    [
        ("--model tree", ""),
        ("--model knn(n_neighbors=3)", ""),
        ("--model=mine=sklearn.svm.SVC(C=10)", ""),
        ("--models lda,heliast.Tree()", ""),
        ("--model os.system('x')", "os.system('x')"),
        ("--models lda,os.system('x')", "os.system('x')"),
        ("--model=a=my.Model()", "a=my.Model()"),
        ("--model sklearn.utils._os.system('x')", "sklearn.utils._os.system('x')"),
        ("--model sklearn.datasets.fetch_openml('x')", "sklearn.datasets.fetch_openml('x')"),
        ("--model m.skops --trust my.Type", "m.skops"),
        ("--trust my.Type", "--trust my.Type"),
        ("--model (subprocess.Popen)('x',shell=True)", "(subprocess.Popen)('x',shell=True)"),
        ("--model=tree=(os.system)('x')", "tree=(os.system)('x')"),
        ("--model (lambda:0)()", "(lambda:0)()"),
        ("--model sklearn.svm.SVC(C=__import__('os'))", "sklearn.svm.SVC(C=__import__('os'))"),
        ("--base os.system('x')", "os.system('x')"),
        ("--engine dask://elsewhere:1", "--engine dask://elsewhere:1"),
        ("--install-completion", "--install-completion"),
    ],
)
def test_what_counts_as_code(words: str, foreign: str) -> None:
    assert foreign_code(tuple(words.split(" "))) == foreign


def test_other_verbs_on_record_are_not_run(begun: Path, heliast: Heliast) -> None:
    hl.run(*_same(), seed=3, store=Store.at(begun, command=["gate", "run"]), progress=False)
    take_away(begun, 1)
    done = heliast("runs", "resume", begun)
    assert done.code == 1
    assert "call run again" in done.err


def test_clean_says_and_then_does(begun: Path, heliast: Heliast) -> None:
    record = next((begun / "runs").glob("*.json"))
    record.unlink()
    count = len(list(begun.glob("??/*.parquet"))) + 1  # and what the run was about
    done = heliast("runs", "clean", begun)
    assert done.code == 0
    assert f"{count} files of no recorded run" in done.out
    assert len(list(begun.glob("??/*.parquet"))) == count - 1
    assert len(json.loads(heliast("runs", "clean", begun, "--json").out)["unowned"]) == count
    assert f"removed {count} files" in heliast("runs", "clean", begun, "--yes").out
    assert not list(begun.glob("??/*.parquet"))
    assert heliast("runs", "clean", begun).out.strip() == "nothing to remove"


def test_damage_is_told_in_one_line(begun: Path, heliast: Heliast) -> None:
    path = next(begun.glob("??/*.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    done = heliast(*RUN, "--store", begun, "-o", "out.parquet")
    assert done.code == 0
    assert done.err.splitlines() == [
        f"{begun}: 1 damaged file was moved to quarantine; the work is done again"
    ]
    assert json.loads(heliast("runs", "show", begun, "--json").out)["quarantined"] == 1
    assert hl.Predictions.read("out.parquet").equals(hl.Predictions.read("whole.parquet"))


@pytest.mark.parametrize("verb", ["list", "show", "resume", "clean"])
def test_no_store_is_bad_input(folder: Path, heliast: Heliast, verb: str) -> None:
    (folder / "file").write_text("")
    for place in ("nowhere", "file", "."):
        done = heliast("runs", verb, place)
        assert done.code == 2
        assert done.err.startswith(f"heliast: store {place}: ")


def test_an_unknown_run_is_bad_input(begun: Path, heliast: Heliast) -> None:
    for verb in ("show", "resume"):
        done = heliast("runs", verb, begun, "../../etc/passwd")
        assert done.code == 2
        assert "no run" in done.err
