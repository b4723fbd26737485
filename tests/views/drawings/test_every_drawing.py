"""What holds for all drawings: standalone, safe, named, inside its own borders."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.views.drawings.conftest import KINDS, make, table

from heliast import InputError, Predictions
from heliast._core.drawn import _DRAWERS
from heliast.measures.summaries import Contingency
from heliast.views import drawings
from heliast.views.drawings._text import width

SVG = "{http://www.w3.org/2000/svg}"
NASTY = ("</title><script>alert(1)</script>", "\"quotes\" & 'more' \x00\x1b \u202egnirts")


def draw(kind, predictions=None):
    return drawings.draw(make(kind, predictions or table()))


def test_every_kind_is_tested():
    assert len(_DRAWERS) == len(KINDS)
    assert {drawer.__name__ for drawer in _DRAWERS.values()} == set(KINDS)
    assert set(KINDS) < set(drawings.__all__)


def test_standalone_and_named(kind):
    root = ET.fromstring(draw(kind))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert all(len(child.text) > 4 for child in root[:2])


def test_nothing_active_or_outside(kind):
    picture = draw(kind)
    for element in ET.fromstring(picture).iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "title", "desc", "style", "g", "rect", "line", "polyline", "polygon"),
            *("path", "circle", "text"),
        }
        for name in element.attrib:
            assert not name.startswith("on")
            # Several drawings in one page share no names.
            assert "href" not in name
            assert name not in ("id", "style")
    assert "url(" not in picture
    assert picture.count("http") == 1  # the name space


def test_numbers_are_finite(kind):
    for element in ET.fromstring(draw(kind)).iter():
        for name, value in element.attrib.items():
            if name not in ("class", "font-family", "role", "fill", "stroke"):
                assert not re.search(r"nan|inf|None|e[+-]?\d", value, re.I), (name, value)


def test_deterministic(kind):
    assert draw(kind) == draw(kind)


def test_text_stays_inside(kind):
    root = ET.fromstring(draw(kind, table(model="a rather long name of a model " * 5)))
    wide, high = float(root.get("width")), float(root.get("height"))
    for element in root.iter(f"{SVG}text"):
        if element.get("transform") is None and not _moved(root, element):
            x, y, size = (float(element.get(name)) for name in ("x", "y", "font-size"))
            long = width(element.text, size)
            left = x - {"middle": long / 2, "end": long}.get(element.get("text-anchor"), 0)
            assert left >= -1
            assert left + long <= wide + 1
            assert 0 < y <= high - 2


def _moved(root, element):
    return any(element in group.iter() for group in root.iter(f"{SVG}g") if group.get("transform"))


@pytest.mark.parametrize("long", [False, True])
def test_names_are_escaped_and_shortened(kind, long):
    classes = tuple(name + "x" * 5000 for name in NASTY) if long else NASTY
    picture = draw(kind, table(model=NASTY[0], classes=classes))
    root = ET.fromstring(picture)
    assert "<script" not in picture
    assert picture.count("<title>") == picture.count("</title>")
    for element in root.iter(f"{SVG}text"):
        assert len(element.text) < 120
        assert "\u202e" not in element.text
    assert len(picture) < 200_000


def test_the_whole_name_is_in_a_tooltip():
    name = "y" * 5000
    picture = draw("contingency", table(classes=("x", name)))
    labels = [e for e in ET.fromstring(picture).iter(f"{SVG}text") if e.text.startswith("yyy")]
    assert len(labels) == 2
    assert all(label.text.endswith("…") and label[0].text == name for label in labels)


def test_several_in_one_picture(kind):
    if kind in ("contingency", "forest", "comparison_matrix", "critical_difference", "per_split"):
        return
    records = [make(kind, table(model=name, shift=s)) for name, s in (("one", 1), ("two", 2))]
    picture = drawings.draw(records)
    texts = [element.text for element in ET.fromstring(picture).iter(f"{SVG}text")]
    for name in ("one", "two"):
        assert any(text.startswith(f"{name}:") for text in texts)
    named = drawings.draw(records, names=["first", "second"])
    assert "second:" in named
    with pytest.raises(InputError, match="2 records need as many names, got 1"):
        drawings.draw(records, names=["first"])
    with pytest.raises(InputError, match="expected records of kind"):
        drawings.draw([records[0], "no record"])
    same = drawings.draw([records[0], records[0]])
    assert "one (2)" in same


def test_records_draw_themselves():
    record = make("roc", table())
    assert record.svg() == record._repr_html_() == drawings.roc(record)
    assert record.svg(band=False) != record.svg()
    with pytest.raises(InputError, match="no drawing of dict"):
        drawings.draw({})


def test_curves_do_not_load_the_drawings():
    code = (
        "import sys; from heliast import Predictions, curves;"
        "r = curves.roc(Predictions.of([0, 1], score=[0.2, 0.9]));"
        "assert 'heliast.views.drawings' not in sys.modules; assert r.svg().startswith('<svg')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_picture_of_a_million_rows_is_small():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 1_000_000)
    big = Predictions.of(truth, score=rng.normal(size=truth.size) + truth)
    for kind in ("roc", "precision_recall", "lift", "gain", "cost"):
        assert len(draw(kind, big)) < 45_000
    letters = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    counts = rng.integers(0, 5, (26, 26)) + 500 * np.eye(26)
    assert len(drawings.draw(Contingency.of_counts(counts, letters))) < 250_000
