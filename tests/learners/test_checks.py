"""scikit-learn's own checks for every learner."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from heliast.learners import Neighbours, Prism

# A vote of one neighbour is never tied: a drawn class would not be that of the largest share.
LEARNERS = [Prism(), Prism(bins=4), Neighbours(1), Neighbours(ties="first")]


@parametrize_with_checks(LEARNERS)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
