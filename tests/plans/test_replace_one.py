import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes

from heliast import InputError
from heliast.plans import KFold, ReplaceOne


@given(any_data(least=8, groups=False), st.integers(2, 4), st.integers(0, 5))
def test_one_row_after_another_is_exchanged(data, k, seed):
    frozen = ReplaceOne(k).on(data, seed)
    check_frozen(frozen, data)
    half = data.n // 2
    plain = KFold(k).on(data, seed)
    first, inner = frozen.pieces[:k], frozen.pieces[k:]
    assert [one.test.tolist() for one in first] == [one.test.tolist() for one in plain]
    assert len(inner) == k * (half + 1)
    runs = [inner[at : at + k] for at in range(0, len(inner), k)]
    tested = [np.concatenate([piece.test for piece in run]) for run in runs]
    base = tested[0]
    assert len(set(base.tolist())) == half
    gone = set()
    for outer, (run, rows) in enumerate(zip(runs, tested, strict=True)):
        assert {piece.record.outer for piece in run} == {outer}
        for piece in run:
            assert set(piece.train.tolist()) | set(piece.test.tolist()) == set(rows.tolist())
        if outer:
            (old,) = base[base != rows]
            (new,) = rows[base != rows]
            assert new not in base
            gone.add(int(old))
    assert gone == set(base.tolist())
    assert len({piece.fit for piece in frozen}) == 2 * k + (k - 1) * half


def test_arguments_are_checked():
    with pytest.raises(InputError, match="k=1"):
        ReplaceOne(1).on(classes([6, 6]))
    with pytest.raises(InputError, match="no rows to train on, or none to predict"):
        ReplaceOne(5).on(classes([4, 4]))
    with pytest.raises(InputError, match="come in groups"):
        ReplaceOne(2).on(classes([6, 6], group=np.arange(12) // 2))
