"""Exports: what comes out can be read again, and nothing in it runs."""

import csv
import io
import json
import subprocess
import sys

import pytest

import heliast as hl
from heliast._core.errors import InputError
from heliast.views.exports import KINDS, TOLD, export

ROWS = [
    {"model": "=cmd|x", "error": 0.25, "notes": ["a", "b"], "n": 3, "p": None},
    {"model": "50% <b>_$", "error": 0.5, "notes": [], "n": 4, "p": 0.001},
]


def test_csv_is_read_again_and_holds_no_formula():
    read = list(csv.DictReader(io.StringIO(export(ROWS, "csv"))))
    assert read[0] == {"model": "'=cmd|x", "error": "0.25", "notes": "a; b", "n": "3", "p": ""}
    assert read[1]["model"] == "50% <b>_$"


def test_json_is_read_again():
    assert json.loads(export(ROWS, "json")) == ROWS


def test_latex_and_markdown_escape():
    tex, md = export(ROWS, "latex"), export(ROWS, "md")
    assert r"50\% \textless{}b\textgreater{}\_\$ & 0.500 &  & 4 & 0.001 \\" in tex
    assert tex.count("&") == 4 * 3
    assert "=cmd\\|x" in md
    assert "<b>" not in md


def test_unknown_kind():
    with pytest.raises(InputError, match="latex, csv, json, md, html"):
        export(ROWS, "xlsx")


def test_wide_has_one_column_a_model():
    truth = ["a", "a", "b", "b", "b"]
    one = hl.Predictions.of(truth, ["a", "b", "b", "b", "b"], model="one")
    two = hl.Predictions.of(truth, ["a", "a", "b", "b", "a"], model="two")
    sheet = hl.assess(one.join(two), ["error", "recall"]).table()
    assert sheet.head == ("measure", "one", "two")
    assert sheet.rows[0][1].whole == "0.200 [0.010, 0.657]"
    names = [row[0].text for row in sheet.rows]
    assert names == ["error", "recall", "recall [a]", "recall [b]"]


@pytest.mark.parametrize("to", [*KINDS, *TOLD])
def test_on_the_command_line(tmp_path, to):
    truth = ["a", "a", "b", "b", "b"]
    hl.Predictions.of(truth, ["a", "b", "b", "b", "b"], model="one").write(tmp_path / "p.csv")
    words = [sys.executable, "-m", "heliast.cli", "export", "p.csv", "--to", to, "-o", "out"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("wilson" if to == "bibtex" else "error") in (tmp_path / "out").read_text()
