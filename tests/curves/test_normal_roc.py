"""The ROC curve of two normals: slides-c, 'ROC Curve', two gaussians in a noisy channel."""

import numpy as np
import pytest
from scipy import integrate, stats

from heliast import InputError
from heliast.curves import normal_roc, roc
from heliast.data import simulate

PAIRS = [(0.0, 1.0), (1.0, 1.0), (2.5, 0.5), (1.0, 3.0), (-1.0, 1.0)]


@pytest.mark.parametrize(("distance", "spread"), PAIRS)
def test_rates_and_area(distance, spread):
    found = normal_roc(distance, spread)
    np.testing.assert_allclose(found.fpr, stats.norm.sf(found.threshold))
    np.testing.assert_allclose(found.tpr, stats.norm(distance, spread).sf(found.threshold))
    area, _ = integrate.quad(
        lambda t: stats.norm(distance, spread).sf(t) * stats.norm.pdf(t), -12, 12
    )
    assert found.auc == pytest.approx(area)
    assert np.trapezoid(found.tpr, found.fpr) == pytest.approx(area, abs=1e-3)
    assert (found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]) == (0, 0, 1, 1)


def test_the_area_of_simulated_pairs():
    task = simulate.two_gaussians(0.15)
    assert normal_roc(task.distance).auc == pytest.approx(task.auc)


def test_less_noise_and_the_threshold():
    """slides-c: less noise separates better; a threshold to the right lowers both rates."""
    assert normal_roc(3.0).auc > normal_roc(1.0).auc
    low, high = normal_roc(1.0).at(0.0), normal_roc(1.0).at(0.5)
    assert high.tpr < low.tpr
    assert high.fpr < low.fpr
    assert (low.tp, low.fp) == (low.tpr, low.fpr)


def test_a_large_sample_comes_close():
    theory = normal_roc(1.5, 2.0)
    sampled = roc(theory.sample(20_000, 20_000, seed=3))
    assert sampled.auc == pytest.approx(theory.auc, abs=0.01)
    at = sampled.at(0.7)
    assert (at.tpr, at.fpr) == pytest.approx((theory.at(0.7).tpr, theory.at(0.7).fpr), abs=0.015)
    # The band that holds the whole true curve holds it.
    low, high = sampled.band(0.999).limits(theory.fpr[1:-1])
    assert ((low <= theory.tpr[1:-1] + 1e-9) & (theory.tpr[1:-1] <= high + 1e-9)).all()


def test_the_picture_has_both():
    theory = normal_roc(1.0)
    picture = theory.svg(sampled=[roc(theory.sample(20, 20))])
    assert "two normals: distance 1, AUC 0.760" in picture
    assert "sampled: AUC" in picture


@pytest.mark.parametrize("bad", [(np.nan, 1.0), (1.0, 0.0), (np.inf, 1.0), (1.0, -1.0)])
def test_refused(bad):
    with pytest.raises(InputError, match="spread above 0"):
        normal_roc(*bad)
    with pytest.raises(InputError, match="1 or more"):
        normal_roc(1.0).sample(0, 5)
