"""AdaBoost.R2: a slow twin, and scikit-learn's with the same samples."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor
from tests.naive.boosting import adaboost_r2

import heliast as hl
from heliast import BoostedMedian, InputError
from heliast.ensembles import _boosting
from heliast.ensembles._base import bootstrap_counts, generator, root_seed
from heliast.ensembles._voting import weighted_median

LOSSES = ["linear", "square", "exponential"]
KNN = KNeighborsRegressor(4)
"""Draws nothing by itself, so that scikit-learn's samples can be drawn again."""


@pytest.mark.parametrize("loss", LOSSES)
def test_with_the_samples_of_scikit_learn_it_is_scikit_learn(waves, loss, monkeypatch):
    X, y, new, _ = waves
    theirs = AdaBoostRegressor(KNN, n_estimators=12, loss=loss, random_state=7).fit(X, y)
    state = np.random.RandomState(7)

    def draw(rng, n, shares):
        picked = state.choice(np.arange(y.size), size=y.size, replace=True, p=shares)
        return np.bincount(picked, minlength=y.size)

    monkeypatch.setattr(_boosting, "bootstrap_counts", draw)
    ours = BoostedMedian(KNN, 12, loss=loss).fit(X, y)
    kept = len(ours.estimators_)
    assert kept == len(theirs.estimators_) > 4
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_[:kept])
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_[:kept])
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new))


@pytest.mark.parametrize("loss", LOSSES)
def test_is_its_twin(waves, loss):
    X, y, new, _ = waves
    vote = BoostedMedian(KNN, 10, loss=loss, random_state=2).fit(X, y)
    root = root_seed(2)

    def fit(counts):
        rows = np.repeat(np.arange(y.size), counts)
        return KNeighborsRegressor(4).fit(X[rows], y[rows]).predict(X)

    def pick(t, w):
        return bootstrap_counts(generator(root, t, 0), len(w), np.array(w))

    twin = adaboost_r2(fit, y, 10, loss, pick)
    np.testing.assert_allclose(vote.estimator_errors_, [e for _, e, _ in twin])
    np.testing.assert_allclose(vote.estimator_weights_, [a for _, _, a in twin])
    numbers = np.array([m.predict(new) for m in vote.estimators_.models])
    for at, found in enumerate(vote.predict(new)):
        order = np.argsort(numbers[:, at])
        reached, half = 0.0, vote.estimator_weights_.sum() / 2
        for b in order:
            reached += vote.estimator_weights_[b]
            if reached >= half:
                break
        assert found == numbers[b, at]


def test_errs_as_scikit_learn_does(waves):
    X, y, new, truth = waves
    tree = DecisionTreeRegressor(max_depth=3)
    ours, theirs = (
        np.array([np.mean((m(s).fit(X, y).predict(new) - truth) ** 2) for s in range(12)])
        for m in (
            lambda s: BoostedMedian(tree, 20, random_state=s),
            lambda s: AdaBoostRegressor(tree, n_estimators=20, random_state=s),
        )
    )
    se = np.sqrt(ours.var(ddof=1) / 12 + theirs.var(ddof=1) / 12)
    assert abs(ours.mean() - theirs.mean()) < 4 * se


def test_better_than_its_base(waves):
    X, y, new, truth = waves
    tree = DecisionTreeRegressor(max_depth=3, random_state=0)
    alone = tree.fit(X, y).score(new, truth)
    assert BoostedMedian(tree, 30, random_state=0).fit(X, y).score(new, truth) > alone + 0.05


def test_stages(waves):
    X, y, new, truth = waves
    vote = BoostedMedian(KNN, 8, random_state=2).fit(X, y)
    stages = list(vote.staged_predict(new))
    np.testing.assert_array_equal(stages[0], vote.estimators_[0].predict(new))
    np.testing.assert_array_equal(stages[-1], vote.predict(new))
    assert list(vote.staged_score(new, truth))[-1] == pytest.approx(vote.score(new, truth))
    table = hl.run({"boost": vote}, hl.Dataset.of(X, y), hl.KFold(3), seed=1)
    assert "boost/B=5" in table.models


def test_the_weighted_average_of_the_slides(waves):
    """Slides-r, 'Application multiple models': w_k = -log(e_k/(1 - e_k)), numbers are averaged."""
    X, y, new, _ = waves
    vote = BoostedMedian(KNN, 8, combine="mean", random_state=2).fit(X, y)
    weights = -np.log(vote.estimator_errors_ / (1 - vote.estimator_errors_))
    numbers = np.array([model.predict(new) for model in vote.estimators_.models])
    np.testing.assert_allclose(vote.predict(new), weights @ numbers / weights.sum())
    stages = list(vote.staged_predict(new))
    np.testing.assert_array_equal(stages[-1], vote.predict(new))
    np.testing.assert_allclose(stages[1], weights[:2] @ numbers[:2] / weights[:2].sum())


def test_one_fit_gives_the_median_and_the_mean(waves):
    X, y, new, _ = waves
    by = {how: BoostedMedian(KNN, 8, combine=how, random_state=2) for how in ("median", "mean")}
    said = {how: {s: n for s, n, _ in vote.fit(X, y).outputs(new)} for how, vote in by.items()}
    assert list(said["median"]) == ["B=1", "B=2", "B=5", "B=8"] + [
        f"mean/B={b}" for b in (1, 2, 5, 8)
    ]
    for stage in (1, 2, 5, 8):
        for one, other in (("median", "mean"), ("mean", "median")):
            np.testing.assert_array_equal(said[one][f"B={stage}"], said[other][f"{one}/B={stage}"])
    np.testing.assert_array_equal(said["mean"]["B=8"], by["mean"].predict(new))
    np.testing.assert_array_equal(said["median"]["B=8"], by["median"].predict(new))


def test_rounds_that_end_early_are_offered_at_every_stage(waves):
    """Splits end at different rounds: without this, none of the last stages has every row."""
    X, _, new, _ = waves
    vote = BoostedMedian(DecisionTreeRegressor(), 20, random_state=0).fit(X, X[:, 0] > 0)
    assert len(vote.estimators_) < 20
    said = {suffix: number for suffix, number, _ in vote.outputs(new)}
    assert [suffix for suffix in said if "/" not in suffix] == [f"B={b}" for b in (1, 2, 5, 10, 20)]
    np.testing.assert_array_equal(said["B=20"], vote.predict(new))


def test_half_of_the_weight_is_half_in_any_order():
    """0.1 + 0.2 is above 0.3 in the last digit, so that the larger number came out."""
    weights = np.array([0.1, 0.2, 0.3])
    rows = np.array([[2.0, 3.0, 1.0], [1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(weighted_median(rows, weights), [1.0, 2.0])


def test_a_perfect_member_ends_the_rounds(waves):
    y = np.repeat([1.0, 5.0], 40)
    vote = BoostedMedian(DecisionTreeRegressor(), 5, random_state=0).fit(y[:, None], y)
    assert len(vote.estimators_) == 1
    assert vote.stopped_ == "a member without error in round 1"
    np.testing.assert_allclose(vote.predict(y[:, None]), y)


def test_weak_from_the_start():
    X = np.zeros((4, 1))
    y = np.array([0.0, 1.0, 0.0, 1.0])  # every row errs by the same: the loss is 1
    with pytest.warns(ConvergenceWarning, match=r"no member with error below 0\.5"):
        vote = BoostedMedian(Ridge(), 5, random_state=8).fit(X, y)
    np.testing.assert_allclose(vote.predict(X), 0.5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"loss": "cubic"}, "loss='cubic'"),
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"combine": "mode"}, "combine='mode': choose 'median', 'mean'"),
    ],
)
def test_refusals(waves, options, words):
    with pytest.raises(InputError, match=words):
        BoostedMedian(**{"estimator": KNN, **options}).fit(*waves[:2])
