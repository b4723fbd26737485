"""The chapter: examples 22.1 to 22.6 and exercise Q5."""

import numpy as np
import pytest
from tests.documents.tables import spelled_out, transposed

from heliast import Predictions, measures
from heliast.measures.summaries import Contingency, Ranking

IRIS = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
TABLE_22_1 = [[10, 0, 0], [0, 7, 5], [0, 3, 5]]  # rows = predicted, as printed
TABLE_22_3 = [[7, 7], [3, 13]]  # rows = predicted: TP FP / FN TN

# Table 22.5; the labels of the last five, lost in print, are all c2 (n1 = 10, n2 = 20).
SCORES = [
    *(0.93, 0.82, 0.80, 0.77, 0.74, 0.71, 0.69, 0.67, 0.66, 0.61),
    *(0.59, 0.55, 0.55, 0.53, 0.47, 0.30, 0.26, 0.11, 0.04, 2.97e-03),
    *(1.28e-03, 2.55e-07, 6.99e-08, 3.11e-08, 3.109e-08),
    *(1.53e-08, 9.76e-09, 2.08e-09, 1.95e-09, 7.83e-10),
]
TRUTHS = [f"c{digit}" for digit in "21211121222211111222" + "2" * 10]


@pytest.fixture
def iris():
    return Predictions.of(*spelled_out(transposed(TABLE_22_1), IRIS))


@pytest.fixture
def components():
    """Example 22.3: Iris-versicolor (c1) is the positive class."""
    return Predictions.of(*spelled_out(transposed(TABLE_22_3), ("c1", "c2")), positive="c1")


@pytest.fixture
def naive_bayes():
    return Predictions.of(TRUTHS, y_score=SCORES, positive="c1")


# --- examples 22.1 and 22.2 ------------------------------------------------------------------


def test_22_1_error_rate_0_267_and_accuracy_0_733(iris):
    assert len(iris) == 30
    assert measures.get("error").of(iris) == pytest.approx(8 / 30)
    assert round(measures.get("error").of(iris), 3) == 0.267
    assert round(measures.get("accuracy").of(iris), 3) == 0.733


def test_22_2_margins(iris):
    table = iris.summary(Contingency)
    assert table.counts.tolist() == transposed(TABLE_22_1)
    assert table.decided.tolist() == [10, 12, 8]  # m1, m2, m3
    assert table.actual.tolist() == [10, 10, 10]  # n1, n2, n3
    assert table.n == 30


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("precision", [1.0, 0.583, 0.625]),
        ("recall", [1.0, 0.7, 0.5]),
        ("f1", [1.0, 0.636, 0.556]),
    ],
)
def test_22_2_per_class(iris, name, printed):
    found = [round(measures.get(name).of(iris, class_), 3) for class_ in IRIS]
    assert found == printed


def test_22_2_overall_f_0_731(iris):
    assert round(measures.get("f1").of(iris), 3) == 0.731
    # The formula's sum runs to k, the number of classes (printed: to r).
    assert measures.get("f1").of(iris) == pytest.approx((20 / 20 + 14 / 22 + 10 / 18) / 3)


def test_overall_precision_weighted_by_predictions_is_the_accuracy(iris):
    decided = iris.summary(Contingency).decided
    precisions = [measures.get("precision").of(iris, class_) for class_ in IRIS]
    assert np.average(precisions, weights=decided) == pytest.approx(22 / 30)


# --- example 22.3 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "class_", "printed"),
    [
        ("error", None, 10 / 30),  # 0.33
        ("accuracy", None, 20 / 30),  # 0.67
        ("precision", None, 0.5),
        ("precision", "c2", 0.8125),
        ("npv", None, 0.8125),
        ("recall", None, 0.7),
        ("recall", "c2", 0.65),
        ("specificity", None, 0.65),
        ("fnr", None, 0.3),
        ("fpr", None, 0.35),
    ],
)
def test_22_3(components, name, class_, printed):
    assert measures.get(name).of(components, class_) == pytest.approx(printed, abs=1e-12)


def test_22_3_counts(components):
    (tp, fn), (fp, tn) = components.summary(Contingency).counts
    assert (tp, fp, fn, tn) == (7, 7, 3, 13)


def test_22_3_follows_from_the_scores_of_22_5_at_one_half(naive_bayes):
    assert naive_bayes.summary(Contingency).counts.tolist() == transposed(TABLE_22_3)


# --- examples 22.4 to 22.6 -------------------------------------------------------------------


def test_22_4_area(naive_bayes):
    # The rounded scores tie at 0.55: the chapter's own tie rule gives 0.7775, printed is 0.775.
    assert TRUTHS.count("c1") == 10
    assert measures.get("auc").of(naive_bayes) == pytest.approx(0.7775)


def test_22_4_area_0_775_without_the_tie():
    scores = list(SCORES)
    scores[11] += 1e-9  # the negative first, as the table prints them
    untied = Predictions.of(TRUTHS, y_score=scores, positive="c1")
    assert measures.get("auc").of(untied) == pytest.approx(0.775)


def test_22_4_point_at_0_71(naive_bayes):
    thresholds, tp, fp = naive_bayes.summary(Ranking).points
    at = thresholds.tolist().index(0.71)
    assert (tp[at], fp[at]) == (4, 2)  # at or above, as in algorithm 22.1 and example 22.5
    assert (tp[at - 1], fp[at - 1]) == (3, 2)  # strictly above, as printed: the point (0.1, 0.3)


def test_22_5_trapezoids():
    table = Predictions.of(
        ["c1", "c2", "c1", "c1", "c2"], y_score=[0.9, 0.8, 0.8, 0.8, 0.1], positive="c1"
    )
    thresholds, tp, fp = table.summary(Ranking).points
    assert thresholds.tolist() == [np.inf, 0.9, 0.8, 0.1]
    assert fp.tolist() == [0, 0, 1, 2]
    assert tp.tolist() == [0, 1, 3, 3]
    running = np.cumsum(np.diff(fp / 2) * (tp[1:] + tp[:-1]) / 2 / 3)
    assert running == pytest.approx([0, 1 / 3, 5 / 6])  # printed 0, 0.333, 0.833
    assert measures.get("auc").of(table) == pytest.approx(5 / 6)


def test_22_6_random_classifier_has_area_one_half():
    for share in (0.0, 0.5, 0.9):
        table = Predictions.of(TRUTHS, y_score=[share] * 30, positive="c1")
        assert measures.get("auc").of(table) == 0.5


def test_22_6_starts_below_the_diagonal(naive_bayes):
    _, tp, fp = naive_bayes.summary(Ranking).points
    assert (tp[1], fp[1]) == (0, 1)  # the highest scored point is a negative


def test_below_the_diagonal_inverting_helps(naive_bayes):
    worse = Predictions.of(TRUTHS, y_score=[-s for s in SCORES], positive="c1", scores="decision")
    area = measures.get("auc").of(worse)
    assert area < 0.5
    assert 1 - area == pytest.approx(measures.get("auc").of(naive_bayes))


# --- exercise Q5 -----------------------------------------------------------------------------


def test_q5():
    truth = [+1, -1, +1, +1, -1, +1, -1, +1, -1, -1]
    score = [0.53, 0.86, 0.25, 0.95, 0.87, 0.86, 0.76, 0.94, 0.44, 0.86]
    table = Predictions.of(truth, y_score=score, positive=1)
    # Of 25 pairs: 0.53 beats 1, 0.25 none, 0.95 and 0.94 all 5, 0.86 beats 2 and ties with 2.
    assert measures.get("auc").of(table) == pytest.approx((1 + 0 + 5 + 5 + 2 + 2 * 0.5) / 25)
    thresholds, tp, fp = table.summary(Ranking).points
    assert thresholds[1:].tolist() == [0.95, 0.94, 0.87, 0.86, 0.76, 0.53, 0.44, 0.25]
    assert tp.tolist() == [0, 1, 2, 2, 3, 3, 4, 4, 5]
    assert fp.tolist() == [0, 0, 0, 1, 3, 4, 4, 5, 5]
