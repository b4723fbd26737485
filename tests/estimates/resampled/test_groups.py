"""Rows that come in groups: intervals count groups, or are refused."""

from dataclasses import replace

import numpy as np
import pytest

import heliast as hl
from heliast import estimates
from heliast.estimates import resampled_methods

GROUPS, EACH, RATE = 40, 5, 0.3
BY_GROUP = {
    "auto": hl.KFold(10),
    "corrected_t": hl.KFold(10),
    "fold_t": hl.KFold(10),
    "fold_z": hl.KFold(10),
    "five_by_two": hl.FiveByTwo(),
    "conservative_z": hl.PairedSubsampling(4, 10, 0.8),
    "location_shifted": hl.Bootstrap(60),
    "holdout": hl.Holdout(0.2),
    "out_of_bag": None,
}
"""The plans that each method reads; a method that is not here must refuse groups."""
POINTS = {
    "left_out",
    "bootstrap_632",
    "bootstrap_632_notes",
    "bootstrap_632_plus",
    "resubstitution",
}


def clustered(plan: object, seed: int, grouped: bool = True) -> hl.Predictions:
    """A model that never learns; the rows of a group are right or wrong together, 30% wrong."""
    rng = np.random.default_rng(seed)
    n = GROUPS * EACH
    group = np.repeat(np.arange(GROUPS), EACH)
    truth = rng.integers(0, 2, n)
    wrong = (rng.random(GROUPS) < RATE)[group]
    mixed = rng.permutation(n)
    group, wrong = group[mixed], wrong[mixed]
    label = np.where(wrong, 1 - truth, truth)
    if plan is None:
        known = {"group": group} if grouped else {}
        return hl.Predictions.of(truth, label, in_train=np.zeros(n, int), row=range(n), **known)
    data = hl.Dataset.of(np.zeros((n, 1)), truth)
    data = replace(data, group=group) if grouped else data
    frozen = plan.on(data, seed)
    in_sample = isinstance(plan, hl.Bootstrap)
    rows = [np.arange(n) if in_sample else piece.test for piece in frozen]
    if in_sample:  # inner resamples know the rows of their resample alone
        rows = [
            piece.test if piece.record.role == "inner" else every
            for piece, every in zip(frozen, rows, strict=True)
        ]
    row = np.concatenate(rows)
    split = np.concatenate([np.full(part.size, at) for at, part in enumerate(rows)])
    seen = np.concatenate(
        [piece.in_train(n)[part] for piece, part in zip(frozen, rows, strict=True)]
    )
    known = {"group": group[row]} if grouped else {}
    table = hl.Predictions.of(truth[row], label[row], split=split, row=row, in_train=seen, **known)
    return replace(table, splits=frozen.splits)


def coverage(method: str, grouped: bool, times: int) -> float:
    hits = 0
    for seed in range(times):
        table = clustered(BY_GROUP[method], seed, grouped)
        found = hl.assess(table, "error", interval=method)["model", "error"]
        hits += found.low <= RATE <= found.high
    return hits / times


@pytest.mark.parametrize("method", BY_GROUP)
def test_the_true_error_is_covered_when_rows_are_clustered(method: str) -> None:
    slow = method == "conservative_z"
    assert coverage(method, True, 30 if slow else 60) >= 0.85


@pytest.mark.parametrize("method", ["fold_t", "location_shifted", "out_of_bag"])
def test_the_same_rows_without_their_groups_deceive(method: str) -> None:
    assert coverage(method, False, 60) < 0.8


@pytest.mark.parametrize("method", sorted({*resampled_methods()} - {*BY_GROUP} - POINTS))
def test_what_counts_rows_refuses_groups(method: str) -> None:
    plan = {"nested_cv": hl.NestedFolds(4, 2), "replace_one": None}.get(method, hl.KFold(5))
    if method == "replace_one":
        alone = clustered(hl.ReplaceOne(4), 1, grouped=False)
        table = replace(alone, group=np.asarray(alone.row) // EACH)
    else:
        table = clustered(plan, 1)
    with pytest.raises(hl.InputError, match="come in groups"):
        getattr(estimates, method)(table)


@pytest.mark.parametrize(
    ("method", "plan"),
    [
        ("corrected_t", hl.KFold(5)),
        ("corrected_t", hl.Subsampling(8)),
        ("fold_t", hl.Subsampling(8)),
        ("conservative_z", hl.PairedSubsampling(4, 4, 0.8)),
        ("five_by_two", hl.FiveByTwo()),
        ("location_shifted", hl.Bootstrap(60)),
        ("auto", hl.Subsampling(8)),
    ],
)
def test_torn_groups_and_few_groups_are_refused(method: str, plan: object) -> None:
    rows = clustered(plan, 2, grouped=False)
    torn = replace(rows, group=np.asarray(rows.row) // EACH)
    found = hl.assess(torn, "error", interval=method)["model", "error"]
    assert np.isnan(found.low)
    assert "group" in found.reason
    table = clustered(plan, 2)
    few = replace(table, group=np.asarray(table.group) % 4)
    found = hl.assess(few, "error", interval=method)["model", "error"]
    assert np.isnan(found.low)
    assert "group" in found.reason


def test_fewer_than_twenty_groups_are_warned_of() -> None:
    table = clustered(hl.KFold(5), 3)
    some = np.isin(table.group, np.arange(12))
    part = table._at(np.flatnonzero(some))
    records = [replace(one, n_train=None) for one in part.splits]
    part = replace(part, splits=type(part.splits)(tuple(records)))
    for method in ("auto", "corrected_t", "fold_t"):
        found = hl.assess(part, "error", interval=method)["model", "error"]
        assert sum("only 12 groups" in note for note in found.notes) == 1
