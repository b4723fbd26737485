"""Would a vote do better? Combination (rows 48 to 64)."""

from typing import Any, ClassVar

import numpy as np
from scipy.linalg import hadamard
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, VotingClassifier, VotingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.documents.features.registry import Compared, Near, compared, feature
from tests.naive.boosting import adaboost, adaboost_r2
from tests.naive.prism import decide, prism
from tests.naive.trees import Naive, differs

import heliast as hl
from heliast import Predictions, codes, decoders, ensembles
from heliast.learners.tree._settings import rules_of

FULL = {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0}
"""A tree without the limits of S-Plus: grown as scikit-learn's is."""


def wine() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_wine(return_X_y=True)
    return X[:, [0, 6, 9]], y


# --- votes -----------------------------------------------------------------------------------


@feature(
    48,
    "majority vote with weights, and its probability version (MaVL and semi-MaVL)",
    where="thesis 1.4, equations 1.1 to 1.3",
    call='MajorityVote(models, weights, kind="hard" or "soft"), ensembles.majority(preds)',
    oracle="scikit-learn's VotingClassifier; the three rules of 1.4 each err in a third, no vote",
)
def majority_vote() -> Compared:
    X, y = wine()
    models = {"bayes": GaussianNB(), "near": KNeighborsClassifier(5), "lda": LDA}
    weights, ours, theirs = [0.5, 0.2, 0.3], [], []
    for kind in ("hard", "soft"):
        vote = hl.MajorityVote(models, weights, kind=kind).fit(X[::2], y[::2])
        peer = VotingClassifier(list(models.items()), voting=kind, weights=weights)
        ours.append((vote.predict(X[1::2]) != y[1::2]).mean())
        theirs.append((peer.fit(X[::2], y[::2]).predict(X[1::2]) != y[1::2]).mean())
    shares = vote.predict_proba(X[1::2])
    rules = {"h1": "aab", "h2": "aba", "h3": "baa"}  # the truth is a in all three regions
    tables = [Predictions.of(["a"] * 3, list(said), classes=["a", "b"], model=h, row=[0, 1, 2])
              for h, said in rules.items()]  # fmt: skip
    table = ensembles.majority(tables[0].join(tables[1]).join(tables[2]))
    errors = [hl.measures.get("error").of(table.only(name)) for name in (*rules, "vote")]
    return compared(
        [ours, errors, shares], [theirs, 1 / 3, 1 / 3, 1 / 3, 0, peer.predict_proba(X[1::2])]
    )


LDA = LinearDiscriminantAnalysis()


@feature(
    49,
    "weighted average of predictors of numbers",
    where="slides-r, 'Application multiple models'",
    call="MajorityVote(regressors, weights), ensembles.majority(preds, weights=weights)",
    oracle="scikit-learn's VotingRegressor; numpy's average; the weighted median by sorting",
)
def weighted_average() -> Compared:
    rng = np.random.default_rng(1)
    X, weights = rng.random((60, 2)), [0.5, 0.2, 0.3]
    y = np.sin(6 * X[:, 0]) + X[:, 1]
    models = {"line": LinearRegression(), "near": KNeighborsRegressor(3),
              "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}  # fmt: skip
    mean, median = (
        hl.MajorityVote(models, weights, kind=kind).fit(X[::2], y[::2]).predict(X[1::2])
        for kind in ("mean", "median")
    )
    peer = VotingRegressor(list(models.items()), weights=weights).fit(X[::2], y[::2])
    said = peer.transform(X[1::2])
    one, two, three = (
        Predictions.of(y[1::2], numbers, task="regression", model=f"M{at}", row=range(30))
        for at, numbers in enumerate(said.T)
    )
    table = ensembles.majority(one.join(two).join(three), weights=weights)
    return compared(
        [mean, median, table.only("vote").y_pred],
        [
            peer.predict(X[1::2]),
            [middle(row, np.array(weights)) for row in said],
            np.average(said, axis=1, weights=weights),
        ],
    )


@feature(
    50,
    "bagging",
    where="chapter, section 22.3.1; notes 4.1; thesis 2.5.1; slides-r, 'Bagging'",
    call="BaggedVote(estimator, n_estimators).votes(X), .drawn(b)",
    oracle="naive Bayes of scikit-learn on each bootstrap sample; votes counted in numpy",
)
def bagging() -> Compared:
    X, y = wine()
    bag = hl.BaggedVote(GaussianNB(), 15, random_state=1).fit(X, y)
    counts = np.zeros((len(y), 3))
    sizes, left_out = [], []
    for member in range(15):
        rows = np.repeat(np.arange(len(y)), bag.drawn(member))
        sizes.append(len(rows))
        left_out.append(1 - len(set(rows)) / len(y))
        said = GaussianNB().fit(X[rows], y[rows]).predict(X)
        counts[np.arange(len(y)), said] += 1
    ours = [(bag.predict(X) != y).mean(), np.mean(left_out), sizes, bag.votes(X)]
    error = (counts.argmax(axis=1) != y).mean()
    return compared(ours, [error, Near(0.368, 0.03), [len(y)] * 15, counts / 15])


# --- boosting --------------------------------------------------------------------------------


class Recorder(ClassifierMixin, BaseEstimator):
    """A line that keeps, in the order of the fits, which rows it was given: the last column."""

    fits: ClassVar[list[np.ndarray]] = []

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Recorder":
        self.fits.append(np.bincount(X[:, -1].astype(int), minlength=ROWS))
        self.model_ = LogisticRegression().fit(X[:, :-1], y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model_.predict(X[:, :-1])


ROWS = 90


def rings() -> tuple[np.ndarray, np.ndarray]:
    """A disc in a ring, which no line parts: some members are weak. The last column counts rows."""
    rng = np.random.default_rng(3)
    y = np.arange(ROWS) % 2
    radius, angle = np.sqrt(rng.random(ROWS)) + 0.8 * y, rng.uniform(0, 2 * np.pi, ROWS)
    X = np.column_stack([(radius * np.cos(angle)) ** 2, radius * np.sin(angle), np.arange(ROWS)])
    return X, y


def replayed(rounds: int, error: str, on_weak: str) -> tuple[list[Any], list[Any], int]:
    """Errors and vote weights of boosting by resampling, ours and a slow twin's on the same draws.

    Also how many fits were weak.
    """
    X, y = rings()
    Recorder.fits.clear()
    vote = hl.BoostedVote(Recorder(), rounds, draw="resample", multiclass="m1", error=error,
                          on_weak=on_weak, redraws=5, random_state=2).fit(X, y)  # fmt: skip
    drawn = [*Recorder.fits]
    fits = len(drawn)

    def fit(counts: list[int]) -> np.ndarray:
        rows = np.repeat(np.arange(ROWS), counts)
        return LogisticRegression().fit(X[rows, :-1], y[rows]).predict(X[:, :-1])

    twin = adaboost(fit, y, rounds, "resample", error, on_weak, lambda *_: drawn.pop(0), 2, 5)
    votes = np.zeros((ROWS, 2))
    for label, _, weight in twin:
        votes[np.arange(ROWS), label] += weight
    ours = [vote.estimator_errors_, vote.estimator_weights_, (vote.predict(X) != y).mean(), fits]
    theirs = [[e for _, e, _ in twin], [a for *_, a in twin], (votes.argmax(axis=1) != y).mean()]
    return ours, [*theirs, fits - len(drawn)], fits - len(twin)


@feature(
    51,
    "boosting by resampling or reweighting, error by weight or on the resample",
    where="chapter, algorithm 22.5; notes 4.2; thesis 2.5.2; slides-r, 'Boosting algorithm'",
    call='BoostedVote(estimator, n_estimators, draw="weights", error="resample")',
    oracle="scikit-learn's AdaBoostClassifier; a slow twin on the rows drawn, half of them hard",
)
def boosting() -> Compared:
    X, y = rings()
    stump = DecisionTreeClassifier(max_depth=1)
    vote = hl.BoostedVote(stump, 15, draw="weights", random_state=0).fit(X[:, :2], y)
    peer = AdaBoostClassifier(stump, n_estimators=15, random_state=0).fit(X[:, :2], y)
    ours: list[Any] = [
        vote.estimator_errors_,
        vote.estimator_weights_,
        (vote.predict(X[:, :2]) != y).mean(),
    ]
    theirs: list[Any] = [peer.estimator_errors_, peer.estimator_weights_]
    theirs.append((peer.predict(X[:, :2]) != y).mean())
    for error in ("weighted", "resample"):
        mine, twins, _ = replayed(8, error, "skip")
        ours, theirs = ours + mine, theirs + twins
    hard = []
    for seed in range(60):
        Recorder.fits.clear()
        boosted = hl.BoostedVote(Recorder(), 2, on_weak="skip", random_state=seed).fit(X, y)
        if boosted.estimator_errors_.size == 2:
            hard.append(Recorder.fits[1][boosted.estimators_[0].predict(X) != y].sum() / ROWS)
    return compared([ours, np.mean(hard)], [theirs, Near(0.5, 0.03)])


@feature(
    52,
    "a weak member (error of 0.5 or more): redraw, reset, skip, or invert",
    where="chapter, section 22.3.1 and algorithm 22.5; notes 4.2; slides-r, 'Boosting algorithm'",
    call='BoostedVote(estimator, on_weak="redraw", "reset", "skip", "invert")',
    oracle="a slow twin on the rows drawn; log((1 - e)/e) below 0 for a member that is inverted",
)
def weak_members() -> Compared:
    ours: list[Any] = []
    theirs: list[Any] = []
    for on_weak in ("redraw", "reset", "skip"):
        mine, twins, weak = replayed(12, "weighted", on_weak)
        ours, theirs = [*ours, *mine, "tried" if weak else "not tried"], [*theirs, *twins, "tried"]
    always = Opposite()
    X, y = rings()
    vote = hl.BoostedVote(always, 1, on_weak="invert", random_state=0).fit(X[:, :2], y)
    e = float((always.fit(X, y).predict(X[:, :2]) != y).mean())
    ours += [vote.estimator_weights_, (vote.predict(X[:, :2]) != y).mean()]
    return compared(ours, [theirs, np.log((1 - e) / e), 1 - e])


class Opposite(ClassifierMixin, BaseEstimator):
    """Mostly wrong: it calls what lies far out the disc."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Opposite":
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return (X[:, 0] + X[:, 1] ** 2 < 1.5).astype(int)


@feature(
    53,
    "the vote weight log((1 - e)/e), and the end at error 0",
    where="chapter, example 22.14 and algorithm 22.5; notes 4.2",
    call="ensembles.vote_weight(e), BoostedVote.stopped_",
    oracle="printed: 0.944, 0.826, 1.559, 0.935; one perfect member ends the rounds and is kept",
)
def vote_weights() -> Compared:
    X, y = wine()
    found = [ensembles.vote_weight(e) for e in (0.280, 0.305, 0.174, 0.282)]
    perfect = hl.BoostedVote(DecisionTreeClassifier(), 10, draw="weights").fit(X, y)
    ours = [found, len(perfect.estimators_), perfect.estimator_errors_, perfect.n_iter_]
    return compared(ours, [0.944, 0.826, 1.559, 0.935, 1, 0, 1], 0.003)


class NumberRecorder(RegressorMixin, BaseEstimator):
    """A shallow tree that keeps which rows it was given: the last column."""

    fits: ClassVar[list[np.ndarray]] = []

    def fit(self, X: np.ndarray, y: np.ndarray) -> "NumberRecorder":
        self.fits.append(np.bincount(X[:, -1].astype(int), minlength=ROWS))
        self.model_ = DecisionTreeRegressor(max_depth=2, random_state=0).fit(X[:, :-1], y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model_.predict(X[:, :-1])


@feature(
    54,
    "bagging and boosting for numbers",
    where="notes 4 and 4.1; slides-r, 'Bagging: representation', 'Application multiple models'",
    call="BaggedMean(estimator, n_estimators), BoostedMedian(estimator, n_estimators, "
    'combine="median" or "mean")',
    oracle="means over each bootstrap sample; a slow AdaBoost.R2 on the rows drawn",
)
def numbers() -> Compared:
    rng = np.random.default_rng(9)
    X = np.column_stack([rng.random((ROWS, 2)), np.arange(ROWS)])
    y = np.sin(6 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.normal(size=ROWS)
    shallow = DecisionTreeRegressor(max_depth=2, random_state=0)
    bag = hl.BaggedMean(shallow, 10, random_state=1).fit(X[:, :2], y)
    mean = np.zeros(ROWS)
    for member in range(10):
        rows = np.repeat(np.arange(ROWS), bag.drawn(member))
        mean += shallow.fit(X[rows, :2], y[rows]).predict(X[:, :2]) / 10
    NumberRecorder.fits.clear()
    boosted = hl.BoostedMedian(NumberRecorder(), 8, random_state=1).fit(X, y)
    drawn = iter([*NumberRecorder.fits])

    def fit(counts: np.ndarray) -> np.ndarray:
        rows = np.repeat(np.arange(ROWS), counts)
        return shallow.fit(X[rows, :2], y[rows]).predict(X[:, :2])

    twin = adaboost_r2(fit, y, 8, "linear", lambda *_: next(drawn))
    weights = np.array([weight for *_, weight in twin])
    said = np.array([numbers for numbers, *_ in twin]).T
    by_mean = hl.BoostedMedian(NumberRecorder(), 8, combine="mean", random_state=1).fit(X, y)
    ours = [
        boosted.estimator_errors_,
        boosted.predict(X),
        by_mean.predict(X),
        bag.predict(X[:, :2]),
    ]
    medians = [middle(row, weights) for row in said]
    return compared(ours, [[e for _, e, _ in twin], medians, said @ weights / weights.sum(), mean])


def middle(values: np.ndarray, weights: np.ndarray) -> float:
    """The smallest value up to which at least half of the weight lies."""
    order = np.argsort(values)
    share = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][share >= 0.5 - 1e-12][0])


# --- codes -----------------------------------------------------------------------------------


def row_distances(code: np.ndarray) -> np.ndarray:
    return (code[:, None] != code).sum(axis=2)[np.triu_indices(len(code), 1)]


@feature(
    55,
    "coding matrices: identity, exhaustive, Hadamard, random",
    where="thesis 2.1.3, 2.2.1 and 2.2.2",
    call="codes.identity(k), exhaustive(k), hadamard(k), random(k, B)",
    oracle="numpy's eye; every split of k classes once; distances of scipy's hadamard; half ones",
)
def coding_matrices() -> Compared:
    def questions(code: np.ndarray) -> set[tuple[int, ...]]:
        return {tuple((column ^ column[0]).tolist()) for column in code.T}

    every = {(0, *(n >> at & 1 for at in range(4))) for n in range(1, 16)}
    asked = codes.exhaustive(5)
    apart = set(row_distances(codes.hadamard(26)).tolist())
    theirs = set(row_distances((hadamard(32)[:26, 1:] < 0).astype(int)).tolist())
    drawn = codes.random(8, 60, seed=1)
    fair = codes.random(8, 5000, seed=1, iid=True).mean()
    ours = [
        codes.identity(4),
        asked.shape[1],
        "every" if questions(asked) == every else "other",
        sorted(apart),
        len(questions(drawn)),
        fair,
    ]
    return compared(ours, [np.eye(4), 15, "every", sorted(theirs), 60, Near(0.5, 0.01)])


@feature(
    56,
    "codes designed for row and column separation, and codes trained from data",
    where="thesis 2.1.2 and 2.2.3",
    call="codes.designed(k, B), codes.trained(confusion, B)",
    oracle="Plotkin's bound floor(Bk / 2(k - 1)), k = 8, reached; better than 2,000 random codes; "
    "easier questions: confused classes on one side more often than others",
)
def searched_codes() -> Compared:
    rng = np.random.default_rng(2)
    least = [int(row_distances(codes.designed(8, columns)).min()) for columns in (7, 15)]
    best = max(int(row_distances(rng.integers(0, 2, (8, 15))).min()) for _ in range(2000))
    confusion = 20 * np.eye(10, dtype=int)
    confusion[0, 1] = confusion[1, 0] = 15
    distances = row_distances(codes.trained(confusion, 20))
    near = "nearer" if distances[0] < distances[1:].mean() else "not nearer"
    beaten = "better" if least[1] > best else "not better"
    return compared([least, beaten, near], [7 * 8 // 14, 15 * 8 // 14, "better", "nearer"])


CODE = np.array([[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]])
ANSWERS = np.array([0.3, 0.2, 0.8, 0.9, 0.1])
"""Thesis 2.1.1."""


@feature(
    57,
    "decoders: L1 and regression (least squares)",
    where="thesis 2.1.1, 2.1.3 and 2.3.1",
    call="decoders.distances(p, code), decoders.regression(p, code), CodedVote(estimator, code)",
    oracle="printed: 3.3, 0.9, 2.7, 1.9; 0.4, 0.1, 0.3, 0.2; largest of k naive Bayes answers",
)
def distances_and_squares() -> Compared:
    code = [[0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0]]
    X, y = wine()
    vote = hl.CodedVote(GaussianNB(), "identity").fit(X[::2], y[::2])
    rest = [GaussianNB().fit(X[::2], y[::2] == c).predict_proba(X[1::2])[:, 1] for c in range(3)]
    ours = [
        decoders.distances(ANSWERS, CODE),
        decoders.regression([0.5, 0.7, 0.4, 0.1, 0.4], code),
        vote.predict(X[1::2]),
    ]
    printed = [3.3, 0.9, 2.7, 1.9, 0.4, 0.1, 0.3, 0.2]
    return compared(ours, [printed, np.argmax(rest, axis=0)])


@feature(
    58,
    "ridged regression, with a procedure for choosing lambda",
    where="thesis 2.3.1, equation 2.10",
    call="decoders.ridge_binary(p, code, lam), decoders.ridge(p, code, lam), decoders.choose_lam",
    oracle="(lam I + ZZ')^-1 Zp by numpy's solve, in 0/1 and in signs; every lam tried",
)
def ridged() -> Compared:
    rng = np.random.default_rng(4)
    code, truth = rng.integers(0, 2, (6, 9)), rng.integers(0, 6, 400)
    p = np.clip(code[truth] + rng.normal(0, 0.7, (400, 9)), 0, 1)

    def by_hand(z: np.ndarray, f: np.ndarray, lam: float) -> np.ndarray:
        return np.linalg.solve(z @ z.T + lam * np.eye(6), z @ f.T).T

    signs, f = 2 * code - 1, 2 * p - 1
    found = decoders.choose_lam(p, truth, code)
    errors = [
        ((by_hand(signs, f, lam) if np.isfinite(lam) else f @ signs.T).argmax(axis=1) != truth)
        .mean()
        for lam in found.grid
    ]  # fmt: skip
    best = max(lam for lam, e in zip(found.grid, errors, strict=True) if e == min(errors))
    ours = [
        found.lam,
        found.values[found.grid.index(found.lam)],
        decoders.ridge_binary(p[0], code, 2.0),
        decoders.ridge(p[0], code, 2.0),
    ]
    return compared(ours, [best, min(errors), by_hand(code, p[0], 2.0), by_hand(signs, f[0], 2.0)])


@feature(
    59,
    "centroid (mean or median) and substitution decoding",
    where="thesis 2.3.2 and 2.4.1",
    call='CodedVote(...).decode(X, decoder="centroid"), decoder="substitution"',
    oracle="scikit-learn's NearestCentroid on the answers; class shares in its trees' leaves",
)
def centroid_and_substitution() -> Compared:
    rng = np.random.default_rng(5)
    y = np.arange(200) % 4
    X = rng.normal(size=(200, 3)) + 1.5 * np.eye(4)[y][:, :3]
    code = codes.exhaustive(4)
    tree = hl.Tree("gini", max_depth=2, **FULL)
    vote = hl.CodedVote(tree, code, random_state=0).fit(X, y)
    shares, answers = np.zeros((200, 4)), np.zeros((200, 7))
    for column in range(7):
        alone = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, code[y, column])
        leaf, answers[:, column] = alone.apply(X), alone.predict_proba(X)[:, 1]
        counts = np.array([np.bincount(y[leaf == at], minlength=4) for at in leaf])
        shares += counts / counts.sum(axis=1, keepdims=True) / 7
    median = np.array([np.median(answers[y == c], axis=0) for c in range(4)])
    middles = decoders.centroids_of(answers, y, 4, "median")
    ours = [
        (vote.decode(X, decoder="centroid") != y).mean(),
        (vote.decode(X, decoder="substitution") != y).mean(),
        vote.answers(X),
        middles,
        decoders.centroid(answers, middles).argmax(axis=1),
    ]
    theirs = [
        (NearestCentroid().fit(answers, y).predict(answers) != y).mean(),
        (shares.argmax(axis=1) != y).mean(),
        answers,
        median,
        ((answers[:, None] - median) ** 2).sum(axis=2).argmin(axis=1),
    ]
    return compared(ours, theirs, 1e-6)  # trees grown together keep single precision


@feature(
    60,
    "pairwise coupling",
    where="thesis 1.5 (Friedman 1996; Hastie and Tibshirani 1996)",
    call="PairwiseVote(estimator).predict_proba(X)",
    oracle="the divergence of Hastie and Tibshirani minimised by scipy, pairs by scikit-learn",
)
def coupled() -> Compared:
    X, y = load_iris(return_X_y=True)
    X, counts = X[:, :2], np.bincount(y)
    vote = hl.PairwiseVote(GaussianNB()).fit(X, y)
    rows = X[60:140:20]
    r = np.full((len(rows), 3, 3), 0.5)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        both = (y == i) | (y == j)
        r[:, i, j] = GaussianNB().fit(X[both], y[both]).predict_proba(rows)[:, 0]
        r[:, j, i] = 1 - r[:, i, j]

    def nearest(one: np.ndarray) -> np.ndarray:
        def divergence(logs: np.ndarray) -> float:
            p = np.exp([0.0, *logs])
            m = p[:, None] / (p[:, None] + p)
            weight = counts[:, None] + counts
            return -float((weight * one * np.log(m)).sum())

        p = np.exp([0.0, *minimize(divergence, np.zeros(2), tol=1e-12).x])
        return p / p.sum()

    return compared(vote.predict_proba(rows), [nearest(one) for one in r], 1e-4)


@feature(
    61,
    "the probability estimate D-bar = 1 - 2L/B",
    where="thesis 2.2.2, theorem 2",
    call="decoders.l1(p, code), CodedVote.scores(X, form='raw')",
    oracle="1 - 2L/B from the printed distances; over all 2^k columns it is the posterior",
)
def d_bar() -> Compared:
    every = np.array([[n >> at & 1 for n in range(16)] for at in range(4)])
    q = np.array([0.4, 0.1, 0.3, 0.2])
    X, y = wine()
    vote = hl.CodedVote(GaussianNB(), "exhaustive").fit(X, y)
    p = vote.answers(X[::20])
    raw = 1 - 2 * np.abs(p[:, None] - vote.code_).sum(axis=2) / 3
    ours = [
        decoders.l1(ANSWERS, CODE),
        decoders.l1(q @ every, every),
        vote.scores(X[::20], form="raw"),
    ]
    return compared(ours, [1 - 2 * np.array([3.3, 0.9, 2.7, 1.9]) / 5, q, raw])


# --- base learners ---------------------------------------------------------------------------


@feature(
    62,
    "trees by deviance with the S-Plus limits, and by Gini",
    where="thesis 1.3.1 and 2.6",
    call='Tree(limits="s-plus"), Tree("gini")',
    oracle="a slow tree that tries every split (5, 10 and 0.01 of the root); scikit-learn's tree",
)
def trees() -> Compared:
    X, y = wine()
    ours, slow = hl.Tree(limits="s-plus").fit(X, y), Naive(X, y, 3)
    gini = hl.Tree("gini", **FULL).fit(X[::2], y[::2])
    theirs = DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    where = differs(slow.root, ours.nodes_) or "same nodes"
    rules = rules_of(hl.Tree(limits="s-plus"))
    return compared(
        [
            where,
            rules.min_leaf,
            rules.min_split,
            rules.min_deviance,
            gini.n_leaves_,
            gini.predict(X),
        ],
        ["same nodes", 5, 10, 0.01, theirs.get_n_leaves(), theirs.predict(X)],
    )


@feature(
    63,
    "base learners: LDA, QDA, kNN, naive and full Bayes, PRISM, linear and quadratic SVM",
    where="chapter, section 22.3; thesis 1.3; slides-r, 'Size of holdout'",
    call="run({name: learner}, data, plan), FullBayes(), Prism()",
    oracle="each fitted by hand; normal densities by scipy; a slow PRISM",
)
def base_learners() -> Compared:
    X, y = wine()
    models = {
        "lda": LDA,
        "qda": QuadraticDiscriminantAnalysis(),
        "knn": KNeighborsClassifier(3),
        "naive": GaussianNB(),
        "linear": SVC(kernel="linear", random_state=0),
        "quadratic": SVC(kernel="poly", degree=2, random_state=0),
    }
    data, plan = hl.Dataset.of(X, y), hl.Holdout(stratify=True)
    (piece,) = plan.on(data, 2)
    train, test = piece.train, piece.test
    preds = hl.run(models, data, plan, 2, progress=False, jobs=1)
    ours = [hl.assess(preds, ["error"])[name, "error"].value for name in models]
    theirs = [(one.fit(X[train], y[train]).predict(X[test]) != y[test]).mean()
              for one in models.values()]  # fmt: skip
    densities = [
        (y[train] == c).mean()
        * multivariate_normal.pdf(X[test], X[train][y[train] == c].mean(axis=0),
                                  np.cov(X[train][y[train] == c].T))
        for c in range(3)
    ]  # fmt: skip
    full = hl.FullBayes().fit(X[train], y[train]).predict(X[test])
    rng = np.random.default_rng(6)
    rows = rng.integers(0, 3, size=(120, 4))
    truth = (rows[:, 0] * rows[:, 1] + rows[:, 2] > 2) * 1
    rules = prism(rows[:80].tolist(), truth[:80].tolist())
    slow = [decide(rules, row, truth[:80].tolist()) for row in rows[80:].tolist()]
    learned = hl.Prism().fit(rows[:80], truth[:80])
    return compared(
        [ours, len(learned.rules_), learned.predict(rows[80:]), full],
        [theirs, len(rules), slow, np.argmax(densities, axis=0)],
    )


@feature(
    64,
    "C4.5 pruning by pessimistic error; limits of depth, leaves and impurity",
    where="slides-c, 'Statistical pruning of DT', 'Other pruning techniques'",
    call='Tree(pruning="pessimistic", errors="wilson"), max_depth, min_samples_leaf, '
    "max_leaf_nodes, min_impurity_decrease",
    oracle="the slides' formula, z = 0.674, on 200 tables of one split; scikit-learn's limits",
)
def pruning() -> Compared:
    rng = np.random.default_rng(7)
    kept, formula = [], []
    for left, right in rng.integers(1, 30, size=(200, 2, 2)):
        x = np.repeat([0.0, 1.0], [left.sum(), right.sum()])[:, None]
        truth = np.repeat([0, 1, 0, 1], [*left, *right])
        tree = hl.Tree("gini", pruning="pessimistic", errors="wilson", **FULL).fit(x, truth)
        kept.append(tree.n_leaves_ - 1)
        formula.append(pessimistic(left + right) > pessimistic(left) + pessimistic(right))
    X, y = wine()
    root = 1 - ((np.bincount(y) / len(y)) ** 2).sum()
    limits: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"max_depth": 2}, {"max_depth": 2}),
        ({"min_samples_leaf": 0.1}, {"min_samples_leaf": 0.1}),
        ({"min_samples_split": 40}, {"min_samples_split": 40}),
        ({"max_leaf_nodes": 4}, {"max_leaf_nodes": 4}),
        ({"min_impurity_decrease": 0.05}, {"min_impurity_decrease": 0.05 * root}),
    ]
    ours = [hl.Tree("gini", **{**FULL, **one}).fit(X, y) for one, _ in limits]
    theirs = [DecisionTreeClassifier(random_state=0, **two).fit(X, y) for _, two in limits]
    return compared(
        [[tree.n_leaves_ for tree in ours], kept, [tree.predict(X) for tree in ours]],
        [[tree.get_n_leaves() for tree in theirs], formula, [tree.predict(X) for tree in theirs]],
    )


def pessimistic(counts: np.ndarray) -> float:
    """Rows of a leaf times the upper end of its error rate, as the slides print it."""
    n, z = float(counts.sum()), 0.6744897501960817
    f = counts.min() / n
    half = z * np.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))
    return float(n * (f + z**2 / (2 * n) + half) / (1 + z**2 / n))
