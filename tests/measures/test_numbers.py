import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score

from heliast import Predictions, measures
from heliast.measures.summaries import Counted


def sample(seed=0, n=40):
    rng = np.random.default_rng(seed)
    truth = rng.normal(5, 2, n)
    return truth, truth + rng.normal(size=n), rng.integers(1, 4, n)


def form(name, truth, label, **more):
    table = Predictions.of(truth, label, task="number", **more)
    return measures.get(name).form(Counted(table.rows()))


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("mae", mean_absolute_error),
        ("mse", mean_squared_error),
        ("rmse", lambda *a, **k: np.sqrt(mean_squared_error(*a, **k))),
        ("r2", r2_score),
        ("rse", lambda *a, **k: 1 - r2_score(*a, **k)),
        ("rrse", lambda *a, **k: np.sqrt(1 - r2_score(*a, **k))),
    ],
)
def test_against_scikit_learn(name, peer):
    truth, label, weight = sample()
    assert form(name, truth, label).value == pytest.approx(peer(truth, label))
    expected = peer(truth, label, sample_weight=weight)
    assert form(name, truth, label, weight=weight).value == pytest.approx(expected)


def test_relative_absolute_error_by_hand():
    # The mean of the truths is 2; guessing it would cost 2 + 0 + 2.
    assert form("rae", [0.0, 2.0, 4.0], [1.0, 2.0, 2.5]).value == pytest.approx(2.5 / 4)


@pytest.mark.parametrize("name", ["rmse", "rae", "rse", "rrse", "r2"])
def test_influence_is_the_slope_in_the_weight_of_a_row(name):
    truth, label, weight = sample(1, 15)
    weight = weight.astype(float)
    found = form(name, truth, label, weight=weight, weights="sampling")
    rows = Predictions.of(truth, label, task="number", weight=weight, weights="sampling").rows()
    influence = found.influence(rows)
    assert np.average(influence, weights=weight) == pytest.approx(0, abs=1e-12)
    step = 1e-5
    for i in range(15):
        bump = step * np.eye(15)[i]
        up, down = (
            form(name, truth, label, weight=w, weights="sampling").value
            for w in (weight + bump, weight - bump)
        )
        assert influence[i] / weight.sum() == pytest.approx((up - down) / (2 * step), abs=1e-7)


@pytest.mark.parametrize("name", ["rmse", "rrse"])
def test_a_perfect_prediction_has_no_influence(name):
    truth, _, _ = sample()
    found = form(name, truth, truth)
    assert found.value == 0
    assert not found.influence(Predictions.of(truth, truth, task="number").rows()).any()


@pytest.mark.parametrize("name", ["rae", "rse", "rrse", "r2"])
@pytest.mark.parametrize("constant", [0.1, 7.0, 1e9 + 0.3])
def test_equal_truths_leave_nothing_to_compare_with(name, constant):
    # The mean of three 0.1 is not 0.1: the spread must not be taken for rounding.
    found = form(name, [constant] * 3, [1.0, 2.0, 3.5])
    assert np.isnan(found.value)
    assert found.reason.startswith("all truths are equal")
    weighted = form(name, [constant] * 3 + [5.0], [1.0, 2.0, 3.5, 5.0], weight=[1, 1, 2, 0])
    assert np.isnan(weighted.value)


def test_far_from_zero_the_spread_keeps_its_digits():
    truth = np.full(100, 1e8)
    label = truth + 1e4 + np.tile([-0.01, 0.01], 50)
    found = form("mae", truth, label)
    error = np.abs(label - truth)
    assert found.variance == pytest.approx(error.var(ddof=1) / 100, rel=1e-6)


def test_moving_both_changes_nothing():
    truth, label, _ = sample()
    for measure in measures.everything():
        if measure.task == "number":
            here, there = (form(measure.name, truth + s, label + s).value for s in (0, 1000))
            assert here == pytest.approx(there), measure.name
