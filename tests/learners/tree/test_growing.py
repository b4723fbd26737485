"""Grown trees equal those of the slow twin, for every option and every kernel."""

import numpy as np
import pytest
from tests.naive.trees import Naive, differs, groups

from heliast import InputError
from heliast.learners.tree import Tree, TreeGrower, _grower


def rules(rng):
    """Any combination of limits."""
    return {
        "min_samples_leaf": int(rng.choice([0, 1, 3])),
        "min_samples_split": int(rng.choice([0, 2, 10])),
        "min_deviance": float(rng.choice([0, 0.02])),
        "max_depth": rng.choice([None, 3]),
        "max_leaf_nodes": rng.choice([None, 2, 6]),
        "min_impurity_decrease": float(rng.choice([0, 0.01])),
    }


def task(rng, bins):
    n, d, k = int(rng.integers(2, 90)), int(rng.integers(1, 5)), int(rng.integers(2, 12))
    X = rng.integers(0, bins, (n, d)) * 0.37 - 2.0
    by_input = np.searchsorted(np.quantile(X[:, 0], np.linspace(0, 1, k + 1)[1:-1]), X[:, 0])
    return X, np.where(rng.random(n) < 0.6, by_input, rng.integers(0, k, n)), k


@pytest.mark.parametrize("criterion", ["deviance", "gini"])
@pytest.mark.parametrize("seed", range(12))
def test_copies_real_weights_and_class_weights(criterion, seed):
    rng = np.random.default_rng(seed)
    X, truth, k = task(rng, int(rng.choice([2, 9, 200])))
    options = rules(rng)
    for weight in (None, rng.integers(0, 4, len(X)) + (np.arange(len(X)) == 0), rng.random(len(X))):
        factor = None if rng.random() < 0.5 else rng.uniform(0.5, 2, k)
        trees = TreeGrower(Tree(criterion, **options), X).grow_classes(
            truth, k, weight, class_weights=factor
        )
        copies = np.ones(len(X)) if weight is None else weight
        amount = copies if factor is None else copies * factor[truth]
        whole = weight is None or weight.dtype.kind != "f"
        copies = amount if whole else np.ones(len(X))
        naive = Naive(X, truth, k, amount, copies, criterion=criterion, **options)
        assert differs(naive.root, trees.nodes(0)) is None


@pytest.mark.parametrize("criterion", ["deviance", "gini"])
@pytest.mark.parametrize("seed", range(8))
def test_dichotomies(criterion, seed):
    rng = np.random.default_rng(100 + seed)
    X, truth, k = task(rng, int(rng.choice([3, 30, 250])))
    options = rules(rng) | {"max_leaf_nodes": None}
    code = rng.integers(0, 2, (k, 4))
    weights = [None, rng.integers(0, 3, len(X)) + 1, rng.integers(0, 3, (4, len(X))) + 1]
    given = weights[seed % 3]
    trees = TreeGrower(Tree(criterion, **options), X).grow_columns(truth, code, given)
    P = trees.probabilities(X)
    for b in range(4):
        weight = given if given is None or given.ndim == 1 else given[b]
        naive = Naive(X, code[truth, b], 2, weight, criterion=criterion, **options)
        assert differs(naive.root, trees.nodes(b)) is None
        ones = trees.member(b).predict_proba(X)[:, 1]
        assert np.allclose(P[:, b], ones, atol=1e-6)


@pytest.mark.parametrize("criterion", ["deviance", "gini"])
@pytest.mark.parametrize("seed", range(12))
def test_missing_and_nominal_inputs(criterion, seed):
    rng = np.random.default_rng(200 + seed)
    n, k = int(rng.integers(5, 70)), int(rng.integers(2, 5))
    X = np.column_stack([rng.integers(0, 5, n), rng.normal(size=n), rng.integers(0, 7, n)]) * 1.0
    truth = np.where(rng.random(n) < 0.7, np.isin(X[:, 2], (0, 3, 5)) * (k - 1), 0)
    truth = np.where(rng.random(n) < 0.2, rng.integers(0, k, n), truth)
    X[rng.random(X.shape) < 0.2] = np.nan
    options = rules(rng)
    weight = None if seed % 2 else rng.random(n) + 0.1
    tree = Tree(criterion, nominal=[0, 2], **options)
    trees = TreeGrower(tree, X, [0, 2]).grow_classes(truth, k, weight)
    naive = Naive(X, truth, k, weight, np.ones(n), nominal=(0, 2), criterion=criterion, **options)
    assert differs(naive.root, trees.nodes(0)) is None


@pytest.mark.parametrize("criterion", ["deviance", "gini"])
@pytest.mark.parametrize("seed", range(12))
def test_inputs_drawn_for_each_node(criterion, seed):
    rng = np.random.default_rng(300 + seed)
    X, truth, k = task(rng, int(rng.choice([2, 9, 200])))
    few = rng.integers(0, 2, (len(X), 4)) * (rng.random(4) < 0.7)  # some are constant
    X = np.column_stack([few, X, rng.integers(0, 250, (len(X), 6))]).astype(float)
    options, drawn = rules(rng), int(rng.integers(1, 5))
    weights = (None, rng.integers(0, 4, len(X)) + (np.arange(len(X)) == 0), rng.random(len(X)))
    for weight in weights:
        copies = None if weight is None or weight.dtype.kind != "f" else np.ones(len(X))
        grower = TreeGrower(Tree(criterion, **options), X, seed=seed, drawn=drawn)
        naive = Naive(
            X, truth, k, weight, copies, criterion=criterion, drawn=drawn, turn=seed * 1_000_003,
            **options,
        )  # fmt: skip
        assert differs(naive.root, grower.grow_classes(truth, k, weight).nodes(0)) is None


def test_drawn_inputs_may_be_nominal_or_missing():
    rng = np.random.default_rng(8)
    X = np.column_stack([rng.integers(0, 5, (60, 2)), rng.normal(size=(60, 2))])
    X[rng.random(X.shape) < 0.2] = np.nan
    truth = np.where(rng.random(60) < 0.7, np.isin(X[:, 0], (0, 3)) + 0, rng.integers(0, 2, 60))
    options = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0.0}
    trees = TreeGrower(Tree("gini", **options), X, [0, 1], seed=3, drawn=2).grow_classes(truth, 2)
    naive = Naive(X, truth, 2, nominal=(0, 1), criterion="gini", drawn=2, turn=3_000_009, **options)
    assert differs(naive.root, trees.nodes(0)) is None


@pytest.mark.parametrize("most", [2, 7, 64, 256])
def test_bins_of_equally_many_rows(most):
    """The tree of the bins' numbers, cut in the middle between what the bins hold."""
    rng = np.random.default_rng(most)
    X = np.column_stack([rng.normal(size=700), rng.integers(0, 5, 700), rng.exponential(size=700)])
    X[:200, 2] = 1.5
    truth = (X[:, 0] * X[:, 2] > 0.3) + rng.integers(0, 2, 700)
    codes = np.column_stack([groups(column, most) for column in X.T]).astype(float)
    options = {"min_samples_leaf": 2, "min_samples_split": 4, "min_deviance": 0.0}
    code, counts = rng.integers(0, 2, (3, 2)), rng.integers(0, 3, 700)
    whole, binned = (
        [grower.grow_classes(truth, 3, counts), grower.grow_columns(truth, code, counts)]
        for grower in (
            TreeGrower(Tree("gini", **options), codes),
            TreeGrower(Tree("gini", **options), X, bins=most),
        )
    )
    for one, two in zip(whole, binned, strict=True):
        for name in ("feature", "low", "high", "child", "entries", "class_", "weight"):
            np.testing.assert_array_equal(getattr(one.grown, name), getattr(two.grown, name))
        for at in np.flatnonzero(one.grown.feature >= 0):
            f, low, high = (getattr(one.grown, name)[at] for name in ("feature", "low", "high"))
            left, right = X[codes[:, f] == low, f].max(), X[codes[:, f] == high, f].min()
            assert two.threshold[at] == pytest.approx((left + right) / 2)


@pytest.mark.parametrize("most", [2, 7, 64])
def test_bins_of_equal_weight_are_those_of_rows_given_so_often(most):
    rng = np.random.default_rng(most)
    X, times = rng.normal(size=(500, 3)).round(2), rng.integers(1, 5, 500)
    weighed = TreeGrower(Tree(), X, bins=most, weight=times.astype(float)).bins
    repeated = TreeGrower(Tree(), np.repeat(X, times, axis=0), bins=most).bins
    np.testing.assert_array_equal(weighed.first, repeated.first)
    np.testing.assert_array_equal(weighed.lower, repeated.lower)
    np.testing.assert_array_equal(weighed.upper, repeated.upper)


def test_columns_with_many_and_with_few_bins():
    """Histograms are as wide as there are columns with so many bins."""
    rng = np.random.default_rng(6)
    X = rng.integers(0, rng.choice([2, 3, 40, 250], 23), (300, 23)).astype(float)
    truth = (X[:, 5] > X[:, 5].mean()) + (X[:, 17] > X[:, 17].mean()) + rng.integers(0, 2, 300)
    options = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0.0}
    for criterion in ("gini", "deviance"):
        trees = TreeGrower(Tree(criterion, **options), X).grow_classes(truth, 4)
        naive = Naive(X, truth, 4, criterion=criterion, **options)
        assert differs(naive.root, trees.nodes(0)) is None
        two = TreeGrower(Tree(criterion, **options), X).grow_columns(truth, [[0], [1], [1], [0]])
        naive = Naive(X, np.isin(truth, (1, 2)) + 0, 2, criterion=criterion, **options)
        assert differs(naive.root, two.nodes(0)) is None


@pytest.mark.parametrize("bins", [1, 257, 2.5, True, "many"])
def test_bins_that_one_byte_cannot_number_are_refused(bins):
    with pytest.raises(InputError, match="between 2 and 256"):
        TreeGrower(Tree(), np.zeros((3, 1)), bins=bins)


def test_more_than_256_bins_and_no_ties():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 2))
    truth = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 1] > 1)
    trees = TreeGrower(
        Tree(min_samples_leaf=2, min_samples_split=4, min_deviance=0.02), X
    ).grow_classes(truth, 3)
    naive = Naive(X, truth, 3, min_samples_leaf=2, min_samples_split=4, min_deviance=0.02)
    assert differs(naive.root, trees.nodes(0)) is None


def test_both_growers_and_numbers_of_threads_agree(monkeypatch):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 16, (600, 5)).astype(float)
    truth = (X[:, 0] + X[:, 1] > 14) * 2 + (X[:, 2] > rng.integers(0, 16, 600))
    code, counts = rng.integers(0, 2, (4, 9)), rng.integers(0, 3, (9, 600))
    deep = Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("HELIAST_THREADS", threads)
        grower = TreeGrower(deep, X, seed=5)
        found.append((grower.grow_columns(truth, code), grower.grow_classes(truth, 4, counts)))
    monkeypatch.setattr(_grower, "FEW", 0)  # the general grower grows columns as well
    general = TreeGrower(deep, X, seed=5).grow_columns(truth, code)
    assert np.array_equal(general.probabilities(X), found[0][0].probabilities(X))
    for b in range(9):
        for one, two in zip(found[0], found[1], strict=True):
            for name in ("feature", "threshold", "left", "counts"):
                first, second = getattr(one.nodes(b), name), getattr(two.nodes(b), name)
                assert np.array_equal(first, second, equal_nan=True)
    assert np.array_equal(found[0][0].probabilities(X), found[2][0].probabilities(X))


def test_ties_between_inputs_are_spread_by_the_seed_only():
    X = np.repeat(np.arange(20.0)[:, None], 6, axis=1)
    truth = (np.arange(20) >= 10).astype(int)
    settings = Tree(min_samples_leaf=1, min_samples_split=2)
    first = {TreeGrower(settings, X).grow_classes(truth, 2).nodes(0).feature[0]}
    grower = TreeGrower(settings, X, seed=1)
    spread = grower.grow_classes(truth, 2, np.ones((40, 20), np.uint8))
    assert first == {0}
    assert set(spread.grown.feature[spread.first[:-1, 0]]) == set(range(6))
