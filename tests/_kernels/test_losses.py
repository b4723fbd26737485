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
    weight = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), int)
    return truth, np.where(truth == 1, own, 1 - np.minimum(own, 0.5)), weight


@st.composite
def class_forecasts(draw):
    """Probabilities in quarters, so that ties and zeros are common."""
    n, k = draw(st.integers(0, 30)), draw(st.integers(2, 5))
    truth = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)), np.int32)
    rows = st.lists(st.integers(0, 4), min_size=k, max_size=k)
    scores = np.array(draw(st.lists(rows, min_size=n, max_size=n)), float).reshape(n, k) / 4
    weight = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), int)
    return truth, scores, weight


def check_sums(sums, log, brier, weight):
    assert sums.weight == sum(weight)
    assert sums.weight2 == sum(w * w for w in weight)
    assert sums.zeros == sum(math.isinf(loss) for loss in log)
    if sums.zeros:
        assert sums[2:5] == (math.inf,) * 3
    else:
        assert sums[2:5] == pytest.approx(naive.powers(log, weight), rel=1e-13, abs=1e-300)
    assert sums[5:8] == pytest.approx(naive.powers(brier, weight), rel=1e-13, abs=1e-31)


def test_by_hand():
    sums = losses.binary_losses(np.array([1, 0]), np.array([0.5, 0.75]))
    assert sums[:2] == (2, 2)
    assert sums.log1 == pytest.approx(math.log(2) + math.log(4))
    assert sums.brier1 == 0.25 + 0.5625


@given(forecasts())
def test_binary_agrees_with_twin(rows):
    truth, score, weight = rows
    log, brier = naive.row_losses_binary(truth, score)
    ours = losses.row_losses_binary(truth, score)
    assert ours[0] == pytest.approx(log, rel=1e-15)
    assert ours[1] == pytest.approx(brier, rel=1e-15)
    check_sums(losses.binary_losses(truth, score), log, brier, [1] * len(truth))
    check_sums(losses.binary_losses(truth, score, weight), log, brier, weight.tolist())


@given(class_forecasts())
def test_classes_agree_with_twin(rows):
    truth, scores, weight = rows
    log, brier = naive.row_losses(truth, scores)
    ours = losses.row_losses_classes(truth, scores)
    assert ours[0] == pytest.approx(log, rel=1e-15)
    assert ours[1] == pytest.approx(brier, rel=1e-14, abs=1e-15)
    found = losses.class_losses(truth, scores)
    check_sums(found.sums, log, brier, [1] * len(truth))
    check_sums(losses.class_losses(truth, scores, weight).sums, log, brier, weight.tolist())
    top = [row.max() for row in scores]
    assert found.label.tolist() == [row.argmax() for row in scores]
    assert found.ties == sum((row == t).sum() > 1 for row, t in zip(scores, top, strict=True))


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
    truth, score = np.array([1, 0, 1], np.uint8), np.array([0.0, 1.0, 0.5])
    sums = losses.binary_losses(truth, score)
    assert sums.zeros == 2
    assert sums.log1 == math.inf
    assert losses.binary_losses(truth, score, np.array([0.0, 0.0, 1.0])).log1 == math.inf


def test_nan_stays_nan():
    assert math.isnan(losses.binary_losses(np.array([1]), np.array([np.nan])).log1)


def test_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    scores = rng.dirichlet(np.ones(4), 3000)
    truth, weight = rng.integers(0, 4, 3000), rng.random(3000)
    sums = losses.class_losses(truth, scores, weight).sums
    assert sums.log1 / sums.weight == pytest.approx(log_loss(truth, scores, sample_weight=weight))
    two = losses.binary_losses(truth > 1, scores[:, 0], weight)
    score = brier_score_loss(truth > 1, scores[:, 0], sample_weight=weight)
    assert two.brier1 / two.weight == pytest.approx(score)


@pytest.mark.parametrize("k", [3, 300])
def test_threads_change_nothing(monkeypatch, k):
    rng = np.random.default_rng(0)
    n = 600_000 if k < 100 else 70_000
    truth = rng.integers(0, k, n)
    scores = rng.random((n, k))
    found = []
    for count in ("1", "2"):
        monkeypatch.setenv("HELIAST_THREADS", count)
        found.append(
            [
                losses.binary_losses(truth > 0, scores[:, 0]),
                losses.class_losses(truth, scores).sums,
                losses.moments(scores[:, 0], scores[:, 1]),
            ]
        )
    assert found[0] == found[1]
    assert np.array_equal(losses.class_losses(truth, scores).label, scores.argmax(axis=1))


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 3)), min_size=1, max_size=40))
def test_moments_agree_with_twin(rows):
    values, weight = np.array(rows, float).T
    found = losses.moments(values, weight)
    twin = naive.moments(values.tolist(), weight.tolist())
    assert found == pytest.approx(twin, rel=1e-12, abs=1e-11)
    repeated = losses.moments(np.repeat(values, weight.astype(int)))
    assert found[2:] == pytest.approx(repeated[2:], rel=1e-12, abs=1e-11)
    powers = naive.powers(values.tolist(), weight.tolist())
    raw = losses.from_powers(weight.sum(), (weight**2).sum(), *powers)
    assert raw == pytest.approx(twin, rel=1e-11, abs=1e-10)


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


def test_numbers_that_may_not_be_written_to_are_no_other_type():
    truth, score = np.array([0, 1], np.uint8), np.array([[0.5, 0.5], [0.25, 0.75]])
    first = losses.binary_losses(truth, score[:, 1]), losses.class_losses(truth, score).sums
    known = len(losses._sum_two.signatures), len(losses._sum_classes.signatures)
    for one in (truth, score):
        one.flags.writeable = False
    assert first == (
        losses.binary_losses(truth, score[:, 1]),
        losses.class_losses(truth, score).sums,
    )
    assert known == (len(losses._sum_two.signatures), len(losses._sum_classes.signatures))
