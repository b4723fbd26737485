"""Pruning: the slides' rule, a slow twin, scikit-learn's weakest links, raising."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.tree import DecisionTreeClassifier

from heliast._core.pessimistic import pessimistic_errors
from heliast.learners.tree import Tree
from heliast.learners.tree._pruning import (
    Path,
    complexity_path,
    cost_complexity,
    errors_of,
    pessimistic,
)
from heliast.learners.tree._raising import raised

DEEP = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0}


def noisy(seed=0, n=300, k=3, share=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.digitize(X[:, 0], [-0.5, 0.5])[:] % k
    flip = rng.random(n) < share
    return X, np.where(flip, rng.integers(0, k, n), y)


def grown(seed=0, **options):
    X, y = noisy(seed)
    return Tree(**(DEEP | options)).fit(X, y), X, y


def slow(nodes, i, confidence, form):
    """Pessimistic errors of the pruned subtree at i, and the set of nodes that become leaves."""

    def leaf(j):
        n = nodes.counts[j].sum()
        wrong = n - nodes.counts[j].max()
        return float(pessimistic_errors(np.array([wrong]), np.array([n]), confidence, form)[0])

    if nodes.feature[i] < 0:
        return leaf(i), set()
    left, cut_left = slow(nodes, nodes.left[i], confidence, form)
    right, cut_right = slow(nodes, nodes.right[i], confidence, form)
    if leaf(i) <= left + right:
        return leaf(i), {int(i)}
    return left + right, cut_left | cut_right


def shape(nodes):
    """What a tree asks, without the numbering of its nodes."""

    def at(i):
        if nodes.feature[i] < 0:
            return tuple(nodes.counts[i])
        return nodes.feature[i], nodes.threshold[i], at(nodes.left[i]), at(nodes.right[i])

    return at(0)


@pytest.mark.parametrize("form", ["c4.5", "binomial", "wilson"])
@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_as_the_slow_twin(form, confidence):
    nodes = grown()[0].nodes_
    _, cut = slow(nodes, 0, confidence, form)
    assert shape(pessimistic(nodes, confidence, form)) == shape(nodes.pruned(sorted(cut)))


def test_the_rule_of_the_slides():
    """Prune if the parent's pessimistic error is at most the weighted sum of its leaves'."""
    X = np.array([[0.0]] * 6 + [[1.0]] * 10)
    counts = {"pure leaf": ([0] * 6, [0] * 9 + [1]), "useful split": ([1] * 6, [0] * 9 + [1])}
    for name, (first, second) in counts.items():
        tree = Tree("gini", **DEEP).fit(X, np.array(first + second))
        assert tree.nodes_.leaves == 2, name
        wrong, n = errors_of(tree.nodes_.counts), tree.nodes_.counts.sum(axis=1)
        limit = pessimistic_errors(wrong, n)
        kept = pessimistic(tree.nodes_).leaves == 2
        assert kept == (limit[0] > limit[1] + limit[2]), name
    assert pessimistic(Tree("gini", **DEEP).fit(X, np.array([0] * 15 + [1])).nodes_).leaves == 1


def test_pruning_more_with_less_confidence():
    nodes = grown()[0].nodes_
    sizes = [pessimistic(nodes, c).leaves for c in (0.5, 0.25, 0.1, 0.01)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("complexity", [0.0, 0.005, 0.02, 0.1])
def test_weakest_links_are_scikit_learns(load, complexity):
    """scikit-learn takes impurity for the error: so does this check."""
    X, y = load(return_X_y=True)
    tree = Tree("gini", **DEEP).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    if tree.nodes_.leaves != theirs.get_n_leaves():
        pytest.skip("tied splits were broken differently")
    n = tree.nodes_.counts.sum(axis=1)
    gini = n / n[0] - (tree.nodes_.counts**2).sum(axis=1) / n / n[0]
    path = Path.of(tree.nodes_, gini)
    pruned = tree.nodes_.pruned(path.cut_at <= complexity * (1 + 1e-9))
    small = DecisionTreeClassifier(random_state=0, ccp_alpha=complexity).fit(X, y)
    if complexity > 0:  # scikit-learn keeps links of price 0 at complexity 0
        assert pruned.leaves == small.get_n_leaves()
    theirs_path = theirs.cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(
        np.unique(path.complexities.round(9)), np.unique(theirs_path.ccp_alphas.round(9)), atol=1e-9
    )


def test_every_subtree_of_the_path_is_the_best_at_its_complexity():
    """Twin: of all prunings of a small tree, none has less error + complexity * leaves."""
    nodes = grown(1, max_leaf_nodes=9)[0].nodes_
    inner = np.flatnonzero(nodes.feature >= 0)
    total = nodes.counts[0].sum()

    def price(one, complexity):
        return errors_of(one.counts)[one.feature < 0].sum() / total + complexity * one.leaves

    every = [
        nodes.pruned([i for bit, i in enumerate(inner) if mask >> bit & 1])
        for mask in range(1 << inner.size)
    ]
    for complexity in (0.0, 0.002, 0.01, 0.03, 1.0):
        ours = cost_complexity(nodes, complexity)
        best = min(price(one, complexity) for one in every)
        assert price(ours, complexity) == pytest.approx(best, abs=1e-12)
        smallest = min(o.leaves for o in every if price(o, complexity) < best + 1e-12)
        assert ours.leaves == smallest


def test_the_path_falls_from_the_tree_to_its_root():
    nodes = grown()[0].nodes_
    path = complexity_path(nodes)
    assert path.leaves[0] == nodes.leaves
    assert path.leaves[-1] == 1
    assert (np.diff(path.leaves) < 0).all()
    assert (np.diff(path.complexities[1:]) > 0).all()


def test_raising_keeps_counts_and_never_grows():
    tree, X, y = grown()
    ones = np.ones(len(y))
    out = raised(tree.nodes_, X, y, ones)
    assert out.leaves <= pessimistic(tree.nodes_).leaves
    np.testing.assert_array_equal(out.counts[0], tree.nodes_.counts[0])
    inner = np.flatnonzero(out.feature >= 0)
    np.testing.assert_array_equal(
        out.counts[inner], out.counts[out.left[inner]] + out.counts[out.right[inner]]
    )
    # Rows sent down the new tree land where its counts say.
    at = out.descent().leaves(X)[:, 0]
    found = np.zeros_like(out.counts)
    np.add.at(found, (at, y), 1.0)
    np.testing.assert_array_equal(found[out.feature < 0], out.counts[out.feature < 0])


def test_a_branch_is_raised():
    """The first split is by chance and hides a real one; its larger branch takes its place."""
    rng = np.random.default_rng(3)
    raises = 0
    for seed in range(20):
        X, y = noisy(seed, 200, 3, 0.2)
        X = np.c_[X, rng.normal(size=(200, 3))]
        tree = Tree(**DEEP).fit(X, y)
        replaced = pessimistic(tree.nodes_)
        lifted = raised(tree.nodes_, X, y, np.ones(200))
        raises += shape(replaced) != shape(lifted)
    assert raises > 0
