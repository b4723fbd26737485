"""The designs that splits and rows show."""

import numpy as np
import pytest
from sklearn.model_selection import RepeatedKFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast.data import simulate
from heliast.estimates.resampled import Parts, design_of

TASK = simulate.two_gaussians(0.2)


@pytest.mark.parametrize(
    ("plan", "kind", "repeats", "ratio"),
    [
        (hl.KFold(5), "folds", 1, 1 / 4),
        (hl.KFold(7, repeats=3), "folds", 3, 1 / 6),
        (hl.FiveByTwo(), "folds", 5, 1),
        (hl.LeaveOneOut(), "leave_one_out", 1, 1 / 59),
        (hl.Subsampling(4, 0.75), "subsampling", 4, 1 / 3),
        (hl.PairedSubsampling(4, 2), "subsampling", 4, 1 / 9),
        (hl.NestedFolds(4, repeats=2), "folds", 2, 1 / 3),
        (RepeatedKFold(n_splits=3, n_repeats=2, random_state=1), "folds", 2, 1 / 2),
        (ShuffleSplit(5, test_size=0.2, random_state=1), "subsampling", 5, 1 / 4),
        (hl.Bootstrap(6), "bootstrap", 6, None),
    ],
    ids=str,
)
def test_of_plans(plan: object, kind: str, repeats: int, ratio: float | None) -> None:
    table = hl.run({"nb": GaussianNB()}, TASK.sample(60, seed=1), plan, seed=2)
    full = bool(table.splits.of_role("full"))
    found = design_of(Parts(table.only(role="test", in_train=0), "nb"), full)
    assert found.kind == kind
    assert found.repeats == repeats
    assert not found.reason
    if ratio is not None:  # of resamples only rows left out are counted
        assert found.n == 60
        assert found.ratio == pytest.approx(ratio)


def test_a_bootstrap_without_its_full_split_is_still_seen() -> None:
    table = hl.run({"nb": GaussianNB()}, TASK.sample(60, seed=1), hl.Bootstrap(30), seed=2)
    assert design_of(Parts(table.only(role="test"), "nb")).kind == "bootstrap"


def test_growing_and_fresh_training_sets_have_an_interval() -> None:
    series = hl.run({"nb": GaussianNB()}, TASK.sample(60, seed=1), TimeSeriesSplit(4), seed=2)
    found = hl.assess(series, "error")["nb", "error"]
    assert found.low < found.value < found.high  # in order of time
    fresh = hl.run({"nb": GaussianNB()}, TASK.sample(60, seed=1), hl.Fresh(4, 30), seed=2)
    found = hl.assess(fresh, "error")["nb", "error"]
    assert found.low < found.value < found.high


def test_an_outside_file_shows_folds_by_its_rows_or_has_no_interval() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 40)
    label = np.where(rng.random(40) < 0.8, truth, 1 - truth)
    split = np.arange(40) % 4
    shown = hl.Predictions.of(truth, label, split=split, row=np.arange(40))
    found = hl.assess(shown, "error")["model", "error"]
    assert found.low < found.value < found.high
    assert found.n_train == 30
    assert "disjoint folds" in found.notes[0]
    for row in (None, np.arange(40) // 2):
        hidden = hl.Predictions.of(truth, label, split=split, row=row)
        found = hl.assess(hidden, "error")["model", "error"]
        assert np.isnan(found.low)
        assert "splits table with n_train" in found.reason
