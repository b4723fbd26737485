"""Nested cross-validation."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.estimates.resampled import twins

import heliast as hl
from heliast import estimates
from heliast.data import simulate

TASK = simulate.two_gaussians(0.2)


@pytest.mark.parametrize(("k", "repeats", "n"), [(3, 1, 12), (4, 3, 30), (5, 2, 47)])
@pytest.mark.parametrize("model", [GaussianNB(), KNeighborsClassifier(1)], ids=["nb", "nearest"])
def test_against_the_slow_twin(k: int, repeats: int, n: int, model: object) -> None:
    table = hl.run({"it": model}, TASK.sample(n, seed=7), hl.NestedFolds(k, repeats), seed=3)
    found = estimates.nested_cv(table, level=0.9)
    value, low, high = twins.nested(table, norm.ppf(0.95))
    assert found.value == pytest.approx(value)
    assert found.low == pytest.approx(max(0.0, low))
    assert found.high == pytest.approx(min(1.0, high))
    assert found.n_train == found.n == n
    assert hl.assess(table, "error", 0.9, "nested_cv")["it", "error"] == found


def test_the_root_of_mse_stays_between_se_and_root_k_se() -> None:
    table = hl.run(GaussianNB(), TASK.sample(60, seed=1), hl.NestedFolds(4, repeats=2), seed=1)
    inner = table.only(role="inner")
    se = (inner.y_true != inner.y_pred).std(ddof=1) / np.sqrt(60)
    assert se * (1 - 1e-12) <= estimates.nested_cv(table).se <= 2 * se * (1 + 1e-12)


def test_refusals() -> None:
    folds = hl.run(GaussianNB(), TASK.sample(60), hl.KFold(4), seed=1)
    with pytest.raises(hl.InputError, match=r"inner folds over all the others.*NestedFolds"):
        estimates.nested_cv(folds)
    nested = hl.run(GaussianNB(), TASK.sample(60), hl.NestedFolds(4, repeats=1), seed=1)
    lacking = nested.only(split=nested.splits.names[:-1])
    with pytest.raises(hl.InputError, match="inner folds over all the others"):
        estimates.nested_cv(lacking)
    with pytest.raises(hl.InputError, match="takes rows as independent"):
        estimates.nested_cv(replace(nested, group=np.asarray(nested.row) // 2))
    with pytest.raises(hl.InputError, match="needs a mean of row losses"):
        estimates.nested_cv(nested, "auc")
    pairs = hl.run(GaussianNB(), TASK.sample(60), hl.PairedSubsampling(2, 2), seed=1)
    with pytest.raises(hl.InputError, match="inner folds over all the others"):
        estimates.nested_cv(pairs)
    with pytest.raises(hl.InputError, match="a pair a repeat"):
        estimates.conservative_z(nested)
