import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss
from tests.naive import losses as naive

from heliast._kernels import losses

PROBABILITIES = st.sampled_from([0.25, 0.5, 1.0, 1e-300, 5e-324, 1 - 1e-16]) | st.floats(1e-9, 1)


@st.composite
def forecasts(draw):
    n = draw(st.integers(0, 30))
    truth = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
    own = np.array(draw(st.lists(PROBABILITIES, min_size=n, max_size=n)), float)
    return truth, np.where(truth == 1, own, 1 - np.minimum(own, 0.5))


@st.composite
def class_forecasts(draw):
    """Probabilities in quarters, so that ties and zeros are common."""
    n, k = draw(st.integers(0, 30)), draw(st.integers(2, 5))
    truth = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)), np.int32)
    rows = st.lists(st.integers(0, 4), min_size=k, max_size=k)
    scores = np.array(draw(st.lists(rows, min_size=n, max_size=n)), float).reshape(n, k) / 4
    return truth, scores


def test_by_hand():
    log, brier = losses.row_losses_binary(np.array([1, 0]), np.array([0.5, 0.75]))
    assert log == pytest.approx([math.log(2), math.log(4)])
    assert brier.tolist() == [0.25, 0.5625]


@given(forecasts())
def test_binary_agrees_with_twin(rows):
    truth, score = rows
    log, brier = naive.row_losses_binary(truth, score)
    ours = losses.row_losses_binary(truth, score)
    assert ours[0] == pytest.approx(log, rel=1e-15)
    assert ours[1] == pytest.approx(brier, rel=1e-15)


@given(class_forecasts())
def test_classes_agree_with_twin(rows):
    truth, scores = rows
    log, brier = naive.row_losses(truth, scores)
    ours = losses.row_losses_classes(truth, scores)
    assert ours[0] == pytest.approx(log, rel=1e-15)
    assert ours[1] == pytest.approx(brier, rel=1e-14, abs=1e-15)


def test_log_to_the_last_bits():
    rng = np.random.default_rng(0)
    score = np.concatenate(
        [
            rng.random(50_000),
            1 - 10 ** -rng.uniform(1, 16, 50_000),
            10 ** -rng.uniform(0, 323, 50_000),
        ]
    )
    log, _ = losses.row_losses_binary(np.ones(score.size, np.uint8), score)
    assert np.allclose(log, -np.log(score), rtol=5e-16, atol=0)
    assert losses.row_losses_binary(np.ones(1), np.array([1.0]))[0].tolist() == [0.0]


def test_probability_zero_costs_infinity():
    log, _ = losses.row_losses_binary(np.array([1, 0, 1], np.uint8), np.array([0.0, 1.0, 0.5]))
    assert np.isposinf(log).tolist() == [True, True, False]


def test_nan_stays_nan():
    log, brier = losses.row_losses_binary(np.array([1]), np.array([np.nan]))
    assert math.isnan(log[0])
    assert math.isnan(brier[0])


def test_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    scores = rng.dirichlet(np.ones(4), 3000)
    truth, weight = rng.integers(0, 4, 3000), rng.random(3000)
    log, _ = losses.row_losses_classes(truth, scores)
    expected = log_loss(truth, scores, sample_weight=weight)
    assert losses.moments(log, weight).mean == pytest.approx(expected)
    _, brier = losses.row_losses_binary(truth > 1, scores[:, 0])
    expected = brier_score_loss(truth > 1, scores[:, 0], sample_weight=weight)
    assert losses.moments(brier, weight).mean == pytest.approx(expected)


def test_threads_change_nothing(monkeypatch):
    values, weight = np.random.default_rng(0).random((2, 600_000))
    found = []
    for count in ("1", "2"):
        monkeypatch.setenv("HELIAST_THREADS", count)
        found.append(losses.moments(values, weight))
    assert found[0] == found[1]


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 3)), min_size=1, max_size=40))
def test_moments_agree_with_twin(rows):
    values, weight = np.array(rows, float).T
    found = losses.moments(values, weight)
    twin = naive.moments(values.tolist(), weight.tolist())
    assert found == pytest.approx(twin, rel=1e-12, abs=1e-11)
    repeated = losses.moments(np.repeat(values, weight.astype(int)))
    assert found[2:] == pytest.approx(repeated[2:], rel=1e-12, abs=1e-11)


def test_moments_far_from_zero():
    values = 1e6 + np.random.default_rng(0).gamma(2, size=500_000)
    found = losses.moments(values)
    twin = naive.moments(values.tolist(), [1.0] * values.size)
    assert found[:4] == pytest.approx(twin[:4], rel=1e-12)
    # The twin's rounded mean alone shifts its third moment by this much.
    assert found.third == pytest.approx(twin[4], rel=1e-9)


def test_moments_of_halves_join():
    values, weight = np.random.default_rng(0).gamma(0.3, size=(2, 90_001))
    halves = [
        losses.moments(values[part], weight[part]) for part in np.split(np.arange(90_001), [7])
    ]
    assert losses.join(*halves) == pytest.approx(losses.moments(values, weight), rel=1e-12)
    nothing = losses.moments(np.zeros(0))
    assert nothing == (0, 0, 0, 0, 0)
    assert losses.join(nothing, halves[0]) == halves[0]


def test_moments_with_an_infinite_loss():
    found = losses.moments(np.array([1.0, math.inf]))
    assert found.mean == math.inf
    assert math.isnan(found.second)
