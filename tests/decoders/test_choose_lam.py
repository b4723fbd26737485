"""The penalty: each rule by its definition, and by what it should find."""

from math import inf

import numpy as np
import pytest

from heliast import InputError, codes, decoders
from heliast.decoders.least_squares import GRID


def answers(noise, k=8, columns=12, n=600, seed=0):
    rng = np.random.default_rng(seed)
    code, truth = codes.random(k, columns, seed), rng.integers(0, k, n)
    p = np.clip(0.5 + 0.4 * (2 * code[truth] - 1) + rng.normal(0, noise, (n, columns)), 0, 1)
    return p, truth, code


def test_the_grid():
    assert GRID[0] == 1
    assert GRID[-2:] == (1e4, inf)


def test_closed_form():
    p, truth, code = answers(0.4)
    found = decoders.choose_lam(p, truth, code, "closed")
    s2 = np.mean([(p[i] - code[truth[i]]) ** 2 for i in range(len(p))])
    assert found.noise == pytest.approx(s2)
    assert found.lam == pytest.approx(4 * 8 * s2)


def test_honest_error_by_decoding_with_every_penalty():
    p, truth, code = answers(0.5)
    found = decoders.choose_lam(p, truth, code, "honest")
    slow = [(decoders.ridge(p, code, lam).argmax(axis=1) != truth).mean() for lam in GRID]
    assert found.values == pytest.approx(slow)
    assert found.lam == max(lam for lam, e in zip(GRID, slow, strict=True) if e == min(slow))


def test_ties_go_to_the_larger():
    code = codes.hadamard(4)
    p = code[[0, 1, 2, 3]].astype(float)
    assert decoders.choose_lam(p, [0, 1, 2, 3], code, "honest").lam == inf


@pytest.mark.parametrize("columns", [5, 12])
def test_gcv_by_its_definition(columns):
    p, truth, code = answers(0.4, columns=columns)
    found = decoders.choose_lam(p, truth, code, "gcv")
    M, f = 2.0 * code - 1, 2 * p - 1
    for lam, value in zip(found.grid[:-1], found.values[:-1], strict=True):
        hat = M.T @ np.linalg.inv(M @ M.T + lam * np.eye(8)) @ M
        rss = ((f - f @ hat) ** 2).sum(axis=1).mean()
        assert value == pytest.approx(rss / (1 - np.trace(hat) / columns) ** 2)


def test_more_noise_more_penalty():
    for rule in ("closed", "gcv"):
        little, much = (decoders.choose_lam(*answers(s), rule).lam for s in (0.1, 0.6))
        assert little < much


def test_ridge_repairs_regression_near_as_many_columns_as_classes():
    p, truth, code = answers(0.6, k=8, columns=9, n=2000, seed=4)
    lam = decoders.choose_lam(p[:1000], truth[:1000], code, "honest").lam
    wrong = {
        "regression": (decoders.regression(p[1000:], code).argmax(axis=1) != truth[1000:]).mean(),
        "ridge": (decoders.ridge(p[1000:], code, lam).argmax(axis=1) != truth[1000:]).mean(),
    }
    assert wrong["ridge"] < wrong["regression"] - 0.02


def test_refusals():
    p, truth, code = answers(0.4)
    with pytest.raises(InputError, match="rule='aic'"):
        decoders.choose_lam(p, truth, code, "aic")
    with pytest.raises(InputError, match="a class for each row"):
        decoders.choose_lam(p, truth[:5], code)


def test_the_rules_in_0_and_1_by_their_definitions():
    p, truth, code = answers(0.5)
    honest = decoders.choose_lam(p, truth, code, "honest", "binary")
    slow = [(decoders.ridge_binary(p, code, lam).argmax(axis=1) != truth).mean() for lam in GRID]
    # At lam = inf sums tie in some rows, and rounding decides.
    assert honest.values == pytest.approx(slow, abs=3.5 / len(p))
    closed = decoders.choose_lam(p, truth, code, "closed", "binary")
    assert closed.lam == pytest.approx(8 * closed.noise)
    found = decoders.choose_lam(p, truth, code, "gcv", "binary")
    Z = code.astype(float)
    for lam, value in zip(found.grid[:-1], found.values[:-1], strict=True):
        hat = Z.T @ np.linalg.inv(Z @ Z.T + lam * np.eye(8)) @ Z
        rss = ((p - p @ hat) ** 2).sum(axis=1).mean()
        assert value == pytest.approx(rss / (1 - np.trace(hat) / 12) ** 2)
