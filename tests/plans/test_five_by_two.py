from hypothesis import given
from tests.plans.tables import any_data, check_frozen

from heliast.plans import FiveByTwo


@given(any_data())
def test_five_times_the_halves_change_places(data):
    frozen = FiveByTwo().on(data, seed=1)
    check_frozen(frozen, data)
    assert [(one.repeat, one.fold) for one in frozen.splits] == [
        (repeat, fold) for repeat in range(5) for fold in range(2)
    ]
    for first, second in zip(frozen.pieces[::2], frozen.pieces[1::2], strict=True):
        assert first.train.tolist() == second.test.tolist()
        assert second.train.tolist() == first.test.tolist()
