"""Every shell block of the README and the docs runs, in a folder with the files that it names.

A block says in a comment which files it takes; the test lays out files of these names. Each line
ends with an answer: 0 fine, 1 no, 3 not enough data; never bad input.
"""

import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app
from tests.docs import files

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```", re.S | re.M)
FILE = re.compile(r"[\w*/-]+(?:\.(?:csv|parquet|skops|json|duckdb)|/)$")
"""A word that names a file or a folder."""
LONG = {
    "docs/benchmark.md-1", "docs/ensembles.md-1", "docs/ensembles.md-2", "docs/paper.md-1",
    "docs/run.md-1",
}  # fmt: skip
"""Blocks that take more than 5 seconds of the processor: these run with `-m long`."""


class Shell(NamedTuple):
    """One block: where it stands, its comments, and its commands as words."""

    name: str
    comments: str
    commands: list[list[str]]


def shells() -> list[Shell]:
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        blocks = [one["text"] for one in BLOCK.finditer(text) if one["kind"] == "sh"]
        for number, block in enumerate(blocks, 1):
            lines = block.replace("\\\n", " ").splitlines()
            comments = "\n".join(line for line in lines if line.startswith("#"))
            commands = [shlex.split(line, comments=True) for line in lines]
            found.append(Shell(f"{page}-{number}", comments, [one for one in commands if one]))
    return found


SHELLS = shells()


def marked(one: Shell) -> object:
    return pytest.param(one, id=one.name, marks=[pytest.mark.long] if one.name in LONG else [])


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("files")
    files.write(place)
    return place


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shell", [marked(one) for one in SHELLS])
def test_the_block_runs(
    shell: Shell, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "here"
    shutil.copytree(prepared, place)
    monkeypatch.chdir(place)
    for words in shell.commands:
        program, *rest = words[1:] if words[0] == "uvx" else words
        if program == "pip":
            pip(rest)
            continue
        assert program == "heliast"
        done = CliRunner().invoke(app, rest)
        assert done.exit_code in (0, 1, 3), f"{shlex.join(words)}: {done.exception}"
        assert done.exception is None or isinstance(done.exception, SystemExit), words


def pip(words: list[str]) -> None:
    """An installation is not done here; the extras that it names are there."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert words[0] == "install"
    for extras in re.findall(r"\[(.+?)\]", " ".join(words)):
        assert set(extras.split(",")) <= set(known)


@pytest.mark.parametrize("shell", SHELLS, ids=lambda one: one.name)
def test_the_block_says_which_files_it_takes(shell: Shell) -> None:
    """What a command reads was named in a comment, or written by a command before it."""
    written: set[str] = set()
    for words in shell.commands:
        outputs = {after for word, after in zip(words, words[1:], strict=False)
                   if word in ("-o", "--report", "--store", "--junit")}  # fmt: skip
        for word in words:
            if FILE.fullmatch(word) and word not in outputs | written:
                assert word.strip("/") in shell.comments, f"{shell.name}: say what {word} is"
        written |= outputs


def test_no_command_stands_in_a_block_of_another_kind() -> None:
    """What a program prints may show a command; a block that begins with one is for a shell."""
    for page in PAGES:
        for block in BLOCK.finditer((ROOT / page).read_text(encoding="utf-8")):
            if block["kind"] != "sh":
                assert not re.match(r"(?:#.*\n)*(?:uvx )?heliast ", block["text"]), page
