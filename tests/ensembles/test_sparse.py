"""Sparse inputs: read where the base reads them, with the answers of dense ones; else refused."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import heliast.ensembles
from heliast.ensembles import (
    BaggedMean,
    BaggedVote,
    BoostedMedian,
    BoostedVote,
    CodedVote,
    CostSensitive,
    MajorityVote,
    PairwiseVote,
)

STUMPY = DecisionTreeClassifier(max_depth=3, random_state=0)
SEEDED = {"random_state": 0}
READ = [
    BaggedVote(STUMPY, 5, out_of_bag=True, **SEEDED),
    BaggedVote(STUMPY, 5, kind="soft", **SEEDED),
    BaggedMean(Ridge(), 5, **SEEDED),
    BoostedMedian(DecisionTreeRegressor(max_depth=3), n_estimators=5, **SEEDED),
    BoostedVote(STUMPY, 5, **SEEDED),
    BoostedVote(STUMPY, 5, draw="resample", **SEEDED),
    CodedVote(STUMPY, decoder="substitution", honest="folds", **SEEDED),
    CodedVote(LogisticRegression(), decoder="centroid", honest="folds", **SEEDED),
    CostSensitive(STUMPY, how="resample", **SEEDED),
    CostSensitive(STUMPY, how="threshold"),
    MajorityVote([("line", LogisticRegression()), ("tree", STUMPY)], kind="soft"),
    PairwiseVote(STUMPY, **SEEDED),
]
REFUSED = [
    BaggedMean(n_estimators=3),
    BoostedMedian(n_estimators=3),
    BaggedVote(n_estimators=3),
    BoostedVote(n_estimators=3),
    CodedVote(),
    CostSensitive(),
    PairwiseVote(),
]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 6)) * (rng.random((120, 6)) < 0.4)
    return X, (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("vote", READ, ids=str)
def test_sparse_inputs_give_the_answers_of_dense_ones(vote, kind, rows):
    X, y = rows
    dense = vote.fit(X, y).predict(X)
    np.testing.assert_allclose(vote.fit(kind(X), y).predict(kind(X)), dense)


@pytest.mark.parametrize("vote", REFUSED, ids=str)
def test_trees_of_our_own_refuse_them_and_say_what_to_do(vote, rows):
    X, y = rows
    with pytest.raises(TypeError, match=r"Sparse data was passed.*toarray\(\)"):
        vote.fit(sparse.csr_matrix(X), y)
    with pytest.raises(TypeError, match=r"toarray\(\)"):
        vote.fit(X, y).predict(sparse.csr_matrix(X))


def test_every_vote_is_there():
    every = (getattr(heliast.ensembles, name) for name in heliast.ensembles.__all__)
    assert {one for one in every if hasattr(one, "fit")} == {type(vote) for vote in READ}
