import json

import numpy as np
import pytest

from heliast import InputError, Predictions
from heliast.curves import gain, lift


def test_by_hand():
    found = gain(Predictions.of([1, 1, 0, 1, 0], y_score=[0.9, 0.8, 0.6, 0.4, 0.1]))
    assert found.depth == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert found.gain == pytest.approx([0, 1 / 3, 2 / 3, 2 / 3, 1, 1])
    assert np.isnan(found.lift[0])
    assert found.lift[1:] == pytest.approx([5 / 3, 5 / 3, 10 / 9, 5 / 4, 1])
    assert found.ratio(0.4) == pytest.approx(5 / 3)


def test_the_lift_chart_in_shares(ties):
    truth, score, weight = ties
    table = Predictions.of(truth, y_score=score, weight=weight, weights="frequency")
    shares, counts = gain(table), lift(table)
    assert shares.depth == pytest.approx(counts.size / weight.sum())
    assert shares.gain == pytest.approx(counts.found / counts.positives)
    assert shares.share == counts.share


def test_depth_must_be_a_share():
    found = gain(Predictions.of([1, 0], y_score=[0.9, 0.2], model="m"))
    for depth in (0, 10):
        with pytest.raises(InputError, match="depth="):
            found.ratio(depth)
    assert json.loads(json.dumps(found.to_dict()))["gain"] == [0, 1, 1]
    assert repr(found).startswith("<Gain of 'm', class 1: 20.0% of the positives in the top 10%")
