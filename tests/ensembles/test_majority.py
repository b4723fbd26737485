"""A vote added to a table of predictions."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import heliast as hl
from heliast import InputError, MajorityVote, Predictions
from heliast.ensembles import majority

MODELS = {
    "bayes": GaussianNB(),
    "line": LogisticRegression(),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}


@pytest.fixture(scope="module")
def table(blobs):
    return hl.run(MODELS, hl.Dataset.of(*blobs[:2]), hl.KFold(4, repeats=2), seed=1)


def test_three_rules_of_the_thesis():
    """Each wrong in one of three regions: each errs a third of the time, the vote never."""
    truth = ["a", "b", "a"]
    said = {"h1": ["a", "b", "b"], "h2": ["a", "a", "a"], "h3": ["b", "b", "a"]}
    tables = [Predictions.of(truth, label, model=name) for name, label in said.items()]
    found = majority(tables[0].join(tables[1]).join(tables[2]))
    errors = hl.assess(found, ["error"])
    assert [errors[model, "error"].value for model in found.models] == [1 / 3, 1 / 3, 1 / 3, 0]


@pytest.mark.parametrize("kind", ["hard", "soft"])
@pytest.mark.parametrize("weights", [None, {"bayes": 1, "line": 3, "tree": 1.5}])
def test_is_the_vote_of_the_models_themselves(blobs, table, kind, weights):
    data = hl.Dataset.of(*blobs[:2])
    fitted = MajorityVote(MODELS, weights, kind=kind)
    vote = hl.run({"vote": fitted}, data, hl.KFold(4, repeats=2), seed=1).only("vote")
    ours = majority(table, weights=weights, kind=kind).only("vote")
    assert np.array_equal(ours.row, vote.row)
    assert np.array_equal(ours.y_pred, vote.y_pred)
    np.testing.assert_allclose(ours.scores, vote.scores)
    assert ours.score_kind_of("vote") == {"hard": "votes", "soft": "probability"}[kind]


def test_rows_need_not_be_in_the_same_order():
    a = Predictions.of([0, 1, 1], [0, 1, 0], model="a", row=[5, 6, 7])
    b = Predictions.of([1, 1, 0], [0, 1, 1], model="b", row=[7, 6, 5])
    c = Predictions.of([1, 0, 1], [1, 0, 1], model="c", row=[6, 5, 7])
    vote = majority(a.join(b).join(c), name="all three").only("all three")
    assert vote.row.tolist() == [5, 6, 7]
    assert vote.y_pred.tolist() == [0, 1, 0]


def test_some_of_the_models_with_another_name(table):
    found = majority(table, ["bayes", "line"], name="pair")
    assert found.models == ("bayes", "line", "tree", "pair")
    assert "pair: hard vote of bayes, line" in found.notes


def test_numbers_are_averaged_by_weight(waves):
    X, y, _, _ = waves
    models = {"line": Ridge(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}
    table = hl.run(models, hl.Dataset.of(X, y), hl.KFold(3), seed=2)
    vote = majority(table, weights=[1, 3]).only("vote")
    parts = [table.only(name).y_pred for name in models]
    np.testing.assert_allclose(vote.y_pred, (parts[0] + 3 * parts[1]) / 4)


def test_numbers_have_a_median_by_weight(waves):
    X, y, _, _ = waves
    models = {"a": Ridge(), "b": DecisionTreeRegressor(max_depth=3, random_state=0), "c": Ridge(99)}
    table = hl.run(models, hl.Dataset.of(X, y), hl.KFold(3), seed=2)
    parts = [table.only(name).y_pred for name in models]
    found = majority(table, kind="median")
    np.testing.assert_array_equal(found.only("vote").y_pred, np.median(parts, axis=0))
    assert "vote: median vote of a, b, c" in found.notes
    heavy = majority(table, kind="median", weights=[1, 1, 3])
    np.testing.assert_array_equal(heavy.only("vote").y_pred, parts[2])
    fitted = hl.run({"vote": MajorityVote(models, kind="median")}, hl.Dataset.of(X, y), 3, seed=2)
    np.testing.assert_allclose(fitted.only("vote").y_pred, found.only("vote").y_pred, rtol=1e-9)
    with pytest.raises(InputError, match="kind='soft': for regression choose 'mean' or 'median'"):
        majority(table, kind="soft")


def test_two_classes_with_one_score_column():
    tables = [
        Predictions.of([0, 1, 1], y_score=score, scores="probability", model=name)
        for name, score in {"a": [0.2, 0.7, 0.4], "b": [0.4, 0.5, 0.9]}.items()
    ]
    vote = majority(tables[0].join(tables[1]), kind="soft").only("vote")
    np.testing.assert_allclose(vote.rows().score_of(1), [0.3, 0.6, 0.65])


def test_a_row_that_any_model_saw_is_seen():
    a = Predictions.of([0, 1], [0, 1], model="a", row=[1, 2], in_train=[0, 1])
    b = Predictions.of([0, 1], [0, 0], model="b", row=[1, 2], in_train=[0, 0])
    assert majority(a.join(b)).only("vote").in_train.tolist() == [0, 1]


def test_refusals(blobs, table):
    with pytest.raises(InputError, match="give a new name"):
        majority(table, name="tree")
    with pytest.raises(InputError, match="no model named 'oak'"):
        majority(table, ["oak"])
    with pytest.raises(InputError, match="kind='median': for classification choose 'hard'"):
        majority(table, kind="median")
    with pytest.raises(InputError, match="each once"):
        majority(table, ["tree", "tree"])
    lone = Predictions.of([0, 1, 0], [0, 1, 0], model=["a", "a", "b"], row=[0, 1, 0])
    with pytest.raises(InputError, match="'b' lacks 1 predictions"):
        majority(lone)
    bare = hl.run({"svm": LinearSVC()}, hl.Dataset.of(*blobs[:2]), hl.KFold(4), seed=1)
    with pytest.raises(InputError, match="these have none: svm"):
        majority(bare, kind="soft")
