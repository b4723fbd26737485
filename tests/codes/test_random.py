"""Random codes: what they never have, what they say, and their law."""

import warnings
from collections import Counter

import numpy as np
import pytest

from heliast import InputError, codes
from heliast.codes.matrix import dichotomies, wasted_columns


@pytest.mark.parametrize("columns", [2, 3, 6, 7])
def test_three_classes_never_waste_a_column(columns):
    # scikit-learn's OutputCodeClassifier, k = 3: constant columns in 159 of 200 seeds.
    for seed in range(200):
        code = codes.random(3, columns, seed)
        constant, repeated = wasted_columns(code)
        assert constant == 0
        assert repeated == max(0, columns - 3)
        assert codes.describe(code).row_smallest > 0


@pytest.mark.parametrize(("k", "columns"), [(2, 1), (4, 6), (5, 3), (8, 3), (16, 4), (26, 5)])
def test_as_few_columns_as_can_be(k, columns):
    for seed in range(30):
        code = codes.random(k, columns, seed)
        assert wasted_columns(code) == (0, 0)
        assert codes.describe(code).row_smallest > 0


@pytest.mark.parametrize(("k", "columns"), [(13, 300), (26, 200), (70, 50), (1000, 30)])
def test_many_classes(k, columns):
    code = codes.random(k, columns, 0)
    assert code.shape == (k, columns)
    assert wasted_columns(code) == (0, 0)
    assert codes.describe(code).row_smallest > 0


def test_every_question_comes_before_one_comes_again():
    code = codes.random(4, 16, seed=3)
    for start in (0, 7):
        assert wasted_columns(code[:, start : start + 7]) == (0, 0)
    assert wasted_columns(code) == (0, 9)


def test_below_log2_k_it_says_so():
    with pytest.warns(UserWarning, match=r"2 columns make at most 4 words.*5 columns are needed"):
        code = codes.random(26, 2, seed=0)
    assert code.shape == (26, 2)
    assert wasted_columns(code) == (0, 0)


def test_all_allowed_codes_are_equally_likely():
    # k = 3, two columns: ordered pairs of different questions, each either way round.
    seen = Counter(codes.random(3, 2, seed).tobytes() for seed in range(2400))
    assert len(seen) == 3 * 2 * 2 * 2
    expected = 2400 / 24
    chi = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi < 49.7  # the 99.9% point of chi-square with 23 degrees


def test_independent_bits_may_waste_columns():
    draws = [codes.random(3, 4, seed, iid=True) for seed in range(400)]
    mean = np.mean(draws, axis=0)
    assert abs(mean - 0.5).max() < 0.1
    constant = np.mean([wasted_columns(code)[0] for code in draws])
    assert constant == pytest.approx(4 * 2 / 8, abs=0.15)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        codes.random(26, 2, 0, iid=True)  # the law is meant: nothing to say


def test_same_seed_same_code():
    assert np.array_equal(codes.random(9, 20, 5), codes.random(9, 20, 5))
    assert not np.array_equal(codes.random(9, 20, 5), codes.random(9, 20, 6))


def test_dichotomies():
    assert [dichotomies(k) for k in (2, 3, 4, 13)] == [1, 3, 7, 4095]


@pytest.mark.parametrize(("k", "columns"), [(1, 3), (0, 3), (3, 0), (2.5, 3), (True, 2)])
def test_refusals(k, columns):
    with pytest.raises(InputError, match="whole number"):
        codes.random(k, columns, 0)
