import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import classes

from heliast.plans import LeaveOneOut, Piece


@given(st.integers(2, 30), st.data())
def test_the_training_rows_are_those_given_however_they_are_held(n, data):
    train = data.draw(st.lists(st.integers(0, n - 1), max_size=2 * n))
    piece = Piece.using(n, train, [0])
    assert piece.train.tolist() == train
    assert piece.train.dtype == np.int64
    assert piece.n_train == len(train)
    assert piece.in_train(n).tolist() == [train.count(row) for row in range(n)]


@given(st.integers(2, 30), st.data())
def test_leaving_rows_out_is_training_on_the_others(n, data):
    away = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n - 1))
    others = [row for row in range(n) if row not in away]
    piece = Piece.leaving(n, away)
    assert piece.train.tolist() == others
    assert piece.test.tolist() == away
    assert piece.n_train == len(others)
    # One way to hold the same rows, so that equal splits have equal fingerprints.
    twin = Piece.using(n, others, away)
    assert (piece.kept is None) == (twin.kept is None)


def test_leave_one_out_of_many_rows_holds_the_rows_left_out_only():
    frozen = LeaveOneOut().on(classes([5000, 5000]))
    assert all(piece.kept is None and piece.left_out.size == 1 for piece in frozen)
    assert frozen.pieces[17].train.size == 9999


def test_a_fresh_sample_sees_no_row_of_the_data():
    piece = Piece.using(3, [0, 1, 2], [0, 1]).but(fresh=lambda: classes([2, 1]))
    assert piece.in_train(2).tolist() == [0, 0]
    assert piece.data.n == 3


def test_an_unknown_field_is_refused():
    with pytest.raises(TypeError):
        Piece.using(3, [0], [1]).but(rows=3)
