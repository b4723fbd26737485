"""Tiny classes, constant and repeated inputs, repeated rows, odd labels: agree or leave it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from tests.fitting.shortcuts.refitting import PLANS, agree, bootstraps, folds, left_out, refit

from heliast._core.errors import InputError
from heliast.fitting.shortcuts import find
from heliast.plans import Piece

MODELS = [
    GaussianNB(),
    GaussianNB(var_smoothing=0.0),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.5),
    KNeighborsClassifier(3),
    KNeighborsClassifier(2, weights="distance"),
    KNeighborsClassifier(2, p=1, algorithm="brute"),
]


def blobs(counts, d=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(counts)), counts)
    return rng.normal(size=(y.size, d)) + 2.0 * rng.normal(size=(len(counts), d))[y], y


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("plan", PLANS)
def test_tiny_classes(model, plan):
    X, y = blobs([60, 25, 6, 2, 1])
    agree(model, X, y, PLANS[plan], least=0.0)


@pytest.mark.parametrize("model", [GaussianNB(), LinearDiscriminantAnalysis()], ids=repr)
def test_a_class_that_only_the_test_rows_have(model):
    X, y = blobs([40, 30, 1])
    pieces = [Piece.using(71, np.arange(70), np.arange(60, 71))]
    (guess,) = agree(model, X, y, pieces, least=1.0)
    assert (guess.score[:, 2] == 0).all()


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("value", [0.0, 7.0, 0.1, 1e9 / 3])
def test_constant_inputs(model, value):
    X, y = blobs([30, 30, 25], d=4)
    X[:, 1] = value
    least = 1.0 if isinstance(model, GaussianNB) and model.var_smoothing and value < 10 else 0.0
    if isinstance(model, LinearDiscriminantAnalysis) and value in (0.0, 7.0):
        least = 1.0
    for plan in (folds, left_out, bootstraps):
        agree(model, X, y, plan, least=least, every=5 if plan is left_out else 1)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_an_input_that_varies_in_one_row_only(model):
    X, y = blobs([30, 30], d=3)
    X[:, 2] = 0.0
    X[5, 2] = 4.0
    for plan in (folds, left_out, bootstraps):
        agree(model, X, y, plan, least=0.0)


def test_an_outlier_that_leaves():
    X, y = blobs([30, 30], d=3)
    X[5] = 1e7
    for model in MODELS:
        agree(model, X, y, folds, least=0.0)
        agree(model, X, y, left_out, least=0.0, every=5)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_same_input_twice(model):
    X, y = blobs([30, 30, 30], d=3)
    X = np.column_stack([X, X[:, 0], X[:, 1] - 2 * X[:, 2]])
    least = 1.0 if isinstance(model, LinearDiscriminantAnalysis) else 0.0
    for plan in (folds, left_out):
        agree(model, X, y, plan, least=least, every=9 if plan is left_out else 1)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_repeated_rows(model):
    X, y = blobs([30, 30], d=3)
    X, y = np.vstack([X, X, X[:10]]), np.concatenate([y, y, 1 - y[:10]])
    for plan in (folds, left_out, bootstraps):
        agree(model, X, y, plan, least=0.0, every=3 if plan is left_out else 1)


def test_class_means_that_nearly_agree_are_left_to_refitting():
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(3), 40)
    noise = rng.normal(size=(120, 4))
    for c in range(3):
        noise[y == c] -= noise[y == c].mean(axis=0)
    X = noise + np.array([[100.0, 0, 0, 0], [-100.0, 0, 0, 0], [0, 1e-3, 0, 0]])[y]
    agree(LinearDiscriminantAnalysis(), X, y, folds, least=0.0)
    guesses = agree(LinearDiscriminantAnalysis(), X, y, left_out, least=0.0)
    whole = find(LinearDiscriminantAnalysis(), X, y, (0, 1, 2))
    assert whole.predict(np.arange(120), np.arange(120)) is None
    assert len(guesses) == 120


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("classes", [("b", "c", "a"), (3, -1, 2), (2.0, 0.0, 1.0)], ids=repr)
def test_classes_in_another_order(model, classes):
    X, y = blobs([30, 25, 28])
    for plan in (folds, left_out):
        agree(model, X, np.array(classes)[y], plan, classes=classes, least=0.5, every=7)


def test_priors_follow_sorted_labels():
    X, y = blobs([30, 25, 28])
    classes = ("b", "c", "a")
    for model in (GaussianNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis):
        picky = model(priors=[0.7, 0.2, 0.1])
        agree(picky, X, np.array(classes)[y], folds, classes=classes, least=1.0)


def test_what_refitting_refuses_is_left_to_it():
    X, y = blobs([30, 2])
    lonely = Piece.using(32, np.r_[0:30, 31], [30])
    for model in (QuadraticDiscriminantAnalysis(), KNeighborsClassifier(32)):
        shortcut = find(model, X, y, (0, 1))
        assert shortcut.predict(lonely.train, lonely.test) is None
        with pytest.raises(ValueError):
            refit(model, X, y, lonely, (0, 1))
    wrong = find(GaussianNB(priors=[0.5, 0.5]), X, y, (0, 1))
    assert wrong.predict(np.arange(30), np.array([30])) is None
    assert wrong.predict(np.array([], np.int64), np.array([30])) is None
    too_many = find(LinearDiscriminantAnalysis(n_components=1), X, y, (0, 1))
    assert too_many.predict(np.arange(30), np.array([30])) is None


def test_splits_with_their_own_truth_or_data_are_left_to_refitting():
    X, y = blobs([30, 30])
    shortcut = find(GaussianNB(), X, y, (0, 1))
    first, second = list(folds(60))[:2]
    noisy, fresh = first.but(truth=y[first.train]), first.but(fresh=dict)
    answers = [guess is None for guess in shortcut.predict_many([first, noisy, fresh, second])]
    assert answers == [False, True, True, False]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_many_splits_are_answered_as_one_by_one(model):
    X, y = blobs([30, 25, 28])
    pieces = [*folds(83), *list(left_out(83))[:5], *bootstraps(83)]
    shortcut = find(model, X, y, (0, 1, 2))
    for piece, guess in zip(pieces, shortcut.predict_many(pieces), strict=True):
        alone = find(model, X, y, (0, 1, 2)).predict(piece.train, piece.test)
        assert (alone is None) == (guess is None)
        if guess is not None:
            assert np.array_equal(alone.label, guess.label)
            np.testing.assert_allclose(alone.score, guess.score, rtol=0, atol=1e-12)


def test_rows_left_out_twice_or_kept_from_others():
    X, y = blobs([30, 30])
    twice = Piece.leaving(60, [3, 3, 40])
    other = Piece.leaving(60, [3], test=[40, 41])
    shuffled = Piece.using(60, np.random.default_rng(0).permutation(60)[:50], np.arange(60))
    for model in MODELS:
        agree(model, X, y, [twice, other, shuffled], least=0.0)


def test_positions_outside_the_data_are_refused():
    X, y = blobs([30, 30])
    shortcut = find(GaussianNB(), X, y, (0, 1))
    for bad in (Piece.using(60, np.arange(40), [60]), Piece.using(60, [0, 1, 99], [4])):
        with pytest.raises(InputError, match="outside"):
            list(shortcut.predict_many([bad]))


def test_leave_one_out_at_one_stroke():
    X, y = blobs([30, 25, 1])
    for model in MODELS:
        label, score, sure = find(model, X, y, (0, 1, 2)).leave_one_out()
        for piece in list(left_out(56))[::7]:
            row = piece.test[0]
            if sure[row]:
                named, expected = refit(model, X, y, piece, (0, 1, 2))
                assert label[row] == named[0]
                np.testing.assert_allclose(score[row], expected[0], rtol=0, atol=1e-9)


@st.composite
def tables(draw):
    """A few rows on a coarse grid: ties, repeats and constant inputs are common."""
    n, d, k = draw(st.integers(6, 24)), draw(st.integers(1, 3)), draw(st.integers(2, 3))
    step = draw(st.sampled_from([1.0, 0.1, 1e-3]))
    numbers = st.integers(-4, 4) if draw(st.booleans()) else st.floats(-5, 5, width=32)
    X = np.array(draw(st.lists(numbers, min_size=n * d, max_size=n * d)), float).reshape(n, d)
    y = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    train = np.array(draw(st.lists(st.integers(0, n - 1), min_size=n // 2, max_size=n)))
    return X * step, y, k, train


@given(tables(), st.sampled_from(MODELS))
def test_small_tables(table, model):
    X, y, k, train = table
    shortcut = find(model, X, y, tuple(range(k)))
    pieces = [
        Piece.using(len(y), train, np.arange(len(y))),
        *folds(len(y), 3, 1),
        *list(left_out(len(y)))[:6],
    ]
    for piece, guess in zip(pieces, shortcut.predict_many(pieces), strict=True):
        if guess is not None:
            label, score = refit(model, X, y, piece, tuple(range(k)))
            assert np.array_equal(guess.label, label)
            np.testing.assert_allclose(guess.score, score, rtol=0, atol=1e-9)


@given(tables())
def test_small_tables_of_numbers(table):
    X, y, _, train = table
    model = KNeighborsRegressor(2, weights="distance")
    shortcut = find(model, X, y.astype(float), ())
    pieces = [Piece.using(len(y), train, np.arange(len(y))), *list(left_out(len(y)))[:6]]
    for piece, guess in zip(pieces, shortcut.predict_many(pieces), strict=True):
        if guess is not None:
            label, _ = refit(model, X, y.astype(float), piece, ())
            np.testing.assert_allclose(guess.label, label, rtol=1e-9, atol=1e-12)
