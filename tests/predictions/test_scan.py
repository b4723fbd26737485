"""A scanned table gives the numbers of the same table in memory."""

import math
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast.predictions.scan import NEEDS

FIELDS = ("value", "low", "high", "se", "n", "n_effective")
CLOSE = 1e-9


def close(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= CLOSE * max(1.0, abs(a))


def agree(memory: hl.Assessment, scanned: hl.Assessment) -> set[str]:
    """Compare estimate by estimate; the measures whose interval is refused, which says why."""
    assert len(memory) == len(scanned)
    refused = set()
    for one, other in zip(memory, scanned, strict=True):
        what = (one.model, one.measure, one.class_)
        assert what == (other.model, other.measure, other.class_)
        if other.reason and NEEDS in other.reason:
            refused.add(one.measure)
            assert close(one.value, other.value), what
            assert math.isnan(other.low)
            assert math.isnan(other.high)
            continue
        for name in FIELDS:
            a, b = getattr(one, name), getattr(other, name)
            assert close(a, b), (*what, name, a, b)
        assert (one.method, one.reason, one.notes) == (other.method, other.reason, other.notes)
    return refused


def both(table: hl.Predictions, path: Path, **options: object) -> set[str]:
    table.write(path)
    scanned = hl.Predictions.scan(path)
    assert (scanned.models, scanned.classes) == (table.models, table.classes)
    assert (scanned.positive, len(scanned)) == (table.positive, len(table))
    return agree(hl.assess(table, **options), hl.assess(scanned, **options))


def binary(seed: int, n: int = 600, ties: bool = False) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    score = 1 / (1 + np.exp(-(1.5 * truth - 0.7 + rng.normal(size=n))))
    return truth, np.round(score, 1) if ties else score


BOOTSTRAPPED = {"average_precision"}
"""Below 200,000 rows its interval comes from the bootstrap, which needs the rows."""


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_two_classes(tmp_path: Path, seed: int, ties: bool) -> None:
    truth, score = binary(seed, ties=ties)
    table = hl.Predictions.of(truth, score=np.clip(score, 0.05, 0.95))
    assert both(table, tmp_path / "p.parquet") == BOOTSTRAPPED


def test_many_rows_have_every_interval(tmp_path: Path) -> None:
    truth, score = binary(5, 210_000)
    assert both(hl.Predictions.of(truth, score=score), tmp_path / "p.parquet") == set()
