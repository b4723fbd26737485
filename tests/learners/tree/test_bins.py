"""Bins of inputs: values of their own, or groups of equally many rows, all or drawn."""

import numpy as np
import pytest

from heliast._kernels.binning import encode, values_of
from heliast.learners.tree import Grove, Tree, _bins
from heliast.learners.tree._bins import bins_of


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_of_columns_that_have_few(dtype):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, k, 3000) for k in (1, 2, 3, 256, 257, 2500)]).astype(dtype)
    X[rng.random(X.shape) < 0.1] = np.nan
    X = np.column_stack([X, np.full(3000, np.nan), rng.choice([-0.0, 0.0, np.inf], 3000)])
    X = np.ascontiguousarray(X, dtype)
    X[-1, 1] = 7  # a third value, in the last row of all
    values, count, missing = values_of(X)
    for f, column in enumerate(X.T):
        known = np.unique(column[~np.isnan(column)])
        assert count[f] == min(known.size, 257)
        assert missing[f] == np.isnan(column).any()
        if known.size <= 256:
            np.testing.assert_array_equal(values[f, : count[f]], known)


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
    exact = np.array([0, 0, 1, 0, 1, 0, 0, 1], np.uint8)
    codes = encode(
        X, np.concatenate(borders), first, np.array(sizes), exact, np.empty(X.shape, np.uint16)
    )
    for f, upper in enumerate(borders):
        wanted = np.searchsorted(upper, X[:, f].astype(float))
        if exact[f]:
            wanted[~np.isin(X[:, f].astype(float), upper)] = upper.size + 1
        wanted[np.isnan(X[:, f])] = upper.size
        np.testing.assert_array_equal(codes[:, f], wanted)


@pytest.mark.parametrize("most", [None, 64])
def test_borders_from_drawn_rows(monkeypatch, most):
    """Bins hold about equally many rows, few values stay exact, and no row changes sides."""
    rng = np.random.default_rng(3)
    monkeypatch.setattr(_bins, "DRAWN", 4000)
    monkeypatch.setattr(_bins, "MOST", 300)  # so few that the drawn rows show more
    n = 20_000
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 40, n), rng.exponential(size=n)])
    X[7, 1] = 99.0  # too rare to be drawn
    bins = bins_of(X, np.zeros(3, bool), most)
    groups = 254 if most is None else most
    np.testing.assert_array_equal(bins.count, [groups, 41, groups])
    codes = bins.encode(X, np.empty(X.shape, np.uint8))
    for f in (0, 2):
        rows = np.bincount(codes[:, f], minlength=groups)
        # A border's share of the rows is within 5 standard errors of what it is among those drawn.
        drift = np.cumsum(rows) / n - np.arange(1, groups + 1) / groups
        assert np.abs(drift).max() < 5 * 0.5 / 4000**0.5
    truth = (X[:, 0] * X[:, 2] > 0.3) + (X[:, 1] > 20).astype(int)
    grove = Grove(Tree("gini", min_cut=1, min_size=2, min_deviance=0), X, bins=most)
    trees = grove.classes(truth, 3, rng.integers(0, 3, (2, n)), keep_training=True)
    kept, new = trees.leaves_on_training(), trees.leaves(X)
    np.testing.assert_array_equal(new[kept >= 0], kept[kept >= 0])


def test_values_too_many_to_draw_but_few_enough_for_bins_of_their_own(monkeypatch):
    monkeypatch.setattr(_bins, "DRAWN", 500)
    column = np.random.default_rng(4).normal(size=(3000, 1)).round(2)
    bins = bins_of(column, np.zeros(1, bool))
    np.testing.assert_array_equal(bins.upper, np.unique(column))


def test_rows_that_are_drawn_may_all_miss_the_value(monkeypatch):
    monkeypatch.setattr(_bins, "DRAWN", 500)
    column = np.full((60_000, 1), np.nan)
    column[::200, 0] = np.arange(300)
    rows = _bins._drawn(len(column))
    column[rows, 0] = np.nan
    bins = bins_of(column, np.zeros(1, bool), 16)
    assert bins.missing.all()
    assert bins.count[0] == 15
    assert np.isfinite(bins.upper).all()
