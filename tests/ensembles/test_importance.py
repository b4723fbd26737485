"""Importance of inputs from rows out of bag: a slow twin, and whether intervals cover."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from heliast import BaggedMean, BaggedVote, InputError, Tree

DEEP = Tree(min_samples_leaf=1, min_samples_split=2, min_deviance=0)


def drawn(n, rng):
    """Two inputs that matter, three that do not."""
    X = rng.normal(size=(n, 5))
    return X, (X[:, 0] + 0.5 * X[:, 1] + 0.8 * rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("base", [DEEP, DecisionTreeClassifier(max_depth=4, random_state=0)])
def test_it_is_the_rise_of_the_error_of_votes_of_members_that_did_not_see_the_row(base):
    X, y = drawn(40, np.random.default_rng(2))
    bag = BaggedVote(base, 15, random_state=0).fit(X, y)
    found = bag.importance(X, y, repeats=2, seed=5)
    rng = np.random.default_rng(5)
    orders = [rng.permutation(40) for _ in range(2)]

    def wrong(rows):
        lost = np.full(40, np.nan)
        for i in range(40):
            said = [bag.estimators_[b].predict(rows[i : i + 1])[0] for b in range(15)
                    if bag.drawn(b)[i] == 0]  # fmt: skip
            if said:
                lost[i] = np.bincount(np.searchsorted(bag.classes_, said), minlength=2).argmax()
        return np.where(np.isnan(lost), np.nan, lost != y)

    before = wrong(X)
    for at, one in enumerate(found):
        rise = []
        for order in orders:
            moved = X.copy()
            moved[:, at] = X[order, at]
            rise.append(wrong(moved) - before)
        assert one.value == pytest.approx(np.nanmean(rise))
        assert one.n == np.isfinite(before).sum()
        assert one.low <= one.value <= one.high


def test_intervals_cover_what_is_true():
    """0 for inputs that do not matter; for those that do, what fresh rows show of this bag."""
    rng = np.random.default_rng(0)
    covers = []
    for seed in range(40):
        X, y = drawn(120, rng)
        bag = BaggedVote(DEEP, 25, random_state=seed).fit(X, y)
        new, truth = drawn(1500, rng)
        error = np.mean(bag.predict(new) != truth)
        found = bag.importance(X, y, repeats=3, seed=seed)
        for at, one in enumerate(found):
            true = 0.0
            if at < 2:
                moved = new.copy()
                moved[:, at] = new[rng.permutation(1500), at]
                true = np.mean(bag.predict(moved) != truth) - error
            covers.append(one.low <= true <= one.high)
    rate = np.reshape(covers, (40, 5)).mean(axis=0)
    assert (rate > 0.84).all(), rate  # 0.95 - 3 standard errors of 40 sets
    assert found["x0"].low > 0


def test_names_kinds_and_views():
    X, y = drawn(60, np.random.default_rng(1))
    frame = pd.DataFrame(X, columns=list("abcde"))
    bag = BaggedVote(DEEP, 10, random_state=0, kind="soft").fit(frame, np.array(["n", "y"])[y])
    found = bag.importance(frame, np.array(["n", "y"])[y])
    assert [one.input for one in found] == list("abcde")
    assert found.most_first[0].input == "a"
    assert found.to_frame("pandas").shape[0] == 5
    with pytest.raises(KeyError, match="no feature 'z'"):
        found["z"]
    assert found["a"].value == bag.importance(frame, np.array(["n", "y"])[y])["a"].value


def test_numbers_by_squared_error():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 3))
    y = 3 * X[:, 0] + rng.normal(size=80)
    found = BaggedMean(Ridge(), 20, random_state=0).fit(X, y).importance(X, y)
    assert found["x0"].low > 5  # twice the variance of 3 x0 is 18
    assert found["x1"].low < 0.1


def test_sparse_rows_and_weights():
    X, y = drawn(60, np.random.default_rng(4))
    X[np.abs(X) < 0.5] = 0
    base = DecisionTreeClassifier(max_depth=3, random_state=0)
    bag = BaggedVote(base, 10, random_state=0)
    dense = bag.fit(X, y).importance(X, y)
    read = bag.fit(sparse.csr_matrix(X), y).importance(sparse.csr_matrix(X), y)
    assert [one.value for one in read] == [one.value for one in dense]
    weight = np.repeat([0.0, 1.0], 30)
    some = bag.fit(X, y, sample_weight=weight).importance(X, y)
    assert some["x0"].n <= 30


def test_what_is_refused():
    X, y = drawn(40, np.random.default_rng(0))
    bag = BaggedVote(DEEP, 10, random_state=0).fit(X, y)
    with pytest.raises(InputError, match="the 40 training rows"):
        bag.importance(X[:30], y[:30])
    with pytest.raises(InputError, match="got 40 and 30"):
        bag.importance(X, y[:30])
    with pytest.raises(InputError, match="repeats=0"):
        bag.importance(X, y, repeats=0)
    with pytest.raises(InputError, match="level"):
        bag.importance(X, y, level=95)
    alone = BaggedVote(DEEP, 2, random_state=0).fit(X, y, sample_weight=np.arange(40) == 7)
    with pytest.raises(InputError, match="no two rows were left out"):
        alone.importance(X, y)
