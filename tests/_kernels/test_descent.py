"""Rows run down trees as one row at a time does in plain Python."""

import numpy as np
import pytest

from heliast._kernels import descent
from heliast._kernels.descent import Forest, take, vote

HARD = np.array(
    [0.0, -0.0, 1e-60, -1e-60, 2e-60, 1e-45, -3e-45, 1e-40, 0.1, -0.1, 1 / 3, 1.0, -1.0, 1 + 1e-9,
     1 + 2e-9, 16777217.0, 16777219.0, 1.7e9 + 0.3, 1.7e9 + 0.4, 3.4028235e38, 3.5e38, 1e300, 2e300,
     -1e300, -2e300, np.inf]
)  # fmt: skip
# Thresholds whose neighbours float32 does not tell apart, or does not hold at all.


def grown(rng, d, trees, splits, thresholds):
    """Trees with so many splits each at random: a forest, and the same as nested tuples."""
    first, feature, threshold, child, right = [0], [], [], [], []
    n_leaves, nested = 0, []
    for _ in range(trees):
        root = len(feature)
        nodes, open_ = [None], [0]
        for _ in range(splits):
            at = open_.pop(rng.integers(len(open_)))
            f, t, r = rng.integers(d), rng.choice(thresholds), rng.integers(2)
            nodes[at] = (f, t, r, len(nodes))
            open_ += [len(nodes), len(nodes) + 1]
            nodes += [None, None]
        for at, node in enumerate(nodes):
            if node is None:
                nodes[at] = n_leaves
                n_leaves += 1
        nested.append(nodes)
        for node in nodes:
            f, t, r, to = (-1, np.nan, 0, node) if isinstance(node, int) else node
            feature.append(f)
            threshold.append(t)
            right.append(r)
            child.append(to if f < 0 else root + to)
        first.append(len(feature))
    first, feature = np.array(first), np.array(feature, np.int32)
    threshold, child = np.array(threshold), np.array(child, np.int32)
    none = np.full(feature.size, -1, np.int32)
    forest = Forest(
        first=first, feature=feature, threshold=threshold, child=child, values=(None,) * d,
        right=np.array(right, np.int32), set_at=none, sets=np.empty(0, np.uint8),
    )  # fmt: skip
    return forest, nested


def naive(row, nodes):
    at = nodes[0]
    while not isinstance(at, int):
        f, t, right, to = at
        goes_right = right if np.isnan(row[f]) else row[f] > t
        at = nodes[to + int(goes_right)]
    return at


def rows_near(rng, thresholds, n, d):
    """Numbers on thresholds and a few steps of float64 or float32 beside them."""
    X = rng.choice(thresholds, (n, d))
    for way in (np.inf, -np.inf):
        X = np.where(rng.random(X.shape) < 0.3, np.nextafter(X, way), X)
        with np.errstate(over="ignore"):
            near = np.nextafter(X.astype(np.float32), np.float32(way)).astype(np.float64)
        X = np.where(rng.random(X.shape) < 0.1, near, X)
    return X


@pytest.mark.parametrize("missing", [0.0, 0.02])
@pytest.mark.parametrize("d", [1, 3, 31, 32])
def test_leaves_are_those_of_one_row_at_a_time(d, missing):
    rng = np.random.default_rng(d)
    forest, nested = grown(rng, d, 9, 40, HARD)
    X = rows_near(rng, HARD, 301, d)
    X[rng.random(X.shape) < missing] = np.nan
    expected = np.array([[naive(row, nodes) for nodes in nested] for row in X])
    assert np.array_equal(forest.leaves(X), expected)
    with np.errstate(over="ignore"):
        light = X.astype(np.float32)
    expected = np.array([[naive(row, nodes) for nodes in nested] for row in light])
    assert np.array_equal(forest.leaves(light), expected)


def test_a_tree_of_one_leaf():
    forest, _ = grown(np.random.default_rng(0), 2, 3, 0, HARD)
    assert forest.leaves(np.zeros((5, 2))).tolist() == [[0, 1, 2]] * 5
    assert forest.leaves(np.zeros((0, 2))).shape == (0, 3)


@pytest.mark.parametrize("threads", ["1", "2", "4"])
def test_answers_of_pieces_and_of_some_trees_at_a_time(threads, monkeypatch):
    monkeypatch.setenv("HELIAST_THREADS", threads)
    rng = np.random.default_rng(2)
    forest, nested = grown(rng, 3, 20, 30, rng.normal(size=50))
    X = rng.normal(size=(1500, 3))
    expected = np.array([[naive(row, nodes) for nodes in nested] for row in X])
    for size in (descent.LEAVES, 3000):
        monkeypatch.setattr(descent, "LEAVES", size)
        assert np.array_equal(forest.leaves(X), expected)
        value = rng.random(20 * 31).astype(np.float32)
        out = forest.answer(X, take, (value,), np.empty(expected.shape, np.float32))
        assert np.array_equal(out, value[expected])
        label = rng.integers(0, 4, value.size).astype(np.int32)
        weight, votes = rng.random(20), np.zeros((1500, 4))
        for b in range(20):  # in the order of trees, to the last bit
            votes[np.arange(1500), label[expected[:, b]]] += weight[b]
        out = forest.answer(X, vote, (label, weight), np.zeros((1500, 4)))
        assert np.array_equal(out, votes)
