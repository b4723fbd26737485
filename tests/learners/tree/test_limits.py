"""How large a tree gets: limits by name, by number, and where nothing is said."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from heliast._core.errors import InputError
from heliast.learners.tree import Tree, is_open


@pytest.fixture(scope="module")
def rows():
    return make_classification(
        300, 8, n_informative=5, n_classes=3, flip_y=0.2, random_state=1, n_clusters_per_class=1
    )


def test_a_tree_of_which_nothing_is_said_is_grown_whole_and_pruned(rows):
    open_, said = Tree(), Tree(limits="pure", pruning="pessimistic", confidence=0.05)
    assert open_.fit(*rows).text() == said.fit(*rows).text()
    whole = Tree(limits="pure").fit(*rows)
    assert open_.n_leaves_ < whole.n_leaves_ / 2
    assert whole.score(*rows) == 1.0
    assert Tree(confidence=0.25).fit(*rows).text() != open_.text()


def test_s_plus_is_one_word(rows):
    named = Tree(limits="s-plus").fit(*rows)
    assert (
        named.text()
        == Tree(min_samples_leaf=5, min_samples_split=10, min_deviance=0.01).fit(*rows).text()
    )
    deep = Tree(limits="s-plus", min_deviance=0).fit(*rows)
    assert (
        deep.text()
        == Tree(min_samples_leaf=5, min_samples_split=10, min_deviance=0).fit(*rows).text()
    )
    assert deep.n_leaves_ > named.n_leaves_


@pytest.mark.parametrize(
    "said",
    [
        {"limits": "pure"}, {"min_samples_leaf": 1}, {"min_samples_split": 2}, {"min_deviance": 0},
        {"max_depth": 40}, {"max_leaf_nodes": 1000}, {"min_impurity_decrease": 1e-12},
    ],
)  # fmt: skip
def test_whatever_is_said_holds_alone(rows, said):
    """All of these allow the whole tree, and nothing is cut from it."""
    assert not is_open(Tree(**said))
    assert Tree(**said).fit(*rows).score(*rows) == 1.0


def test_pruning_that_is_asked_for_is_that_of_c45(rows):
    usual = Tree(pruning="pessimistic").fit(*rows)
    assert usual.text() == Tree(pruning="pessimistic", confidence=0.25).fit(*rows).text()


def test_settings_are_kept_as_they_were_given():
    tree = Tree(limits="s-plus", min_samples_leaf=3)
    assert clone(tree).get_params() == tree.get_params()
    assert (tree.min_samples_leaf, tree.min_samples_split, tree.min_deviance) == (3, None, None)


@pytest.mark.parametrize("scale", [1e-6, 1 / 300, 0.5, 20.5])
def test_weights_times_a_constant_prune_alike(rows, scale):
    """Learners that boost give weights of sum 1: they are not 300 rows less certain."""
    X, y = rows
    even = Tree().fit(X, y)
    assert Tree().fit(X, y, np.full(len(y), scale)).n_leaves_ == even.n_leaves_
    weight = np.random.default_rng(0).uniform(0.5, 1.5, len(y))
    one, other = (Tree().fit(X, y, weight * times) for times in (1, scale))
    assert one.n_leaves_ == other.n_leaves_ > 1


def test_limits_of_no_such_name(rows):
    with pytest.raises(InputError, match="limits must be None, 'pure' or 's-plus', got 'splus'"):
        Tree(limits="splus").fit(*rows)
