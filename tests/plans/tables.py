"""Small data sets to split, and the questions every split must answer rightly."""

import numpy as np
from hypothesis import strategies as st

from heliast.data import Dataset, Input


def classes(counts, group=None, seed=0, inputs=0):
    """A data set with so many rows of each class, shuffled, and some noise inputs."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    columns = tuple(Input(f"x{at}", rng.normal(size=truth.size)) for at in range(inputs))
    labels = tuple("abcdefghijklmnopqrstuvwxyz"[: len(counts)])
    return Dataset(columns, truth, "classification", labels, group=group)


def numbers(n, group=None, seed=0):
    truth = np.random.default_rng(seed).normal(size=n)
    return Dataset((), truth, "regression", group=group)


@st.composite
def any_data(draw, least=4, groups=None):
    """Classes of any counts (one row included), with or without groups."""
    counts = draw(st.lists(st.integers(1, 15), min_size=1, max_size=4))
    counts[0] = max(counts[0], least - sum(counts[1:]))
    n = sum(counts)
    group = None
    if draw(st.booleans()) if groups is None else groups:
        many = draw(st.integers(min(4, n), n))
        rng = np.random.default_rng(draw(st.integers(0, 99)))
        group = rng.permutation(
            np.concatenate([np.arange(many), rng.integers(many, size=n - many)])
        )
    return classes(counts, group, draw(st.integers(0, 99)))


def torn_groups(frozen, data):
    """Groups in both training and test rows of some split: must be none."""
    if data.group is None:
        return set()
    torn = set()
    for piece in frozen:
        if piece.record.role != "full":
            torn |= set(data.group[piece.train]) & set(data.group[piece.test])
    return torn


def check_frozen(frozen, data):
    """What holds for every plan: sizes recorded, numbers in order, nothing shared or torn."""
    for at, piece in enumerate(frozen):
        record = piece.record
        assert record.split == at
        assert record.n_train == piece.train.size == piece.n_train > 0
        assert record.n_test == piece.test.size > 0
        assert len(set(piece.test.tolist())) == piece.test.size
        if record.role != "full":
            assert not set(piece.train.tolist()) & set(piece.test.tolist())
        same = frozen.pieces[piece.fit]
        assert same.train.tolist() == piece.train.tolist()
    assert not torn_groups(frozen, data)
