import numpy as np
import pytest
from tests.plans.tables import check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import LeaveOneOut


def test_naive_twin():
    data = classes([4, 3])
    frozen = LeaveOneOut().on(data)
    check_frozen(frozen, data)
    for row, piece in enumerate(frozen):
        assert piece.test.tolist() == [row]
        assert piece.train.tolist() == [other for other in range(7) if other != row]


def test_with_groups_one_group_is_left_out():
    data = classes([4, 3], group=np.array(["u", "v", "u", "w", "v", "w", "w"]))
    frozen = LeaveOneOut().on(data)
    check_frozen(frozen, data)
    assert [piece.test.tolist() for piece in frozen] == [[0, 2], [1, 4], [3, 5, 6]]


def test_no_random_choice():
    data = numbers(8)
    assert LeaveOneOut().on(data, 1).fingerprint == LeaveOneOut().on(data, 2).fingerprint


def test_one_group_cannot_be_left_out():
    with pytest.raises(InputError, match="no rows to train on"):
        LeaveOneOut().on(numbers(4, np.zeros(4)))


def test_class_with_one_row_is_noted():
    (note,) = LeaveOneOut().on(classes([5, 1])).notes
    assert "class 'b' (1 row) is missing from the training rows of 1 of 6 splits" in note


def test_ten_thousand_rows_are_each_left_out_once():
    frozen = LeaveOneOut().on(classes([5000, 5000], inputs=3))
    assert np.concatenate([piece.test for piece in frozen.pieces]).tolist() == list(range(10_000))
    assert frozen.notes == ()
