"""Losses of forecasts where few rows, or none, show what a miss costs; and losses all alike."""

import numpy as np
import pytest

import heliast as hl


def test_hard_forecasts_without_a_miss_have_wilsons_interval() -> None:
    truth = np.arange(60) % 2
    table = hl.Predictions.of(truth, y_score=truth.astype(float), positive=1, scores="probability")
    found = hl.assess(table, ["brier", "log_loss", "error"])
    brier, error = found["model", "brier"], found["model", "error"]
    assert (brier.low, brier.high) == pytest.approx((error.low, error.high))
    # A miss would cost infinitely much, so that nothing can be said.
    assert "all row losses are equal" in found["model", "log_loss"].reason
    assert hl.gate(table, "brier.high <= 0.001").outcome == "inconclusive"
    assert hl.gate(table, "log_loss.high <= 0.001").outcome == "inconclusive"


def test_losses_that_differ_by_rounding_alone_have_no_interval() -> None:
    truth = np.linspace(1, 2, 50)
    found = hl.assess(hl.Predictions.of(truth, truth + 0.3, task="regression"), ["mae", "rmse"])
    for measure in ("mae", "rmse"):
        assert np.isnan(found["model", measure].low)
        assert "all row losses are equal" in found["model", measure].reason


@pytest.mark.parametrize(("rate", "n"), [(0.03, 60), (0.02, 150)])
def test_confident_forecasts_with_few_misses_are_covered(rate: float, n: int) -> None:
    """Samples without a miss covered nothing: .835 in all; 300 samples, 92.5% shows as 87%."""
    confident = 0.98
    held = 0
    for seed in range(300):
        rng = np.random.default_rng([5, seed])
        truth = rng.integers(0, 2, n)
        said = np.where(rng.random(n) < rate, 1 - truth, truth)
        score = np.where(said == 1, confident, 1 - confident) + rng.uniform(-0.005, 0.005, n)
        table = hl.Predictions.of(truth, y_score=score, positive=1, scores="probability")
        one = hl.assess(table, "brier")["model", "brier"]
        true = rate * confident**2 + (1 - rate) * (1 - confident) ** 2
        held += one.low <= true <= one.high
    assert held / 300 > 0.87


def test_weights_of_zero_are_no_rows_over_folds() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 60)
    score = np.clip(0.4 * truth + 0.6 * rng.random(60), 0, 1)
    split, row, weight = np.arange(60) % 5, np.arange(60), np.ones(60)
    weight[:3] = 0
    given = {"positive": 1, "scores": "probability"}
    every = hl.Predictions.of(
        truth, y_score=score, split=split, row=row, weight=weight, weights="frequency", **given
    )
    rest = hl.Predictions.of(truth[3:], y_score=score[3:], split=split[3:], row=row[3:], **given)
    one, other = hl.assess(every), hl.assess(rest)
    for measure in ("error", "brier", "auc", "kappa"):
        a, b = one["model", measure], other["model", measure]
        assert a.value == pytest.approx(b.value)
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.02)


def test_numbers_have_no_prevalences() -> None:
    table = hl.Predictions.of([1.0, 2.0, 3.5], [1.1, 2.0, 3.0], task="regression")
    with pytest.raises(hl.InputError, match="prevalences is for classification"):
        hl.assess(table, prevalences={0: 0.5, 1: 0.5})


def test_one_large_error_does_not_tell_rmse_apart() -> None:
    """Exchangeable models with long tails: RMSE rejected 11%, MSE 1.5%; 300 samples."""
    told = dict.fromkeys(("rmse", "r2"), 0)
    for seed in range(300):
        rng = np.random.default_rng([6, seed])
        truth = rng.lognormal(0, 1.2, 60)
        both = [truth * rng.lognormal(0, 0.5, 60) for _ in range(2)]
        tables = [
            hl.Predictions.of(truth, label, model=name, row=range(60), task="regression")
            for name, label in zip("ab", both, strict=True)
        ]
        for measure in told:
            told[measure] += hl.compare(tables[0].join(tables[1]), measure).pairs[0].p < 0.05
    assert max(told.values()) <= 0.08 * 300


def test_a_scan_that_saw_no_miss_claims_no_limits(tmp_path) -> None:
    """The forecasts tell what a confident miss costs; sums over rows do not."""
    truth = np.arange(300) % 2
    table = hl.Predictions.of(truth, y_score=np.where(truth, 1 - 1e-6, 1e-6), scores="probability")
    scanned = hl.Predictions.scan(table.write(tmp_path / "sure.parquet"))
    for measure in ("log_loss", "brier"):
        memory = hl.assess(table, measure)["model", measure]
        found = hl.assess(scanned, measure)[
            "sure" if "sure" in scanned.models else "model", measure
        ]
        assert memory.high > 1000 * memory.value or memory.high > 0.001
        assert np.isnan(found.high)
        assert "--no-scan" in found.reason
        assert found.value == pytest.approx(memory.value)
