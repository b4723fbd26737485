"""Make docs/cli.md: the help of every command, as the program prints it.

Run: python tools/cli_page.py. `tests/docs/test_cli_page.py` fails if the page is out of date.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from heliast.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
WIDTH = 88
HEAD = """# The command line

What `heliast COMMAND --help` prints, for every command. This page is made from the program by
`python tools/cli_page.py`. Results go to stdout, progress and remarks to stderr.

| exit code | meaning |
| --- | --- |
| 0 | done; of `gate`: every requirement is met |
| 1 | the answer is no |
| 2 | bad input: the message says what, where, why, and what to do |
| 3 | not enough data to tell |
| 130, 143 | interrupted, terminated; what was finished is kept if there is a store |
"""


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of a command and of those below it."""
    yield words
    for name, below in getattr(command, "commands", {}).items():
        if not below.hidden:
            yield from commands(below, (*words, name))


def section(words: tuple[str, ...]) -> str:
    """What a command says of itself, under its name."""
    ask = CliRunner(env={"COLUMNS": str(WIDTH)})
    said = ask.invoke(app, [*words, "--help"], prog_name="heliast").stdout
    lines = [line.rstrip() for line in said.strip().splitlines()]
    return "\n".join([f"## {' '.join(['heliast', *words])}", "", "```text", *lines, "```", ""])


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *map(section, commands(get_command(app)))])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
