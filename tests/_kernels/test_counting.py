import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import counting as naive

from heliast._kernels import counting


@st.composite
def labelled(draw):
    k = draw(st.integers(2, 5))
    n = draw(st.integers(0, 40))
    column = st.lists(st.integers(0, k - 1), min_size=n, max_size=n)
    return np.array(draw(column), int), np.array(draw(column), int), k


def test_by_hand():
    table = counting.contingency(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0]), 2)
    assert table.tolist() == [[1, 1], [1, 2]]
    assert table.dtype == np.int64


@given(labelled(), st.sampled_from([np.uint8, np.int32, np.int64]))
def test_agrees_with_twin(rows, kind):
    truth, label, k = rows
    expected = naive.contingency(truth, label, k)
    assert np.array_equal(counting.contingency(truth.astype(kind), label.astype(kind), k), expected)


@given(labelled(), st.randoms())
def test_whole_weight_is_repeated_row(rows, random):
    truth, label, k = rows
    weight = np.array([random.randrange(4) for _ in truth], int)
    table = counting.contingency(truth, label, k, weight)
    assert table.dtype == np.float64
    assert np.array_equal(table, naive.contingency(truth, label, k, weight))
    repeated = counting.contingency(np.repeat(truth, weight), np.repeat(label, weight), k)
    assert np.array_equal(table, repeated)


def test_bool_codes_and_mixed_types():
    truth, label = np.array([True, False, True]), np.array([1, 0, 0])
    assert counting.contingency(truth, label, 2).tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize("k", [2, 7, 300])
def test_many_pieces_and_threads(monkeypatch, k):
    rng = np.random.default_rng(1)
    truth, label = rng.integers(0, k, (2, 700_001))
    weight = rng.random(truth.size)
    expected = np.bincount(truth * k + label, minlength=k * k).reshape(k, k)
    tables = []
    for count in ("1", "2", "5"):
        monkeypatch.setenv("HELIAST_THREADS", count)
        assert np.array_equal(counting.contingency(truth, label, k), expected)
        tables.append(counting.contingency(truth, label, k, weight))
    assert np.array_equal(tables[0], tables[1])
    assert np.array_equal(tables[0], tables[2])
    small = np.uint8 if k < 256 else np.int32
    assert np.array_equal(
        counting.contingency(*(a.astype(small) for a in (truth, label)), k), expected
    )
