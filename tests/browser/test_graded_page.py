"""The report of graded answers in a browser: the bundled ones, and many models on many items."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.browser.test_page import ATTACKS, overlapping
from tests.views.test_graded_report import GRADES, crowd, graded

import heliast as hl
from heliast.cli._bundled import path

SECTIONS = ("models", "items", "spending")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("graded")
    grades = {name: [at, 1, 0, 1] * 10 for at, name in enumerate(ATTACKS[:2])}
    attacked = graded(grades, columns={"cost": [1.0, 2.0] * 40, "task": [ATTACKS[0], "b"] * 40})
    tables = {"bundled": path("answers.csv"), "crowd": crowd(), "attacked": attacked}
    tables["solved"] = graded({model: 2 * grades for model, grades in GRADES.items()})
    return {name: hl.report(table, folder / f"{name}.html") for name, table in tables.items()}


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["bundled", "crowd", "attacked"])
def test_it_opens_quietly_and_fits(open_page, pages, name, width):
    opened = open_page(pages[name], viewport={"width": width, "height": 900})
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert opened.complaints == []
    assert opened.asked == [pages[name].as_uri()]
    assert opened.page.locator(".failed").count() == 0
    assert opened.overflow() <= 0
    assert [opened.page.locator(f"#{key}").count() for key in SECTIONS] == [1] * 3
    assert opened.page.locator("#decisions, #confusion, #classes").count() == 0
    assert overlapping(opened, "#spending svg") == []


def test_items_can_be_searched(open_page, pages):
    opened = open_page(pages["solved"])
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    rows = opened.page.locator("[data-table=items] tbody tr")
    assert rows.count() == 60
    opened.page.locator("[data-table=items] input[type=search]").fill("alone")
    left = opened.page.locator("[data-table=items] tbody tr:visible")
    assert left.count() == 20
    assert all(" alone" in text for text in left.all_inner_texts())


def test_nothing_stands_in_the_way_of_a_screen_reader(open_page, pages):
    opened = open_page(pages["bundled"], bypass_csp=True)  # Axe is a script from outside
    found = Axe().run(opened.page).response["violations"]
    assert [one["id"] for one in found] == []
