"""Every model on every kind of data and plan against refitting."""

import numpy as np
import pytest
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
)
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from tests.fitting.shortcuts.refitting import PLANS, agree, bootstraps, folds, left_out

SIMULATED = make_classification(
    300, 18, n_informative=8, n_redundant=0, n_classes=5, n_clusters_per_class=1, random_state=3
)
DATA = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "cancer": load_breast_cancer(return_X_y=True),
    "digits": tuple(part[:300] for part in load_digits(return_X_y=True)),
    "simulated": SIMULATED,
}
MODELS = {
    "naive": GaussianNB(),
    "naive_smooth": GaussianNB(var_smoothing=1e-2),
    "linear": LinearDiscriminantAnalysis(),
    "quadratic": QuadraticDiscriminantAnalysis(),
    "quadratic_ridge": QuadraticDiscriminantAnalysis(reg_param=0.2),
    "neighbours": KNeighborsClassifier(),
    "neighbours_inverse": KNeighborsClassifier(4, weights="distance"),
}
# What cannot be answered: singular classes, ties between neighbours, pixels that vanish.
HARD = {"digits", "iris"}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("data", DATA)
def test_answers_are_those_of_refitting(data, name, plan):
    X, y = DATA[data]
    every = len(X) // 30 if plan == "left_out" else 1
    easy = data not in HARD and name in ("naive", "naive_smooth", "linear") and plan != "halves"
    agree(MODELS[name], X, y, PLANS[plan], least=1.0 if easy else 0.0, every=every)


@pytest.mark.parametrize("name", MODELS)
def test_simulated_data_are_always_answered(name):
    X, y = SIMULATED
    for plan in (folds, left_out):
        agree(MODELS[name], X, y, plan, least=1.0, every=40 if plan is left_out else 5)


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(p=1),
        KNeighborsClassifier(metric="manhattan", algorithm="brute"),
        KNeighborsClassifier(metric="chebyshev", weights="distance"),
        KNeighborsClassifier(p=3, algorithm="ball_tree"),
        KNeighborsClassifier(1, algorithm="kd_tree"),
        KNeighborsClassifier(40, algorithm="brute", weights="distance"),
        KNeighborsClassifier(weights=None),
    ],
    ids=repr,
)
def test_distances_and_searches(model):
    X, y = SIMULATED
    agree(model, X[:, :12], y, folds, least=1.0, every=3)
    agree(model, X, y, bootstraps, least=0.0)
    agree(model, X[:150], y[:150], left_out, least=1.0, every=15)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_numbers(weights):
    X, _ = SIMULATED
    y = X[:, 0] * 3 + np.sin(X[:, 1])
    for width in (5, 18):
        model = KNeighborsRegressor(7, weights=weights)
        agree(model, X[:, :width], y, folds, least=1.0)
        agree(model, X[:, :width], y, left_out, least=1.0, every=30)


@pytest.mark.parametrize("model", [GaussianNB, LinearDiscriminantAnalysis])
def test_inputs_of_very_different_size(model):
    X, y = SIMULATED
    X = X * np.logspace(-6, 6, X.shape[1])
    agree(model(), X, y, folds, least=1.0)
    agree(model(), X, y, left_out, least=1.0, every=30)


def test_quadratic_with_different_sizes_refuses_rather_than_errs():
    X, y = SIMULATED
    for wide, least in ((1, 1.0), (6, 0.0)):
        scaled = 10 * X * np.logspace(-wide, wide, X.shape[1])
        pieces = list(folds(len(X)))
        model = QuadraticDiscriminantAnalysis(tol=0.0)
        agree(model, scaled, y, pieces, least=least)


@pytest.mark.parametrize("shift", [1e3, 1e7])
@pytest.mark.parametrize("name", ["naive", "linear", "quadratic", "neighbours_inverse"])
def test_inputs_far_from_zero(name, shift):
    X, y = SIMULATED
    least = 1.0 if shift < 1e4 and name in ("naive", "linear") else 0.0
    agree(MODELS[name], X + shift, y, folds, least=least)


@pytest.mark.parametrize(
    "model", [GaussianNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis]
)
def test_priors(model):
    X, y = SIMULATED
    priors = [0.1, 0.15, 0.2, 0.25, 0.3]
    for plan in (folds, bootstraps):
        agree(model(priors=priors), X, y, plan, least=1.0)
    agree(model(priors=priors), X, y, left_out, least=1.0, every=30)
