"""Weights reach fit, categories stay as they are, and a run warns of leaks and dates."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast import Dataset, InputError
from heliast.fitting.preparation import prepared, takes_categories

RNG = np.random.default_rng(1)
N = 60
X = RNG.normal(size=(N, 2))
Y = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
WEIGHT = RNG.integers(1, 5, N).astype(float)


def run(model: Any, data: Dataset, plan: object = 3) -> hl.Predictions:
    return hl.run({"model": model}, data, plan, seed=1, progress=False)


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), make_pipeline(StandardScaler(), LogisticRegression()), hl.Tree()],
    ids=["logistic", "pipeline", "tree"],
)
def test_weights_are_those_that_fit_gets(model: Any) -> None:
    """Predictions are those of a loop that passes sample_weight by hand."""
    data = Dataset.of(X, Y, weight=WEIGHT)
    table = run(model, data)
    expected = np.full(N, -1)
    for piece in hl.KFold(3).on(data, 1):
        last = model.steps[-1][0] + "__" if hasattr(model, "steps") else ""
        weights = {f"{last}sample_weight": WEIGHT[piece.train]}
        model.fit(X[piece.train], Y[piece.train], **weights)
        expected[piece.test] = model.predict(X[piece.test])
    rows = table.rows("model")
    frame = table.to_frame("pandas").sort_values("row")
    np.testing.assert_array_equal(frame["y_pred"], expected)
    assert rows.n == N


def test_a_weight_of_two_is_a_row_twice() -> None:
    double = np.where(np.arange(N) < 20, 2.0, 1.0)
    twice = np.concatenate([np.arange(N), np.arange(20)])
    weighted = LogisticRegression(tol=1e-8).fit(X, Y, sample_weight=double)
    from heliast.fitting.final import final

    ours = final(LogisticRegression(tol=1e-8), Dataset.of(X, Y, weight=double))
    doubled = LogisticRegression(tol=1e-8).fit(X[twice], Y[twice])
    np.testing.assert_allclose(ours.coef_, weighted.coef_)
    np.testing.assert_allclose(ours.coef_, doubled.coef_, atol=1e-4)


def test_models_without_weights_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="model 'model': KNeighborsClassifier takes no weights"):
        run(KNeighborsClassifier(), Dataset.of(X, Y, weight=WEIGHT))


class Records(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Remembers what it was fitted on, as LightGBM would be."""

    def fit(self, X: Any, y: Any) -> "Records":
        self.classes_, self.X_ = np.unique(y), X
        return self

    def predict(self, X: Any) -> Any:
        return np.repeat(self.classes_[:1], len(X))


@pytest.mark.parametrize(
    ("kind", "boosting", "kept"),
    [("category", True, True), ("object", True, False), ("category", False, False)],
)
def test_categories_reach_models_that_take_them(kind: str, boosting: bool, kept: bool) -> None:
    frame = pd.DataFrame({"x": X[:, 0], "sky": np.where(Y, "sun", "rain")}).astype({"sky": kind})
    data = Dataset.of(frame, Y)
    model: Any = HistGradientBoostingClassifier() if boosting else DecisionTreeClassifier()
    assert takes_categories(model, data) == kept
    rows = prepared(model, data)[1](data, np.arange(5))
    assert (str(rows["sky"].dtype) == "category") if kept else isinstance(rows, np.ndarray)


@pytest.mark.parametrize(
    ("package", "name", "options"),
    [
        ("lightgbm", "LGBMClassifier", {"verbose": -1, "n_estimators": 5}),
        ("xgboost", "XGBClassifier", {"enable_categorical": True, "n_estimators": 5}),
        (
            "catboost",
            "CatBoostClassifier",
            {"cat_features": ["sky"], "verbose": 0, "iterations": 5},
        ),
    ],
)
def test_boosting_libraries_get_the_frame(package: str, name: str, options: dict[str, Any]) -> None:
    library = pytest.importorskip(package)
    frame = pd.DataFrame({"x": X[:, 0], "sky": pd.Categorical(np.where(Y, "sun", "rain"))})
    data = Dataset.of(frame, Y)
    model = getattr(library, name)(**options)
    assert prepared(model, data)[0] is model
    assert run(model, data).rows("model").n == N


# --- warnings ------------------------------------------------------------------------------------


def notes(table: hl.Predictions, key: str) -> list[str]:
    return [note for note in table.notes if getattr(note, "key", "") == key]


def test_a_feature_that_is_the_target_is_named() -> None:
    frame = pd.DataFrame({"x": X[:, 0], "outcome_code": Y * 10.0 + 5})
    (note,) = notes(run(DecisionTreeClassifier(), Dataset.of(frame, Y)), "leak")
    assert note.endswith("a feature may contain the target: 'outcome_code' alone predicts it")
    target = X @ [1.0, 2.0]
    sums = np.column_stack([X, target - X[:, 0]])
    (note,) = notes(run(LinearRegression(), Dataset.of(sums, target)), "leak")
    assert note == "model makes no error: a feature may contain the target"
    assert not notes(run(DecisionTreeClassifier(), Dataset.of(X, Y)), "leak")


def test_dates_in_shuffled_folds() -> None:
    days = pd.date_range("2024-01-01", periods=N)
    frame = pd.DataFrame({"x": X[:, 0], "day": days, "class": Y})
    (note,) = notes(run(DecisionTreeClassifier(), hl.read(frame, "class")), "shuffled dates")
    assert "Rolling" in note
    timed = hl.read(frame, "class", time="day")
    plan = hl.Rolling(train=30, test=10)
    assert not notes(run(DecisionTreeClassifier(), timed, plan), "shuffled dates")
