"""The map's own machinery: worlds, learners and truths against what is known of them."""

import json
from dataclasses import replace
from math import nan

import numpy as np
import pytest
from benchmarks.coverage.map import _nulls, _truth
from benchmarks.coverage.map._answers import Answer, Tally, _shared, collected
from benchmarks.coverage.map._asked import asked
from benchmarks.coverage.map._assessing import ask
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._heat import LEGEND, heat, shade
from benchmarks.coverage.map._learners import LEAF, LEARNERS, NEAREST
from benchmarks.coverage.map._packed import packed
from benchmarks.coverage.map._pieces import PLANS, pieces
from benchmarks.coverage.map._report import told
from benchmarks.coverage.map._tables import cut, scored, table
from benchmarks.coverage.map._widths import rivals
from benchmarks.coverage.map._worlds import DRESSINGS, MORE, NUMBERS, TWO, dressed
from scipy.stats import norm
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.estimates import _coverage
from heliast.measures import get

CELL = Cell(
    "assess", "error", ("wilson",), "folds", "KFold(10)", "normal 50%", 1, 0.5, "linear", 200,
    100.0, 1000, 0.95, 0.02, 0.03, 0.1, 0.0, 0.0, "", 0.2, 0.0001,
)  # fmt: skip


def drawn(world, plan="KFold(5)", n=200, learner="linear", seed=1):
    rng = np.random.default_rng(seed)
    sample = world.draw(n, rng, None)
    job, splits = cut(PLANS[plan] or hl.KFold(5), world, sample, rng)
    return job, table(world, sample, scored(world, learner, job), job, splits)


@pytest.mark.parametrize("world", [*TWO[1], *TWO[2]], ids=lambda world: world.name)
def test_the_rarer_class_has_the_share_that_the_world_names(world) -> None:
    y = world.draw(100_000, np.random.default_rng(5), None).y
    error = np.sqrt(world.share * (1 - world.share) / y.size)
    assert y.mean() == pytest.approx(world.share, abs=5 * error)


def test_truths_of_normal_classes_are_those_of_the_formulas(monkeypatch) -> None:
    monkeypatch.setattr(_truth, "POPULATION", 200_000)
    found = _truth.of_rule(TWO[1][0], 1)
    for name, known in (("error", norm.cdf(-1)), ("auc", norm.cdf(2 / np.sqrt(2))), ("ece", 0.0)):
        value, se, *_ = found[name]
        assert value == pytest.approx(known, abs=5 * se + 0.002 * (name == "ece"))


def test_a_recipe_with_many_rows_errs_as_the_best_rule_does(monkeypatch) -> None:
    monkeypatch.setattr(_truth, "POOL", 50_000)
    value, se, *_ = _truth.of_recipe(TWO[1][0], "linear", 5000, 60, 1)["error"]
    assert value == pytest.approx(norm.cdf(-1), abs=5 * se + 0.003)


def test_weights_of_a_thinned_pool_give_the_class_shares(monkeypatch) -> None:
    monkeypatch.setattr(_truth, "POOL", 20_000)
    rng = np.random.default_rng(2)
    pool = _truth.Pool.of(TWO[1][2], rng)
    rows = pool.draw(1000, rng)
    assert rows.y.mean() == 0.5
    assert np.average(rows.y, weights=rows.weight) == pytest.approx(pool.sample.y.mean())


def test_groups_are_whole_and_weights_undo_the_choice_of_rows() -> None:
    rng = np.random.default_rng(3)
    for name in DRESSINGS:
        sample = dressed(TWO[1][1], name).draw(400, rng, None)
        if "group" in name:
            assert sample.y.size == sample.group.size == 400
            assert np.unique(sample.group).size <= int(name.split()[0])
        elif name == "frequency weights":
            assert sample.weight.sum() == 400
    sample = dressed(TWO[1][1], "sampling weights").draw(100_000, rng, None)
    assert sample.y.mean() > 0.23
    assert np.average(sample.y, weights=sample.weight) == pytest.approx(0.2, abs=0.006)


def test_neighbours_and_trees_are_those_of_scikit_learn() -> None:
    job, _ = drawn(TWO[1][1])
    near, grown = LEARNERS["neighbours"](job), LEARNERS["tree"](job)
    for split in range(5):
        train, here = job.weight[split] > 0, job.split == split
        X, y, Z = job.X[train], job.y[train], job.X[job.row[here]]
        peer = KNeighborsClassifier(NEAREST).fit(X, y).predict_proba(Z)
        np.testing.assert_allclose(near[here], (NEAREST * peer + 1) / (NEAREST + 2))
        tree = DecisionTreeClassifier(min_samples_leaf=LEAF, random_state=0)
        assert (grown[here].argmax(axis=1) == tree.fit(X, y).predict(Z)).mean() > 0.97


@pytest.mark.parametrize("measure", ["log_loss", "brier"])
def test_twins_have_equal_expected_loss(measure: str) -> None:
    rows = _nulls.twins(measure).draw(400_000, np.random.default_rng(1))
    p = np.where(rows.y == 1, rows.p, 1 - rows.p)
    loss = -np.log(p) if measure == "log_loss" else (1 - p) ** 2
    gap = loss[0] - loss[1]
    assert abs(gap.mean()) < 4 * gap.std() / np.sqrt(gap.size)
    assert abs(gap.mean()) < 0.01 * loss.mean()


@pytest.mark.parametrize("world", [TWO[2][0], MORE[0], NUMBERS[0]], ids=lambda world: world.name)
def test_what_is_measured_is_what_assess_says(world) -> None:
    _, predictions = drawn(world, n=60)
    quick = [one for one in asked(world) if one.name not in ("partial_auc", "brier_refinement")]
    found = hl.assess(predictions, quick)
    for measure, answer in zip(quick, ask(predictions, quick, 0), strict=True):
        one = found["model", measure.title]
        np.testing.assert_equal((answer.low, answer.high), (one.low, one.high))


def test_a_tally_counts_misses_on_either_side_and_what_has_no_interval() -> None:
    answers = [(0, 1), (0.2, 0.4), (0.6, 0.8), (nan, nan)]
    tally = Tally([Answer(*ends, "wilson", "few" if ends[0] else "") for ends in answers])
    found = tally.shares(0.5)
    assert (found["coverage"], found["below"], found["above"]) == pytest.approx((1 / 3,) * 3)
    assert (found["undefined"], found["noted"], found["methods"]) == (0.25, 0.75, ("wilson",))
    assert found["width"] == pytest.approx(0.2)


def test_costly_measures_share_the_seconds_and_cheap_ones_are_asked_of_every_table() -> None:
    assert _shared({"a": 0.1, "b": 1.0}, 110.0, 50) == {"a": 50, "b": 50}
    assert _shared({"a": 0.1, "b": 1.0}, 110.0, 1000) == {"a": 550, "b": 55}
    found = collected(
        lambda number: number,
        [get("error"), get("recall")],
        lambda table, measures, seed: [Answer(table, table + 1)] * len(measures),
        60.0,
        45,
    )
    assert [len(tally.answers) for tally in found.values()] == [45, 45]
    assert found["error"].answers[7].low == 7


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "inside"),
        ({"coverage": 0.88}, "low"),
        ({"coverage": 0.88, "repetitions": 60}, "inside"),  # chance alone could do it
        ({"coverage": 1.0}, "high"),
        ({"undefined": 0.6}, "none"),
        ({"truth_se": 0.02}, "unsure"),
        ({"verb": "compare", "rejected": 0.12}, "rejects"),
        ({"verb": "compare", "rejected": 0.05, "coverage": 1.0}, "inside"),
    ],
)
def test_the_state_of_a_cell(changes, state: str) -> None:
    assert replace(CELL, **changes).state == state


def test_what_so_many_tables_can_tell() -> None:
    low, high = told(40)
    assert 0.7 < low < 0.8
    assert np.isnan(high)  # forty covers of forty are no proof of more than 98.5%
    assert told(1000)[1] <= 1.0
    assert replace(CELL, repetitions=40, coverage=low).state == "low"
    assert replace(CELL, repetitions=40, coverage=low + 1 / 40).state == "inside"


def test_cells_are_promised_by_rows_and_by_the_rarest_class() -> None:
    assert CELL.promised
    assert not replace(CELL, n=50).promised
    assert not replace(CELL, rarest=10.0).promised
    assert replace(CELL, rarest=nan).promised  # numbers have no classes


def test_the_packed_map_gives_back_the_nearest_cells(monkeypatch) -> None:
    many = [replace(CELL, n=n, rarest=n / 2, coverage=c) for n, c in
            ((200, 0.94), (200, 0.96), (200, 0.97), (5000, 0.951))]  # fmt: skip
    many.append(replace(CELL, undefined=0.9, coverage=0.1))
    found = json.loads(packed(many))
    monkeypatch.setattr(_coverage, "_map", lambda: found)
    one = hl.Estimate(
        0.2, 0.1, 0.3, method="Wilson, effective n 300", measure="error", n=300.0, design="folds",
        rarest=100.0, key="wilson",
    )  # fmt: skip
    said = one.coverage
    assert (said.lowest, said.median, said.highest, said.cells) == (0.94, 0.96, 0.97, 3)
    assert replace(one, n=4000.0, rarest=2000.0).coverage.median == 0.951
    assert replace(one, key="normal").coverage == said  # over folds there is one default
    monkeypatch.setitem(found["assess"]["error"], "one test set", found["assess"]["error"]["folds"])
    single = replace(one, design="one test set")
    assert single.coverage == said
    assert replace(single, key="normal").coverage is None
    for other in ({"key": "wald_cv"}, {"level": 0.9}, {"design": "bootstrap"}, {"low": nan}):
        assert replace(one, **other).coverage is None


def test_a_default_is_compared_with_the_narrowest_method_that_covers() -> None:
    wide = replace(CELL, methods=("auto",), width=0.2)
    narrow = replace(CELL, methods=("normal",), width=0.05, coverage=0.8)
    good = replace(CELL, methods=("wilson",), width=0.1)
    (pair,) = rivals([wide, narrow, good])
    assert pair.rival is good
    assert pair.ratio == pytest.approx(2)


def test_colours_follow_the_bar_and_every_square_is_drawn() -> None:
    shades = [shade(value) for value in (0.8, 0.91, 0.95, 0.99, None)]
    assert shades == [colour for colour, _ in LEGEND]
    svg = heat("title", ["error"], ["folds", "one"], {("error", "folds"): (0.95, None)})
    assert svg.count('class="cell"') == 1
    assert svg.count("<rect") == 1 + 4 + len(LEGEND)


def test_every_plan_meets_every_measure_of_both_tasks() -> None:
    every = pieces()
    assert len({piece.name for piece in every}) == len(every)
    for classes in (True, False):
        plans = {p for piece in every if (piece.world.k > 0) == classes for p in piece.plans}
        assert {plan for plan in PLANS if classes or "by class" not in plan} <= plans
