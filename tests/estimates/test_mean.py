"""The default interval of a mean, where given prevalences put the weight on few rows."""

import numpy as np

import heliast as hl


def brier(rows: int, share: float) -> hl.Estimate:
    rng = np.random.default_rng(0)
    truth = np.arange(2 * rows) % 2
    score = np.clip(0.3 + 0.4 * truth + rng.normal(0, 0.15, truth.size), 0.01, 0.99)
    table = hl.Predictions.of(truth, y_score=score, design="classes")
    found = hl.assess(table, "brier", prevalences={0: 1 - share, 1: share})
    return found["model", "brier"]


def test_a_warning_where_coverage_was_measured_to_be_low() -> None:
    words = "the class that weighs most has 100 rows: the interval may be too short"
    assert words in brier(100, 0.02).notes
    assert brier(100, 0.3).notes == ()
    assert brier(500, 0.02).notes == ()
