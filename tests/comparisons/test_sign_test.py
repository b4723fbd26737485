"""sign_test: SciPy's binomial, order statistics, zeros."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heliast.comparisons import sign_test


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=40).filter(any))
def test_binomial(d):
    found = sign_test(d, [0] * len(d))
    above, below = sum(x > 0 for x in d), sum(x < 0 for x in d)
    assert found.p == pytest.approx(stats.binomtest(above, above + below).pvalue)
    assert found.value == np.median(d)
    assert found.n_effective == above + below


def test_limits_are_the_order_statistics_of_the_tables():
    d = np.arange(1.0, 21.0)
    found = sign_test(d, np.zeros(20))
    assert (found.low, found.high) == (6, 15)  # n = 20: 6th and 15th, 95.86%
    quantiles = stats.quantile_test(d, p=0.5).confidence_interval(0.95)
    assert (found.low, found.high) == (quantiles.low, quantiles.high)


def test_few():
    found = sign_test([1, 2, 3, 4, 5], [0] * 5)
    assert found.p == 0.0625
    assert found.reason == "5 pairs cannot give an interval at level 0.95"
    assert found.notes == ("only 5 pairs differ: no p below 0.0625 is possible",)
