"""Whom a page cites by author and year stands in docs/references.md."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
LIST = (DOCS / "references.md").read_text(encoding="utf-8")
NAME = r"[A-Z][a-zé]+(?:-[A-Z][a-z]+)?[A-Za-z]*"
CITED = re.compile(rf"({NAME})((?:, {NAME})*(?:,? and (?:{NAME}|others))?) \(?((?:19|20)\d\d)\)?\b")
SOURCES = re.compile(r"\b[Tt]he (?:documents|thesis|chapter|notes'|slides)\b|\bslides-[rc]\b")
NO_AUTHORS = {"On", "January", "May", "November"}


def pages():
    return [page for page in sorted(DOCS.glob("*.md")) if page.name != "references.md"]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_who_is_cited_is_listed(page):
    for first, _, year in CITED.findall(page.read_text(encoding="utf-8")):
        if first not in NO_AUTHORS:
            assert re.search(rf"^- .*\b{first}\b.*\b{year}\b", LIST, re.M), (first, year)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_a_page_that_names_a_source_by_its_short_name_says_which(page):
    text = page.read_text(encoding="utf-8")
    assert not SOURCES.search(text) or "](references.md" in text


def test_the_list_is_in_order():
    names = [line.casefold() for line in LIST.splitlines() if line.startswith("- ")]
    assert names == sorted(names)
