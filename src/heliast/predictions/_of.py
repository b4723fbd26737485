"""Columns to a checked table: every refusal says what, where, why and what to do."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.labels import Label, encode
from heliast._core.places import ROWS, Places
from heliast.predictions._about import declared, known_classes, named_positive, positive_of, task_of
from heliast.predictions._rows import Design, ScoreKind, Task, WeightKind
from heliast.predictions._scores import check_scores, decide, extremes, score_matrix
from heliast.predictions._sides import (
    Sides,
    coded_models,
    coded_splits,
    refuse_duplicates,
    refuse_other_truth,
    sides,
    weight_kind,
)
from heliast.predictions._table import Meta, Predictions

Array = npt.NDArray[Any]


def build(
    cls: type[Predictions],
    *,
    truth: object,
    label: object = None,
    score: object = None,
    classes: Sequence[Label] | None = None,
    positive: Label | None = None,
    task: Task | None = None,
    scores: ScoreKind | None = None,
    model: object = "model",
    split: object = None,
    row: object = None,
    seen: object = None,
    weight: object = None,
    group: object = None,
    weights: WeightKind | None = None,
    design: Design = "rows",
    missing: str = "refuse",
    places: Places = ROWS,
    notes: Sequence[str] = (),
) -> Predictions:
    """See `Predictions.of`; `places` says how messages name rows, `notes` what was said before."""
    _check_options(task, design, missing)
    if label is None and score is None:
        raise InputError("give label= (decided classes or numbers), score=, or both")
    classes = None if classes is None else declared(classes, "classes")
    said = list(notes)
    true = column(truth, "truth")
    if not len(true):
        raise InputError("the table is empty: there is no row to assess")
    decided = None if label is None else column(label, "label")
    names, matrix = score_matrix(score, len(true))
    beside = sides(
        len(true), model, places, split=split, row=row, seen=seen, weight=weight, group=group
    )
    if decided is not None and len(decided) != len(true):
        raise InputError(
            f"truth has {len(true)} rows but label has {len(decided)}; "
            "they must be aligned, one value a row"
        )
    rows, bounds = len(true), None if matrix is None else extremes(matrix)
    true, decided, matrix, beside, places = _without_missing(
        true, decided, matrix, bounds, beside, missing, places, said
    )
    bounds = bounds if len(true) == rows else None
    named = any(one is not None for one in (matrix, classes, positive))
    if task_of(task, true, decided, named, said) == "number":
        numbers = _numbers(true, decided, places)
        return _assemble(cls, *numbers, None, Meta("number"), beside, weights, design, places, said)
    if names is not None and len(names) == 1:
        positive, names = named_positive(positive, names[0]), None
    known = known_classes(true, decided, classes, names)
    positive = positive_of(positive, known, said)
    place = None if positive is None else known.index(positive)
    truth_code = encode(true, known, places)
    kept, kind = check_scores(matrix, names, known, place, scores, places, said, bounds)
    if decided is None:
        label_code = decide(kept, kind, place, len(known), said)
    else:
        label_code = encode(decided, known, places)
    meta = Meta("classes", known, positive, kind)
    return _assemble(cls, truth_code, label_code, kept, meta, beside, weights, design, places, said)


def _check_options(task: Task | None, design: Design, missing: str) -> None:
    if missing not in ("refuse", "drop"):
        raise InputError(f"missing={missing!r}: choose 'refuse' or 'drop'")
    if task not in (None, "classes", "number"):
        raise InputError(f"task={task!r}: choose 'classes' or 'number'")
    if design not in ("rows", "classes"):
        raise InputError(
            f"design={design!r}: choose 'rows' (rows drawn at random) or 'classes' "
            "(the number of rows per class was fixed)"
        )


# --- missing values ----------------------------------------------------------------------------


def _without_missing(
    true: Column,
    decided: Column | None,
    matrix: Array | None,
    bounds: tuple[float, float] | None,
    beside: Sides,
    missing: str,
    places: Places,
    notes: list[str],
) -> tuple[Column, Column | None, Array | None, Sides, Places]:
    gone = np.zeros(0, bool)
    found: list[str] = []
    lacking = [(one.name, one.missing) for one in (true, decided) if one is not None]
    if matrix is not None and bounds is not None and np.isnan(bounds[0]):
        absent = np.isnan(matrix).reshape(len(true), -1).any(axis=1)
        lacking.append(("score", np.flatnonzero(absent)))
    for name, rows in lacking:
        if rows.size:
            gone = gone if gone.size else np.zeros(len(true), bool)
            gone[rows] = True
            found.append(f"{name} is missing in {places.some(rows)}")
    if not found:
        return true, decided, matrix, beside, places
    if missing == "refuse":
        raise InputError(
            f"{'; '.join(found)}. Complete them, or drop these rows with missing='drop' "
            "(command line: --drop-missing)"
        )
    keep = ~gone
    if not keep.any():
        raise InputError(f"{'; '.join(found)}: no complete row is left; check the columns")
    count = int(gone.sum())
    notes.append(
        f"dropped {count} {'row' if count == 1 else 'rows'} of {gone.size} with missing "
        f"values ({'; '.join(found)})"
    )
    matrix = None if matrix is None else matrix[keep]
    decided = None if decided is None else decided.at(keep)
    return true.at(keep), decided, matrix, beside.at(keep), places.at(keep)


def _numbers(true: Column, decided: Column | None, places: Places) -> tuple[Array, Array]:
    if decided is None:
        raise InputError("a task of numbers needs label= (the predicted numbers)")
    for one in (true, decided):
        if one.kind == "text":
            raise InputError(
                f"{one.name} holds text (such as {one.first()!r}), not numbers; "
                "for classes leave out task='number'"
            )
        bad = np.flatnonzero(~np.isfinite(one.values))
        if bad.size:
            raise InputError(
                f"{one.name}: {one.values[bad[0]]} in {places.some(bad)}; numbers must be finite: "
                "correct them or leave these rows out"
            )
    return true.values.astype(np.float64), decided.values.astype(np.float64)


# --- assembled ---------------------------------------------------------------------------------


def _assemble(
    cls: type[Predictions],
    truth: Array,
    label: Array,
    scores: Array | None,
    meta: Meta,
    beside: Sides,
    weights: WeightKind | None,
    design: Design,
    places: Places,
    notes: list[str],
) -> Predictions:
    models, model_code = coded_models(beside.model)
    seen = None if beside.seen is None else beside.seen.values
    splits, split_code, seen = coded_splits(beside.split, seen, notes)
    weight, kind = weight_kind(beside.weight, weights, places, notes)
    refuse_duplicates(beside.row, model_code, split_code, models, splits, places)
    refuse_other_truth(beside.row, truth, model_code, split_code, splits, places)
    return cls(
        truth=truth,
        label=label,
        meta=replace(meta, weight_kind=kind, design=design, notes=tuple(dict.fromkeys(notes))),
        models=models,
        splits=splits,
        scores=scores,
        model_code=model_code,
        split_code=split_code,
        row=None if beside.row is None else beside.row.plain(),
        seen=seen,
        weight=weight,
        group=None if beside.group is None else beside.group.coded()[1],
    )
