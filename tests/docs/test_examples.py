"""Every Python example of the README and the docs runs by itself, as a reader would paste it.

Each block gets an empty folder and an empty namespace: what it needs, it imports, reads or makes.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)


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
