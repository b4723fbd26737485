"""The upper limit of mean squares allows for large errors that a sample does not hold."""

from math import sqrt

import numpy as np
import pytest

import heliast as hl
from heliast.predictions import Predictions


def of_errors(errors, **given) -> Predictions:
    return Predictions.of(
        np.asarray(errors, float), np.zeros(len(errors)), task="regression", **given
    )


def rmse(predictions):
    return hl.assess(predictions, "rmse")["model", "rmse"]


@pytest.mark.parametrize(
    ("law", "truth"),
    [
        (lambda rng, n: rng.standard_t(3, n), sqrt(3)),
        (lambda rng, n: rng.standard_t(5, n), sqrt(5 / 3)),
        (lambda rng, n: rng.laplace(size=n), sqrt(2)),
        (lambda rng, n: rng.normal(size=n), 1.0),
    ],
)
def test_heavy_tails_are_covered(law, truth: float) -> None:
    rng = np.random.default_rng(3)
    found = [rmse(of_errors(law(rng, 120))) for _ in range(160)]
    # 0.95 less four Monte Carlo errors; Student's and Hall's t alone cover 0.80 of the first law
    assert np.mean([one.low <= truth <= one.high for one in found]) >= 0.88


def test_normal_errors_pay_little() -> None:
    rng = np.random.default_rng(4)
    found, plain = [], []
    for _ in range(60):
        table = of_errors(rng.normal(size=300))
        found.append(rmse(table))
        plain.append(hl.assess(table, "mse", interval="hall")["model", "mse"])
    wider = [
        (one.high - one.low) / (sqrt(other.high) - sqrt(other.low))
        for one, other in zip(found, plain, strict=True)
    ]
    assert np.median(wider) < 1.1


def test_counts_are_copies_and_units_do_not_matter() -> None:
    errors = np.random.default_rng(5).standard_t(3, 60)
    copies = np.arange(60) % 3 + 1
    apart = rmse(of_errors(np.repeat(errors, copies)))
    counted = rmse(of_errors(errors, weight=copies.astype(float), weights="frequency"))
    assert (counted.low, counted.high) == pytest.approx((apart.low, apart.high), rel=1e-6)
    large = rmse(of_errors(1e6 * errors))
    small = rmse(of_errors(errors))
    assert large.high == pytest.approx(1e6 * small.high)


def test_a_scanned_table_has_the_same_limits(tmp_path) -> None:
    errors = np.random.default_rng(6).laplace(size=500)
    path = tmp_path / "numbers.parquet"
    of_errors(errors).write(path)
    scanned, read = rmse(Predictions.scan(path)), rmse(Predictions.read(path))
    assert (scanned.low, scanned.high) == pytest.approx((read.low, read.high), rel=1e-9)
    assert "long tails" in read.method


@pytest.mark.parametrize("errors", [np.zeros(50), np.ones(50), np.r_[np.zeros(49), 1.0]])
def test_errors_without_a_tail_are_no_fault(errors) -> None:
    found = rmse(of_errors(errors))
    assert found.reason or found.low <= found.value <= found.high


def test_rows_of_weight_0_are_not_there():
    errors = np.random.default_rng(8).standard_t(3, 300)
    weight = np.arange(300) % 3
    none = np.zeros(300)
    kept = weight > 0
    whole = hl.assess(errors, none, weight=weight, task="regression")["model", "rmse"]
    part = hl.assess(errors[kept], none[kept], weight=weight[kept], task="regression")[
        "model", "rmse"
    ]
    ends = (part.value, part.low, part.high)
    assert (whole.value, whole.low, whole.high) == pytest.approx(ends, rel=1e-12)
