"""Boosting for classes: the documents' rules, a slow twin for every variant, scikit-learn's."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from tests.naive.boosting import adaboost

import heliast as hl
from heliast import BaggedVote, BoostedVote, InputError
from heliast.ensembles import vote_weight
from heliast.ensembles._base import bootstrap_counts, generator, root_seed
from heliast.ensembles._voting import staged_shares

STUMP = DecisionTreeClassifier(max_depth=1)
SHALLOW = DecisionTreeClassifier(max_depth=2)


def test_vote_weights_of_example_22_14():
    """From the printed errors; the printed weights .944 .826 1.559 .935 agree within .003."""
    found = [vote_weight(e) for e in (0.280, 0.305, 0.174, 0.282)]
    np.testing.assert_allclose(found, [0.9445, 0.8236, 1.5575, 0.9346], atol=5e-5)
    np.testing.assert_allclose(found, [0.944, 0.826, 1.559, 0.935], atol=0.003)


def test_two_members_vote_as_the_heavier():
    """Example 22.14 prints 0.253 for two members; with a1 > a2 the first alone decides: 0.280."""
    both = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    weights = np.array([vote_weight(0.280), vote_weight(0.305)])
    assert next(staged_shares(both, weights, 2, [2])).argmax(axis=1).tolist() == [0, 0, 1, 1]


def pick_as(vote):
    root = root_seed(vote.random_state)

    def pick(t, attempt, w):
        w = np.array(w)
        return bootstrap_counts(generator(root, t, attempt), w.size, w)

    return pick


def twin_of(vote, X, y, k=2):
    """The same rounds by the slow twin."""
    on_weak = vote.on_weak or ("redraw" if vote.draw == "resample" else "stop")

    def fit(by):
        model = clone(vote.estimator)
        if vote.draw == "weights":
            return model.fit(X, y, sample_weight=by).predict(X)
        rows = np.repeat(np.arange(len(y)), by)
        return model.fit(X[rows], y[rows]).predict(X)

    return adaboost(
        fit, y, vote.n_estimators, vote.draw, vote.error, on_weak, pick_as(vote), k, vote.redraws
    )


BASES = {"rings": LogisticRegression(), "blobs": GaussianNB()}
"""A line soon is a weak member for a ring: some rounds fail. Neither leaves anything to chance."""


def ninety(request, task):
    X, y = (part[:90] for part in request.getfixturevalue(task)[:2])
    return (np.column_stack([X[:, 0] ** 2, X[:, 1]]) if task == "rings" else X), y


VARIANTS = [
    ("resample", "weighted", "redraw"),
    ("resample", "weighted", "reset"),
    ("resample", "weighted", "skip"),
    ("resample", "weighted", "stop"),
    ("resample", "resample", "redraw"),
    ("resample", "resample", "reset"),
    ("resample", "resample", "skip"),
    ("weights", "weighted", "reset"),
    ("weights", "weighted", "skip"),
    ("weights", "weighted", "stop"),
]


@pytest.mark.parametrize(("draw", "error", "on_weak"), VARIANTS)
@pytest.mark.parametrize("task", BASES)
def test_every_variant_is_its_twin(request, task, draw, error, on_weak):
    X, y = ninety(request, task)
    vote = BoostedVote(
        BASES[task], 12, draw=draw, multiclass="m1", error=error, on_weak=on_weak, redraws=5,
        random_state=3,
    ).fit(X, y)  # fmt: skip
    twin = twin_of(vote, X, y)
    assert len(vote.estimators_) == len(twin) > 0
    np.testing.assert_allclose(vote.estimator_errors_, [e for _, e, _ in twin], atol=1e-9)
    np.testing.assert_allclose(vote.estimator_weights_, [a for _, _, a in twin], atol=1e-9)
    for b, (label, _, _) in enumerate(twin):
        np.testing.assert_array_equal(vote.estimators_[b].predict(X), label)


def test_the_variants_differ_where_members_are_weak(request):
    X, y = ninety(request, "rings")
    found = {
        on_weak: BoostedVote(
            BASES["rings"], 12, draw="resample", on_weak=on_weak, random_state=3
        ).fit(X, y)
        for on_weak in ("redraw", "reset", "skip", "stop")
    }
    assert found["redraw"].redrawn_ > 0
    assert found["reset"].redrawn_ > 0
    assert len(found["redraw"].estimators_) == len(found["reset"].estimators_) == 12
    assert len(found["stop"].estimators_) < len(found["skip"].estimators_) < 12


@pytest.mark.parametrize("task", ["rings", "blobs"])
def test_agrees_with_scikit_learn(request, task):
    X, y, new, _ = request.getfixturevalue(task)
    ours = BoostedVote(SHALLOW, 25, draw="weights", multiclass="samme", random_state=0).fit(X, y)
    theirs = AdaBoostClassifier(SHALLOW, n_estimators=25, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        ours.estimator_errors_, theirs.estimator_errors_[: len(ours.estimator_errors_)]
    )
    np.testing.assert_allclose(
        ours.estimator_weights_, theirs.estimator_weights_[: len(ours.estimator_weights_)]
    )
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    for a, b in zip(ours.staged_predict(new), theirs.staged_predict(new), strict=True):
        np.testing.assert_array_equal(a, b)


def test_samme_changes_nothing_for_two_classes(rings):
    X, y, _, _ = rings
    plain, samme = (
        BoostedVote(STUMP, 10, multiclass=m, random_state=1).fit(X, y) for m in ("m1", "samme")
    )
    np.testing.assert_array_equal(plain.estimator_weights_, samme.estimator_weights_)


def test_samme_goes_on_where_the_documents_rule_ends(blobs):
    """Four classes: a stump errs half of the time, which is less than guessing does."""
    X, y, _, _ = blobs
    samme = BoostedVote(STUMP, 40, draw="weights", multiclass="samme", random_state=1).fit(X, y)
    assert samme.estimator_errors_[0] == pytest.approx(0.5)
    assert len(samme.estimators_) == 40
    with pytest.warns(ConvergenceWarning, match=r"no member with error below 0\.5"):
        plain = BoostedVote(STUMP, 40, draw="weights", multiclass="m1", random_state=1).fit(X, y)
    assert len(plain.estimators_) == 1


def test_training_error_stays_below_the_bound(rings):
    """Freund and Schapire (1997): at most the product of 2 sqrt(e (1 - e)), two classes."""
    X, y, _, _ = rings
    vote = BoostedVote(STUMP, 60, draw="weights", random_state=1).fit(X, y)
    bound = np.cumprod(2 * np.sqrt(vote.estimator_errors_ * (1 - vote.estimator_errors_)))
    wrong = np.array([np.mean(label != y) for label in vote.staged_predict(X)])
    assert (wrong <= bound + 1e-12).all()
    assert bound[-1] < 0.5


class Scripted(ClassifierMixin, BaseEstimator):
    """Says what the list of its lessons tells: how many of the rows it has wrong, fit by fit."""

    def __init__(self, lessons=None):
        self.lessons = lessons

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.array([0, 1])
        self.wrong_ = self.lessons.pop(0)
        return self

    def predict(self, X):
        truth = X[:, 1].astype(int)
        return np.where(np.isin(X[:, 0], self.wrong_), 1 - truth, truth)

    def __sklearn_clone__(self):  # copies share the list, so that each fit takes the next lesson
        return self.__class__(self.lessons)


def ten_rows():
    truth = np.arange(10) % 2
    return np.column_stack([np.arange(10), truth]), truth


def scripted(*lessons, **options):
    X, y = ten_rows()
    base = Scripted(list(lessons))
    return BoostedVote(base, random_state=0, **options).fit(X, y), base


def test_a_member_without_error_is_kept_and_ends_the_rounds():
    vote, base = scripted([0, 1], [], [3], n_estimators=5, draw="weights")
    assert len(vote.estimators_) == 2
    assert vote.estimator_errors_.tolist() == [0.2, 0.0]
    assert vote.stopped_ == "a member without error in round 2"
    assert base.lessons == [[3]]
    # The lightest rows weigh 1/16 now: the perfect member votes as if half of one were wrong.
    np.testing.assert_allclose(vote.estimator_weights_, [np.log(4), np.log(31)])
    X, y = ten_rows()
    assert (vote.predict(X) == y).all()


def test_a_member_without_error_is_skipped_where_that_is_asked_for():
    """Slides-r: with error 0 a model is not added, and the loop goes on with the same weights."""
    vote, base = scripted([0, 1], [], [3], [4], n_estimators=3, on_perfect="skip")
    assert vote.estimator_errors_.tolist() == pytest.approx([0.2, 1 / 16])
    assert (vote.n_iter_, vote.stopped_, base.lessons) == (3, "", [[4]])
    with pytest.warns(ConvergenceWarning, match="the last one tried stands alone"):
        always, _ = scripted([], [], n_estimators=2, on_perfect="skip")
    assert always.estimator_weights_.tolist() == [1.0]


@pytest.mark.parametrize("seed", range(3))
def test_the_rules_of_the_slides_are_their_twin(seed):
    """Models with error 0 or of 0.5 and more are not added; every model learns from a sample."""
    X = np.arange(24.0)[:, None]
    y = (X[:, 0] > 11).astype(int)  # right if both neighbours of the threshold are drawn
    vote = BoostedVote(
        STUMP, 15, draw="resample", on_weak="skip", on_perfect="skip", random_state=seed
    ).fit(X, y)
    pick = pick_as(vote)

    def fit(counts):
        rows = np.repeat(np.arange(24), counts)
        return clone(STUMP).fit(X[rows], y[rows]).predict(X)

    twin = adaboost(fit, y, 15, "resample", "weighted", "skip", pick, on_perfect="skip")
    assert 0 < len(twin) < 15
    np.testing.assert_allclose(vote.estimator_errors_, [e for _, e, _ in twin])
    np.testing.assert_allclose(vote.estimator_weights_, [a for _, _, a in twin])


@pytest.mark.parametrize("base", [GaussianNB(), STUMP, hl.Tree(max_depth=3)])
@pytest.mark.parametrize("weight", [None, "own"])
def test_bagging_is_the_special_case_with_even_weights_and_votes(blobs, base, weight):
    """Chapter 22: AdaBoost with w = 1/n and a = 1 in all rounds is bagging, to the last vote."""
    X, y, new, _ = blobs
    rows = None if weight is None else np.arange(len(y)) % 3 + 0.5
    boosted = BoostedVote(base, 15, reweight=False, random_state=4).fit(X, y, sample_weight=rows)
    bagged = BaggedVote(base, 15, random_state=4).fit(X, y, sample_weight=rows)
    np.testing.assert_array_equal(boosted.estimator_weights_, np.ones(15))
    np.testing.assert_array_equal(boosted.votes(new), bagged.votes(new))
    np.testing.assert_array_equal(boosted.predict(new), bagged.predict(new))


def test_a_perfect_first_member_is_the_vote():
    vote, _ = scripted([], n_estimators=5)
    assert len(vote.estimators_) == 1
    np.testing.assert_allclose(vote.estimator_weights_, np.log(19))


BAD = list(range(6))


def test_stop_ends_before_the_weak_member():
    vote, base = scripted([0, 1], BAD, [3], n_estimators=5, draw="weights", on_weak="stop")
    assert len(vote.estimators_) == 1
    assert "as bad as guessing" in vote.stopped_
    assert base.lessons == [[3]]


def test_skip_spends_the_round():
    vote, base = scripted([0, 1], BAD, [3], [4], n_estimators=3, draw="weights", on_weak="skip")
    assert len(vote.estimators_) == 2
    assert vote.n_iter_ == 3
    assert base.lessons == [[4]]
    # Weights after the first member: 1/4 for rows 0 and 1, 1/16 for the others.
    np.testing.assert_allclose(vote.estimator_errors_, [0.2, 1 / 16])


def test_reset_forgets_the_weights_and_does_not_spend_the_round():
    vote, _ = scripted([0, 1], BAD, [3], n_estimators=2, draw="weights", on_weak="reset")
    np.testing.assert_allclose(vote.estimator_errors_, [0.2, 0.1])
    assert vote.redrawn_ == 1


def test_redraw_keeps_the_weights_and_does_not_spend_the_round():
    vote, _ = scripted([0, 1], BAD, BAD, [3], n_estimators=2, on_weak="redraw")
    np.testing.assert_allclose(vote.estimator_errors_, [0.2, 1 / 16])
    assert vote.redrawn_ == 2


def test_the_same_member_again_is_weak_however_its_error_is_rounded():
    """By the new weights the last member is wrong on exactly half."""
    for wrong in ([0], [0, 1], [0, 1, 2]):
        vote, _ = scripted(wrong, wrong, [5], n_estimators=3, draw="weights", on_weak="stop")
        assert len(vote.estimators_) == 1


WORST = [0, 2, 3, 4, 5, 6, 7, 8]


def test_invert_votes_for_the_other_class():
    """Chapter, AdaBoost: 'Alternatively, one can simply invert the predictions for binary'."""
    bad, _ = scripted([0, 1], WORST, [3], n_estimators=3, draw="weights", on_weak="invert")
    good, _ = scripted([0, 1], [1, 9], [3], n_estimators=3, draw="weights", on_weak="stop")
    assert bad.estimator_errors_[1] > 0.5
    np.testing.assert_allclose(
        bad.estimator_errors_, [0.2, 1 - good.estimator_errors_[1], good.estimator_errors_[2]]
    )
    np.testing.assert_allclose(bad.estimator_weights_, good.estimator_weights_ * [1, -1, 1])
    X, y = ten_rows()
    np.testing.assert_allclose(bad.votes(X), good.votes(X))
    np.testing.assert_allclose(bad.margins(X, y), good.margins(X, y))
    stages = zip(bad.staged_votes(X), good.staged_votes(X), strict=True)
    assert all(np.allclose(one, other) for one, other in stages)


def test_an_inverted_member_without_error_ends_the_rounds():
    vote, _ = scripted(
        [0, 1], list(range(10)), [3], n_estimators=3, draw="weights", on_weak="invert"
    )
    np.testing.assert_allclose(vote.estimator_weights_, [np.log(4), -np.log(31)])
    X, y = ten_rows()
    assert (vote.predict(X) == y).all()


def test_the_opposite_of_guessing_is_guessing():
    vote, base = scripted([0, 1], [0, 1], [3], n_estimators=3, draw="weights", on_weak="invert")
    assert len(vote.estimators_) == 1
    assert base.lessons == [[3]]
    drawn, _ = scripted([0, 1], [0, 1], [3], n_estimators=2, draw="resample", on_weak="invert")
    assert drawn.redrawn_ == 1
    assert len(drawn.estimators_) == 2


def test_invert_on_data_with_trees_grown_together_and_any_base(rings):
    X, y = rings[0], (rings[1] == rings[1][0]) * 1
    noisy = np.where(np.random.default_rng(0).random(len(y)) < 0.45, 1 - y, y)
    for base in (hl.Tree(max_depth=1), STUMP):
        vote = BoostedVote(base, 60, draw="resample", on_weak="invert", random_state=0)
        vote.fit(X[:60], noisy[:60])
        assert (vote.estimator_weights_ < 0).any()
        label = np.column_stack([member.predict(X) for member in vote.estimators_])
        total = np.where(label == 1, 1.0, -1.0) @ vote.estimator_weights_
        clear = np.abs(total) > 1e-9
        assert np.array_equal(vote.predict(X)[clear], (total > 0)[clear] * 1)


@pytest.mark.parametrize("on_weak", ["redraw", "reset"])
def test_redraws_have_a_limit_and_a_clear_end(on_weak):
    vote, base = scripted([0, 1], *[BAD] * 9, n_estimators=9, on_weak=on_weak, redraws=3)
    assert len(vote.estimators_) == 1
    assert vote.stopped_ == "4 samples in round 2 gave no member with error below 0.5"
    assert len(base.lessons) == 5


def test_without_any_useful_member_one_is_left_and_it_is_said():
    with pytest.warns(ConvergenceWarning, match="gave no member with error below 0.5"):
        vote, _ = scripted(*[BAD] * 4, n_estimators=5, draw="resample", redraws=3)
    assert len(vote.estimators_) == 1
    assert vote.estimator_weights_.tolist() == [1.0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"on_weak": "turn"}, "choose 'redraw', 'reset', 'skip', 'invert', 'stop'"),
        ({"draw": "weights", "on_weak": "redraw"}, "need draw='resample'"),
        ({"draw": "weights", "error": "resample"}, "need draw='resample'"),
        ({"draw": "shuffle"}, "draw='shuffle': choose"),
        ({"error": "all"}, "error='all': choose"),
        ({"on_weak": "cry"}, "on_weak='cry': choose"),
        ({"multiclass": "mh"}, "multiclass='mh': choose"),
        ({"on_perfect": "cry"}, "on_perfect='cry': choose"),
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"learning_rate": 0}, "learning_rate above 0"),
    ],
)
def test_refusals(rings, options, words):
    with pytest.raises(InputError, match=words):
        BoostedVote(**{"estimator": STUMP, "n_estimators": 3, **options}).fit(*rings[:2])


def test_only_two_classes_have_opposites(blobs):
    with pytest.raises(InputError, match="is for two classes, y holds 4"):
        BoostedVote(on_weak="invert").fit(*blobs[:2])


def test_any_base_can_be_resampled(rings):
    X, y, new, truth = rings
    vote = BoostedVote(KNeighborsClassifier(5), 10, random_state=0).fit(X, y)
    assert vote.score(new, truth) > 0.8


def test_votes_margins_and_stages(blobs):
    X, y, new, truth = blobs
    vote = BoostedVote(SHALLOW, 15, multiclass="samme", random_state=0).fit(X, y)
    tally = sum(
        a * (m.predict(new)[:, None] == vote.classes_)
        for a, m in zip(vote.estimator_weights_, vote.estimators_.models, strict=True)
    )
    np.testing.assert_allclose(vote.votes(new), tally / vote.estimator_weights_.sum())
    np.testing.assert_array_equal(vote.predict(new), vote.classes_[tally.argmax(axis=1)])
    wrong = vote.predict(new) != truth
    assert (vote.margins(new, truth)[wrong] <= 0).all()
    assert (vote.margins(new, truth)[~wrong] >= 0).all()
    staged = list(vote.staged_votes(new))
    np.testing.assert_allclose(staged[-1], vote.votes(new))
    shorter = BoostedVote(SHALLOW, 5, multiclass="samme", random_state=0).fit(X, y)
    np.testing.assert_allclose(staged[4], shorter.votes(new))
    assert [s for s, _, _ in vote.outputs(new)] == ["B=1", "B=2", "B=5", "B=10", "B=15"]


def test_margins_grow_while_the_training_error_is_0_already(rings):
    """Schapire and others (1998): boosting goes on to raise the low margins."""
    X, y, _, _ = rings
    vote = BoostedVote(DecisionTreeClassifier(max_depth=3), 120, random_state=2).fit(X, y)
    low = [np.quantile(m, 0.05) for m in vote.staged_margins(X, y)]
    assert np.mean(vote.predict(X) != y) == 0
    assert low[119] > low[29] > low[4]


def test_weights_of_rows_are_where_it_begins(rings):
    X, y, _, _ = rings
    weight = np.where(y == "in", 3.0, 1.0)
    vote = BoostedVote(STUMP, 1, draw="weights", random_state=0).fit(X, y, sample_weight=weight)
    said = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=weight).predict(X)
    np.testing.assert_allclose(vote.estimator_errors_, [weight[said != y].sum() / weight.sum()])


def test_all_stages_come_from_one_run(rings):
    X, y, _, _ = rings
    table = hl.run({"boost": BoostedVote(STUMP, 6)}, hl.Dataset.of(X, y), hl.KFold(3), seed=1)
    assert table.models == ("boost", "boost/B=1", "boost/B=2", "boost/B=5", "boost/B=6")
    assert np.array_equal(table.only("boost").y_pred, table.only("boost/B=6").y_pred)
