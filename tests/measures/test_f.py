import numpy as np
import pytest
from sklearn.metrics import fbeta_score

from heliast import InputError, Predictions, measures
from heliast.measures.forms import Curved
from heliast.measures.summaries import Counted


@pytest.fixture
def several():
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, 150)
    return truth, np.where(rng.random(150) < 0.5, truth, rng.integers(0, 3, 150))


def test_by_hand():
    table = Predictions.of([1, 1, 1, 0, 0], [1, 1, 0, 1, 0])
    assert measures.get("f1").of(table) == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert measures.get("fbeta", beta=2).of(table) == pytest.approx(5 * 2 / (5 * 2 + 4 * 1 + 1))


@pytest.mark.parametrize("beta", [0.5, 1, 2])
@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_against_scikit_learn(several, beta, average):
    expected = fbeta_score(*several, beta=beta, average=average)
    found = measures.get(f"fbeta.{average}", beta=beta).of(Predictions.of(*several))
    assert found == pytest.approx(expected)


def test_f_is_a_curve_of_a_rate(several):
    form = measures.get("f1").form(Counted(Predictions.of(*several).rows()), 1)
    assert isinstance(form, Curved)
    q = form.rate.value
    assert form.value == pytest.approx(2 * q / (1 + q))


def test_no_hit_is_zero_not_undefined():
    assert measures.get("f1").of(Predictions.of([1, 0], [0, 1])) == 0


def test_undefined_when_the_class_neither_occurs_nor_is_predicted():
    table = Predictions.of(["a", "a"], ["a", "a"], classes=["a", "b"])
    for beta in (1, 2):
        form = measures.get("fbeta", beta=beta).form(Counted(table.rows()))
        assert np.isnan(form.value)
        assert form.reason == "class 'b' neither occurs nor is predicted"


@pytest.mark.parametrize("beta", [0, -1, float("nan"), float("inf")])
def test_refuses_a_beta_that_is_not_positive(beta):
    with pytest.raises(InputError, match=f"fbeta: beta={beta} must be a number greater than 0"):
        measures.get("fbeta", beta=beta).of(Predictions.of([1, 0], [0, 1]))


def test_the_title_shows_the_parameter():
    assert measures.get("fbeta", beta=2).title == "fbeta(beta=2)"
    assert measures.get("f1.macro").title == "f1.macro"
