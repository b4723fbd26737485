"""Trees from one binned copy of the rows are the trees that fitting each would give."""

import numpy as np
import pytest

from heliast import (
    BaggedMean,
    BaggedVote,
    BoostedMedian,
    BoostedVote,
    PairwiseVote,
    Tree,
)  # fmt: skip
from heliast.ensembles._base import grows_together
from heliast.ensembles._voting import GrownMembers

DEEP = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0.0}
SHALLOW = {"min_samples_leaf": 2, "min_samples_split": 4, "min_deviance": 0.0, "max_depth": 3}


class Alone(Tree):
    """The same tree, which the engine does not know: every member is fitted by itself."""


def both(make, X, y):
    fast, slow = make(Tree).fit(X, y), make(Alone).fit(X, y)
    assert isinstance(fast.estimators_, GrownMembers)
    assert not isinstance(slow.estimators_, GrownMembers)
    return fast, slow


def radius(rings):
    """One input only, so that no two inputs can split equally well."""
    X, y, new, _ = rings
    return (X**2).sum(axis=1)[:, None], y, (new**2).sum(axis=1)[:, None]


def test_which_trees_the_engine_grows():
    assert grows_together(Tree())
    assert not grows_together(Alone())
    assert not grows_together(Tree(class_weight="balanced"))


def first(blobs):
    """One input of three."""
    X, y, new, _ = blobs
    return X[:, :1], y, new[:, :1]


@pytest.mark.parametrize("kind", ["hard", "soft"])
@pytest.mark.parametrize("settings", [DEEP, SHALLOW])
def test_bagged(blobs, kind, settings):
    X, y, new = first(blobs)
    fast, slow = both(
        lambda base: BaggedVote(
            base("gini", **settings), 9, kind=kind, random_state=2, out_of_bag=True
        ),
        X, y,
    )  # fmt: skip
    np.testing.assert_array_equal(fast.estimators_.labels(new), slow.estimators_.labels(new))
    np.testing.assert_allclose(fast.predict_proba(new), slow.predict_proba(new), atol=1e-12)
    assert fast.out_of_bag_error_ == slow.out_of_bag_error_


def test_deep_members_know_their_samples(blobs):
    """Whichever of several inputs that split equally well is drawn."""
    X, y, _, _ = blobs
    bag = BaggedVote(Tree(**DEEP), 9, random_state=2).fit(X, y)
    for b, label in enumerate(bag.estimators_.labels(X).T):
        sample = bag.drawn(b) > 0
        np.testing.assert_array_equal(bag.classes_[label[sample]], y[sample])


def test_stumps_split_as_well_as_any_cut_of_any_input(blobs):
    X, y, _, _ = blobs
    stump = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0.0, max_depth=1)
    bag = BaggedVote(stump, 9, random_state=2).fit(X, y)
    for b in range(9):
        rows = np.repeat(np.arange(len(y)), bag.drawn(b))
        shares = bag.estimators_[b].predict_proba(X[rows])
        cuts = (X[rows, at] <= cut for at in range(3) for cut in np.unique(X[rows, at]))
        assert (1 - (shares**2).sum(axis=1)).mean() == pytest.approx(
            min(impurity(y[rows], below) for below in cuts)
        )


def impurity(y, below):
    """Gini's, of both sides by their size."""
    sides = [y[side] for side in (below, ~below) if side.any()]
    shares = [np.unique(side, return_counts=True)[1] / side.size for side in sides]
    return sum(
        side.size * (1 - (share**2).sum()) for side, share in zip(sides, shares, strict=True)
    ) / len(y)


def test_bagged_members_are_the_trees_of_their_samples(blobs):
    X, y, new = first(blobs)
    bag = BaggedVote(Tree(**SHALLOW), 6, random_state=2).fit(X, y)
    for b in range(6):
        rows = np.repeat(np.arange(len(y)), bag.drawn(b))
        alone = Tree(**SHALLOW).fit(X[rows], y[rows])
        said = bag.estimators_[b].predict(new)
        np.testing.assert_array_equal(said, alone.predict(new))
        np.testing.assert_array_equal(said, bag.classes_[bag.estimators_.labels(new)[:, b]])
    np.testing.assert_allclose(
        bag.set_params(kind="soft").predict_proba(new),
        np.mean([bag.estimators_[b].predict_proba(new) for b in range(6)], axis=0),
    )
    stages = list(bag.staged_predict_proba(new))
    np.testing.assert_allclose(stages[-1], bag.predict_proba(new))
    np.testing.assert_allclose(stages[0], bag.estimators_[0].predict_proba(new))


def test_out_of_bag(blobs):
    X, y, _, _ = blobs
    for kind in ("hard", "soft"):
        bag = BaggedVote(Tree(**DEEP), 8, kind=kind, random_state=2, out_of_bag=True).fit(X, y)
        total = np.zeros((len(y), 4))
        for b in range(8):
            out = bag.drawn(b) == 0
            member = bag.estimators_[b]
            said = (
                member.predict_proba(X)
                if kind == "soft"
                else member.predict(X)[:, None] == bag.classes_
            )
            total[out] += said[out]
        judged = total.any(axis=1)
        np.testing.assert_allclose(
            bag.out_of_bag_votes_[judged], total[judged] / total[judged].sum(axis=1, keepdims=True)
        )


@pytest.mark.parametrize(
    ("draw", "error"),
    [("resample", "weighted"), ("resample", "resample"), ("weights", "weighted")],
)
def test_boosted(rings, draw, error):
    X, y, new = radius(rings)
    fast, slow = both(
        lambda base: BoostedVote(
            base("gini", **SHALLOW), 15, draw=draw, error=error, random_state=2
        ),
        X, y,
    )  # fmt: skip
    np.testing.assert_allclose(fast.estimator_errors_, slow.estimator_errors_, atol=1e-9)
    np.testing.assert_array_equal(fast.predict(new), slow.predict(new))
    np.testing.assert_allclose(fast.votes(new), slow.votes(new))
    for b in range(len(fast.estimators_)):
        np.testing.assert_array_equal(
            fast.estimators_[b].predict(new), fast.classes_[fast.estimators_.labels(new)[:, b]]
        )


def test_pairs(blobs):
    X, y, new = first(blobs)
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y))
    for by in ({}, {"sample_weight": weight}):
        fast = PairwiseVote(Tree(**SHALLOW), random_state=1).fit(X, y, **by)
        slow = PairwiseVote(Alone(**SHALLOW), random_state=1).fit(X, y, **by)
        np.testing.assert_allclose(  # the engine counts in single precision
            fast.pair_probabilities(new), slow.pair_probabilities(new), atol=1e-6
        )
        assert fast.estimators_[2].classes_.tolist() == slow.estimators_[2].classes_.tolist()


@pytest.mark.parametrize("loss", ["linear", "square"])
def test_numbers(waves, loss):
    X, y, new, _ = waves
    X, new = X[:, :1], new[:, :1]
    settings = {"criterion": "squared_error", "max_depth": 4, "min_samples_leaf": 2}
    for make in (
        lambda base: BaggedMean(base(**settings), 9, bins=None, out_of_bag=True, random_state=2),
        lambda base: BoostedMedian(base(**settings), 9, loss=loss, bins=None, random_state=2),
    ):
        fast, slow = both(make, X, y)
        np.testing.assert_allclose(fast.predict(new), slow.predict(new))
        np.testing.assert_allclose(
            list(fast.staged_predict(new))[4], list(slow.staged_predict(new))[4]
        )
        np.testing.assert_allclose(fast.estimator_weights_, slow.estimator_weights_)
        if hasattr(fast, "out_of_bag_error_"):
            assert fast.out_of_bag_error_ == pytest.approx(slow.out_of_bag_error_)


def test_deep_pairs_know_their_rows(blobs):
    X, y, _, _ = blobs
    for member in PairwiseVote(Tree(**DEEP), random_state=1).fit(X, y).estimators_:
        mine = np.isin(y, member.classes_)
        np.testing.assert_array_equal(member.predict(X[mine]), y[mine])


def test_missing_values_are_taken_along(blobs):
    X, y, new = (part.copy() for part in first(blobs))
    X[::7] = np.nan
    new[::5] = np.nan
    for make in (
        lambda base: BaggedVote(base(**SHALLOW), 9, random_state=0),
        lambda base: BoostedVote(base(**SHALLOW), 9, random_state=0),
    ):
        fast, slow = both(make, X, y)
        np.testing.assert_array_equal(fast.predict(new), slow.predict(new))
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        BaggedVote(Tree(), 3).fit(X, y)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_same_for_any_number_of_threads(blobs, monkeypatch, threads):
    X, y, new, _ = blobs
    expected = BaggedVote(Tree(**DEEP), 10, random_state=3).fit(X, y).votes(new)
    monkeypatch.setenv("HELIAST_THREADS", threads)
    found = BaggedVote(Tree(**DEEP), 10, random_state=3).fit(X, y).votes(new)
    np.testing.assert_array_equal(found, expected)
