import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import Bootstrap, Holdout, KFold, LabelNoise, LeaveOneOut, ThreeWay

SHARES = (0, 0.1, 0.35, 1.0)


@given(any_data(), st.sampled_from([Holdout(), KFold(3), Bootstrap(2), LeaveOneOut()]))
def test_exactly_the_share_of_distinct_rows_is_wrong(data, plan):
    if len(data.classes) < 2:
        with pytest.raises(InputError, match="no other class"):
            LabelNoise(plan).on(data)
        return
    frozen = LabelNoise(plan, SHARES).on(data, seed=1)
    check_frozen(frozen, data)
    for at, piece in enumerate(frozen):
        share = SHARES[at % len(SHARES)]
        assert piece.record.noise == share
        true = data.y_true[piece.train]
        given_ = true if piece.y_true is None else piece.y_true
        assert given_.dtype == true.dtype
        assert ((given_ >= 0) & (given_ < len(data.classes))).all()
        wrong = set(piece.train[given_ != true].tolist())
        right = set(piece.train[given_ == true].tolist())
        assert not wrong & right
        assert len(wrong) == int(share * len(set(piece.train.tolist())) + 0.5)


def test_more_noise_adds_to_less():
    data = classes([30, 30, 30])
    low, high = LabelNoise(Holdout(), (0.1, 0.3)).on(data, seed=1)
    changed = low.y_true != data.y_true[low.train]
    assert (low.y_true[changed] == high.y_true[changed]).all()
    assert (high.y_true != data.y_true[high.train]).sum() == 18


def test_the_other_classes_are_equally_likely():
    data = classes([4000, 10, 10, 10])
    (piece,) = LabelNoise(Holdout(), (1.0,)).on(data, seed=1)
    given_ = piece.y_true[data.y_true[piece.train] == 0]
    counts = np.bincount(given_, minlength=4)
    assert counts[0] == 0
    expected = given_.size / 3
    assert np.abs(counts[1:] - expected).max() < 4 * np.sqrt(expected * 2 / 3)


def test_validation_and_test_have_the_same_noise():
    first, second = LabelNoise(ThreeWay(), (0.2,)).on(classes([30, 30]), seed=1)
    assert first.y_true.tolist() == second.y_true.tolist()
    assert first.fit == second.fit


def test_noise_changes_the_fingerprint():
    data = classes([30, 30])
    plan = LabelNoise(Holdout(), (0.2,))
    assert plan.on(data, 1).fingerprint == plan.on(data, 1).fingerprint
    assert plan.on(data, 1).fingerprint != LabelNoise(Holdout(), (0.3,)).on(data, 1).fingerprint


def test_numbers_have_no_other_class():
    with pytest.raises(InputError, match="no other class"):
        LabelNoise(Holdout()).on(numbers(20))


def test_no_noise_on_noise():
    with pytest.raises(InputError, match="varied already"):
        LabelNoise(LabelNoise(Holdout())).on(classes([9, 9]))
