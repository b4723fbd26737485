import json

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_recall_curve
from tests.curves.conftest import tied

from heliast import Predictions, measures
from heliast.curves import precision_recall


def test_by_hand():
    found = precision_recall(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]))
    assert found.recall.tolist() == [0.5, 0.5, 1, 1]
    assert found.precision == pytest.approx([1, 1 / 2, 2 / 3, 1 / 2])
    assert found.average_precision == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert found.prevalence == 0.5


def test_no_invented_start():
    # The highest score belongs to a negative: the curve starts at precision 0, not at (0, 1).
    found = precision_recall(Predictions.of([0, 1], y_score=[0.9, 0.1]))
    assert found.threshold.tolist() == [0.9, 0.1]
    assert found.precision.tolist() == [0, 0.5]


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(ties, weighted):
    truth, score, weight = ties
    weight = weight if weighted else None
    table = Predictions.of(truth, y_score=score, weight=weight, weights="frequency")
    found = precision_recall(table)
    precision, recall, threshold = precision_recall_curve(truth, score, sample_weight=weight)
    # Its last point (recall 0, precision 1) is the invented one.
    assert found.precision[::-1] == pytest.approx(precision[:-1])
    assert found.recall[::-1] == pytest.approx(recall[:-1])
    assert np.array_equal(found.threshold[::-1], threshold)
    expected = average_precision_score(truth, score, sample_weight=weight)
    assert found.average_precision == pytest.approx(expected)
    assert measures.get("average_precision").of(table) == pytest.approx(expected)


def test_record():
    found = precision_recall(Predictions.of([1, 0], y_score=[0.9, 0.2], model="m"))
    assert json.loads(json.dumps(found.to_dict()))["precision"] == [1.0, 0.5]
    assert repr(found).startswith("<PrecisionRecall of 'm', class 1: average precision 1 (chance")


@pytest.mark.parametrize("share", [0.5, 0.01])
def test_thinning(share):
    truth, score, _ = tied(1_000_000, digits=12, share=share)
    table = Predictions.of(truth, y_score=score)
    thinned, whole = precision_recall(table), precision_recall(table, thin=False)
    assert thinned.threshold.size < 8192
    assert thinned.average_precision == whole.average_precision
    # Each vertex left out lies within a pixel of the vertex kept before it.
    place = np.searchsorted(-thinned.threshold, -whole.threshold, "right") - 1
    height = np.ptp(whole.precision)
    far = np.hypot(
        whole.recall - thinned.recall[place],
        (whole.precision - thinned.precision[place]) / height,
    )
    assert far.max() <= 1 / 2048 * (1 + 1e-9)
