"""The estimator: the S-Plus rule, weights, smoothing, nominal and missing inputs, views."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import heliast as hl
from heliast import InputError
from heliast.learners.tree import Tree

DEEP = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0}


def line(*labels):
    """One input, 0 1 2 ..., with these labels."""
    return np.arange(len(labels), dtype=float)[:, None], np.array(labels)


class TestRules:
    def test_min_size_and_min_cut(self):
        X, y = line(*"aaaabbbbb")
        s_plus = Tree(limits="s-plus", min_deviance=0)
        assert s_plus.fit(X, y).n_leaves_ == 1  # 9 rows are less than 10
        X, y = line(*"aaaabbbbbb")
        tree = s_plus.fit(X, y)
        # Five rows on each side at least: the cut is not where the classes meet.
        assert tree.nodes_.threshold[0] == 4.5
        assert Tree(limits="s-plus", min_samples_leaf=4).fit(X, y).nodes_.threshold[0] == 3.5

    def test_min_deviance_is_a_share_of_the_roots(self):
        X, y = line(*("a" * 100 + "b" * 100 + "a" * 2 + "b" * 8))
        deep = Tree(**DEEP).fit(X, y).nodes_
        share = deep.deviance / deep.deviance[0]
        below = np.flatnonzero(~deep.is_leaf)[1:]
        limit = share[below].max()
        for min_deviance, leaves in ((limit * 0.999, deep.leaves), (limit * 1.001, 2)):
            found = Tree(**DEEP | {"min_deviance": min_deviance}).fit(X, y)
            assert found.n_leaves_ <= leaves
            assert (found.n_leaves_ == 2) == (min_deviance > limit)

    def test_gap_midpoints_are_those_of_the_nodes_own_rows(self):
        X = np.array([[0.0, 0], [10, 0], [0, 1], [2, 1], [10, 1], [4, 0]])
        y = np.array([0, 1, 0, 0, 1, 0])
        tree = Tree(**DEEP).fit(X, y)
        assert tree.nodes_.feature[0] == 0
        assert tree.nodes_.threshold[0] == 7.0

    def test_a_split_that_gains_nothing_alone_is_taken(self):
        """Exclusive or: the first split tells nothing, the second everything."""
        X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, float)
        y = (X[:, 0] != X[:, 1]).astype(int)
        assert Tree(**DEEP).fit(X, y).score(X, y) == 1.0
        assert Tree(**DEEP, min_impurity_decrease=1e-6).fit(X, y).n_leaves_ == 1

    def test_best_first_takes_the_largest_decrease(self):
        X, y = line(*"aaaaaaaabbbbbbbbca")
        by_leaves = [Tree(**DEEP, max_leaf_nodes=m).fit(X, y) for m in (1, 2, 3, 4, 9)]
        assert [tree.n_leaves_ for tree in by_leaves] == [1, 2, 3, 4, 4]
        assert by_leaves[1].nodes_.threshold[0] == 7.5
        assert Tree(**DEEP, max_depth=1).fit(X, y).depth_ == 1

    @pytest.mark.parametrize(
        ("option", "value", "message"),
        [
            (
                "criterion",
                "entropy",
                "criterion must be deviance, gini, squared_error, got 'entropy'",
            ),
            ("min_samples_leaf", -1, "min_samples_leaf must be a number of at least 0, got -1"),
            ("min_deviance", np.nan, "min_deviance must be a number of at least 0"),
            (
                "max_leaf_nodes",
                0,
                "max_leaf_nodes must be None or a whole number of at least 1, got 0",
            ),
            ("max_depth", 1.5, "max_depth must be None or a whole number"),
            ("pruning", "some", "pruning must be None or 'pessimistic', got 'some'"),
            ("smoothing", "m", "smoothing must be None, 'laplace' or the number m"),
            ("nominal", [3], "nominal: 3 is no column; there are 1"),
            ("nominal", ["height"], "nominal: 'height' is no column; there are 1"),
        ],
    )
    def test_refused_settings(self, option, value, message):
        X, y = line(*"aabb")
        with pytest.raises(InputError, match=re.escape(message)):
            Tree(**{option: value}).fit(X, y)


class TestWeights:
    def test_whole_weights_are_copies(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
        copies = rng.integers(0, 4, 60)
        weighed = Tree().fit(X, y, copies)
        repeated = Tree().fit(X.repeat(copies, axis=0), y.repeat(copies))
        assert weighed.text() == repeated.text()

    def test_real_weights_count_rows_once(self):
        X, y = line(*"aaaaabbbbb")
        assert Tree(min_deviance=0).fit(X, y, np.full(10, 0.1)).n_leaves_ == 2
        assert Tree(min_deviance=0).fit(X, y, np.full(10, 7.5)).nodes_.rows[0] == 10

    def test_class_weights_are_as_good_as_copies(self):
        rng = np.random.default_rng(1)
        X, y = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
        thrice = Tree(class_weight={0: 3, 1: 1}).fit(X, y)
        assert thrice.text() == Tree().fit(X, y, np.where(y == 0, 3, 1)).text()
        held = np.bincount(y)
        balanced = Tree(class_weight="balanced").fit(X, y)
        assert np.allclose(balanced.nodes_.counts[0], 40)
        assert balanced.text() == Tree(class_weight=dict(enumerate(40 / held))).fit(X, y).text()


class TestShares:
    def test_laplace_and_m_estimate(self):
        X, y = line(*("a" * 6 + "b" * 10 + "c" * 4))
        plain = Tree(min_samples_leaf=4, min_deviance=0, max_leaf_nodes=2).fit(X, y)
        counts = plain.nodes_.counts[plain.apply(X)]
        n = counts.sum(axis=1, keepdims=True)
        assert np.allclose(plain.predict_proba(X), counts / n)
        laplace = clone(plain).set_params(smoothing="laplace").fit(X, y)
        assert np.allclose(laplace.predict_proba(X), (counts + 1) / (n + 3))
        estimate = clone(plain).set_params(smoothing=2.5).fit(X, y)
        prior = np.array([0.3, 0.5, 0.2])
        assert np.allclose(estimate.predict_proba(X), (counts + 2.5 * prior) / (n + 2.5))

    def test_ties_go_to_the_first_class(self):
        X, y = np.zeros((4, 1)), np.array(["b", "a", "b", "a"])
        assert set(Tree().fit(X, y).predict(X)) == {"a"}


class TestInputs:
    def test_missing_values_are_learned_to_a_side(self):
        X, y = line(*"aaaaaabbbbbb")
        X[[0, 1, 2], 0] = np.nan
        tree = Tree(min_deviance=0, min_samples_leaf=2).fit(X, y)
        assert tree.predict([[np.nan], [3], [9]]).tolist() == ["a", "a", "b"]
        X, y = line(*"aaaaabbbbbbb")
        # Never missing while fitting: with the heavier side.
        assert Tree(min_deviance=0).fit(X, y).predict([[np.nan]]) == ["b"]

    def test_missing_or_not_may_be_all_that_tells(self):
        X = np.array([1.0, 2, 3, 4, 5, 6] + [np.nan] * 6)[:, None]
        y = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
        tree = Tree(min_deviance=0).fit(X, y)
        assert tree.text().splitlines()[0] == "x0 is known: 0 (100% of 6)"
        assert np.array_equal(tree.predict(X), y)

    def test_texts_of_a_frame_are_nominal(self):
        town = ["Bern", "Oslo", "Rome", "Oslo", "Bern", "Rome"] * 4
        frame = pd.DataFrame({"town": town, "age": np.arange(24.0)})
        y = np.where(np.array(town) == "Oslo", "yes", "no")
        tree = Tree().fit(frame, y)
        assert (
            tree.text() == "town in {Bern, Rome}: no (100% of 16)\ntown in {Oslo}: yes (100% of 8)"
        )
        fresh = pd.DataFrame({"town": ["Oslo", "Rome", "Paris", None], "age": [0.0, 0, 0, 0]})
        # What was never seen goes with the heavier side.
        assert tree.predict(fresh).tolist() == ["yes", "no", "no", "no"]

    def test_for_two_classes_the_best_subset_of_all_is_found(self):
        from itertools import combinations

        rng = np.random.default_rng(2)
        values, y = rng.integers(0, 6, 200), rng.integers(0, 2, 200)
        X = values[:, None].astype(float)
        found = Tree("gini", **DEEP, max_leaf_nodes=2, nominal=[0]).fit(X, y).nodes_

        def gini(chosen):
            left = np.isin(values, chosen)
            return sum(s.size * 2 * s.mean() * (1 - s.mean()) for s in (y[left], y[~left]))

        every = (c for size in range(1, 6) for c in combinations(range(6), size))
        assert gini(found.subset(0)) == pytest.approx(min(map(gini, every)))

    @pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.float64])
    def test_any_numbers(self, dtype):
        rng = np.random.default_rng(3)
        X = rng.integers(0, 100, (200, 3)).astype(dtype)
        y = (X[:, 0] > 50).astype(int)
        assert Tree(**DEEP).fit(X, y).score(X, y) == 1.0

    def test_awkward_inputs(self):
        one = Tree().fit([[1.0]], ["a"])
        assert one.predict([[5.0]]).tolist() == ["a"]
        assert one.predict_proba([[5.0]]).tolist() == [[1.0]]
        constant = Tree(**DEEP).fit(np.ones((30, 2)), [0, 1] * 15)
        assert constant.n_leaves_ == 1
        huge = np.array([[-1.7e308], [-1.6e308], [1.6e308], [1.7e308]])
        assert Tree(**DEEP).fit(huge, [0, 0, 1, 1]).nodes_.threshold[0] == 0.0
        near = np.array([[1.0], [np.nextafter(1.0, 2)]])
        assert Tree(**DEEP).fit(near, [0, 1]).predict(near).tolist() == [0, 1]
        with pytest.raises(ValueError, match="infinity"):
            Tree().fit([[np.inf], [1.0]], [0, 1])

    def test_more_values_than_two_bytes_number(self):
        rng = np.random.default_rng(4)
        x = rng.permutation(70_000).astype(float)
        y = (x >= 34_000).astype(int)
        tree = Tree(max_leaf_nodes=2).fit(x[:, None], y)
        # 254 bins of equally many rows: the cut is at most half a bin from the best one.
        assert abs(tree.nodes_.threshold[0] - 33_999.5) <= 70_000 / 254 / 2 + 1
        with pytest.raises(InputError, match="nominal and has 70000 values"):
            Tree(nominal=[0]).fit(x[:, None], y)


class TestViews:
    def test_path_and_depth_limit(self):
        X, y = load_iris(return_X_y=True)
        tree = Tree().fit(X, y)
        assert tree.path(X[[0]]) == ["x2 <= 2.45\n-> 0 (100% of 50)"]
        assert tree.text(max_depth=1).splitlines()[1].endswith("and splits further")

    def test_picture_is_xml_and_escapes(self):
        frame = pd.DataFrame({"<script>": np.arange(20.0)})
        tree = Tree().fit(frame, np.repeat(["<b>", "&"], 10))
        root = ElementTree.fromstring(tree.svg())
        assert len(root.findall(".//{*}rect")) == 3
        assert "<script>" not in tree.svg()
        assert len(ElementTree.fromstring(tree.svg(max_depth=0)).findall(".//{*}rect")) == 1

    def test_pruning_is_part_of_fitting(self):
        rng = np.random.default_rng(5)
        X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
        deep = Tree(**DEEP).fit(X, y)
        usual, strict = (
            Tree(**DEEP, pruning="pessimistic", confidence=confidence).fit(X, y).n_leaves_
            for confidence in (0.25, 0.01)
        )
        assert strict <= usual < deep.n_leaves_

    def test_in_a_run(self):
        data = hl.Dataset.of(*load_iris(return_X_y=True))
        predictions = hl.run({"tree": hl.Tree()}, data, hl.KFold(5), seed=1, progress=False)
        assert hl.assess(predictions)["tree", "error"].value < 0.1
