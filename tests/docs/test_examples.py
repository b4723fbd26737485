"""Every Python example of the README and the docs runs by itself, as a reader would paste it.

Each block gets an empty folder and an empty namespace: what it needs, it imports, reads or makes.
"""

import re
import shlex
from pathlib import Path

import pytest
from tests.docs import files
from typer.testing import CliRunner

from heliast.cli import app

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.S | re.M)


def text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def examples():
    pages = ["README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]
    found = [
        pytest.param(page, number, block, id=f"{page}-{number}")
        for page in pages
        for number, block in enumerate(BLOCK.findall(text(page)), 1)
    ]
    assert len(found) > 60
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("page", "number", "block"), examples())
def test_examples_run_alone(page, number, block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, f"{page}, example {number}", "exec"), {"__name__": "example"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("docs")
    files.write(place)
    return place


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "line", [line for block in SHELL.findall(text("README.md")) for line in block.splitlines()]
)
def test_commands_of_the_readme_run(line, folder, monkeypatch):
    """Each ends with an answer: 0 fine, 1 no, 3 not enough data; never bad input."""
    monkeypatch.chdir(folder)
    program, *words = shlex.split(line)
    assert program == "heliast"
    done = CliRunner().invoke(app, words)
    assert done.exit_code in (0, 1, 3), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
