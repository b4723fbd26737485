"""A training sample as a change of all rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast._core.errors import InputError
from heliast.fitting.shortcuts._change import Change


def test_rows_left_out():
    change = Change.of(np.array([4, 0, 3, 1]), 6)
    assert change.base == 1.0
    assert change.weight is None
    assert change.rows.tolist() == [2, 5]


def test_repeats_are_counted():
    change = Change.of(np.array([0, 2, 2, 2]), 5)
    assert change.base == 0.0
    assert change.times(5).tolist() == [1, 0, 3, 0, 0]


def test_positions_outside_the_data_are_refused():
    for train in ([0, 1, 2, 9], [0, 1, -1, 2], [7]):
        with pytest.raises(InputError, match="outside"):
            Change.of(np.array(train), 5)


@given(st.lists(st.integers(0, 11), min_size=0, max_size=20))
def test_counts_are_kept(train):
    change = Change.of(np.array(train, np.int64), 12)
    assert change.times(12).tolist() == np.bincount(np.array(train, int), minlength=12).tolist()
