"""Thesis table 2.12 on the Letter data, in small; `benchmarks/studies/coded.py` has all of it."""

import warnings

import numpy as np
import pytest

import heliast as hl

THESIS = {"l1": 17.2, "regression": 17.1, "centroid": 17.3, "substitution": 19.2}
"""Errors in percent with 200 columns, deep trees, 50 training rows a class."""
DEEP = hl.Tree(limits="s-plus", min_deviance=0)


@pytest.fixture(scope="module")
def errors(shared_data):
    """{(decoder, columns): error in percent}, means of two training sets."""
    data = hl.read(str(shared_data / "letter.csv"), target="class")
    X, y = data.matrix, np.asarray(data.y)
    found: dict[tuple[str, int], list[float]] = {}
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(len(y))
        train = np.concatenate([order[y[order] == label][:50] for label in np.unique(y)])
        test = order[~np.isin(order, train)][:2600]
        vote = hl.CodedVote(DEEP, code_length=200, random_state=seed)
        vote.fit(X[train], y[train])
        for name in (*THESIS, "ridge"):
            for columns in (10, 26, 200):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    label = vote.decode(X[test], name, columns)
                found.setdefault((name, columns), []).append(100 * np.mean(label != y[test]))
    return {key: np.mean(values) for key, values in found.items()}


def test_errors_with_many_columns_are_those_of_the_thesis(errors):
    for name, printed in THESIS.items():
        assert errors[name, 200] == pytest.approx(printed, abs=2.5), name


def test_substitution_is_best_with_few_columns_and_worst_with_many(errors):
    few = {name: errors[name, 10] for name in THESIS}
    many = {name: errors[name, 200] for name in THESIS}
    assert min(few, key=few.get) == "substitution"
    assert few["substitution"] < few["l1"] - 10
    assert max(many, key=many.get) == "substitution"


def test_ridge_repairs_regression_where_columns_are_as_many_as_classes(errors):
    assert errors["regression", 26] > errors["l1", 26] + 20
    assert errors["ridge", 26] < errors["l1", 26] + 1
