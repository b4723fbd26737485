"""Costs by weights, by repeats, by the decision."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from heliast import CostSensitive, InputError
from heliast.ensembles._cost_sensitive import class_weights, counts_by_lot


def cost_of(label, truth, classes, costs):
    place = {c: at for at, c in enumerate(classes)}
    return np.mean([costs[place[t]][place[a]] for t, a in zip(truth, label, strict=True)])


def test_weights_of_two_classes_are_their_costs():
    weights, matrix = class_weights(
        {("b", "a"): 5, ("a", "b"): 1}, np.array(["a", "b"]), np.array([90.0, 10.0])
    )
    assert weights[1] / weights[0] == 5
    assert weights @ [90, 10] == pytest.approx(100)
    assert matrix.tolist() == [[0, 1], [5, 0]]


def test_balanced_weights_are_those_of_scikit_learn(rings):
    X, y, new, _ = rings
    ours = CostSensitive(LogisticRegression(), "balanced").fit(X, y)
    theirs = LogisticRegression(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(
        ours.class_weights_, [len(y) / (2 * (y == c).sum()) for c in ours.classes_]
    )
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-6)


def test_weights_are_given_to_the_base(rings):
    X, y, new, _ = rings
    ours = CostSensitive(GaussianNB(), [[0, 4], [1, 0]]).fit(X, y)
    weight = ours.class_weights_[(y == "out").astype(int)]
    alone = GaussianNB().fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_proba(new), alone.predict_proba(new))


def test_the_threshold_of_two_classes(rings):
    """Label 'in' costs 1 when wrong, 'out' 4: 'out' from p >= 4/5 on (rows = true class)."""
    X, y, new, _ = rings
    ours = CostSensitive(GaussianNB(), [[0, 4], [1, 0]], how="threshold").fit(X, y)
    p = GaussianNB().fit(X, y).predict_proba(new)
    np.testing.assert_array_equal(ours.predict(new) == "out", p[:, 1] > 0.8)
    np.testing.assert_allclose(ours.predict_proba(new), p)


@pytest.mark.parametrize("how", ["weights", "resample", "threshold"])
def test_each_way_lowers_the_cost(rings, how):
    X, y, new, truth = rings
    costs = [[0, 8], [1, 0]]
    base = GaussianNB()
    plain = cost_of(base.fit(X, y).predict(new), truth, base.classes_, costs)
    ours = CostSensitive(base, costs, how=how, random_state=0).fit(X, y)
    assert cost_of(ours.predict(new), truth, base.classes_, costs) < 0.8 * plain


def test_the_decision_uses_the_whole_matrix(blobs):
    """An error that costs nothing is made freely: oaks may be called firs."""
    X, y, new, _ = blobs
    costs = 1.0 - np.eye(4)
    costs[3, 2] = 0.0
    free = CostSensitive(GaussianNB(), costs, how="threshold").fit(X, y)
    p = GaussianNB().fit(X, y).predict_proba(new)
    expected = free.classes_[(p @ costs).argmin(axis=1)]
    np.testing.assert_array_equal(free.predict(new), expected)
    assert (free.predict(new) == "oak").sum() == 0


def test_repeats_serve_bases_without_weights(rings):
    X, y, new, _ = rings
    base = KNeighborsClassifier(9)
    ours = CostSensitive(base, {("in", "out"): 6, ("out", "in"): 1}, how="resample", random_state=1)
    more = (ours.fit(X, y).predict(new) == "in").sum()
    assert more > (base.fit(X, y).predict(new) == "in").sum() + 20
    with pytest.raises(TypeError, match="unexpected keyword argument 'sample_weight'"):
        CostSensitive(base).fit(X, y)


def test_repeats_are_right_on_average():
    weights = np.array([0.3, 1.0, 2.5, 0.0])
    rng = np.random.default_rng(0)
    drawn = np.array([counts_by_lot(weights, rng) for _ in range(2000)])
    np.testing.assert_allclose(drawn.mean(axis=0), weights, atol=0.05)
    assert (np.abs(drawn - weights) < 1).all()


def test_weights_of_rows_multiply_those_of_costs(rings):
    X, y, new, _ = rings
    rows = np.random.default_rng(3).integers(1, 4, len(y))
    ours = CostSensitive(
        DecisionTreeClassifier(max_depth=3, random_state=0), "balanced", random_state=0
    )
    again = CostSensitive(
        DecisionTreeClassifier(max_depth=3, random_state=0), "balanced", random_state=0
    )
    np.testing.assert_allclose(
        ours.fit(X, y, sample_weight=rows).predict_proba(new),
        again.fit(np.repeat(X, rows, axis=0), np.repeat(y, rows)).predict_proba(new),
        atol=1e-9,
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"costs": "fair"}, "costs='fair'"),
        ({"costs": [[0, -1], [1, 0]]}, "none may be below 0"),
        ({"costs": [[0, 0], [0, 0]]}, "some error must cost"),
        ({"costs": [[0, 1]]}, "expected 2 x 2 numbers"),
        ({"costs": {("in", "up"): 1}}, "not a pair"),
        ({"how": "magic"}, "how='magic'"),
        ({"estimator": LinearSVC(), "how": "threshold"}, "gives no probabilities"),
    ],
)
def test_refusals(rings, options, words):
    with pytest.raises(InputError, match=words):
        CostSensitive(**{"estimator": GaussianNB(), **options}).fit(*rings[:2])
