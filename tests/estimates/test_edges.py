"""Rows that leave little to go by: an answer or its reason, never a crash or a warning."""

import numpy as np
import pytest

import heliast as hl
from heliast.estimates import calibration_inference, student_t

pytestmark = pytest.mark.filterwarnings("error")
RNG = np.random.default_rng(5)
TRUTH = np.arange(60) % 4
SCORES = 0.8 * RNG.dirichlet(np.ones(4), 60) + 0.2 * np.eye(4)[TRUTH]


def two_classes(n: int, **more: object) -> hl.Predictions:
    rng = np.random.default_rng(2)
    truth = np.arange(n) % 2
    score = np.clip(truth / 2 + rng.uniform(0.05, 0.45, n), 0.01, 0.99)
    return hl.Predictions.of(truth, y_score=score, classes=[0, 1], scores="probability", **more)


def test_calibration_of_one_row_says_what_is_missing() -> None:
    found = calibration_inference(two_classes(1))
    assert "same outcome" in found.intercept.reason
    assert np.isnan([found.ici, found.emax, found.p]).all()
    assert "one row" in found.notes[0]


@pytest.mark.parametrize("kind", ["sampling", "frequency"])
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_rows_of_weight_0_are_no_rows_of_a_calibration(kind: str, kept: int) -> None:
    weight = np.where(np.arange(40) < kept, 2.0, 0.0)
    found = calibration_inference(two_classes(40, weight=weight, weights=kind))
    assert found.slope.reason
    few = two_classes(40).rows().at(np.arange(40) < kept)
    alone = calibration_inference(few)
    assert found.slope.reason == alone.slope.reason


def test_huge_losses_have_the_interval_of_their_shape() -> None:
    losses = np.random.default_rng(3).exponential(size=50) ** 2
    for scale in (1.0, 1e120):
        table = hl.Predictions.of(np.zeros(50), losses * scale, task="regression")
        found = hl.assess(table, "mae")["model", "mae"]
        assert found.key == "hall"
        ends = np.array([found.low, found.value, found.high]) / scale
        if scale == 1.0:
            first = ends
    assert ends == pytest.approx(first)
    even = student_t(np.array([1.0, 2.0, 4.0]) * 1e150)
    assert even.value == pytest.approx(7e150 / 3)


def test_a_class_of_share_0_still_has_rates_of_its_own() -> None:
    table = hl.Predictions.of(TRUTH, y_score=SCORES, scores="probability", design="classes")
    names = ["balanced_accuracy", "recall", "fnr"]
    none = hl.assess(table, names, prevalences={0: 0.0, 1: 0.3, 2: 0.3, 3: 0.4})
    hardly = hl.assess(table, names, prevalences={0: 1e-12, 1: 0.3, 2: 0.3, 3: 0.4 - 1e-12})
    for name in names:
        one, other = none["model", name], hardly["model", name]
        assert one.se > 0
        assert (one.low, one.high, one.se) == pytest.approx((other.low, other.high, other.se))


@pytest.mark.parametrize("truth", [[0, 1], [0, 0], [1, 1]])
def test_two_rows_have_values_or_reasons(truth: list[int]) -> None:
    table = hl.Predictions.of(truth, y_score=[0.2, 0.7], classes=[0, 1], scores="probability")
    for found in (*hl.assess(table), *hl.assess(table, ["hand_till", "partial_auc"])):
        assert found.reason or found.low <= found.value <= found.high
    numbers = hl.Predictions.of([1.0, 2.0], [1.5, 2.7], task="regression")
    assert all(found.reason or found.low <= found.high for found in hl.assess(numbers))


@pytest.mark.parametrize("kept", [1, 3, 12])
def test_average_precision_leaves_out_rows_of_weight_0(kept: int) -> None:
    weight = np.where(np.arange(40) < kept, 1.5, 0.0)
    found = hl.assess(two_classes(40, weight=weight, weights="sampling"), "average_precision")
    rows = two_classes(40)
    few = rows.rows().at(np.arange(40) < kept)
    alone = hl.Predictions.of(few.y_true, y_score=few.scores, classes=[0, 1], scores="probability")
    same = hl.assess(alone, "average_precision")["model", "average_precision"]
    one = found["model", "average_precision"]
    assert (one.value == pytest.approx(same.value)) or (one.reason and same.reason)


@pytest.mark.parametrize("measure", ["hand_till", "partial_auc", "brier_refinement", "auc"])
def test_constant_scores_have_no_interval_of_their_difference_and_say_why(measure: str) -> None:
    truth = np.arange(40) % 2
    flat = {"a": np.full(40, 0.5), "b": np.full(40, 0.3)}
    both = [
        hl.Predictions.of(truth, y_score=score, scores="probability", model=name)
        for name, score in flat.items()
    ]
    (pair,) = hl.compare(both[0].join(both[1]), measure).pairs
    assert np.isnan(pair.low)
    assert "all differences are equal" in pair.reason
