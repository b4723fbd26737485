import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes

from heliast import InputError
from heliast.plans import ThreeWay


@given(any_data(least=12), st.integers(0, 5))
def test_three_disjoint_parts_with_one_training_set(data, seed):
    frozen = ThreeWay().on(data, seed)
    check_frozen(frozen, data)
    checked, tested = frozen
    assert (checked.record.role, tested.record.role) == ("validation", "test")
    assert checked.train.tolist() == tested.train.tolist()
    assert checked.fit == tested.fit == 0
    everything = [*checked.train, *checked.test, *tested.test]
    assert sorted(everything) == list(range(data.n))


def test_sizes_by_class():
    data = classes([50, 30, 20])
    checked, tested = ThreeWay(0.5, 0.3, stratify=True).on(data, seed=1)
    assert [data.y_true[rows].tolist().count(0) for rows in (checked.train, checked.test)] == [
        25,
        15,
    ]
    assert (checked.n_train, checked.test.size, tested.test.size) == (50, 30, 20)


def test_something_must_be_left_to_test():
    with pytest.raises(InputError, match="a part of 40 rows is empty"):
        ThreeWay(0.6, 0.4).on(classes([20, 20]))
    with pytest.raises(InputError, match="a part of 3 rows is empty"):
        ThreeWay().on(classes([2, 1]))
