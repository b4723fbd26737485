import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.curves import naive

from heliast import InputError, Predictions
from heliast.curves import cost, roc


def test_by_hand():
    # Corners of the hull: (0, 0), (0, 1/2), (1/2, 1), (1, 1).
    found = cost(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]))
    assert found.x.tolist() == [0, 0, 0.5, 1, 1]
    assert found.y.tolist() == [0, 0, 0.25, 0, 0]
    assert found.threshold.tolist() == [np.inf, 0.9, 0.4, 0.1]
    assert found.area == pytest.approx(0.125)
    assert found.at(0.25).threshold == 0.9
    assert found.at(0.75).threshold == 0.4
    assert found.range == (0, 1)


def test_useless_scores_are_the_triangle():
    found = cost(Predictions.of([1, 0, 1, 0], y_score=[0.5] * 4))
    assert found.area == pytest.approx(0.25)
    assert found.range == (0.5, 0.5)
    for x in np.linspace(0, 1, 11):
        assert found.at(x).cost == pytest.approx(min(x, 1 - x))


@given(st.data())
def test_envelope_of_all_lines(data):
    n = data.draw(st.integers(2, 30))
    truth = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    score = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)), float)
    assume(0 < truth.sum() < n)
    table = Predictions.of(truth, y_score=score, scores="decision")
    found, curve = cost(table), roc(table)
    x = np.linspace(0, 1, 101)
    expected = naive.envelope(curve.fpr, curve.tpr, x)
    assert np.interp(x, found.x, found.y) == pytest.approx(expected, abs=1e-12)
    assert [found.at(value).cost for value in x] == pytest.approx(expected, abs=1e-12)
    assert (expected <= np.minimum(x, 1 - x) + 1e-12).all()


def test_place_agrees_with_the_cheapest_threshold(ties):
    truth, score, _ = ties
    table = Predictions.of(truth, y_score=score)
    found, curve = cost(table), roc(table)
    for matrix, share in (
        ([[0, 1], [1, 0]], None),
        ([[0, 2], [9, 0]], 0.1),
        ([[-1, 2], [3, 0]], 0.6),
    ):
        x = found.place(matrix, share)
        best = curve.best(matrix, share)
        assert best.slope == pytest.approx((1 - x) / x)
        point = found.at(x)
        assert point.cost == pytest.approx((1 - best.tpr) * x + best.fpr * (1 - x))
    assert found.place([[0, 0], [1, 0]]) == 1
    with pytest.raises(InputError, match="between 0 and 1"):
        found.at(1.5)


def test_record():
    found = cost(Predictions.of([1, 0], y_score=[0.9, 0.2], model="m"))
    held = json.loads(json.dumps(found.to_dict()))
    assert held["threshold"][0] is None
    assert repr(found).startswith("<CostCurve of 'm', class 1: mean cost 0 (chance 0.25)")


def test_designed_class_counts():
    found = cost(Predictions.of([1, 0], y_score=[0.9, 0.2], design="classes"))
    assert found.place(prevalence=0.3) == pytest.approx(0.3)
    with pytest.raises(InputError, match="give prevalence="):
        found.place()
