import numpy as np
import pytest
from scipy.stats import binomtest

from heliast._core.proportions import LIMITS


@pytest.mark.parametrize(
    ("name", "scipy_name"), [("wilson", "wilson"), ("clopper_pearson", "exact")]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_scipy(name, scipy_name, level):
    successes = np.arange(8)
    low, high = LIMITS[name](successes / 7, 7, level)
    for k in successes:
        limits = binomtest(int(k), 7).proportion_ci(level, scipy_name)
        assert (low[k], high[k]) == pytest.approx((limits.low, limits.high))


@pytest.mark.parametrize("name", list(LIMITS))
def test_edges(name):
    low, high = LIMITS[name](np.array([0, 0, 1.0]), np.array([0, 5, 5]))
    assert low[:2].tolist() == [0, 0]
    assert high[[0, 2]].tolist() == [1, 1]
    assert np.isfinite([low, high]).all()
