"""Planned looks: published boundaries, and a random walk that crosses them as often as it may."""

import numpy as np
import pytest

from heliast import InputError
from heliast.estimates import look_boundaries, look_level

PUBLISHED = {
    # Lan and DeMets' O'Brien-Fleming type, two-sided 5%, equally spaced looks.
    1: [1.960],
    2: [2.963, 1.969],
    3: [3.710, 2.511, 1.993],
    4: [4.333, 2.963, 2.359, 2.014],
    5: [4.877, 3.357, 2.680, 2.290, 2.031],
}


@pytest.mark.parametrize("looks", PUBLISHED)
def test_boundaries_as_published(looks):
    assert look_boundaries(looks) == pytest.approx(PUBLISHED[looks], abs=6e-4)


@pytest.mark.parametrize(("looks", "level"), [(5, 0.95), (12, 0.9), (50, 0.8)])
def test_a_walk_crosses_each_side_as_often_as_it_may(looks, level):
    rng = np.random.default_rng(looks)
    walk = rng.normal(size=(40_000, looks)).cumsum(axis=1) / np.sqrt(np.arange(1, looks + 1))
    crossed = (walk > np.array(look_boundaries(looks, level))).any(axis=1).mean()
    side = (1 - level) / 2
    # Walks that crossed below first do not count; they hardly ever come up again.
    assert crossed == pytest.approx(side, abs=4 * np.sqrt(side / 40_000) + 1e-3)


def test_a_look_is_a_level():
    assert look_level(1, 1) == pytest.approx(0.95)
    levels = [look_level(k, 5, 0.9) for k in range(1, 6)]
    assert levels == sorted(levels, reverse=True)
    assert all(0.9 < level < 1 for level in levels)
    assert look_level(1, 50) < 1  # a level, however sure


@pytest.mark.parametrize(("look", "looks"), [(0, 5), (6, 5), (1, 0), (1, 51)])
def test_there_is_no_such_look(look, looks):
    with pytest.raises(InputError, match="look"):
        look_level(look, looks)
