"""No output overwrites a file that the same command reads."""

import shutil
from pathlib import Path

import duckdb
import pytest
from tests.cli.conftest import Caller

import heliast as hl

COSTS = "0,1\n5,0\n"


@pytest.fixture(autouse=True)
def folder(heliast: Caller) -> Path:
    """Predictions as a file, parts and a database; data, a model, costs and settings."""
    truth = ["a", "b"] * 30
    hl.Predictions.of(truth, ["a"] * 10 + truth[10:], positive="b").write("p.csv")
    Path("parts").mkdir()
    shutil.copy("p.csv", "parts/one.csv")
    with duckdb.connect("b.db") as base:
        base.execute("create table t (truth text, label text)")
        base.executemany("insert into t values (?, ?)", [("a", "a"), ("b", "a"), ("b", "b")] * 9)
    Path("d.csv").write_text("u,v,class\n" + "1,2,x\n2,1,y\n3,5,y\n" * 9)
    Path("sets").mkdir()
    shutil.copy("d.csv", "sets/d.csv")
    Path("c.csv").write_text(COSTS)
    Path("s.toml").write_text("positive = 'b'\n")
    code, _, err = heliast("fit", "d.csv", "--target", "class", "--model", "lda", "--plan", "3",
                           "-o", "m.skops")  # fmt: skip
    assert code == 0, err
    return Path.cwd()


@pytest.mark.parametrize(
    ("words", "victim"),
    [
        (["assess", "p.csv", "--report", "p.csv"], "p.csv"),
        (["assess", "p.csv", "--report=./p.csv"], "p.csv"),
        (["assess", "{here}/p.csv", "--report", "parts/../p.csv"], "p.csv"),
        (["export", "p.csv", "--to", "csv", "-op.csv"], "p.csv"),
        (["export", "p.csv", "--to", "csv", "--output=p.csv"], "p.csv"),
        (["run", "d.csv", "--target", "class", "-od.csv"], "d.csv"),
        (["assess", "parts", "--report", "parts/one.csv"], "parts/one.csv"),
        (["assess", "parts/*.csv", "--report", "parts/one.csv"], "parts/one.csv"),
        (["assess", "b.db", "--report", "b.db"], "b.db"),
        (["assess", "b.db::t", "--report", "b.db"], "b.db"),
        (["gate", "p.csv", "--require", "error.high <= 1", "--junit", "p.csv"], "p.csv"),
        (["assess", "p.csv", "--cost", "c.csv", "--report", "c.csv"], "c.csv"),
        (["assess", "p.csv", "--config", "s.toml", "--report", "s.toml"], "s.toml"),
        (["predict", "m.skops", "d.csv", "-o", "m.skops"], "m.skops"),
        (["predict", "m.skops", "d.csv", "-o", "d.csv"], "d.csv"),
        (["fit", "d.csv", "--target", "class", "--model", "a=m.skops", "-o", "m.skops"], "m.skops"),
        (["benchmark", ".", "--plan", "2", "-o", "d.csv"], "d.csv"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_read_is_not_written(
    words: list[str], victim: str, heliast: Caller, folder: Path
) -> None:
    before = Path(victim).read_bytes()
    code, out, err = heliast(*(word.replace("{here}", str(folder)) for word in words))
    assert (code, out) == (2, "")
    assert f"{Path(victim).name}: read by this command; write to another file" in err
    assert Path(victim).read_bytes() == before


def test_other_files_are_replaced(heliast: Caller) -> None:
    for _ in "12":
        assert heliast("assess", "p.csv", "--report", "r.html")[0] == 0
        words = ("benchmark", "sets", "--models", "bayes,lda", "--plan", "2")
        assert heliast(*words, "--report", "sets/r.html")[0] == 3  # too few for a test
        assert heliast("export", "p.csv", "--to", "csv", "-o", "out.csv")[0] == 0


def test_an_output_starting_with_a_dash_is_a_name(heliast: Caller) -> None:
    assert heliast("export", "p.csv", "--to", "csv", "-odd.csv")[0] == 0
    assert Path("dd.csv").exists()


def test_two_outputs_are_two_files(heliast: Caller) -> None:
    words = ("gate", "p.csv", "--require", "error.high <= 1")
    code, out, err = heliast(*words, "--report", "r.html", "--junit", "./r.html")
    assert (code, out) == (2, "")
    assert "./r.html: two outputs of this command" in err
    assert not Path("r.html").exists()
