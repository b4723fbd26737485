"""The worked examples of the thesis, chapter 2."""

import numpy as np
import pytest

from heliast import codes, decoders

Q = np.array([0.4, 0.1, 0.3, 0.2])


def test_2_1_1_nearest_word():
    code = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]]
    p = [0.3, 0.2, 0.8, 0.9, 0.1]
    assert decoders.distances(p, code) == pytest.approx([3.3, 0.9, 2.7, 1.9])
    assert decoders.l1(p, code) == pytest.approx([-0.32, 0.64, -0.08, 0.24])
    assert decoders.l1(p, code).argmax() == 1
    assert decoders.l1_probabilities(p, code, "raw") == pytest.approx([-0.32, 0.64, -0.08, 0.24])


def test_2_2_1_a_perfect_base_and_a_wrong_vote():
    code = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    p = code.T @ Q
    assert p == pytest.approx([0.5, 0.7, 0.4])
    # The thesis prints 1.7 for class 4; |0.5 - 1| + 0.7 + 0.4 is 1.6.
    assert decoders.distances(p, code) == pytest.approx([1.4, 1.6, 1.2, 1.6])
    assert decoders.l1(p, code).argmax() == 2  # class 3, not the most probable class 1


def test_2_3_1_least_squares_recovers_the_probabilities():
    code = np.array([[0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0]])
    p = [0.5, 0.7, 0.4, 0.1, 0.4]
    assert np.allclose(code.T @ Q, p)
    assert decoders.regression(p, code) == pytest.approx(Q)


def test_2_1_3_the_identity_code_is_one_against_the_rest():
    p = np.random.default_rng(0).random((50, 6))
    label = decoders.l1(p, codes.identity(6)).argmax(axis=1)
    assert np.array_equal(label, p.argmax(axis=1))
    corrected = decoders.l1_probabilities(Q, codes.identity(4), "corrected")
    assert corrected == pytest.approx(Q)


@pytest.mark.parametrize("code", [codes.exhaustive(4), codes.hadamard(4), codes.identity(4)])
def test_equidistant_codes_are_consistent_and_unbiased(code):
    p = code.T @ Q
    assert decoders.l1(p, code).argmax() == 0
    assert decoders.l1_probabilities(p, code, "corrected") == pytest.approx(Q)
