import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import Bootstrap


@given(any_data(), st.integers(1, 4), st.integers(0, 5))
def test_resamples_predict_what_they_left_out(data, times, seed):
    frozen = Bootstrap(times).on(data, seed)
    check_frozen(frozen, data)
    *resamples, full = frozen
    assert full.record.role == "full"
    assert full.train.tolist() == full.test.tolist() == list(range(data.n))
    for piece in resamples:
        drawn = set(piece.train.tolist())
        assert piece.test.tolist() == [row for row in range(data.n) if row not in drawn]
        seen = piece.in_train(data.n)
        if data.group is None:
            assert seen.sum() == data.n
        else:
            groups = [set(seen[data.group == name]) for name in set(data.group)]
            assert all(len(counts) == 1 for counts in groups)
            assert sum(min(counts) for counts in groups) == len(groups)


@pytest.mark.parametrize("n", [10, 200])
def test_the_share_left_out_is_that_of_the_slides(n):
    frozen = Bootstrap(2000).on(numbers(n), seed=1)
    out = np.array([piece.test.size / n for piece in frozen.pieces[:-1]])
    error = out.std(ddof=1) / np.sqrt(out.size)
    assert abs(out.mean() - (1 - 1 / n) ** n) < 4 * error


@given(any_data(), st.integers(1, 3), st.integers(1, 3), st.integers(0, 5))
def test_resamples_of_resamples_predict_what_they_left_out_of_them(data, times, inner, seed):
    frozen = Bootstrap(times, inner).on(data, seed)
    check_frozen(frozen, data)
    plain = Bootstrap(times).on(data, seed)
    first, again = frozen.pieces[: times + 1], frozen.pieces[times + 1 :]
    assert len(again) == times * inner
    if data.group is None and data.n > 9:  # few: a resample of one row is drawn again
        assert [one.train.tolist() for one in first] == [one.train.tolist() for one in plain]
    for piece in again:
        outer = set(frozen.pieces[piece.record.outer].train.tolist())
        drawn = set(piece.train.tolist())
        assert piece.record.role == "inner"
        assert drawn < outer
        assert set(piece.test.tolist()) == outer - drawn


def test_a_resample_of_a_resample_needs_three_rows():
    with pytest.raises(InputError, match="resamples of 2 rows leave nothing out"):
        Bootstrap(1, inner=1).on(numbers(2), seed=1)


def test_two_rows_always_leave_one_out():
    frozen = Bootstrap(20).on(numbers(2), seed=1)
    assert all(piece.test.size == 1 for piece in frozen.pieces[:-1])


def test_missing_classes_are_counted():
    data = classes([10, 1])
    frozen = Bootstrap(50).on(data, seed=1)
    (rare,) = np.flatnonzero(data.y_true == 1)
    lacking = sum(rare not in piece.train for piece in frozen)
    assert f"missing from the training rows of {lacking} of 51 splits" in frozen.notes[0]


def test_a_thousand_resamples_of_ten_thousand_rows_stay_small():
    frozen = Bootstrap(1000).on(classes([5000, 5000]), seed=1)
    held = sum(piece.kept.nbytes + piece.test.nbytes for piece in frozen.pieces[:-1])
    assert held < 80e6


def test_arguments_are_checked():
    with pytest.raises(InputError, match="'str' object"):
        Bootstrap("a").on(numbers(9))
    with pytest.raises(InputError, match="4 rows in 1 groups"):
        Bootstrap().on(numbers(4, np.zeros(4)))
