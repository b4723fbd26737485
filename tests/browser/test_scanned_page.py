"""The report of a scanned table in a real browser: it opens, it moves, its counts are exact."""

from tests.browser.tables import binary
from tests.browser.test_report import agrees

import heliast as hl


def test_a_scanned_table_moves_as_one_in_memory(open_page, tmp_path):
    table = binary().only("model 1")
    scanned = hl.Predictions.scan(table.write(tmp_path / "p.parquet"))
    opened = open_page(hl.report(scanned, tmp_path / "report.html"))
    assert opened.complaints == []
    assert opened.page.locator(".failed").count() == 0
    assert opened.page.locator("figure[data-live=pr]").count() == 0
    last = int(opened.page.locator("#pick-threshold").get_attribute("max"))
    for place in (3, last // 3, last // 2, last - 2):
        opened.move("#pick-threshold", place)
        agrees(opened, table, "model 1")
    opened.move("#pick-share", 250)
    opened.page.get_by_role("button", name="lowest cost").click()
    assert opened.complaints == []
