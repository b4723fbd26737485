"""What shortcuts must agree with: scikit-learn refitted for every split."""

import warnings

import numpy as np
from sklearn.base import clone

from heliast.fitting.shortcuts import find
from heliast.plans import Piece


def folds(n, k=5, repeats=2, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(repeats):
        fold = rng.permutation(n) % k
        for f in range(k):
            yield Piece.leaving(n, np.flatnonzero(fold == f))


def left_out(n):
    for i in range(n):
        yield Piece.leaving(n, [i])


def bootstraps(n, times=6, seed=0):
    """Samples with repeats and the rows they miss; then all rows, tested on themselves."""
    rng = np.random.default_rng(seed)
    for _ in range(times):
        train = rng.integers(0, n, n)
        yield Piece.using(n, train, np.setdiff1d(np.arange(n), train))
    yield Piece.using(n, np.arange(n), np.arange(n))


def halves(n, times=4, seed=0):
    """A third of the rows, unordered, tested on some others."""
    rng = np.random.default_rng(seed)
    for _ in range(times):
        shuffled = rng.permutation(n)
        yield Piece.using(n, shuffled[: n // 3], shuffled[n // 3 : n // 3 + 40])


PLANS = {"folds": folds, "left_out": left_out, "bootstraps": bootstraps, "halves": halves}


def refit(model, X, y, piece, classes):
    """Labels and scores of the refitted model, absent classes filled with 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = clone(model).fit(X[piece.train], y[piece.train])
        label = fitted.predict(X[piece.test])
        if not hasattr(fitted, "predict_proba"):
            return label, None
        found = fitted.predict_proba(X[piece.test])
    score = np.zeros((piece.test.size, len(classes)))
    where = {name: at for at, name in enumerate(classes)}
    score[:, [where[name] for name in fitted.classes_.tolist()]] = found
    return label, score


def agree(model, X, y, plan, least=1.0, every=1, classes=None):
    """All answers equal the refitted model's; at least this share of splits is answered."""
    numeric = not hasattr(model, "predict_proba")
    if classes is None:
        classes = () if numeric else tuple(np.unique(y).tolist())
    codes = y if numeric else np.array([classes.index(one) for one in y.tolist()])
    shortcut = find(model, X, codes, classes)
    assert shortcut is not None
    pieces = list(plan(len(X)) if callable(plan) else plan)
    guesses = list(shortcut.predict_many(pieces))
    assert len(guesses) == len(pieces)
    for piece, guess in list(zip(pieces, guesses, strict=True))[::every]:
        if guess is None:
            continue
        label, score = refit(model, X, y, piece, classes)
        if numeric:
            np.testing.assert_allclose(guess.label, label, rtol=1e-9, atol=1e-12)
            assert guess.score is None
        else:
            assert np.array_equal(np.array(classes)[guess.label], label)
            np.testing.assert_allclose(guess.score, score, rtol=0, atol=1e-9)
    answered = sum(guess is not None for guess in guesses) / len(guesses)
    assert answered >= least, f"only {answered:.0%} answered"
    return guesses
