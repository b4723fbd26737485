from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes

from heliast import InputError
from heliast.plans import NestedFolds


@given(any_data(), st.integers(3, 4), st.integers(1, 2))
def test_inner_folds_are_the_outer_folds_that_remain(data, k, repeats):
    frozen = NestedFolds(k, repeats).on(data, seed=1)
    check_frozen(frozen, data)
    for repeat in range(repeats):
        mine = [piece for piece in frozen if piece.record.repeat == repeat]
        outer = [piece for piece in mine if piece.record.role == "test"]
        folds = [piece.test.tolist() for piece in outer]
        assert sorted(chain(*folds)) == list(range(data.n))
        assert [piece.record.fold for piece in outer] == list(range(k))
        for o in range(k):
            inner = [piece for piece in mine if piece.record.outer == o]
            assert [piece.record.fold for piece in inner] == [j for j in range(k) if j != o]
            for piece in inner:
                j = piece.record.fold
                assert piece.record.role == "inner"
                assert piece.test.tolist() == folds[j]
                away = {*folds[o], *folds[j]}
                assert piece.train.tolist() == [r for r in range(data.n) if r not in away]


def test_a_pair_of_folds_is_fitted_once():
    frozen = NestedFolds(5, repeats=2).on(classes([20, 20]), seed=1)
    assert len(frozen) == 2 * (5 + 20)
    assert len({piece.fit for piece in frozen}) == 2 * (5 + 10)


def test_two_folds_leave_no_inner_training_rows():
    with pytest.raises(InputError, match=r"k=2.*no rows to train on"):
        NestedFolds(2).on(classes([5, 5]))
