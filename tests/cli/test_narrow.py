"""Narrow terminals: what every verb prints fits them, and nothing is lost."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Caller

from heliast.cli._narrow import fold

DATA = "u,class\n" + "".join(f"{at * 37 % 11}.5,{'ab'[at * 5 % 7 % 2]}\n" for at in range(24))
PREDICTIONS = "truth,label\n" + "a,a\nb,a\nb,b\n" * 9


def squeezed(text: str) -> str:
    """Without white space, and what varies: kernels that other tests compile, times and sizes."""
    bare = re.sub(r"compiledkernels:\d+\([\d.]+MB", "compiledkernels:(", "".join(text.split()))
    bare = re.sub(r"\(1/[\d.]+ofthe(timetofit|timetopredict|size)\)", "", bare)
    return re.sub(r"\d[\d.e+]*(ms|s|kB|MB|bytes)", "", bare)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["gate", "--help"],
        ["runs", "--help"],
        ["runs", "resume", "--help"],
        ["assess", "p.csv"],
        ["gate", "p.csv", "--require", "error.high <= 0.4"],
        ["compare", "d.csv", "--target", "class", "--model", "majority", "--model", "bayes"],
        ["combine", "d.csv", "--target", "class", "--members", "3", "--plan", "2"],
        ["assess", "nowhere/at all/where such a name is.csv"],
        ["doctor"],
    ],
    ids=" ".join,
)
def test_every_verb_fits_twenty_columns_and_says_the_same(
    words: list[str], heliast: Caller
) -> None:
    Path("p.csv").write_text(PREDICTIONS)
    Path("d.csv").write_text(DATA)
    heliast.monkeypatch.setenv("COLUMNS", "20")
    code, *narrow = heliast.raw(*words)
    assert max(len(line) for text in narrow for line in text.splitlines()) <= 20
    heliast.monkeypatch.delenv("COLUMNS")
    same, *usual = heliast.raw(*words)
    assert code == same
    if words[-1] != "--help":  # which is laid out anew
        assert [*map(squeezed, narrow)] == [*map(squeezed, usual)]


def test_json_is_not_folded(heliast: Caller) -> None:
    Path("p.csv").write_text(PREDICTIONS)
    usual = heliast.raw("assess", "p.csv", "--json")
    heliast.monkeypatch.setenv("COLUMNS", "20")
    assert heliast.raw("assess", "p.csv", "--json") == usual


def test_a_process_of_its_own_sees_the_columns(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(PREDICTIONS)
    done = subprocess.run(
        [sys.executable, "-m", "heliast.cli", "assess", "p.csv"],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "COLUMNS": "20"},
    )  # fmt: skip
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 20


@pytest.mark.parametrize("width", [20, 33, 79])
def test_what_fits_stays_as_it_is_and_no_letter_is_lost(width: int) -> None:
    text = "short\n\n   " + "x" * 200 + "  some cells  and a longer cell of words\n  1. a-b c\n"
    found = fold(text, width)
    assert max(map(len, found.split("\n"))) <= width
    assert squeezed(found) == squeezed(text)
    assert found.startswith("short\n\n")
    assert found.endswith("\n  1. a-b c\n")
    assert fold(" " * 300, width).strip() == ""
