"""Distances, consistency, the bound in B, and codes of one's own."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from heliast import InputError, codes

EXAMPLE = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])  # thesis 2.2.1
SMALL = st.tuples(st.integers(2, 6), st.integers(1, 8)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 1))
)


@given(SMALL)
@settings(max_examples=50, deadline=None)
def test_hamming_by_counting(code):
    slow = [[sum(a != b for a, b in zip(x, y, strict=True)) for y in code] for x in code]
    assert codes.hamming(code).tolist() == slow


@given(SMALL)
@settings(max_examples=50, deadline=None)
def test_description_by_counting(code):
    description = codes.describe(code)
    k, columns = code.shape
    apart = [int((code[i] != code[j]).sum()) for i in range(k) for j in range(i)]
    assert (description.row_smallest, description.row_largest) == (min(apart), max(apart))
    assert description.row_mean == pytest.approx(np.mean(apart))
    assert description.bayes_consistent == (len(set(apart)) == 1 and apart[0] > 0)
    assert description.bayes_consistent == codes.is_bayes_consistent(code)
    ones = code.sum(axis=0)
    assert description.constant_columns == int(((ones == 0) | (ones == k)).sum())
    asked = {min(tuple(c), tuple(1 - c)) for c in code.T if 0 < c.sum() < k}
    assert description.repeated_columns == columns - description.constant_columns - len(asked)
    assert description.rank == np.linalg.matrix_rank(code)
    assert description.correctable == max(0, (min(apart) - 1) // 2)


@given(SMALL, st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_so_many_wrong_columns_are_corrected(code, seed):
    description = codes.describe(code)
    if description.row_smallest == 0:
        return
    rng = np.random.default_rng(seed)
    word = code[0].copy()
    word[rng.permutation(code.shape[1])[: description.correctable]] ^= 1
    distance = (word != code).sum(axis=1)
    assert distance[0] < distance[1:].min()


def test_the_example_of_the_thesis_is_not_consistent():
    assert not codes.is_bayes_consistent(EXAMPLE)
    description = codes.describe(EXAMPLE)
    assert (description.row_smallest, description.row_largest, description.correctable) == (1, 3, 0)
    assert "not Bayes consistent" in repr(description)


def test_equal_rows_are_equidistant_but_not_consistent():
    # Theorem 1 as printed asks only for equal distances.
    assert not codes.is_bayes_consistent(np.ones((3, 4)))
    assert "cannot be told apart" in repr(codes.describe(np.ones((3, 4))))


def test_description_as_plain_values():
    record = json.loads(json.dumps(codes.describe(codes.identity(3)).to_dict()))
    assert record["row_distances"] == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert record["regression_consistent"] is True


def test_table_2_2_of_the_thesis_under_both_exponents():
    columns = [10, 50, 100, 200, 1000]
    printed = {0.2: [1, 1, 1, 1, 0.061], 0.5: [1, 1, 0.395, 0.017, 0], 0.9: [1, 0.032, 0, 0, 0]}
    for gap in (0.2, 0.5):  # these rows follow gap^2 / 8
        assert codes.convergence_bound(10, gap, columns) == pytest.approx(printed[gap], abs=6e-4)
    other = codes.convergence_bound(10, 0.9, columns, printed=True)  # this one gap / 8
    assert other == pytest.approx(printed[0.9], abs=6e-4)
    assert other[-1] == pytest.approx(1e-48, rel=2)  # 'the smallest of the 0's'
    assert codes.convergence_bound(10, 0.9, 50) == pytest.approx(0.057, abs=5e-4)


def test_the_bound_holds_and_the_printed_one_does_not():
    # A base whose answers depend on the columns alone; the gap between two classes is 0.1.
    rng = np.random.default_rng(3)
    q, columns, draws = np.array([0.3, 0.2, 0.2, 0.15, 0.15]), 100, 4000
    code = rng.integers(0, 2, (draws, 5, columns))
    p = np.einsum("dkb,k->db", code, q)
    d_bar = (1 - 2 * np.abs(p[:, None, :] - code)).mean(axis=2)
    wrong = (d_bar.argmax(axis=1) != 0).mean()
    assert wrong <= codes.convergence_bound(5, 0.1, columns)
    assert d_bar.mean(axis=0) == pytest.approx(q, abs=0.01)  # theorem 2


def test_bound_refusals():
    with pytest.raises(InputError, match="gap"):
        codes.convergence_bound(3, -0.1, 10)
    with pytest.raises(InputError, match="two or more classes"):
        codes.convergence_bound(1, 0.1, 10)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ([0, 1], "shape"),
        ([[0, 1]], "shape"),
        ([[0, 2], [1, 0]], "holds 2"),
        ([[0, -1], [1, 0]], "holds -1"),
        ([[0, np.nan], [1, 0]], "holds nan"),
        ([["0", "1"], ["1", "0"]], "only 0 and 1"),
    ],
)
def test_a_code_of_ones_own_is_checked(code, words):
    with pytest.raises(InputError, match=words):
        codes.as_code(code)


def test_by_name():
    assert codes.make("random", 26, seed=0).shape == (26, 200)
    assert codes.make("random", 4, seed=0).shape == (4, 7)
    assert codes.make("hadamard", 26, 31).shape == (26, 31)
    assert codes.make(EXAMPLE, 4).shape == (4, 3)
    with pytest.raises(InputError, match="hadamard has 31 columns"):
        codes.make("hadamard", 26, 200)
    with pytest.raises(InputError, match="4 rows for 5 classes"):
        codes.make(EXAMPLE, 5)
    with pytest.raises(InputError, match="choose one of identity"):
        codes.make("golay", 5)
    with pytest.raises(InputError, match="first model"):
        codes.make("trained", 5)


@pytest.mark.parametrize(
    ("alias", "name"), [("ovr", "identity"), ("one-vs-rest", "identity"), ("ecoc", "random")]
)
def test_other_names_of_codes(alias, name):
    assert np.array_equal(codes.make(alias, 5, seed=3), codes.make(name, 5, seed=3))
