"""scikit-learn's own checks."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from heliast.learners import Tree

TREES = [
    Tree(),
    Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_leaf_nodes=20),
    Tree(pruning="pessimistic", smoothing="laplace", random_state=0),
    Tree("squared_error", max_depth=4),
]


@parametrize_with_checks(TREES)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
