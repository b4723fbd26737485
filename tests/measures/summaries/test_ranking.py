import numpy as np
import pytest
from sklearn.metrics import roc_curve
from tests.naive import ranking as naive

from heliast import Predictions
from heliast.measures.summaries import Ranking


def sample(seed=0, n=50):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    return truth, (rng.normal(size=n) + truth).round(1), rng.integers(1, 4, n)


def test_streams_are_sorted_by_class():
    found = Predictions.of([1, 0, 1, 0], y_score=[3.0, 2.0, -1.0, 5.0]).summary(Ranking)
    assert found.positive.tolist() == [-1, 3]
    assert found.negative.tolist() == [2, 5]
    assert found.weights == (2, 2)


@pytest.mark.parametrize("weighted", [False, True])
def test_points_are_the_roc_curve(weighted):
    truth, score, weight = sample()
    weight = weight if weighted else None
    found = Predictions.of(truth, y_score=score, weight=weight).summary(Ranking)
    thresholds, tp, fp = found.points
    positive, negative = found.weights
    fpr, tpr, theirs = roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    assert thresholds.tolist() == theirs.tolist()
    assert tp / positive == pytest.approx(tpr)
    assert fp / negative == pytest.approx(fpr)


def test_one_class_against_one_other():
    rng = np.random.default_rng(1)
    truth, score = rng.integers(0, 3, 40), rng.normal(size=(40, 3)).round(1)
    rows = Predictions.of(truth, y_score=score).rows()
    among = (truth == 0) | (truth == 2)
    own = (truth[among] == 0).astype(int)
    pairs = own.sum() * (own.size - own.sum())
    expected = naive.wins(own, score[among, 0]) / pairs
    assert Ranking.of(rows, 0, 2).auc == pytest.approx(expected)


def test_an_empty_class_has_no_area():
    found = Predictions.of([0, 0], y_score=[0.1, 0.2], classes=[0, 1]).summary(Ranking)
    assert np.isnan(found.auc)


def test_several_classes_need_a_code():
    rows = Predictions.of([0, 1, 2], y_score=np.eye(3)).rows()
    with pytest.raises(ValueError, match="give code="):
        Ranking.of(rows)
