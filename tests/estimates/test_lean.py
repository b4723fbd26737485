"""Weights and groups that go with the errors: limits that lean, and say so."""

import numpy as np
import pytest

import heliast as hl
from heliast.estimates import wilson


def weighted(rng, n, sd, power):
    """Laplace errors whose scale is a power of log-normal sampling weights; the true MAE."""
    weight = rng.lognormal(0, sd, n)
    truth = rng.normal(size=n)
    label = truth + rng.laplace(size=n) * weight**power
    table = hl.Predictions.of(truth, label, weight=weight, weights="sampling", task="regression")
    return table, np.exp(((1 + power) ** 2 - 1) * sd**2 / 2)


def test_limits_of_a_weighted_mean_by_hand():
    """Hall's upper end by a search for the mean whose transformed t is the quantile."""
    table, _ = weighted(np.random.default_rng(3), 200, 0.8, 0.5)
    rows = table.rows()
    loss, weight = np.abs(rows.y_pred - rows.y_true), rows.weight
    found = hl.assess(table, "mae")["model", "mae"]
    u = weight * (loss - found.value)
    lean = (u**3).sum() / (u**2).sum() ** 1.5
    student = hl.assess(table, "mae", interval="student_t")["model", "mae"]
    q = (student.high - student.value) / student.se

    def twisted(m):
        t = (found.value - m) / student.se
        return t + lean * t**2 / 3 + lean**2 * t**3 / 27 + lean / 6

    assert lean > 0
    assert twisted(found.high) == pytest.approx(-q, rel=1e-9)
    assert found.low == pytest.approx(student.low)


def test_the_method_says_where_limits_are_not_its_own():
    rng, n = np.random.default_rng(2), 300
    right = (rng.random(n) < 0.95).astype(float)
    for more in ({"group": rng.zipf(2, n) % 40}, {"weight": rng.lognormal(size=n)}, {}):
        table = hl.Predictions.graded(right, item=np.arange(n), **more)
        auto, plain = (
            hl.assess(table, "grade", interval=one)["model", "grade"]
            for one in ("auto", "wilson_mean")
        )
        wider = (auto.low, auto.high) != (plain.low, plain.high)
        assert wider == bool(more)
        assert auto.method == plain.method + ", widened for groups or weights" * wider


def test_they_cover_where_symmetric_limits_do_not():
    covered = plain = 0
    for seed in range(200):
        table, mae = weighted(np.random.default_rng(seed), 250, 0.7, 1.0)
        lean, student = (
            hl.assess(table, "mae", interval=how)["model", "mae"] for how in ("auto", "student_t")
        )
        covered += lean.low <= mae <= lean.high
        plain += student.low <= mae <= student.high
    assert covered >= 174  # 87%: measured 91%, of symmetric limits 86%
    assert plain <= covered - 5


def test_equal_weights_keep_wilson():
    truth, label = np.tile([0, 1], 50), np.tile([0, 1, 1, 1], 25)
    table = hl.Predictions.of(truth, label, weight=np.full(100, 2.0), weights="sampling")
    found, bare = hl.assess(table, "error")["model", "error"], wilson(25, 100)
    assert (found.low, found.high) == pytest.approx((bare.low, bare.high), rel=0.03)
