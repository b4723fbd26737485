from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import ShuffleSplit
from tests.plans.tables import any_data, check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import Bootstrap, Holdout, KFold, LabelNoise, LearningCurve, ThreeWay

SHARES = (0.4, 0.7, 1.0)


def by_base(frozen, shares=SHARES):
    return [frozen.pieces[at : at + len(shares)] for at in range(0, len(frozen), len(shares))]


@given(any_data(least=8), st.sampled_from([Holdout(), KFold(3), Bootstrap(2)]), st.integers(0, 3))
def test_training_sets_are_nested_and_tests_stay(data, plan, seed):
    frozen = LearningCurve(plan, SHARES).on(data, seed)
    base = plan.on(data, seed)
    check_frozen(frozen, data)
    for pieces, whole in zip(by_base(frozen), base, strict=True):
        assert [piece.record.train_share for piece in pieces] == list(SHARES)
        held = [piece.in_train(data.n) for piece in pieces]
        assert all((small <= large).all() for small, large in pairwise(held))
        for piece, share in zip(pieces, SHARES, strict=True):
            assert piece.n_train == int(share * pieces[-1].n_train + 0.5)
            assert (piece.record.repeat, piece.record.fold) == (
                whole.record.repeat, whole.record.fold
            )  # fmt: skip
            if piece.record.role == "full":
                assert piece.test.tolist() == sorted(set(piece.train.tolist()))
            else:
                assert piece.test.tolist() == pieces[0].test.tolist()


def test_the_whole_share_is_the_plan_itself():
    data = classes([20, 20])
    (whole,) = Holdout().on(data, seed=5)
    last = LearningCurve(Holdout()).on(data, seed=5).pieces[-1]
    assert last.train.tolist() == whole.train.tolist()
    assert last.test.tolist() == whole.test.tolist()


def test_classes_keep_their_shares():
    data = classes([60, 30, 10])
    frozen = LearningCurve(KFold(5), shares=(0.1, 0.25, 0.5)).on(data, seed=1)
    for piece in frozen:
        share = piece.record.train_share
        mine = np.bincount(data.y_true[piece.train], minlength=3)
        assert (np.abs(mine - share * np.array([48, 24, 8])) <= 1).all()


def test_groups_are_added_whole():
    data = classes([40, 40], group=np.repeat(np.arange(20), 4))
    for piece in LearningCurve(Holdout(), shares=(0.25, 0.5, 0.75)).on(data, seed=1):
        counts = np.bincount(data.group[piece.train])
        assert ((counts > 0) & (counts < 4)).sum() <= 1


def test_validation_and_test_keep_one_training_set():
    frozen = LearningCurve(ThreeWay(), SHARES).on(classes([30, 30]), seed=1)
    first, second = frozen.pieces[:3], frozen.pieces[3:]
    for a, b in zip(first, second, strict=True):
        assert a.fit == b.fit == a.record.split
        assert a.train.tolist() == b.train.tolist()


def test_curve_of_noise_and_noise_of_a_curve():
    data = classes([30, 30])
    for plan in (
        LearningCurve(LabelNoise(Holdout(), (0, 0.2)), (0.5, 1.0)),
        LabelNoise(LearningCurve(Holdout(), (0.5, 1.0)), (0, 0.2)),
    ):
        frozen = plan.on(data, seed=1)
        assert {(one.train_share, one.noise) for one in frozen.splits} == {
            (0.5, 0.0), (1.0, 0.0), (0.5, 0.2), (1.0, 0.2)
        }  # fmt: skip
        for piece in frozen:
            assert piece.y_true is None or piece.y_true.size == piece.n_train


def test_any_plan_will_do():
    frozen = LearningCurve(ShuffleSplit(2, random_state=1), (0.5,)).on(numbers(20))
    assert [piece.n_train for piece in frozen] == [9, 9]


@pytest.mark.parametrize("shares", [(), (-0.1, 0.5), (0.5, 1.1)])
def test_shares_are_checked(shares):
    with pytest.raises(InputError, match="shares must be between 0 and 1"):
        LearningCurve(Holdout(), shares)


def test_shares_are_sorted():
    assert LearningCurve(Holdout(), (0.5, 0.2, 0.5)) == LearningCurve(Holdout(), (0.2, 0.5))


def test_a_share_of_no_rows():
    with pytest.raises(InputError, match="0 of 7 training rows is none"):
        LearningCurve(Holdout(), (0, 0.5)).on(numbers(10))
    with pytest.raises(InputError, match=r"0\.01 of 7 training rows is none"):
        LearningCurve(Holdout(), (0.01,)).on(numbers(10))


def test_no_curve_of_a_curve():
    with pytest.raises(InputError, match="varied already"):
        LearningCurve(LearningCurve(Holdout())).on(numbers(40))
