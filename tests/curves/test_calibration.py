import json

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression

from heliast import InputError, Predictions, measures
from heliast.curves import calibration


def sample(n=400, seed=0, digits=3):
    rng = np.random.default_rng(seed)
    score = rng.random(n).round(digits)
    truth = (rng.random(n) < score**1.5).astype(int)
    return truth, score


def test_by_hand(chapter):
    # Forecasts of table 22.5 in tenths: 12 below 0.1, then one each up to 0.5, ...
    found = calibration(chapter)
    assert found.weight.tolist() == [12, 1, 1, 1, 1, 4, 4, 3, 2, 1]
    assert found.outcome == pytest.approx([0, 0, 1, 1, 1, 2 / 4, 1 / 4, 3 / 3, 1 / 2, 0])
    assert found.forecast[-3:] == pytest.approx([0.74, 0.81, 0.93])
    limits = binomtest(1, 4).proportion_ci(0.95, "exact")
    assert (found.low[6], found.high[6]) == pytest.approx((limits.low, limits.high))


@pytest.mark.parametrize("by", ["width", "count"])
def test_scikit_learn(by):
    truth, score = sample(digits=12)
    found = calibration(Predictions.of(truth, y_score=score), by=by)
    strategy = "uniform" if by == "width" else "quantile"
    outcome, forecast = calibration_curve(truth, score, n_bins=10, strategy=strategy)
    assert found.outcome == pytest.approx(outcome)
    assert found.forecast == pytest.approx(forecast)
    if by == "count":
        assert found.weight.tolist() == [40] * 10


def test_error_is_the_measure():
    truth, score = sample()
    table = Predictions.of(truth, y_score=score)
    assert calibration(table).error == pytest.approx(measures.get("ece", debias=False).of(table))


def test_isotonic():
    truth, score = sample()
    found = calibration(Predictions.of(truth, y_score=score), isotonic=True)
    expected = IsotonicRegression().fit(score, truth).predict(score)
    assert np.interp(score, *found.isotonic.T) == pytest.approx(expected)
    assert (np.diff(found.isotonic, axis=0) >= 0).all()


def test_equal_forecasts_share_a_bin():
    truth, score = [0, 1, 0, 1, 1, 1], [0.2, 0.2, 0.2, 0.2, 0.9, 0.9]
    found = calibration(Predictions.of(truth, y_score=score), bins=3, by="count")
    assert found.weight.tolist() == [4, 2]
    one = calibration(Predictions.of([0, 1], y_score=[0.4, 0.4]), bins=5, by="count")
    assert one.weight.tolist() == [2]


def test_equal_counts_of_few_rows():
    found = calibration(
        Predictions.of([0, 1, 0, 1, 1], y_score=[0.1, 0.2, 0.3, 0.4, 0.5]), bins=5, by="count"
    )
    assert found.weight.tolist() == [1] * 5
    assert found.edges[0].tolist() == [0.1, 0.2]


def test_weights():
    truth, score = sample(60, digits=1)
    weight = np.random.default_rng(1).integers(1, 4, 60)
    whole = calibration(Predictions.of(np.repeat(truth, weight), y_score=np.repeat(score, weight)))
    for kind in ("frequency", "sampling"):
        found = calibration(Predictions.of(truth, y_score=score, weight=weight, weights=kind))
        assert found.outcome == pytest.approx(whole.outcome)
        assert found.forecast == pytest.approx(whole.forecast)
        wider = (found.high - found.low) - (whole.high - whole.low)
        assert (wider > 0).all() if kind == "sampling" else wider == pytest.approx(0)


def test_groups_are_worth_less():
    truth, score = sample(100, digits=1)
    plain = calibration(Predictions.of(truth, y_score=score))
    copies = np.tile(np.arange(100), 3)
    found = calibration(Predictions.of(truth[copies], y_score=score[copies], group=copies))
    assert found.outcome == pytest.approx(plain.outcome)
    # Three copies of a row are worth about one: G/(G-1) makes it a little less.
    assert (found.effective <= plain.effective + 1e-9).all()
    assert found.effective.sum() > 0.8 * plain.effective.sum()


def test_designed_class_counts():
    table = Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1], design="classes")
    with pytest.raises(InputError, match="give prevalence="):
        calibration(table)
    found = calibration(table, bins=1, prevalence=0.2)
    assert found.outcome == pytest.approx([0.2])
    assert found.effective == pytest.approx([16 / (2 * 0.4**2 + 2 * 1.6**2)])


def test_largest_probability_of_many_classes():
    score = np.array([[0.6, 0.3, 0.1], [0.5, 0.1, 0.4], [0.2, 0.2, 0.6]])
    table = Predictions.of(["a", "c", "c"], y_score=score, classes=["a", "b", "c"])
    found = calibration(table, bins=1)
    assert found.class_ is None
    assert found.outcome == pytest.approx([2 / 3])
    assert calibration(table, "c", bins=1).forecast == pytest.approx([1.1 / 3])


def test_undefined():
    with pytest.raises(InputError, match="not probabilities"):
        calibration(Predictions.of([0, 1], y_score=[-3.0, 2.0]))
    table = Predictions.of([0, 1], y_score=[0.3, 0.6])
    for wrong, words in (
        ({"bins": 0}, "bins=0"),
        ({"by": "x"}, "'width'"),
        ({"level": 95}, "level"),
    ):
        with pytest.raises(InputError, match=words):
            calibration(table, **wrong)
    # Without a single positive the outcome share is 0, which is defined.
    none = calibration(Predictions.of([0, 0], y_score=[0.15, 0.12], classes=[0, 1]))
    assert none.outcome.tolist() == [0]


def test_record():
    found = calibration(Predictions.of([0, 1], y_score=[0.3, 0.6], model="m"), isotonic=True)
    assert json.loads(json.dumps(found.to_dict()))["isotonic"] == [[0.3, 0], [0.6, 1]]
    assert repr(found) == (
        "<Calibration of 'm', class 1: mean |outcome - forecast| 0.35 in 2 bins, "
        "0 of them beyond their 95% limits>"
    )
