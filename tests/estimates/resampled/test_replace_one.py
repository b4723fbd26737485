"""The replace-one interval."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import estimates
from heliast.data import simulate


def test_agrees_with_the_slow_twin() -> None:
    data = simulate.two_gaussians(0.2).sample(41, seed=2)
    table = hl.run({"nb": GaussianNB()}, data, hl.ReplaceOne(4), seed=3)
    found = estimates.replace_one(table)
    inner = table.only(role="inner")
    losses = {}
    for i in range(len(inner)):
        outer = inner.splits.records[inner.split_code[i]].outer
        losses.setdefault(outer, []).append(float(inner.y_true[i] != inner.y_pred[i]))
    base = np.mean(losses[0])
    moved = sum((np.mean(losses[outer]) - base) ** 2 for outer in range(1, 21))
    se = np.sqrt(20 / 41 * moved / 2)
    folds = table.only(role="test")
    value = (folds.y_true != folds.y_pred).mean()
    assert (found.value, found.se) == pytest.approx((value, se))
    half = norm.ppf(0.975) * se
    assert (found.low, found.high) == pytest.approx((max(0, value - half), value + half))
    assert hl.assess(table, "error", interval="replace_one")["nb", "error"] == found


def test_the_variance_of_a_plain_mean_is_met() -> None:
    """A model that never learns: the error is a mean of independent rows."""
    variances = []
    for seed in range(150):
        truth = (np.random.default_rng(seed).random(40) < 0.3).astype(int)
        frozen = hl.ReplaceOne(2, stratify=False).on(hl.Dataset.of(np.zeros((40, 1)), truth), seed)
        row = np.concatenate([piece.test for piece in frozen])
        split = np.concatenate([np.full(piece.test.size, at) for at, piece in enumerate(frozen)])
        table = hl.Predictions.of(truth[row], np.zeros(row.size, int), split=split, row=row)
        variances.append(estimates.replace_one(replace(table, splits=frozen.splits)).se ** 2)
    error = np.std(variances, ddof=1) / np.sqrt(len(variances))
    assert abs(np.mean(variances) - 0.3 * 0.7 / 40) < 3.5 * error


def test_refusals() -> None:
    data = simulate.two_gaussians(0.2).sample(24, seed=2)
    folds = hl.run({"nb": GaussianNB()}, data, hl.KFold(4), seed=3)
    with pytest.raises(hl.InputError, match="the plan ReplaceOne"):
        estimates.replace_one(folds)
    table = hl.run({"nb": GaussianNB()}, data, hl.ReplaceOne(4), seed=3)
    with pytest.raises(hl.InputError, match="come in groups"):
        estimates.replace_one(replace(table, group=table.row))
    with pytest.raises(hl.InputError, match="have weights"):
        estimates.replace_one(replace(table, weight=np.ones(len(table))))
    with pytest.raises(hl.InputError, match="needs a mean of row losses"):
        estimates.replace_one(table, "kappa")
    with pytest.raises(hl.InputError, match="the plan ReplaceOne"):
        estimates.replace_one(table.only(split=range(20)))
