"""Usual names of measures, and every scorer of scikit-learn: its value, or a sentence."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import heliast as hl
from heliast import measures
from heliast.measures.aliases import ALIASES, NOT_OFFERED

ANSWERED = {
    "accuracy", "average_precision", "balanced_accuracy", "f1", "f1_macro", "f1_micro",
    "f1_weighted", "neg_mean_absolute_percentage_error", "neg_median_absolute_error",
    "top_k_accuracy", "matthews_corrcoef", "neg_brier_score", "neg_log_loss",
    "neg_mean_absolute_error", "neg_mean_squared_error", "neg_root_mean_squared_error",
    "precision", "precision_macro", "precision_micro", "precision_weighted", "r2", "recall",
    "recall_macro", "recall_micro", "recall_weighted", "roc_auc", "roc_auc_ovo", "roc_auc_ovr",
    "roc_auc_ovr_weighted",
}  # fmt: skip
MULTICLASS = {"macro", "micro", "weighted", "ovo", "ovr"}


@pytest.fixture(scope="module")
def fitted():
    found = {}
    for name, load in (("two", load_breast_cancer), ("three", load_wine)):
        X, y = load(return_X_y=True)
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1)).fit(X[::2, :3], y[::2])
        X, y = X[1::2, :3], y[1::2]
        found[name] = model, X, y, hl.Predictions.of(y, model.predict(X), model.predict_proba(X))
    X, y = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(X[::2], y[::2])
    found["numbers"] = model, X[1::2], y[1::2], hl.Predictions.of(y[1::2], model.predict(X[1::2]))
    return found


@pytest.mark.parametrize("name", get_scorer_names())
def test_every_scorer_is_answered_or_refused_with_a_sentence(name: str, fitted) -> None:
    if name not in ANSWERED:
        with pytest.raises(hl.InputError, match="is not offered: "):
            measures.get(name)
        return
    one = measures.get(name)
    sets = ["numbers"] if one.task == "regression" else ["two"]
    sets += ["three"] if MULTICLASS & {*name.split("_")} or name == "accuracy" else []
    sets = ["three"] if name == "top_k_accuracy" else sets
    for at in sets:
        model, X, y, table = fitted[at]
        expected = abs(get_scorer(name)(model, X, y))
        assert one.of(table) == pytest.approx(expected, abs=1e-9), at
        assert hl.assess(table, name, interval=None)["model", name].value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("acc", "accuracy"), ("tpr", "recall"), ("sensitivity", "recall"), ("hit_rate", "recall"),
     ("tnr", "specificity"), ("ppv", "precision"), ("f1", "f1"), ("F1", "f1"), ("f1_score", "f1"),
     ("roc_auc", "auc"), ("AUROC", "auc"), ("ap", "average_precision"), ("logloss", "log_loss"),
     ("pr_auc", "average_precision"), ("cross-entropy", "log_loss"), ("brier_score", "brier"),
     ("RMSE", "rmse"), ("mean squared error", "mse"), ("R2", "r2"), ("cohen_kappa", "kappa"),
     ("sensitivity.macro", "recall.macro"), ("f1_weighted", "f1.weighted")],
)  # fmt: skip
def test_usual_names(alias: str, name: str) -> None:
    assert measures.get(alias) == measures.get(name)


def test_aliases_lead_to_measures_and_hide_none() -> None:
    assert set(ALIASES.values()) <= {*measures.names()}
    assert not {*ALIASES, *NOT_OFFERED} & {*measures.names()}
    assert not {*ALIASES} & {*NOT_OFFERED}
    assert all(measures.get(name).name == name for name in measures.names())


def test_usual_names_serve_every_verb() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    score = 0.3 * y + 0.7 * rng.random(60)
    found = hl.assess(y, ["sensitivity", "roc_auc"], y_score=score)
    assert found["model", "tpr"] == found["model", "recall"]
    assert hl.gate(y, "sensitivity.low >= 0.001", y_score=score).passed
    assert hl.compare(y, {"a": score, "b": 1 - score}, "AUROC").measure == "auc"
    with pytest.raises(KeyError, match="log_loss was left out"):
        hl.assess(y, y[::-1])["model", "neg_log_loss"]


def test_what_is_misspelt_gets_the_closest_name() -> None:
    with pytest.raises(hl.InputError, match="did you mean 'sensitivity'"):
        measures.get("sensitivty")
