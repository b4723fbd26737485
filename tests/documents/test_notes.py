"""The notes, section 1: accuracy and error measures."""

import numpy as np
import pytest
from tests.documents.tables import spelled_out

from heliast import Predictions, measures
from heliast.measures.summaries import Contingency

TRUTH = [2.0, 4.0, 6.0, 8.0]
LABEL = [2.5, 3.0, 6.0, 10.0]


def value(name, truth=TRUTH, label=LABEL):
    return measures.get(name).of(Predictions.of(truth, label, task="regression"))


# --- 1.1 classifiers -------------------------------------------------------------------------


def buyers():
    """90 of 100 buyers (positive) and 860 of 900 others recognised."""
    return Predictions.of(*spelled_out([[90, 10], [40, 860]], ("yes", "no")), positive="yes")


def test_error_rate_is_one_less_the_accuracy():
    assert measures.get("error").of(buyers()) == pytest.approx(1 - 0.95)
    assert measures.get("accuracy").of(buyers()) == pytest.approx(0.95)


def test_accuracy_is_sensitivity_and_specificity_weighted_by_class_shares():
    sensitivity = measures.get("recall").of(buyers())
    specificity = measures.get("specificity").of(buyers())
    assert (sensitivity, specificity) == pytest.approx((90 / 100, 860 / 900))
    accuracy = sensitivity * 100 / 1000 + specificity * 900 / 1000
    assert measures.get("accuracy").of(buyers()) == pytest.approx(accuracy)


def test_precision_is_the_share_of_those_labelled_positive():
    assert measures.get("precision").of(buyers()) == pytest.approx(90 / 130)


def test_recognition_rate_per_class():
    found = [measures.get("recall").of(buyers(), class_) for class_ in ("yes", "no")]
    assert found == pytest.approx([0.9, 860 / 900])


def test_actual_c1_predicted_c2_is_a_false_negative():
    # The notes print false positive and false negative in each other's corner.
    table = Predictions.of(["C1"] * 5, ["C1"] * 3 + ["C2"] * 2, classes=["C1", "C2"], positive="C1")
    (tp, fn), (fp, tn) = table.summary(Contingency).counts
    assert (tp, fn, fp, tn) == (3, 2, 0, 0)
    assert measures.get("fnr").of(table) == pytest.approx(2 / 5)


def test_the_costly_error_is_the_false_negative():
    # Printed 'false positive': a cancerous patient predicted not cancerous is a false negative.
    table = Predictions.of(["cancer", "healthy"], ["healthy", "cancer"])
    cost = {("cancer", "healthy"): 50, ("healthy", "cancer"): 1}
    assert measures.get("expected_cost", cost=cost).of(table) == pytest.approx((50 + 1) / 2)


# --- 1.2 predictors --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("mae", (0.5 + 1 + 0 + 2) / 4),
        ("mse", (0.25 + 1 + 0 + 4) / 4),
        ("rmse", np.sqrt(5.25 / 4)),
        ("rae", 3.5 / (3 + 1 + 1 + 3)),  # the mean of the truths is 5
        ("rse", 5.25 / (9 + 1 + 1 + 9)),
        ("rrse", np.sqrt(5.25 / 20)),
    ],
)
def test_predictor_errors(name, by_hand):
    assert value(name) == pytest.approx(by_hand)


@pytest.mark.parametrize("name", ["rae", "rse", "rrse"])
def test_predicting_the_mean_has_relative_error_one(name):
    assert value(name, label=[5.0] * 4) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["mae", "rmse"])
def test_mae_and_rmse_have_the_unit_of_what_is_predicted(name):
    millimetres = value(name, [1000 * y for y in TRUTH], [1000 * y for y in LABEL])
    assert millimetres == pytest.approx(1000 * value(name))


@pytest.mark.parametrize("name", ["rae", "rse", "rrse", "r2"])
def test_relative_errors_have_no_unit(name):
    # Printed: the root relative squared error 'has the same unit as the quantity predicted'.
    millimetres = value(name, [1000 * y for y in TRUTH], [1000 * y for y in LABEL])
    assert millimetres == pytest.approx(value(name))
