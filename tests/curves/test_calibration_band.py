import json

import numpy as np
import pytest
from scipy.stats import binomtest

from heliast import InputError, Predictions
from heliast.curves import calibration


def table_of(truth, score, **more):
    return Predictions.of(
        truth, y_score=score, classes=[0, 1], positive=1, scores="probability", **more
    )


def test_by_the_slow_way():
    rng = np.random.default_rng(0)
    score = rng.choice([0.1, 0.3, 0.5, 0.8, 0.9], 60)
    truth = (rng.random(60) < score).astype(int)
    band = calibration(table_of(truth, score), band=True, level=0.9).band
    values = np.unique(score)
    runs = [(a, b) for a in values for b in values if a <= b]
    for at in (0.05, 0.1, 0.2, 0.5, 0.85, 0.9, 0.95):
        low, high = 0.0, 1.0
        for a, b in runs:
            inside = (score >= a) & (score <= b)
            test = binomtest(int(truth[inside].sum()), int(inside.sum()))
            limits = test.proportion_ci(1 - 0.1 / len(runs), "exact")
            low = max(low, limits.low) if b <= at else low
            high = min(high, limits.high) if a >= at else high
        assert [float(limit) for limit in band.limits(at)] == pytest.approx([low, high])


@pytest.mark.parametrize("power", [1.0, 2.5])
def test_the_whole_curve_is_covered(power):
    """100 samples of 400 rows; the limits are exact, so fewer than 5 may fail on average."""
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(100):
        score = np.sort(rng.random(400))
        truth = (rng.random(400) < score**power).astype(int)
        low, high = calibration(table_of(truth, score), band=True).band.limits(score)
        inside += bool(((low <= score**power) & (score**power <= high)).all())
    assert inside >= 90
    # And it tells a bent curve from the diagonal.
    assert bool(((low <= score) & (score <= high)).all()) == (power == 1)


def test_frequency_weights_are_rows():
    rng = np.random.default_rng(2)
    score = rng.random(50).round(1)
    truth, weight = rng.integers(0, 2, 50), rng.integers(1, 4, 50)
    repeated = np.repeat(np.arange(50), weight)
    found = calibration(table_of(truth, score, weight=weight), band=True).band
    whole = calibration(table_of(truth[repeated], score[repeated]), band=True).band
    assert found.to_dict() == whole.to_dict()
    json.dumps(found.to_dict())


def test_not_asked_for_and_refused():
    truth, score = [0, 1, 0, 1], [0.1, 0.7, 0.4, 0.9]
    assert calibration(table_of(truth, score)).band is None
    for more in ({"group": [1, 1, 2, 2]}, {"weight": [1.0, 2.5, 1, 1], "weights": "sampling"}):
        with pytest.raises(InputError, match="independent rows"):
            calibration(table_of(truth, score, **more), band=True)
