"""The table of docs/mistakes.md: each line typed, and what heliast says to it.

`python -m tests.docs.mistakes` writes the table again; `test_mistakes.py` holds the page to it.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import heliast as hl
from heliast.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"
ROW = re.compile(r"^\| `(?P<line>.+?)` \| (?P<said>.*) \|$", re.M)
FILES = {
    "old.csv": "row,y_true,y_pred\n" + "".join(f"{at},{at % 2},{at % 2}\n" for at in range(40)),
    "part.csv": "row,y_true,y_pred\n" + "".join(f"{at},{at % 2},1\n" for at in range(30)),
    "scores.csv": "y_true,y_pred\n" + "".join(f"{at % 2},{at / 40}\n" for at in range(40)),
}


def space(page: str) -> dict[str, Any]:
    """The names that the page says it takes for granted."""
    names: dict[str, Any] = {}
    block = re.search(r"^```python\n(.*?)^```", page, re.S | re.M)
    assert block is not None
    exec(block[1], names)
    return names


def answer(line: str, names: dict[str, Any]) -> str:
    """What is said to this line, of Python or of a shell; empty if it is taken."""
    if line.startswith("heliast "):
        return _of_shell(line.split()[1:])
    try:
        eval(line, dict(names))
    except (hl.HeliastError, TypeError) as error:
        return str(error)
    except KeyError as error:
        return str(error.args[0])
    return ""


def _of_shell(words: list[str]) -> str:
    err, before = io.StringIO(), sys.argv
    sys.argv = ["heliast", *words]
    try:
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
            main()
    except SystemExit as end:
        return " ".join(err.getvalue().split()) if end.code == 2 else ""
    finally:
        sys.argv = before
    return ""


def again(page: str) -> str:
    """The page with what is said now, in a folder that has its files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in FILES.items():
                Path(name).write_text(text, encoding="utf-8")
            names = space(page)
            return ROW.sub(lambda row: f"| `{row['line']}` | {_cell(row['line'], names)} |", page)
        finally:
            os.chdir(before)


def _cell(line: str, names: dict[str, Any]) -> str:
    """As Markdown shows it word for word."""
    said = " ".join(answer(line.replace("\\|", "|"), names).split())
    return re.sub(r"([|<>*_`\[\]])", r"\\\1", said)


if __name__ == "__main__":
    PAGE.write_text(again(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
