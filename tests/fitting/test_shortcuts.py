"""Closed-form cross-validation against scikit-learn, refitted for every split."""

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
)
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import heliast as hl
from heliast.fitting.quick import has_shortcut, quick_cells
from heliast.plans import Piece


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """As `run` has it."""
    with threadpool_limits(1):
        yield


def folds(n, k=5, repeats=2, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(repeats):
        fold = rng.permutation(n) % k
        for f in range(k):
            yield Piece.leaving(n, np.flatnonzero(fold == f))


def left_out(n):
    for i in range(n):
        yield Piece.leaving(n, [i])


def holdouts(n, times=4, seed=0):
    """Two thirds of the rows, unordered, tested on some of the others and some of themselves."""
    rng = np.random.default_rng(seed)
    for _ in range(times):
        shuffled = rng.permutation(n)
        yield Piece.using(n, shuffled[n // 3 :], shuffled[: n // 2])


def bootstraps(n, times=3, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(times):
        train = rng.integers(0, n, n)
        yield Piece.using(n, train, np.setdiff1d(np.arange(n), train))


PLANS = {"folds": folds, "left_out": left_out, "holdouts": holdouts}


def dataset(X, y, numeric=False, order=None):
    return hl.Dataset.of(X, y, task="regression" if numeric else "classification", order=order)


def agree(model, X, y, plan, least=1.0, every=1, order=None):
    """All answers equal the refitted model's; at least this share of splits is answered."""
    numeric = not hasattr(model, "predict_proba")
    data = dataset(X, y, numeric, order)
    pieces = list(plan(len(X)) if callable(plan) else plan)
    cells = quick_cells(model, data, range(len(pieces)), pieces)
    for at, piece in list(enumerate(pieces))[::every]:
        if at not in cells:
            continue
        (output,), row = cells[at].outputs, cells[at].row
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = clone(model).fit(data.matrix[piece.train], data.y[piece.train])
        assert row.tolist() == sorted(piece.test)
        label = fitted.predict(data.matrix[row])
        if numeric:
            np.testing.assert_allclose(output.label, label, rtol=1e-9, atol=1e-9)
            assert output.scores is None
            continue
        np.testing.assert_array_equal(data.labels[output.label], label)
        scores = np.zeros((row.size, len(data.classes)))
        places = [data.classes.index(name) for name in fitted.classes_.tolist()]
        scores[:, places] = fitted.predict_proba(data.matrix[row])
        np.testing.assert_allclose(output.scores, scores, rtol=0, atol=1e-9)
    assert len(cells) >= least * len(pieces), f"{len(cells)} of {len(pieces)} answered"
    return cells


# --- every model on every kind of data and plan --------------------------------------------------

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
    "neighbors": KNeighborsClassifier(),
    "nearest": KNeighborsClassifier(1, p=1),
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("data", DATA)
def test_answers_are_those_of_refitting(data, name, plan):
    X, y = DATA[data]
    # What cannot be answered: classes that are singular, neighbours that tie.
    hard = data in ("digits", "iris") or (data == "cancer" and name == "quadratic")
    every = len(X) // 30 if plan == "left_out" else 1
    agree(MODELS[name], X, y, PLANS[plan], least=0.0 if hard else 1.0, every=every)


@pytest.mark.parametrize(
    "model",
    [Ridge(), Ridge(100.0), Ridge(0), LinearRegression(), KNeighborsRegressor(7)],
    ids=repr,
)
@pytest.mark.parametrize("plan", PLANS)
def test_numbers(model, plan):
    X, y = load_diabetes(return_X_y=True)
    agree(model, X, y, PLANS[plan], every=20 if plan == "left_out" else 1)
    agree(model, 10 + X * np.logspace(-1, 1, X.shape[1]), y, folds)


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(p=1),
        KNeighborsClassifier(metric="manhattan", algorithm="brute"),
        KNeighborsClassifier(metric="chebyshev"),
        KNeighborsClassifier(p=3, algorithm="ball_tree"),
        KNeighborsClassifier(1, algorithm="kd_tree"),
        KNeighborsClassifier(40, algorithm="brute"),
    ],
    ids=repr,
)
def test_distances_and_searches(model):
    X, y = SIMULATED
    agree(model, X[:, :12], y, folds)
    agree(model, X[:150], y[:150], left_out, every=15)


@pytest.mark.parametrize("model", [GaussianNB(), LinearDiscriminantAnalysis()], ids=repr)
def test_inputs_of_very_different_size(model):
    X, y = SIMULATED
    X = X * np.logspace(-3, 3, X.shape[1])
    agree(model, X, y, folds)
    agree(model, X, y, left_out, every=30)


@pytest.mark.parametrize("shift", [1e3, 1e7])
@pytest.mark.parametrize("name", MODELS)
def test_inputs_far_from_zero(name, shift):
    X, y = SIMULATED
    agree(MODELS[name], X + shift, y, folds, least=1.0 if shift < 1e4 else 0.0)


@pytest.mark.parametrize(
    "model", [GaussianNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis]
)
def test_priors(model):
    X, y = SIMULATED
    picky = model(priors=[0.05, 0.2, 0.2, 0.25, 0.3])
    for plan in (folds, left_out, holdouts):
        agree(picky, X, y, plan, every=30 if plan is left_out else 1)
    names = np.array(["b", "d", "e", "c", "a"])
    agree(picky, X, names[y], folds, order=names.tolist())


# --- tiny classes, constant and repeated inputs, odd labels: agree or leave it to refitting ------

AWKWARD = [
    *MODELS.values(),
    GaussianNB(var_smoothing=0.0),
    QuadraticDiscriminantAnalysis(tol=0.0),
    KNeighborsClassifier(2, algorithm="brute"),
]


def blobs(counts, d=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(counts)), counts)
    return rng.normal(size=(y.size, d)) + 2.0 * rng.normal(size=(len(counts), d))[y], y


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
@pytest.mark.parametrize("plan", PLANS)
def test_tiny_classes(model, plan):
    X, y = blobs([60, 25, 6, 2, 1])
    agree(model, X, y, PLANS[plan], least=0.0)


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
@pytest.mark.parametrize("value", [0.0, 7.0, 0.1, 1e9 / 3])
def test_constant_inputs(model, value):
    X, y = blobs([30, 30, 25], d=4)
    X[:, 1] = value
    for plan in (folds, left_out):
        agree(model, X, y, plan, least=0.0, every=5 if plan is left_out else 1)


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
def test_an_input_that_varies_in_one_row_only(model):
    X, y = blobs([30, 30], d=3)
    X[:, 2] = 0.0
    X[5, 2] = 4.0
    for plan in (folds, left_out):
        agree(model, X, y, plan, least=0.0)


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
def test_an_outlier_that_leaves(model):
    X, y = blobs([30, 30], d=3)
    X[5] = 1e7
    for plan in (folds, left_out):
        agree(model, X, y, plan, least=0.0)


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
def test_the_same_input_twice(model):
    X, y = blobs([30, 30, 30], d=3)
    X = np.column_stack([X, X[:, 0], X[:, 1] - 2 * X[:, 2]])
    for plan in (folds, left_out):
        agree(model, X, y, plan, least=0.0, every=9 if plan is left_out else 1)


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
def test_repeated_rows(model):
    X, y = blobs([30, 30], d=3)
    X, y = np.vstack([X, X, X[:10]]), np.concatenate([y, y, 1 - y[:10]])
    for plan in (folds, left_out):
        agree(model, X, y, plan, least=0.0, every=3 if plan is left_out else 1)


def test_class_means_that_nearly_agree():
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(3), 40)
    noise = rng.normal(size=(120, 4))
    for c in range(3):
        noise[y == c] -= noise[y == c].mean(axis=0)
    for gap in (1e-3, 3e-2, 1.0):
        X = noise + np.array([[100.0, 0, 0, 0], [-100.0, 0, 0, 0], [0, gap, 0, 0]])[y]
        agree(LinearDiscriminantAnalysis(), X, y, folds, least=0.0)
        agree(LinearDiscriminantAnalysis(), X, y, left_out, least=0.0)


@pytest.mark.parametrize("model", AWKWARD, ids=repr)
@pytest.mark.parametrize("classes", [("b", "c", "a"), (3, -1, 2), (2.0, 0.0, 1.0)], ids=repr)
def test_classes_in_another_order(model, classes):
    X, y = blobs([30, 25, 28])
    least = 0.0 if getattr(model, "var_smoothing", 1) == 0 else 0.5
    for plan in (folds, left_out):
        agree(model, X, np.array(classes)[y], plan, order=classes, least=least, every=7)


def test_ties_at_the_border_that_would_vote_differently_are_refitted():
    X = np.array([[0.0], [1.0], [-1.0], [5.0], [6.0], [7.0]] * 2)
    y = np.array([0, 1, 0, 1, 1, 1] * 2)
    data = dataset(X, y)
    alone = Piece.leaving(12, [0, 6])  # its nearest are 1 and -1, which differ
    same = Piece.leaving(12, [4, 10])  # its nearest are 5 and 7, which do not
    cells = quick_cells(KNeighborsClassifier(2), data, [3, 8], [alone, same])
    assert list(cells) == [8]


# --- what is left to refitting -------------------------------------------------------------------


class MyBayes(GaussianNB):
    pass


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        BernoulliNB(),
        MyBayes(),
        make_pipeline(StandardScaler(), GaussianNB()),
        LinearDiscriminantAnalysis(solver="lsqr"),
        LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto"),
        LinearDiscriminantAnalysis(n_components=1),
        KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()),
        KNeighborsClassifier(weights=lambda d: 1 / (1 + d)),
        KNeighborsClassifier(weights="distance"),
        KNeighborsClassifier(metric="cosine"),
        KNeighborsClassifier(metric_params={"w": [1, 2, 3]}),
        KNeighborsRegressor(),
        Ridge(),
        "GaussianNB",
    ],
    ids=lambda model: repr(model).split(" at 0x")[0],
)
def test_models_without_a_shortcut(model):
    assert not has_shortcut(model, dataset(*blobs([20, 20])))


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(priors=[0.5, 0.5]),
        GaussianNB(priors=[0.5, 0.5, 0.5]),
        LinearDiscriminantAnalysis(priors=[1, 2, 3]),
        LinearDiscriminantAnalysis(tol=-1.0),
        QuadraticDiscriminantAnalysis(reg_param=2.0),
        KNeighborsClassifier(p=-1),
        KNeighborsClassifier(0),
        KNeighborsClassifier(100),
        Ridge([1.0, 2.0]),
        Ridge(-1.0),
    ],
    ids=repr,
)
def test_parameters_that_scikit_learn_refuses_or_warns_of(model):
    X, y = blobs([30, 30, 30])
    data = dataset(X, y, numeric=isinstance(model, Ridge))
    assert not quick_cells(model, data, range(10), list(folds(90)))


def test_splits_with_copies_few_rows_or_their_own_data_are_refitted():
    X, y = blobs([30, 30])
    first, second, *_ = folds(60)
    few = Piece.using(60, np.arange(0, 60, 3), np.arange(1, 60, 3))
    others = [first.but(y_true=y[first.train]), first.but(fresh=dict), *bootstraps(60), few]
    pieces = [first, *others, second]
    cells = quick_cells(GaussianNB(), dataset(X, y), range(len(pieces)), pieces)
    assert list(cells) == [0, len(pieces) - 1]


def test_rows_left_out_twice_or_kept_from_others():
    X, y = blobs([30, 30])
    twice = Piece.leaving(60, [3, 3, 40])
    other = Piece.leaving(60, [3], test=[40, 41])
    shuffled = Piece.using(60, np.random.default_rng(0).permutation(60)[:50], np.arange(60))
    for model in MODELS.values():
        agree(model, X, y, [twice, other, shuffled], least=0.0)


def test_only_plain_numbers_and_whole_labels():
    X, y = blobs([30, 30])
    gaps = X.copy()
    gaps[0, 0] = math.nan
    assert not has_shortcut(GaussianNB(), dataset(gaps, y))
    assert not has_shortcut(GaussianNB(), dataset(X.astype(object), y.astype(float), numeric=True))
    halves = dataset(X, y + 0.5)
    assert not quick_cells(GaussianNB(), halves, range(10), list(folds(60)))


def test_a_split_is_answered_alike_whatever_stands_beside_it():
    X, y = blobs([30, 25, 28])
    pieces = [*folds(83), *list(left_out(83))[:5], *holdouts(83)]
    data = dataset(X, y)
    for model in MODELS.values():
        together = quick_cells(model, data, range(len(pieces)), pieces)
        for at, piece in enumerate(pieces):
            alone = quick_cells(model, data, [at], [piece])
            assert list(alone) == [at] * (at in together)
            if alone:
                here, beside = alone[at].outputs[0].scores, together[at].outputs[0].scores
                np.testing.assert_array_equal(here, beside)


def test_a_run_reports_seconds_and_size_of_a_real_fit():
    iris = hl.read("sklearn:iris")
    models = {"lda": LinearDiscriminantAnalysis(), "qda": QuadraticDiscriminantAnalysis()}
    quick, slow = (
        hl.run(models, iris, 5, seed=2, shortcuts=way, progress=False) for way in (True, False)
    )
    np.testing.assert_array_equal(quick.y_pred, slow.y_pred)
    np.testing.assert_allclose(quick.scores, slow.scores, atol=1e-9)
    for cell, other in zip(quick.cells, slow.cells, strict=True):
        assert cell["fit_seconds"] > 0
        assert cell["predict_seconds"] > 0
        assert cell["size"] == pytest.approx(other["size"], rel=0.1)


# --- small tables: ties, repeats and constant inputs are common ----------------------------------


@st.composite
def tables(draw: Any) -> tuple[Any, Any]:
    n, d, k = draw(st.integers(12, 30)), draw(st.integers(1, 3)), draw(st.integers(2, 3))
    step = draw(st.sampled_from([1.0, 0.1, 1e-3]))
    numbers = st.integers(-4, 4) if draw(st.booleans()) else st.floats(-5, 5, width=32)
    X = np.array(draw(st.lists(numbers, min_size=n * d, max_size=n * d)), float).reshape(n, d)
    y = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    y[:2] = 0, 1
    return X * step, y


@settings(deadline=None, derandomize=True, max_examples=100)
@given(tables(), st.sampled_from(AWKWARD))
def test_small_tables(table, model):
    X, y = table
    agree(model, X, y, [*folds(len(y), 3, 1), *list(left_out(len(y)))[:6]], least=0.0)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(tables(), st.sampled_from([KNeighborsRegressor(2), Ridge(0.5), LinearRegression()]))
def test_small_tables_of_numbers(table, model):
    X, y = table
    y = y + 0.5 * X[:, 0]
    agree(model, X, y, [*folds(len(y), 3, 1), *list(left_out(len(y)))[:6]], least=0.0)
