"""`heliast runs`: list, show, resume, clean."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import NamedTuple

import pytest

import heliast as hl
from heliast.cli import main
from heliast.cli._words import Spoken
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
    done = heliast("runs", "resume", moved, "-o", "out.parquet")
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


def test_outputs_are_said_anew(begun: Path, heliast: Heliast) -> None:
    done = heliast("runs", "resume", begun)
    assert done.code == 0, done.err
    assert "its command also said -o out.parquet" in done.err
    assert not Path("out.parquet").exists()
    done = heliast("runs", "show", begun, "-o", "out.parquet")
    assert hl.Predictions.read("out.parquet").equals(hl.Predictions.read("whole.parquet"))


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("tree", True),
        ("knn(n_neighbors=3)", True),
        ("mine=sklearn.svm.SVC(C=10)", True),
        ("heliast.Tree()", True),
        ("m.skops", True),  # nothing in it runs that is not trusted here
        ("os.system('x')", False),
        ("a=my.Model()", False),
        ("sklearn.utils._os.system('x')", False),
        ("sklearn.datasets.fetch_openml('x')", False),
        ("sklearn.utils.Bunch(a=1)", False),
        ("sklearn.pipeline.Pipeline(steps=[('a', 'passthrough')], memory='x')", False),
        ("heliast.fitting.run.Fitter()", False),
        ("sklearn.no_such.Model()", False),
    ],
)
def test_what_counts_as_code(words: str, ours: bool) -> None:
    spoken = Spoken.of(words)
    assert spoken.is_ours == ours
    assert Spoken.of(str(spoken)) == spoken


def test_no_model_of_ours_writes_or_reads_files() -> None:
    """The classes that a record may name without a yes take no paths."""
    from sklearn.utils import all_estimators

    places = {"memory", "cache", "path", "file", "filename", "directory", "folder", "dir"}
    for kind in ("classifier", "regressor"):
        for name, made in all_estimators(type_filter=kind):
            assert not places & set(signature(made).parameters), name


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
