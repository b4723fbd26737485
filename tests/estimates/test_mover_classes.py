"""MOVER over two classes sampled each on its own, with given prevalences."""

import numpy as np
import pytest
from tests.estimates.twins import of_table

from heliast import measures
from heliast.estimates import estimate, wilson
from heliast.measures.summaries import Counted

SHARES = {0: 0.98, 1: 0.02}
NAMES = ["precision", "f1", "kappa", "mcc", "f1.macro", "npv"]


def fixed(counts):
    return Counted(of_table(counts, design="classes"), SHARES)


def test_precision_by_hand():
    found = estimate(measures.get("precision"), fixed([[97, 3], [20, 80]]))

    def precision(fpr, recall):
        return 0.02 * recall / (0.02 * recall + 0.98 * fpr)

    value, fpr, recall = precision(0.03, 0.8), wilson(3, 100), wilson(80, 100)
    low = value - np.hypot(value - precision(fpr.high, 0.8), value - precision(0.03, recall.low))
    high = value + np.hypot(precision(fpr.low, 0.8) - value, precision(0.03, recall.high) - value)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high))
    assert found.method == "MOVER over the classes' rates"


def test_no_false_positive_seen_is_none_ruled_out():
    # 0 of 100: up to 3.7% may be, which 98% of the population would make the greater part.
    found = estimate(measures.get("precision"), fixed([[100, 0], [20, 80]]))
    assert found.value == found.high == 1.0
    assert found.low < 0.4


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("counts", [[[90, 10], [3, 17]], [[100, 0], [0, 20]], [[60, 40], [8, 2]]])
def test_holds_the_value_and_turns_with_the_classes(name, counts):
    measure = measures.get(name)
    found = estimate(measure, fixed(counts))
    assert measure.bounds[0] <= found.low <= found.value <= found.high <= measure.bounds[1]
    assert found.low < found.high
    if name in ("kappa", "mcc", "f1.macro"):
        turned = Counted(of_table(np.flip(np.array(counts)), design="classes"), {0: 0.02, 1: 0.98})
        other = estimate(measure, turned)
        assert (other.low, other.high) == pytest.approx((found.low, found.high))


def test_macro_average_sees_a_false_positive_rate_of_none():
    found = estimate(measures.get("f1.macro"), fixed([[100, 0], [20, 80]]))
    assert found.method == "MOVER over the classes' rates"
    assert found.low < 0.75


def test_rates_within_a_class_keep_wilson():
    found = estimate(measures.get("recall"), fixed([[90, 10], [13, 17]]))
    assert (found.low, found.method) == (wilson(17, 30).low, "Wilson")


def test_groups_of_one_row_change_little():
    counts = [[90, 10], [10, 30]]
    alone = of_table(counts, design="classes", group=np.arange(140))
    grouped = estimate(measures.get("precision"), Counted(alone, SHARES))
    plain = estimate(measures.get("precision"), fixed(counts))
    assert (grouped.low, grouped.high) == pytest.approx((plain.low, plain.high), rel=0.03)


def test_only_for_two_classes_with_prevalences():
    counted = Counted(of_table([[9, 1], [3, 7]]))
    found = estimate(measures.get("kappa"), counted, interval="mover_classes")
    assert "prevalences" in found.reason
