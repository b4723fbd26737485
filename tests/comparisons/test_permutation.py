"""permutation: all flips by enumeration, SciPy, seeds, the interval."""

from itertools import product
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heliast import InputError
from heliast.comparisons import permutation

RNG = np.random.default_rng(11)
D = RNG.normal(0.3, size=60)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=9).filter(any))
def test_all_flips(d):
    signs = np.array(list(product([-1, 1], repeat=len(d))))
    p = (np.abs(signs @ np.array(d)) >= abs(sum(d))).mean()
    assert permutation(np.array(d) / 10, np.zeros(len(d))).p == pytest.approx(p)


def test_exact_where_scipy_is():
    d = D[:12]
    theirs = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert permutation(d, np.zeros(12)).p == pytest.approx(theirs.pvalue)


def test_random_flips_are_close_to_the_normal():
    found = permutation(D, np.zeros(60), permutations=40_000)
    z = D.sum() / np.sqrt((D**2).sum())
    assert found.p == pytest.approx(2 * stats.norm.sf(abs(z)), rel=0.15)
    assert "40000 flips" in found.method


def test_never_zero():
    found = permutation(np.arange(1.0, 101.0), np.zeros(100), permutations=999)
    assert found.p == 1 / 1000


def test_seed_order_and_swap():
    found = permutation(D, np.zeros(60), seed=5)
    moved = permutation(D[::-1], np.zeros(60), seed=5)
    assert moved.to_dict() == found.to_dict()
    turned = permutation(np.zeros(60), D, seed=5)
    assert (turned.p, turned.low, turned.high) == (found.p, -found.high, -found.low)
    assert permutation(D, np.zeros(60), seed=6).low != found.low


def test_interval_is_that_of_scipys_bca():
    found = permutation(D, np.zeros(60))
    theirs = stats.bootstrap(
        (D,), np.mean, method="BCa", n_resamples=4000, rng=np.random.default_rng(0)
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)
    assert found.value == pytest.approx(D.mean())


def test_awkward():
    constant = permutation(np.full(20, 0.3), np.full(20, 0.2))
    assert constant.p < 0.001
    assert isnan(constant.low)
    assert "all differences are equal" in constant.reason
    assert "5 rows" in permutation([1, 2, 3, 4, 6], [0] * 5).notes[-1]
    with pytest.raises(InputError, match="permutations=0"):
        permutation(D, D, permutations=0)


def test_what_is_missing_is_said_in_the_plural() -> None:
    with pytest.raises(InputError, match="a has 1 row losses, b has 2: "):
        permutation([1.0], [1.0, 2.0])
