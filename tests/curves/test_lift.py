import json

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from heliast import Predictions
from heliast.curves import lift


def test_by_hand():
    found = lift(Predictions.of([1, 1, 0, 1, 0], y_score=[0.9, 0.8, 0.6, 0.4, 0.1]))
    assert found.size.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.found.tolist() == [0, 1, 2, 2, 3, 3]
    assert found.random == pytest.approx([0, 0.6, 1.2, 1.8, 2.4, 3])
    # Trapezoids: 0.5 + 1.5 + 2 + 2.5 + 3 = 9.5, less the triangle 5 * 3 / 2.
    assert found.area == pytest.approx(2.0)
    assert found.expected(2.5) == 2.0


def test_area_is_the_auc_in_counts(ties):
    truth, score, weight = ties
    for weights in (None, weight):
        found = lift(Predictions.of(truth, y_score=score, weight=weights, weights="frequency"))
        auc = roc_auc_score(truth, score, sample_weight=weights)
        assert found.area == pytest.approx(found.positives * found.negatives * (auc - 0.5))
        assert found.share == pytest.approx(2 * auc - 1)


def test_a_thousand_positives():
    # The slides' chart: a perfect order finds all 1000 in the first 1000 rows.
    truth = np.arange(4000) < 1000
    found = lift(Predictions.of(truth, y_score=-np.arange(4000.0)))
    assert found.expected(1000) == 1000
    assert found.share == pytest.approx(1.0)
    assert np.interp(1000, found.size, found.random) == pytest.approx(250)


def test_ties_in_random_order():
    found = lift(Predictions.of([1, 0, 0, 0], y_score=[0.5] * 4))
    assert found.expected(2) == 0.5


def test_thinning():
    rng = np.random.default_rng(0)
    truth = rng.random(200_000) < 0.1
    table = Predictions.of(truth, y_score=rng.normal(size=200_000) + truth)
    thinned, whole = lift(table), lift(table, thin=False)
    assert thinned.threshold.size <= 4098
    assert thinned.area == whole.area
    off = np.interp(whole.size, thinned.size, thinned.found) - whole.found
    assert np.abs(off).max() <= whole.positives / 2048


def test_record():
    found = lift(Predictions.of([1, 0], y_score=[0.9, 0.2], model="m"))
    assert json.loads(json.dumps(found.to_dict()))["found"] == [0, 1, 1]
    assert repr(found).startswith("<Lift of 'm', class 1: area over a random choice 0.5 (100.0%")
