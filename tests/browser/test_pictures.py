"""Pictures of the report: they fill their cards, and can be saved as they are seen."""

import struct
from xml.etree import ElementTree

import pytest
from tests.browser.tables import binary, several

import heliast as hl

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return hl.report(binary(), tmp_path_factory.mktemp("pictures") / "report.html")


CATCH = """() => {
  window.caught = [];
  URL.createObjectURL = (blob) => { window.caught.push(blob); return "blob:caught"; };
  HTMLAnchorElement.prototype.click = function () {};
}"""
SHOWN = """one => [...one.querySelectorAll("svg")]
  .find(svg => svg.getBoundingClientRect().width)?.textContent"""


def test_a_picture_is_saved_under_its_name(open_page, report, tmp_path):
    opened = open_page(report, viewport={"width": 1280, "height": 900})
    with opened.page.expect_download() as waiting:
        opened.page.locator("figure .save button").first.click()
    waiting.value.save_as(tmp_path / "a.svg")
    assert waiting.value.suggested_filename == "error-rate-of-each-model-best-first.svg"
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == f"{SVG}svg"


def test_every_picture_is_saved_as_it_is_seen(open_page, report):
    """What is handed to the browser is caught: it puts off downloads that follow each other."""
    opened = open_page(report, viewport={"width": 1280, "height": 900})
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    opened.page.evaluate(CATCH)
    figures = opened.page.locator("figure")
    assert figures.count() > 6
    for at in range(figures.count()):
        buttons = figures.nth(at).locator(".save button")
        buttons.nth(0).click()
        drawn = ElementTree.fromstring(opened.page.evaluate("window.caught.at(-1).text()"))
        assert drawn.tag == f"{SVG}svg"
        words = [text for one in drawn.iter(f"{SVG}text") for text in one.itertext()]
        shown = figures.nth(at).evaluate(SHOWN)
        assert words
        assert all(word in shown for word in words)
        # Nothing of the page's style is needed to see it: ink has its colour on it.
        inks = {one.get("fill") for one in drawn.iter(f"{SVG}text")}
        assert inks
        assert None not in inks
        buttons.nth(1).click()
        for _ in range(1000):
            if opened.page.evaluate("window.caught.length") == 2 * at + 2:
                break
            opened.page.wait_for_timeout(20)
        points = bytes(
            opened.page.evaluate(
                "window.caught.at(-1).arrayBuffer().then(one => [...new Uint8Array(one, 0, 24)])"
            )
        )
        assert points.startswith(b"\x89PNG")
        wide, high = struct.unpack(">II", points[16:24])
        assert wide == 2 * int(float(drawn.get("width")))
        assert high > 50
    assert not opened.complaints


@pytest.mark.parametrize("models", [2, 8])
def test_pictures_fill_their_cards(open_page, tmp_path, models):
    table = several(200, ["a", "b", "c"], [f"model {at}" for at in range(models)])
    opened = open_page(
        hl.report(table, tmp_path / "r.html"), viewport={"width": 1280, "height": 900}
    )
    shares = opened.page.evaluate(
        """() => [...document.querySelectorAll("figure")].map(figure => {
          const wide = (one) => one.getBoundingClientRect().width;
          const svg = [...figure.querySelectorAll("svg")].find(wide);
          return svg ? wide(svg) / figure.clientWidth : 1;
        })"""
    )
    assert min(shares) > 0.9
