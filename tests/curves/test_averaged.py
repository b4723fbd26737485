"""ROC curves averaged over splits, against Fawcett's algorithms 3 and 4 written out."""

import numpy as np
import pytest

from heliast import InputError, Predictions
from heliast.curves import averaged_roc, roc

RNG = np.random.default_rng(5)
N, SPLITS = 300, 6
TRUTH = RNG.integers(0, 2, N)
SCORE = np.round(RNG.normal(size=N) + TRUTH, 1)  # with ties
SPLIT = np.arange(N) % SPLITS
TABLE = Predictions.of(TRUTH, y_score=SCORE, positive=1, split=SPLIT)


def points_of(truth, score):
    """(fpr, tpr, threshold) from (0, 0, inf) on, one threshold after the other."""
    found = [(0.0, 0.0, np.inf)]
    for threshold in sorted(set(score.tolist()), reverse=True):
        called = score >= threshold
        found.append((called[truth == 0].mean(), called[truth == 1].mean(), threshold))
    return found


def tpr_for(points, fpr):
    """Fawcett's TPR_FOR_FPR: the last point not right of it, or the line to the next."""
    at = 0
    while at + 1 < len(points) and points[at + 1][0] <= fpr + 1e-12:
        at += 1
    if abs(points[at][0] - fpr) < 1e-12 or at + 1 == len(points):
        return points[at][1]
    (x0, y0, _), (x1, y1, _) = points[at], points[at + 1]
    return y0 + (y1 - y0) * (fpr - x0) / (x1 - x0)


EACH = [points_of(TRUTH[s == SPLIT], SCORE[s == SPLIT]) for s in range(SPLITS)]


def test_at_equal_false_positive_rates():
    """Fawcett (2006), algorithm 3: vertical averaging."""
    found = averaged_roc(TABLE, places=21)
    values = np.array([[tpr_for(points, fpr) for fpr in found.fpr] for points in EACH])
    np.testing.assert_allclose(found.tpr, values.mean(axis=0))
    np.testing.assert_allclose(found.tpr_spread, values.std(axis=0, ddof=1))
    np.testing.assert_array_equal(found.fpr_spread, 0)
    np.testing.assert_array_equal(found.fpr, np.linspace(0, 1, 21))


def test_at_equal_thresholds():
    """Fawcett (2006), algorithm 4: the first point whose score is not above the threshold."""
    found = averaged_roc(TABLE, by="threshold", places=30)
    for at, threshold in enumerate(found.threshold):
        pairs = []
        for points in EACH:
            reached = [pair for *pair, score in points if score >= threshold]
            pairs.append(reached[-1])
        np.testing.assert_allclose([found.fpr[at], found.tpr[at]], np.mean(pairs, axis=0))
        np.testing.assert_allclose(found.fpr_spread[at], np.std(pairs, axis=0, ddof=1)[0])
    assert (found.fpr[0], found.tpr[0]) == (0, 0)
    assert (found.fpr[-1], found.tpr[-1]) == (1, 1)
    assert "comparable" in found.notes[0]


def test_the_area_is_the_mean_of_the_areas():
    found = averaged_roc(TABLE, places=20_001)
    areas = [roc(TABLE, split=s).auc for s in range(SPLITS)]
    assert found.auc == pytest.approx(np.mean(areas))
    assert found.auc_spread == pytest.approx(np.std(areas, ddof=1))
    assert np.trapezoid(found.tpr, found.fpr) == pytest.approx(found.auc, abs=1e-4)


def test_scores_on_other_scales():
    """A fit whose scores lie elsewhere spoils the pooled curve and the thresholds, not the mean."""
    moved = SCORE + 100 * SPLIT
    table = Predictions.of(TRUTH, y_score=moved, positive=1, split=SPLIT)
    same, other = averaged_roc(TABLE), averaged_roc(table)
    np.testing.assert_allclose(other.tpr, same.tpr)
    assert roc(table, pool=True).auc < 0.6 < other.auc


def test_the_band_stays_inside():
    for by in ("fpr", "threshold"):
        left, top, right, bottom = averaged_roc(TABLE, by=by).edges
        assert min(left.min(), bottom.min()) >= 0
        assert max(right.max(), top.max()) <= 1
        assert (left <= right).all()
        assert (bottom <= top).all()


def test_splits_without_a_curve():
    truth = np.array([1, 0, 1, 0, 1, 1])
    table = Predictions.of(truth, y_score=np.arange(6) / 6, positive=1, split=[0, 0, 1, 1, 2, 2])
    (note,) = averaged_roc(table).notes
    assert note == "left out for want of rows of both kinds: 1 of 3 splits"
    with pytest.raises(
        InputError, match=r"1 splits have a ROC curve, and a mean needs two; .*no row"
    ):
        averaged_roc(
            Predictions.of(truth, y_score=np.arange(6) / 6, positive=1, split=[0, 0, 1, 2, 3, 4])
        )
    with pytest.raises(InputError, match="a mean needs two"):
        averaged_roc(Predictions.of(truth, y_score=np.arange(6) / 6, positive=1))
    with pytest.raises(InputError, match="by='tpr'"):
        averaged_roc(table, by="tpr")
