import numpy as np
import pytest

from heliast import InputError, Predictions, measures
from heliast.learners import threshold_of
from heliast.measures.summaries import Counted, Moments

TRUTH = ["sick", "sick", "well", "well", "well"]
LABEL = ["sick", "well", "well", "sick", "well"]
COST = [[0, 10], [1, 0]]  # in the order sick, well; rows = true class


def cost(given, truth=TRUTH, label=LABEL, **more):
    return measures.get("expected_cost", cost=given).of(Predictions.of(truth, label, **more))


# --- expected cost ---------------------------------------------------------------------------


def test_by_hand():
    assert cost(COST) == pytest.approx((10 + 1) / 5)


def test_a_mapping_names_the_pairs():
    assert cost({("sick", "well"): 10, ("well", "sick"): 1}) == pytest.approx(11 / 5)
    assert cost({("sick", "sick"): -2}) == pytest.approx(-2 / 5)


def test_zero_one_costs_give_the_error():
    rng = np.random.default_rng(0)
    truth, label = rng.integers(0, 4, (2, 60))
    found = cost(1 - np.eye(4), truth, label)
    assert found == pytest.approx(measures.get("error").of(Predictions.of(truth, label)))


def test_the_spread_is_that_of_the_row_costs():
    rng = np.random.default_rng(1)
    truth, label = rng.integers(0, 3, (2, 80))
    matrix = rng.normal(size=(3, 3))
    for weight, kind in (
        (None, None),
        (rng.integers(1, 4, 80), "frequency"),
        (rng.random(80), "sampling"),
    ):
        rows = Predictions.of(truth, label, weight=weight, weights=kind).rows()
        found = measures.get("expected_cost", cost=matrix).form(Counted(rows))
        expected = Moments.of(matrix[truth, label], rows.weight, kind == "sampling")
        assert found.value == pytest.approx(expected.mean)
        assert found.variance == pytest.approx(expected.variance)
        assert found.df == pytest.approx(expected.df)
        assert found.skewness == pytest.approx(expected.skewness)
        assert found.losses(rows) == pytest.approx(matrix[truth, label])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, 1, 2]], "cost: expected 2 x 2 numbers, rows = true class"),
        ([[0, float("nan")], [1, 0]], "cost: costs must be finite numbers"),
        ({("sick", "dead"): 1}, r"cost: \('sick', 'dead'\) is not a pair"),
        ({"sick": 1}, "cost: 'sick' is not a pair"),
    ],
)
def test_refuses_other_costs(given, message):
    with pytest.raises(InputError, match=message):
        cost(given)


def test_left_out_without_costs():
    with pytest.raises(InputError, match="measure 'expected_cost': needs cost="):
        measures.get("expected_cost").of(Predictions.of(TRUTH, LABEL))


# --- decisions from costs --------------------------------------------------------------------


def test_threshold_from_the_ratio_of_costs():
    assert threshold_of([[0.0, 1.0], [4.0, 0.0]]) == pytest.approx(1 / 5)
    assert threshold_of([[0.0, 1.0], [1.0, 0.0]]) == pytest.approx(1 / 2)


def test_deciding_by_cost_costs_least_on_average():
    rng = np.random.default_rng(3)
    p = rng.random(4000)
    truth = (rng.random(4000) < p).astype(int)
    matrix = np.array([[0.0, 1.0], [4.0, 0.0]])
    spent = {t: cost(matrix, truth, (p >= t).astype(int)) for t in (0.05, 0.2, 0.5, 0.8)}
    assert min(spent, key=spent.get) == 0.2


# --- net benefit -----------------------------------------------------------------------------


def test_net_benefit_by_hand():
    table = Predictions.of([1, 1, 0, 0, 0], y_score=[0.9, 0.1, 0.2, 0.6, 0.0])
    # At 0.2: 1 true and 2 false positives of 5, at an exchange rate of 1/4.
    found = measures.get("net_benefit", threshold=0.2).of(table)
    assert found == pytest.approx(1 / 5 - 2 / 5 * 0.25)


def test_net_benefit_of_treating_all():
    table = Predictions.of([1, 0, 0, 0], y_score=[0.9] * 4)
    found = measures.get("net_benefit", threshold=0.25).of(table)
    assert found == pytest.approx(0.25 - 0.75 / 3)


def test_net_benefit_follows_the_positive_class():
    table = Predictions.of(["y", "n"], y_score=[0.9, 0.6], positive="n")
    assert measures.get("net_benefit", threshold=0.5).of(table) == pytest.approx(1 / 2 - 1 / 2)


@pytest.mark.parametrize("threshold", [0, 1, -0.1, float("nan"), "half"])
def test_refuses_a_threshold_outside_zero_and_one(threshold):
    table = Predictions.of([1, 0], y_score=[0.9, 0.2])
    with pytest.raises(InputError, match=f"threshold={threshold} must lie between 0 and 1"):
        measures.get("net_benefit", threshold=threshold).of(table)


def test_titles_tell_thresholds_apart():
    assert measures.get("net_benefit", threshold=0.2).title == "net_benefit(threshold=0.2)"
    assert measures.get("expected_cost", cost=COST).title == "expected_cost"
