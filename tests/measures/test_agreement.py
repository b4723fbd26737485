import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from heliast import Predictions, measures
from heliast.measures.summaries import Counted


def form(name, *columns, **more):
    return measures.get(name).form(Counted(Predictions.of(*columns, **more).rows()))


def random_table(k, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, 90)
    return truth, np.where(rng.random(90) < 0.5, truth, rng.integers(0, k, 90))


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize(
    ("name", "peer"), [("kappa", cohen_kappa_score), ("mcc", matthews_corrcoef)]
)
def test_against_scikit_learn(name, peer, k):
    truth, label = random_table(k, k)
    weight = np.arange(90) % 4
    assert form(name, truth, label).value == pytest.approx(peer(truth, label))
    expected = peer(truth, label, sample_weight=weight)
    assert form(name, truth, label, weight=weight).value == pytest.approx(expected)


def test_by_hand():
    # 20 and 15 agree of 50; margins 25/25 and 30/20: chance 0.5.
    truth = ["y"] * 25 + ["n"] * 25
    label = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert form("kappa", truth, label).value == pytest.approx((0.7 - 0.5) / 0.5)
    mcc = (20 * 15 - 10 * 5) / np.sqrt(25 * 25 * 30 * 20)
    assert form("mcc", truth, label).value == pytest.approx(mcc)


@pytest.mark.parametrize("name", ["kappa", "mcc"])
@pytest.mark.parametrize("n", [6, 13, 21, 999])
def test_perfect_is_exactly_one(name, n):
    truth = np.arange(n) % 4  # shares of 13 rows sum to more than 1
    assert form(name, truth, truth).value == 1


@pytest.mark.parametrize("name", ["kappa", "mcc"])
@pytest.mark.parametrize("n", [1, 3, 49, 1000])
def test_one_class_only_is_undefined_not_one(name, n):
    for weight in (None, [3] * n, [0.1] * n, np.linspace(0.1, 0.7, n)):  # sums that round
        found = form(name, ["a"] * n, ["a"] * n, classes=["a", "b"], weight=weight)
        assert np.isnan(found.value)
        assert "of one class" in found.reason


def test_one_class_against_another_agrees_no_more_than_chance():
    assert form("kappa", ["a"] * 3, ["b"] * 3).value == 0
    assert np.isnan(form("mcc", ["a"] * 3, ["b"] * 3).value)


@pytest.mark.parametrize("n", [3, 7, 10])
def test_a_constant_label_has_kappa_zero_and_no_correlation(n):
    truth = ["a"] * n + ["b"] * 4
    assert form("kappa", truth, ["a"] * (n + 4)).value == pytest.approx(0, abs=1e-15)
    found = form("mcc", truth, ["a"] * (n + 4))
    assert np.isnan(found.value)
    assert found.reason == "y_true or y_pred is all of one class"


def test_rounding_of_weights_makes_no_correlation_with_a_constant():
    rng = np.random.default_rng(0)
    for _ in range(40):
        truth, label = np.full(40, 2), rng.integers(0, 6, 40)
        assert np.isnan(form("mcc", truth, label, classes=range(6), weight=rng.random(40)).value)


def test_kappa_word_of_nothing():
    assert measures.kappa_word(float("nan")) == "undefined"
