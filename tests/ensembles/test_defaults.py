"""What votes do if nothing is said of their members; the words for the documents' rules."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.ensembles import BaggedVote, BoostedVote, CodedVote, CostSensitive, PairwiseVote
from heliast.learners import Tree

PURE = Tree(limits="pure")
VOTES = [
    lambda base: BaggedVote(base, 5, random_state=1),
    lambda base: CodedVote(base, code_length=6, random_state=1),
    lambda base: PairwiseVote(base, random_state=1),
]


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(
        700, 12, n_informative=8, n_classes=5, random_state=3, n_clusters_per_class=2
    )
    return X[:450], y[:450], X[450:], y[450:]


@pytest.mark.parametrize("vote", VOTES)
def test_members_of_whose_size_nothing_is_said_are_pure(blobs, vote):
    X, y, new, _ = blobs
    pure = vote(PURE).fit(X, y).predict_proba(new)
    for base in (None, Tree()):
        np.testing.assert_array_equal(vote(base).fit(X, y).predict_proba(new), pure)
    for said in (Tree(limits="s-plus"), Tree(pruning="pessimistic"), Tree(max_leaf_nodes=4)):
        assert (vote(said).fit(X, y).predict_proba(new) != pure).any()


def test_a_tree_inside_a_base_is_a_member_too(blobs):
    X, y, new, _ = blobs
    said, unsaid = (
        BaggedVote(make_pipeline(StandardScaler(), tree), 3, random_state=1).fit(X, y)
        for tree in (PURE, Tree())
    )
    np.testing.assert_array_equal(said.votes(new), unsaid.votes(new))
    assert unsaid.estimators_[0][-1].limits == "pure"


def test_a_tree_in_a_vote_in_a_vote_is_of_the_inner_one(blobs):
    X, y, _, _ = blobs
    both = BaggedVote(BoostedVote(Tree(), 3), 2, random_state=1).fit(X, y)
    assert both.estimators_[0].estimator.limits is None
    assert both.estimators_[0].estimators_[0].nodes_.rows.min() >= 5


def test_the_base_itself_stays_as_it_is(blobs):
    base = Tree()
    vote = clone(BaggedVote(base, 3, random_state=1)).fit(*blobs[:2])
    assert vote.estimator.get_params() == base.get_params() == Tree().get_params()
    assert vote.estimators_[0].limits == "pure"


def test_what_minds_costs_is_one_tree_that_stands_alone(blobs):
    X, y, new, _ = blobs
    alone = Tree(class_weight="balanced").fit(X, y).predict(new)
    np.testing.assert_array_equal(CostSensitive().fit(X, y).predict(new), alone)


class TestBoosting:
    def test_trees_keep_five_rows_a_leaf_unless_something_is_said(self, blobs):
        X, y, _, _ = blobs
        for base in (None, Tree()):
            vote = BoostedVote(base, 5).fit(X, y)
            assert [
                member.min_samples_leaf for member in (vote.estimators_[0], vote.estimators_[4])
            ] == [5, 5]
            assert vote.estimators_[0].nodes_.rows.min() >= 5
        shallow = BoostedVote(Tree(max_depth=2), 5).fit(X, y)
        assert shallow.estimators_[0].min_samples_leaf is None
        assert shallow.estimators_[0].depth_ == 2

    def test_it_is_samme_by_weights(self, blobs):
        X, y, new, _ = blobs
        plain, said = (
            BoostedVote(Tree(max_depth=3), 10, random_state=1, **rule).fit(X, y).votes(new)
            for rule in ({}, {"draw": "weights", "multiclass": "samme"})
        )
        np.testing.assert_array_equal(plain, said)

    @pytest.mark.parametrize(
        ("base", "settings"),
        [
            (KNeighborsClassifier(3), {}),
            (Tree(max_depth=3), {"error": "resample"}),
            (Tree(max_depth=3), {"on_weak": "redraw"}),
            (Tree(max_depth=3), {"on_weak": "reset"}),
            (Tree(max_depth=3), {"on_weak": "skip"}),
            (Tree(max_depth=3), {"on_perfect": "skip"}),
            (Tree(max_depth=3), {"reweight": False}),
        ],
    )
    def test_rows_are_drawn_where_a_setting_or_the_base_asks_for_it(self, blobs, base, settings):
        X, y, new, _ = blobs
        plain, drawn = (
            BoostedVote(base, 6, random_state=1, **settings, **rule).fit(X, y).votes(new)
            for rule in ({}, {"draw": "resample"})
        )
        np.testing.assert_array_equal(plain, drawn)


def grounds(n, seed):
    """Six kinds of ground as a satellite sees them: four bands of nine neighbours."""
    rng = np.random.default_rng(seed)
    y = rng.choice(6, size=n, p=[0.24, 0.11, 0.21, 0.1, 0.11, 0.23])
    means = np.random.default_rng(7).normal(size=(6, 2, 4)) * 9
    patch = means[y, rng.integers(2, size=n)] + rng.normal(size=(n, 4)) * 5
    return (patch[:, None, :] + rng.normal(size=(n, 9, 4)) * 5).reshape(n, 36), y


@pytest.mark.parametrize("name", ["grounds", "vowel"])
def test_errors_as_they_come_are_not_above_those_of_namesakes(name, request):
    if name == "vowel":
        data = hl.read(str(request.getfixturevalue("shared_data") / "vowel.csv"), target="class")
        X, y = data.matrix, np.asarray(data.y)
    else:
        X, y = grounds(1000, 1)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[: 2 * len(y) // 3], order[2 * len(y) // 3 :]

    def error(model):
        return np.mean(model.fit(X[train], y[train]).predict(X[test]) != y[test])

    deep = DecisionTreeClassifier(max_depth=6)
    for ours, theirs in (
        (Tree(), DecisionTreeClassifier(random_state=0)),
        (
            BaggedVote(n_estimators=40, random_state=0),
            BaggingClassifier(n_estimators=40, random_state=0),
        ),
        (BoostedVote(n_estimators=40), AdaBoostClassifier(deep, n_estimators=40, random_state=0)),
    ):
        a, b = error(ours), error(theirs)
        assert a - b < 2 * np.sqrt((a * (1 - a) + b * (1 - b)) / test.size), (ours, a, b)
