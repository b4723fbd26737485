"""Agreement with R is in tests/reference; here reasons, designs and coverage at small size."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from heliast import InputError, Predictions
from heliast.estimates import calibration_inference


def table_of(truth, score, **more):
    return Predictions.of(
        truth, y_score=score, classes=[0, 1], positive=1, scores="probability", **more
    )


def sample(rng, n, a=0.0, b=1.0):
    score = rng.beta(1, 1, n).clip(1e-4, 1 - 1e-4)
    logit = np.log(score / (1 - score))
    return (rng.random(n) < 1 / (1 + np.exp(-a - b * logit))).astype(int), score


def test_the_line_is_a_logistic_regression():
    truth, score = sample(np.random.default_rng(0), 300, 0.3, 0.6)
    logit = np.log(score / (1 - score))[:, None]
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(logit, truth)
    found = calibration_inference(table_of(truth, score))
    assert found.line == pytest.approx((peer.intercept_[0], peer.coef_[0, 0]), abs=1e-4)


def test_the_intercept_makes_the_mean_right():
    truth, score = sample(np.random.default_rng(1), 300, 0.5)
    shift = calibration_inference(table_of(truth, score)).intercept.value
    moved = 1 / (1 + np.exp(-np.log(score / (1 - score)) - shift))
    assert moved.mean() == pytest.approx(truth.mean(), abs=1e-10)


def test_intervals_cover_and_tests_keep_their_level():
    """200 samples of 200 rows: 95% shows as 90.4% to 99.6% but for 3 in 1,000."""
    rng = np.random.default_rng(2)
    covered, rejected = np.zeros(2), np.zeros(2)
    for _ in range(200):
        found = calibration_inference(table_of(*sample(rng, 200)))
        covered += [
            found.intercept.low <= 0 <= found.intercept.high,
            found.slope.low <= 1 <= found.slope.high,
        ]
        rejected += [found.p < 0.05, found.z_p < 0.05]
    assert (covered >= 0.904 * 200).all()
    assert (rejected <= 0.096 * 200).all()


def test_the_intercept_covers_where_the_slope_is_not_one():
    """Its model does not hold there, and its own standard error covers 89% only."""
    rng = np.random.default_rng(3)
    score = rng.beta(1, 1, 200_000).clip(1e-4, 1 - 1e-4)
    logit = np.log(score / (1 - score))
    target = (1 / (1 + np.exp(0.3 - 0.4 * logit))).mean()
    low, high = -5.0, 5.0
    for _ in range(60):
        shift = (low + high) / 2
        below = (1 / (1 + np.exp(-logit - shift))).mean() < target
        low, high = (shift, high) if below else (low, shift)
    found = [calibration_inference(table_of(*sample(rng, 200, -0.3, 0.4))) for _ in range(200)]
    assert sum(one.intercept.low <= shift <= one.intercept.high for one in found) >= 0.904 * 200


def test_perfect_forecasts_have_smooth_errors_above_zero():
    rng = np.random.default_rng(4)
    found = [calibration_inference(table_of(*sample(rng, 300))) for _ in range(20)]
    assert all(0 < one.e50 <= one.e90 <= one.emax and one.ici > 0 for one in found)


def test_a_weight_is_how_often_a_row_counts():
    rng = np.random.default_rng(5)
    truth, score = sample(rng, 80)
    weight = rng.integers(1, 4, 80)
    repeated = np.repeat(np.arange(80), weight)
    found = calibration_inference(table_of(truth, score, weight=weight))
    whole = calibration_inference(table_of(truth[repeated], score[repeated]))
    assert json.dumps(found.to_dict()) == json.dumps(whole.to_dict())


def test_sampling_weights_and_groups_are_honoured():
    rng = np.random.default_rng(6)
    truth, score = sample(rng, 300)
    plain = calibration_inference(table_of(truth, score))
    copies = np.tile(np.arange(300), 4)
    grouped = calibration_inference(table_of(truth[copies], score[copies], group=copies))
    assert grouped.slope.value == pytest.approx(plain.slope.value)
    assert grouped.slope.se == pytest.approx(plain.slope.se, rel=0.15)
    assert grouped.z == pytest.approx(plain.z, rel=0.2)
    weight = rng.choice([0.1, 4.0], 300)
    weighted = calibration_inference(table_of(truth, score, weight=weight, weights="sampling"))
    assert weighted.slope.se > plain.slope.se
    assert np.isnan(weighted.ici)
    assert "lowess" in weighted.notes[0]
    few = calibration_inference(table_of(truth, score, group=np.arange(300) % 3))
    assert "only 3 groups" in few.slope.reason


@pytest.mark.parametrize(
    ("truth", "score", "intercept", "slope"),
    [
        ([0, 1, 0, 1], [0.0, 0.5, 0.6, 0.7], "0 or 1", "0 or 1"),
        ([1, 1, 1], [0.3, 0.5, 0.6], "same outcome", "same outcome"),
        ([0, 1, 1], [0.4, 0.4, 0.4], "", "all forecasts are equal"),
        ([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.7], "", "separate the outcomes perfectly"),
        ([0, 0, 1, 1], [0.1, 0.6, 0.6, 0.7], "", "separate the outcomes perfectly"),
        ([1, 1, 0, 0], [0.1, 0.2, 0.6, 0.7], "", "separate the outcomes perfectly"),
    ],
)
def test_undefined_with_a_reason(truth, score, intercept, slope):
    found = calibration_inference(table_of(truth, score))
    for one, words in ((found.intercept, intercept), (found.slope, slope)):
        assert one.defined == (not words)
        assert words in one.reason
    assert np.isnan(found.p)
    json.dumps(found.to_dict())
    assert "undefined" in repr(found)


def test_refusals():
    with pytest.raises(InputError, match="probabilities of two classes"):
        calibration_inference(Predictions.of([0, 1], y_score=[-2.0, 3.0]))
    with pytest.raises(InputError, match="fixed by design"):
        calibration_inference(table_of([0, 1], [0.2, 0.3], design="classes"))
    with pytest.raises(InputError, match=r"did you mean 0\.95"):
        calibration_inference(table_of([0, 1], [0.2, 0.3]), level=95)
