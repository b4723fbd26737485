"""How sure are we? Estimation (rows 27 to 44)."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import hypergeom
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold as Unshuffled
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.documents.features.registry import Compared, Near, compared, feature
from tests.naive.prism import decide, prism

import heliast as hl
from heliast import Predictions, curves, estimates, plans

SEED = 7
FOLDS = np.array([8, 4, 7, 11, 5]) / 30
"""Example 22.7: printed 0.267, 0.133, 0.233, 0.367, 0.167, of 30 rows each."""


@cache
def flowers() -> hl.Dataset:
    """The Iris data of the chapter: sepal length and width."""
    X, y = load_iris(return_X_y=True)
    return hl.Dataset.of(X[:, :2], y, name="iris")


def ran(plan: plans.Plan, model: Any = None, in_sample: bool = False) -> Predictions:
    models = {"model": model or GaussianNB()}
    return hl.run(models, flowers(), plan, SEED, progress=False, jobs=1, in_sample=in_sample)


def error(preds: Predictions) -> float:
    return hl.assess(preds, ["error"])["model", "error"].value


def fitted(plan: plans.Plan, model: Any = None) -> Iterator[tuple[plans.Piece, np.ndarray]]:
    """Each split, and where the model, fitted to its training rows by hand, is wrong."""
    X, y = flowers().matrix, flowers().y
    for piece in plan.on(flowers(), SEED):
        if piece.record.role == "test":
            alone = clone(model or GaussianNB()).fit(X[piece.train], y[piece.train])
            yield piece, alone.predict(X) != y


# --- how rows are used -----------------------------------------------------------------------


@feature(
    27,
    "resubstitution: the error on the rows trained on",
    where="notes 1.1; slides-c, 'The training set'",
    call="estimates.resubstitution(preds)",
    oracle="scikit-learn's naive Bayes scored on its own 150 rows",
)
def resubstitution() -> Compared:
    X, y = flowers().matrix, flowers().y
    ours = estimates.resubstitution(ran(hl.Bootstrap(2))).value
    return compared(ours, (GaussianNB().fit(X, y).predict(X) != y).mean())


@feature(
    28,
    "holdout, two thirds to train on by default",
    where="notes 2.1; slides-r, 'Solution 1'; slides-c, 'Holdout'",
    call="run(models, data, Holdout())",
    oracle="100 of 150 rows train; the same split by hand with scikit-learn",
)
def holdout() -> Compared:
    preds = ran(hl.Holdout())
    ((piece, wrong),) = fitted(hl.Holdout())
    apart = len(set(piece.train) | set(piece.test))
    ours = [error(preds), preds.splits[0].n_train, preds.splits[0].n_test, apart]
    return compared(ours, [wrong[piece.test].mean(), 100, 50, 150])


@feature(
    29,
    "training, validation and test set: chosen on one, judged on another",
    where="slides-c, 'The training set', 'Train, Validation, Test - pros and cons'",
    call="assess(run(models, data, ThreeWay())).selected",
    oracle="neighbours of scikit-learn: the best k on the validation rows, its error on the test",
)
def three_sets() -> Compared:
    X, y = flowers().matrix, flowers().y
    models = {f"k={k}": KNeighborsClassifier(k) for k in (1, 9, 45)}
    preds = hl.run(models, flowers(), hl.ThreeWay(), SEED, progress=False, jobs=1)
    found = hl.assess(preds, ["error"]).selected
    pieces = {piece.record.role: piece for piece in hl.ThreeWay().on(flowers(), SEED)}

    def wrong(k: int, role: str) -> float:
        train, test = pieces[role].train, pieces[role].test
        alone = KNeighborsClassifier(k).fit(X[train], y[train])
        return float((alone.predict(X[test]) != y[test]).mean())

    best = min((1, 9, 45), key=lambda k: wrong(k, "validation"))
    sizes = [pieces[role].test.size for role in ("validation", "test")]
    return compared([found.model, found.value, sizes], [f"k={best}", wrong(best, "test"), 30, 30])


@feature(
    30,
    "random subsampling: the holdout, repeated and averaged",
    where="notes 2.1",
    call="run(models, data, Subsampling(8))",
    oracle="mean of the eight errors by hand with scikit-learn",
)
def subsampling() -> Compared:
    plan = hl.Subsampling(8)
    errors = [wrong[piece.test].mean() for piece, wrong in fitted(plan)]
    return compared([error(ran(plan)), len(errors)], [np.mean(errors), 8])


@feature(
    31,
    "k-fold cross-validation",
    where="chapter, algorithm 22.2; notes 2.2; slides-r, 'Solution 2'",
    call="run(models, data, KFold(10))",
    oracle="every row tested once; all errors over all rows, by hand with scikit-learn",
)
def k_fold() -> Compared:
    plan = hl.KFold(10)
    tested, errors = np.zeros(150, int), 0
    for piece, wrong in fitted(plan):
        tested[piece.test] += 1
        errors += wrong[piece.test].sum()
    return compared([error(ran(plan)), tested], [errors / 150, np.ones(150)])


@feature(
    32,
    "stratified k-fold, M times",
    where="notes 2.2; slides-r, 'Stratification'",
    call="run(models, data, KFold(5, repeats=3))",
    oracle="10 rows of each class in every test fold; mean error of the three repeats by hand",
)
def stratified() -> Compared:
    plan = hl.KFold(5, repeats=3)
    counts, errors = [], []
    for piece, wrong in fitted(plan):
        counts.append(np.bincount(flowers().y[piece.test], minlength=3))
        errors.append(wrong[piece.test].mean())
    return compared([error(ran(plan)), np.array(counts)], [np.mean(errors), np.full((15, 3), 10)])


@feature(
    33,
    "leave-one-out",
    where="notes 2.2; slides-c, 'Leave one out'",
    call="run(models, data, LeaveOneOut())",
    oracle="scikit-learn's cross_val_predict with LeaveOneOut",
)
def leave_one_out() -> Compared:
    X, y = flowers().matrix, flowers().y
    theirs = cross_val_predict(GaussianNB(), X, y, cv=LeaveOneOut())
    preds = ran(hl.LeaveOneOut())
    return compared([error(preds), len(preds.splits)], [(theirs != y).mean(), 150])


@feature(
    34,
    "a check that folds are representative, and a new draw if they are not",
    where="slides-r, 'Stratification'",
    call="plan.on(data, seed).representativeness()",
    oracle="folds in file order: a class alone in each; twice its hypergeometric chance, by scipy",
)
def representative() -> Compared:
    X, y = load_iris(return_X_y=True)
    first = hl.Dataset.of(X[:100, :2], y[:100])  # two classes, one after the other
    odd = plans.as_plan(Unshuffled(2)).on(first, SEED).representativeness()
    even = hl.KFold(2).on(first, SEED).representativeness()
    ours = [
        [one.shares for one in odd.records],
        [one.target_distance for one in odd.records],
        [np.log10(one.p_target) for one in odd.records],
        len(odd.unlike()),
        len(even.unlike()),
    ]
    chance = np.log10(2 * hypergeom.pmf(50, 100, 50, 50))
    return compared(ours, [1, 0, 0, 1, 0.5, 0.5, chance, chance, 2, 0], 1e-6)


# --- the bootstrap ---------------------------------------------------------------------------

RESAMPLES = hl.Bootstrap(20)
NEAREST = KNeighborsClassifier(1)
"""Learns its rows by heart: training and left-out error lie far apart."""


@feature(
    35,
    "bootstrap: train on the resample, test on the whole set",
    where="chapter, algorithm 22.3, example 22.8",
    call="assess(run(models, data, Bootstrap(20), in_sample=True), in_train=None)",
    oracle="mean error on all 150 rows by hand with scikit-learn",
)
def whole_set() -> Compared:
    preds = ran(RESAMPLES, in_sample=True)
    ours = hl.assess(preds, ["error"], in_train=None)["model", "error"].value
    return compared(ours, np.mean([wrong.mean() for _, wrong in fitted(RESAMPLES)]))


def left_out_error() -> float:
    """Of each row its mean over the resamples without it, then the mean of rows."""
    pairs = [(piece.in_train(150) == 0, wrong) for piece, wrong in fitted(RESAMPLES, NEAREST)]
    without, wrong = (np.array(part) for part in zip(*pairs, strict=True))
    tested = without.sum(axis=0)
    return float(((without & wrong).sum(axis=0) / np.maximum(tested, 1))[tested > 0].mean())


def whole_error() -> tuple[float, np.ndarray]:
    X, y = flowers().matrix, flowers().y
    label = clone(NEAREST).fit(X, y).predict(X)
    return float((label != y).mean()), label


@feature(
    36,
    "bootstrap: test on what was left out",
    where="notes 2.3; slides-r, 'Bootstrap: test-set size'; slides-c, 'Bootstrap'",
    call="estimates.left_out(preds)",
    oracle="by hand with scikit-learn; a share of 0.368 is left out, as printed",
)
def left_out() -> Compared:
    pieces = hl.Bootstrap(200).on(flowers(), SEED)
    out = np.mean([(piece.in_train(150) == 0).mean() for piece in pieces if len(piece.test) < 150])
    ours = [estimates.left_out(ran(RESAMPLES, NEAREST)).value, out]
    return compared(ours, [left_out_error(), Near(0.368, 0.005)])


@feature(
    37,
    "the .632 bootstrap",
    where="notes 2.3; slides-r, 'Bootstrap: practical'; slides-c, 'Bootstrap'",
    call="estimates.bootstrap_632(preds)",
    oracle="0.632 left-out error + 0.368 training error, both by hand with scikit-learn",
)
def point_632() -> Compared:
    ours = estimates.bootstrap_632(ran(RESAMPLES, NEAREST)).value
    return compared(ours, 0.632 * left_out_error() + 0.368 * whole_error()[0])


@feature(
    38,
    "the .632+ bootstrap",
    where="beyond notes 2.3, which stop at .632 (Efron and Tibshirani 1997)",
    call="estimates.bootstrap_632_plus(preds)",
    oracle="Efron and Tibshirani's formula in numpy",
)
def point_632_plus() -> Compared:
    train, label = whole_error()
    out, y = left_out_error(), flowers().y
    chance = float(sum((y == c).mean() * (label != c).mean() for c in range(3)))
    overfit = (min(out, chance) - train) / (chance - train) if min(out, chance) > train else 0.0
    weight = 0.632 / (1 - 0.368 * overfit)
    oracle = (1 - weight) * train + weight * min(out, chance)
    return compared(estimates.bootstrap_632_plus(ran(RESAMPLES, NEAREST)).value, oracle)


# --- intervals -------------------------------------------------------------------------------


@feature(
    39,
    "mean and variance over folds",
    where="chapter, equations 22.3 and 22.4, example 22.7",
    call="estimates.fold_mean(errors)",
    oracle="printed: 0.233 and, times 100, 0.833",
)
def over_folds() -> Compared:
    found = estimates.fold_mean(FOLDS)
    return compared([found.value, 100 * found.variance], [0.233, 0.833], 5e-4)


@feature(
    40,
    "z and t intervals over folds",
    where="chapter, section 22.2.3, examples 22.9 and 22.10",
    call="estimates.fold_z(errors, level), estimates.fold_t(errors, level)",
    oracle="printed: 0.153 to 0.313, 0.128 to 0.338; 0.12 to 0.346, 0.045 to 0.421",
)
def z_and_t() -> Compared:
    found = [
        method(FOLDS, level)
        for method in (estimates.fold_z, estimates.fold_t)
        for level in (0.95, 0.99)
    ]
    ours = [[one.low, one.high] for one in found]
    return compared(ours, [0.153, 0.313, 0.128, 0.338, 0.12, 0.346, 0.045, 0.421], 0.001)


def wilson_by_hand(f: float, n: float, z: float, sign: int) -> float:
    half = z * np.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))
    return float((f + z**2 / (2 * n) + sign * half) / (1 + z**2 / n))


@feature(
    41,
    "Wilson score interval",
    where="slides-c, 'Wilson score interval', example f = 85%",
    call="estimates.wilson(0.85 * n, n)",
    oracle="the slides' formula at f = 0.85 and z = 1.96, N = 20, 100, 1000",
)
def wilson() -> Compared:
    sizes = (20, 100, 1000)
    found = [estimates.wilson(0.85 * n, n) for n in sizes]
    theirs = [[wilson_by_hand(0.85, n, 1.96, sign) for sign in (-1, 1)] for n in sizes]
    return compared([[one.low, one.high] for one in found], theirs, 1e-4)


@feature(
    42,
    "the pessimistic (upper) end of the Wilson interval",
    where="slides-c, 'Wilson score interval', 'Statistical pruning'",
    call='estimates.wilson(errors, n, level, side="upper")',
    oracle="the formula with + alone, z one-sided: 1.96 at 97.5%, 0.674 at 75%",
)
def pessimistic() -> Compared:
    ours = [estimates.wilson(15, 100, level, side="upper").high for level in (0.975, 0.75)]
    return compared(ours, [wilson_by_hand(0.15, 100, z, 1) for z in (1.96, 0.6745)], 1e-4)


@feature(
    43,
    "confidence tables: quantiles of the normal and of Student's t",
    where="slides-c, 'Confidence level in error estimation'; chapter, table 22.7",
    call="estimates.fold_z, fold_t: half widths over standard errors",
    oracle="printed: 2.58, 2.33, 1.96, 1.65, 0.67; 3.1824, 2.7764, 2.5706, 2.4469",
)
def quantiles() -> Compared:
    def reach(found: hl.Estimate, values: np.ndarray) -> float:
        return (found.high - found.value) / float(values.std(ddof=1) / np.sqrt(len(values)))

    values = 0.5 + np.array([0.1, -0.1, 0.05, 0.0, -0.05, 0.02, -0.02]) / 100
    levels = (0.99, 0.98, 0.95, 0.90, 0.50)
    ours = [reach(estimates.fold_z(values, level), values) for level in levels]
    ours += [reach(estimates.fold_t(some), some) for some in (values[:k] for k in (4, 5, 6, 7))]
    printed = [2.58, 2.33, 1.96, 1.65, 0.67, 3.1824, 2.7764, 2.5706, 2.4469]
    return compared(ours, printed, 0.0052)


@feature(
    44,
    "learning curve against training size, PRISM and naive Bayes",
    where="slides-r, 'Size of holdout'",
    call="curves.learning(run(models, data, LearningCurve(plan, shares)))",
    oracle="scikit-learn's CategoricalNB and a slow PRISM, split by split",
)
def learning() -> Compared:
    rng = np.random.default_rng(11)
    X = rng.integers(0, 3, size=(240, 4))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 2) * 1  # no rows that clash: every rule is perfect
    data = hl.Dataset.of(X.astype(float), y)
    plan = hl.LearningCurve(hl.Subsampling(4, 0.5), shares=(0.2, 1.0))
    models = {"PRISM": hl.Prism(), "naive Bayes": CategoricalNB(min_categories=3)}
    preds = hl.run(models, data, plan, SEED, progress=False, jobs=1)
    ours = [curves.learning(preds, model=name).value for name in models]
    errors: dict[str, dict[float, list[float]]] = {name: {0.2: [], 1.0: []} for name in models}
    for piece in plan.on(data, SEED):
        share = piece.record.train_share
        rows, truth = X[piece.train].tolist(), y[piece.train].tolist()
        rules = prism(rows, truth)
        said = [decide(rules, row, truth) for row in X[piece.test].tolist()]
        errors["PRISM"][share].append(np.mean(said != y[piece.test]))
        alone = models["naive Bayes"].fit(rows, truth).predict(X[piece.test])
        errors["naive Bayes"][share].append(np.mean(alone != y[piece.test]))
    return compared(ours, [[np.mean(some) for some in one.values()] for one in errors.values()])
