"""The largest score of each row."""

import numpy as np
import pytest

from heliast._kernels.deciding import at_least, excess, extremes, largest


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


def test_excess_is_the_largest_distance_of_a_row_from_one() -> None:
    scores = np.random.default_rng(1).random((90_000, 4))
    assert excess(scores) == pytest.approx(np.abs(scores.sum(axis=1) - 1).max())
    scores[70_000, 2] = np.nan
    assert np.isnan(excess(scores))
    assert excess(np.empty((0, 3))) == 0


@pytest.mark.parametrize("shape", [(300_000,), (90_000, 4), (1,)])
def test_extremes(shape: tuple[int, ...]) -> None:
    scores = np.random.default_rng(2).normal(size=shape)
    assert extremes(scores) == (scores.min(), scores.max())
    scores.flat[-1] = np.nan
    assert np.isnan(extremes(scores)).all()
    scores.flat[0] = np.inf
    scores.flat[-1] = -np.inf
    assert extremes(scores) == ((-np.inf, np.inf) if scores.size > 1 else (-np.inf, -np.inf))


def test_at_least() -> None:
    scores = np.random.default_rng(3).integers(0, 5, 600_000) / 4
    np.testing.assert_array_equal(at_least(scores, 0.5), scores >= 0.5)
