"""How many different values there are, against a set."""

import numpy as np
import pytest

from heliast._core.distinct import distinct


@pytest.mark.parametrize(
    "values",
    [
        np.arange(1000)[::-1],
        np.random.default_rng(0).integers(-50, 50, 300),
        np.random.default_rng(1).integers(0, 2**62, 300),
        np.array([5], np.uint8),
        np.array([250, 255, 250], np.uint8),
        np.array([-128, 127, 0], np.int8),
        np.array([2**63 - 1, -(2**63)]),
        np.array([0.5, 0.5, 1.0]),
        np.array(["a", "b", "a"]),
        np.array(["a", "b", "a"], object),
        np.array([], np.int64),
    ],
    ids=str,
)
def test_as_many_as_a_set_holds(values):
    assert distinct(values) == len(set(values.tolist()))
