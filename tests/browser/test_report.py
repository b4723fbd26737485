"""The report in a real browser: it opens, it moves, and it shows what the library computes."""

from pathlib import Path

import numpy as np
import pytest
from tests.browser.tables import binary

import heliast as hl

COST = [[0.0, 1.0], [5.0, -0.5]]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hl.report(binary(), tmp_path_factory.mktemp("report") / "report.html", title="Two")


def test_it_opens_without_a_network_and_without_complaint(open_page, file):
    opened = open_page(file)
    assert opened.asked == [file.as_uri()]
    assert opened.complaints == []
    assert "errs on" in opened.page.locator("h1").inner_text()
    assert opened.page.locator(".failed").count() == 0
    assert opened.page.locator("figure .moving svg").first.is_visible()


def decided(table: hl.Predictions, model: str, threshold: float) -> hl.Predictions:
    """The labels that the threshold gives, as a table of their own."""
    rows = table.rows(model)
    names = np.array(table.classes, object)
    positive = table.classes.index("sick")
    label = np.where(rows.score_of(positive) >= threshold, positive, 1 - positive)
    return hl.Predictions.of(names[rows.truth], names[label], classes=table.classes,
                             positive="sick", model=model)  # fmt: skip


def near(opened, name, one):
    for field in ("value", "low", "high"):
        shown = opened.value(f"#rate-{name}", field)
        assert shown == pytest.approx(getattr(one, field), abs=1e-9), (name, field)


@pytest.mark.parametrize("place", [0, 3, 40, 77, 120])
def test_a_threshold_shows_what_the_library_computes(open_page, file, place):
    table = binary()
    opened = open_page(file)
    opened.move("#pick-threshold", place)
    threshold = opened.value("#threshold-value")
    counted = decided(table, "model 1", threshold)
    counts = hl.assess(counted).tables["model 1"].counts
    well, sick = table.classes.index("well"), table.classes.index("sick")
    shown = [
        [opened.value(f"#cell-{name}") for name in row] for row in (("tn", "fp"), ("fn", "tp"))
    ]
    expected = counts[np.ix_([well, sick], [well, sick])]
    assert shown == expected.tolist()
    point = hl.curves.roc(table, model="model 1").at(threshold)
    dot = opened.page.locator("figure[data-live=roc] circle[data-dot=now]")
    assert float(dot.get_attribute("data-x")) == pytest.approx(point.fpr, abs=1e-12)
    assert float(dot.get_attribute("data-y")) == pytest.approx(point.tpr, abs=1e-12)
    found = hl.assess(counted, ["error", "recall", "fpr", "precision"], cost=[[0, 1], [1, 0]])
    for name in ("error", "recall", "fpr", "precision"):
        near(opened, name, found["model 1", name])
    near(opened, "cost", found["model 1", "expected_cost"])
