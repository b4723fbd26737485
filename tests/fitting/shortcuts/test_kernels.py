"""The kernels against their slow twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import cross_validation as naive

from heliast._kernels import bayes, neighbours, samples
from heliast._kernels.nearest import nearest
from heliast._kernels.posteriors import decide

EXACT = np.zeros((1, 4))


@given(st.lists(st.lists(st.floats(-800, 800), min_size=3, max_size=3), min_size=1, max_size=9))
def test_decide(rows):
    score = np.array(rows)
    label, _ = decide(score, np.array([0, len(rows)]), EXACT)
    labels, shares = naive.decide(rows)
    assert label.tolist() == labels
    np.testing.assert_allclose(score, shares, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize(
    ("rows", "limits", "doubtful"),
    [
        ([[0.0, 0.0]], [0, 0, 0, 0], True),
        ([[0.0, 1e-9]], [0, 0, 0, 0], False),
        ([[0.0, 1e-9]], [1e-9, 0, 0, 0], True),
        ([[0.0, 1.0]], [1e-9, 0, 0, 0], True),
        ([[0.0, 50.0]], [1e-9, 0, 0, 0], False),
        ([[1e8, 1e8 + 50]], [0, 0, 1e-6, 0], True),
        ([[0.0, -np.inf]], [1, 1, 1, 1], False),
        ([[0.0, np.nan]], [0, 0, 0, 0], True),
        ([[-np.inf, -np.inf]], [0, 0, 0, 0], True),
    ],
)
def test_doubt(rows, limits, doubtful):
    _, doubt = decide(np.array(rows), np.array([0, 1]), np.array([limits], float))
    assert doubt.tolist() == [doubtful]


def test_pieces_are_doubted_one_by_one():
    score = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 0.0]])
    _, doubt = decide(score, np.array([0, 1, 2, 2, 3]), np.zeros((4, 4)))
    assert doubt.tolist() == [False, True, False, False]


@given(st.lists(st.integers(0, 9), max_size=14))
def test_rows_left_out(train):
    found = samples.left_out(np.array(train, np.int64), 10)
    expected = naive.left_out(train, 10)
    assert (found if found is None else found.tolist()) == expected
    assert samples.left_out(np.array([11, 3]), 10) is None
    assert samples.left_out(np.array([3, -1]), 10) is None


@pytest.mark.parametrize("weighted", [False, True])
def test_class_sums(weighted):
    rng = np.random.default_rng(0)
    centred, codes = rng.normal(size=(40, 3)), rng.integers(0, 4, 40)
    rows = rng.permutation(40)[:25]
    weight = rng.integers(1, 4, 25).astype(float) if weighted else None
    out = np.zeros((4, 7))
    bayes.class_sums(centred, codes, rows, weight, out)
    counts = np.ones(25) if weight is None else weight
    expected = naive.class_sums(centred[rows].tolist(), codes[rows], counts.tolist(), 4, 3)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


def test_quadratic_forms():
    rng = np.random.default_rng(1)
    X, mean, scale = rng.normal(size=(20, 5)), rng.normal(size=(2, 3, 5)), rng.random((2, 3, 5))
    rows, borders = np.array([3, 3, 7, 0, 19]), np.array([0, 2, 5])
    out = np.empty((5, 3))
    bayes.quadratics(X, rows, borders, mean, scale, out)
    for at, row in enumerate(rows):
        p = int(at >= 2)
        expected = ((X[row] - mean[p]) ** 2 * scale[p]).sum(axis=1)
        np.testing.assert_allclose(out[at], expected, rtol=1e-13)


@pytest.mark.parametrize("smoothing", [1e-9, 0.1])
def test_naive_bayes_without_a_row(smoothing):
    rng = np.random.default_rng(2)
    X, codes = rng.normal(size=(30, 11)), np.arange(30) % 3
    count = np.full(3, 10.0)
    mean = np.stack([X[codes == c].mean(axis=0) for c in range(3)])
    second = np.stack([((X[codes == c] - mean[c]) ** 2).sum(axis=0) for c in range(3)])
    whole = np.stack([X.mean(axis=0), ((X - X.mean(axis=0)) ** 2).sum(axis=0), np.ones(11)])
    form, logdet, loss = bayes.left_out(X, codes, count, mean, second, whole, smoothing)
    for row in (0, 7, 29):
        expected = naive.naive_bayes_without(X.tolist(), codes, 3, smoothing, row)
        found = np.column_stack([form[row], logdet[row]])
        np.testing.assert_allclose(found, expected, rtol=1e-11)
    assert (loss > 0.5).all()


@pytest.mark.parametrize("d", [1, 4, 17])
@pytest.mark.parametrize("n", [40, 1100])
def test_nearest_rows(n, d):
    X = np.random.default_rng(n + d).normal(size=(n, d)) + 50.0
    queries = np.array([0, 5, n - 1])
    near, beyond = nearest(X, queries, 8)
    for at, query in enumerate(queries):
        rows, far = naive.nearest(X.tolist(), query)
        trusted = sum(value < beyond[at] for value in far)
        assert trusted >= 6
        assert set(rows[:trusted]) <= set(near[at].tolist())


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, np.inf])
def test_distances_are_exact_and_sorted(power):
    X = np.random.default_rng(3).normal(size=(25, 4))
    near = np.tile(np.arange(25), (2, 1))
    far = neighbours.distances(X, np.array([4, 9]), near, power)
    for at, query in enumerate((4, 9)):
        rows, expected = naive.nearest(X.tolist(), query, power)
        assert near[at].tolist() == rows
        np.testing.assert_allclose(far[at], expected, rtol=1e-14)


@st.composite
def neighbourhoods(draw):
    n = draw(st.integers(4, 12))
    X = np.array(draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)), float)[:, None]
    codes = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    times = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    return X, codes, times, draw(st.integers(1, 4)), draw(st.booleans())


@given(neighbourhoods())
def test_votes(case):
    X, codes, times, k, inverse = case
    n = len(X)
    if times.sum() < k:
        return
    queries = np.arange(n)
    near = np.tile(queries, (n, 1))
    far = neighbours.distances(X, queries, near, 2.0)
    slack = np.tile([0.0, 0.0, np.inf], (n, 1))
    label, share, state = neighbours.votes(
        codes, near, far, slack, times, queries, queries, k, inverse, 3
    )
    for query in range(n):
        expected = naive.vote(X.tolist(), codes, times, query, k, inverse, 3)
        if expected is None:
            assert state[query] == neighbours.DOUBTFUL
        elif state[query] == neighbours.SURE:
            np.testing.assert_allclose(share[query], expected, rtol=1e-13)
            assert label[query] == int(np.argmax(share[query]))
        else:
            top = sorted(expected)
            assert inverse
            assert top[-1] - top[-2] < 1e-12


def test_a_list_that_ends_too_early_is_short():
    X = np.arange(6.0)[:, None]
    near = np.array([[0, 1, 2]])
    far = neighbours.distances(X, np.array([0]), near, 2.0)
    given_ = (np.zeros(6, np.int64), near, far)
    times, at = np.array([0, 1, 1, 1, 1, 1]), np.array([0])
    for k, beyond, expected in ((2, 2.5, "SURE"), (2, 2.0, "SHORT"), (3, 2.5, "SHORT")):
        slack = np.array([[0.0, 0.0, beyond]])
        state = neighbours.votes(*given_, slack, times, at, at, k, False, 1)[2]
        assert state[0] == getattr(neighbours, expected)
