"""How often true nulls are rejected at 5%: small simulations with a fixed seed."""

import numpy as np
import pytest

from heliast.comparisons import corrected_t, delong_paired, mcnemar, paired_t, wilcoxon

TIMES = 800
# 99.9% of binomial(800, 0.05) / 800 lies within 0.05 -+ 0.0254.
MOST = 0.0755


def rejected(p_values):
    return float(np.mean(np.array(p_values) < 0.05))


def test_mcnemar_mid_p_on_one_test_set():
    rng = np.random.default_rng(1)
    a, b, _ = rng.multinomial(200, [0.08, 0.08, 0.84], TIMES).T
    assert 0.02 < rejected([mcnemar(*pair).p for pair in zip(a, b, strict=True)]) < MOST


def test_wilcoxon_over_data_sets():
    rng = np.random.default_rng(2)
    d = rng.standard_t(3, size=(TIMES, 12))
    assert 0.02 < rejected([wilcoxon(row, np.zeros(12)).p for row in d]) < MOST


def test_delong_on_one_test_set():
    rng = np.random.default_rng(3)
    p_values = []
    for _ in range(TIMES):
        truth = np.arange(120) < 50
        shared = rng.normal(size=120) + truth
        p_values.append(delong_paired(truth, *(shared + rng.normal(size=(2, 120)))).p)
    assert 0.02 < rejected(p_values) < MOST


def test_corrected_t_where_splits_share_rows_and_the_plain_t_fails():
    # Differences with correlation n_test / (n_train + n_test): the model behind the correction.
    rng = np.random.default_rng(4)
    d = np.sqrt(0.1) * rng.normal(size=(TIMES, 1)) + np.sqrt(0.9) * rng.normal(size=(TIMES, 50))
    none = np.zeros(50)
    assert 0.02 < rejected([corrected_t(row, none, 90, 10).p for row in d]) < MOST
    assert rejected([paired_t(row, none).p for row in d]) == pytest.approx(0.4, abs=0.1)
