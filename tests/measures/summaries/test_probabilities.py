import numpy as np
import pytest

from heliast import Predictions
from heliast.measures.summaries import Probabilities, row_losses


def sample(k, seed=0, n=40):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    score = rng.dirichlet(np.ones(k), n)
    return truth, score, -np.log(score[np.arange(n), truth]), score - np.eye(k)[truth]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_losses_of_each_row(k):
    truth, score, log, away = sample(k)
    found = row_losses(Predictions.of(truth, y_score=score).rows())
    assert found[0] == pytest.approx(log)
    assert found[1] == pytest.approx((away**2).sum(axis=1) / (2 if k == 2 else 1))


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("sides", ["plain", "weights"])
def test_moments_of_the_losses(k, sides):
    truth, score, log, _ = sample(k)
    weight = np.random.default_rng(1).random(40) if sides == "weights" else None
    found = Predictions.of(truth, y_score=score, weight=weight).summary(Probabilities)
    assert found.log_loss.mean == pytest.approx(np.average(log, weights=weight))
    if sides == "plain":
        assert found.log_loss.variance == pytest.approx(log.var(ddof=1) / 40)
    if sides == "weights":
        assert found.log_loss.n_effective == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_zeros_are_counted():
    table = Predictions.of([0, 1, 1], y_score=[1.0, 0.0, 0.5])
    assert table.summary(Probabilities).zeros == 2
    weighted = Predictions.of([0, 1, 1], y_score=[1.0, 0.0, 0.5], weight=[0, 4, 1])
    assert weighted.summary(Probabilities).zeros == 1
