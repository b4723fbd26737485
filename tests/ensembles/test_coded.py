"""CodedVote: its parts put together as said, for any base and for trees."""

import pickle
import warnings
from math import inf

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import heliast as hl
from heliast import InputError, codes, decoders
from heliast.ensembles import CodedVote
from heliast.learners import Tree

DEEP = Tree(min_samples_leaf=1, min_samples_split=2, min_deviance=0)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], np.array(["red", "rosé", "white"])[y[order]]
    return X[:120], y[:120], X[120:], y[120:]


@pytest.fixture(scope="module")
def blobs():
    """Eight classes that overlap, train and test."""
    X, y = make_blobs(900, centers=8, n_features=6, cluster_std=4.0, random_state=3)
    return X[:500], y[:500], X[500:], y[500:]


@parametrize_with_checks(
    [
        CodedVote(random_state=0),
        CodedVote(GaussianNB(), decoder="ridge", random_state=0),
        CodedVote(decoder="substitution", random_state=0),
    ]
)
def test_sklearn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


# --- against peers and twins -----------------------------------------------------------------


def test_identity_code_is_scikit_learns_one_against_the_rest(blobs):
    X, y, new, _ = blobs
    ours = CodedVote(GaussianNB(), code="identity").fit(X, y)
    peer = OneVsRestClassifier(GaussianNB()).fit(X, y)
    assert np.array_equal(ours.predict(new), peer.predict(new))
    sides = np.column_stack([one.predict_proba(new)[:, 1] for one in peer.estimators_])
    assert ours.answers(new) == pytest.approx(sides)
    assert ours.scores(new, form="corrected") == pytest.approx(
        decoders.l1_probabilities(sides, codes.identity(8), "corrected")
    )


def by_hand(base, code, X, truth, new):
    """(n, B): what fitted copies of the base answer, column by column."""
    fitted = [clone(base).fit(X, code[truth, b]) for b in range(code.shape[1])]
    return np.column_stack([one.predict_proba(new)[:, 1] for one in fitted])


def nearest_word(vote, new):
    """The class whose word has the least sum of distances from the answers."""
    away = np.abs(vote.answers(new)[:, None, :] - vote.code_).sum(axis=2)
    return vote.classes_[away.round(12).argmin(axis=1)]


def test_every_decoder_from_one_fit(blobs):
    X, y, new, _ = blobs
    base = GaussianNB()
    code = codes.random(8, 30, 1)
    vote = CodedVote(base, code=code, lam=5.0).fit(X, y)
    p, trained = (by_hand(base, code, X, y, rows) for rows in (new, X))
    assert vote.answers(new) == pytest.approx(p)
    for columns in (3, 30):
        part, some = p[:, :columns], code[:, :columns]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = {
                "l1": decoders.l1(part, some),
                "regression": decoders.regression(part, some),
                "ridge": decoders.ridge(part, some, 5.0),
                "ridge_binary": decoders.ridge_binary(part, some, 5.0),
                "hamming": decoders.hamming(part, some),
                "loss_based": decoders.loss_based(part, some),
                "centroid": decoders.centroid(
                    part, decoders.centroids_of(trained[:, :columns], y, 8)
                ),
            }
            for name, scores in expected.items():
                found = vote.scores(new, name, columns)
                assert found == pytest.approx(scores), name
                label = vote.decode(new, decoder=name, code_length=columns)
                assert np.array_equal(label, vote.classes_[found.argmax(axis=1)])
    assert np.array_equal(vote.predict(new), vote.decode(new))


@pytest.mark.parametrize("base", [DecisionTreeClassifier(max_depth=4, random_state=0), DEEP])
def test_substitution_by_counting(blobs, base):
    X, y, new, _ = blobs
    vote = CodedVote(base, code_length=10, decoder="substitution", random_state=2).fit(X, y)
    here, there = vote.estimators_.leaves(X), vote.estimators_.leaves(new)
    found = vote.scores(new)
    for row in range(0, 400, 57):
        shares = [
            np.bincount(y[here[:, b] == there[row, b]], minlength=8)
            / (here[:, b] == there[row, b]).sum()
            for b in range(10)
        ]
        assert found[row] == pytest.approx(np.mean(shares, axis=0))
    assert found.sum(axis=1) == pytest.approx(1)
    four = vote.scores(new, code_length=4)
    assert np.array_equal(list(vote.staged_predict(new))[3], vote.classes_[four.argmax(axis=1)])


@pytest.mark.parametrize("base", [DEEP, DecisionTreeClassifier(random_state=0)])
def test_a_constant_column_has_one_leaf(blobs, base):
    X, y, new, _ = blobs
    code = np.column_stack([np.arange(8) % 2, np.ones(8, int)])
    vote = CodedVote(base, code=code, random_state=0).fit(X, y)
    assert (vote.answers(new)[:, 1] == 1).all()
    first = vote.scores(new, "substitution", 1)
    expected = (first + np.bincount(y) / y.size) / 2
    assert vote.scores(new, "substitution") == pytest.approx(expected)


class Plain(Tree):
    """A tree that the engine does not know: goes the way of any base."""


def test_trees_of_the_engine_are_the_trees_of_the_base(blobs):
    X, y, new, _ = blobs
    X, new = X[:, :1], new[:, :1]  # one input: equally good splits of two would be drawn among
    settings = {"min_samples_leaf": 3, "min_samples_split": 8}
    code = codes.random(8, 12, 1)
    fast = CodedVote(Tree(**settings), code=code, bins=None, random_state=0).fit(X, y)
    slow = CodedVote(Plain(**settings), code=code, random_state=0).fit(X, y)
    assert type(fast.estimators_) is not type(slow.estimators_)
    assert fast.answers(new) == pytest.approx(slow.answers(new), abs=1e-6)
    assert fast.estimators_[3].predict_proba(new)[:, 1] == pytest.approx(
        slow.estimators_[3].predict_proba(new)[:, 1]
    )
    for name in ("l1", "centroid", "substitution"):
        assert np.array_equal(fast.decode(new, name), slow.decode(new, name))


def test_texts_are_nominal_inputs():
    rng = np.random.default_rng(0)
    colour = rng.choice(["blue", "green", "red", "white"], 400)
    size = rng.normal(size=400)
    y = np.select([colour == "red", colour == "blue", size > 0], ["a", "b", "c"], "d")
    X = np.column_stack([colour.astype(object), size])
    for code in ("random", "trained"):
        vote = CodedVote(code=code, random_state=0).fit(X[:300], y[:300])
        assert (vote.predict(X[300:]) == y[300:]).mean() > 0.97


def test_missing_values_are_learned_from():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] > 0.5, "a", np.where(X[:, 1] > 0, "b", "c"))
    X[y == "a", 2] = np.nan  # that it is missing says all
    vote = CodedVote(random_state=0).fit(X[:300, 1:], y[:300])
    assert (vote.predict(X[300:, 1:]) == y[300:]).mean() > 0.97


def test_bases_without_probabilities(blobs):
    X, y, new, _ = blobs
    code = codes.random(8, 20, 1)
    decided = CodedVote(LinearSVC(random_state=0), code=code).fit(X, y)
    margin = decided.estimators_[0].decision_function(new)
    assert decided.answers(new)[:, 0] == pytest.approx(1 / (1 + np.exp(-margin)))
    hard = CodedVote(NoScores(), code=code).fit(X, y)
    assert set(np.unique(hard.answers(new))) <= {0.0, 1.0}
    for vote in (decided, hard):
        assert np.array_equal(vote.predict(new), nearest_word(vote, new))
        assert np.array_equal(vote.predict_proba(new).argmax(axis=1), vote.predict(new))


class NoScores(ClassifierMixin, BaseEstimator):
    """Labels only."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X)


# --- codes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "columns", "shape"),
    [
        ("random", None, (8, 127)),
        ("random", 20, (8, 20)),
        ("identity", None, (8, 8)),
        ("hadamard", None, (8, 7)),
        ("exhaustive", None, (8, 127)),
        ("designed", 15, (8, 15)),
        ("trained", 20, (8, 20)),
        ("one-vs-rest", None, (8, 8)),
        ("ecoc", 20, (8, 20)),
    ],
)
def test_codes_by_name(blobs, code, columns, shape):
    X, y, new, _ = blobs
    vote = CodedVote(code=code, code_length=columns, random_state=1).fit(X, y)
    assert vote.code_.shape == shape
    assert len(vote.estimators_) == shape[1]
    assert np.array_equal(vote.predict(new), nearest_word(vote, new))
    again = CodedVote(code=code, code_length=columns, random_state=1).fit(X, y)
    assert np.array_equal(vote.code_, again.code_)


def test_two_classes_are_one_question(wine):
    X, y, new, _ = wine
    two = y != "white"
    vote = CodedVote(GaussianNB()).fit(X[two], y[two])
    assert vote.code_.shape == (2, 1)
    assert np.array_equal(vote.predict(new), GaussianNB().fit(X[two], y[two]).predict(new))


def test_trained_code_keeps_together_what_the_base_confuses():
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0], [0.5, 0], [20, 0], [0, 20], [20, 20], [40, 0], [0, 40], [40, 40]])
    y = rng.integers(0, 8, 400)
    X = centres[y] + rng.normal(size=(400, 2))
    vote = CodedVote(GaussianNB(), code="trained", code_length=20, random_state=0).fit(X, y)
    apart = codes.hamming(vote.code_)
    assert apart[0, 1] == apart[~np.eye(8, dtype=bool)].min()


# --- honest answers and the penalty ----------------------------------------------------------


def test_honest_answers_come_from_other_rows(blobs):
    X, y, _, _ = blobs
    # A base that learns its rows by heart: its own answers are perfect, honest ones are not.
    vote = CodedVote(DEEP, code_length=40, honest="folds", random_state=0).fit(X, y)
    own, honest = vote.answers(X), vote.honest_answers_
    words = vote.code_[y]
    assert abs(own - words).max() < 1e-6
    assert 0.1 < np.mean((honest - words) ** 2) < 0.4
    assert vote.scores(X, "centroid") == pytest.approx(
        decoders.centroid(own, decoders.centroids_of(honest, y, 8))
    )
    plain = CodedVote(DEEP, code_length=40, random_state=0).fit(X, y)
    words = plain.code_.astype(float)
    assert plain.scores(X, "centroid") == pytest.approx(decoders.centroid(own, words), abs=1e-4)


@pytest.mark.parametrize("rule", ["honest", "closed", "gcv"])
def test_the_penalty_is_chosen_for_each_number_of_columns(blobs, rule):
    X, y, new, _ = blobs
    vote = CodedVote(code_length=40, decoder="ridge", lam=rule, random_state=0).fit(X, y)
    assert vote.penalty_.rule == rule
    for columns in (6, 40):
        code = vote.code_[:, :columns]
        chosen = decoders.choose_lam(vote.honest_answers_[:, :columns], y, code, rule).lam
        found = vote.scores(new, code_length=columns)
        assert found == pytest.approx(decoders.ridge(vote.answers(new)[:, :columns], code, chosen))


def test_the_usual_penalty_is_twice_the_classes(blobs):
    X, y, new, _ = blobs
    vote = CodedVote(code_length=20, random_state=0).fit(X, y)
    expected = decoders.ridge(vote.answers(new), vote.code_, 16)
    assert vote.scores(new, "ridge") == pytest.approx(expected)


def test_an_infinite_penalty_is_l1(blobs):
    X, y, new, _ = blobs
    vote = CodedVote(code_length=20, decoder="ridge", lam=inf, random_state=0).fit(X, y)
    assert np.array_equal(vote.scores(new), vote.scores(new, "l1"))
    assert np.array_equal(vote.predict_proba(new), vote.scores(new, "l1", form="clipped"))


# --- what a vote offers ----------------------------------------------------------------------


@pytest.mark.parametrize("name", decoders.names())
def test_stages_and_probabilities(blobs, name):
    X, y, new, truth = blobs
    vote = CodedVote(code_length=12, decoder=name, random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = list(vote.staged_predict(new))
        assert len(staged) == 12
        for columns in (1, 5, 12):
            assert np.array_equal(staged[columns - 1], vote.decode(new, code_length=columns))
    sure = vote.predict_proba(new)
    assert sure.sum(axis=1) == pytest.approx(1)
    assert sure.min() >= 0
    assert np.array_equal(sure.argmax(axis=1), vote.predict(new))
    assert (vote.predict(new) == truth).mean() > 0.6


def test_votes_and_margins(blobs):
    X, y, new, truth = blobs
    vote = CodedVote(code_length=30, random_state=0).fit(X, y)
    shares = vote.votes(new)
    assert shares.sum(axis=1) == pytest.approx(1)
    hard = vote.decode(new, "hamming")
    assert np.array_equal(shares.argmax(axis=1), hard)
    margin = vote.margins(new, truth)
    assert margin.min() >= -1
    assert margin.max() <= 1
    assert np.array_equal(margin > 0, (hard == truth) & (margin != 0))
    two = y < 2
    twice = CodedVote(DEEP, code=np.array([[0, 1, 0], [1, 0, 1]])).fit(X[two], y[two])
    sides = twice.answers(new) > 0.5
    plain = (sides == np.array([1, 0, 1], bool)).mean(axis=1)
    assert twice.votes(new)[:, 1] == pytest.approx(plain)


def test_outputs(blobs):
    X, y, new, _ = blobs
    vote = CodedVote(code_length=20, stages=(5, 20, 400), decoder="ridge", random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match="least squares with 5 columns"):
        found = {suffix: (label, score) for suffix, label, score in vote.outputs(new)}
    wanted = ("ridge", "l1", "regression", "centroid", "substitution")
    assert list(found) == [f"{name}/B={columns}" for name in wanted for columns in (5, 20)]
    for suffix, (label, score) in found.items():
        name, columns = suffix.split("/B=")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert np.array_equal(label, vote.decode(new, name, int(columns)))
        assert score.sum(axis=1) == pytest.approx(1)
    plain = CodedVote(GaussianNB(), code_length=40, stages=(40,), random_state=0).fit(X, y)
    assert [suffix for suffix, _, _ in plain.outputs(new)] == [
        "l1/B=40", "regression/B=40", "ridge/B=40", "centroid/B=40",
    ]  # fmt: skip


def test_stored_and_read_again(blobs):
    X, y, new, _ = blobs
    vote = CodedVote(code_length=40, random_state=0).fit(X, y)
    before = {name: vote.scores(new, name) for name in ("l1", "centroid")}
    read = pickle.loads(pickle.dumps(vote))
    for name, scores in before.items():
        assert np.array_equal(read.scores(new, name), scores)
    with pytest.raises(InputError, match="decode once before storing it"):
        read.decode(new, "substitution")
    with pytest.warns(UserWarning, match="least squares with"):
        names = {suffix.split("/")[0] for suffix, _, _ in read.outputs(new)}
    assert names == {"l1", "regression", "ridge", "centroid"}
    vote.decode(new[:1], "substitution")
    ready = pickle.loads(pickle.dumps(vote))
    assert np.array_equal(ready.decode(new, "substitution"), vote.decode(new, "substitution"))


def test_later_changes_of_the_inputs_do_no_harm(blobs):
    X, y, new, _ = blobs
    X = X.copy()
    vote = CodedVote(code_length=20, random_state=0).fit(X, y)
    expected = CodedVote(code_length=20, random_state=0).fit(X, y).decode(new, "centroid")
    X[:] = 0
    assert np.array_equal(vote.decode(new, "centroid"), expected)


def test_the_same_for_any_number_of_jobs(blobs):
    X, y, new, _ = blobs
    base = DecisionTreeClassifier(max_features=2, random_state=None)
    with parallel_config("threading"):
        one, two = (
            CodedVote(base, code_length=6, random_state=4, n_jobs=jobs).fit(X, y).answers(new)
            for jobs in (1, 2)
        )
    assert np.array_equal(one, two)


def test_more_columns_are_better(blobs):
    X, y, new, truth = blobs
    vote = CodedVote(DEEP, code_length=120, random_state=0).fit(X, y)
    few, many = ((vote.decode(new, code_length=b) != truth).mean() for b in (5, 120))
    tree = (clone(DEEP).fit(X, y).predict(new) != truth).mean()
    assert many < few
    assert many < tree


def test_all_decoders_and_stages_come_from_one_cell_of_a_run():
    data = hl.read("sklearn:iris")
    vote = CodedVote(code="exhaustive", stages=(2, 3), random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = hl.run({"coded": vote}, data, hl.KFold(3), progress=False)
    names = ("l1", "regression", "ridge", "centroid", "substitution")
    assert set(table.models) == {
        "coded",
        *(f"coded/{name}/B={b}" for name in names for b in (2, 3)),
    }
    found = hl.assess(table, ["error", "log_loss"], interval=None, stages=True)
    assert found["coded", "error"].value == found["coded/l1/B=3", "error"].value < 0.1


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"decoder": "viterbi"}, "decoder='viterbi'"),
        ({"code": "golay"}, "code='golay'"),
        ({"code": "hadamard", "code_length": 5}, "has 3 columns for 3 classes"),
        ({"code": np.eye(4)}, "4 rows for 3 classes"),
        ({"lam": "aic"}, "lam='aic'"),
        ({"lam": -1.0}, "lam=-1.0"),
        ({"honest": "yes"}, "honest='yes'"),
        ({"folds": 1}, "folds=1"),
        ({"centre": "mode"}, "centre='mode'"),
    ],
)
def test_settings_that_cannot_be(settings, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match=words):
        CodedVote(**settings).fit(X, y)


def test_questions_that_cannot_be_answered():
    X, y = load_iris(return_X_y=True)
    vote = CodedVote(LogisticRegression(max_iter=1000), random_state=0).fit(X, y)
    with pytest.raises(AttributeError, match="no attribute 'apply'"):
        vote.decode(X, "substitution")
    with pytest.raises(InputError, match="loss='zero-one'"):
        clone(vote).set_params(loss="zero-one").fit(X, y).decode(X, "loss_based")
    with pytest.raises(InputError, match="needs honest answers"):
        clone(vote).set_params(lam="closed").fit(X, y).decode(X, "ridge")
    with pytest.raises(InputError, match="ask for 1 to 3"):
        vote.decode(X, code_length=4)
    with pytest.raises(InputError, match="choose one of l1"):
        vote.decode(X, decoder="viterbi")
    with pytest.raises(InputError, match="one class"):
        CodedVote().fit(X, np.zeros(150))


@pytest.mark.parametrize("decoder", ["l1", "regression", "ridge", "ridge_binary"])
def test_one_against_the_rest_takes_the_largest_probability_also_where_answers_saturate(decoder):
    X, y = load_digits(return_X_y=True)
    vote = CodedVote(GaussianNB(), code="identity", decoder=decoder).fit(X[:1000], y[:1000])
    p = vote.answers(X[1000:])
    saturated = np.sort(p, axis=1)[:, -2] > 1 - 1e-13
    assert saturated.sum() > 50  # where two columns are sure, rounded scores tie
    assert np.array_equal(vote.predict(X[1000:]), p.argmax(axis=1))
    assert np.array_equal(vote.predict_proba(X[1000:]).argmax(axis=1), p.argmax(axis=1))
    one_by_one = [vote.predict(row[None])[0] for row in X[1000:1100]]
    assert np.array_equal(one_by_one, p[:100].argmax(axis=1))


def test_equal_words_still_tie():
    """Classes that a code does not tell apart get the same score, however rows come together."""
    X, y = load_digits(return_X_y=True)
    code = codes.random(10, 25, 3)
    code[7] = code[2]
    vote = CodedVote(GaussianNB(), code=code).fit(X[:800], y[:800])
    scores = vote.scores(X[800:])
    assert np.array_equal(scores[:, 2], scores[:, 7])
    assert 7 not in vote.predict(X[800:])


# --- weights of rows -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "vote",
    [
        CodedVote(DEEP, random_state=0),
        CodedVote(DEEP, decoder="substitution", random_state=0),
        CodedVote(GaussianNB(), decoder="centroid", random_state=0),
        CodedVote(DecisionTreeClassifier(max_depth=4), decoder="substitution", random_state=0),
    ],
    ids=str,
)
def test_a_row_of_weight_two_is_the_row_twice(vote, blobs):
    X, y, new, _ = blobs
    times = np.random.default_rng(0).integers(0, 4, y.size)
    rows = np.repeat(np.arange(y.size), times)
    weighed = vote.fit(X, y, sample_weight=times).scores(new)
    np.testing.assert_allclose(weighed, vote.fit(X[rows], y[rows]).scores(new), atol=1e-9)
    assert not np.allclose(weighed, vote.fit(X, y).scores(new))


def test_weights_of_one_change_nothing(blobs):
    X, y, new, _ = blobs
    vote = CodedVote(DEEP, decoder="substitution", random_state=0)
    plain = vote.fit(X, y).scores(new)
    np.testing.assert_array_equal(vote.fit(X, y, sample_weight=np.ones(y.size)).scores(new), plain)


def test_real_weights_reach_every_column(blobs):
    X, y, new, _ = blobs
    weight = np.random.default_rng(1).random(y.size) + 0.1
    vote = CodedVote(GaussianNB(), code="identity", random_state=0).fit(X, y, sample_weight=weight)
    for b, answer in enumerate(vote.answers(new).T):
        alone = GaussianNB().fit(X, (y == b).astype(int), sample_weight=weight)
        np.testing.assert_allclose(answer, alone.predict_proba(new)[:, 1], atol=1e-12)


def test_weights_that_nothing_takes_are_refused(blobs):
    X, y, *_ = blobs
    from sklearn.neighbors import KNeighborsClassifier

    for vote, words in (
        (CodedVote(KNeighborsClassifier()), "unexpected keyword argument 'sample_weight'"),
        (CodedVote(centre="median"), "centre='median' .* does not weigh rows"),
        (CodedVote(decoder="ridge", lam="closed"), "lam='closed' does not weigh rows"),
    ):
        with pytest.raises((InputError, TypeError), match=words):
            vote.fit(X, y, sample_weight=np.ones(y.size))
