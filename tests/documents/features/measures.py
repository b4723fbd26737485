"""How good is it? Measures (rows 1 to 26)."""

import pickle
import time

import numpy as np
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from tests.documents.features.registry import Compared, Near, compared, feature
from tests.documents.tables import spelled_out, transposed

import heliast as hl
from heliast import Predictions, curves, learners, measures

IRIS = ("setosa", "versicolor", "virginica")
Contingency = hl.summaries.Contingency
TABLE_22_1 = [[10, 0, 0], [0, 7, 5], [0, 3, 5]]
"""Rows = predicted, as the chapter prints it."""
TABLE_22_3 = [[7, 7], [3, 13]]
"""Rows = predicted: TP FP / FN TN."""
SLIDES_C = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
"""Rows = true class, as the slides print it."""
SCORES = (
    *(0.93, 0.82, 0.80, 0.77, 0.74, 0.71, 0.69, 0.67, 0.66, 0.61),
    *(0.59, 0.55, 0.55, 0.53, 0.47, 0.30, 0.26, 0.11, 0.04, 2.97e-03),
    *(1.28e-03, 2.55e-07, 6.99e-08, 3.11e-08, 3.109e-08),
    *(1.53e-08, 9.76e-09, 2.08e-09, 1.95e-09, 7.83e-10),
)
TRUTHS = tuple(f"c{digit}" for digit in "21211121222211111222" + "2" * 10)
"""Table 22.5; the labels of the last rows, lost in print, are all c2."""


def iris_table() -> Predictions:
    return Predictions.of(*spelled_out(transposed(TABLE_22_1), IRIS))


def binary_table() -> Predictions:
    return Predictions.of(*spelled_out(transposed(TABLE_22_3), ("c1", "c2")), positive="c1")


def scored_table() -> Predictions:
    return Predictions.of(TRUTHS, y_score=SCORES, positive="c1")


def value(name: str, table: Predictions, class_: object = None, **options: object) -> float:
    return measures.get(name, **options).of(table, class_)


# --- tables of counts ------------------------------------------------------------------------


@feature(
    1,
    "error rate and accuracy",
    where="chapter, equations 22.1 and 22.2, example 22.1",
    call='measures.get("error").of(preds)',
    oracle="printed: 0.267 and 0.733",
)
def error_and_accuracy() -> Compared:
    table = iris_table()
    return compared([value("error", table), value("accuracy", table)], [0.267, 0.733], 5e-4)


@feature(
    2,
    "contingency table with margins and recognition rate per class",
    where="chapter, example 22.2; notes 1.1; slides-c, 'Example of confusion matrix'",
    call="preds.summary(Contingency).actual, .decided, .n",
    oracle="printed margins 120, 60, 20 and 100, 60, 40 of 200; diagonal over margin",
)
def contingency_margins() -> Compared:
    preds = Predictions.of(*spelled_out(SLIDES_C, "abc"))
    table = preds.summary(Contingency)
    rates = [value("recall", preds, class_) for class_ in "abc"]
    ours = [table.actual, table.decided, table.n, table.hits.sum(), rates]
    return compared(ours, [120, 60, 20, 100, 60, 40, 200, 140, 88 / 120, 40 / 60, 12 / 20])


@feature(
    3,
    "precision, recall (coverage) and F of each class",
    where="chapter, section 22.1.1, example 22.2",
    call='measures.get("precision").of(preds, class_)',
    oracle="printed: 1, 0.583, 0.625; 1, 0.7, 0.5; 1, 0.636, 0.556",
)
def by_class() -> Compared:
    table = iris_table()
    names = ("precision", "recall", "f1")
    ours = [value(name, table, class_) for name in names for class_ in IRIS]
    return compared(ours, [1, 0.583, 0.625, 1, 0.7, 0.5, 1, 0.636, 0.556], 5e-4)


@feature(
    4,
    "overall F",
    where="chapter, section 22.1.1, example 22.2",
    call='measures.get("f1").of(preds)',
    oracle="printed: 0.731",
)
def overall_f() -> Compared:
    return compared(value("f1", iris_table()), 0.731, 5e-4)


@feature(
    5,
    "true and false positives, false and true negatives",
    where="chapter, section 22.1.2, example 22.3; notes 1.1",
    call="preds.summary(Contingency).counts",
    oracle="printed: TP 7, FP 7, FN 3, TN 13",
)
def binary_counts() -> Compared:
    (tp, fn), (fp, tn) = binary_table().summary(Contingency).counts
    return compared([tp, fp, fn, tn], [7, 7, 3, 13])


@feature(
    6,
    "precision for both classes",
    where="chapter, section 22.1.2, example 22.3",
    call='measures.get("precision").of(preds, "c2")',
    oracle="printed: 0.5 and 0.8125",
)
def precision_of_both() -> Compared:
    table = binary_table()
    return compared([value("precision", table, class_) for class_ in ("c1", "c2")], [0.5, 0.8125])


@feature(
    7,
    "true positive, true negative, false positive and false negative rate",
    where="chapter, section 22.1.2, example 22.3",
    call='measures.get("recall"), "specificity", "fpr", "fnr"',
    oracle="printed: 0.7, 0.65, 0.35, 0.3",
)
def binary_rates() -> Compared:
    table = binary_table()
    ours = [value(name, table) for name in ("recall", "specificity", "fpr", "fnr")]
    return compared(ours, [0.7, 0.65, 0.35, 0.3])


@feature(
    8,
    "accuracy as the weighted sum of sensitivity and specificity",
    where="notes 1.1; slides-c, 'A summary of measures II'",
    call='measures.get("recall"), "specificity", "accuracy"',
    oracle="90 of 100 and 860 of 900 counted by hand: 0.9 x 0.1 + 0.9556 x 0.9 = 0.95",
)
def weighted_accuracy() -> Compared:
    preds = Predictions.of(*spelled_out([[90, 10], [40, 860]], ("yes", "no")), positive="yes")
    weighted = value("recall", preds) * 100 / 1000 + value("specificity", preds) * 900 / 1000
    return compared([weighted, value("accuracy", preds)], [0.95, 0.95])


@feature(
    9,
    "kappa, the chance table behind it, and the words of its scale",
    where="slides-c, 'Confusion matrix of a random classifier', 'Range of kappa'",
    call='measures.get("kappa"), Contingency.chance, measures.kappa_word',
    oracle="printed: 0.492; 82 right by chance; the six words at 0.1 steps of the scale",
)
def kappa() -> Compared:
    preds = Predictions.of(*spelled_out(SLIDES_C, "abc"))
    found = value("kappa", preds)
    chance = preds.summary(Contingency).chance
    places = (-0.1, 0.1, 0.3, 0.5, 0.7, 0.9)
    words = ["poor", "slight", "fair", "moderate", "substantial", "almost perfect"]
    ours = [found, measures.kappa_word(found), chance.trace(), chance]
    ours += [measures.kappa_word(place) for place in places]
    printed = [[60, 36, 24], [30, 18, 12], [10, 6, 4]]
    return compared(ours, [0.492, "moderate", 82, printed, words], 5e-4)


# --- costs -----------------------------------------------------------------------------------


@feature(
    10,
    "cost matrix and expected cost",
    where="notes 1.1; slides-c, 'The cost of errors'",
    call='measures.get("expected_cost", cost=cost).of(preds)',
    oracle="3 misses at 20 and 7 alarms at 1 over 30 rows, by hand",
)
def expected_cost() -> Compared:
    cost = {("c1", "c2"): 20, ("c2", "c1"): 1}
    return compared(value("expected_cost", binary_table(), cost=cost), (3 * 20 + 7 * 1) / 30)


@feature(
    11,
    "the decision of least expected cost, from probabilities",
    where="notes 1.1; slides-c, 'The cost of errors'",
    call="learners.to_crisp(p, classes, cost=cost)",
    oracle="argmin of p @ cost, in numpy",
)
def cheapest_decision() -> Compared:
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(3), size=200)
    cost = np.array([[0, 1, 4], [2, 0, 1], [9, 3, 0]])
    return compared(learners.to_crisp(p, [0, 1, 2], cost=cost), (p @ cost).argmin(axis=1))


def _tumours() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :6], y


@feature(
    12,
    "cost-sensitive learning by duplicating rows",
    where="slides-c, 'Cost sensitive learning I'",
    call='CostSensitive(estimator, costs, how="resample")',
    oracle="60 rows of each class, errors at 3 : 1: three quarters of the copies are dear",
)
def by_duplicating() -> Compared:
    X, y = _tumours()
    rows = np.concatenate([np.flatnonzero(y == 0)[:60], np.flatnonzero(y == 1)[:60]])
    fits = (
        hl.CostSensitive(GaussianNB(), [[0, 3], [1, 0]], how="resample", random_state=seed)
        for seed in range(20)
    )
    shares = [vote.fit(X[rows], y[rows]).model_.class_prior_[0] for vote in fits]
    return compared(np.mean(shares), 3 / 4, 0.02)


@feature(
    13,
    "cost-sensitive learning by weights of rows or classes, 'balanced' too",
    where="slides-c, 'Cost sensitive learning II'",
    call='CostSensitive(estimator, costs, how="weights"), costs="balanced"',
    oracle="naive Bayes of scikit-learn with sample_weight in these proportions",
)
def by_weights() -> Compared:
    X, y = _tumours()
    dear, even = np.where(y == 0, 5.0, 1.0), len(y) / (2 * np.bincount(y)[y])
    ours = [
        hl.CostSensitive(GaussianNB(), costs).fit(X, y).predict_proba(X[5::20])[:, 1]
        for costs in ([[0, 5], [1, 0]], "balanced")
    ]
    theirs = [
        GaussianNB().fit(X, y, sample_weight=weight / weight.mean()).predict_proba(X[5::20])[:, 1]
        for weight in (dear, even)
    ]
    return compared(ours, theirs)


# --- scores ----------------------------------------------------------------------------------


@feature(
    14,
    "ROC curve over every distinct threshold, tied scores as one sloped step",
    where="chapter, algorithm 22.1, example 22.5",
    call="curves.roc(preds).fpr, .tpr",
    oracle="printed: (0, 0), (0, 1/3), (0.5, 1), (1, 1); scikit-learn's roc_curve for table 22.5",
)
def roc() -> Compared:
    truth, score = ["c1", "c2", "c1", "c1", "c2"], [0.9, 0.8, 0.8, 0.8, 0.1]
    five = curves.roc(Predictions.of(truth, y_score=score, positive="c1"))
    thirty = curves.roc(scored_table(), thin=False)
    fpr, tpr, _ = metrics.roc_curve(TRUTHS, SCORES, pos_label="c1", drop_intermediate=False)
    ours = [five.fpr, five.tpr, thirty.fpr, thirty.tpr]
    return compared(ours, [0, 0, 0.5, 1, 0, 1 / 3, 1, 1, fpr, tpr])


@feature(
    15,
    "area under the ROC curve by trapezoids",
    where="chapter, algorithm 22.1, examples 22.4 and 22.5",
    call='measures.get("auc").of(preds), curves.roc(preds).auc',
    oracle="printed: 0.833, and 0.775 with the two scores of 0.55 apart; 0.7775 by pairs, tied",
)
def area() -> Compared:
    truth, score = ["c1", "c2", "c1", "c1", "c2"], [0.9, 0.8, 0.8, 0.8, 0.1]
    apart = [score + 1e-9 * (at == 11) for at, score in enumerate(SCORES)]
    ours = [
        value("auc", Predictions.of(truth, y_score=score, positive="c1")),
        value("auc", Predictions.of(TRUTHS, y_score=apart, positive="c1")),
        curves.roc(scored_table()).auc,
    ]
    is_first = np.array(TRUTHS) == "c1"
    ahead = np.subtract.outer(np.array(SCORES)[is_first], np.array(SCORES)[~is_first])
    return compared(ours, [0.833, 0.775, ((ahead > 0) + (ahead == 0) / 2).mean()], 5e-4)


@feature(
    16,
    "threshold from costs",
    where="slides-r, 'Optimal performance: ROC'; slides-c, 'ROC Curve'",
    call="curves.roc(preds).best(cost).threshold, learners.threshold_of(cost)",
    oracle="every threshold of table 22.5 tried by hand; cost of an alarm over the sum, 1/(1 + 9)",
)
def threshold() -> Compared:
    alarm, miss = 1, 9
    found = curves.roc(scored_table())
    best = found.best({("c2", "c1"): alarm, ("c1", "c2"): miss})
    positive, score = np.array(TRUTHS) == "c1", np.array(SCORES)
    paid = {
        at: (alarm * ((score >= at) & ~positive).sum() + miss * ((score < at) & positive).sum())
        for at in score
    }
    cheapest = min(paid, key=lambda at: (paid[at], -at))
    ours = [best.threshold, best.cost, learners.threshold_of([[0, alarm], [miss, 0]])]
    return compared(ours, [cheapest, paid[cheapest] / 30, 0.1])


@feature(
    17,
    "the random diagonal, and inversion of what lies below it",
    where="chapter, section 22.1.3, example 22.6",
    call="curves.roc(preds).auc, .inverted",
    oracle="printed: 0.5 for a random classifier; 1 - area of the scores turned round",
)
def diagonal() -> Compared:
    flat = curves.roc(Predictions.of(TRUTHS, y_score=[0.5] * 30, positive="c1"))
    turned = [-score for score in SCORES]
    below = curves.roc(Predictions.of(TRUTHS, y_score=turned, positive="c1", scores="decision"))
    straight = metrics.roc_auc_score(np.array(TRUTHS) == "c1", SCORES)
    ours = [flat.auc, flat.tpr - flat.fpr, below.auc, below.inverted.auc]
    return compared(ours, [0.5, 0, 0, 1 - straight, straight])


@feature(
    18,
    "ROC curve of any class against the rest",
    where="chapter, section 22.1.3; slides-r, 'Optimal performance: ROC'",
    call="curves.roc(preds, class_)",
    oracle="scikit-learn's roc_auc_score of each column of probabilities",
)
def one_against_rest() -> Compared:
    X, y = load_iris(return_X_y=True)
    p = GaussianNB().fit(X[::2, :2], y[::2]).predict_proba(X[1::2, :2])
    preds = Predictions.of(y[1::2], y_score=p)
    ours = [curves.roc(preds, class_).auc for class_ in (0, 1, 2)]
    return compared(ours, [metrics.roc_auc_score(y[1::2] == c, p[:, c]) for c in range(3)])


@feature(
    19,
    "lift chart: positives found against rows taken, the random line, the area between",
    where="slides-c, 'Binary - Lift Chart'",
    call="curves.lift(preds).found, .random, .area",
    oracle="rows sorted and counted in numpy; area by trapezoids",
)
def lift() -> Compared:
    score = [score + 1e-9 * (at == 11) for at, score in enumerate(SCORES)]
    chart = curves.lift(Predictions.of(TRUTHS, y_score=score, positive="c1"), thin=False)
    found = np.concatenate([[0], np.cumsum(np.array(TRUTHS) == "c1")])
    random = np.arange(31) * 10 / 30
    return compared(
        [chart.area, chart.size, chart.found, chart.random],
        [np.trapezoid(found - random), np.arange(31), found, random],
    )


# --- probabilities ---------------------------------------------------------------------------


@feature(
    20,
    "probabilities to crisp: a threshold for two classes, the largest for more",
    where="slides-c, 'Probabilities to crisp'",
    call="Predictions.of(y_true, y_score=p).y_pred, learners.to_crisp(p, classes, threshold=t)",
    oracle="p >= t and argmax, in numpy",
)
def crisp() -> Compared:
    rng = np.random.default_rng(2)
    two, three = rng.random(50), rng.dirichlet(np.ones(3), size=50)
    ours = [
        Predictions.of([0, 1] * 25, y_score=two).y_pred,
        learners.to_crisp(two, [0, 1], threshold=0.3),
        Predictions.of([0, 1] * 24 + [2, 2], y_score=three).y_pred,
    ]
    return compared(ours, [two >= 0.5, two >= 0.3, three.argmax(axis=1)])


@feature(
    21,
    "smoothed leaf probabilities",
    where="slides-c, 'Crisp values sometimes hide probabilities', footnote",
    call='Tree(smoothing="laplace"), Tree(smoothing=m)',
    oracle="(n_c + 1)/(n + k) and (n_c + m q_c)/(n + m) from the counts of scikit-learn's leaves",
)
def smoothed() -> Compared:
    X, y = load_iris(return_X_y=True)
    settings = {"max_depth": 2, "min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0}
    ours = [
        hl.Tree("gini", smoothing=how, **settings).fit(X, y).predict_proba(X[::10])
        for how in ("laplace", 5)
    ]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    leaf = tree.apply(X)
    counts = np.array([np.bincount(y[leaf == at], minlength=3) for at in leaf[::10]])
    n, q = counts.sum(axis=1, keepdims=True), np.bincount(y) / len(y)
    return compared(ours, [(counts + 1) / (n + 3), (counts + 5 * q) / (n + 5)])


# --- numbers ---------------------------------------------------------------------------------

NUMBERS = [2.0, 4.0, 6.0, 8.0], [2.5, 3.0, 6.0, 10.0]


@feature(
    22,
    "absolute and squared error: MAE, MSE, RMSE",
    where="notes 1.2",
    call='measures.get("mae"), "mse", "rmse"',
    oracle="four rows by hand: errors 0.5, 1, 0, 2",
)
def number_errors() -> Compared:
    preds = Predictions.of(*NUMBERS, task="regression")
    ours = [value(name, preds) for name in ("mae", "mse", "rmse")]
    return compared(ours, [3.5 / 4, 5.25 / 4, (5.25 / 4) ** 0.5])


@feature(
    23,
    "relative absolute, relative squared and root relative squared error",
    where="notes 1.2",
    call='measures.get("rae"), "rse", "rrse"',
    oracle="the same four rows: distances 3, 1, 1, 3 to their mean",
)
def relative_errors() -> Compared:
    preds = Predictions.of(*NUMBERS, task="regression")
    ours = [value(name, preds) for name in ("rae", "rse", "rrse")]
    return compared(ours, [3.5 / 8, 5.25 / 20, (5.25 / 20) ** 0.5])


# --- beyond accuracy -------------------------------------------------------------------------


class Sleeper(ClassifierMixin, BaseEstimator):
    """Sleeps a millisecond a training row: its speed and how it scales are known."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        time.sleep(len(X) / 1000)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@feature(
    24,
    "speed, and how it scales with the training rows",
    where="slides-c, 'Accuracy is enough?'",
    call="curves.speed(preds).fit_seconds",
    oracle="a model that sleeps 1 ms a training row: at least that, at most the clock outside",
)
def speed() -> Compared:
    X, y = load_iris(return_X_y=True)
    plan = hl.LearningCurve(hl.Holdout(), shares=(0.1, 1.0))
    start = time.perf_counter()
    found = curves.speed(hl.run({"sleeper": Sleeper()}, (X, y), plan, progress=False, jobs=1))
    outside = time.perf_counter() - start
    rows, seconds = found.n_train, found.fit_seconds
    within = "within" if (rows / 1000 <= seconds).all() and seconds.sum() <= outside else "outside"
    return compared([rows, within], [10, 100, "within"])


@feature(
    25,
    "robustness to label noise",
    where="slides-c, 'Accuracy is enough?'",
    call="LabelNoise(plan, shares), curves.noise(preds)",
    oracle="two far clusters: one neighbour errs by the share of wrong labels, scikit-learn's own",
)
def noise() -> Compared:
    rng = np.random.default_rng(3)
    y = np.arange(120) % 2
    data = hl.Dataset.of(rng.normal(size=(120, 2)) + 100 * y[:, None], y)
    plan, shares = hl.Holdout(), (0.0, 0.1, 0.3)
    noisy = hl.LabelNoise(plan, shares)
    found = curves.noise(
        hl.run({"1nn": KNeighborsClassifier(1)}, data, noisy, 5, progress=False, jobs=1)
    )
    asked = [Near(share, 0.5 / 80) for share in shares]  # to the nearest row
    wrong, errors = [], []
    for piece in noisy.on(data, 5):
        labels = data.y[piece.train] if piece.y_true is None else piece.y_true
        wrong.append((labels != data.y[piece.train]).mean())
        alone = KNeighborsClassifier(1).fit(data.matrix[piece.train], labels)
        errors.append((alone.predict(data.matrix[piece.test]) != data.y[piece.test]).mean())
    return compared([found.value, wrong, found.x], [errors, asked, shares])


@feature(
    26,
    "interpretability: the size of a model",
    where="slides-c, 'Accuracy is enough?'",
    call="curves.speed(preds).size, Tree.n_leaves_, Tree.depth_",
    oracle="bytes of the pickled model; leaves and depth of scikit-learn's tree",
)
def size() -> Compared:
    X, y = load_iris(return_X_y=True)
    data, plan = hl.Dataset.of(X, y), hl.Holdout()
    line = LogisticRegression(random_state=0)
    found = curves.speed(hl.run({"line": line}, data, plan, 1, progress=False, jobs=1))
    (piece,) = plan.on(data, 1)
    alone = clone(line).fit(X[piece.train], y[piece.train])
    ours = hl.Tree(
        "gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_depth=3
    ).fit(X, y)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    return compared(
        [found.size, ours.n_leaves_, ours.depth_],
        [len(pickle.dumps(alone)), tree.get_n_leaves(), tree.get_depth()],
    )
