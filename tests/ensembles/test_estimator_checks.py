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

COUNTED = "rounds give rows real weights, and a Tree counts such a row once against `min_cut`"

STUMPY = DecisionTreeClassifier(max_depth=3)
VOTES = [
    BaggedVote(GaussianNB(), 3, random_state=0),
    BaggedVote(n_estimators=3, random_state=0),
    BaggedMean(Ridge(), 3, random_state=0),
    BaggedMean(n_estimators=3, random_state=0),
    BoostedVote(STUMPY, 5, random_state=0),
    BoostedVote(n_estimators=5, random_state=0),
    BoostedVote(STUMPY, 5, draw="resample", multiclass="m1", random_state=0),
    BoostedVote(Tree(max_depth=3), 5, random_state=0),
    BoostedMedian(n_estimators=5, random_state=0),
    BoostedMedian(n_estimators=5, combine="mean", random_state=0),
    MajorityVote([("bayes", GaussianNB()), ("tree", STUMPY)], kind="soft"),
    MajorityVote([("line", Ridge()), ("tree", DecisionTreeRegressor(max_depth=3))], [1, 2]),
    PairwiseVote(GaussianNB()),
    PairwiseVote(),
    CostSensitive(GaussianNB()),
    CostSensitive(),
    CostSensitive(how="threshold"),
]
"""Each with its default base and with another: what else there is to choose changes what is
learned, not how scikit-learn is spoken to."""


def expected(model):
    bags = (BaggedVote, BaggedMean, BoostedMedian)
    drawn = isinstance(model, bags) or getattr(model, "draw", "") == "resample"
    counts = isinstance(model, BoostedVote) and model.estimator is None
    if not drawn and not counts:
        return {}
    why = DRAWN if drawn else COUNTED
    return {
        "check_sample_weight_equivalence_on_dense_data": why,
        "check_sample_weight_equivalence_on_sparse_data": why,
    }


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(VOTES, expected_failed_checks=expected)
def test_check(estimator, check):
    check(estimator)
