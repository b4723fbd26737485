"""holm: statsmodels, NaN, levels that agree with the decisions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from heliast import InputError
from heliast.comparisons import holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def slow(p):
    """A p value is the largest of (m - i + 1) p_i over it and all that are smaller."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, largest = [0.0] * len(p), 0.0
    for step, i in enumerate(order):
        largest = max(largest, (len(p) - step) * p[i])
        adjusted[i] = min(1.0, largest)
    return adjusted


@given(P_VALUES)
def test_slow_twin(p):
    assert list(holm(p)) == pytest.approx(slow(p))


def test_statsmodels():
    p = [0.2, 0.001, 0.001, 0.9, 0.04, 0.011]
    assert list(holm(p)) == pytest.approx(multipletests(p, method="holm")[1])


def test_order_is_kept_and_nan_does_not_count():
    found = holm([0.04, float("nan"), 0.01])
    assert list(found) == pytest.approx([0.04, float("nan"), 0.02], nan_ok=True)
    assert np.isnan(found.levels[1])
    assert found.joint_level == pytest.approx(0.975)
    assert list(holm([])) == []
    assert np.isnan(np.asarray(holm([float("nan")]))).all()


def test_as_an_array():
    found = holm([0.01, 0.5])
    assert np.array_equal(np.asarray(found), found.p)
    assert np.asarray(found, np.float32).dtype == np.float32
    assert (len(found), found[0]) == (2, 0.02)
    assert found.to_dict()["p"] == [0.02, 0.5]


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=10), st.sampled_from([0.9, 0.95, 0.99]))
def test_intervals_leave_zero_out_where_p_is_small(z, level):
    # z tests: p and the interval at each level must say the same.
    found = holm(2 * stats.norm.sf(np.abs(z)), level)
    reach = stats.norm.ppf((1 + np.array(found.levels)) / 2)
    margin = np.abs(np.abs(z) - reach) > 1e-9
    assert ((np.abs(z) > reach) == (np.array(found.p) < 1 - level))[margin].all()


def test_refused():
    with pytest.raises(InputError, match=r"p_values\[1\]=1\.5"):
        holm([0.1, 1.5])
    with pytest.raises(InputError, match="expected a list"):
        holm(0.1)
    with pytest.raises(InputError, match="expected numbers"):
        holm(["small"])
