"""Weights that span many orders of magnitude, as boosting makes them: light rows leave no noise."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.learners import Tree


def _rows(n, seed):
    """Inputs without ties and classes that overlap."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 5, n)
    X = rng.normal(size=(n, 6))
    X[:, :2] += 1.5 * np.column_stack([y % 3, y // 3])
    return X, y, np.exp(rng.uniform(-80, 0, n))


def _impurity(leaf, y, weight):
    """Gini's, summed over the leaves, of the heavy rows."""
    total = 0.0
    for one in np.unique(leaf):
        held = np.bincount(y[leaf == one], weight[leaf == one], 5)
        total += held.sum() - (held**2).sum() / held.sum()
    return total


@pytest.mark.parametrize("n", [200, 1500])  # counted in bins; sorted rows
@pytest.mark.parametrize("leaves", [2, 5, 12, 25])
def test_best_splits_are_those_of_scikit_learn(n, leaves):
    for seed in range(5):
        X, y, weight = _rows(n, seed)
        ours = Tree("gini", min_cut=1, min_size=2, min_deviance=0, max_leaves=leaves)
        ours.fit(X, y, sample_weight=weight)
        theirs = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=seed)
        theirs.fit(X, y, sample_weight=weight)
        mine, other = (_impurity(tree.apply(X), y, weight) for tree in (ours, theirs))
        assert mine == pytest.approx(other, rel=1e-6, abs=1e-9 * weight.sum())


@pytest.mark.parametrize("n", [200, 1500])
def test_sides_that_weigh_nothing_beside_the_rest_are_not_split_off_first(n):
    X, y, weight = _rows(n, 9)
    weight[:] = 1.3
    at = X[:, 5].argmax()
    weight[at] = 1e-30
    tree = Tree("gini", min_cut=1, min_size=2, min_deviance=0, max_leaves=2)
    leaf = tree.fit(X, y, sample_weight=weight).apply(X)
    assert (leaf == leaf[at]).sum() > 10


def test_sixty_rounds_of_boosting_have_the_errors_of_scikit_learn():
    X, y, _ = _rows(240, 3)
    base = Tree("gini", min_cut=1, min_size=2, min_deviance=0, max_leaves=8)
    ours = hl.BoostedVote(base, 60, draw="reweight", multiclass="samme", random_state=1).fit(X, y)
    tree = DecisionTreeClassifier(max_leaf_nodes=8)
    theirs = AdaBoostClassifier(tree, n_estimators=60, random_state=1).fit(X, y)
    assert len(ours.errors_) == 60
    np.testing.assert_allclose(ours.errors_, theirs.estimator_errors_, rtol=1e-9)
