"""paired_t: the chapter's examples, SciPy, cases without spread."""

from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats

from heliast import InputError, NotEnoughData
from heliast.comparisons import paired_t

FULL = np.array([8, 4, 7, 11, 5]) / 30  # example 22.7: errors over 30 rows a fold
NAIVE = np.array([7, 8, 3, 12, 9]) / 30  # example 22.11
OTHER = np.array([6, 6, 5, 10, 7]) / 30


# --- worked by hand --------------------------------------------------------------------------


def test_example_22_9_mean_and_variance():
    found = paired_t(FULL, np.zeros(5))  # an interval for a mean is one for a difference from 0
    assert found.value == pytest.approx(7 / 30)
    assert (found.value / found.statistic) ** 2 * 5 == pytest.approx(1 / 120)  # 0.00833
    z95, z99 = stats.norm.ppf([0.975, 0.995])
    se = found.value / found.statistic
    assert (z95 * se, z99 * se) == pytest.approx((0.08, 0.105), abs=5e-4)


def test_example_22_10_student_limits():
    found = paired_t(FULL, np.zeros(5))
    assert (found.low, found.high) == pytest.approx((0.12, 0.347), abs=5e-4)
    wide = paired_t(FULL, np.zeros(5), level=0.99)
    assert (wide.low, wide.high) == pytest.approx((0.0454, 0.4213), abs=5e-5)


def test_example_22_11_naive_against_full_bayes():
    found = paired_t(NAIVE, OTHER)
    assert found.value == pytest.approx(1 / 30)
    assert np.var(NAIVE - OTHER, ddof=1) == pytest.approx(1 / 300)  # 0.00333
    assert found.statistic == pytest.approx(sqrt(5 / 3))  # 1.291; the printed 1.28 rounds first
    assert found.df == 4
    assert found.low < 0 < found.high
    assert found.p > 0.05
    assert abs(found.statistic) < stats.t.ppf(0.975, 4) == pytest.approx(2.776, abs=5e-4)


# --- against SciPy ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 40])
def test_scipy(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(2, n))
    theirs = stats.ttest_rel(a, b)
    ours = paired_t(a, b, level=0.9)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    limits = theirs.confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((limits.low, limits.high))


# --- undefined cases -------------------------------------------------------------------------


def test_the_same_difference_in_every_fold_has_no_spread():
    found = paired_t([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])  # rounding must not become a spread
    assert found.value == pytest.approx(0.1)
    assert isnan(found.p)
    assert isnan(found.low)
    assert "all differences are equal" in found.reason


def test_one_fold_is_not_enough():
    with pytest.raises(NotEnoughData, match=r"1 pairs of fold values: at least 2"):
        paired_t([0.1], [0.2])


def test_what_is_wrong_is_named():
    with pytest.raises(InputError, match="a has 3 fold values, b has 2"):
        paired_t([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match=r"b\[1\] is nan"):
        paired_t([1, 2, 3], [1, float("nan"), 2])
    with pytest.raises(InputError, match=r"level=95.*0\.95"):
        paired_t([1, 2], [2, 4], level=95)
    with pytest.raises(InputError, match="a: expected numbers"):
        paired_t(["x", "y"], [1, 2])
    with pytest.raises(InputError, match=r"shape \(2, 2\)"):
        paired_t([[1, 2], [3, 4]], [[1, 2], [3, 4]])


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_differences_whose_squares_are_no_longer_numbers_have_no_p(scale):
    with np.errstate(over="ignore"):
        found = paired_t(scale * np.array([1.0, 2.0, 0.5]), np.zeros(3))
    assert isnan(found.p)
    assert "no finite variance" in found.reason
