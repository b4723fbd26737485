"""Classifiers that take numbers only get numbers, and answer with the labels of the data."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import heliast as hl
from heliast.data import Dataset
from heliast.ensembles import BaggedVote
from heliast.fitting.cell import FitFailed
from heliast.fitting.final import final
from heliast.fitting.predict import predict


class Fussy(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes that wants 0, 1, ... without a gap, as XGBoost does."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Fussy":
        if np.unique(y).tolist() != list(range(len(np.unique(y)))):
            raise ValueError(f"Invalid classes: {np.unique(y)}")
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X: Any) -> Any:
        return self.inner_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        return self.inner_.predict_proba(X)


def noisy(labels: Any, n: int = 90) -> Dataset:
    rng = np.random.default_rng(5)
    codes = np.arange(n) % len(labels)
    X = codes[:, None] + rng.normal(size=(n, 2))
    return Dataset.of(pd.DataFrame(X, columns=["a", "b"]), np.array(labels)[codes])


LABELS = {
    "text": ["no", "yes"],
    "three": ["c", "a", "b"],
    "from one": [1, 2],
    "signs": [-1, 1],
    "booleans": [False, True],
    "numbers": [0, 1],
    "floats": [0.0, 1.0],
    "halves": [0.5, 1.5],
}


def statuses(table: hl.Predictions) -> set[object]:
    return {cell["status"] for cell in table.cells}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_the_answers_are_those_of_the_model_on_labels(labels: Any) -> None:
    data = noisy(labels)
    if data.task != "classification":
        data = Dataset.of(data.frame, data.y_true, task="classification")
    table = hl.run({"fussy": Fussy(), "plain": GaussianNB()}, data, 5, progress=False)
    assert statuses(table) == {"ok"}
    one, other = table.only("fussy"), table.only("plain")
    np.testing.assert_array_equal(one.y_pred, other.y_pred)
    np.testing.assert_allclose(one.scores, other.scores)


def test_a_class_that_is_not_in_the_training_rows() -> None:
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0]])
    data = Dataset.of(X, list("aaacccb"), task="classification")
    splits = PredefinedSplit([-1, -1, 1, -1, -1, 1, 0])
    for model in (Fussy(), GaussianNB()):
        table = hl.run({"m": model}, data, splits, progress=False)
        assert statuses(table) == {"ok"}
        assert table.scores is not None
        assert table.scores[:, 1].tolist()[0] == 0.0  # b was not known in the first split


def test_inside_pipelines_searches_and_votes() -> None:
    data = noisy(["no", "yes"])
    models = {
        "piped": make_pipeline(StandardScaler(), Fussy()),
        "sought": GridSearchCV(Fussy(), {"random_state": [1, 2]}, cv=2),
        "vote": make_pipeline(StandardScaler(), BaggedVote(Fussy(), n_estimators=3)),
    }
    table = hl.run(models, data, 3, progress=False)
    assert statuses(table) == {"ok"}
    assert any(name.startswith("vote/") for name in table.models)
    for name in table.models:
        assert hl.assess(table.only(name), "error")[name, "error"].value < 0.45


def test_the_first_failure_is_told() -> None:
    class Broken(Fussy):
        def fit(self, X: Any, y: Any) -> "Fussy":
            raise ValueError(f"first of the kind {np.asarray(y).dtype.kind}")

    data = noisy(["no", "yes"])
    models = {"broken": Broken(), "line": LinearRegression(), "ok": GaussianNB()}
    with pytest.warns(FitFailed, match="failed in 3 of 3 splits"):
        table = hl.run(models, data, 3, progress=False)
    why = {str(cell["model"]): str(cell["failure"]) for cell in table.cells}
    assert "first of the kind U" in why["broken"]
    assert "first of the kind i" not in why["broken"]
    assert "could not convert" in why["line"]  # a model of numbers is not made a classifier
    assert not why["ok"]


def test_the_model_to_keep_answers_with_labels() -> None:
    data = noisy(["no", "yes"])
    kept = final(Fussy(), data)
    assert set(kept.predict(data.frame)) == {"no", "yes"}
    assert predict({"kept": kept}, data).classes == ("no", "yes")


@pytest.mark.parametrize("module", ["xgboost.XGBClassifier", "lightgbm.LGBMClassifier"])
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_boosters_of_others(module: str, labels: Any) -> None:
    package, _, name = module.partition(".")
    made = getattr(pytest.importorskip(package), name)
    settings = {"n_estimators": 5, "n_jobs": 1} | (
        {"verbose": -1, "min_child_samples": 5} if package == "lightgbm" else {}
    )
    data = noisy(labels)
    if data.task != "classification":
        data = Dataset.of(data.frame, data.y_true, task="classification")
    table = hl.run({"boost": made(**settings)}, data, 3, progress=False)
    assert statuses(table) == {"ok"}, table.cells[0]["failure"]
    assert hl.assess(table, "error")["boost", "error"].value < 0.45


@pytest.mark.parametrize("missing", [False, True])
def test_boosters_with_text_dates_and_gaps(missing: bool) -> None:
    xgboost = pytest.importorskip("xgboost")
    rng = np.random.default_rng(3)
    when = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, 120), unit="D")
    frame = pd.DataFrame({"when": when, "sky": rng.choice(["sun", "rain"], 120)})
    frame["class"] = np.where(when.month > 5, "late", "early")
    if missing:
        frame.loc[::9, "sky"] = None
    models = {"boost": xgboost.XGBClassifier(n_estimators=5, n_jobs=1)}
    table = hl.run(models, hl.read(frame), 3, progress=False)
    assert hl.assess(table, "error")["boost", "error"].value < 0.05
