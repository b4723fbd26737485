"""Identity, exhaustive and Hadamard codes."""

import numpy as np
import pytest

from heliast import InputError, codes
from heliast.codes.matrix import wasted_columns


@pytest.mark.parametrize("k", range(2, 13))
def test_exhaustive_asks_every_question_once(k):
    code = codes.exhaustive(k)
    assert code.shape == (k, 2 ** (k - 1) - 1)
    assert wasted_columns(code) == (0, 0)
    assert codes.is_bayes_consistent(code)
    if k > 2:
        apart = codes.hamming(code)[~np.eye(k, dtype=bool)]
        assert set(apart.tolist()) == {2 ** (k - 2)}


def test_exhaustive_refuses_thirteen_classes():
    with pytest.raises(InputError, match="4,095 columns"):
        codes.exhaustive(13)
    with pytest.raises(InputError, match="33,554,431 columns"):
        codes.exhaustive(26)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 9, 11, 16, 17, 26, 32, 100])
def test_hadamard_is_equidistant(k):
    code = codes.hadamard(k)
    order = code.shape[1] + 1
    assert order < 2 * k
    assert set(codes.hamming(code)[~np.eye(k, dtype=bool)].tolist()) == {order // 2}
    assert wasted_columns(code) == (0, 0)
    assert codes.is_bayes_consistent(code)
    assert codes.describe(code).rank == min(k, order - 1)


def test_hadamard_of_26_classes_contradicts_the_thesis():
    # It says that no feasible deterministic code is consistent: 31 columns suffice.
    code = codes.hadamard(26)
    assert code.shape == (26, 31)
    assert codes.describe(code).row_smallest == codes.describe(code).row_largest == 16


def test_identity():
    assert np.array_equal(codes.identity(5), np.eye(5))
    assert codes.is_bayes_consistent(codes.identity(5))


def test_the_matrix_with_all_columns_of_the_thesis():
    numbers = np.arange(8)
    code = numbers[None, :] >> np.array([2, 1, 0])[:, None] & 1
    assert codes.is_bayes_consistent(code)
    assert codes.describe(code).constant_columns == 2
