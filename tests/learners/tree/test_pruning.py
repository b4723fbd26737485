"""Pruning: the rule of the slides, and a slow twin."""

import numpy as np
import pytest

from heliast._core.pessimistic import pessimistic_errors
from heliast.learners.tree import Tree
from heliast.learners.tree._nodes import errors_of, pessimistic

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
    assert shape(pessimistic(nodes, confidence, form)) == shape(
        nodes.pruned(np.isin(np.arange(len(nodes)), list(cut)))
    )


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
