"""Which models and settings have a shortcut."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from heliast.fitting.shortcuts import Shortcut, find

X = np.random.default_rng(0).normal(size=(30, 3))
Y = np.arange(30) % 3
CLASSES = ("a", "b", "c")


class MyBayes(GaussianNB):
    pass


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        BernoulliNB(),
        MyBayes(),
        GaussianNB(priors=[0.5, 0.5, 0.0]),
        GaussianNB(priors=[0.5, 0.5]),
        GaussianNB(priors=[0.5, 0.5, 0.5]),
        LinearDiscriminantAnalysis(solver="lsqr"),
        LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto"),
        LinearDiscriminantAnalysis(priors=[1, 2, 3]),
        LinearDiscriminantAnalysis(tol=0.0),
        KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()),
        KNeighborsClassifier(weights=lambda d: 1 / (1 + d)),
        KNeighborsClassifier(metric="cosine"),
        KNeighborsClassifier(metric_params={"w": [1, 2, 3]}),
        KNeighborsClassifier(p=0.5),
        KNeighborsRegressor(),
        "GaussianNB",
    ],
    ids=lambda model: repr(model).split(" at 0x")[0],
)
def test_unsupported(model):
    assert find(model, X, Y, CLASSES) is None


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(priors=[0.2, 0.3, 0.5], var_smoothing=1e-3),
        LinearDiscriminantAnalysis(n_components=1, store_covariance=True),
        QuadraticDiscriminantAnalysis(reg_param=0.3, store_covariance=True),
        KNeighborsClassifier(metric="euclidean", n_jobs=2, leaf_size=5),
    ],
    ids=lambda model: repr(model).split(" at 0x")[0],
)
def test_supported(model):
    assert isinstance(find(model, X, Y, CLASSES), Shortcut)
    assert isinstance(find(KNeighborsRegressor(), X, Y.astype(float), ()), Shortcut)


def test_inputs_that_scikit_learn_would_see_differently():
    model = GaussianNB()
    bad = X.copy()
    bad[0, 0] = np.nan
    for other in (bad, X.astype(np.float32), X.tolist(), X[:, 0], X[:1], X[:, :0]):
        assert find(model, other, Y[: len(other)], CLASSES) is None
    assert find(model, X, Y + 1, CLASSES) is None
    assert find(model, X, Y, ("a", "a", "c")) is None
    assert find(model, X, Y * 0, ("a",)) is None
    assert find(model, X, Y, (0.5, 1.5, 2.5)) is None
