import numpy as np
import pytest
from tests.plans.tables import check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import PairedSubsampling


@pytest.mark.parametrize("n", [40, 41, 100])
def test_halves_share_no_row_and_sizes_are_those_of_the_estimate(n):
    data = classes([n // 2, n - n // 2])
    frozen = PairedSubsampling(times=3, pairs=4).on(data, seed=1)
    check_frozen(frozen, data)
    away = n - int(0.9 * n + 0.5)
    tests = frozen.splits.of_role("test")
    assert [(one.repeat, one.n_train, one.n_test) for one in tests] == [
        (repeat, n - away, away) for repeat in range(3)
    ]
    for pair in range(4):
        halves = []
        for half in range(2):
            mine = [
                piece
                for piece in frozen
                if piece.record.role == "inner"
                and (piece.record.repeat, piece.record.outer) == (pair, half)
            ]
            assert [piece.record.fold for piece in mine] == [0, 1, 2]
            assert {(p.n_train, p.test.size) for p in mine} == {(n // 2 - away, away)}
            halves.append({row for p in mine for row in (*p.train, *p.test)})
            assert len(halves[-1]) == n // 2
        assert not halves[0] & halves[1]


def test_halves_of_different_pairs_differ():
    frozen = PairedSubsampling(times=1, pairs=5).on(numbers(40), seed=1)
    halves = {tuple(sorted((*p.train, *p.test))) for p in frozen if p.record.outer == 0}
    assert len(halves) == 5


def test_groups_stay_whole():
    data = classes([60, 60], group=np.repeat(np.arange(40), 3))
    frozen = PairedSubsampling(times=2, pairs=3).on(data, seed=1)
    check_frozen(frozen, data)
    for pair in range(3):
        halves = [
            {
                g
                for p in frozen
                if (p.record.repeat, p.record.outer) == (pair, half)
                for g in (*data.group[p.train], *data.group[p.test])
            }
            for half in range(2)
        ]
        assert not halves[0] & halves[1]


def test_a_half_must_hold_the_test_rows():
    with pytest.raises(InputError, match=r"train=0\.5"):
        PairedSubsampling(train=0.5).on(numbers(40))
