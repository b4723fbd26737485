"""Decoders against slow twins, identities between them, and refusals."""

from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heliast import InputError, codes, decoders

SEEDS = st.integers(0, 10**6)


def problem(seed, k=None, columns=None, n=7):
    """(answers, code, rng), of any size up to 7 classes and 12 columns."""
    rng = np.random.default_rng(seed)
    k = k or int(rng.integers(2, 8))
    columns = columns or int(rng.integers(1, 13))
    return rng.random((n, columns)), rng.integers(0, 2, (k, columns)), rng


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_l1_by_its_definition(seed):
    p, code, _ = problem(seed)
    slow = np.array([[np.abs(row - word).sum() for word in code] for row in p])
    assert decoders.distances(p, code) == pytest.approx(slow)
    assert decoders.l1(p, code) == pytest.approx(1 - 2 * slow / code.shape[1])


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_all_stages_at_once(seed):
    p, code, _ = problem(seed, columns=12)
    stages = [1, 2, 5, 11, 12]
    for stage, found in zip(stages, decoders.staged_l1(p, code, stages), strict=True):
        assert found == pytest.approx(decoders.l1(p[:, :stage], code[:, :stage]))


@given(SEEDS)
@settings(max_examples=100, deadline=None)
def test_theorem_6_least_squares_is_consistent_for_any_invertible_code(seed):
    _, code, rng = problem(seed, columns=12)
    assume(np.linalg.matrix_rank(code) == code.shape[0])
    q = rng.dirichlet(np.ones(code.shape[0]))
    found = decoders.regression(code.T @ q, code)
    assert found == pytest.approx(q, abs=1e-9)
    assert found.argmax() == q.argmax()


@given(SEEDS)
@settings(max_examples=100, deadline=None)
def test_theorem_1_l1_is_consistent_exactly_for_equidistant_codes(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 6))
    code = rng.integers(0, 2, (k, int(rng.integers(2, 6))))
    q = np.full(k, 0.0)
    apart = codes.hamming(code)
    worst = None
    for i in range(k):  # the proof: mass on the two classes i, j, and one nearer to both
        for j in range(k):
            for l in range(k):  # noqa: E741
                if len({i, j, l}) == 3 and apart[j, l] < apart[i, l]:
                    worst = (i, j, l)
    if codes.is_bayes_consistent(code):
        q = rng.dirichlet(np.ones(k))
        assert decoders.l1(code.T @ q, code).argmax() == q.argmax()
    elif worst is not None and apart.max() > 0:
        i, j, l = worst  # noqa: E741
        q[i], q[j], q[l] = 1 / 3 + 2e-6, 1 / 3 + 1e-6, 1 / 3 - 3e-6
        score = decoders.l1(code.T @ q, code)
        assert score[i] < max(score[j], score[l])


def least_squares(p, code):
    return np.array([np.linalg.lstsq(code.T.astype(float), row, rcond=None)[0] for row in p])


@pytest.mark.filterwarnings("ignore:least squares")
@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_least_squares_by_lapack(seed):
    p, code, _ = problem(seed)
    assert decoders.regression(p, code) == pytest.approx(least_squares(p, code), abs=1e-9)


def test_fewer_columns_than_classes_is_said():
    p, code, _ = problem(0, k=6, columns=4)
    with pytest.warns(UserWarning, match=r"4 columns of rank \d for 6 classes.*minimum norm"):
        found = decoders.regression(p, code)
    assert found == pytest.approx(least_squares(p, code))


@given(SEEDS, st.floats(0.01, 1e4))
@settings(max_examples=60, deadline=None)
def test_ridge_by_its_definition(seed, lam):
    p, code, _ = problem(seed)
    M, f = 2 * code - 1, 2 * p - 1
    k = code.shape[0]
    slow = np.array([np.linalg.inv(M @ M.T + lam * np.eye(k)) @ M @ row for row in f])
    assert decoders.ridge(p, code, lam) == pytest.approx(slow, rel=1e-6, abs=1e-9)


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_an_infinite_penalty_is_l1_exactly(seed):
    p, code, _ = problem(seed)
    assert np.array_equal(decoders.ridge(p, code, inf), decoders.l1(p, code))
    huge = 1e9 * decoders.ridge(p, code, 1e9) / code.shape[1]
    assert huge == pytest.approx(decoders.l1(p, code), abs=1e-6)


def test_ridge_recovers_probabilities_without_penalty():
    rng = np.random.default_rng(1)
    code = codes.random(6, 20, 1)
    q = rng.dirichlet(np.ones(6), 5)
    assert decoders.ridge(q @ code, code, 0) == pytest.approx(q)
    assert decoders.ridge(q @ code, code, 1e-9) == pytest.approx(q, abs=1e-6)


def test_a_vanishing_penalty_is_minimum_norm():
    p, code, _ = problem(2, k=6, columns=4)
    signed = 2.0 * code - 1
    slow = np.array([np.linalg.lstsq(signed.T, row, rcond=None)[0] for row in 2 * p - 1])
    for lam in (0, 1e-300, 1e-12):
        assert decoders.ridge(p, code, lam) == pytest.approx(slow, abs=1e-6)


def test_hamming_counts_decisions():
    p, code, _ = problem(3, k=5, columns=9)
    p[0, 0] = 0.5
    hard = np.where(p == 0.5, 0.5, p > 0.5)
    slow = np.array([[1 - np.abs(row - word).mean() for word in code] for row in hard])
    assert decoders.hamming(p, code) == pytest.approx(slow)


def test_hard_answers_make_all_distances_alike():
    p, code, _ = problem(4, k=5, columns=9)
    hard = (p > 0.5).astype(float)
    by_l1 = decoders.l1(hard, code)
    assert 2 * decoders.hamming(hard, code) - 1 == pytest.approx(by_l1)
    assert -decoders.distances(hard, code) == pytest.approx(decoders.centroid(hard, code))


LOSSES = {
    "exponential": lambda p: np.sqrt((1 - p) / p),
    "logistic": lambda p: -np.log(p),
    "square": lambda p: (1 - (2 * p - 1)) ** 2,
    "hinge": lambda p: np.maximum(0, 1 - np.log(p / (1 - p))),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_by_definition(loss):
    p, code, _ = problem(5, k=4, columns=8)
    p = np.clip(p, 0.01, 0.99)
    towards = np.where(code[None] == 1, p[:, None], 1 - p[:, None])
    slow = -LOSSES[loss](towards).mean(axis=2)
    assert decoders.loss_based(p, code, loss) == pytest.approx(slow)


def test_square_loss_orders_as_the_nearest_word():
    p, code, _ = problem(6, k=4, columns=8, n=100)
    p = np.clip(p, 0.01, 0.99)
    by_loss = decoders.loss_based(p, code, "square")
    assert np.array_equal(by_loss.argmax(axis=1), decoders.centroid(p, code).argmax(axis=1))


def test_centres():
    p, _, rng = problem(7, columns=5, n=40)
    truth = rng.integers(0, 3, 40)
    mean = decoders.centroids_of(p, truth, 4)
    median = decoders.centroids_of(p, truth, 4, "median")
    for i in range(3):
        assert mean[i] == pytest.approx(p[truth == i].mean(axis=0))
        assert median[i] == pytest.approx(np.median(p[truth == i], axis=0))
    assert np.isnan(mean[3]).all()
    assert np.isnan(median[3]).all()
    score = decoders.centroid(p, mean)
    slow = [[-((row - c) ** 2).sum() for c in mean[:3]] for row in p]
    assert score[:, :3] == pytest.approx(np.array(slow))
    assert (score[:, 3] == -inf).all()


def test_centres_leave_out_what_is_not_known():
    p, _, rng = problem(8, columns=5, n=40)
    truth = rng.integers(0, 3, 40)
    p[rng.random(p.shape) < 0.5] = np.nan
    for kind, slow in (("mean", np.nanmean), ("median", np.nanmedian)):
        found = decoders.centroids_of(p, truth, 3, kind)
        assert found[1] == pytest.approx(slow(p[truth == 1], axis=0))


def test_substitution_by_counting():
    rng = np.random.default_rng(9)
    truth, leaves = rng.integers(0, 3, 60), rng.integers(0, 4, (60, 5))
    shares = [decoders.shares_of(leaves[:, b], truth, 3, 4) for b in range(5)]
    found = decoders.substitution(leaves[:10], shares)
    for row in range(10):
        parts = [
            np.bincount(truth[leaves[:, b] == leaves[row, b]], minlength=3)
            / (leaves[:, b] == leaves[row, b]).sum()
            for b in range(5)
        ]
        assert found[row] == pytest.approx(np.mean(parts, axis=0))


def test_one_row_or_many():
    p, code, _ = problem(10, k=4, columns=6)
    for name in ("l1", "hamming", "loss_based"):
        decoder = getattr(decoders, name)
        assert decoder(p[0], code) == pytest.approx(decoder(p, code)[0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: decoders.l1([[0.1, 0.2]], np.eye(3)), "one answer for each of 3 columns"),
        (lambda: decoders.l1([0.1, 1.2, 0.3], np.eye(3)), r"holds 1.2"),
        (lambda: decoders.l1([0.1, np.nan, 0.3], np.eye(3)), "holds nan"),
        (lambda: decoders.ridge([0.1, 0.2], np.eye(2), -1), "lam=-1"),
        (lambda: decoders.ridge([0.1, 0.2], np.eye(2), "big"), "lam='big'"),
        (lambda: decoders.loss_based([0.1, 0.2], np.eye(2), "zero-one"), "loss='zero-one'"),
        (lambda: decoders.centroids_of([[0.1]], [0], 1, "mode"), "kind='mode'"),
        (lambda: decoders.centroids_of([[0.1]], [0, 1], 1), "a class for each row"),
        (lambda: decoders.centroid([0.1], [0.1]), "a row for each class"),
        (lambda: decoders.substitution([[0, 1]], []), "0 columns"),
        (lambda: decoders.find("viterbi"), "choose one of l1"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()


@given(SEEDS, st.floats(0.01, 1e4))
@settings(max_examples=40, deadline=None)
def test_equation_2_10_of_the_thesis(seed, lam):
    """q = (lam I + Z Z')^-1 Z p, in 0 and 1."""
    p, code, _ = problem(seed)
    system = lam * np.eye(code.shape[0]) + code @ code.T
    slow = np.array([np.linalg.solve(system, code @ row) for row in p])
    assert decoders.ridge_binary(p, code, lam) == pytest.approx(slow, rel=1e-6, abs=1e-9)


@pytest.mark.filterwarnings("ignore:least squares")
@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_without_a_penalty_the_one_of_the_thesis_is_regression(seed):
    p, code, _ = problem(seed)
    assert decoders.ridge_binary(p, code, 0) == pytest.approx(decoders.regression(p, code))


def test_both_recover_what_right_answers_say():
    q, code = np.random.default_rng(3).dirichlet(np.ones(5), 4), codes.random(5, 30, 2)
    for decoder in (decoders.ridge, decoders.ridge_binary):
        assert decoder(q @ code, code, 0) == pytest.approx(q)


def test_an_infinite_penalty_in_0_and_1_sums_the_answers_at_the_ones():
    p, code, _ = problem(4)
    huge = 1e9 * decoders.ridge_binary(p, code, 1e9) / code.shape[1]
    assert decoders.ridge_binary(p, code, inf) == pytest.approx(p @ code.T / code.shape[1])
    assert huge == pytest.approx(decoders.ridge_binary(p, code, inf), abs=1e-6)
