"""Ensembles: bagging, boosting, output codes, pairs and other votes, as scikit-learn estimators."""

from heliast.ensembles._bagging import BaggedMean, BaggedVote
from heliast.ensembles._boosting import BoostedMedian, BoostedVote, vote_weight
from heliast.ensembles._coded import CodedVote
from heliast.ensembles._cost_sensitive import CostSensitive
from heliast.ensembles._majority import MajorityVote
from heliast.ensembles._pairwise import PairwiseVote
from heliast.ensembles._tables import Selection, majority, select

__all__ = [
    "BaggedMean",
    "BaggedVote",
    "BoostedMedian",
    "BoostedVote",
    "CodedVote",
    "CostSensitive",
    "MajorityVote",
    "PairwiseVote",
    "Selection",
    "majority",
    "select",
    "vote_weight",
]
