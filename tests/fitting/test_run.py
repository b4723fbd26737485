"""run: against scikit-learn's own cross-validation, and what happens when models misbehave."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, TargetEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast import plans
from heliast.data import Dataset
from heliast.fitting.cell import FitFailed
from heliast.fitting.run import run

LOADERS = {
    "iris": load_iris,
    "wine": load_wine,
    "digits": load_digits,
    "breast_cancer": load_breast_cancer,
}


@pytest.fixture(scope="module")
def iris() -> Dataset:
    return Dataset.of(*load_iris(return_X_y=True))


@pytest.mark.parametrize("name", LOADERS)
def test_cross_val_predict_is_reproduced_exactly(name: str) -> None:
    X, y = LOADERS[name](return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    model = DecisionTreeClassifier(min_samples_leaf=3, random_state=0)
    table = run({"tree": model}, (X, y), folds, progress=False)
    order = np.argsort(table.row)
    expected = cross_val_predict(model, X, y, cv=folds)
    np.testing.assert_array_equal(np.array(table.classes)[table.y_pred[order]], expected)
    shares = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
    assert table.scores is not None
    np.testing.assert_array_equal(table.scores[order], shares)


def test_cross_validate_of_numbers_is_reproduced_exactly() -> None:
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(10, shuffle=True, random_state=3)
    found = cross_validate(LinearRegression(), X, y, cv=folds, scoring="neg_mean_absolute_error")
    table = run({"linear": LinearRegression()}, (X, y), folds, progress=False)
    for split, expected in zip(table.splits.names, -found["test_score"], strict=True):
        part = table.only(split=split)
        assert np.abs(part.y_true - part.y_pred).mean() == pytest.approx(expected, abs=1e-12)


def nominal_frame() -> tuple[Any, np.ndarray]:
    import pandas as pd

    rng = np.random.default_rng(0)
    n = 300
    town = rng.choice(["a", "b", "c", "d"], n)
    size = rng.normal(size=n)
    truth = np.where((size + (town == "a") + rng.normal(0, 1, n)) > 0.3, "yes", "no")
    frame = pd.DataFrame({"town": town, "size": size})
    frame.loc[rng.random(n) < 0.1, "size"] = np.nan
    frame.loc[rng.random(n) < 0.1, "town"] = None
    return frame, truth


def test_the_users_frame_reaches_a_pipeline_as_it_is_and_equals_cross_val_predict() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    frame, truth = nominal_frame()
    model = make_pipeline(
        make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["town"]),
            remainder="passthrough",
        ),
        HistGradientBoostingClassifier(max_iter=10, random_state=0),
    )
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    table = run({"m": model}, Dataset.of(frame, truth), folds, progress=False)
    expected = cross_val_predict(model, frame, truth, cv=folds)
    order = np.argsort(table.row)
    np.testing.assert_array_equal(np.array(table.classes)[table.y_pred[order]], expected)


def test_a_target_encoded_column_is_learned_inside_the_split() -> None:
    """A column of pure noise with many levels: encoding it on all rows leaks the target."""
    import pandas as pd

    rng = np.random.default_rng(2)
    n = 400
    noise = pd.DataFrame({"level": [f"l{at}" for at in rng.integers(0, 120, n)]})
    truth = rng.choice(["no", "yes"], n)
    honest = make_pipeline(TargetEncoder(random_state=0, smooth=1e-9), GaussianNB())
    table = run({"honest": honest}, Dataset.of(noise, truth), plans.KFold(5), progress=False)
    error = (table.y_true != table.y_pred).mean()
    assert 0.4 < error < 0.6

    means = pd.Series(truth == "yes").groupby(noise["level"]).transform("mean").to_numpy()
    leaky = run({"leaky": GaussianNB()}, (means[:, None], truth), plans.KFold(5), progress=False)
    assert (leaky.y_true != leaky.y_pred).mean() < error - 0.1  # what we guard against


def test_nominal_and_missing_inputs_are_prepared_for_models_that_need_numbers() -> None:
    """Indicators, one of them for a missing town; the median of the training rows."""
    import pandas as pd

    frame, truth = nominal_frame()
    models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    table = run(models, Dataset.of(frame, truth), folds, progress=False)
    towns = pd.get_dummies(frame["town"], dummy_na=True).to_numpy(dtype=float)
    for name, model in models.items():
        found, expected = table.only(model=name), truth.copy()
        for train, test in folds.split(frame, truth):
            size = frame["size"].fillna(frame["size"].iloc[train].median())
            X = np.column_stack([size, towns])
            expected[test] = model.fit(X[train], truth[train]).predict(X[test])
        order = np.argsort(found.row)
        np.testing.assert_array_equal(np.array(found.classes)[found.y_pred[order]], expected)


class Misbehaves(ClassifierMixin, BaseEstimator):
    """Raises, or answers nonsense, when a given row is among the training rows' complement."""

    def __init__(self, how: str = "raise", size: int = 120) -> None:
        self.how = how
        self.size = size

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Misbehaves":
        self.classes_ = np.unique(y)
        self.odd_ = bool(X[0, 0] != 5.1)  # iris: true only where the first row is held out
        if self.how == "raise" and self.odd_:
            raise RuntimeError("the data frightened me")
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        label = np.full(len(X), self.classes_[0]).astype(object)
        if self.how == "nan" and self.odd_:
            label[0] = np.nan
        if self.how == "unknown" and self.odd_:
            label[0] = 99
        return label


@pytest.mark.parametrize(
    ("how", "status", "words"),
    [
        ("raise", "failed", "the data frightened me"),
        ("nan", "refused", "predicted no class (NaN) for 1 rows"),
        ("unknown", "refused", "predicted an unknown class"),
    ],
)
def test_a_model_that_fails_in_one_split_is_recorded_and_labelled(
    iris: Dataset, how: str, status: str, words: str
) -> None:
    models = {"good": GaussianNB(), "bad": Misbehaves(how)}
    with pytest.warns(FitFailed, match="'bad' failed in 1 of 5 splits"):
        table = run(models, iris, plans.KFold(5), seed=1, progress=False)
    wrong = [cell for cell in table.cells if cell["status"] != "ok"]
    assert [cell["model"] for cell in wrong] == ["bad"]
    assert wrong[0]["status"] == status
    assert words in str(wrong[0]["failure"])
    assert table.incomplete() == {"bad": 30}
    found = hl.assess(table, "error")
    assert "incomplete" in found["bad", "error"].reason
    assert found["good", "error"].value < 0.1


def test_a_model_that_always_fails_leaves_the_others_standing(iris: Dataset) -> None:
    class Broken(Misbehaves):
        def fit(self, X: np.ndarray, y: np.ndarray) -> "Misbehaves":
            raise ValueError("never")

    with pytest.warns(FitFailed, match=r"'broken' failed in 5 of 5 splits.*ValueError: never"):
        table = run({"broken": Broken(), "good": GaussianNB()}, iris, 5, progress=False)
    found = hl.assess(table, "error")
    assert not found["broken", "error"].defined
    reason = found["broken", "error"].reason
    assert reason == "failed in 5 of 5 splits, first in split 0: ValueError: never"
    with pytest.raises(hl.InputError, match="no model could be fitted in any split"):
        run({"broken": Broken()}, iris, 5, progress=False)


def test_models_with_probabilities_decisions_or_none_share_a_table(iris: Dataset) -> None:
    models = {"nb": GaussianNB(), "svc": LinearSVC(), "none": Misbehaves("never")}
    table = run(models, iris, 3, progress=False)
    kinds = [table.score_kind_of(model) for model in table.models]
    assert kinds == ["probability", "decision", None]
    found = hl.assess(table, ["auc", "brier"])
    assert found["nb", "brier"].defined
    assert "needs probabilities" in found["svc", "brier"].reason
    assert found["svc", "auc"].defined
    assert "needs scores" in found["none", "auc"].reason


def test_one_fit_many_outputs(iris: Dataset) -> None:
    class Staged(GaussianNB):
        def outputs(self, X: np.ndarray) -> Any:
            shares = self.predict_proba(X)
            yield "first", self.classes_[np.zeros(len(X), int)], None
            yield "proba", self.classes_[shares.argmax(axis=1)], shares

    table = run({"staged": Staged()}, iris, 3, progress=False)
    assert table.models == ("staged", "staged/first", "staged/proba")
    np.testing.assert_array_equal(table.only("staged").y_pred, table.only("staged/proba").y_pred)
    assert (table.only("staged/first").y_pred == 0).all()
    assert len(table.cells) == 3


def test_in_sample_predictions_carry_how_often_a_row_was_seen(iris: Dataset) -> None:
    plan = plans.Bootstrap(3)
    table = run({"nb": GaussianNB()}, iris, plan, seed=2, in_sample=True, progress=False)
    frozen = plan.on(iris, 2)
    for piece in frozen:
        part = table.only(split=piece.record.split)
        np.testing.assert_array_equal(part.in_train, piece.in_train(iris.n)[part.row])
        assert len(part) == iris.n


def test_the_same_seed_gives_the_same_table_on_one_worker_and_two(iris: Dataset) -> None:
    models = {"tree": DecisionTreeClassifier(max_features=1), "nb": GaussianNB()}
    one = run(models, iris, plans.KFold(4, repeats=2), seed=5, jobs=1, progress=False)
    two = run(models, iris, plans.KFold(4, repeats=2), seed=5, jobs=2, progress=False)
    other = run(models, iris, plans.KFold(4, repeats=2), seed=6, jobs=1, progress=False)
    assert one.equals(two)
    assert not one.equals(other)


def test_a_models_result_does_not_depend_on_its_company(iris: Dataset) -> None:
    tree = DecisionTreeClassifier(max_features=1)
    alone = run({"tree": tree}, iris, 4, seed=5, progress=False)
    beside = run({"nb": GaussianNB(), "tree": tree}, iris, 4, seed=5, progress=False)
    np.testing.assert_array_equal(alone.y_pred, beside.only("tree").y_pred)


def test_the_callers_estimator_is_left_alone(iris: Dataset) -> None:
    model = DecisionTreeClassifier()
    run({"tree": model}, iris, 3, progress=False)
    assert not hasattr(model, "tree_")
    assert model.random_state is None


def test_label_noise_and_training_share_vary_through_the_same_run(iris: Dataset) -> None:
    noisy = plans.LabelNoise(plans.KFold(5), shares=(0.0, 0.4))
    table = run({"tree": DecisionTreeClassifier()}, iris, noisy, progress=False)
    error = {
        share: np.mean(
            [
                (part.y_true != part.y_pred).mean()
                for split in table.splits
                if split.noise == share
                for part in [table.only(split=split.split)]
            ]
        )
        for share in (0.0, 0.4)
    }
    assert error[0.4] > error[0.0] + 0.1


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ({}, "no models"),
        ({"a": GaussianNB}, "pass an instance"),
        ({"a": 3}, "not a scikit-learn estimator"),
    ],
)
def test_models_that_are_not_models(iris: Dataset, models: Any, words: str) -> None:
    with pytest.raises(hl.InputError, match=words):
        run(models, iris, 3)


def test_a_frozen_plan_of_other_data_is_refused(iris: Dataset) -> None:
    frozen = plans.KFold(3).on(Dataset.of([[1.0], [2.0], [3.0]], ["a", "b", "a"]))
    with pytest.raises(hl.InputError, match="frozen on 3 rows, the data have 150"):
        run({"nb": GaussianNB()}, iris, frozen)
