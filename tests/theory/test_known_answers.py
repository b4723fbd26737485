"""Bias and variance where the answer is known, against peers, and how often intervals hold it."""

import numpy as np
import pytest
from mlxtend.evaluate import bias_variance_decomp
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from tests.theory.conftest import numbered, voted

import heliast as hl
from heliast.data import simulate
from heliast.theory import bias_variance, every_definition

# --- known answers --------------------------------------------------------------------------------


def test_the_majority_of_five_rows():
    """It says the rare class with the probability of a binomial, whatever the row."""
    task = simulate.rare_class(share=0.3, distance=1.0)
    data = task.sample(150, seed=1)
    model = {"majority": DummyClassifier(strategy="most_frequent")}
    table = hl.run(model, data, hl.Fresh(300, n_train=5), seed=2, progress=False)
    rare = stats.binom.sf(2, 5, task.shares.min())
    at = int(task.shares.argmin())
    share = np.where(np.arange(2) == at, rare, 1 - rare)
    q = data.posteriors
    main, best = share.argmax(), q.argmax(axis=1)
    error = 4 * np.sqrt(rare * (1 - rare) / 300)
    found = bias_variance(table, posteriors=q)
    known = {
        "noise": (1 - q.max(axis=1)).mean(),
        "bias": (best != main).mean(),
        "variance": rare,
        "systematic_effect": (q.max(axis=1) - q[:, main]).mean(),
        "variance_effect": (q[:, main] - q @ share).mean(),
    }
    for part, value in known.items():
        assert found[part].value == pytest.approx(value, abs=error), part
    assert known["variance_effect"] > 0


def test_neighbours_of_a_number():
    """k-NN regression on one constant input: the mean of k numbers has variance s²/k, bias 0."""
    rng = np.random.default_rng(3)
    said = []
    for _ in range(400):
        truth = rng.normal(2.0, 1.5, 8)
        said.append(KNeighborsRegressor(4).fit(np.arange(8.0)[:, None], truth).predict([[0.0]])[0])
    table = numbered(np.array(said)[:, None], [2.0])
    found = bias_variance(table, "squared", "classical", ([2.0], 1.5**2))
    assert found["noise"].value == 1.5**2
    assert found["variance"].value == pytest.approx(1.5**2 / 4, rel=0.2)
    assert found["bias"].value == pytest.approx(0, abs=0.02)


def test_lda_has_no_systematic_effect_and_more_neighbours_vary_less():
    """Thesis 3.6 in small: normal classes, where LDA is the right model."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    task = simulate.gaussian_classes(5, spread=3.0, seed=4)
    data = task.sample(150, seed=5)
    models = {
        "lda": LinearDiscriminantAnalysis(),
        "1nn": KNeighborsClassifier(1),
        "11nn": KNeighborsClassifier(11),
    }
    table = hl.run(models, data, hl.Fresh(60, n_train=100), seed=6, progress=False)
    found = bias_variance(table, posteriors=data.posteriors)
    assert found["lda", "systematic_effect"].value < 0.005
    assert found["11nn", "variance"].value < found["1nn", "variance"].value
    assert found["11nn", "variance_effect"].value < found["1nn", "variance_effect"].value
    noise = {round(found[model, "noise"].value, 12) for model in models}
    assert len(noise) == 1


def test_votes_of_trees_lower_both_effects_and_small_trees_have_negative_variance():
    """Thesis 3.6 in small: what holds for ECOC, bagging, and Dietterich's parts of small trees."""
    data = simulate.gaussian_classes(10, 5.0, seed=2).sample(200, seed=1)
    models = {
        "tree": hl.Tree(),
        "bag": hl.BaggedVote(hl.Tree(), 30),
        "ecoc": hl.CodedVote(hl.Tree(), code_length=60, stages=(60,)),
        "small": hl.Tree(max_leaf_nodes=4),
    }
    table = hl.run(models, data, hl.Fresh(15, n_train=100), seed=2, progress=False)
    table = table.only(list(models))
    found = every_definition(table, posteriors=data.posteriors, replicates=5)
    james, kong = found["james"], found["kong_dietterich"]
    for vote in ("bag", "ecoc"):
        assert james[vote, "variance"].value < james["tree", "variance"].value
        assert james[vote, "loss"].value < james["tree", "loss"].value
    assert kong["small", "variance"].value < 0
    assert james["small", "systematic_effect"].value > james["tree", "systematic_effect"].value
    assert min(james[model, "variance_effect"].value for model in models) >= 0


# --- figure 22.7 ----------------------------------------------------------------------------------


def test_figure_22_7():
    """Quadratic-kernel SVM on Iris principal components (versicolor against the rest).

    As C grows bias falls; variance rises from its lowest at about 0.3; the loss is least inside.
    (Below 0.1 the labels are nearly constant on most resamples, not on all: variance is high there
    too, which the chapter's figure does not show.)
    """
    X, y = load_iris(return_X_y=True)
    data = hl.Dataset.of(PCA(2).fit_transform(X), np.where(y == 1, 1, -1))
    models = {
        f"C={C:g}": SVC(kernel="poly", degree=2, gamma=1.0, coef0=0.0, C=C)
        for C in (0.01, 0.3, 1, 100)
    }
    table = hl.run(models, data, hl.Bootstrap(40), seed=0, progress=False)
    found = bias_variance(table, "squared", "classical", replicates=20)
    bias, variance, loss = (
        np.array([found[model, part].value for model in models])
        for part in ("bias", "variance", "loss")
    )
    assert bias[0] > 1.5 * bias[1:].max()
    assert variance[3] > 1.2 * variance[1]
    assert 0 < loss.argmin() < 3
    assert bias + variance == pytest.approx(loss, abs=1e-12)
    picture = found.svg()
    assert all(f"C={C}" in picture for C in ("0.01", "0.3", "1", "100"))


# --- peers ----------------------------------------------------------------------------------------


class Again:
    """Gives back predictions made before, so that a peer sees what we see."""

    def __init__(self, labels):
        self.labels = iter(labels)

    def fit(self, X, y):
        return self

    def predict(self, X):
        return next(self.labels)


def peer(labels, truth, **options):
    X = np.zeros((len(truth), 1))
    return bias_variance_decomp(
        Again(labels), X, truth, X, truth, num_rounds=len(labels), **options
    )


def test_mlxtend_agrees_where_it_adds_up():
    rng = np.random.default_rng(7)
    truth, values = rng.normal(size=30), rng.normal(size=(12, 30))
    loss, bias, variance = peer(values, truth, loss="mse")
    ours = bias_variance(numbered(values, truth), "squared", "classical", unbiased=False)
    assert (loss, bias, variance) == pytest.approx(
        (ours["loss"].value, ours["bias"].value, ours["variance"].value), abs=1e-12
    )


def test_zero_one_parts_add_up_where_mlxtends_do_not():
    rng = np.random.default_rng(8)
    truth, labels = rng.integers(0, 3, 30), rng.integers(0, 3, (12, 30))
    loss, bias, variance = peer(labels, truth)
    assert abs(bias + variance - loss) > 0.1
    for name, ours in every_definition(voted(labels, truth, (0, 1, 2)), replicates=20).items():
        total = sum(ours[part].value for part in ours.adding if ours[part].defined)
        assert total == pytest.approx(loss, abs=1e-12), name
    james = bias_variance(voted(labels, truth, (0, 1, 2)), replicates=20)
    assert (james["bias"].value, james["variance"].value) == pytest.approx((bias, variance))


def test_names_of_classes_are_no_trouble():
    labels, truth = np.array([[0, 1], [1, 1], [0, 0]]), np.array([0, 1])
    names = np.array(["a", "b"])
    with pytest.raises((ValueError, TypeError)):
        peer(names[labels], names[truth])
    assert bias_variance(voted(labels, truth, ("a", "b")))["loss"].value == pytest.approx(2 / 6)


# --- intervals ------------------------------------------------------------------------------------

SLOPES = np.array([[1.5, 0.0], [-0.7, 1.2], [-0.7, -1.2]])


def world(n, T, seed):
    """Three classes by linear scores; each training set adds an error of its own to the slopes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    scores = np.exp(X @ SLOPES.T)
    posterior = scores / scores.sum(axis=1, keepdims=True)
    slopes = SLOPES + 0.5 * rng.normal(size=(T, 3, 2))
    scores = np.einsum("nd,tkd->tnk", X, slopes)
    scores[:, :, 0] += 0.6
    labels = scores.argmax(axis=2)
    return posterior, voted(labels, np.zeros(n, int), (0, 1, 2))


@pytest.fixture(scope="module")
def limit():
    posterior, table = world(1500, 300, 1)
    return every_definition(table, posteriors=posterior, replicates=2)


def test_intervals_hold_the_limit(limit):
    """95% intervals of 60 small samples: at least 85% hold what a large sample finds."""
    held = {}
    for seed in range(60):
        posterior, table = world(80, 20, 100 + seed)
        for name in ("james", "kohavi_wolpert", "breiman"):
            found = bias_variance(table, definition=name, posteriors=posterior, replicates=40)
            for part in found.parts:
                value = limit[name][part].value
                inside = found[part].low <= value <= found[part].high
                held.setdefault((name, part), []).append(inside)
    shares = {key: np.mean(values) for key, values in held.items()}
    assert min(shares.values()) >= 0.85, shares


def test_the_error_of_splits_and_of_rows_are_both_seen():
    """Constant rows leave only splits, constant splits only rows."""
    rng = np.random.default_rng(9)
    by_split = voted(np.repeat(rng.integers(0, 2, (40, 1)), 60, axis=1), np.zeros(60, int), (0, 1))
    found = bias_variance(by_split)["loss"]
    assert found.se == pytest.approx(np.sqrt(found.value * (1 - found.value) / 39), rel=0.2)
    assert "0 from rows" in found.notes[0]
    by_row = voted(np.repeat(rng.integers(0, 2, (1, 60)), 40, axis=0), np.zeros(60, int), (0, 1))
    found = bias_variance(by_row)["loss"]
    assert found.se == pytest.approx(np.sqrt(found.value * (1 - found.value) / 59), rel=1e-9)
    assert "0 from splits" in found.notes[0]


def test_trees_vary_more_than_stumps():
    data = simulate.two_gaussians(bayes_error=0.15).sample(150, seed=1)
    models = {
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    table = hl.run(models, data, hl.Fresh(30, n_train=60), seed=3, progress=False)
    found = bias_variance(table, posteriors=data.posteriors)
    low, high = found["tree", "variance_effect"], found["stump", "variance_effect"]
    assert low.value > high.value
