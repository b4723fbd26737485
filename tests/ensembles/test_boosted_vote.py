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
from heliast import BoostedVote, InputError
from heliast.ensembles._boosting import vote_weight
from heliast.ensembles._draws import counts_from, generator, root_seed

STUMP = DecisionTreeClassifier(max_depth=1)
SHALLOW = DecisionTreeClassifier(max_depth=2)


def test_vote_weights_of_example_22_14():
    """From the printed errors; the printed weights .944 .826 1.559 .935 agree within .003."""
    found = [vote_weight(e) for e in (0.280, 0.305, 0.174, 0.282)]
    np.testing.assert_allclose(found, [0.9445, 0.8236, 1.5575, 0.9346], atol=5e-5)
    np.testing.assert_allclose(found, [0.944, 0.826, 1.559, 0.935], atol=0.003)


def test_two_members_vote_as_the_heavier():
    """Example 22.14 prints 0.253 for two members; with a1 > a2 the first alone decides: 0.280."""
    from heliast.ensembles._ballots import Ballots

    both = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    weights = np.array([vote_weight(0.280), vote_weight(0.305)])
    assert Ballots(both, weights, 2).shares().argmax(axis=1).tolist() == [0, 0, 1, 1]


def pick_as(vote):
    root = root_seed(vote.random_state)

    def pick(t, attempt, w):
        w = np.array(w)
        return counts_from(w, w.size, generator(root, t, attempt))

    return pick


def twin_of(vote, X, y, k=2):
    """The same rounds by the slow twin."""
    on_weak = vote.on_weak or ("redraw" if vote.draw == "resample" else "stop")

    def fit(by):
        model = clone(vote.base)
        if vote.draw == "reweight":
            return model.fit(X, y, sample_weight=by).predict(X)
        rows = np.repeat(np.arange(len(y)), by)
        return model.fit(X[rows], y[rows]).predict(X)

    return adaboost(
        fit, y, vote.rounds, vote.draw, vote.error, on_weak, pick_as(vote), k, vote.redraws
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
    ("reweight", "weighted", "reset"),
    ("reweight", "weighted", "skip"),
    ("reweight", "weighted", "stop"),
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
    assert len(vote.members_) == len(twin) > 0
    np.testing.assert_allclose(vote.errors_, [e for _, e, _ in twin], atol=1e-9)
    np.testing.assert_allclose(vote.weights_, [a for _, _, a in twin], atol=1e-9)
    for b, (label, _, _) in enumerate(twin):
        np.testing.assert_array_equal(vote.members_[b].predict(X), label)


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
    assert len(found["redraw"].members_) == len(found["reset"].members_) == 12
    assert len(found["stop"].members_) < len(found["skip"].members_) < 12


@pytest.mark.parametrize("task", ["rings", "blobs"])
def test_agrees_with_scikit_learn(request, task):
    X, y, new, _ = request.getfixturevalue(task)
    ours = BoostedVote(SHALLOW, 25, draw="reweight", multiclass="samme", random_state=0).fit(X, y)
    theirs = AdaBoostClassifier(SHALLOW, n_estimators=25, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.errors_, theirs.estimator_errors_[: len(ours.errors_)])
    np.testing.assert_allclose(ours.weights_, theirs.estimator_weights_[: len(ours.weights_)])
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    for a, b in zip(ours.staged_predict(new), theirs.staged_predict(new), strict=True):
        np.testing.assert_array_equal(a, b)


def test_samme_changes_nothing_for_two_classes(rings):
    X, y, _, _ = rings
    plain, samme = (
        BoostedVote(STUMP, 10, multiclass=m, random_state=1).fit(X, y) for m in ("m1", "samme")
    )
    np.testing.assert_array_equal(plain.weights_, samme.weights_)


def test_samme_goes_on_where_the_documents_rule_ends(blobs):
    """Four classes: a stump errs half of the time, which is less than guessing does."""
    X, y, _, _ = blobs
    samme = BoostedVote(STUMP, 40, draw="reweight", multiclass="samme", random_state=1).fit(X, y)
    assert samme.errors_[0] == pytest.approx(0.5)
    assert len(samme.members_) == 40
    with pytest.warns(ConvergenceWarning, match=r"no member with error below 0\.5"):
        plain = BoostedVote(STUMP, 40, draw="reweight", multiclass="m1", random_state=1).fit(X, y)
    assert len(plain.members_) == 1


def test_training_error_stays_below_the_bound(rings):
    """Freund and Schapire (1997): at most the product of 2 sqrt(e (1 - e)), two classes."""
    X, y, _, _ = rings
    vote = BoostedVote(STUMP, 60, draw="reweight", random_state=1).fit(X, y)
    bound = np.cumprod(2 * np.sqrt(vote.errors_ * (1 - vote.errors_)))
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
    vote, base = scripted([0, 1], [], [3], rounds=5, draw="reweight")
    assert len(vote.members_) == 2
    assert vote.errors_.tolist() == [0.2, 0.0]
    assert vote.stopped_ == "a member without error in round 2"
    assert base.lessons == [[3]]
    # The lightest rows weigh 1/16 now: the perfect member votes as if half of one were wrong.
    np.testing.assert_allclose(vote.weights_, [np.log(4), np.log(31)])
    X, y = ten_rows()
    assert (vote.predict(X) == y).all()


def test_a_perfect_first_member_is_the_vote():
    vote, _ = scripted([], rounds=5)
    assert len(vote.members_) == 1
    np.testing.assert_allclose(vote.weights_, np.log(19))


BAD = list(range(6))


def test_stop_ends_before_the_weak_member():
    vote, base = scripted([0, 1], BAD, [3], rounds=5, draw="reweight", on_weak="stop")
    assert len(vote.members_) == 1
    assert "as bad as guessing" in vote.stopped_
    assert base.lessons == [[3]]


def test_skip_spends_the_round():
    vote, base = scripted([0, 1], BAD, [3], [4], rounds=3, draw="reweight", on_weak="skip")
    assert len(vote.members_) == 2
    assert vote.rounds_ == 3
    assert base.lessons == [[4]]
    # Weights after the first member: 1/4 for rows 0 and 1, 1/16 for the others.
    np.testing.assert_allclose(vote.errors_, [0.2, 1 / 16])


def test_reset_forgets_the_weights_and_does_not_spend_the_round():
    vote, _ = scripted([0, 1], BAD, [3], rounds=2, draw="reweight", on_weak="reset")
    np.testing.assert_allclose(vote.errors_, [0.2, 0.1])
    assert vote.redrawn_ == 1


def test_redraw_keeps_the_weights_and_does_not_spend_the_round():
    vote, _ = scripted([0, 1], BAD, BAD, [3], rounds=2, on_weak="redraw")
    np.testing.assert_allclose(vote.errors_, [0.2, 1 / 16])
    assert vote.redrawn_ == 2


def test_the_same_member_again_is_weak_however_its_error_is_rounded():
    """By the new weights the last member is wrong on exactly half."""
    for wrong in ([0], [0, 1], [0, 1, 2]):
        vote, _ = scripted(wrong, wrong, [5], rounds=3, draw="reweight", on_weak="stop")
        assert len(vote.members_) == 1


WORST = [0, 2, 3, 4, 5, 6, 7, 8]


def test_invert_votes_for_the_other_class():
    """Chapter, AdaBoost: 'Alternatively, one can simply invert the predictions for binary'."""
    bad, _ = scripted([0, 1], WORST, [3], rounds=3, draw="reweight", on_weak="invert")
    good, _ = scripted([0, 1], [1, 9], [3], rounds=3, draw="reweight", on_weak="stop")
    assert bad.errors_[1] > 0.5
    np.testing.assert_allclose(bad.errors_, [0.2, 1 - good.errors_[1], good.errors_[2]])
    np.testing.assert_allclose(bad.weights_, good.weights_ * [1, -1, 1])
    X, y = ten_rows()
    np.testing.assert_allclose(bad.votes(X), good.votes(X))
    np.testing.assert_allclose(bad.margins(X, y), good.margins(X, y))
    stages = zip(bad.staged_votes(X), good.staged_votes(X), strict=True)
    assert all(np.allclose(one, other) for one, other in stages)


def test_an_inverted_member_without_error_ends_the_rounds():
    vote, _ = scripted([0, 1], list(range(10)), [3], rounds=3, draw="reweight", on_weak="invert")
    np.testing.assert_allclose(vote.weights_, [np.log(4), -np.log(31)])
    X, y = ten_rows()
    assert (vote.predict(X) == y).all()


def test_the_opposite_of_guessing_is_guessing():
    vote, base = scripted([0, 1], [0, 1], [3], rounds=3, draw="reweight", on_weak="invert")
    assert len(vote.members_) == 1
    assert base.lessons == [[3]]
    drawn, _ = scripted([0, 1], [0, 1], [3], rounds=2, draw="resample", on_weak="invert")
    assert drawn.redrawn_ == 1
    assert len(drawn.members_) == 2


def test_invert_on_data_with_trees_grown_together_and_any_base(rings):
    X, y = rings[0], (rings[1] == rings[1][0]) * 1
    noisy = np.where(np.random.default_rng(0).random(len(y)) < 0.45, 1 - y, y)
    for base in (hl.Tree(max_depth=1), STUMP):
        vote = BoostedVote(base, 60, draw="resample", on_weak="invert", random_state=0)
        vote.fit(X[:60], noisy[:60])
        assert (vote.weights_ < 0).any()
        label = np.column_stack([member.predict(X) for member in vote.members_])
        total = np.where(label == 1, 1.0, -1.0) @ vote.weights_
        clear = np.abs(total) > 1e-9
        assert np.array_equal(vote.predict(X)[clear], (total > 0)[clear] * 1)


@pytest.mark.parametrize("on_weak", ["redraw", "reset"])
def test_redraws_have_a_limit_and_a_clear_end(on_weak):
    vote, base = scripted([0, 1], *[BAD] * 9, rounds=9, on_weak=on_weak, redraws=3)
    assert len(vote.members_) == 1
    assert vote.stopped_ == "4 samples in round 2 gave no member with error below 0.5"
    assert len(base.lessons) == 5


def test_without_any_useful_member_one_is_left_and_it_is_said():
    with pytest.warns(ConvergenceWarning, match="gave no member with error below 0.5"):
        vote, _ = scripted(*[BAD] * 4, rounds=5, draw="resample", redraws=3)
    assert len(vote.members_) == 1
    assert vote.weights_.tolist() == [1.0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"on_weak": "turn"}, "choose 'redraw', 'reset', 'skip', 'invert', 'stop'"),
        ({"draw": "reweight", "on_weak": "redraw"}, "on_weak='redraw' needs draw='resample'"),
        ({"draw": "reweight", "error": "resample"}, "error='resample' needs draw='resample'"),
        ({"draw": "reweight", "stop": "out_of_bag"}, "stop='out_of_bag' needs draw='resample'"),
        ({"draw": "shuffle"}, "draw='shuffle': choose"),
        ({"error": "all"}, "error='all': choose"),
        ({"on_weak": "cry"}, "on_weak='cry': choose"),
        ({"multiclass": "mh"}, "multiclass='mh': choose"),
        ({"stop": "now"}, "stop='now': choose"),
        ({"stop": "validation", "validation": 2}, "validation=2"),
        ({"rounds": 0}, "rounds=0"),
        ({"learning_rate": 0}, "learning_rate above 0"),
        ({"base": KNeighborsClassifier(), "draw": "reweight"}, "KNeighborsClassifier.fit takes no"),
    ],
)
def test_refusals(rings, options, words):
    with pytest.raises(InputError, match=words):
        BoostedVote(**{"base": STUMP, "rounds": 3, **options}).fit(*rings[:2])


def test_only_two_classes_have_opposites(blobs):
    with pytest.raises(InputError, match="is for two classes, y holds 4"):
        BoostedVote(on_weak="invert").fit(*blobs[:2])
    with pytest.raises(InputError, match="a number has no opposite"):
        hl.BoostedMedian(on_weak="invert").fit([[1.0], [2.0]], [1.0, 2.0])


def test_any_base_can_be_resampled(rings):
    X, y, new, truth = rings
    vote = BoostedVote(KNeighborsClassifier(5), 10, random_state=0).fit(X, y)
    assert vote.score(new, truth) > 0.8


def test_votes_margins_and_stages(blobs):
    X, y, new, truth = blobs
    vote = BoostedVote(SHALLOW, 15, multiclass="samme", random_state=0).fit(X, y)
    tally = sum(
        a * (m.predict(new)[:, None] == vote.classes_)
        for a, m in zip(vote.weights_, vote.members_.models, strict=True)
    )
    np.testing.assert_allclose(vote.votes(new), tally / vote.weights_.sum())
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


def test_stops_by_rows_set_aside(rings):
    X, y, _, _ = rings
    vote = BoostedVote(
        STUMP, 200, stop="validation", validation=0.25, patience=5, random_state=2
    ).fit(X, y)
    errors = vote.held_out_errors_
    assert len(vote.members_) == errors.argmin() + 1
    assert len(errors) == len(vote.members_) + 5 < 200
    assert "no better" in vote.stopped_


def test_stops_by_rows_not_drawn(rings):
    X, y, _, _ = rings
    vote = BoostedVote(STUMP, 30, stop="out_of_bag", patience=30, random_state=2).fit(X, y)
    whole = BoostedVote(STUMP, 30, draw="resample", random_state=2).fit(X, y)
    pick = pick_as(whole)
    w, tally, errors = np.full(len(y), 1 / len(y)), np.zeros((len(y), 2)), []
    for t, (e, a) in enumerate(zip(whole.errors_, whole.weights_, strict=True)):
        out = pick(t, 0, w) == 0
        said = whole.members_[t].predict(X)
        tally[out] += a * (said[out, None] == whole.classes_)
        judged = tally.any(axis=1)
        errors.append(np.mean(whole.classes_[tally[judged].argmax(axis=1)] != y[judged]))
        w = w * np.where(said != y, (1 - e) / e, 1)
        w = w / w.sum()
    if whole.redrawn_ == 0:
        np.testing.assert_allclose(vote.held_out_errors_, errors)
        assert len(vote.members_) == np.argmin(errors) + 1


def test_weights_of_rows_are_where_it_begins(rings):
    X, y, _, _ = rings
    weight = np.where(y == "in", 3.0, 1.0)
    vote = BoostedVote(STUMP, 1, draw="reweight", random_state=0).fit(X, y, sample_weight=weight)
    said = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=weight).predict(X)
    np.testing.assert_allclose(vote.errors_, [weight[said != y].sum() / weight.sum()])


def test_all_stages_come_from_one_run(rings):
    X, y, _, _ = rings
    table = hl.run({"boost": BoostedVote(STUMP, 6)}, hl.Dataset.of(X, y), hl.KFold(3), seed=1)
    assert table.models == ("boost", "boost/B=1", "boost/B=2", "boost/B=5", "boost/B=6")
    assert np.array_equal(table.only("boost").label, table.only("boost/B=6").label)
