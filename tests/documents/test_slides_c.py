"""The slides on the evaluation of a classifier: measures, kappa, costs, the Wilson interval."""

import numpy as np
import pytest
from tests.documents.tables import spelled_out

from heliast import Predictions, estimates, measures
from heliast.measures.summaries import Contingency, Counted

CONFUSION = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
CHANCE = [[60, 36, 24], [30, 18, 12], [10, 6, 4]]


def swapped(positives, negatives):
    """Every prediction wrong."""
    truth = ["yes"] * positives + ["no"] * negatives
    return Predictions.of(truth, ["no"] * positives + ["yes"] * negatives)


# --- kappa -----------------------------------------------------------------------------------


@pytest.fixture
def example():
    return Predictions.of(*spelled_out(CONFUSION, ("a", "b", "c")))


def test_140_of_200_correct_in_proportions_100_60_40(example):
    table = example.summary(Contingency)
    assert table.hits.sum() == 140
    assert table.n == 200
    assert table.decided.tolist() == [100, 60, 40]
    assert table.actual.tolist() == [120, 60, 20]


def test_82_exact_by_chance(example):
    chance = example.summary(Contingency).chance
    assert chance == pytest.approx(np.array(CHANCE, float))
    assert chance.trace() == pytest.approx(82)


def test_kappa_0_492(example):
    kappa = measures.get("kappa").of(example)
    assert kappa == pytest.approx(58 / 118)  # 140 - 82 of 200 - 82
    assert round(kappa, 3) == 0.492
    assert measures.kappa_word(kappa) == "moderate"


@pytest.mark.parametrize(
    ("kappa", "word"),
    [
        (-0.1, "poor"),
        (0.0, "poor"),
        (0.1, "slight"),
        (0.3, "fair"),
        (0.5, "moderate"),
        (0.7, "substantial"),
        (0.9, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_scale_of_kappa(kappa, word):
    assert measures.kappa_word(kappa) == word


@pytest.mark.parametrize(("edge", "below"), [(0.2, "slight"), (0.4, "fair"), (0.8, "substantial")])
def test_an_edge_of_the_scale_belongs_to_the_word_below(edge, below):
    assert measures.kappa_word(edge) == below
    assert measures.kappa_word(np.nextafter(edge, 1)) != below


@pytest.mark.parametrize(
    ("positives", "negatives", "kappa"), [(50, 50, -1), (60, 40, -0.923), (90, 10, -0.22)]
)
def test_total_disagreement_is_minus_one_only_with_equal_classes(positives, negatives, kappa):
    # Printed: -1 for any perfect swap.
    found = measures.get("kappa").of(swapped(positives, negatives))
    assert found == pytest.approx(kappa, abs=5e-4)


def test_kappa_one_for_perfect_agreement_zero_for_random():
    perfect = Predictions.of(["a", "b", "c"] * 5, ["a", "b", "c"] * 5)
    assert measures.get("kappa").of(perfect) == 1
    random = Predictions.of(*spelled_out(CHANCE, ("a", "b", "c")))
    assert measures.get("kappa").of(random) == pytest.approx(0, abs=1e-15)


# --- measures --------------------------------------------------------------------------------


def test_always_no_has_98_percent_accuracy_and_no_precision():
    # Printed: '98% precision'.
    truth = ["yes"] * 2 + ["no"] * 98
    table = Predictions.of(truth, ["no"] * 100, positive="yes")
    assert measures.get("accuracy").of(table) == pytest.approx(0.98)
    precision = measures.get("precision").form(Counted(table.rows()))
    assert np.isnan(precision.value)
    assert precision.reason == "class 'yes' is never predicted"
    assert measures.get("kappa").of(table) == pytest.approx(0, abs=1e-15)


def test_accuracy_is_the_weighted_sum_of_sensitivity_and_specificity():
    table = Predictions.of(*spelled_out([[30, 10], [20, 140]], ("P", "N")), positive="P")
    sensitivity, specificity = (measures.get(name).of(table) for name in ("recall", "specificity"))
    weighted = sensitivity * 40 / 200 + specificity * 160 / 200
    assert weighted == pytest.approx(measures.get("accuracy").of(table))


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    table = Predictions.of(*spelled_out([[30, 10], [20, 140]], ("P", "N")), positive="P")
    precision, recall = (measures.get(name).of(table) for name in ("precision", "recall"))
    assert (precision, recall) == pytest.approx((30 / 50, 30 / 40))
    harmonic = 2 * precision * recall / (precision + recall)
    assert measures.get("f1").of(table) == pytest.approx(harmonic)


def test_precision_and_recall_of_three_classes(example):
    precisions = [measures.get("precision").of(example, class_) for class_ in "abc"]
    recalls = [measures.get("recall").of(example, class_) for class_ in "abc"]
    assert precisions == pytest.approx([88 / 100, 40 / 60, 12 / 40])
    assert recalls == pytest.approx([88 / 120, 40 / 60, 12 / 20])


def test_a_missed_spill_costs_more_than_a_false_alarm():
    truth, label = ["spill", "spill", "none", "none"], ["none", "spill", "spill", "none"]
    cost = [[0, 1], [20, 0]]  # in the order none, spill; rows = true class
    table = Predictions.of(truth, label, classes=["none", "spill"])
    assert measures.get("expected_cost", cost=cost).of(table) == pytest.approx((20 + 1) / 4)


def test_probabilities_to_crisp():
    binary = Predictions.of(["no", "yes", "yes"], y_score=[0.5, 0.49, 0.9])
    assert binary.y_pred.tolist() == [1, 0, 1]  # at or above the threshold 0.5
    several = Predictions.of(
        ["a", "b", "c"], y_score=[[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.4] * 2 + [0.2]]
    )
    assert several.y_pred.tolist() == [0, 2, 0]  # the largest; ties go to the first


# --- the Wilson interval ---------------------------------------------------------------------


def test_wilson_at_85_percent_narrows_with_n():
    intervals = [estimates.wilson(0.85 * n, n) for n in (20, 100, 1000, 10_000)]
    widths = [found.high - found.low for found in intervals]
    assert widths == sorted(widths, reverse=True)
    assert all(found.low < 0.85 < found.high for found in intervals)


def test_wilson_formula_with_the_printed_z():
    f, n, z = 0.85, 100, 1.96
    half = z * np.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))
    by_hand = [(f + z**2 / (2 * n) + sign * half) / (1 + z**2 / n) for sign in (-1, 1)]
    found = estimates.wilson(85, 100)
    assert [found.low, found.high] == pytest.approx(by_hand, abs=1e-5)
