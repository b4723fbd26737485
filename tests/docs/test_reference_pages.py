"""The pages that list everything do: each command of the program, each name of the library."""

import importlib
import re
from pathlib import Path

from tools import cli_page

import heliast as hl

API = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_page_of_commands_is_what_the_program_says():
    page = cli_page.PAGE.read_text(encoding="utf-8")
    assert page == cli_page.page(), "python tools/cli_page.py writes it again"
    assert {"## heliast gate\n", "## heliast runs list\n"} <= set(page.splitlines(keepends=True))


def test_the_api_page_has_every_public_name():
    listed = set(re.findall(r"\bheliast\.(\w+)", API))
    for module in re.findall(r"^\.\. automodule:: heliast\.([\w.]+)$", API, re.M):
        listed.update(importlib.import_module(f"heliast.{module}").__all__)
    assert not set(hl.__all__) - listed
