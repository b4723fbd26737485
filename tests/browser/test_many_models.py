"""A report of many models in a browser: the best in full, all to be searched and sorted."""

import pytest
from tests.verbs.test_many_models import crowd

import heliast as hl

ROWS = "[data-table=measures] tbody tr"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("many") / "report.html"
    return hl.report(crowd(60, 45, 200), path)


def shown(opened):
    return opened.page.eval_on_selector_all(
        ROWS, "rows => rows.filter(one => !one.hidden).map(one => one.children[0].textContent)"
    )


def test_every_model_can_be_found(open_page, report):
    opened = open_page(report)
    assert len(shown(opened)) == 60
    field = opened.page.locator("[data-table=measures] input[type=search]")
    field.fill("M17")
    assert shown(opened) == ["m17"]
    assert opened.page.locator("[data-table=measures] output").text_content() == "1 of 60"
    field.fill("")
    assert len(shown(opened)) == 60
    assert opened.complaints == []


def test_a_click_on_a_heading_sorts(open_page, report):
    opened = open_page(report)
    heads = opened.page.locator("[data-table=measures] thead button")
    names = heads.all_text_contents()
    at = names.index("Cohen's kappa")
    read = f"rows => rows.map(one => Number(one.children[{at}].dataset.value))"
    for turned in (False, True):
        heads.nth(at).click()
        values = opened.page.eval_on_selector_all(ROWS, read)
        assert values == sorted(values, reverse=turned)
    assert opened.complaints == []


def test_without_scripts_all_is_there(open_page, report):
    opened = open_page(report, java_script_enabled=False)
    assert opened.page.locator(ROWS).count() == 60
    assert opened.page.locator("input[type=search]").count() == 0


def test_few_rows_have_no_search(open_page, tmp_path):
    opened = open_page(hl.report(crowd(5, 3, 60), tmp_path / "few.html"))
    assert opened.page.locator("input[type=search]").count() == 0
    assert opened.page.locator("thead button").count() == 0
