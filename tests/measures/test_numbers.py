import numpy as np
import pytest
from sklearn.metrics import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    median_absolute_error,
    r2_score,
)

from heliast import Predictions, measures
from heliast.measures.summaries import Counted


def sample(seed=0, n=40):
    rng = np.random.default_rng(seed)
    truth = rng.normal(5, 2, n)
    return truth, truth + rng.normal(size=n), rng.integers(1, 4, n)


def form(name, truth, label, **more):
    table = Predictions.of(truth, label, task="regression", **more)
    return measures.get(name).form(Counted(table.rows()))


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("mae", mean_absolute_error),
        ("mse", mean_squared_error),
        ("rmse", lambda *a, **k: np.sqrt(mean_squared_error(*a, **k))),
        ("mape", mean_absolute_percentage_error),
        ("median_ae", median_absolute_error),
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


def test_the_bias_has_a_sign():
    assert form("mean_error", [1.0, 2.0, 3.0], [2.0, 2.0, 5.0]).value == pytest.approx(1.0)
    assert form("mean_error", [2.0, 2.0, 5.0], [1.0, 2.0, 3.0]).value == pytest.approx(-1.0)


def test_a_share_of_zero_is_undefined():
    found = form("mape", [0.0, 2.0, 4.0], [1.0, 2.0, 2.5])
    assert np.isnan(found.value)
    assert found.reason == "y_true is 0 in 1 row"


def test_relative_absolute_error_by_hand():
    # The mean of the truths is 2; guessing it would cost 2 + 0 + 2.
    assert form("rae", [0.0, 2.0, 4.0], [1.0, 2.0, 2.5]).value == pytest.approx(2.5 / 4)


@pytest.mark.parametrize("name", ["rmse", "rrse"])
def test_a_perfect_prediction_has_no_influence(name):
    truth, _, _ = sample()
    found = form(name, truth, truth)
    assert found.value == 0
    assert not found.influence(Predictions.of(truth, truth, task="regression").rows()).any()


@pytest.mark.parametrize("name", ["rae", "rse", "rrse", "r2"])
@pytest.mark.parametrize("constant", [0.1, 7.0, 1e9 + 0.3])
def test_equal_truths_leave_nothing_to_compare_with(name, constant):
    # The mean of three 0.1 is not 0.1: the spread must not be taken for rounding.
    found = form(name, [constant] * 3, [1.0, 2.0, 3.5])
    assert np.isnan(found.value)
    assert found.reason.startswith("all y_true are equal")
    weighted = form(name, [constant] * 3 + [5.0], [1.0, 2.0, 3.5, 5.0], weight=[1, 1, 2, 0])
    assert np.isnan(weighted.value)


def test_groups_are_what_varies():
    truth, label, _ = sample()
    group, loss = np.arange(truth.size) % 6, np.abs(truth - label)
    sums, size = np.bincount(group, weights=loss - loss.mean()), np.bincount(group)
    moved = sums / (truth.size - size)  # how far the mean moves without each group
    found = form("mae", truth, label, group=group)
    assert found.variance == pytest.approx(5 / 6 * (moved**2).sum())
    assert found.df == pytest.approx(truth.size**2 / (size**2).sum() - 1)


def test_far_from_zero_the_spread_keeps_its_digits():
    truth = np.full(100, 1e8)
    label = truth + 1e4 + np.tile([-0.01, 0.01], 50)
    found = form("mae", truth, label)
    error = np.abs(label - truth)
    assert found.variance == pytest.approx(error.var(ddof=1) / 100, rel=1e-6)


def test_moving_both_changes_nothing():
    truth, label, _ = sample()
    for measure in measures.everything():
        if measure.task == "regression" and measure.name != "mape":
            here, there = (form(measure.name, truth + s, label + s).value for s in (0, 1000))
            assert here == pytest.approx(there), measure.name
