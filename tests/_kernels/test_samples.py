"""Rows that weigh anything."""

import numpy as np
import pytest

from heliast._kernels.samples import weighing


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_rows_that_weigh_anything_are_those_that_are_not_zero(dtype, share):
    rng = np.random.default_rng(1)
    weight = (rng.integers(1, 5, 500) * (rng.random(500) < share)).astype(dtype)
    rows = weighing(weight)
    assert rows.dtype == np.int32
    np.testing.assert_array_equal(rows, np.flatnonzero(weight))
