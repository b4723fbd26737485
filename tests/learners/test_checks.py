"""scikit-learn's own checks for every learner."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from heliast.learners import Chance, Neighbours, Prism

LEARNERS = [Prism(), Prism(bins=4), Chance(), Neighbours(), Neighbours(ties="first")]


def expected_failures(estimator):
    """Drawn labels cannot equal the largest probability, which `check_classifiers_train` asks."""
    drawn = isinstance(estimator, Chance) or getattr(estimator, "ties", "") == "random"
    return {"check_classifiers_train": "labels are drawn at random"} if drawn else {}


@parametrize_with_checks(LEARNERS, expected_failed_checks=expected_failures)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
