import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binomtest, kstwo

from heliast import InputError, Predictions
from heliast.curves import roc


def test_by_hand(chapter):
    found = roc(chapter)
    each = np.sqrt(0.95)
    place = int(np.flatnonzero(found.threshold == 0.71)[0])
    for method, name in (("wilson", "wilson"), ("clopper_pearson", "exact")):
        band = found.band(method=method)
        tpr = binomtest(4, 10).proportion_ci(each, name)
        fpr = binomtest(2, 20).proportion_ci(each, name)
        assert (band.tpr_low[place], band.tpr_high[place]) == pytest.approx((tpr.low, tpr.high))
        assert (band.fpr_low[place], band.fpr_high[place]) == pytest.approx((fpr.low, fpr.high))
    band = found.band()
    # Never narrower than the exact Kolmogorov-Smirnov quantile, and hardly wider.
    for high, rate, n in ((band.tpr_high, 0.4, 10), (band.fpr_high, 0.1, 20)):
        exact = kstwo.ppf(each, n)
        assert exact <= high[place] - rate <= 1.06 * exact
    assert "whole true curve" in band.covers
    assert "simultaneous" in band.method


def test_limits_are_those_of_the_boxes(chapter):
    band = roc(chapter).band(method="wilson")
    for x in np.linspace(0, 1, 21):
        over = (band.fpr_low <= x) & (x <= band.fpr_high)
        low, high = band.limits(x)
        assert low == band.tpr_low[over].min()
        assert high == band.tpr_high[over].max()


def test_coverage():
    # Two normals one apart: at threshold t the true rates are Phi(1 - t) and Phi(-t).
    rng = np.random.default_rng(0)
    times, threshold = 400, 0.4
    x = np.array([0.05, 0.2, 0.5])
    curve = ndtr(1 + ndtri(x))
    grid = np.linspace(0.001, 0.999, 400)
    whole = ndtr(1 + ndtri(grid))
    truth = np.repeat([1, 0], [40, 60])
    hits = dict.fromkeys(("box", "point 0", "point 1", "point 2", "whole"), 0)
    for _ in range(times):
        found = roc(Predictions.of(truth, y_score=rng.normal(size=100) + truth, scores="decision"))
        band = found.band(method="wilson")
        at = found.at(threshold)
        place = int(np.flatnonzero((found.tp == at.tp) & (found.fp == at.fp))[0])
        hits["box"] += (
            band.tpr_low[place] <= ndtr(1 - threshold) <= band.tpr_high[place]
            and band.fpr_low[place] <= ndtr(-threshold) <= band.fpr_high[place]
        )
        low, high = band.limits(x)
        for k in range(3):
            hits[f"point {k}"] += low[k] <= curve[k] <= high[k]
        low, high = found.band().limits(grid)
        hits["whole"] += bool(((low <= whole) & (whole <= high)).all())
    # A box covers what it says; a band made of boxes, read upwards, covers more; so does the
    # Kolmogorov-Smirnov band. Three Monte Carlo errors of 1.1 points are allowed below.
    assert 0.917 <= hits["box"] / times <= 0.983
    for name in ("point 0", "point 1", "point 2", "whole"):
        assert hits[name] / times >= 0.94


def test_sampling_weights_widen():
    rng = np.random.default_rng(0)
    truth, score, weight = rng.integers(0, 2, 200), rng.normal(size=200), rng.random(200) + 0.01
    plain = roc(Predictions.of(truth, y_score=score)).band()
    weighted = roc(Predictions.of(truth, y_score=score, weight=weight, weights="sampling")).band()
    assert weighted.tpr_high[0] > plain.tpr_high[0]


def test_refusals():
    table = Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1], group=[0, 0, 1, 1])
    with pytest.raises(InputError, match="groups"):
        roc(table).band()
    found = roc(Predictions.of([1, 0], y_score=[0.9, 0.2]))
    with pytest.raises(InputError, match=r"did you mean 0\.95"):
        found.band(level=95)
    with pytest.raises(InputError, match="clopper_pearson"):
        found.band(method="exact")
    assert found.band().to_dict()["level"] == 0.95
    assert repr(found.band()).startswith("<Band at 0.95: Kolmogorov-Smirnov")
