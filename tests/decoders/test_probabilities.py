"""Probabilities from scores: unbiased where said, and never a changed winner."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliast import InputError, codes, decoders
from heliast.decoders._probabilities import usual_distance

Q = np.array([0.5, 0.3, 0.15, 0.05])


def test_raw_d_bar_is_unbiased_for_fair_independent_bits():
    drawn = [codes.random(4, 6, seed, iid=True) for seed in range(3000)]
    raw = np.mean([decoders.l1_probabilities(code.T @ Q, code, "raw") for code in drawn], axis=0)
    assert raw == pytest.approx(Q, abs=0.02)


def test_without_constant_columns_the_corrected_form_is_unbiased_and_d_bar_is_not():
    # One column at a time, so that no other condition than 'not constant' holds.
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 2, (40_000, 4))
    drawn = drawn[(drawn.sum(axis=1) % 4) != 0]
    p = drawn @ Q
    away = np.abs(p[:, None] - drawn).mean(axis=0)
    d = 2**3 / (2**4 - 2)
    assert 1 - away / d == pytest.approx(Q, abs=0.01)
    assert abs(1 - 2 * away - Q).max() > 0.05


def test_the_distance_that_corrects():
    assert usual_distance(codes.hadamard(26)) == 16
    assert usual_distance(codes.exhaustive(5)) == 8
    code = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    assert usual_distance(code) == pytest.approx(3 * 8 / 14)
    assert usual_distance(np.hstack([code, np.ones((4, 1), int)])) == 2
    assert usual_distance(codes.random(2000, 12, 0)) == pytest.approx(6)


@pytest.mark.parametrize("decoder", ["regression", "ridge"])
def test_corrected_scores_of_a_right_base(decoder):
    code = codes.exhaustive(4)
    lam = 3.0
    p = code.T @ Q
    score = (
        decoders.regression(p, code) if decoder == "regression" else decoders.ridge(p, code, lam)
    )
    found = decoders.probabilities(score, code, decoder, "corrected", lam)
    if decoder == "ridge":
        assert abs(score - Q).max() > 0.01  # shrunken, before
    assert found == pytest.approx(Q)


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_clipping_keeps_the_winner_and_sums_to_one(seed):
    rng = np.random.default_rng(seed)
    code = codes.random(5, 9, seed)
    p = rng.random((20, 9))
    scored = {
        "l1": decoders.l1(p, code),
        "regression": decoders.regression(p, code)
        if np.linalg.matrix_rank(code) == 5
        else p[:, :5],
        "ridge": decoders.ridge(p, code, 7.0),
        "ridge_binary": decoders.ridge_binary(p, code, 7.0),
        "hamming": decoders.hamming(p, code),
        "loss_based": decoders.loss_based(p, code),
        "centroid": decoders.centroid(p, code),
        "substitution": rng.dirichlet(np.ones(5), 20),
    }
    assert set(scored) == set(decoders.names())
    for name, scores in scored.items():
        found = decoders.probabilities(scores, code, name, "clipped", 7.0)
        assert found.min() >= 0
        assert found.sum(axis=1) == pytest.approx(1)
        best = scores.max(axis=1)
        assert (scores[np.arange(20), found.argmax(axis=1)] == best).all()
        assert np.array_equal(decoders.probabilities(scores, code, name, "raw"), scores)


def test_unknown_form():
    with pytest.raises(InputError, match="form='soft'"):
        decoders.probabilities([[0.1, 0.2]], codes.identity(2), form="soft")
