"""The interval of calibration errors. Coverage at size: benchmarks; here at small size."""

import numpy as np
import pytest

import heliast as hl
from heliast import Predictions, measures
from heliast.estimates import estimate
from heliast.measures.summaries import Counted

NAMES = pytest.mark.parametrize("name", ["ece", "brier_calibration"])


def table_of(truth, score, **more):
    return Predictions.of(
        truth, y_score=score, classes=[0, 1], positive=1, scores="probability", **more
    )


def found_of(name, table, level=0.95, seed=0, **parameters):
    return estimate(measures.get(name, **parameters), Counted(table.rows()), level=level, seed=seed)


def sample(rng, n, slope=1.0):
    score = rng.beta(2, 2, n)
    chance = 1 / (1 + (1 / score - 1) ** slope)
    return (rng.random(n) < chance).astype(int), score


@NAMES
def test_calibrated_models_are_covered(name):
    """Of 50 intervals 2.5% may leave 0 out: 6 or more do so once in 500."""
    rng = np.random.default_rng(1)
    found = [found_of(name, table_of(*sample(rng, 400))) for _ in range(50)]
    assert sum(one.low > 0 for one in found) <= 5
    assert all(one.low <= one.value <= one.high for one in found)


@NAMES
def test_overconfident_models_are_covered(name):
    rng = np.random.default_rng(2)
    score = rng.beta(2, 2, 1_000_000)
    gap = score - 1 / (1 + (1 / score - 1) ** 0.6)
    truth = np.mean(gap**2)
    if name == "ece":
        truth = np.abs(np.bincount((score * 10).astype(int), weights=gap)).sum() / gap.size
    found = [found_of(name, table_of(*sample(rng, 800, 0.6))) for _ in range(40)]
    assert sum(one.low <= truth <= one.high for one in found) >= 34
    assert sum(one.low > 0 for one in found) >= 20  # and not by saying nothing


def test_the_gate_lets_calibrated_models_pass():
    rng = np.random.default_rng(3)
    found = [found_of("ece", table_of(*sample(rng, 20_000))) for _ in range(20)]
    assert all(one.high <= 0.02 for one in found)


@NAMES
def test_the_plug_in_has_no_interval(name):
    table = table_of(*sample(np.random.default_rng(4), 100))
    one = hl.assess(table, [measures.get(name, debias=False)])["model", f"{name}(debias=False)"]
    assert one.value > 0
    assert np.isnan(one.low)
    assert "biased up" in one.reason


@NAMES
def test_certain_forecasts_that_come_true_are_not_certain(name):
    truth = np.tile([0, 1], 30)
    right, wrong = found_of(name, table_of(truth, truth * 1.0)), found_of(
        name, table_of(truth, 1.0 - truth)
    )  # fmt: skip
    assert (right.value, right.low) == (0, 0)
    assert 1 / 60 < right.high < 0.2 if name == "ece" else 0 < right.high < 0.05
    assert (wrong.value, wrong.high) == (1, 1)
    assert 0.75 < wrong.low < 1


@NAMES
def test_level_and_seed(name):
    table = table_of(*sample(np.random.default_rng(5), 800, 0.6))
    narrow, wide, again = (found_of(name, table, level) for level in (0.8, 0.99, 0.8))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (narrow.low, narrow.high) == (again.low, again.high)
    other = found_of(name, table, 0.8, seed=1)
    assert (other.low, other.high) == pytest.approx((narrow.low, narrow.high), rel=0.1)


@NAMES
def test_order_and_frequency_weights_do_not_matter(name):
    rng = np.random.default_rng(6)
    truth, score = sample(rng, 200, 0.6)
    weight = rng.integers(1, 4, 200)
    repeated = np.repeat(np.arange(200), weight)
    found = [
        found_of(name, table_of(truth, score, weight=weight)),
        found_of(name, table_of(truth[repeated], score[repeated])),
        found_of(name, table_of(truth[repeated][::-1], score[repeated][::-1])),
    ]
    for one in found[1:]:
        assert (one.value, one.low, one.high) == pytest.approx(
            (found[0].value, found[0].low, found[0].high)
        )


@NAMES
def test_sampling_weights_leave_fewer_rows(name):
    rng = np.random.default_rng(7)
    truth, score = sample(rng, 600)
    weight = rng.choice([0.2, 3.0], 600)
    plain = found_of(name, table_of(truth, score))
    found = found_of(name, table_of(truth, score, weight=weight, weights="sampling"))
    assert found.n_effective == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    assert found.se > 1.1 * plain.se
    even = found_of(name, table_of(truth, score, weight=np.full(600, 2.5), weights="sampling"))
    assert (even.low, even.high) == pytest.approx((plain.low, plain.high))


def test_copies_in_groups_are_worth_one_row():
    truth, score = sample(np.random.default_rng(8), 400)
    copies = np.tile(np.arange(400), 3)
    plain, naive, found = (
        found_of("ece", table)
        for table in (
            table_of(truth, score),
            table_of(truth[copies], score[copies]),
            table_of(truth[copies], score[copies], group=copies),
        )
    )
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), rel=0.05)
    assert naive.high - naive.low < 0.85 * (found.high - found.low)
    assert found.n_effective == pytest.approx(400, rel=0.2)


@NAMES
def test_few_groups_have_no_interval(name):
    truth, score = sample(np.random.default_rng(8), 100)
    few = found_of(name, table_of(truth, score, group=np.arange(100) % 4))
    assert "only 4 groups" in few.reason


def test_grouped_models_are_covered():
    """40 groups of 10 rows that share a shift; forecasts right on average: 0 is covered."""
    rng = np.random.default_rng(9)
    node, weight = np.polynomial.hermite_e.hermegauss(31)
    excluded = {True: 0, False: 0}
    for _ in range(40):
        group = np.repeat(np.arange(40), 10)
        x = rng.normal(size=400)
        shift = rng.normal(0, 0.8, 40)[group]
        score = (1 / (1 + np.exp(-x[:, None] - 0.8 * node))) @ weight / weight.sum()
        truth = (rng.random(400) < 1 / (1 + np.exp(-x - shift))).astype(int)
        for grouped in excluded:
            more = {"group": group} if grouped else {}
            excluded[grouped] += found_of("ece", table_of(truth, score, **more)).low > 0
    assert excluded[True] <= 5
    assert excluded[False] > excluded[True]


def test_valid_for_calibration_errors_only():
    table = table_of(*sample(np.random.default_rng(10), 60))
    found = estimate(measures.get("auc"), Counted(table.rows()), interval="calibration")
    assert "calibration is valid for" in found.reason
