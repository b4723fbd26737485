"""Every default interval was measured: measure x design x method have cells in the map of coverage.

A new measure, design or default method without cells fails here; `make coverage` measures it.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.contracts.tables import ready

import heliast as hl
from heliast import measures
from heliast._core.errors import HeliastError
from heliast.data import Dataset
from heliast.estimates._coverage import NOT_MEASURED
from heliast.predictions import Meta, Predictions, Splits

N = 48
PLANS = {
    "one test set": None,
    "folds": hl.KFold(5),
    "repeated folds": hl.KFold(5, repeats=2),
    "subsampling": hl.Subsampling(5),
    "leave-one-out": hl.LeaveOneOut(),
    "bootstrap": hl.Bootstrap(20),
}
BARE = ("leave-one-out", "bootstrap")
"""Measured without groups and weights only; the bootstrap has no interval with them."""
SIDES = ("", "groups", "sampling weights", "frequency weights")
DESIGNS = [
    f"{plan}, {side}" if side else plan
    for plan in PLANS
    for side in SIDES
    if not (side and plan in BARE)
]


def table(design: str, k: int, models: int = 1, ordinal: bool = False) -> Predictions:
    """Random predictions of k classes (0: numbers) under a design."""
    plan, _, side = design.partition(", ")
    rng = np.random.default_rng(1)
    y = rng.permutation(np.arange(N) % k) if k else rng.normal(size=N)
    group = np.arange(N) // 4 if side == "groups" else None
    data = Dataset((), y, "classification" if k else "regression", tuple(range(k)), group=group)
    row, split, splits = np.arange(N), None, Splits()
    if PLANS[plan] is not None:
        frozen = PLANS[plan].on(data, seed=1)
        row = np.concatenate([piece.test for piece in frozen])
        split = np.repeat(np.arange(len(frozen)), [piece.test.size for piece in frozen])
        splits = frozen.splits
    kind = side.partition(" ")[0] if "weights" in side else None
    weight = {
        None: None,
        "sampling": rng.uniform(1, 3, N),
        "frequency": np.repeat([1.0, 2.0], N // 2),
    }
    parts = [_one(rng, y, k, row) for _ in range(models)]
    meta = (
        Meta(
            "classification", tuple(range(k)), 1 if k == 2 else None, "probability", ordinal=ordinal
        )
        if k
        else Meta("regression")
    )
    again = np.tile(row, models)
    return Predictions(
        y[again].astype(np.uint8) if k else y[again],
        np.concatenate([label for label, _ in parts]),
        replace(meta, weight_kind=kind),
        models=tuple(f"m{one}" for one in range(models)),
        splits=splits,
        scores=np.concatenate([score for _, score in parts]) if k else None,
        model_code=np.repeat(np.arange(models), row.size).astype(np.int32),
        split_code=None if split is None else np.tile(split, models).astype(np.int32),
        row=again,
        group=None if group is None else group[again],
        weight=None if kind is None else weight[kind][again],
    )


def _one(rng, y, k: int, row):
    """Labels and scores of one model, right more often than not."""
    if not k:
        return (y + rng.normal(size=N))[row], None
    score = rng.normal(size=(N, k)) + 1.2 * np.eye(k)[y]
    p = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    return p.argmax(axis=1).astype(np.uint8)[row], (p[:, 1] if k == 2 else p)[row]


def asked(k: int) -> list[measures.Measure]:
    task = "classification" if k else "regression"
    every = [ready(one, max(k, 2)) for one in measures.everything() if one.task == task]
    # F with another beta is resampled, and the map has no cells of that: F1 alone was measured.
    every = [one.with_(beta=1.0) if one.name == "fbeta" else one for one in every]
    return [one for one in every if not one.lacks(task, k, "probability")]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("k", [2, 0])
def test_every_default_interval_of_assess_was_measured(design: str, k: int) -> None:
    found = hl.assess(table(design, k), asked(k))
    shown = [one for one in found if one.low <= one.high]
    assert shown
    assert {one.design for one in shown} == {design}
    assert not [
        (one.measure, one.method)
        for one in shown
        if one.coverage is None and NOT_MEASURED not in one.notes
    ]


@pytest.mark.parametrize("design", ["one test set", "folds"])
def test_so_was_that_of_more_classes(design: str) -> None:
    quick = [
        one for one in asked(3) if one.name not in ("hand_till", "partial_auc")
    ]  # seconds each
    shown = [one for one in hl.assess(table(design, 3), quick) if one.low <= one.high]
    assert not [
        (one.measure, one.class_, one.method)
        for one in shown
        if one.coverage is None and NOT_MEASURED not in one.notes
    ]


@pytest.mark.parametrize("design", [one for one in DESIGNS if "bootstrap" not in one])
def test_so_was_that_of_classes_in_an_order(design: str) -> None:
    theirs = [one for one in measures.everything() if one.ordinal]
    assert theirs
    shown = [
        one for one in hl.assess(table(design, 4, ordinal=True), theirs) if one.low <= one.high
    ]
    assert shown
    assert not [
        (one.measure, one.method)
        for one in shown
        if one.coverage is None and NOT_MEASURED not in one.notes
    ]


@pytest.mark.parametrize("k", [2, 0])
def test_so_was_that_of_rows_in_order_of_time(k: int) -> None:
    flat = table("one test set", k)
    meta = replace(flat.meta, design="time")
    found = hl.assess(replace(flat, meta=meta, group=np.arange(N)), asked(k))
    shown = [one for one in found if one.low <= one.high]
    assert shown
    assert {one.design for one in shown} == {"in order of time"}
    assert not [
        (one.measure, one.method)
        for one in shown
        if one.coverage is None and NOT_MEASURED not in one.notes
    ]


@pytest.mark.parametrize("design", [one for one in DESIGNS if "weights" not in one])
def test_every_default_interval_of_compare_was_measured(design: str) -> None:
    predictions, missing, shown = table(design, 2, models=2), [], 0
    for measure in asked(2):
        try:
            (pair,) = hl.compare(predictions, measure).pairs
        except HeliastError:
            continue  # refused: nothing is shown
        if pair.low <= pair.high:
            shown += 1
            missing += [(pair.measure, pair.method)] if pair.coverage is None else []
    assert shown or design in BARE
    assert not missing


@pytest.mark.parametrize("side", ["", "groups"])
@pytest.mark.parametrize(("k", "names"), [(2, ("error", "auc", "brier")), (0, ("mae", "mse"))])
def test_intervals_of_slices_were_measured_or_it_is_said(side: str, k: int, names) -> None:
    whole = table("one test set" + (f", {side}" if side else ""), k)
    sliced = whole.with_columns({"half": ["a", "b"] * (N // 2)})
    for name in (*names, "log_loss" if k else "rrse"):
        found = hl.assess(sliced, name, by="half").slices
        assert found is not None
        said = any("over slices was not measured" in note for note in found.notes)
        assert said == (name not in names and any(one.low <= one.high for one in found))


GRADED = ("one test set", "one test set, groups", "one test set, frequency weights",
          "one test set, sampling weights")  # fmt: skip


def graded(design: str, rating: bool, models: int = 1) -> tuple[Predictions, list]:
    """Random grades of three attempts at 60 items, and the measures that they allow."""
    rng, side = np.random.default_rng(4), design.partition(", ")[2]
    item = np.tile(np.repeat(np.arange(60), 3), models)
    grade = rng.integers(1, 6, item.size) if rating else rng.integers(0, 2, item.size)
    weight = {"frequency weights": np.full(60, 2.0), "sampling weights": rng.uniform(1, 2, 60)}
    predictions = Predictions.graded(
        grade, model=np.repeat([f"m{one}" for one in range(models)], 180), item=item,
        attempt=np.tile(np.arange(3), 60 * models), bounds=(1, 5) if rating else None,
        group=item // 3 if side == "groups" else None,
        weight=weight[side][item] if side in weight else None,
        columns=dict.fromkeys(("cost", "tokens", "seconds"), rng.exponential(size=item.size)),
    )  # fmt: skip
    parameters = {"bar": 4 if rating else 1, "k": 2, "q": 0.25}
    every = [one for one in measures.everything() if one.task == "graded"]
    every = [one.with_(**{name: parameters[name] for name in one.required}) for one in every]
    unlike = ("median", "quantile") if not rating else ("pass@k", "pass^k", "consistency")
    return predictions, [one for one in every if one.name not in unlike]


@pytest.mark.parametrize("design", GRADED)
@pytest.mark.parametrize("rating", [False, True])
def test_so_was_every_default_interval_of_grades(design: str, rating: bool) -> None:
    predictions, every = graded(design, rating)
    shown = [one for one in hl.assess(predictions, every) if one.low <= one.high]
    assert len(shown) == len(every)
    assert {one.design for one in shown} == {design}
    assert not [
        (one.measure, one.key)
        for one in shown
        if one.coverage is None and NOT_MEASURED not in one.notes
    ]


@pytest.mark.parametrize("design", GRADED[:2])
@pytest.mark.parametrize("rating", [False, True])
def test_so_was_every_default_interval_of_graded_pairs(design: str, rating: bool) -> None:
    predictions, every = graded(design, rating, 2)
    for measure in every:
        if not measure.paired:
            with pytest.raises(HeliastError, match="no test of differences"):
                hl.compare(predictions, measure)
            continue
        (pair,) = hl.compare(predictions, measure).pairs
        if pair.low <= pair.high:
            assert pair.coverage is not None, (pair.measure, pair.test)


def test_an_interval_by_name_knows_nothing_of_the_map() -> None:
    one = hl.assess(table("one test set", 2), "error", interval="normal")["m0", "error"]
    assert one.low < one.high
    assert one.coverage is None


def test_the_map_is_read_when_it_is_asked_for() -> None:
    import subprocess
    import sys

    words = (
        "import heliast, sys; heliast.assess; print('heliast.estimates._coverage' in sys.modules)"
    )
    words += "; import heliast.estimates._coverage as c; print(c._map.cache_info().currsize)"
    found = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=True
    )
    assert found.stdout.split()[-1] == "0"
