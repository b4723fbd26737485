"""From probabilities to decisions, and votes calibrated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heliast as hl
from heliast._core.errors import InputError
from heliast.data import simulate
from heliast.learners import Calibrated, threshold_of, to_crisp

COSTS = st.floats(0.1, 50)


@given(COSTS, COSTS, st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_threshold_and_costs_decide_alike(alarm, miss, shares):
    cost = [[0, alarm], [miss, 0]]
    border = threshold_of(cost)
    away = [p for p in shares if abs(p - border) > 1e-9]
    by_cost = to_crisp(away, ["no", "yes"], cost=cost) if away else np.array([])
    by_threshold = to_crisp(away, ["no", "yes"], threshold=border) if away else np.array([])
    assert by_cost.tolist() == by_threshold.tolist()


def test_the_threshold_is_where_both_decisions_cost_the_same():
    cost = np.array([[1.0, 4.0], [10.0, 2.0]])
    p = threshold_of(cost)
    first = (1 - p) * cost[0, 0] + p * cost[1, 0]
    second = (1 - p) * cost[0, 1] + p * cost[1, 1]
    assert first == pytest.approx(second)


def test_more_than_two_classes():
    shares = [[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.1, 0.2, 0.7]]
    assert to_crisp(shares, "abc").tolist() == ["a", "a", "c"]  # ties go to the first
    dear = [[0, 1, 1], [1, 0, 1], [9, 9, 0]]
    assert to_crisp(shares, "abc", cost=dear).tolist() == ["c", "c", "c"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.5}, "is for two classes"),
        ({"threshold": 0.5, "cost": np.eye(3)}, "not both"),
    ],
)
def test_what_does_not_fit(options, message):
    with pytest.raises(InputError, match=message):
        to_crisp([[0.5, 0.3, 0.2]], "abc", **options)
    with pytest.raises(InputError, match="do not fit"):
        to_crisp([[0.5, 0.5]], "abc")
    with pytest.raises(InputError, match="must not cost less"):
        threshold_of([[1, 0], [0, 1]])


def test_calibration_helps_a_vote_whose_shares_are_no_probabilities():
    """Boosted stumps vote close to even, however sure the answer is."""
    data = simulate.two_gaussians(bayes_error=0.05).sample(1200, seed=4)
    vote = hl.BoostedVote(hl.Tree(max_depth=1), 40, random_state=1)
    models = {"vote": vote, "calibrated": Calibrated(vote, method="isotonic", cv=4)}
    found = hl.assess(hl.run(models, data, hl.Holdout(), seed=2, progress=False), ["brier"])
    assert found["calibrated", "brier"].value < found["vote", "brier"].value - 0.01
