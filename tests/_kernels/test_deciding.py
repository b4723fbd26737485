"""The largest score of each row."""

import numpy as np
import pytest

from heliast._kernels.deciding import largest


@pytest.mark.parametrize("k", [2, 5, 300])
def test_argmax_with_ties_to_the_first(k: int) -> None:
    scores = np.random.default_rng(0).integers(0, 4, (70_000, k)).astype(float)
    label, ties = largest(scores)
    np.testing.assert_array_equal(label, scores.argmax(axis=1))
    assert ties == ((scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1).sum()
    assert label.dtype == (np.uint8 if k <= 256 else np.int32)


def test_no_rows() -> None:
    label, ties = largest(np.empty((0, 3)))
    assert label.size == 0
    assert ties == 0
