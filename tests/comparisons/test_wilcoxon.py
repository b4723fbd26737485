"""wilcoxon: all signs by enumeration, SciPy, Hodges-Lehmann, refusals."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heliast import NotEnoughData
from heliast.comparisons import wilcoxon
from heliast.comparisons._data_sets import hodges_lehmann, rank_sum_distribution

SMALL = st.lists(st.integers(-4, 4), min_size=6, max_size=9).filter(any)


def slow_p(difference):
    """Pratt's p by trying all signs."""
    d = np.asarray(difference, float)
    ranks = stats.rankdata(np.abs(d))[d != 0]
    signs = np.array(list(product([0, 1], repeat=ranks.size)))
    sums = signs @ ranks
    seen = ranks[d[d != 0] > 0].sum()
    return min(1, 2 * min((sums <= seen).mean(), (sums >= seen).mean()))


@given(SMALL)
def test_exact_with_ties_and_zeros(d):
    found = wilcoxon(d, [0] * len(d))
    assert found.p == pytest.approx(slow_p(d))
    assert found.n_effective == np.count_nonzero(d)


@pytest.mark.parametrize("n", [6, 15, 50])
def test_scipy_exact(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.3, size=n), rng.normal(size=n)
    theirs = stats.wilcoxon(a, b, zero_method="pratt", method="exact")
    ours = wilcoxon(a, b)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert min(ours.statistic, n * (n + 1) / 2 - ours.statistic) == theirs.statistic


def test_scipy_normal_with_zeros_and_ties():
    d = np.random.default_rng(1).integers(-9, 11, 500)
    theirs = stats.wilcoxon(d, zero_method="pratt", method="approx", correction=False)
    ours = wilcoxon(d, np.zeros(500))
    assert ours.p == pytest.approx(theirs.pvalue)
    assert "normal" in ours.method


def test_exact_and_normal_agree_where_they_meet():
    d = np.random.default_rng(2).normal(0.1, size=200)
    exact = wilcoxon(d, np.zeros(200)).p
    normal = stats.wilcoxon(d, method="approx", correction=False).pvalue
    assert exact == pytest.approx(normal, rel=0.02)


def test_rounding_does_not_break_ties():
    a = np.array([0.3, 0.2, 0.8, 0.7, 0.5, 0.9])
    b = np.array([0.2, 0.3, 0.7, 0.6, 0.4, 0.8])  # all differences are 0.1 in size
    assert wilcoxon(a, b).p == pytest.approx(slow_p([1, -1, 1, 1, 1, 1]))


# --- Hodges-Lehmann --------------------------------------------------------------------------


def test_limits_are_what_the_test_accepts():
    d = np.random.default_rng(4).normal(0.5, size=12)
    found = wilcoxon(d, np.zeros(12))
    step = 1e-9
    for end, outward in ((found.low, -step), (found.high, step)):
        assert wilcoxon(d, np.full(12, end - outward)).p >= 0.05
        assert wilcoxon(d, np.full(12, end + outward)).p < 0.05
    assert found.low < found.value < found.high


def test_a_level_met_exactly_and_one_out_of_reach():
    d = np.arange(1.0, 7.0)
    assert hodges_lehmann(d, 1 - 2 / 64)[1:3] == (1, 6)
    found = wilcoxon(d, np.zeros(6), level=0.99)
    assert np.isnan(found.low)
    assert found.reason == "6 pairs cannot give an interval at level 0.99"


def test_law_adds_up_to_one():
    assert rank_sum_distribution(np.arange(1, 201)).sum() == pytest.approx(1, abs=1e-12)


def test_many_pairs_keep_their_p():
    d = np.random.default_rng(5).normal(size=5001)
    found = wilcoxon(d, np.zeros(5001))
    assert 0 <= found.p <= 1
    assert "above 5000 pairs" in found.reason


# --- refused, or said ------------------------------------------------------------------------


def test_fewer_than_six():
    with pytest.raises(NotEnoughData, match=r"5 pairs: .* no Wilcoxon p below 0\.05 exists"):
        wilcoxon([1, 2, 3, 4, 5], [0] * 5)
    assert wilcoxon([1, 2, 3, 4, 5, 6], [0] * 6).p == pytest.approx(2 / 64)
    found = wilcoxon([1, 2, 3, 0, 0, 0], [0] * 6)
    assert found.notes == ("only 3 pairs differ: no p below 0.25 is possible",)
    assert found.p == 0.25


def test_no_difference_at_all():
    assert wilcoxon([1, 2], [1, 2]).p == 1
    with pytest.raises(NotEnoughData):
        wilcoxon([], [])
