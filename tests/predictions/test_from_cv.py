"""What scikit-learn's cross-validation gave, as a table with its splits."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import Predictions

X, Y = load_wine(return_X_y=True)
KEEP = {"return_estimator": True, "return_indices": True}
SPLITTERS = [
    5,
    KFold(4, shuffle=True, random_state=1),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    ShuffleSplit(4, test_size=0.1, random_state=0),
]


@pytest.mark.parametrize("cv", SPLITTERS, ids=repr)
@pytest.mark.parametrize("inputs", [X, pd.DataFrame(X), X.tolist()], ids=["array", "frame", "list"])
def test_each_split_scores_as_scikit_learn_says(cv, inputs) -> None:
    result = cross_validate(GaussianNB(), inputs, Y, cv=cv, **KEEP)
    table = Predictions.from_cv(result, inputs, Y, model="bayes")
    assert table.models == ("bayes",)
    accuracy = hl.measures.get("accuracy")
    found = [accuracy.of(part) for _, part in table.per_split("bayes")]
    assert found == pytest.approx(result["test_score"].tolist(), abs=1e-12)
    rows = zip(result["indices"]["train"], result["indices"]["test"], strict=True)
    sizes = [(len(train), len(test)) for train, test in rows]
    assert [(one.n_train, one.n_test) for one in table.splits] == sizes


@pytest.mark.parametrize("cv", SPLITTERS[1:], ids=repr)
def test_the_design_is_that_of_a_run_on_the_same_splitter(cv) -> None:
    result = cross_validate(GaussianNB(), X, Y, cv=cv, **KEEP)
    ours = hl.run({"m": GaussianNB()}, (X, Y), cv, progress=False)
    table = Predictions.from_cv(result, X, Y, model="m")
    places = [[(one.repeat, one.fold, one.n_train) for one in t.splits] for t in (ours, table)]
    assert places[0] == places[1]
    one, other = (hl.assess(t, "error")["m", "error"] for t in (ours, table))
    assert (one.value, one.low, one.high, one.method) == (
        other.value, other.low, other.high, other.method
    )  # fmt: skip


def test_models_of_one_splitter_are_compared() -> None:
    tables = {
        name: Predictions.from_cv(cross_validate(model, X, Y, cv=5, **KEEP), X, Y)
        for name, model in (("bayes", GaussianNB()), ("ridge", RidgeClassifier()))
    }
    assert hl.compare(tables).pairs[0].n == len(Y)
    assert tables["ridge"].meta.score_kind == "decision"


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_answers_of_cross_val_predict(method) -> None:
    said = cross_val_predict(GaussianNB(), X, Y, cv=5, method=method)
    table = Predictions.from_cv(said, X, Y, cv=5)
    fits = Predictions.from_cv(cross_validate(GaussianNB(), X, Y, cv=5, **KEEP), X, Y)
    assert table.splits == fits.splits
    order = np.argsort(fits.row)
    assert np.array_equal(table.y_pred, fits.y_pred[order])
    assert np.array_equal(table.codes("split"), fits.codes("split")[order])
    if method == "predict_proba":
        assert np.array_equal(table.scores, fits.scores[order])


def test_one_column_of_probabilities() -> None:
    inputs, y = load_breast_cancer(return_X_y=True)
    folds = StratifiedKFold(5)
    said = cross_val_predict(GaussianNB(), inputs, y, cv=folds, method="predict_proba")[:, 1]
    table = Predictions.from_cv(said, y=y, cv=folds)
    assert table.meta.score_kind == "probability"
    assert len(table.splits) == 5


def test_numbers() -> None:
    inputs, y = load_diabetes(return_X_y=True)
    result = cross_validate(LinearRegression(), inputs, y, cv=5, scoring="r2", **KEEP)
    table = Predictions.from_cv(result, inputs, y)
    found = [hl.measures.get("r2").of(part) for _, part in table.per_split("model")]
    assert found == pytest.approx(result["test_score"].tolist(), abs=1e-12)
    said = cross_val_predict(LinearRegression(), inputs, y, cv=5)
    assert hl.assess(Predictions.from_cv(said, inputs, y, cv=5))["model", "mae"].value > 0


def test_splits_in_time_stand_in_one_row() -> None:
    result = cross_validate(GaussianNB(), X[::-1], Y % 2, cv=TimeSeriesSplit(4), **KEEP)
    table = Predictions.from_cv(result, X[::-1], Y % 2)
    assert [(one.repeat, one.fold) for one in table.splits] == [(0, at) for at in range(4)]


def test_a_class_that_some_folds_never_met() -> None:
    y = np.repeat([0, 1, 2], [70, 70, 38])
    result = cross_validate(GaussianNB(), X, y, cv=KFold(3), **KEEP)
    table = Predictions.from_cv(result, X, y)
    assert table.scores is not None
    assert table.scores.shape == (178, 3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Predictions.from_cv(cross_validate(GaussianNB(), X, Y), X, Y), "return_indices"),
        (lambda: Predictions.from_cv(Y, X), "true values"),
        (lambda: Predictions.from_cv(Y, X, Y), "say cv="),
        (lambda: Predictions.from_cv(Y, X, Y, cv=KFold(5, shuffle=True)), "random_state"),
        (lambda: Predictions.from_cv(Y, X, Y, cv=ShuffleSplit(3, random_state=0)), "every row"),
        (lambda: Predictions.from_cv(Y, X, Y, cv=1), "cv=1"),
        (lambda: Predictions.from_cv(Y, X, Y, cv="five"), "cv='five'"),
        (lambda: Predictions.from_cv(Y[:5], X, Y, cv=5), "rows"),
        (
            lambda: Predictions.from_cv(cross_validate(GaussianNB(), X, Y, **KEEP), X[:90], Y[:90]),
            "give the X and y",
        ),
        (lambda: hl.assess(cross_validate(GaussianNB(), X, Y)), "from_cv"),
    ],
)
def test_what_is_missing_is_said(call, words) -> None:
    with pytest.raises(hl.InputError, match=words):
        call()
