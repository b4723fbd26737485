"""Every Python example of the README and the docs runs, each page from top to bottom.

Pages speak of files and arrays that readers have of their own. The folder has such files, and
`tests/docs/names.py` has, page by page, what the text takes for granted.
"""

import re
import shlex
from pathlib import Path

import pytest
from tests.docs import names
from typer.testing import CliRunner

from heliast.cli import app

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)


def blocks(page):
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def pages():
    found = [Path("README.md"), *sorted(p.relative_to(ROOT) for p in (ROOT / "docs").glob("*.md"))]
    return [str(page) for page in found if blocks(page)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("docs")
    names.write_files(place)
    return place


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", pages())
def test_examples_run(page, folder, monkeypatch):
    monkeypatch.chdir(folder)
    space = names.taken_for_granted(Path(page).stem)
    for number, block in enumerate(blocks(page), 1):
        exec(compile(block, f"{page}, example {number}", "exec"), space)


SHELL = re.compile(r"^```sh\n(.*?)^```", re.S | re.M)


def lines(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return [line for block in SHELL.findall(text) for line in block.splitlines() if line]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", lines("README.md"))
def test_commands_of_the_readme_run(line, folder, monkeypatch):
    """Each ends with an answer: 0 fine, 1 no, 3 not enough data; never bad input."""
    monkeypatch.chdir(folder)
    program, *words = shlex.split(line)
    assert program == "heliast"
    done = CliRunner().invoke(app, words)
    assert done.exit_code in (0, 1, 3), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
