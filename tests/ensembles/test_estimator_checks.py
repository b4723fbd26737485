"""scikit-learn's own checks, on every ensemble."""

import pytest
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from heliast import Tree
from heliast.ensembles import (
    BaggedMean,
    BaggedVote,
    BoostedMedian,
    BoostedVote,
    CostSensitive,
    MajorityVote,
    PairwiseVote,
)

DRAWN = "rows are drawn: a weight of 2 is not the same sample as a row given twice"
"""scikit-learn lists the same two checks for its own bagging and boosting, for the same reason."""

STUMPY = DecisionTreeClassifier(max_depth=3)
VOTES = [
    BaggedVote(GaussianNB(), 3, random_state=0),
    BaggedVote(members=3, random_state=0),
    BaggedMean(Ridge(), 3, random_state=0),
    BoostedVote(STUMPY, 5, random_state=0),
    BoostedVote(Tree(max_depth=3), 5, draw="reweight", random_state=0),
    BoostedMedian(DecisionTreeRegressor(max_depth=3), 5, random_state=0),
    MajorityVote([("bayes", GaussianNB()), ("tree", STUMPY)], kind="soft"),
    PairwiseVote(GaussianNB()),
    PairwiseVote(random_state=0),
    CostSensitive(GaussianNB()),
]
"""One of each: the options change what is learned, not how scikit-learn is spoken to."""


def expected(model):
    if isinstance(model, (BaggedVote, BaggedMean, BoostedVote, BoostedMedian)):
        return {
            "check_sample_weight_equivalence_on_dense_data": DRAWN,
            "check_sample_weight_equivalence_on_sparse_data": DRAWN,
        }
    return {}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(VOTES, expected_failed_checks=expected)
def test_check(estimator, check):
    check(estimator)
