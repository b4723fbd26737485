import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, numbers

from heliast import InputError
from heliast.plans import Subsampling


@given(any_data(), st.integers(1, 5), st.integers(0, 5))
def test_every_time_is_a_holdout(data, times, seed):
    frozen = Subsampling(times).on(data, seed)
    check_frozen(frozen, data)
    assert [record.repeat for record in frozen.splits] == list(range(times))
    for piece in frozen:
        assert sorted([*piece.train, *piece.test]) == list(range(data.n))


def test_times_differ():
    frozen = Subsampling(20).on(numbers(30), seed=1)
    assert len({tuple(piece.test) for piece in frozen}) == 20
    assert {(record.n_train, record.n_test) for record in frozen.splits} == {(20, 10)}


@pytest.mark.parametrize("times", [0, -1, 1.5])
def test_times_are_checked(times):
    with pytest.raises(InputError, match="times="):
        Subsampling(times).on(numbers(9))
