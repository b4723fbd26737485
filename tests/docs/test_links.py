"""Links of the README and the docs lead somewhere: files that are there, headings that they have."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^(```+).*?^\1$", re.S | re.M)
SPAN = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


def prose(page):
    """The text without its blocks of code, in which brackets are no links."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def slug(heading):
    """The anchor that GitHub and Sphinx give to a heading."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


@cache
def anchors(page):
    found = []
    for heading in HEADING.findall(prose(page)):
        name = slug(heading)
        found.append(f"{name}-{found.count(name)}" if name in found else name)
    return found


def wrong(page):
    for link in LINK.findall(SPAN.sub("", prose(page))):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{link}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    assert not list(wrong(page))


def test_the_front_page_leads_to_every_page():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    lists = "".join(re.findall(r"^```\{toctree\}.*?^```", index, re.S | re.M)).splitlines()
    for page in (ROOT / "docs").glob("*.md"):
        if page.stem != "index":
            assert page.stem in lists
            assert f"]({page.name})" in index


def test_headings_get_the_anchors_that_github_gives():
    assert slug("Does it cover? `auto`, 95%") == "does-it-cover-auto-95"
    assert slug("Rows in [order](a.md) of time") == "rows-in-order-of-time"
