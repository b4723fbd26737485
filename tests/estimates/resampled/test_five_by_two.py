"""The interval of 5 x 2 cross-validation."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t
from sklearn.naive_bayes import GaussianNB
from tests.estimates.resampled import twins

import heliast as hl
from heliast import estimates
from heliast.data import simulate

TASK = simulate.two_gaussians(0.2)


def halves(n=80, seed=1) -> hl.Predictions:
    return hl.run({"nb": GaussianNB()}, TASK.sample(n, seed=seed), hl.FiveByTwo(), seed=seed)


def test_agrees_with_the_slow_twin() -> None:
    table = halves()
    found = estimates.five_by_two(table, level=0.9)
    errors = {
        (one.repeat, one.fold): np.mean(list(got.values()))
        for one, got in twins.losses_by_split(table, "test")
    }
    squares = []
    for repeat in range(5):
        pair = [errors[repeat, 0], errors[repeat, 1]]
        squares.append(sum((value - np.mean(pair)) ** 2 for value in pair))
    s = np.sqrt(sum(squares) / 5)
    first = errors[0, 0]
    assert (found.value, found.se) == pytest.approx((first, s))
    low, high = first - t.ppf(0.95, 5) * s, first + t.ppf(0.95, 5) * s
    assert (found.low, found.high) == pytest.approx((max(0, low), high))
    assert (found.target, found.n_train) == ("algorithm", 40)
    assert hl.assess(table, "error", 0.9, "five_by_two")["nb", "error"] == found
    assert f"{np.mean(list(errors.values())):.4g}" in found.notes[0]


def test_any_measure_and_frequency_weights() -> None:
    table = halves()
    assert estimates.five_by_two(table, "auc").low < 1
    weight = np.where(table.row < 20, 2.0, 1.0)
    weighted = replace(table, weight=weight, meta=replace(table.meta, weight_kind="frequency"))
    index = np.concatenate([np.arange(len(table)), np.flatnonzero(table.row < 20)])
    row = np.concatenate([table.row, table.row[table.row < 20] + 1000])
    rows = replace(table._at(index), row=row)
    sizes = np.bincount(rows.split_code)
    records = [
        replace(one, n_train=100 - int(size)) for one, size in zip(rows.splits, sizes, strict=True)
    ]
    rows = replace(rows, splits=type(rows.splits)(tuple(records)))
    one, two = estimates.five_by_two(weighted), estimates.five_by_two(rows)
    assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))


def test_it_covers_the_error_of_the_recipe_trained_on_half() -> None:
    covered = 0
    truth = 0.208  # of naive Bayes trained on 60 rows of this task: 1,000 training sets
    for seed in range(120):
        found = estimates.five_by_two(halves(120, seed))
        covered += found.low <= truth <= found.high
    assert covered / 120 > 0.9


def test_refusals() -> None:
    with pytest.raises(hl.InputError, match="five repeats of two folds"):
        estimates.five_by_two(
            hl.run(GaussianNB(), TASK.sample(60, seed=1), hl.KFold(2, repeats=4), seed=1)
        )
    torn = halves()
    with pytest.raises(hl.InputError, match="several folds"):
        estimates.five_by_two(replace(torn, group=torn.row // 4))
    few = np.where(torn.split_code % 2 == 0, 0, 1)
    with pytest.raises(hl.InputError, match="only 2 groups"):
        estimates.five_by_two(replace(torn, group=few))
