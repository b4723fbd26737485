"""What users see is written in standard words: LANGUAGE.md's phrases that have no other use."""

import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app

SOURCE = Path(hl.__file__).parent
PHRASES = (
    "contingency table", "taken for", "errs on", "errs less", "as seen", "told apart",
    "having been chosen", "shown to beat", "always answering", "undecided", "for all together",
    "hold together", "corrected by holm", "dealt by class", "the recipe", "speaks of",
    "planned looks", "won-tied-lost", "possible ranks", "counts as what", "class shares",
    "false alarm", "holds its level", "true nulls", "corrected t ", "square-and-add", "points [",
    "fresh rows", "off by", "kept model", "which classes are",
)  # fmt: skip
"""Phrases of a private language, in lower case."""


def private(text: str) -> list[str]:
    plain = " ".join(text.lower().split())
    return [phrase for phrase in PHRASES if phrase in plain]


@pytest.fixture(scope="module")
def table() -> hl.Predictions:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 150)
    tables = [
        hl.Predictions.of(
            truth, y_score=np.clip(truth * 0.4 + rng.random(150) * 0.6, 0, 1), model=f"m{at}",
            row=range(150), scores="probability",
        )
        for at in range(3)
    ]  # fmt: skip
    return tables[0].join(tables[1]).join(tables[2])


def test_answers_and_pages(table: hl.Predictions) -> None:
    records = [
        hl.assess(table), hl.assess(table.only("m0")), hl.compare(table),
        hl.compare(table.only(["m0", "m1"])),
        hl.gate(table, ["error.high <= 0.2", "error(m0 - m1).high <= 0.01"]),
    ]  # fmt: skip
    for record in records:
        assert private(record.to_text(verbose=True)) == [], record
        assert private(record._repr_html_()) == []
    for record in records[:4]:
        assert private(record.methods().text) == []
    page = hl.report(table)
    assert private(re.sub(r"<(script|style).*?</\1>", "", page.html, flags=re.DOTALL)) == []


def test_templates_and_scripts_of_the_report() -> None:
    for path in (SOURCE / "views" / "report").rglob("*"):
        if path.suffix in (".html", ".js"):
            assert private(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize(
    "command", ["assess", "compare", "gate", "combine", "benchmark", "explain"]
)
def test_help_of_the_commands(command: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"})
    assert private(shown.output) == []
