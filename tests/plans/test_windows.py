import numpy as np
import pytest
from sklearn.model_selection import KFold, TimeSeriesSplit
from tests.plans.tables import classes

import heliast as hl
from heliast._core.notes import MIXED, key_of
from heliast.data import Dataset
from heliast.plans import as_plan


def data(times=None, n: int = 30) -> Dataset:
    rng = np.random.default_rng(1)
    return Dataset.of(rng.normal(size=(n, 2)), rng.integers(0, 2, n), time=times)


def windows(plan, rows) -> list[tuple[list[int], list[int]]]:
    return [(piece.train.tolist(), piece.test.tolist()) for piece in as_plan(plan, rows).on(rows)]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (hl.Rolling(3, 2), [((0, 3), (3, 5)), ((2, 5), (5, 7)), ((4, 7), (7, 8))]),
        (hl.Rolling(3, 2, step=3), [((0, 3), (3, 5)), ((3, 6), (6, 8))]),
        (hl.Rolling(3, 2, gap=2), [((0, 3), (5, 7)), ((2, 5), (7, 8))]),
        (hl.Expanding(4, 2), [((0, 4), (4, 6)), ((0, 6), (6, 8))]),
        (hl.Expanding(4, 3, step=1), [((0, k), (k, min(k + 3, 8))) for k in (4, 5, 6, 7)]),
    ],
)
def test_windows_by_hand(plan, expected) -> None:
    spans = [(list(range(*train)), list(range(*test))) for train, test in expected]
    assert windows(plan, data(n=8)) == spans


@pytest.mark.parametrize("k", [2, 4, 7])
def test_a_number_of_folds_of_rows_in_order_is_scikit_learns_time_series_split(k) -> None:
    rows = data(np.arange(30))
    theirs = [(a.tolist(), b.tolist()) for a, b in TimeSeriesSplit(k).split(np.zeros(30))]
    assert windows(k, rows) == windows(TimeSeriesSplit(k), rows) == theirs


def test_rolling_is_scikit_learns_split_with_a_longest_window() -> None:
    theirs = TimeSeriesSplit(4, max_train_size=10, test_size=5).split(np.zeros(30))
    assert windows(hl.Rolling(10, 5), data()) == [(a.tolist(), b.tolist()) for a, b in theirs]


@pytest.mark.parametrize("plan", [hl.Rolling(8, 4), hl.Expanding(8, 4), 5, TimeSeriesSplit(5)])
def test_time_decides_whatever_the_order_of_rows(plan) -> None:
    when = np.random.default_rng(2).permutation(30)
    shuffled, straight = data(when), data(np.arange(30))
    found = [(set(when[a]), set(when[b])) for a, b in windows(plan, shuffled)]
    assert found == [(set(a), set(b)) for a, b in windows(plan, straight)]


def test_rows_of_one_time_stay_together() -> None:
    days = np.repeat(np.arange(6), 5)
    for train, test in windows(hl.Rolling(2, 1), data(days)):
        assert len(test) == 5
        assert set(days[train]) == {days[test][0] - 2, days[test][0] - 1}
    with pytest.raises(hl.InputError, match="time 1 is in the training and the test rows"):
        as_plan(TimeSeriesSplit(3)).on(data(np.repeat(np.arange(4), [7, 8, 7, 8])))


@pytest.mark.parametrize("plan", [hl.Rolling(10, 5), TimeSeriesSplit(4)])
def test_what_goes_forward_is_known_and_not_advised_to_be_drawn_again(plan) -> None:
    rng = np.random.default_rng(5)
    drifting = Dataset.of(np.arange(200.0)[:, None], rng.integers(0, 2, 200))
    frozen = as_plan(plan).on(drifting)
    assert frozen.walks
    assert not [note for note in frozen.notes if "redraw" in note]


def test_plans_that_train_on_the_future_say_so() -> None:
    for plan in (hl.KFold(5), KFold(5), hl.Holdout()):
        frozen = as_plan(plan).on(data(np.arange(30)))
        assert not frozen.walks
        assert MIXED in map(key_of, frozen.notes)
    assert not as_plan(hl.KFold(5)).on(data()).walks


@pytest.mark.parametrize(
    ("plan", "rows", "message"),
    [
        (hl.Rolling(30, 1), data(), "no split of these rows"),
        (hl.Rolling(5, 1), classes([5, 5], group=np.arange(10) // 2), "give time= instead of"),
        (30, data(np.arange(30)), "30 times can be split into 29 tests at most"),
    ],
)
def test_windows_that_do_not_fit_are_refused(plan, rows, message) -> None:
    with pytest.raises(hl.InputError, match=message):
        as_plan(plan, rows).on(rows)


@pytest.mark.parametrize("arguments", [(0, 1), (3, 0), (3, -1), (3, 1, None, -1), (2.5, 1)])
def test_windows_of_no_length_are_refused(arguments) -> None:
    with pytest.raises(hl.InputError, match="plan Rolling"):
        hl.Rolling(*arguments).on(data())
