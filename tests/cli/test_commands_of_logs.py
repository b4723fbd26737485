"""Names from files never become commands to the log of a build."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Caller

import heliast as hl
from heliast.cli._terminal import plain

NAMES = [
    "::error::x",
    "  ::stop-commands::k",
    "\u3000::add-mask::a",
    "x\n::set-output name=a::b",
    "x\r::warning::y",
    "::error file=a%0A,line=1::b",
    "##[error]x",
    "a ##[set-env name=PATH;]b",
    "##vso[task.setvariable variable=a]b",
    "z ##teamcity[buildStop]",
]
OBEYED = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two models and classes of these names."""
    truth = [NAMES[at % 10] for at in range(60)]
    label = [NAMES[at * at % 10] for at in range(60)]
    for at, model in enumerate(NAMES[:3]):
        hl.Predictions.of(truth, label, model=model, row=range(60)).write(
            tmp_path / f"{at}.parquet"
        )
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["assess", "0.parquet"],
        ["assess", "0.parquet", "--json"],
        ["compare", "0.parquet", "1.parquet", "2.parquet"],
        ["gate", "0.parquet", "1.parquet", "--require", "error.high <= 0.1"],
        ["assess", "0.parquet", "--positive", "\n::error::y"],
        ["assess", "\n::error::y ##[error]"],
        ["assess", "0.parquet", "--x\n::error::y"],
        ["\n::error::y"],
        ["export", "0.parquet", "--to", "json"],
        ["export", "0.parquet", "--to", "md"],
    ],
    ids=lambda words: " ".join(words).replace("\n", " "),
)
def test_no_line_of_output_is_a_command(words: list[str], table: Path, heliast: Caller) -> None:
    code, *said = heliast.raw(*words)
    for text in said:
        # A log of GitHub ends lines at \r as well.
        found = OBEYED.search(text.replace("\r", "\n"))
        assert found is None, found
    if "json" in words[-1]:
        assert code == 0
        assert NAMES[0] in str(json.loads(said[0]))
        assert "##[error]x" in str(json.loads(said[0]))


def test_a_table_in_a_file_is_not_changed(table: Path, heliast: Caller) -> None:
    words = ("export", "0.parquet", "--to", "csv")
    code, out, _ = heliast.raw(*words)
    assert code == 0
    assert "##[error]x" not in out
    assert heliast.raw(*words, "-o", "t.csv")[0] == 0
    assert "##[error]x" in (table / "t.csv").read_text()


def test_annotations_of_our_own_are_commands_and_hold_no_other(
    table: Path, heliast: Caller
) -> None:
    words = ("gate", "0.parquet", "1.parquet", "--require", "error.high <= 0.1", "--github")
    _, out, _ = heliast.raw(*words)
    commands = [line for line in out.splitlines() if OBEYED.search(line)]
    assert len(commands) == 2
    assert all(line.startswith("::error title=heliast gate::") for line in commands)


def test_what_is_shown_instead_is_the_same_in_json() -> None:
    for name in NAMES:
        text = json.dumps({name: [name, "\\" + name]}, ensure_ascii=False, indent=2)
        assert json.loads(plain(text)) == json.loads(text)
        assert not OBEYED.search(plain(name).replace("\r", "\n"))
