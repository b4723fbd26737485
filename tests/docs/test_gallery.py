"""The gallery: every plot, small, and made by the code that stands above it."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from heliast import plots

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text(encoding="utf-8")
IMAGES = re.findall(r"^!\[.+\]\((gallery/.+\.svg)\)$", PAGE, re.M)


def test_every_plot_is_shown():
    shown = {Path(image).stem.partition("-")[0] for image in IMAGES}
    assert shown == set(plots.__all__) - {"Plot", "plot"}


def test_the_files_are_there_and_no_others():
    assert len(set(IMAGES)) == len(IMAGES)
    assert {f"gallery/{file.name}" for file in (DOCS / "gallery").iterdir()} == set(IMAGES)
    assert sum((DOCS / image).stat().st_size for image in IMAGES) < 1_000_000


@pytest.mark.parametrize("image", IMAGES)
def test_each_is_a_plot(image):
    root = ET.fromstring((DOCS / image).read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root[1].text) > 20


def test_each_plot_has_its_code():
    """Every image follows a block that makes a plot; `test_examples` runs all blocks."""
    parts = re.findall(r"^(?:plot = |!\[)", PAGE, re.M)
    assert parts == ["plot = ", "!["] * len(IMAGES)
