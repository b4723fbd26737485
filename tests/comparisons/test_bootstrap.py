"""Replicates with fitted tails: quantiles where dense, normal beyond, one the other's inverse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heliast.comparisons._bootstrap import Replicates

VALUES = np.sort(stats.norm.ppf((np.arange(2000) + 0.5) / 2000) * 2 + 7)


@given(st.floats(-9, 9))
def test_a_normal_distribution_is_recovered(z):
    replicates = Replicates(VALUES)
    point = replicates.point(z)
    assert point == pytest.approx(7 + 2 * z, abs=0.01 + 0.01 * abs(z))
    assert replicates.z(point) == pytest.approx(z, abs=0.02)


def test_where_replicates_are_dense_their_quantiles_are_taken():
    skewed = np.exp(VALUES / 4)
    replicates = Replicates(skewed)
    assert replicates.point(stats.norm.ppf(0.975)) == np.quantile(skewed, 0.975)
    # Each side has a tail of its own.
    up, down = replicates.point(4), replicates.point(-4)
    assert up - np.median(skewed) > 2 * (np.median(skewed) - down)


def test_values_that_are_mostly_the_same():
    replicates = Replicates(np.r_[np.zeros(1995), np.ones(5)])
    assert replicates.z(0.0) == pytest.approx(0, abs=0.01)
    assert replicates.z(1.0) > 4
