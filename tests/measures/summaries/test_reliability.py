import pytest

from heliast import Predictions
from heliast.measures.summaries import Reliability


def test_by_hand():
    table = Predictions.of([0, 1, 1, 0], y_score=[0.1, 0.24, 0.25, 1.0])
    found = table.summary(Reliability, bins=4)
    assert found.weight.tolist() == [2, 1, 0, 1]  # a bin holds its lower end, the last both
    assert found.forecast == pytest.approx([0.34, 0.25, 0, 1.0])
    assert found.outcome.tolist() == [1, 1, 0, 0]


def test_weights_count():
    table = Predictions.of([0, 1], y_score=[0.2, 0.4], weight=[3, 2])
    found = table.summary(Reliability, bins=1)
    assert found.weight.tolist() == [5]
    assert found.forecast == pytest.approx([3 * 0.2 + 2 * 0.4])
    assert found.outcome.tolist() == [2]


def test_several_classes_take_the_largest_probability():
    table = Predictions.of([0, 1], y_score=[[0.6, 0.3, 0.1], [0.2, 0.1, 0.7]], classes=[0, 1, 2])
    found = table.summary(Reliability, bins=1)
    assert found.forecast == pytest.approx([1.3])
    assert found.outcome.tolist() == [1]
