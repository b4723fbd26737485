from heliast.ensembles._bagged_mean import BaggedMean as BaggedMean
from heliast.ensembles._bagged_vote import BaggedVote as BaggedVote
from heliast.ensembles._boosted_median import BoostedMedian as BoostedMedian
from heliast.ensembles._boosted_vote import BoostedVote as BoostedVote
from heliast.ensembles._cost_sensitive import CostSensitive as CostSensitive
from heliast.ensembles._majority import majority as majority
from heliast.ensembles._majority_vote import MajorityVote as MajorityVote
from heliast.ensembles._pairwise_vote import PairwiseVote as PairwiseVote
