"""The Wald interval for cross-validation."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import estimates
from heliast.data import simulate

TASK = simulate.two_gaussians(0.2)


def test_by_hand() -> None:
    truth = [0] * 5 + [1] * 5
    label = [0] * 4 + [1] * 5 + [0]  # 2 errors of 10
    table = hl.Predictions.of(truth, label, split=[0, 1] * 5, row=range(10))
    found = estimates.wald_cv(table)
    half = 1.959964 * np.sqrt(0.2 * 0.8 / 10)
    assert found.value == 0.2
    assert found.high == pytest.approx(0.2 + half, abs=1e-6)
    assert found.low == 0.0  # cut at the measure's bound
    assert found.se == pytest.approx(np.sqrt(0.016))
    assert "mean risk of the 2 fitted models" in found.notes[-1]


def test_any_row_loss_and_leave_one_out() -> None:
    table = hl.run({"nb": GaussianNB()}, TASK.sample(50, seed=2), hl.LeaveOneOut(), seed=1)
    found = estimates.wald_cv(table, "brier")
    score = table.scores if table.scores.ndim == 1 else table.scores[:, 1]
    losses = (score - table.y_true) ** 2
    assert found.value == pytest.approx(losses.mean())
    assert found.se == pytest.approx(losses.std() / np.sqrt(50))


def test_refusals() -> None:
    data = TASK.sample(60)
    repeated = hl.run(GaussianNB(), data, hl.KFold(4, repeats=2), seed=1)
    with pytest.raises(hl.InputError, match="not 2 repeats of folds"):
        estimates.wald_cv(repeated)
    one = hl.run(GaussianNB(), data, hl.Holdout(), seed=1)
    with pytest.raises(hl.InputError, match="needs several splits, here is 1"):
        estimates.wald_cv(one)
    folds = hl.run(GaussianNB(), data, hl.KFold(4), seed=1)
    with pytest.raises(hl.InputError, match="needs a mean of row losses"):
        estimates.wald_cv(folds, "mcc")
