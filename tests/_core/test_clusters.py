"""Groups: the jackknife over groups, equal groups, and coverage with groups of unequal sizes."""

import numpy as np
import pytest
from scipy import stats

from heliast._core.clusters import adjusted, equal_groups, few, sizes, too_few


def test_squares_add_up_to_the_jackknife_over_groups():
    rng = np.random.default_rng(0)
    group, value = rng.integers(0, 7, 80), rng.normal(size=80)
    size = sizes(group)
    sums = np.bincount(group, weights=value - value.mean())
    without = np.array([value[group != one].mean() for one in range(7)])
    jackknife = 6 / 7 * ((without - value.mean()) ** 2).sum()
    assert (adjusted(sums, size) ** 2).sum() / 80**2 == pytest.approx(jackknife)


def test_equal_groups_are_as_many_as_there_are():
    size = np.full(9, 4)
    assert equal_groups(size) == 9
    sums = np.arange(9.0)
    assert (adjusted(sums, size) ** 2).sum() == pytest.approx(9 / 8 * (sums**2).sum())
    assert np.isnan(adjusted(np.zeros(1), np.ones(1))).all()
    assert equal_groups(np.array([50, 1e-9])) == pytest.approx(1)


def test_words():
    assert too_few(np.full(5, 3), "an interval") == ""
    assert "one group has 90% of the rows" in too_few(np.r_[90, np.full(5, 2)], "a test")
    assert few(np.full(20, 3), "so") == ()
    assert few(np.r_[60, np.full(20, 3)], "so") == (
        "21 groups of unequal size are worth 3.8 equal ones: so",
    )


@pytest.mark.parametrize("groups", [8, 40])
def test_unequal_groups_are_covered(groups):
    """Rows that vary with their group, sizes lognormal with a coefficient of variation of 1."""
    rng, times, held, old = np.random.default_rng(groups), 1500, 0, 0
    spread = np.sqrt(np.log(2))
    for _ in range(times):
        size = np.maximum(2, np.round(30 * np.exp(rng.normal(-(spread**2) / 2, spread, groups))))
        total = size * rng.normal(0, np.sqrt(0.1), groups)
        total += np.sqrt(0.9 * size) * rng.normal(size=groups)
        mean = total.sum() / size.sum()
        sums = total - mean * size
        se = np.sqrt((adjusted(sums, size) ** 2).sum()) / size.sum()
        held += abs(mean) <= stats.t.ppf(0.975, equal_groups(size) - 1) * se
        se = np.sqrt(groups / (groups - 1) * (sums**2).sum()) / size.sum()
        old += abs(mean) <= stats.t.ppf(0.975, groups - 1) * se
    assert 0.925 <= held / times <= 0.985
    assert old < held
