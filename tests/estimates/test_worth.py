"""How many independent rows the rows are worth."""

import numpy as np
import pytest
from tests.estimates.twins import classes, group_variance, numbers

from heliast import measures
from heliast.estimates import estimate
from heliast.measures.summaries import Counted

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 200)
SCORE = np.clip(RNG.normal(0.3 + 0.4 * TRUTH, 0.25), 0.01, 0.99)
NAMES = [
    "error",
    "f1",
    "kappa",
    "balanced_accuracy",
    "f1.macro",
    "auc",
    "average_precision",
    "brier",
]


def rows_of(**rest):
    return classes(TRUTH, SCORE > 0.5, SCORE, score_kind="probability", **rest)


@pytest.mark.parametrize("name", NAMES)
def test_rows_alone_are_worth_themselves(name):
    found = estimate(measures.get(name), Counted(rows_of()))
    assert found.n_effective == found.n


@pytest.mark.parametrize("name", [name for name in NAMES if name != "f1"])
def test_copies_in_a_group_are_worth_one(name):
    rows = rows_of(group=np.arange(200)).at(np.repeat(np.arange(200), 4))
    found = estimate(measures.get(name), Counted(rows))
    assert found.n == 800
    assert found.n_effective == pytest.approx(199, rel=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_equal_sampling_weights_are_none(name):
    rows = rows_of(weight=np.full(200, 0.25), weight_kind="sampling")
    found = estimate(measures.get(name), Counted(rows))
    plain = estimate(measures.get(name), Counted(rows_of()))
    assert found.n == 200
    assert found.n_effective == pytest.approx(plain.n_effective)


def test_groups_of_a_mean_by_the_formula():
    group = RNG.integers(0, 25, 200)
    losses = RNG.exponential(size=200) + 0.2 * group
    found = estimate(measures.get("mae"), Counted(numbers(np.zeros(200), losses, group=group)))
    assert found.n_effective == pytest.approx(losses.var() / group_variance(losses, group))


def test_no_spread_counts_the_groups():
    rows = classes([0, 1] * 60, [0, 1] * 60, group=np.arange(120) % 30)
    assert estimate(measures.get("balanced_accuracy"), Counted(rows)).n_effective == 30
