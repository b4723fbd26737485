"""Bins of inputs: values of their own, or groups of equally many rows, all or drawn."""

import numpy as np
import pytest

from heliast._kernels.binning import encode
from heliast.learners.tree import Tree, TreeGrower, _bins
from heliast.learners.tree._bins import bins_of


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_of_bins_are_the_borders_below(dtype):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(2000, 8)).astype(dtype)
    sizes = [0, 1, 2, 3, 255, 256, 257, 1500]
    borders = [np.sort(rng.normal(size=size)).astype(dtype).astype(float) for size in sizes]
    for f, upper in enumerate(borders):
        X[: upper.size, f] = upper  # a value that is a border is not above it
    X[rng.random(X.shape) < 0.1] = np.nan
    first = np.concatenate([[0], np.cumsum(sizes)])
    exact = np.array([0, 0, 1, 0, 1, 0, 0, 1], bool)
    codes = encode(X, np.concatenate(borders), first, exact, np.empty(X.shape, np.uint16))
    for f, upper in enumerate(borders):
        wanted = np.searchsorted(upper, X[:, f].astype(float))
        if exact[f]:
            wanted[~np.isin(X[:, f].astype(float), upper)] = upper.size + 1
        wanted[np.isnan(X[:, f])] = upper.size
        np.testing.assert_array_equal(codes[:, f], wanted)


@pytest.mark.parametrize("most", [None, 64])
def test_groups_hold_equally_many_rows_and_no_row_changes_sides(monkeypatch, most):
    rng = np.random.default_rng(3)
    monkeypatch.setattr(_bins, "MOST", 300)
    n = 20_000
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 40, n), rng.exponential(size=n)])
    bins = bins_of(X, np.zeros(3, bool), most)
    groups = 254 if most is None else most
    np.testing.assert_array_equal(bins.count, [groups, 40, groups])
    codes = bins.encode(X)
    for f in (0, 2):
        assert np.ptp(np.bincount(codes[:, f], minlength=groups)) <= 1
    y = (X[:, 0] * X[:, 2] > 0.3) + (X[:, 1] > 20).astype(int)
    grower = TreeGrower(Tree("gini", limits="pure"), X, bins=most)
    trees = grower.grow_classes(y, 3, rng.integers(0, 3, (2, n)), keep_training=True)
    kept, new = trees.leaves_on_training(), trees.leaves(X)
    np.testing.assert_array_equal(new[kept >= 0], kept[kept >= 0])


def test_missing_values_have_a_bin_of_their_own():
    column = np.full((6000, 1), np.nan)
    column[::20, 0] = np.arange(300)
    bins = bins_of(column, np.zeros(1, bool), 16)
    assert bins.missing.all()
    assert bins.count[0] == 15
    assert np.isfinite(bins.upper).all()
