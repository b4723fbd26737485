"""Location-shifted bootstrap intervals."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.estimates.resampled import twins

import heliast as hl
from heliast import estimates
from heliast.data import simulate
from heliast.estimates.resampled._bootstraps import plus

POINTS = {
    "left_out": lambda e, out, g: out,
    "bootstrap_632": lambda e, out, g: 0.368 * e + 0.632 * out,
    "bootstrap_632_plus": plus,
}
TASK = simulate.two_gaussians(0.25)


def resampled(model, n=30, times=40, seed=4, data=None) -> hl.Predictions:
    chosen = TASK.sample(n, seed=5) if data is None else data
    return hl.run({"it": model}, chosen, hl.Bootstrap(times), seed=seed, in_sample=True)


@pytest.fixture(scope="module", params=["nearest", "bayes"])
def table(request) -> hl.Predictions:
    return resampled(GaussianNB() if request.param == "bayes" else KNeighborsClassifier(3))


@pytest.mark.parametrize("point", POINTS)
def test_location_shifted_moves_the_percentiles_of_training_errors(table, point) -> None:
    found = estimates.location_shifted(table, point=point)
    value = getattr(estimates, point)(table).value
    own = estimates.resubstitution(table).value
    limits = np.quantile(twins.apparent(table), (0.025, 0.975)) + value - own
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == pytest.approx(tuple(np.clip(limits, 0, 1)))
    assert found.se == pytest.approx(twins.apparent(table).std(ddof=1))
    assert found.target == "algorithm"


def test_the_default_point_is_632_plus_and_assess_takes_both_by_name(table) -> None:
    error = estimates.location_shifted(table)
    assert error == estimates.location_shifted(table, point="bootstrap_632_plus")
    assert hl.assess(table, "error", interval="location_shifted")["it", "error"] == error
    accuracy = estimates.location_shifted(table, "accuracy")
    assert (accuracy.low, accuracy.high) == pytest.approx((1 - error.high, 1 - error.low))
    assert any("noisy" in note for note in error.notes)


def test_numbers_take_632() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 2))
    data = hl.Dataset.of(X, X @ [1.0, 2.0] + rng.normal(size=40))
    numbers = resampled(LinearRegression(), data=data)
    found = estimates.location_shifted(numbers, "mae")
    assert found.value == estimates.bootstrap_632(numbers, "mae").value
    assert found.low < found.value < found.high
    with pytest.raises(hl.InputError, match="not numbers"):
        estimates.location_shifted(numbers, "mae", point="bootstrap_632_plus")


def test_a_model_that_learns_by_heart_has_no_location_shifted_interval() -> None:
    heart = resampled(KNeighborsClassifier(1))
    assert np.isnan(estimates.location_shifted(heart).low)
    assert "hardly vary" in estimates.location_shifted(heart).reason
    assert any("own rows" in note for note in estimates.location_shifted(heart).notes)


def spelled_out(table: hl.Predictions, twice: np.ndarray) -> hl.Predictions:
    """Each row of `twice` in the table two times, under another number."""
    more = np.flatnonzero(np.isin(table.row, twice))
    index = np.concatenate([np.arange(len(table)), more])
    row = np.concatenate([table.row, table.row[more] + 1000])
    found = replace(table._at(index), row=row)
    # n_train counts the copies that were trained on.
    drawn = np.bincount(found.split_code, weights=found.in_train)
    records = [
        replace(one, n_train=int(rows)) for one, rows in zip(found.splits, drawn, strict=True)
    ]
    return replace(found, splits=type(found.splits)(tuple(records)))


def test_a_frequency_weight_of_two_is_the_row_twice(table) -> None:
    twice = np.array([1, 4, 5, 9, 20])
    weight = np.where(np.isin(table.row, twice), 2.0, 1.0)
    meta = replace(table.meta, weight_kind="frequency")
    weighted = replace(table, weight=weight, meta=meta)
    rows = spelled_out(table, twice)
    one, two = estimates.location_shifted(weighted), estimates.location_shifted(rows)
    assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))


def clustered(groups: int, seed: int) -> hl.Dataset:
    """Four rows a group: the same place up to a little noise, the same class."""
    data = TASK.sample(groups, seed=seed)
    rng = np.random.default_rng(seed)
    at = np.repeat(np.arange(groups), 4)
    X = data.matrix[at] + rng.normal(0, 0.05, (at.size, data.matrix.shape[1]))
    return hl.Dataset.of(X, data.labels[data.y_true[at]], group=at)


def test_groups_are_drawn_whole_and_make_the_interval_wider() -> None:
    data = clustered(25, 3)
    grouped = resampled(GaussianNB(), times=60, data=data)
    rows = resampled(GaussianNB(), times=60, data=replace(data, group=None))
    one, two = estimates.location_shifted(grouped), estimates.location_shifted(rows)
    assert one.high - one.low > 1.3 * (two.high - two.low)
    torn = replace(rows, group=data.group[rows.row])
    with pytest.raises(hl.InputError, match="group"):
        estimates.location_shifted(torn)


def test_refusals(table) -> None:
    plain = hl.run(GaussianNB(), TASK.sample(30, seed=5), hl.Bootstrap(40), seed=1)
    with pytest.raises(hl.InputError, match="in_sample=True"):
        estimates.location_shifted(plain)
    with pytest.raises(hl.InputError, match="at least 40 resamples"):
        estimates.location_shifted(resampled(GaussianNB(), times=39))
    with pytest.raises(hl.InputError, match="point='mean'"):
        estimates.location_shifted(table, point="mean")
    with pytest.raises(hl.InputError, match="needs a mean of row losses"):
        estimates.location_shifted(table, "kappa")
    folds = hl.run(GaussianNB(), TASK.sample(30, seed=5), hl.KFold(5), seed=1, in_sample=True)
    with pytest.raises(hl.InputError, match="drawn with replacement"):
        estimates.location_shifted(folds)
