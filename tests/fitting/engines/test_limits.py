"""Limits of a fit: what hangs, grows or dies is ended, recorded, tried again under wider ones."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from tests.fitting.engines.marked import Fitting, Misfit, marks
from tests.fitting.engines.same import assert_same, iris
from typer.testing import CliRunner

import heliast as hl
from heliast.fitting.engines import Limits
from heliast.fitting.engines._limits import in_words, size_of

pytestmark = pytest.mark.filterwarnings("ignore::heliast.fitting.cell.FitFailed")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory: only on Linux")


def bad_cells(table: hl.Predictions) -> list[tuple[Any, Any, str]]:
    return [
        (cell["model"], cell["status"], str(cell["failure"]))
        for cell in table.cells
        if cell["status"] != "ok"
    ]


def test_within_its_limits_a_fit_gives_the_same_bits() -> None:
    models = {"forest": RandomForestClassifier(5)}
    free = hl.run(models, iris(), 4, seed=2, jobs=1, progress=False)
    held = hl.run(models, iris(), 4, seed=2, jobs=1, progress=False, fit_timeout=60)
    assert_same(free, held)


def test_a_fit_that_hangs_in_compiled_code_is_ended_and_the_run_goes_on() -> None:
    models = {"bad": Misfit("hang"), "good": GaussianNB()}
    table = hl.run(models, iris(), 5, seed=1, jobs=1, progress=False, fit_timeout=3)
    assert bad_cells(table) == [("bad", "limited", "took longer than 3 s (fit_timeout=3)")]
    assert table.incomplete() == {"bad": 30}


@linux
def test_a_fit_that_needs_more_memory_than_it_may_is_ended() -> None:
    table = hl.run({"m": Misfit("grow")}, iris(), 5, seed=1, progress=False, fit_memory="1GB")
    (cell,) = bad_cells(table)
    assert cell == ("m", "limited", "needed more than 1 GB (fit_memory=1000000000)")


@linux
def test_the_memory_limit_counts_from_what_the_process_holds_already() -> None:
    wide = np.random.default_rng(0).normal(size=(125_000, 100))  # 100 MB
    truth = np.arange(125_000) % 2
    table = hl.run({"nb": Holding()}, (wide, truth), 2, jobs=1, progress=False, fit_memory="300MB")
    assert bad_cells(table) == []


class Holding(GaussianNB):
    """Takes 150 MB for itself."""

    def fit(self, X: Any, y: Any) -> "Holding":
        own = np.ones(150 * 10**6 // 8)
        super().fit(X[:, :5], y + 0 * int(own[0]))
        return self

    def predict_proba(self, X: Any) -> Any:
        return super().predict_proba(X[:, :5])

    def predict(self, X: Any) -> Any:
        return super().predict(X[:, :5])


def test_a_fit_that_kills_its_process_is_tried_twice_and_recorded() -> None:
    table = hl.run({"m": Misfit("abort")}, iris(), 5, seed=1, progress=False, fit_timeout=60)
    (cell,) = bad_cells(table)
    assert cell[1] == "killed"
    assert "SIGABRT" in cell[2]


@pytest.mark.parametrize(("repeats", "seed"), [(1, 18), (21, 8)])  # one split a batch, and two
def test_only_cells_that_met_a_limit_are_tried_again_and_only_under_a_wider_one(
    repeats: int, seed: int, tmp_path: Path
) -> None:
    folder, store = str(tmp_path), tmp_path / "store"
    models = {"tree": Patient(folder)}
    plan = hl.KFold(5, repeats=repeats)

    def run(**limits: Any) -> tuple[hl.Predictions, int]:
        before = len(marks(tmp_path, "fitted"))
        table = hl.run(
            models, iris(), plan, seed=seed, jobs=1, store=store, progress=False, **limits
        )
        return table, len(marks(tmp_path, "fitted")) - before

    first, fits = run(fit_timeout=3)
    met = len(bad_cells(first))
    assert (fits, met) == (5 * repeats, 1)
    again, fits = run(fit_timeout=3)
    assert fits == 0
    assert again.equals(first)
    wider, fits = run(fit_timeout=30)
    assert fits == met
    assert bad_cells(wider) == []
    last, fits = run()
    assert fits == 0
    assert_same(wider, last)
    free = hl.run(models, iris(), plan, seed=seed, jobs=1, progress=False)
    assert_same(free, last)


class Patient(Fitting):
    """Takes five seconds where iris's first two rows are held out together."""

    def fit(self, X: Any, y: Any) -> "Patient":
        self.seconds = 5.0 if X[0, 0] == 4.7 else 0.0
        super().fit(X, y)
        return self


@pytest.mark.parametrize(
    ("words", "size"), [("2GB", 2 * 10**9), ("1.5 gib", 3 * 2**29), (5_000_000, 5_000_000)]
)
def test_sizes_in_words(words: object, size: int) -> None:
    assert size_of(words) == size


@pytest.mark.parametrize("words", ["2 apples", "-1GB", "", "1", "nan", "0GB"])
def test_sizes_that_are_none(words: str) -> None:
    with pytest.raises(hl.InputError, match="fit_memory"):
        size_of(words)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_timeouts_that_are_none(seconds: float) -> None:
    with pytest.raises(hl.InputError, match="fit_timeout"):
        Limits.of(seconds)


def test_what_a_limit_says_is_understood_when_it_is_read_again() -> None:
    for size in (2 * 10**9, 1_234_567_891, 5_000_000):
        old = Limits(memory=size)
        for said in (old.too_large, old.died(-6)[1]):
            assert not old.wider_than("limited", said)
            assert Limits(memory=size + 1).wider_than("limited", said)
            assert Limits().wider_than("limited", said)
    assert in_words(2 * 10**9) == "2 GB"
    assert not Limits().wider_than("failed", "(fit_timeout=1)")


def test_the_command_line_has_the_same_limits(tmp_path: Path) -> None:
    from heliast.cli import app

    X, y = load_iris(return_X_y=True)
    file = tmp_path / "iris.csv"
    lines = [",".join(map(str, [*x, f"k{t}"])) for x, t in zip(X, y, strict=True)]
    file.write_text("a,b,c,d,class\n" + "\n".join(lines))
    out = str(tmp_path / "out.csv")
    words = ["run", str(file), "-o", out, "--target", "class", "--plan", "3"]
    model = ["--model", "tests.fitting.engines.marked.Misfit"]
    done = CliRunner().invoke(app, [*words, *model, "--fit-timeout", "3"])
    assert done.exit_code == 0, done.output
    assert "took longer than 3 s" in done.output
    wrong = CliRunner().invoke(app, [*words, "--fit-memory", "much"])
    assert isinstance(wrong.exception, hl.InputError)
