"""Inputs drawn for every node; few bins; rows that lie in a file."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from heliast import BaggedMean, BaggedVote, BoostedVote, CodedVote, InputError, PairwiseVote, Tree

DEEP = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0)


def mixed(n, seed):
    """Three classes; continuous inputs, and some of two values that say little."""
    X, y = make_classification(
        n, 12, n_informative=6, n_classes=3, n_clusters_per_class=2, random_state=seed
    )
    flags = np.random.default_rng(seed).integers(0, 2, (n, 8))
    return np.column_stack([X, flags]), y


TASKS = {
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "mixed": lambda: mixed(2_000, 1),
    "two classes": lambda: make_classification(2_000, 15, n_informative=8, random_state=2),
}


@pytest.mark.parametrize("name", TASKS)
def test_a_forest_errs_as_scikit_learns_does(name):
    X, y = TASKS[name]()
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[::2], order[1::2]
    ours = BaggedVote(DEEP, 60, kind="soft", features="sqrt", random_state=1)
    peer = RandomForestClassifier(60, random_state=1)
    wrong = [m.fit(X[train], y[train]).predict(X[test]) != y[test] for m in (ours, peer)]
    differ = (wrong[0] != wrong[1]).sum()
    # Where the two disagree each is right as often, within three standard errors.
    assert abs(int(wrong[0].sum()) - int(wrong[1].sum())) <= 3 * max(differ, 1) ** 0.5


@pytest.mark.parametrize("features", ["sqrt", None])
def test_a_forest_of_numbers_errs_as_scikit_learns_does(features):
    X, y = load_diabetes(return_X_y=True)
    ours = BaggedMean(n_estimators=60, features=features, random_state=1)
    peer = RandomForestRegressor(60, max_features=features or 1.0, random_state=1)
    lost = [(m.fit(X[::2], y[::2]).predict(X[1::2]) - y[1::2]) ** 2 for m in (ours, peer)]
    gap = lost[0] - lost[1]
    assert abs(gap.mean()) < 4 * gap.std() / gap.size**0.5


def test_nodes_draw_their_inputs_and_members_do_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 9))
    y = (X[:, 4] > 0).astype(int)
    forest = BaggedVote(DEEP, 40, features="sqrt", random_state=1).fit(X, y)
    roots = [forest.estimators_[b].nodes_.feature[0] for b in range(40)]
    # The one input that matters is among the three of nine that a root draws a third of the time.
    assert 5 <= roots.count(4) <= 22
    assert all(4 in forest.estimators_[b].nodes_.feature for b in range(40))
    assert {b.nodes_.feature[0] for b in BaggedVote(DEEP, 5).fit(X, y).estimators_} == {4}


def test_out_of_bag_votes_of_a_forest(blobs):
    X, y, _, _ = blobs
    forest = BaggedVote(DEEP, 12, features="log2", out_of_bag=True, random_state=2).fit(X, y)
    total = np.zeros((len(y), 4))
    for b in range(12):
        out = forest.drawn(b) == 0
        total[out] += (forest.estimators_[b].predict(X)[:, None] == forest.classes_)[out]
    seen = total.any(axis=1)
    votes = total[seen] / total[seen].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.out_of_bag_votes_[seen], votes)


@pytest.mark.parametrize("threads", ["1", "2", "4"])
def test_a_forest_is_the_same_for_any_number_of_threads(blobs, monkeypatch, threads):
    X, y, new, _ = blobs
    expected = BaggedVote(DEEP, 9, features="sqrt", random_state=3).fit(X, y).votes(new)
    monkeypatch.setenv("HELIAST_THREADS", threads)
    found = BaggedVote(DEEP, 9, features="sqrt", random_state=3).fit(X, y).votes(new)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("vote", "words"),
    [
        (BaggedVote(DecisionTreeClassifier(), features="sqrt"), "needs a Tree"),
        (BaggedVote(Tree(class_weight="balanced"), features="log2"), "max_features"),
        (BaggedVote(features="cube"), "features='cube': choose 'sqrt', 'log2'"),
        (BaggedMean(Ridge(), features="sqrt"), "needs a Tree"),
        (BaggedVote(bins=257), "between 2 and 256"),
        (BoostedVote(bins=1), "between 2 and 256"),
    ],
)
def test_refusals(vote, words):
    with pytest.raises(InputError, match=words):
        vote.fit(np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1])


VOTES = [
    lambda **how: BaggedVote(DEEP, 10, random_state=1, **how),
    lambda **how: BaggedVote(DEEP, 10, features="sqrt", random_state=1, **how),
    lambda **how: BoostedVote(Tree(max_depth=3), 10, random_state=1, **how),
    lambda **how: CodedVote(Tree(), random_state=1, **how),
    lambda **how: PairwiseVote(Tree(), random_state=1, **how),
]


@pytest.mark.parametrize("make", VOTES)
def test_bins_change_nothing_but_where_inputs_have_more_values(make):
    X, y = mixed(500, 3)
    exact, binned = make(bins=None).fit(X, y), make().fit(X, y)
    new = mixed(500, 5)[0]  # on the rows themselves pure leaves are right either way
    assert (exact.predict_proba(new) != binned.predict_proba(new)).any()
    X = np.round(X, 1)
    assert max(np.unique(column).size for column in X.T) <= 256
    exact, binned = make(bins=None).fit(X, y), make().fit(X, y)
    np.testing.assert_array_equal(exact.predict_proba(X), binned.predict_proba(X))


@pytest.mark.parametrize("make", VOTES)
def test_single_precision_in_a_file_is_read_where_it_lies(make, tmp_path):
    X, y = mixed(500, 4)
    X = X.astype(np.float32)
    X.tofile(tmp_path / "rows")
    filed = np.memmap(tmp_path / "rows", np.float32, "r", shape=X.shape)
    expected = make().fit(X.astype(np.float64), y).predict_proba(X.astype(np.float64))
    np.testing.assert_array_equal(make().fit(filed, y).predict_proba(filed), expected)
