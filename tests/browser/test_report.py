"""The report in a real browser: it opens, it moves, and it shows what the library computes."""

from pathlib import Path

import numpy as np
import pytest
from tests.browser.tables import binary

import heliast as hl

PLAIN = [[0.0, 1.0], [1.0, 0.0]]
ODD = [[-0.25, 1.0], [7.0, 0.5]]
NAMES = ("error", "recall", "fpr", "precision")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hl.report(binary(), tmp_path_factory.mktemp("report") / "report.html", title="Two")


@pytest.fixture(scope="module")
def weighed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same rows with a cost matrix, and scores that are no probabilities."""
    rows = binary().rows("model 1")
    names = np.array(["sick", "well"], object)
    table = hl.Predictions.of(
        names[rows.y_true],
        y_score=np.log(rows.scores + 1e-3) - np.log(1 - rows.scores + 1e-3),
        positive="sick",
        scores="decision",
    )
    assert table.classes == ("sick", "well")
    path = tmp_path_factory.mktemp("weighed") / "report.html"
    return hl.report(table, path, cost=[[0.0, 9.0], [2.0, 0.0]])


def test_it_opens_without_a_network_and_without_complaint(open_page, file):
    opened = open_page(file)
    assert opened.asked == [file.as_uri()]
    assert opened.complaints == []
    assert "error rate" in opened.page.locator("h1").inner_text()
    assert opened.page.locator(".failed").count() == 0
    assert opened.page.locator("figure .moving svg").first.is_visible()


def decided(table: hl.Predictions, model: str, threshold: float, class_: str) -> hl.Predictions:
    """The labels that the threshold gives, as a table of their own."""
    rows = table.rows(model)
    names = np.array(table.classes, object)
    own = table.classes.index(class_)
    label = np.where(rows.score_of(own) >= threshold, own, 1 - own)
    return hl.Predictions.of(
        names[rows.y_true], names[label], classes=table.classes, positive=class_, model=model
    )


def in_order(cost: list[list[float]], classes: tuple, class_: str) -> list[list[float]]:
    """Costs written with the class last, in the order of the classes."""
    return cost if classes[1] == class_ else [row[::-1] for row in cost[::-1]]


def agrees(opened, table, model, class_="sick", cost=PLAIN, share=None):
    """Everything the page says about its threshold is what the library computes."""
    threshold = opened.value("#threshold-value")
    labels = decided(table, model, threshold, class_)
    other = next(one for one in table.classes if one != class_)
    given = None if share is None else {class_: share, other: 1 - share}
    found = hl.assess(labels, NAMES, cost=in_order(cost, table.classes, class_), prevalences=given)
    order = [table.classes.index(other), table.classes.index(class_)]
    counts = found.confusion[model].counts[np.ix_(order, order)]
    cells = [["tn", "fp"], ["fn", "tp"]]
    assert [[opened.value(f"#cell-{name}") for name in row] for row in cells] == counts.tolist()
    for name in (*NAMES, "cost"):
        one = found[model, "expected_cost" if name == "cost" else name]
        for field in ("value", "low", "high"):
            shown = opened.value(f"#rate-{name}", field)
            expected = getattr(one, field)
            assert shown == pytest.approx(expected, abs=1e-9, nan_ok=True), (name, field)
    point = hl.curves.roc(table, class_, model, thin=False).at(threshold)
    dot = opened.page.locator("figure[data-live=roc] circle[data-dot=now]")
    assert float(dot.get_attribute("data-x")) == pytest.approx(point.fpr, abs=1e-12)
    assert float(dot.get_attribute("data-y")) == pytest.approx(point.tpr, abs=1e-12)


def test_a_threshold_shows_what_the_library_computes(open_page, file):
    table, opened = binary(), open_page(file)
    assert opened.value("#threshold-value") == 0.5
    agrees(opened, table, "model 1")
    last = int(opened.page.locator("#pick-threshold").get_attribute("max"))
    for place in (0, 3, last // 3, last // 2, last - 40, last - 1):
        opened.move("#pick-threshold", place)
        agrees(opened, table, "model 1")
    opened.move("#pick-threshold", last)  # above every score: nothing is called positive
    assert opened.value("#cell-tp") == opened.value("#cell-fp") == 0
    assert opened.page.locator("#rate-precision").inner_text().strip() == "–"


def test_costs_and_class_share_move_the_cost_and_its_interval(open_page, file):
    table, opened = binary(), open_page(file)
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        opened.page.locator(f"#cost-{i}{j}").fill(str(ODD[i][j]))
    last = int(opened.page.locator("#pick-threshold").get_attribute("max"))
    for place in (5, last // 2, last - 30):
        opened.move("#pick-threshold", place)
        agrees(opened, table, "model 1", cost=ODD)
    shares = []
    for place in (0, 250, 480, 900):
        opened.move("#pick-share", place)
        shares.append(opened.value("#share-value"))
        agrees(opened, table, "model 1", cost=ODD, share=shares[-1])
    assert shares[0] == 0.0001
    assert shares == sorted(shares)
    opened.page.get_by_role("button", name="as in these rows").click()
    agrees(opened, table, "model 1", cost=ODD)


def test_the_cheapest_threshold_is_the_librarys(open_page, file):
    table, opened = binary(), open_page(file)
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        opened.page.locator(f"#cost-{i}{j}").fill(str(ODD[i][j]))
    opened.move("#pick-share", 380)
    share = opened.value("#share-value")
    assert 0.09 < share < 0.11
    opened.page.get_by_role("button", name="lowest cost").click()
    roc = hl.curves.roc(table, model="model 1", thin=False)
    best = roc.best(in_order(ODD, table.classes, "sick"), prevalence=share)
    assert opened.value("#cell-tp") == best.tp
    assert opened.value("#cell-fp") == best.fp
    assert opened.value("#rate-cost") == pytest.approx(best.cost, abs=1e-12)


def test_another_model_and_another_class(open_page, file):
    table, opened = binary(), open_page(file)
    names = opened.page.locator("#pick-model option").all_inner_texts()
    for name in names:
        opened.page.locator("#pick-model").select_option(label=name)
        agrees(opened, table, name)
    opened.page.locator("#pick-class").select_option(label="well")
    agrees(opened, table, names[-1], "well")
    assert opened.complaints == []


def test_given_costs_are_read_in_the_order_of_the_classes(open_page, weighed):
    opened = open_page(weighed)
    cost = [[float(opened.page.locator(f"#cost-{i}{j}").input_value()) for j in (0, 1)]
            for i in (0, 1)]  # fmt: skip
    assert cost == [[0.0, 2.0], [9.0, 0.0]]  # misses of 'sick' cost 9
    assert opened.page.get_by_role("button", name="0.5").count() == 0  # no probabilities here
    assert opened.page.locator("figure[data-live=calibration]").count() == 0


def test_pooled_repeats_count_rows_once_in_intervals(open_page, tmp_path):
    one = binary(n=200, models=1)
    rows, names = one.rows("model 1"), np.array(one.classes, object)
    twice = hl.Predictions.of(
        np.tile(names[rows.y_true], 2), y_score=np.tile(rows.scores, 2), positive="sick",
        model="m", row=np.tile(np.arange(200), 2), split=np.repeat([0, 1], 200),
    )  # fmt: skip
    opened = open_page(hl.report(twice, tmp_path / "report.html"))
    recall = hl.assess(one, "recall")["model 1", "recall"]
    assert opened.value("#cell-tp") == 2 * hl.assess(one).confusion["model 1"].counts[0, 0]
    for field in ("value", "low", "high"):
        assert opened.value("#rate-recall", field) == pytest.approx(getattr(recall, field))
    assert "pooled" in opened.page.locator("#rates-how").inner_text()


def test_rows_in_groups_get_no_interval_from_counts(open_page, tmp_path):
    one = binary(n=200, models=1)
    rows, names = one.rows("model 1"), np.array(one.classes, object)
    table = hl.Predictions.of(
        names[rows.y_true], y_score=rows.scores, positive="sick", group=np.arange(200) // 4
    )
    opened = open_page(hl.report(table, tmp_path / "report.html"))
    assert np.isnan(opened.value("#rate-recall", "low"))
    assert "clustered" in opened.page.locator("#rates-how").inner_text()
    assert opened.complaints == []
