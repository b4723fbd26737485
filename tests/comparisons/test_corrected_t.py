"""corrected_t: by hand, its limits as the splits stop overlapping, degrees of freedom."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from heliast import InputError
from heliast.comparisons import corrected_t, paired_t

A = np.array([0.20, 0.25, 0.15, 0.30, 0.22])
B = np.array([0.18, 0.20, 0.16, 0.24, 0.20])


def test_by_hand():
    d = A - B
    se = sqrt(d.var(ddof=1) * (1 / 5 + 20 / 80))
    found = corrected_t(A, B, 80, 20)
    assert found.statistic == pytest.approx(d.mean() / se)
    assert found.p == pytest.approx(2 * stats.t.sf(d.mean() / se, 4))
    half = stats.t.ppf(0.975, 4) * se
    assert (found.low, found.high) == pytest.approx((d.mean() - half, d.mean() + half))


def test_degrees_of_freedom_are_ours_to_choose():
    twice = np.tile(A, 2) + np.arange(10) / 1000
    other = np.tile(B, 2)
    weka = corrected_t(twice, other, 80, 20)
    careful = corrected_t(twice, other, 80, 20, df=4)
    assert (weka.df, careful.df) == (9, 4)
    assert weka.statistic == careful.statistic
    assert careful.p > weka.p
    assert careful.low < weka.low
    with pytest.raises(InputError, match="df=0"):
        corrected_t(A, B, 80, 20, df=0)


def test_without_overlap_it_is_the_paired_t():
    found, plain = corrected_t(A, B, 1e15, 1), paired_t(A, B)
    assert (found.p, found.low) == pytest.approx((plain.p, plain.low))


def test_sizes_of_each_split():
    found = corrected_t(A, B, [80] * 5, [20] * 5)
    assert found == corrected_t(A, B, 80, 20)
    with pytest.raises(InputError, match="one for each of the 5 splits"):
        corrected_t(A, B, [80, 80], 20)
    with pytest.raises(InputError, match=r"n_test=0\.0"):
        corrected_t(A, B, 80, 0)


def test_more_splits_than_groups_tell_no_more():
    a, b = [0.20, 0.25, 0.15, 0.30, 0.22, 0.18], [0.18, 0.20, 0.16, 0.24, 0.20, 0.17]
    d = np.subtract(a, b)
    for groups in (4, 6, 40):
        found = corrected_t(a, b, 80, 20, groups=groups)
        se = np.sqrt(d.var(ddof=1) * (1 / min(6, groups) + 20 / 80))
        assert found.statistic == pytest.approx(d.mean() / se)
    with pytest.raises(InputError, match="groups=1"):
        corrected_t(a, b, 80, 20, groups=1)
