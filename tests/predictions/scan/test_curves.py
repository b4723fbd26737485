"""Curves of scanned tables: those of the table in memory, within a pixel where they are thinned."""

from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast import curves
from heliast.predictions.scan import NeedsRows


def table(
    n: int, seed: int = 1, slope: float = 2.0, digits: int = 12
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    score = 1 / (1 + np.exp(-(slope * truth - 1 + rng.normal(size=n))))
    return truth, np.clip(np.round(score, digits), 0.01, 0.99)


def pair(tmp_path: Path, n: int, **options: object) -> tuple[hl.Predictions, hl.Predictions]:
    truth, score = table(n, **options)  # type: ignore[arg-type]
    weight = np.random.default_rng(9).uniform(0.2, 2, n) if options.get("seed") == 3 else None
    memory = hl.Predictions.of(truth, y_score=score, weight=weight)
    return memory, hl.Predictions.scan(memory.write(tmp_path / "p.parquet"))


def far(found: curves.Roc, whole: curves.Roc) -> float:
    """The largest distance, in pixels, from a vertex of the whole to the nearest kept before it."""
    at = np.searchsorted(-found.threshold, -whole.threshold, "right") - 1
    away = np.hypot(whole.tpr - found.tpr[at], whole.fpr - found.fpr[at])
    return float(away.max()) * 2048


@pytest.mark.parametrize(
    "options", [{}, {"slope": -2.0}, {"digits": 1}, {"seed": 3}, {"seed": 3, "digits": 1}]
)
@pytest.mark.parametrize("n", [300, 200_000])
def test_roc(tmp_path: Path, n: int, options: dict[str, object]) -> None:
    memory, scanned = pair(tmp_path, n, **options)
    whole, found = curves.roc(memory, thin=False), curves.roc(scanned)
    assert np.isclose(found.auc, whole.auc, rtol=1e-12)
    assert np.isclose(found.hull_auc, whole.hull_auc, rtol=1e-12)
    assert np.allclose(found.threshold[found.hull], whole.threshold[whole.hull])
    assert np.allclose(found.tp[found.hull], whole.tp[whole.hull])
    assert far(found, whole) <= 1.001
    assert found.threshold.size < 6000
    assert np.allclose(found.effective, whole.effective)
    assert found.best().threshold == whole.best().threshold
    if n == 300:
        assert np.allclose(found.threshold, whole.threshold)
    if whole.inverted is not None:
        assert found.inverted is not None
        assert np.isclose(found.inverted.hull_auc, whole.inverted.hull_auc, rtol=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_lift(tmp_path: Path, prevalence: float | None) -> None:
    memory, scanned = pair(tmp_path, 20_000)
    whole = curves.lift(memory, thin=False, prevalence=prevalence)
    found = curves.lift(scanned, prevalence=prevalence)
    assert np.isclose(found.area, whole.area, rtol=1e-9)
    assert np.isclose(found.share, whole.share, rtol=1e-9)
    for size in (10, 500, 7000):
        assert abs(found.expected(size) - whole.expected(size)) <= 2 * whole.positives / 2048


@pytest.mark.parametrize("seed", [1, 3])
def test_calibration(tmp_path: Path, seed: int) -> None:
    memory, scanned = pair(tmp_path, 5000, seed=seed, digits=1)
    whole, found = curves.calibration(memory), curves.calibration(scanned)
    for name in ("forecast", "outcome", "low", "high", "edges", "weight", "effective", "error"):
        assert np.allclose(getattr(found, name), getattr(whole, name), rtol=1e-9, atol=0)


def test_what_needs_every_point_is_refused(tmp_path: Path) -> None:
    _, scanned = pair(tmp_path, 300)
    for ask in (
        lambda: curves.roc(scanned, thin=False),
        lambda: curves.precision_recall(scanned),
        lambda: curves.calibration(scanned, by="count"),
        lambda: curves.calibration(scanned, isotonic=True),
    ):
        with pytest.raises(NeedsRows):
            ask()
    for name in ("partial_auc", "brier_calibration"):
        one = hl.assess(scanned, [name])["model", name]
        assert np.isnan(one.value)
        assert "scanned" in one.reason
