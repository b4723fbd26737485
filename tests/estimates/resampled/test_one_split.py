"""One split: holdout, out-of-bag predictions, rows that were trained on."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import estimates
from heliast.data import simulate
from heliast.predictions import Split, Splits

DATA = simulate.two_gaussians(0.2).sample(90, seed=1)


@pytest.fixture(scope="module")
def held() -> hl.Predictions:
    return hl.run({"nb": GaussianNB()}, DATA, hl.Holdout(), seed=1)


def test_the_holdout_under_its_own_name(held) -> None:
    wrong = int((held.y_true != held.y_pred).sum())
    found, limits = estimates.holdout(held), estimates.wilson(wrong, 30)
    assert (found.value, found.low, found.high) == (limits.value, limits.low, limits.high)
    assert (found.target, found.n, found.n_train) == ("model", 30, 60)
    assert found.method == "holdout, Wilson"
    assert hl.assess(held, "error", interval="holdout")["nb", "error"] == found
    assert hl.assess(held)["nb", "error"] == replace(found, method="Wilson")
    assert estimates.holdout(held, "auc").method.startswith("holdout, ")


def test_the_holdout_refuses_several_splits_and_others_refuse_one(held) -> None:
    folds = hl.run({"nb": GaussianNB()}, DATA, hl.KFold(5), seed=1)
    with pytest.raises(hl.InputError, match="holdout needs one split"):
        estimates.holdout(folds)
    found = hl.assess(folds, "error", interval="holdout")["nb", "error"]
    assert "here are 5" in found.reason
    found = hl.assess(held, "error", interval="corrected_t")["nb", "error"]
    assert found.reason == "corrected_t needs several splits, here is 1"
    assert found.value == estimates.holdout(held).value


def out_of_bag_table() -> hl.Predictions:
    """A vote fitted to all rows, every row predicted by members that did not see it."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 50)
    label = np.where(rng.random(50) < 0.8, truth, 1 - truth)
    table = hl.Predictions.of(truth, label, in_train=np.zeros(50, int), row=range(50))
    return replace(table, splits=Splits((Split(0, role="full", n_train=50),)))


def test_out_of_bag_predictions_speak_of_the_procedure() -> None:
    table = out_of_bag_table()
    found = estimates.out_of_bag(table)
    limits = estimates.wilson(int((table.y_true != table.y_pred).sum()), 50)
    assert (found.value, found.low, found.high) == (limits.value, limits.low, limits.high)
    assert (found.target, found.n, found.n_train) == ("algorithm", 50, 50)
    assert found.method == "out-of-bag, Wilson"
    assert any("did not see it" in note for note in found.notes)
    # assess is told by the role: trained on all rows, yet not on these.
    assert hl.assess(table, "error", role="full")["model", "error"] == found


def test_out_of_bag_needs_rows_known_as_not_seen(held) -> None:
    with pytest.raises(hl.InputError, match="in_train = 0"):
        estimates.out_of_bag(hl.Predictions.of([0, 1], [0, 1]))
    folds = hl.run({"nb": GaussianNB()}, DATA, hl.KFold(5), seed=1)
    with pytest.raises(hl.InputError, match="one split of role full"):
        estimates.out_of_bag(folds)


def test_rows_that_were_trained_on_have_no_interval() -> None:
    table = hl.run({"nb": GaussianNB()}, DATA, hl.Bootstrap(20), seed=1)
    found = hl.assess(table, "error", role="full", in_train=None)["nb", "error"]
    assert found.value == estimates.resubstitution(table).value
    assert np.isnan(found.low)
    assert "optimistic" in found.reason
    both = hl.run({"nb": GaussianNB()}, DATA, hl.KFold(5), seed=1, in_sample=True)
    assert "optimistic" in hl.assess(both, "error", in_train=None)["nb", "error"].reason
    mixed = hl.run({"nb": GaussianNB()}, DATA, hl.Holdout(), seed=1, in_sample=True)
    assert "optimistic" in hl.assess(mixed, "error", in_train=None)["nb", "error"].reason
