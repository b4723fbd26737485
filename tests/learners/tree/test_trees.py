"""Members of a grower: what they answer, for one another and for rows that they never saw."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from heliast import InputError
from heliast.learners.tree import Tree, TreeGrower

DEEP = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0}
IRIS = load_iris(return_X_y=True)


def bagged(settings=None, members=7, X=IRIS[0], y=IRIS[1], seed=0):
    rng = np.random.default_rng(seed)
    copies = rng.multinomial(len(X), np.full(len(X), 1 / len(X)), members)
    grower = TreeGrower(settings or Tree(**DEEP), X, seed=seed)
    return grower.grow_classes(y, 3, copies, keep_training=True), copies


def test_members_answer_alone_as_they_do_together():
    X, y = load_wine(return_X_y=True)
    trees, _ = bagged(X=X, y=y)
    rng = np.random.default_rng(1)
    fresh = X[rng.integers(0, len(X), 50)] + rng.normal(0, 0.1, (50, X.shape[1]))
    alone = [trees.member(b) for b in range(len(trees))]
    labels = np.column_stack([tree.predict(fresh) for tree in alone])
    shares = np.array([tree.predict_proba(fresh) for tree in alone])
    assert np.array_equal(trees.labels(fresh), labels)
    assert np.allclose(trees.mean_probabilities(fresh), shares.mean(axis=0))
    weight = rng.random(len(trees))
    votes = [[weight[row == c].sum() for c in range(3)] for row in labels]
    assert np.allclose(trees.votes(fresh, weight), votes)
    leaf = trees.leaves(fresh)
    assert leaf.max(axis=0).max() < trees.sizes[:, 1].max()
    same = leaf[:, 0][:, None] == leaf[:, 0]
    assert np.array_equal(same, alone[0].apply(fresh)[:, None] == alone[0].apply(fresh))


def test_answers_for_training_rows_are_kept():
    X, _ = IRIS
    trees, copies = bagged()
    drawn = copies.T > 0
    kept = trees.labels_on_training()
    assert np.array_equal(kept[drawn], trees.labels(X)[drawn])
    assert set(kept[~drawn]) == {-1}
    assert np.array_equal(trees.leaves_on_training()[drawn], trees.leaves(X)[drawn])
    with pytest.raises(InputError, match="keep_training=True"):
        TreeGrower(Tree(), X).grow_classes(IRIS[1], 3).labels_on_training()


@pytest.mark.parametrize("smoothing", ["laplace", 1.5])
def test_smoothing_of_members(smoothing):
    X, y = IRIS
    trees, _ = bagged(Tree(smoothing=smoothing))
    shares = np.array([trees.member(b).predict_proba(X) for b in range(len(trees))])
    assert np.allclose(trees.mean_probabilities(X), shares.mean(axis=0))
    two = TreeGrower(Tree(smoothing=smoothing), X).grow_columns(y, np.array([[0], [1], [1]]))
    assert np.allclose(two.probabilities(X)[:, 0], two.member(0).predict_proba(X)[:, 1])


def test_ranks_of_thresholds_compare_as_numbers_do():
    """Rows on, just below and just above every threshold of every member."""
    trees, _ = bagged()
    at = np.flatnonzero(trees.grown.low >= 0)
    X = np.repeat(IRIS[0][:1], 3 * at.size, axis=0)
    for number, i in enumerate(at):
        t, f = trees.threshold[i], trees.grown.feature[i]
        X[3 * number : 3 * number + 3, f] = [np.nextafter(t, -9), t, np.nextafter(t, 99)]
    for b in range(len(trees)):
        nodes = trees.nodes(b)
        slow = []
        for row in X:
            i = 0
            while nodes.feature[i] >= 0:
                left = row[nodes.feature[i]] <= nodes.threshold[i]
                i = nodes.left[i] if left else nodes.right[i]
            slow.append(nodes.counts[i].argmax())
        assert np.array_equal(trees.labels(X)[:, b], slow)


def test_one_call_or_many_give_the_same_members():
    X, y = IRIS
    rng = np.random.default_rng(3)
    weights = rng.random((4, len(X)))
    together = TreeGrower(Tree(max_leaf_nodes=6, **DEEP), X, seed=1).grow_classes(y, 3, weights)
    grower = TreeGrower(Tree(max_leaf_nodes=6, **DEEP), X, seed=1)
    apart = [grower.grow_classes(y, 3, one) for one in weights]
    labels = np.column_stack([one.labels(X) for one in apart])
    assert np.array_equal(together.labels(X), labels)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.grow_classes([0, 1], 2), "y: 4 class numbers are needed"),
        (lambda g: g.grow_classes([0, 1, 2, 0], 2), "class numbers must be from 0 to 1"),
        (
            lambda g: g.grow_classes([0, 1, 1, 0], 2, [1, -1, 1, 1]),
            "finite and not negative",
        ),
        (lambda g: g.grow_classes([0, 1, 1, 0], 2, [[1, 1]]), r"weights must have shape \(4,\)"),
        (lambda g: g.grow_classes([0, 1, 1, 0], 2, np.zeros((2, 4))), "weighs more than zero"),
        (lambda g: g.grow_columns([0, 1, 1, 0], [[0], [2]]), "code must be a table of 0 and 1"),
        (lambda g: g.grow_classes([0, 1, 1, 0], 2).probabilities([[1.0]]), "ask for mean_prob"),
        (lambda g: g.grow_classes([0, 1, 1, 0], 2).labels([[1.0, 2.0]]), "grown on 1 columns"),
        (lambda g: g.grow_classes([0, 1, 1, 0], 2).votes([[1.0]], [1, 2]), "one number per member"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(InputError, match=message):
        call(TreeGrower(Tree(), [[1.0], [2.0], [3.0], [4.0]]))
