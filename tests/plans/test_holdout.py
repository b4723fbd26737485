from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plans.tables import any_data, check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import FiveByTwo, Holdout, PairedSubsampling, Subsampling, ThreeWay


@pytest.mark.parametrize(("n", "train"), [(150, 100), (99, 66), (100, 67), (10, 7), (3, 2), (2, 1)])
def test_two_thirds_of_the_rows_train_as_in_the_notes(n, train):
    (piece,) = Holdout().on(numbers(n))
    assert (piece.train.size, piece.test.size) == (train, n - train)


@given(any_data(), st.floats(0.2, 0.8), st.sampled_from(["auto", True, False]), st.integers(0, 5))
def test_parts_are_disjoint_and_complete(data, share, stratify, seed):
    frozen = Holdout(share, stratify).on(data, seed)
    check_frozen(frozen, data)
    (piece,) = frozen
    assert sorted([*piece.train, *piece.test]) == list(range(data.n))
    if data.group is not None:
        return
    size = int(share * data.n + 0.5)
    assert piece.train.size == size
    if stratify is True or (stratify == "auto" and len(data.classes) <= 2):
        whole = np.bincount(data.y_true) * size / data.n
        mine = np.bincount(data.y_true[piece.train], minlength=whole.size)
        assert (np.abs(mine - whole) < 1).all()


def test_every_row_is_as_likely_to_train():
    data = classes([3, 5, 2])
    counts = np.zeros(10)
    rng = np.random.default_rng(0)
    for _ in range(2000):
        (piece,) = Holdout(0.5).pieces(data, rng)
        counts[piece.train] += 1
    assert np.abs(counts / 2000 - 0.5).max() < 4 * np.sqrt(0.25 / 2000)


DRAWN = {
    "Holdout": Holdout(0.5),
    "ThreeWay": ThreeWay(0.5, 0.25),
    "Subsampling": Subsampling(1, 0.5),
    "PairedSubsampling": PairedSubsampling(1, 1, 0.75),
    "FiveByTwo": FiveByTwo(),
}


@pytest.mark.parametrize("plan", DRAWN.values(), ids=DRAWN)
@pytest.mark.parametrize(("counts", "even"), [((12, 28), True), ((12, 10, 18), False)])
def test_more_than_two_classes_are_drawn_at_random(plan, counts, even):
    data, rng = classes(counts), np.random.default_rng(0)
    first = [next(iter(plan.pieces(data, rng))).train for _ in range(2000)]
    mine = np.array([(data.y_true[train] == 0).sum() for train in first])
    n, m = data.n, first[0].size
    # The variance of draws without replacement, and none where the class is dealt evenly.
    chance = m * (12 / n) * (1 - 12 / n) * (n - m) / (n - 1)
    assert mine.mean() == pytest.approx(12 * m / n, abs=4 * np.sqrt(chance / 2000))
    assert mine.var() == pytest.approx(0 if even else chance, rel=0.15)


def test_classes_declared_but_absent_do_not_count():
    data = replace(classes([12, 28]), classes=("a", "b", "never"))
    (piece,) = Holdout(0.5).on(data, seed=1)
    assert np.bincount(data.y_true[piece.train]).tolist() == [6, 14]


def test_groups_stay_whole_and_the_share_is_near():
    group = np.repeat(np.arange(30), 5)
    data = classes([75, 75], group)
    (piece,) = Holdout().on(data, seed=1)
    assert piece.train.size == 100


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5])
def test_share_must_leave_both_sides(share):
    with pytest.raises(InputError, match=r"train=.*a part of 10 rows is empty"):
        Holdout(share).on(numbers(10))


def test_share_that_leaves_a_side_empty():
    with pytest.raises(InputError, match=r"train=0\.99.*a part of 10 rows is empty"):
        Holdout(0.99).on(numbers(10))
    with pytest.raises(InputError, match="10 rows in 1 groups"):
        Holdout().on(numbers(10, np.zeros(10)))


def test_one_row_cannot_be_split():
    with pytest.raises(InputError, match="at least two rows"):
        Holdout().on(numbers(1))
