import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from heliast import InputError, Predictions, measures


def value(name, *columns, **more):
    return measures.get(name).of(Predictions.of(*columns, **more))


def test_by_hand():
    truth, label = ["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "a"]
    assert value("error", truth, label) == pytest.approx(2 / 5)
    assert value("accuracy", truth, label) == pytest.approx(3 / 5)


def test_weighted_against_scikit_learn():
    rng = np.random.default_rng(0)
    truth, label = rng.integers(0, 4, (2, 50))
    weight = rng.random(50)
    expected = accuracy_score(truth, label, sample_weight=weight)
    assert value("accuracy", truth, label, weight=weight) == pytest.approx(expected)


@pytest.mark.parametrize("k", [4, 5])
def test_rounding_of_weights_never_lifts_a_perfect_accuracy_above_one(k):
    rng = np.random.default_rng(1)
    for _ in range(50):
        truth = rng.permutation(np.arange(60) % k)
        weight = rng.random(60)
        assert value("accuracy", truth, truth, weight=weight) <= 1
        assert value("accuracy", truth, truth, weight=weight) == pytest.approx(1)


# --- labels: traps seen elsewhere ------------------------------------------------------------


def test_whole_numbers_equal_the_same_floats():
    truth = np.array([0, 1, 2, 1])
    assert value("accuracy", truth, truth.astype(float)) == 1
    assert value("kappa", truth.astype(float), truth) == 1


def test_booleans_equal_zero_and_one():
    assert value("accuracy", [True, False, True], [1, 0, 0]) == pytest.approx(2 / 3)


def test_numbers_never_equal_text():
    with pytest.raises(InputError, match="numbers never equal text"):
        value("accuracy", [0, 1], ["0", "1"])


@pytest.mark.parametrize("missing", [float("nan"), None])
def test_missing_is_never_a_class(missing):
    with pytest.raises(InputError, match=r"y_pred is missing in 1 row \(row 1"):
        value("accuracy", ["a", "b", "a"], ["a", missing, "b"])
    with pytest.raises(InputError, match=r"y_true is missing in 1 row \(row 1"):
        value("accuracy", [0, missing, 1], [0, 1, 1])
    kept = Predictions.of(["a", "b", "a"], ["a", missing, "b"], missing="drop")
    assert kept.classes == ("a", "b")
    assert measures.get("accuracy").of(kept) == pytest.approx(1 / 2)


def test_text_of_any_kind():
    truth = ["<b>", "è", "", "a,b"]
    assert value("accuracy", truth, ["<b>", "è", "", "<b>"]) == pytest.approx(3 / 4)
