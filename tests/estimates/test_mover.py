"""MOVER: weighted sums of rates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.estimates.twins import classes, of_table

from heliast import measures
from heliast._core.proportions import guarded_limits
from heliast.estimates import estimate, wilson
from heliast.measures.summaries import Counted

COUNTS = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 40), min_size=k, max_size=k), min_size=k, max_size=k)
)


def test_balanced_accuracy_by_hand():
    found = estimate(measures.get("balanced_accuracy"), Counted(of_table([[18, 2], [3, 7]])))
    (a_low, a_high), (b_low, b_high) = guarded_limits(18 / 20, 20), guarded_limits(7 / 10, 10)
    value = (0.9 + 0.7) / 2
    low = value - np.sqrt((0.9 - a_low) ** 2 + (0.7 - b_low) ** 2) / 2
    high = value + np.sqrt((a_high - 0.9) ** 2 + (b_high - 0.7) ** 2) / 2
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high))
    assert found.method == "MOVER of Wilson limits"


def test_one_cost_for_all_errors_is_wilson():
    counted = Counted(of_table([[38, 12], [13, 27]]))
    found = estimate(measures.get("expected_cost", cost=[[0, 3], [3, 0]]), counted)
    error = wilson(25, 90)
    assert (found.low, found.high) == pytest.approx((3 * error.low, 3 * error.high))


def test_the_unit_and_zero_of_costs_do_not_matter():
    counted = Counted(of_table([[38, 5], [3, 27]]))
    cost = np.array([[0.0, 1.0], [5.0, 0.0]])
    one = estimate(measures.get("expected_cost", cost=cost), counted)
    other = estimate(measures.get("expected_cost", cost=10 * cost - 3), counted)
    assert (other.low, other.high) == pytest.approx((10 * one.low - 3, 10 * one.high - 3))


def test_no_error_is_not_certain():
    found = estimate(
        measures.get("expected_cost", cost=[[0, 1], [5, 0]]), Counted(of_table([[30, 0], [0, 20]]))
    )
    assert found.low == found.value == 0.0
    assert found.high == pytest.approx(np.sqrt(26) * wilson(0, 50).high)


def test_many_different_costs_take_students_t():
    cost = np.arange(25.0).reshape(5, 5)
    found = estimate(
        measures.get("expected_cost", cost=cost),
        Counted(of_table(np.random.default_rng(0).integers(3, 9, (5, 5)))),
    )
    assert found.method == "Student t"


def test_error_with_given_prevalences_is_a_blend_of_classes():
    rows = of_table([[95, 5], [12, 28]], design="classes")
    found = estimate(measures.get("error"), Counted(rows, {0: 0.9, 1: 0.1}))
    a, b = wilson(5, 100), wilson(12, 40)
    value = 0.9 * 0.05 + 0.1 * 0.3
    high = value + np.hypot(0.9 * (a.high - 0.05), 0.1 * (b.high - 0.3))
    assert (found.value, found.high) == pytest.approx((value, high))


def test_rates_over_the_same_rows_vary_together():
    # Two classes: the specificity of one is the recall of the other.
    counted = Counted(of_table([[18, 2], [3, 7]]))
    recall = estimate(measures.get("recall.macro"), counted)
    specificity = estimate(measures.get("specificity.macro"), counted)
    assert (specificity.low, specificity.high) == pytest.approx((recall.low, recall.high))


def test_groups_of_copies_are_worth_their_number():
    cell = np.repeat(np.arange(4), [30, 8, 6, 36])
    many = np.repeat(cell, 4)
    rows = classes(many // 2, many % 2, group=np.repeat(np.arange(80), 4))
    grouped = estimate(measures.get("f1.macro"), Counted(rows))
    plain = estimate(measures.get("f1.macro"), Counted(of_table([[30, 8], [6, 36]])))
    assert grouped.high - grouped.low == pytest.approx(plain.high - plain.low, rel=0.04)


def test_perfect_groups_may_go_wrong_together():
    rows = classes([0, 1] * 100, [0, 1] * 100, group=np.arange(200) // 4)
    grouped = estimate(measures.get("recall.macro"), Counted(rows))
    assert grouped.low == pytest.approx(wilson_t(50, 49))
    alone = estimate(measures.get("recall.macro"), Counted(of_table([[100, 0], [0, 100]])))
    assert alone.low == pytest.approx(1 - np.sqrt(2) * (1 - wilson(100, 100).low) / 2)


def wilson_t(n, df):
    """The lower limit of n successes of n, with Student's quantile."""
    return n / (n + stats.t.ppf(0.975, df) ** 2)


@pytest.mark.parametrize("name", ["recall.macro", "f1.macro"])
def test_warns_of_a_small_class_among_several(name):
    counts = np.full((3, 3), 3) + np.diag([15, 15, 13])
    assert not estimate(measures.get(name), Counted(of_table(counts))).notes
    few = estimate(measures.get(name), Counted(of_table(counts - 1)))
    assert few.notes == ("the smallest class has 19 rows: the interval may be too short",)


@pytest.mark.parametrize("name", ["recall.macro", "precision.macro", "f1.macro", "informedness"])
@given(counts=COUNTS)
def test_holds_the_value_within_bounds_whatever_the_class_order(name, counts):
    measure = measures.get(name)
    found = estimate(measure, Counted(of_table(counts)))
    if np.isnan(found.value):
        assert found.reason
        return
    assert measure.bounds[0] <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= measure.bounds[1]
    turned = estimate(measure, Counted(of_table(np.flip(np.array(counts)))))
    if len(counts) > 2:  # of two classes one is the positive
        assert (turned.low, turned.high) == pytest.approx((found.low, found.high), abs=1e-9)
