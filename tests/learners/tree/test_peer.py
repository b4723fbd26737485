"""Trees equal scikit-learn's wherever the best split is the only one."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier

from heliast import BaggedVote, BoostedVote, CodedVote
from heliast.learners.tree import Tree


def impurity(counts, criterion):
    share = counts[counts > 0] / counts.sum()
    mixed = 1 - share @ share if criterion == "gini" else -share @ np.log2(share)
    return mixed * counts.sum()


def differs(nodes, peer, X, criterion, i=0, j=0, rows=None):
    """Where the trees differ although no other input splits equally well."""
    rows = np.arange(len(X)) if rows is None else rows
    if (nodes.feature[i] < 0) != (peer.feature[j] < 0):
        return f"leaf or not: {i}, {j}"
    if nodes.feature[i] < 0:
        return None
    f, t = nodes.feature[i], nodes.threshold[i]
    if (f, t) != (peer.feature[j], peer.threshold[j]):
        sides = (peer.children_left[j], peer.children_right[j])
        theirs = sum(peer.impurity[side] * peer.n_node_samples[side] for side in sides)
        mixed = (nodes.counts[side] for side in (nodes.left[i], nodes.right[i]))
        own = sum(impurity(counts, criterion) for counts in mixed)
        # Equally good: a tie, and scikit-learn takes any of them.
        return None if np.isclose(own, theirs, rtol=1e-9) else f"split {i}: {own}, {theirs}"
    left = X[rows, f] <= t
    return differs(
        nodes, peer, X, criterion, nodes.left[i], peer.children_left[j], rows[left]
    ) or differs(nodes, peer, X, criterion, nodes.right[i], peer.children_right[j], rows[~left])


@pytest.mark.parametrize("criterion", ["deviance", "gini"])
@pytest.mark.parametrize("seed", range(40))
def test_structure(criterion, seed):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(20, 500)), int(rng.integers(1, 6)), int(rng.integers(2, 6))
    # scikit-learn reads float32.
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    noise = rng.integers(0, k, n)
    y = np.where(rng.random(n) < 0.6, (np.abs(X[:, 0]) * 2).astype(int) % k, noise)
    least, size = int(rng.integers(1, 12)), int(rng.integers(2, 40))
    depth, leaves = rng.choice([None, 3, 6]), rng.choice([None, 4, 9])
    ours = Tree(criterion, min_samples_leaf=least, min_samples_split=size, min_deviance=0,
                max_depth=depth,
                max_leaf_nodes=leaves).fit(X, y)  # fmt: skip
    peer = DecisionTreeClassifier(
        criterion={"deviance": "entropy"}.get(criterion, criterion), min_samples_leaf=least,
        min_samples_split=size, max_depth=depth, max_leaf_nodes=leaves, random_state=0,
    ).fit(X, y)  # fmt: skip
    assert differs(ours.nodes_, peer.tree_, X, criterion) is None


@pytest.mark.parametrize("seed", range(5))
def test_one_input_leaves_no_ties_between_inputs(seed):
    """Deep trees, weights and the least decrease, with all predictions the same."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 1)).astype(np.float32).astype(float)
    y = (np.sin(4 * X[:, 0]) + rng.normal(0, 0.4, 300) > 0).astype(int)
    weight = rng.random(300) + 0.1
    ours = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0).fit(X, y, weight)
    peer = DecisionTreeClassifier(random_state=0).fit(X, y, weight)
    grid = np.linspace(-4, 4, 1001)[:, None].astype(np.float32).astype(float)
    assert np.array_equal(ours.predict(grid), peer.predict(grid))
    assert np.allclose(ours.predict_proba(grid), peer.predict_proba(grid))
    root = 1 - (np.bincount(y) / 300) @ (np.bincount(y) / 300)
    ours = Tree(
        "gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, min_impurity_decrease=0.02
    ).fit(X, y)
    peer = DecisionTreeClassifier(min_impurity_decrease=0.02 * root, random_state=0).fit(X, y)
    assert differs(ours.nodes_, peer.tree_, X, "gini") is None


def test_missing_values():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1)).astype(np.float32).astype(float)
    y = ((X[:, 0] > 0) ^ (rng.random(400) < 0.1)).astype(int)
    X[rng.random(400) < 0.2] = np.nan
    ours = Tree("gini", min_samples_leaf=20, min_samples_split=40, min_deviance=0).fit(X, y)
    peer = DecisionTreeClassifier(min_samples_leaf=20, min_samples_split=40).fit(X, y)
    assert np.allclose(ours.predict_proba(X), peer.predict_proba(X))


@pytest.mark.parametrize("weight", [None, "copies"])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.31])
def test_limits_below_1_are_shares_of_the_rows(share, weight):
    """slides-c, other pruning techniques: 'the minimum number of samples (or fraction)'."""
    X, y = load_wine(return_X_y=True)
    copies = None if weight is None else np.random.default_rng(0).integers(1, 4, len(y))
    rows = len(y) if copies is None else copies.sum()
    for name, at_least in (
        ("min_samples_leaf", share * rows),
        ("min_samples_split", 2 * share * rows),
    ):
        below = {name: share if name == "min_samples_leaf" else 2 * share}
        limits = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0}
        found = Tree(**{**limits, **below}).fit(X, y, copies)
        same = Tree(**{**limits, name: np.ceil(at_least)}).fit(X, y, copies)
        assert found.text() == same.text()
        deep = Tree(**limits).fit(X, y, copies)
        assert found.n_leaves_ < deep.n_leaves_
    peer = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=share, random_state=0)
    ours = Tree(min_samples_leaf=share, min_samples_split=2, min_deviance=0)
    if copies is None:
        assert ours.fit(X, y).n_leaves_ == peer.fit(X, y).get_n_leaves()


def test_shares_in_votes_that_grow_their_trees_together():
    X, y = load_wine(return_X_y=True)
    deep = {"min_samples_split": 2, "min_deviance": 0}
    for vote in (BaggedVote, BoostedVote):
        few = vote(Tree(min_samples_leaf=0.2, **deep), 5, random_state=0).fit(X, y)
        rows = vote(Tree(min_samples_leaf=0.2 * len(y), **deep), 5, random_state=0).fit(X, y)
        assert np.array_equal(few.predict_proba(X), rows.predict_proba(X))
    coded = CodedVote(Tree(min_samples_leaf=0.2, **deep), random_state=0).fit(X, y)
    rows = CodedVote(Tree(min_samples_leaf=0.2 * len(y), **deep), random_state=0).fit(X, y)
    assert np.array_equal(coded.answers(X), rows.answers(X))
