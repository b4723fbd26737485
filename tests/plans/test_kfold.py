from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import KFold


def naive_folds(frozen, repeat):
    return [piece.test.tolist() for piece in frozen if piece.record.repeat == repeat]


@given(any_data(), st.integers(2, 8), st.integers(1, 3), st.integers(0, 5))
def test_each_row_is_tested_once_in_each_repeat(data, k, repeats, seed):
    units = data.n if data.group is None else len(set(data.group))
    if k > units:
        with pytest.raises(InputError, match=f"k={k}.*{units} folds at most"):
            KFold(k, repeats).on(data, seed)
        return
    frozen = KFold(k, repeats).on(data, seed)
    check_frozen(frozen, data)
    for repeat in range(repeats):
        folds = naive_folds(frozen, repeat)
        assert len(folds) == k
        assert sorted(chain(*folds)) == list(range(data.n))
    for piece in frozen:
        assert sorted([*piece.train, *piece.test]) == list(range(data.n))


@given(any_data(groups=False), st.integers(2, 8))
def test_folds_of_a_class_and_fold_sizes_differ_by_one_at_most(data, k):
    if k > data.n:
        return
    frozen = KFold(k).on(data, seed=1)
    table = np.array([np.bincount(data.y_true[piece.test], minlength=5) for piece in frozen])
    assert (np.ptp(table, axis=0) <= 1).all()
    assert np.ptp(table.sum(axis=1)) <= 1


def test_m_times_stratified_k_fold_of_the_slides():
    data = classes([60, 40])
    frozen = KFold(10, repeats=3).on(data, seed=7)
    assert len(frozen) == 30
    for piece in frozen:
        assert np.bincount(data.y_true[piece.test]).tolist() == [6, 4]
        assert np.bincount(data.y_true[piece.train]).tolist() == [54, 36]
    first, second, third = (naive_folds(frozen, repeat) for repeat in range(3))
    assert first != second != third != first


def test_every_row_is_as_likely_in_every_fold():
    data = classes([3, 4, 5])
    counts = np.zeros((12, 5))
    for piece in KFold(5, repeats=4000).pieces(data, np.random.default_rng(3)):
        counts[piece.test, piece.record.fold] += 1
    spread = np.sqrt(4000 * 0.2 * 0.8)
    assert np.abs(counts - 800).max() < 4.5 * spread


def test_a_number_is_not_stratified_unless_asked():
    data = numbers(100)
    top = np.argsort(data.y_true)[-20:]  # with 5 bins and 5 folds each fold gets 4 of the top bin
    plain = [np.isin(piece.test, top).sum() for piece in KFold(5).on(data, seed=1)]
    bins = [np.isin(piece.test, top).sum() for piece in KFold(5, stratify=5).on(data, seed=1)]
    assert plain != [4] * 5
    assert bins == [4] * 5
    tens = KFold(10, stratify=True).on(data, seed=1)
    assert all(
        len({np.searchsorted(np.sort(data.y_true), data.y_true[row]) // 10 for row in piece.test})
        == 10
        for piece in tens
    )


def test_bins_are_for_numbers():
    with pytest.raises(InputError, match="for numbers, a number of bins"):
        KFold(2, stratify=5).on(classes([5, 5]))


def test_unstratified_on_request():
    data = classes([50, 50])
    counts = [
        np.bincount(data.y_true[p.test])[0] for p in KFold(5, stratify=False).on(data, seed=2)
    ]
    assert counts != [10] * 5
    assert sum(counts) == 50


def test_groups_are_spread_by_class():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(100), 4)
    truth = np.repeat(rng.permutation(np.repeat([0, 1, 2], [60, 30, 10])), 4)
    data = classes([1]).__class__((), truth, "classification", ("a", "b", "c"), group=group)
    for piece in KFold(10, repeats=2).on(data, seed=1):
        assert np.bincount(truth[piece.test]).tolist() == [24, 12, 4]


def test_repeats_with_groups_of_all_sizes_differ():
    group = np.repeat(np.arange(20), np.arange(1, 21))
    data = numbers(group.size, group)
    frozen = KFold(4, repeats=5).on(data, seed=1)
    parts = {tuple(sorted(map(tuple, naive_folds(frozen, repeat)))) for repeat in range(5)}
    assert len(parts) == 5
    sizes = [piece.test.size for piece in frozen]
    assert max(sizes) - min(sizes) <= 20


def test_groups_of_one_row_are_no_groups():
    data = classes([10, 10])
    grouped = classes([10, 10], group=np.arange(20)[::-1])
    assert KFold(5).on(data, 3).fingerprint == KFold(5).on(grouped, 3).fingerprint


def test_class_smaller_than_the_folds_is_noted():
    notes = KFold(5).on(classes([20, 3]), seed=1).notes
    assert any("fewer rows than the 5 folds: class 'b' (3)" in note for note in notes)
    assert not any("missing" in note for note in notes)


def test_class_with_one_row_is_missing_from_one_training_set():
    notes = KFold(5).on(classes([20, 1]), seed=1).notes
    assert any("class 'b' (1 row) is missing from the training rows of 1 of 5" in n for n in notes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 1}, "k=1.*no rows to train on"),
        ({"k": 2.0}, "k=2.0"),
        ({"k": True}, "k=True"),
        ({"repeats": 0}, "repeats=0.*no split"),
        ({"stratify": "yes"}, "stratify must be 'auto'"),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(InputError, match=message):
        KFold(**arguments).on(classes([9, 9]))


def test_more_folds_than_rows_or_groups():
    with pytest.raises(InputError, match=r"k=10.*: 6 rows can be split into 6 folds at most"):
        KFold(10).on(classes([3, 3]))
    with pytest.raises(InputError, match=r"k=4.*: 6 rows in 3 groups can be split into 3"):
        KFold(4).on(classes([3, 3], group=np.array([1, 1, 2, 2, 3, 3])))


def test_as_many_folds_as_rows_is_leave_one_out():
    frozen = KFold(6).on(classes([3, 3]), seed=1)
    assert sorted(piece.test.tolist() for piece in frozen) == [[row] for row in range(6)]
