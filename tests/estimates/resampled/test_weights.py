"""A frequency weight of 2 is the row twice, or the method refuses weights."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import estimates
from heliast.data import simulate
from heliast.estimates import resampled_methods
from heliast.predictions import Predictions

DATA = simulate.two_gaussians(0.25).sample(60, seed=7)
WEIGHT = np.random.default_rng(7).integers(1, 4, 60)
PLANS = {
    "auto": hl.KFold(5, repeats=2),
    "corrected_t": hl.KFold(5, repeats=2),
    "fold_t": hl.KFold(5),
    "fold_z": hl.KFold(5),
    "five_by_two": hl.FiveByTwo(),
    "conservative_z": hl.PairedSubsampling(3, 3, 0.8),
    "left_out": hl.Bootstrap(50),
    "bootstrap_632": hl.Bootstrap(50),
    "bootstrap_632_notes": hl.Bootstrap(50),
    "bootstrap_632_plus": hl.Bootstrap(50),
    "resubstitution": hl.Bootstrap(50),
    "location_shifted": hl.Bootstrap(50),
    "holdout": hl.Holdout(0.5),
    "out_of_bag": hl.Holdout(0.5),
}
REFUSE = {
    "wald_cv": hl.KFold(5),
    "nested_cv": hl.NestedFolds(4, 2),
    "replace_one": hl.ReplaceOne(3),
}


def predicted(plan: object) -> Predictions:
    in_sample = isinstance(plan, hl.Bootstrap)
    return hl.run({"nb": GaussianNB()}, DATA, plan, seed=3, in_sample=in_sample)


def weighted(table: Predictions) -> Predictions:
    meta = replace(table.meta, weight_kind="frequency")
    return replace(table, weight=WEIGHT[table.row].astype(float), meta=meta)


def spelled_out(table: Predictions) -> Predictions:
    """Every row as often as its weight says, in training too."""
    times = WEIGHT[table.row]
    index = np.repeat(np.arange(len(table)), times)
    copy = np.concatenate([np.arange(many) for many in times])
    found = replace(table._at(index), row=table.row[index] * 10 + copy)
    code = np.zeros(len(found), int) if found.split_code is None else found.split_code
    tested = np.bincount(code[found.in_train == 0], minlength=len(found.splits))
    drawn = np.bincount(code, weights=found.in_train, minlength=len(found.splits))
    total = int(WEIGHT.sum())
    records = []
    for place, one in enumerate(found.splits):
        trained = drawn[place] or total - tested[place]
        records.append(replace(one, n_train=int(trained), n_test=int(tested[place])))
    return replace(found, splits=type(found.splits)(tuple(records)))


def test_every_method_is_here() -> None:
    assert {*resampled_methods()} == ({*PLANS} | {*REFUSE}) - {"auto"}


@pytest.mark.parametrize("method", PLANS)
@pytest.mark.parametrize("measure", ["error", "brier"])
def test_a_weight_of_two_is_the_row_twice(method: str, measure: str) -> None:
    table = predicted(PLANS[method])
    one, two = (
        hl.assess(some, measure, interval=method)["nb", measure]
        for some in (weighted(table), spelled_out(table))
    )
    assert np.isfinite(one.value)
    assert (one.value, one.low, one.high, one.se) == pytest.approx(
        (two.value, two.low, two.high, two.se), nan_ok=True
    )


@pytest.mark.parametrize("method", REFUSE)
def test_what_counts_every_row_as_one_refuses_weights(method: str) -> None:
    with pytest.raises(hl.InputError, match="have weights"):
        getattr(estimates, method)(weighted(predicted(REFUSE[method])))
