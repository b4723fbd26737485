"""Weights that span many orders of magnitude, as boosting makes them: light rows leave no noise."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.learners import Tree
from heliast.learners.tree import TreeGrower


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
        ours = Tree(
            "gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_leaf_nodes=leaves
        )
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
    tree = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_leaf_nodes=2)
    leaf = tree.fit(X, y, sample_weight=weight).apply(X)
    assert (leaf == leaf[at]).sum() > 10


def test_sixty_rounds_of_boosting_have_the_errors_of_scikit_learn():
    X, y, _ = _rows(240, 3)
    base = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_leaf_nodes=8)
    ours = hl.BoostedVote(base, 60, draw="weights", multiclass="samme", random_state=1).fit(X, y)
    tree = DecisionTreeClassifier(max_leaf_nodes=8)
    theirs = AdaBoostClassifier(tree, n_estimators=60, random_state=1).fit(X, y)
    assert len(ours.estimator_errors_) == 60
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)


@pytest.mark.parametrize(
    "limits", [{}, {"min_samples_leaf": 0.05}, {"min_samples_split": 0.2}, {"min_samples_leaf": 3}]
)
def test_leaves_hold_the_rows_and_weights_that_come_to_them(limits):
    X, y, _ = _rows(1500, 4)
    weight = np.random.default_rng(4).exponential(size=1500)
    given = {
        "min_samples_leaf": 1,
        "min_samples_split": 2,
        "min_deviance": 0,
        "max_leaf_nodes": 60,
        **limits,
    }
    tree = TreeGrower(Tree("gini", **given), X.round(1)).grow_classes(
        y, 5, weight, keep_training=True
    )
    leaf = tree.where[0]
    rows = np.bincount(leaf)
    np.testing.assert_array_equal(tree.grown.count, rows)
    found = np.zeros((rows.size, 5))
    found[np.repeat(np.arange(rows.size), tree.grown.entries), tree.grown.class_] = (
        tree.grown.weight
    )
    expected = np.bincount(5 * leaf + y, weight, 5 * rows.size).reshape(-1, 5)
    unit = 2**-51 * weight.sum()  # each row's weight is rounded to one, if at all
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=unit * rows.max())
    least = given["min_samples_leaf"] * (1 if given["min_samples_leaf"] >= 1 else 1500)
    assert rows.size > 1
    assert rows.min() >= least


@pytest.mark.parametrize("drawn", [0, 2])
def test_weights_that_no_unit_divides_give_the_tree_of_the_copies(drawn):
    X, y, _ = _rows(1500, 5)
    copies = np.random.default_rng(5).integers(1, 4, 1500)
    base = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_depth=9)
    trees = [
        TreeGrower(base, X.round(1), seed=1, drawn=drawn).grow_classes(y, 5, weight)
        for weight in (copies, copies / 3 * np.pi)
    ]
    for name in ("feature", "low", "high", "child", "class_"):
        np.testing.assert_array_equal(*(getattr(tree.grown, name) for tree in trees))
