"""The vote of any models: James (1998), section 1.4, and scikit-learn's voting classifier."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import heliast as hl
from heliast import InputError, MajorityVote
from heliast.ensembles._voting import margins_of, staged_shares

MODELS = [
    ("bayes", GaussianNB()),
    ("line", LogisticRegression()),
    ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
]
NUMBERS = [
    ("line", Ridge()),
    ("tree", DecisionTreeRegressor(max_depth=4, random_state=0)),
    ("stump", DecisionTreeRegressor(max_depth=1, random_state=0)),
]


class WrongIn(ClassifierMixin, BaseEstimator):
    """A rule that knows the class but for one region of the inputs."""

    def __init__(self, region=0):
        self.region = region

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        region, truth = X[:, 0].astype(int), X[:, 1].astype(int)
        return self.classes_[np.where(region == self.region, 1 - truth, truth)]


def regions():
    """Three regions, equally likely, two classes in each."""
    X = np.array([(region, truth) for region in range(3) for truth in (0, 1)])
    return X, np.array(["no", "yes"])[X[:, 1]]


def test_three_rules_that_err_a_third_of_the_time_are_always_right_together():
    X, y = regions()
    vote = MajorityVote([WrongIn(0), WrongIn(1), WrongIn(2)]).fit(X, y)
    assert [np.mean(rule.predict(X) != y) for rule in vote.estimators_.models] == [1 / 3] * 3
    assert (vote.predict(X) == y).all()
    np.testing.assert_allclose(vote.margins(X, y), 1 / 3)


def test_weights_can_make_one_rule_decide():
    X, y = regions()
    rules = {"a": WrongIn(0), "b": WrongIn(1), "c": WrongIn(2)}
    vote = MajorityVote(rules, {"a": 3, "b": 1, "c": 1})
    alone = WrongIn(0).fit(X, y).predict(X)
    np.testing.assert_array_equal(vote.fit(X, y).predict(X), alone)
    np.testing.assert_allclose(vote.votes(X).max(axis=1), [0.6, 0.6, 0.8, 0.8, 0.8, 0.8])


@pytest.mark.parametrize("kind", ["hard", "soft"])
@pytest.mark.parametrize("weights", [None, [1.0, 2.5, 0.5]])
def test_agrees_with_scikit_learn(blobs, kind, weights):
    X, y, new, _ = blobs
    ours = MajorityVote(MODELS, weights, kind=kind).fit(X, y)
    theirs = VotingClassifier(MODELS, voting=kind, weights=weights).fit(X, y)
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    if kind == "soft":
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new))


def test_a_hard_vote_is_a_soft_one_of_sure_models(blobs):
    X, y, new, _ = blobs
    sure = [(str(seed), DecisionTreeClassifier(random_state=seed)) for seed in range(3)]
    sure = [(name, tree.set_params(splitter="random")) for name, tree in sure]
    hard = MajorityVote(sure, kind="hard").fit(X, y).predict_proba(new)
    soft = MajorityVote(sure, kind="soft").fit(X, y).predict_proba(new)
    np.testing.assert_allclose(hard, soft)


def test_margin_of_the_thesis():
    """4.1.1: 50 votes for class 1, 30 for class 2, 20 for class 3."""
    label = np.repeat([0, 1, 2], [50, 30, 20])[None]
    shares = np.repeat(next(staged_shares(label, np.ones(100), 3, [100])), 3, axis=0)
    np.testing.assert_allclose(margins_of(shares, np.arange(3)), [0.2, -0.2, -0.3])


def test_fitted_models_vote_as_they_are(blobs):
    X, y, new, _ = blobs
    models = [model.fit(X, y) for _, model in MODELS]
    expected = MajorityVote(MODELS).fit(X, y).predict(new)
    np.testing.assert_array_equal(MajorityVote(models, fitted=True).fit().predict(new), expected)
    frozen = [FrozenEstimator(model) for model in models]
    np.testing.assert_array_equal(MajorityVote(frozen).fit(X[:8], y[:8]).predict(new), expected)
    with pytest.raises(NotFittedError):
        MajorityVote([GaussianNB()], fitted=True).fit()


def test_stages_add_one_model_at_a_time(blobs):
    X, y, new, truth = blobs
    vote = MajorityVote(MODELS, kind="soft").fit(X, y)
    stages = list(vote.staged_predict(new))
    np.testing.assert_array_equal(stages[0], vote.estimators_[0].predict(new))
    np.testing.assert_array_equal(stages[-1], vote.predict(new))
    assert list(vote.staged_score(new, truth))[-1] == vote.score(new, truth)
    np.testing.assert_allclose(list(vote.staged_margins(new, truth))[-1], vote.margins(new, truth))


def test_one_fit_gives_the_votes_and_the_models(blobs):
    X, y, _, _ = blobs
    data = hl.Dataset.of(X, y)
    table = hl.run({"vote": MajorityVote(MODELS)}, data, hl.KFold(4), seed=1)
    names = ("vote", "vote/hard", "vote/soft", "vote/bayes", "vote/line", "vote/tree")
    assert table.models == names
    assert np.array_equal(table.only("vote").y_pred, table.only("vote/hard").y_pred)
    alone = hl.run({"bayes": GaussianNB()}, data, hl.KFold(4), seed=1)
    assert np.array_equal(table.only("vote/bayes").y_pred, alone.y_pred)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"estimators": []}, "or a list of models"),
        ({"estimators": [("a", GaussianNB()), ("a", GaussianNB())]}, "'a' occurs twice"),
        ({"estimators": MODELS, "weights": [1, 2]}, "give one for each of bayes, line, tree"),
        ({"estimators": MODELS, "weights": {"bayes": 1}}, "give one for each of bayes, line, tree"),
        ({"estimators": MODELS, "weights": [0, 0, 0]}, "not all 0"),
        ({"estimators": MODELS, "kind": "loud"}, "kind='loud'"),
        ({"estimators": 3}, "or a list of models"),
        ({"estimators": MODELS, "kind": "median"}, "for classification choose 'hard' or 'soft'"),
        ({"estimators": NUMBERS, "kind": "hard"}, "for regression choose 'mean' or 'median'"),
        (
            {"estimators": [GaussianNB(), Ridge()]},
            "'gaussiannb0' .*, 'ridge1' .* cannot vote together",
        ),
        (
            {"estimators": {"scale": StandardScaler()}},
            "'scale' .* cannot vote together",
        ),
        ({"estimators": {"hard": GaussianNB()}}, "'hard' .* is what a vote itself is called"),
        ({"estimators": {"mean": Ridge()}}, "'mean' .* is what a vote itself is called"),
    ],
)
def test_refusals(blobs, options, words):
    with pytest.raises(InputError, match=words):
        MajorityVote(**options).fit(*blobs[:2])


def test_a_soft_vote_needs_probabilities(blobs):
    X, y, new, _ = blobs
    vote = MajorityVote([("line", LinearSVC())], kind="soft").fit(X, y)
    with pytest.raises(AttributeError, match="predict_proba"):
        vote.predict(new)
    with pytest.raises(InputError, match="'yew' is none of the classes"):
        vote.margins(new[:1], ["yew"])


# --- numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [None, [1.0, 2.5, 0.5], [0, 1, 2]])
def test_the_mean_is_that_of_scikit_learn(waves, weights):
    X, y, new, truth = waves
    rows = np.random.default_rng(0).random(y.size)
    ours = MajorityVote(NUMBERS, weights).fit(X, y, sample_weight=rows)
    theirs = VotingRegressor(NUMBERS, weights=weights).fit(X, y, sample_weight=rows)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new))
    assert ours.score(new, truth) == pytest.approx(theirs.score(new, truth))


@pytest.mark.parametrize("weights", [[1, 1, 1], [5, 1, 1], [1, 2, 4], [0, 2, 3], [1, 1, 2]])
def test_the_median_by_hand(waves, weights):
    X, y, new, _ = waves
    vote = MajorityVote(NUMBERS, weights, kind="median").fit(X, y)
    numbers = np.column_stack([model.predict(new) for model in vote.estimators_])
    for found, row in zip(vote.predict(new), numbers, strict=True):
        said = sorted(zip(row, weights, strict=True))
        spread_out = [number for number, weight in said for _ in range(2 * weight)]
        assert found == spread_out[sum(weights) - 1]


def test_the_task_follows_from_the_models(waves, blobs):
    of_numbers, of_classes = MajorityVote(NUMBERS), MajorityVote(MODELS)
    assert is_regressor(of_numbers)
    assert not is_classifier(of_numbers)
    assert is_classifier(of_classes)
    assert not is_regressor(of_classes)
    for name in ("predict_proba", "votes", "margins", "staged_votes", "staged_margins"):
        assert not hasattr(of_numbers, name)
        assert hasattr(of_classes, name)
    X, y, new, truth = waves
    turned = clone(of_classes).fit(*blobs[:2]).set_params(estimators=NUMBERS).fit(X, y)
    np.testing.assert_array_equal(turned.predict(new), of_numbers.fit(X, y).predict(new))
    assert turned.score(new, truth) == pytest.approx(r2_score(truth, turned.predict(new)))
    with pytest.raises(NotFittedError):
        MajorityVote(NUMBERS).predict(new)


def test_stages_outputs_and_searches_of_numbers(waves):
    X, y, new, truth = waves
    vote = MajorityVote(NUMBERS, kind="median").fit(X, y)
    stages = list(vote.staged_predict(new))
    np.testing.assert_array_equal(stages[0], vote.estimators_[0].predict(new))
    np.testing.assert_array_equal(stages[-1], vote.predict(new))
    assert list(vote.staged_score(new, truth))[-1] == pytest.approx(vote.score(new, truth))
    table = hl.run({"vote": vote}, hl.Dataset.of(X, y), hl.KFold(4), seed=1)
    names = ("vote", "vote/mean", "vote/median", "vote/line", "vote/tree", "vote/stump")
    assert table.models == names
    assert np.array_equal(table.only("vote").y_pred, table.only("vote/median").y_pred)
    search = GridSearchCV(MajorityVote(NUMBERS), {"kind": ["mean", "median"]}, cv=3).fit(X, y)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])


def test_fitted_models_of_numbers_vote_as_they_are(waves):
    X, y, new, _ = waves
    models = [model.fit(X, y) for _, model in NUMBERS]
    expected = MajorityVote(NUMBERS).fit(X, y).predict(new)
    np.testing.assert_array_equal(MajorityVote(models, fitted=True).fit().predict(new), expected)
    with pytest.raises(NotFittedError):
        MajorityVote([Ridge()], fitted=True).fit()
    with pytest.raises(ValueError, match="y contains NaN"):
        MajorityVote(NUMBERS).fit(X, np.where(y == y[0], np.nan, y))
