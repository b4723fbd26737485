"""The gallery: a picture of every drawing, small, and made by the code that stands above it."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from heliast import drawings

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text(encoding="utf-8")
IMAGES = re.findall(r"^!\[.+\]\((gallery/.+\.svg)\)$", PAGE, re.M)


def test_every_drawing_is_shown():
    shown = {Path(image).stem.partition("-")[0] for image in IMAGES}
    assert shown == set(drawings.__all__) - {"draw"}


def test_the_pictures_are_there_and_no_others():
    assert len(set(IMAGES)) == len(IMAGES)
    assert {f"gallery/{file.name}" for file in (DOCS / "gallery").iterdir()} == set(IMAGES)
    assert sum((DOCS / image).stat().st_size for image in IMAGES) < 1_000_000


@pytest.mark.parametrize("image", IMAGES)
def test_each_is_a_picture_of_its_kind(image):
    root = ET.fromstring((DOCS / image).read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root[1].text) > 20


def test_each_picture_has_its_code():
    """Every image follows a block that makes a picture; `test_examples` runs all blocks."""
    parts = re.findall(r"^(?:picture = |!\[)", PAGE, re.M)
    assert parts == ["picture = ", "!["] * len(IMAGES)
