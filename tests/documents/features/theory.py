"""Why? Theory (rows 65 to 74)."""

import numpy as np
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier
from sklearn.naive_bayes import GaussianNB
from tests.documents.features.registry import Compared, Near, compared, feature

import heliast as hl
from heliast import Predictions, codes, decoders, theory
from heliast.data import simulate

NO_HELP = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
"""Thesis 2.2.1: with these columns right answers are decoded to the wrong class."""
POSTERIOR = np.array([0.4, 0.1, 0.3, 0.2])
S_PLUS = hl.Tree(limits="s-plus")


@feature(
    65,
    "Bayes classifier and Bayes error where densities are known",
    where="thesis 1.2; chapter, section 22.3",
    call="simulate.two_gaussians(0.2).bayes_error(), .bayes_labels(X); gaussian_classes(26, 11)",
    oracle="half the integral of the smaller density; argmax of scipy's normal densities",
)
def bayes() -> Compared:
    two = simulate.two_gaussians(0.2, d=1)
    (low,), (high,) = two.means
    smaller = quad(lambda x: min(norm.pdf(x, low), norm.pdf(x, high)) / 2, -9, 9, points=[0])[0]
    many = simulate.gaussian_classes(26, 11.0, seed=1)
    X = np.random.default_rng(5).uniform(-11, 11, size=(200, 2))
    densities = np.column_stack([multivariate_normal.pdf(X, mean) for mean in many.means])
    right = np.array(many.classes)[densities.argmax(axis=1)] == many.bayes_labels(X)
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 26, 40_000)
    drawn = many.means[truth] + rng.normal(size=(40_000, 2))
    nearest = ((drawn[:, None] - many.means) ** 2).sum(axis=2).argmin(axis=1)
    ours = [two.bayes_error().value, many.bayes_error(n=40_000).value, right.mean()]
    return compared(ours, [smaller, Near((nearest != truth).mean(), 0.012), 1], 1e-6)


@feature(
    66,
    "Bayes consistency of a code",
    where="thesis 2.2.1, lemma 1 and theorem 1",
    call="decoders.distances(p, code), codes.is_bayes_consistent, theory.consistency(code)",
    oracle="printed: L = 1.4, 1.6, 1.2, 1.6 (1.7 in print) and class 3; equal distances by numpy",
)
def consistency() -> Compared:
    found = theory.consistency(NO_HELP)
    q = np.array(found.posterior)
    wrong = np.abs(q @ NO_HELP - NO_HELP).sum(axis=1).argmin() != q.argmax()
    words = codes.hadamard(26)
    apart = (words[:, None] != words).sum(axis=2)[np.triu_indices(26, 1)]
    ours = [
        decoders.distances(POSTERIOR @ NO_HELP, NO_HELP),
        [theory.consistency(code).consistent for code in (NO_HELP, np.eye(4, dtype=int), words)],
        [codes.is_bayes_consistent(code) for code in (NO_HELP, codes.exhaustive(4), words)],
        wrong,
        words.shape[1],
        np.unique(apart),
    ]
    return compared(ours, [1.4, 1.6, 1.2, 1.6, 0, 1, 1, 0, 1, 1, 1, 31, 16])


@feature(
    67,
    "the limit in B, its variance, and exponential convergence to it",
    where="thesis 2.2.2, theorems 3 to 5, table 2.2",
    call="theory.limits(p, code), codes.convergence_bound(k, gap, B), theory.convergence(...)",
    oracle="all 2^k columns give the posterior; printed bounds 0.061, 0.395, 0.017; own draws",
)
def convergence() -> Compared:
    every = np.array([[number >> at & 1 for number in range(16)] for at in range(4)])
    pairs = ((0.2, 1000), (0.5, 100), (0.5, 200))
    bounds = [codes.convergence_bound(10, gap, columns) for gap, columns in pairs]
    q, columns = np.array([0.45, 0.35, 0.2]), 10
    drawn = np.random.default_rng(7).integers(0, 2, size=(20_000, 3, columns))
    p = np.einsum("c,dcb->db", q, drawn)
    shares = (1 - 2 * np.abs(p[:, None] - drawn)).mean(axis=2).round(12)
    missed = (shares.argmax(axis=1) != 0).mean()
    found = theory.convergence(posteriors=[q], columns=(columns,), draws=8000)
    variance = [Near(value, 0.02) for value in columns * shares.var(axis=0)]
    ahead = shares[:, 0] - shares[:, 1]
    slope = ahead.mean() / np.sqrt(2 * np.pi * columns * ahead.var())
    ours = [bounds, found.measured, theory.limits(POSTERIOR @ every, every)]
    ours += [found.variance, found.slope]
    printed = [Near(bound, 5e-4) for bound in (0.061, 0.395, 0.017)]
    theirs = [printed, Near(missed, 0.015), POSTERIOR, variance, Near(slope, 0.01)]
    return compared(ours, theirs)


@feature(
    68,
    "how many members the variance argument asks for",
    where="thesis 3.4, theorem 8",
    call="theory.needed_members(preds, member, vote, size, one, posteriors)",
    oracle="rho, gamma and (1 - rho)/(gamma - rho) from the table's scores, in numpy",
)
def needed_members() -> Compared:
    data = simulate.two_gaussians(0.15).sample(40, seed=1)
    models = {"bag": hl.BaggedVote(S_PLUS, 10, random_state=1), "tree": S_PLUS}
    preds = hl.run(models, data, hl.Fresh(10, n_train=40), 1, progress=False, jobs=1)
    names = ("bag/soft/B=1", "bag/soft/B=10", "tree")
    found = theory.needed_members(preds, *names[:2], 10, names[2], data.posteriors)
    scores = [np.array([rows_of(preds, name, split) for split in range(10)]) for name in names]
    kept = data.posteriors > 0.01
    variance = [one.var(axis=0, ddof=1)[kept].mean() for one in scores]
    slope = [np.polyfit(data.posteriors[kept], one.mean(axis=0)[kept], 1)[0] for one in scores]
    rho = (10 * variance[1] / variance[0] - 1) / 9
    gamma = (variance[2] / slope[2] ** 2) / (variance[0] / slope[1] ** 2)
    ours = [found.rho.value, found.gamma.value, found.members.value]
    return compared(ours, [rho, gamma, (1 - rho) / (gamma - rho)], 1e-6)


def rows_of(preds: Predictions, model: str, split: int) -> np.ndarray:
    """The scores of one fit, in the order of the data's rows, a column a class."""
    part = preds.only(model, split=split)
    return np.asarray(part.scores)[np.argsort(part.row)]


# --- bias and variance -----------------------------------------------------------------------

ZERO_ONE = {"C1": (0.4, 0.5, 0.1), "C2": (0.1, 0.5, 0.4)}
"""Thesis 3.3.1: two classifiers at a point whose classes have shares 0.5, 0.4, 0.1."""
SHARES = np.array([0.5, 0.4, 0.1])


def repeated(shares: tuple[float, ...]) -> Predictions:
    """One row, decided by ten splits in these shares of the classes 0, 1, 2."""
    label = np.repeat([0, 1, 2], np.rint(10 * np.array(shares)).astype(int))
    return Predictions.of([0] * 10, label, classes=[0, 1, 2], row=[0] * 10, split=range(10))


@feature(
    69,
    "bias, variance, systematic and variance effect for any loss",
    where="thesis 3.2, examples of 3.3.1 and 3.3.2",
    call="theory.bias_variance(preds, loss, posteriors=q)",
    oracle="printed: variance effects -0.01 and 0.11, variance 0.5, systematic effects 0.1 and a/2",
)
def any_loss() -> Compared:
    ours: list[float] = []
    for shares in ZERO_ONE.values():
        found = theory.bias_variance(repeated(shares), posteriors=[SHARES])
        parts = ("variance_effect", "variance", "systematic_effect", "bias")
        ours += [found["model", part].value for part in parts]
    for a in (1.0, 0.2):
        q = [a / 4, 1 / 2, (2 - a) / 4]
        found = theory.bias_variance(repeated((0, 0, 1)), "absolute", posteriors=[q])
        ours += [found["model", part].value for part in ("systematic_effect", "bias", "variance")]
    return compared(ours, [-0.01, 0.5, 0.1, 1, 0.11, 0.5, 0.1, 1, 0.5, 1, 0, 0.1, 1, 0])


@feature(
    70,
    "the definitions of Kohavi-Wolpert, Kong-Dietterich, Breiman and Tibshirani side by side",
    where="thesis 3.5 and 3.6",
    call="theory.every_definition(preds, posteriors=q)",
    oracle="each author's formula at the point of 3.3.1, by hand",
)
def side_by_side() -> Compared:
    found = theory.every_definition(repeated(ZERO_ONE["C1"]), posteriors=[SHARES], unbiased=False)
    pc = np.array(ZERO_ONE["C1"])
    error = 1 - SHARES @ pc
    theirs = {
        "kohavi_wolpert": (((SHARES - pc) ** 2).sum() / 2, (1 - pc @ pc) / 2),
        "kong_dietterich": (1, error - 1),
        "breiman": (error - 0.5, 0),
        "tibshirani": (0.1, 0.5),  # his bias is the systematic effect
    }
    ours = [[found[name]["model", part].value for part in ("bias", "variance")] for name in theirs]
    return compared(ours, list(theirs.values()))


@feature(
    71,
    "noise, bias and variance of the squared loss over bootstrap samples",
    where="chapter, section 22.3, equations 22.14 to 22.16",
    call='theory.bias_variance(run(models, data, Bootstrap(20)), "squared", "classical")',
    oracle="(y - mean)^2 and the variance of the fits that left a row out, in numpy",
)
def squared() -> Compared:
    X, y = load_breast_cancer(return_X_y=True)
    y = 2 * y[:200] - 1
    data, plan = hl.Dataset.of(X[:200, :4], y), hl.Bootstrap(20)
    preds = hl.run({"bayes": GaussianNB()}, data, plan, 3, progress=False, jobs=1)
    found = theory.bias_variance(preds, "squared", "classical", unbiased=False)
    said = np.full((20, 200), np.nan)
    resamples = (piece for piece in plan.on(data, 3) if piece.record.role == "test")
    for at, piece in enumerate(resamples):
        out = np.flatnonzero(piece.in_train(200) == 0)
        alone = GaussianNB().fit(data.matrix[piece.train], y[piece.train])
        said[at, out] = alone.predict(data.matrix[out])
    ours = [found["bayes", part].value for part in ("bias", "variance", "loss")]
    bias, variance = (y - np.nanmean(said, axis=0)) ** 2, np.nanvar(said, axis=0)
    return compared(ours, [bias.mean(), variance.mean(), (bias + variance).mean()])


# --- margins ---------------------------------------------------------------------------------


@feature(
    72,
    "margins and the edge",
    where="thesis 4.1.1",
    call="theory.margins(y_true, votes=votes), theory.edge(y_true, votes=votes)",
    oracle="printed: 0.2, -0.2, -0.3; the wrong shares 0.5, 0.7, 0.8",
)
def margins() -> Compared:
    votes = [[50, 30, 20]] * 3
    ours = [theory.margins([1, 2, 3], votes=votes).value, theory.edge([1, 2, 3], votes=votes).value]
    return compared(ours, [0.2, -0.2, -0.3, 0.5, 0.7, 0.8])


@feature(
    73,
    "Schapire's bound on the training margin of AdaBoost",
    where="thesis 4.1.3, theorem 10",
    call="theory.margin_bound(errors, theta), theory.simple_margin_bound(gamma, B, theta)",
    oracle="the theorem's formula in numpy; margins of scikit-learn's AdaBoost stay below it",
)
def margin_bound() -> Compared:
    X, y = load_breast_cancer(return_X_y=True)
    boosted = AdaBoostClassifier(n_estimators=30, random_state=0).fit(X[:, :5], y)
    e, weights = boosted.estimator_errors_, boosted.estimator_weights_
    right = np.array([tree.predict(X[:, :5]) == y for tree in boosted.estimators_])
    margin = (2 * right - 1).T @ weights / weights.sum()
    bounds, formula, under = [], [], []
    for theta in (0.0, 0.05, 0.1):
        bounds.append(theory.margin_bound(e, theta).raw)
        formula.append(2**30 * np.prod(np.sqrt(e ** (1 - theta) * (1 - e) ** (1 + theta))))
        under.append((margin <= theta).mean() <= bounds[-1])
    simple = theory.simple_margin_bound(0.2, 30, 0.1).raw
    once = np.sqrt((1 - 0.4) ** (1 - 0.1) * (1 + 0.4) ** (1 + 0.1)) ** 30
    return compared([bounds, simple, under], [formula, once, 1, 1, 1])


@feature(
    74,
    "Training, Schapire and Normal model of the test error from training margins",
    where="thesis 4.2.1, 4.2.2 and 4.3, equations 4.1, 4.2 and 4.7",
    call="theory.TrainingModel, SchapireModel, NormalModel: fit(margins, test_error)",
    oracle="mean distance to the training error; every theta tried; parameters put in come out",
)
def error_models() -> Compared:
    rng = np.random.default_rng(8)
    members = np.arange(1, 31)
    mean = rng.uniform(-0.3, 0.9, 200)
    noise = rng.normal(size=(30, 200)) / np.sqrt(9 * members[:, None])
    margins = (mean + noise).clip(-1, 1)
    wrong = rng.uniform(0.1, 0.3, 30)
    constant = (wrong - (margins <= 0).mean(axis=1)).mean()
    thetas = np.arange(0, 1.0001, 0.0005)
    gaps = [wrong - (margins <= theta).mean(axis=1) for theta in thetas]
    best = int(np.argmin([gap.var() for gap in gaps]))
    schapire = theory.SchapireModel().fit(margins, wrong)
    nearest, distance = rng.integers(0, 200, 300), rng.random(300)
    alpha, beta0, beta1 = 0.6, -0.05, 0.3
    at = margins[:, nearest]
    mu = at + (1 + at) * (beta0 - beta1 * distance)
    law = norm.cdf(-mu / np.sqrt(alpha / members[:, None])).mean(axis=1)
    normal = theory.NormalModel().fit(margins, law, nearest, distance)
    ours = [
        theory.TrainingModel().fit(margins, wrong).constant_,
        [schapire.theta_, schapire.constant_],
        [normal.alpha_, normal.beta0_, normal.beta1_],
    ]
    theirs = [constant, thetas[best], gaps[best].mean(), alpha, beta0, beta1]
    return compared(ours, theirs, 1e-3)
