"""Slices: a slice is a selection of rows under the same question."""

import itertools
import math

import numpy as np
import pytest

import heliast as hl
from heliast.comparisons import apart, differ
from heliast.verbs.cuts import cuts

P = hl.Predictions


def _table(n: int = 600, seed: int = 1, **more: object) -> hl.Predictions:
    rng = np.random.default_rng(seed)
    region, age = rng.choice(["north", "south", "east"], n), rng.normal(40, 10, n)
    truth = rng.integers(0, 2, n)
    wrong = rng.random(n) < np.where(region == "north", 0.35, 0.15)
    columns = {"region": region, "age": age}
    label = np.where(wrong, 1 - truth, truth)
    return P.of(truth, label, model="old", row=np.arange(n), columns=columns, **more)


def _other(table: hl.Predictions, seed: int = 2, model: str = "new") -> hl.Predictions:
    rng = np.random.default_rng(seed)
    wrong = rng.random(len(table)) < 0.15
    label = np.where(wrong, 1 - table.y_true, table.y_true)
    return P.of(table.y_true, label, model=model, row=table.row, classes=[0, 1])


def _region(table: hl.Predictions) -> np.ndarray:
    return table.columns["region"].plain()


# --- the slices themselves -----------------------------------------------------------------------


def test_numbers_are_cut_at_quantiles_and_text_by_value() -> None:
    table = P.of([0, 1] * 50, [0, 1] * 50, columns={"x": np.arange(100), "few": [1, 2] * 50})
    (quarters,), (thirds,), (few,) = (cuts(table, [(name,)]) for name in ("x", "x:3", "few"))
    assert [int(keep.sum()) for _, keep in quarters] == [25, 25, 25, 25]
    assert quarters.names == ("x <= 24", "24 < x <= 49", "49 < x <= 74", "x > 74")
    assert quarters.notes == ("x is cut at its quantiles into 4 parts: 24, 49, 74",)
    assert sum(int(keep.sum()) for _, keep in thirds) == 100
    assert few.names == ("1", "2")


def test_missing_values_and_rare_ones_are_slices() -> None:
    many = [f"v{at}" for at in range(60)] + ["v0"] * 40
    table = P.of([0, 1] * 50, [0, 1] * 50, columns={"many": many, "x": [None, 1.5, 2.5, 3.5] * 25})
    (by_many,), (by_x,) = cuts(table, [("many",)]), cuts(table, [("x",)])
    assert by_many.names[-1] == "(all others)"
    assert len(by_many.names) == 40
    assert sum(int(keep.sum()) for _, keep in by_many) == 100
    assert by_x.names == ("1.5", "2.5", "3.5", "(missing)")


def test_crossed_columns_give_a_slice_for_each_pair() -> None:
    table = _table()
    (crossed,) = cuts(table, [("region", "age:2")])
    assert len(crossed.names) == 6
    edge = np.quantile(table.columns["age"].values, 0.5, method="inverted_cdf")
    for region, old in itertools.product(("east", "north", "south"), (False, True)):
        mine = (_region(table) == region) & ((table.columns["age"].values > edge) == old)
        name = next(n for n in crossed.names if n.startswith(region) and (">" in n) == old)
        keep = dict(crossed)[name]
        np.testing.assert_array_equal(keep, mine)


def test_what_every_table_has_can_be_sliced_by() -> None:
    table = _table(group=np.arange(600) // 60)
    (truth,), (group,) = cuts(table, [("y_true",)]), cuts(table, [("group",)])
    assert truth.names == ("0", "1")
    assert len(group.names) == 10


# --- assess --------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["error", "recall", "kappa"])
def test_a_slice_is_the_same_question_about_its_rows(measure: str) -> None:
    table = _table()
    found = hl.assess(table, measure, by="region").slices
    level = 1 - 0.05 / 3
    for one in found:
        keep = _region(table) == one.name
        alone = hl.assess(table.where(keep), measure, level)["old", measure]
        rest = hl.assess(table.where(~keep), measure, level)["old", measure]
        assert one.value == alone.value
        assert one.rest == rest.value
        assert one.each_level == pytest.approx(level)
        assert one.n == keep.sum()
        assert one.share == pytest.approx(keep.mean())
        if measure == "kappa":
            assert (one.low, one.high) == (alone.low, alone.high)


def test_rates_of_slices_have_exact_limits_and_newcombes_difference() -> None:
    table = _table()
    one = hl.assess(table, "error", by="region").slices["old", "error", "region"][1]
    keep = _region(table) == "north"
    wrong, level = table.y_true != table.y_pred, 1 - 0.05 / 3
    ends = [
        hl.estimates.clopper_pearson(int(wrong[rows].sum()), int(rows.sum()), level)
        for rows in (keep, ~keep)
    ]
    assert (one.low, one.high) == pytest.approx((ends[0].low, ends[0].high), rel=1e-12)
    down = math.hypot(one.value - ends[0].low, ends[1].high - one.rest)
    assert one.difference_low == pytest.approx(one.difference - down, rel=1e-12)
    assert one.finding == "worse"


def test_p_and_interval_agree_at_the_level() -> None:
    two = apart((0.5, 0.4, 0.6), (0.3, 0.2, 0.4))
    assert (two.p < 0.05) == (two.low > 0)
    edge = apart((0.5, 0.4, 0.6), (0.5 - math.hypot(0.1, 0.1), 0.2, 0.6 - math.hypot(0.1, 0.1)))
    assert edge.low == pytest.approx(0, abs=1e-12)
    assert edge.p == pytest.approx(0.05, rel=1e-9)


def test_the_test_of_all_slices_is_cochrans_q() -> None:
    low, high = np.array([0.1, 0.12, 0.3]), np.array([0.2, 0.24, 0.42])
    centre, weight = (low + high) / 2, (2 * 1.959963984540054 / (high - low)) ** 2
    mean = (weight * centre).sum() / weight.sum()
    found = differ(low, high)
    assert found.statistic == pytest.approx((weight * (centre - mean) ** 2).sum(), rel=1e-9)


def test_groups_that_span_slices_correlate_them() -> None:
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(40), 10)
    hard = rng.beta(1, 3, 40)[group]
    truth = rng.integers(0, 2, 400)
    label = np.where(rng.random(400) < hard, 1 - truth, truth)
    half = np.tile(["a", "b"], 200)
    table = P.of(truth, label, group=group, columns={"half": half})
    apart_ = hl.assess(table, "error", by="half").slices
    nested = P.of(truth, label, group=group * 2 + (half == "b"), columns={"half": half})
    alone = hl.assess(nested, "error", by="half").slices
    widths = [
        one.slices[0].difference_high - one.slices[0].difference_low for one in (apart_, alone)
    ]
    assert widths[0] < widths[1]
    assert apart_.alike[0].method.startswith("F test")


def test_small_slices_have_no_interval_and_say_why() -> None:
    table = P.of([0, 1] * 30, [0, 1] * 30, columns={"k": ["rare"] * 6 + ["usual"] * 54})
    rare, usual = hl.assess(table, by="k").slices
    assert math.isnan(rare.low)
    assert rare.reason == "only 6 rows: an interval of a slice needs 10"
    assert usual.low == usual.low


def test_of_files_and_frames_the_columns_are_kept(tmp_path) -> None:
    table = _table()
    path = table.write(tmp_path / "sliced.csv")
    assert hl.assess(path, "error", by="region").slices.to_frame().num_rows == 3
    with pytest.raises(hl.InputError, match=r"'regio'.*did you mean 'region'"):
        hl.assess(path, by="regio")
    with pytest.raises(hl.InputError, match="no such column was kept; there are: 'region', 'age'"):
        hl.assess(table, by="size")
    with pytest.raises(hl.InputError, match="cannot be sliced"):
        hl.assess(P.scan(path), by="region")


def test_views_show_slices_escaped() -> None:
    table = P.of([0, 1] * 50, [0, 1] * 40 + [0, 0] * 10,
                 columns={"<b>k": ["<script>"] * 50 + ["plain"] * 50})  # fmt: skip
    found = hl.assess(table, by="<b>k")
    assert "Error rate of model by <b>k" in str(found)
    assert "<script>" not in found._repr_html_()
    assert found.to_dict()["slices"]["slices"][0]["name"] == "<script>"


def test_the_report_has_a_section_of_slices(tmp_path) -> None:
    table = _table()
    page = hl.report(table.join(_other(table)), tmp_path / "r.html", by="region").read_text()
    assert "Error rate of old by region" in page
    assert "Error rate of old - new by region" in page
    assert 'id="slices"' in hl.report(table, tmp_path / "s.html", by="age:2").read_text()
    assert "by region" not in hl.report(table, tmp_path / "t.html").read_text()


def test_folds_are_sliced_too() -> None:
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    data = hl.Dataset.of({"x": rng.normal(size=200), "z": rng.normal(size=200)},
                         rng.integers(0, 2, 200))  # fmt: skip
    table = hl.run({"bayes": GaussianNB()}, data, 5, progress=False, keep="z")
    found = hl.assess(table, "error", by="z:2").slices
    keep = table.columns["z"].values > np.quantile(data.column("z"), 0.5, method="inverted_cdf")
    wrong = table.y_true != table.y_pred
    assert found.slices[1].value == pytest.approx(wrong[keep].mean())
    assert found.slices[0].low < found.slices[0].value < found.slices[0].high


# --- compare -------------------------------------------------------------------------------------


def test_compare_by_slices_gives_each_difference_and_whether_it_changes() -> None:
    table = _table()
    both = table.join(_other(table))
    found = hl.compare(both, "error", by="region")
    for one in found.slices:
        keep = both.columns["region"].plain() == one.name
        alone = hl.compare(both.where(keep), "error", level=1 - 0.05 / 3)["old", "new"]
        assert (one.value, one.low, one.high) == (alone.value, alone.low, alone.high)
    assert found.slices.alike[0].p < 0.001
    assert {one.name: one.finding for one in found.slices}["north"] == "larger"
    with pytest.raises(hl.InputError, match="by: slices are of one table"):
        hl.compare({f"d{at}": both for at in range(6)}, by="region")


# --- find_slices ---------------------------------------------------------------------------------


def _planted(n: int, seed: int, more: float) -> hl.Predictions:
    rng = np.random.default_rng(seed)
    a, b = rng.choice(list("abcde"), n), rng.normal(size=n)
    p = 0.15 + more * ((a == "c") & (b > np.quantile(b, 0.75)))
    truth = rng.integers(0, 2, n)
    label = np.where(rng.random(n) < p, 1 - truth, truth)
    return P.of(truth, label, classes=[0, 1], columns={"a": a, "b": b, "c": rng.normal(size=n)})


def test_a_planted_slice_is_found_and_measured_on_rows_that_were_not_searched() -> None:
    table = _planted(6000, 1, 0.2)
    found = hl.find_slices(table, seed=3)
    one = found.slices[0]  # the worst of those that are
    assert one.name.startswith("a = c and b > ")
    rng = np.random.default_rng(3)
    first = np.zeros(6000, bool)
    first[rng.permutation(6000)[:3000]] = True
    edge = np.quantile(table.columns["b"].values, 0.75, method="inverted_cdf")
    mine = ~first & (table.columns["a"].plain() == "c") & (table.columns["b"].values > edge)
    assert one.n == mine.sum()
    assert one.value == pytest.approx((table.y_true != table.y_pred)[mine].mean())


def test_where_nothing_is_weak_hardly_anything_is_reported() -> None:
    reported = sum(bool(len(hl.find_slices(_planted(800, seed, 0.0)))) for seed in range(40))
    assert reported <= 5  # 2 expected at most; P(more than 5) < 0.02 at 5%


def test_groups_are_halved_whole_and_refusals_name_what_is_missing() -> None:
    rng = np.random.default_rng(2)
    truth, group = rng.integers(0, 2, 400), np.arange(400) // 10
    label = np.where(rng.random(400) < 0.2, 1 - truth, truth)
    table = P.of(truth, label, group=group, columns={"k": rng.choice(["p", "q"], 400)})
    found = hl.find_slices(table, "k", conditions=1)
    assert found.n_search == 200
    for said, call in {
        "no column to search": lambda: hl.find_slices(P.of([0, 1], [0, 1])),
        "several models": lambda: hl.find_slices(_table().join(_other(_table()))),
        "conditions=3": lambda: hl.find_slices(table, conditions=3),
        "no such column": lambda: hl.find_slices(table, "nope"),
        "2 splits": lambda: hl.find_slices(
            P.of([0, 1], [0, 1], split=["a", "b"], columns={"k": [1, 2]})
        ),
    }.items():
        with pytest.raises(hl.InputError, match=said):
            call()


def test_a_table_with_one_kept_column_is_no_data_frame():
    """What has one column may stand for a truth, if it is a frame."""
    table = hl.Predictions.of(
        [0, 1] * 40, [0, 1, 1, 1] * 20, row=range(80), columns={"region": ["n", "s"] * 40}
    )
    assert hl.assess(table, ["error"], by="region").slices is not None
    assert hl.gate(table, ["error.high <= 0.9 by region"]).passed
    assert len(hl.compare(table, table.renamed("other")).pairs) == 1
    hl.find_slices(table, ["region"])


@pytest.mark.parametrize(("right", "items"), [(0.95, 40), (0.98, 40), (0.9, 15)])
def test_intervals_of_graded_slices_hold_together(right, items):
    """Right or wrong answers, ten slices: with Wilson's limits all held in 89 to 93% of tables."""
    rng, together = np.random.default_rng(21), 0
    region = np.repeat([f"s{k}" for k in range(10)], items)
    for _ in range(60):
        grade = (rng.random(10 * items) < right) * 1.0
        table = hl.Predictions.graded(
            grade, model="m", item=np.arange(10 * items), columns={"region": region}
        )
        found = hl.assess(table, "grade", by="region").slices
        together += all(one.low <= right <= one.high for one in found)
    assert together >= 57


def test_means_over_attempts_are_no_slices() -> None:
    rng = np.random.default_rng(0)
    given = {"item": np.repeat(np.arange(50), 2), "attempt": [1, 2] * 50, "model": "m"}
    half = {"half": np.repeat(["old", "new"], 50)}
    table = hl.Predictions.graded(
        rng.integers(0, 2, 100), **given, columns={"cost": rng.random(100), **half}
    )
    with pytest.raises(hl.InputError, match="by='cost': it belongs to each attempt"):
        hl.assess(table, by="cost")
    assert {one.name for one in hl.assess(table, "grade", by="half").slices} == {"old", "new"}
    assert hl.find_slices(table).searched == 2  # cost is not searched
