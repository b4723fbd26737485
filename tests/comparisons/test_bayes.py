"""bayes_correlated_t and bayes_signed_rank: by hand, by slow twin, three that add up to one."""

import baycomp
import numpy as np
import pytest
from scipy import stats

from heliast import InputError
from heliast.comparisons import bayes_correlated_t, bayes_signed_rank, corrected_t

RNG = np.random.default_rng(8)
A, B = RNG.normal(0.80, 0.02, 10).round(3), RNG.normal(0.79, 0.02, 10).round(3)


def three(found):
    return np.array([found.a_better, found.equivalent, found.b_better])


# --- correlated t ----------------------------------------------------------------------------


def test_posterior_by_hand():
    d = A - B
    rho = 10 / 100  # share of test rows: rho / (1 - rho) = n_test / n_train
    scale = np.sqrt(d.var(ddof=1) * (1 / 10 + rho / (1 - rho)))
    law = stats.t(9, d.mean(), scale)
    found = bayes_correlated_t(A, B, 90, 10, margin=0.005)
    assert three(found) == pytest.approx(
        [law.sf(0.005), law.cdf(0.005) - law.cdf(-0.005), law.cdf(-0.005)]
    )
    assert (found.low, found.high) == pytest.approx(law.interval(0.95))


def test_half_the_p_value_without_a_margin():
    found, test = bayes_correlated_t(A, B, 90, 10, margin=0), corrected_t(A, B, 90, 10)
    assert min(found.a_better, found.b_better) == pytest.approx(test.p / 2)
    assert (found.low, found.high) == pytest.approx((test.low, test.high))


def test_without_spread():
    same = bayes_correlated_t(A, A, 90, 10)
    assert tuple(three(same)) == (0, 1, 0)
    assert same.notes == ("identical predictions",)
    apart = bayes_correlated_t([0.3, 0.4, 0.5], [0.2, 0.3, 0.4], 90, 10)
    assert tuple(three(apart)) == (1, 0, 0)
    assert "all differences are equal" in apart.notes[0]


# --- signed rank -----------------------------------------------------------------------------


def slow(difference, margin, samples, seed):
    """Every pair of data sets, every draw of weights."""
    rng = np.random.default_rng(seed)
    z = np.append(0.0, difference)
    sums = z[:, None] + z
    weight = rng.dirichlet(np.append(0.5, np.ones(difference.size)), samples)
    shares = [
        np.einsum("si,ij,sj->s", weight, own.astype(float), weight)
        for own in (sums > 2 * margin, np.abs(sums) <= 2 * margin, sums < -2 * margin)
    ]
    return np.bincount(np.argmax(shares, axis=0), minlength=3) / samples


@pytest.mark.parametrize("margin", [0.0, 0.0053, 0.0211])
def test_slow_twin(margin):
    found = bayes_signed_rank(A, B, margin, samples=20_000)
    assert three(found) == pytest.approx(slow(A - B, margin, 20_000, 1), abs=0.015)


def test_seed_and_order():
    found = bayes_signed_rank(A, B, seed=4, samples=2000)
    moved = bayes_signed_rank(A[::-1], B[::-1], seed=4, samples=2000)
    assert moved.to_dict() == found.to_dict()
    assert bayes_signed_rank(A, B, seed=5, samples=2000).a_better != found.a_better


def test_identical():
    found = bayes_signed_rank(A, A, samples=500)
    assert tuple(three(found)) == (0, 1, 0)
    assert found.notes == ("identical predictions",)


def test_a_difference_of_exactly_the_margin_is_equivalent():
    a, b = np.linspace(0.5, 0.9, 8) + 0.01, np.linspace(0.5, 0.9, 8)
    assert bayes_signed_rank(a, b, margin=0.01, samples=500).equivalent == 1


# --- both ------------------------------------------------------------------------------------

BOTH = {
    "t": lambda a, b, **rest: bayes_correlated_t(a, b, 90, 10, **rest),
    "rank": lambda a, b, **rest: bayes_signed_rank(a, b, samples=4000, **rest),
}


@pytest.mark.parametrize("test", BOTH.values(), ids=BOTH)
def test_add_up_and_turn_round(test):
    found = test(A, B)
    assert three(found).sum() == pytest.approx(1)
    assert three(test(B, A)) == pytest.approx(three(found)[::-1], abs=0.03)
    assert three(test(A, B, better="low")) == pytest.approx(three(found)[::-1])
    assert np.isnan(found.p)
    assert "a better" in repr(found)
    with pytest.raises(InputError, match=r"margin=-0\.1"):
        test(A, B, margin=-0.1)


def test_correlated_t_agrees_with_baycomp():
    rng = np.random.default_rng(0)
    a, b = 0.8 + 0.05 * rng.normal(size=100), 0.79 + 0.05 * rng.normal(size=100)
    found = bayes_correlated_t(a, b, 9, 1, 0.01)
    peer = baycomp.CorrelatedTTest.probs(a, b, rope=0.01, runs=10)
    assert (found.a_better, found.equivalent, found.b_better) == pytest.approx(peer, abs=1e-12)


def test_signed_rank_agrees_with_baycomp():
    rng = np.random.default_rng(0)
    a, b = 0.8 + 0.03 * rng.normal(size=20), 0.785 + 0.03 * rng.normal(size=20)
    found = bayes_signed_rank(a, b, 0.01)
    peer = baycomp.SignedRankTest.probs(a, b, 0.01, nsamples=20_000, random_state=0)
    # Both draw: four standard errors of a share of 20,000 and one of 50,000.
    shares = found.a_better, found.equivalent, found.b_better
    assert shares == pytest.approx(peer, abs=4 * (0.25 / 20_000 + 0.25 / 50_000) ** 0.5)
