"""A store in place of a file of predictions: read if it holds one run, else told how to go on."""

from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app

DATA = hl.Dataset.of([[float(at % 7), float(at % 5)] for at in range(60)], ["a", "b", "a"] * 20)


def heliast(*words: object) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: object) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert isinstance(done.exception, hl.InputError)
    return str(done.exception)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    hl.run({"bayes": GaussianNB()}, DATA, hl.KFold(3), 1, store=tmp_path / "st", progress=False)
    return tmp_path / "st"


def test_one_run_is_read_as_the_file_of_its_predictions(place: Path) -> None:
    file = place.with_suffix(".parquet")
    hl.store.Store.existing(place).table().write(file)
    for words in (
        ("export", "--to", "latex"),
        ("export", "--to", "bibtex"),
        ("assess", "--measure", "error"),
        ("gate", "--require", "error.high <= 0.9"),
    ):
        verb, *options = words
        assert heliast(verb, place, *options) == heliast(verb, file, *options)
    shares = {
        name: heliast("assess", place, "--measure", "recall", "--positive", name) for name in "ab"
    }
    assert shares["a"] != shares["b"]
    heliast("draw", "forest", place, "-o", place / "forest.svg")
    assert (place / "forest.svg").read_text().startswith("<svg")


def test_of_several_runs_the_line_to_type_is_said_and_works(place: Path) -> None:
    hl.run({"bayes": GaussianNB()}, DATA, hl.KFold(4), 1, store=place, progress=False)
    run = hl.store.Store.existing(place).runs()[0]
    said = refused("export", place, "--to", "latex")
    assert "a store of 2 runs" in said
    line = said.split("`")[1].replace("preds.parquet", str(place / "one.parquet"))
    assert line.startswith(f"heliast runs show {place} {run.id} -o ")
    heliast(*line.split()[1:])
    assert "tabular" in heliast("export", place / "one.parquet", "--to", "latex")


def test_options_of_files_are_refused_and_no_store_is_said(place: Path, tmp_path: Path) -> None:
    assert "st is a store: leave it out" in refused("assess", place, "--truth", "y")
    (tmp_path / "empty" / "runs").mkdir(parents=True)
    assert "a store without a run on record" in refused("export", tmp_path / "empty", "--to", "md")
