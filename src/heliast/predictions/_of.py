"""Columns to a checked table: every refusal says what, where, why and what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label, classes_of, encode
from heliast._core.places import ROWS, Places
from heliast._kernels.deciding import extremes
from heliast.predictions._kept import kept_columns
from heliast.predictions._records import Options, ScoreKind
from heliast.predictions._scores import (
    by_class,
    check_scores,
    decide,
    kinds_by_model,
    refuse_contradiction,
    refuse_reversed,
    rows_without,
    score_matrix,
)
from heliast.predictions._sides import (
    Sides,
    coded_models,
    coded_splits,
    refuse_duplicates,
    refuse_other_truth,
    sides,
    stages,
    weight_kind,
)
from heliast.predictions._table import Meta, Predictions
from heliast.tables.about import (
    declared,
    known_classes,
    named_positive,
    positive_of,
    refuse_scores,
    task_of,
)
from heliast.tables.dates import time_column
from heliast.tables.table import refuse_other_index

FEW = 100
"""Up to so many classes it is asked whether labels are the true classes under other names."""
BESIDE = ("split", "repeat", "row", "in_train", "weight", "group", "stage_of")


def build(
    cls: type[Predictions],
    columns: Mapping[str, object],
    options: Options,
    places: Places = ROWS,
    notes: Sequence[str] = (),
) -> Predictions:
    """The table of these columns, by role: truth, label, score, model, split, row and the rest.

    `places` says how messages name rows, `notes` what was said before.
    """
    if options.task == "graded":
        raise InputError("task='graded': say Predictions.graded(grade, model=..., item=...)")
    refuse_other_index(columns)
    given, options = _in_order(columns, options)
    label, score = given.get("y_pred"), given.get("y_score")
    if label is None and score is None:
        raise InputError("give y_pred= (decided classes or numbers), y_score=, or both")
    classes = None if options.classes is None else declared(options.classes, options.named_by)
    positive, said = options.positive, list(notes)
    if classes is None:
        said += order_dropped(given["y_true"])
    beside = {role: given.get(role) for role in BESIDE}
    if hasattr(score, "columns") or hasattr(score, "column_names"):
        pair = [column(one, "y_true") for one in (given["y_true"], label) if one is not None]
        score = by_class(score, classes or classes_of(pair), said)
    names, parts = _aligned(given["y_true"], label, score, given["model"], beside, places)
    further = kept_columns(given.get("columns"), len(parts.true), places, said)
    parts = replace(parts, kept=further)
    parts = _complete(parts, options.missing, said)
    named = any(one is not None for one in (parts.matrix, classes, positive))
    if parts.matrix is None and options.task != "regression":
        refuse_scores(parts.pair, told=named or options.task is not None)
    task = options.task or ("classification" if named else None)
    task = task or task_of(parts.pair, len(parts.true), "y_true", said)
    if task == "regression":
        options.refuse_fixed_classes()
        return _assemble(cls, parts, *_numbers(parts), None, Meta("regression"), options, said)
    if names is not None and len(names) == 1:
        positive, names = named_positive(positive, names[0], said), None
    known = known_classes(parts.pair, classes, names)
    positive = positive_of(positive, known, said)
    place = None if positive is None else known.index(positive)
    true = encode(parts.true, known, parts.places)
    kept, kind = _checked(parts, names, known, place, options.scores, said)
    if parts.decided is None:
        decided = decide(kept, kind, place, len(known), said)
        if kept is not None and kept.ndim == 1 and options.positive is None and place is not None:
            refuse_reversed(kept, true == place, known, place)
    else:
        decided = encode(parts.decided, known, parts.places)
        if kept is not None and kept.ndim == 1 and place is not None:
            refuse_contradiction(kept, kind, decided, place)
    meta = Meta("classification", known, positive, kind, ordinal=options.ordinal)
    return _assemble(cls, parts, true, decided, kept, meta, options, said)


def _in_order(columns: Mapping[str, object], options: Options) -> tuple[dict[str, object], Options]:
    """Times are groups that come one after the other: their codes say which is when."""
    given = dict(columns)
    time = given.pop("time", None)
    if time is None:
        if options.design == "time":
            raise InputError("design='time': say when each row was with time=")
        return given, options
    if given.get("group") is not None or options.design == "classes":
        other = "group=" if given.get("group") is not None else "design='classes'"
        raise InputError(
            f"time= and {other}: no method here allows for both; leave out the one that matters "
            "less (command line: --time, --group, --fixed-classes)"
        )
    when = time_column(time, "time")
    if when.missing.size:
        raise InputError(
            f"{when.name}: not known for {when.missing.size} rows; every row needs one"
        )
    given["group"] = Column(when.name, when.coded()[1], "whole", when.missing)
    return given, replace(options, design="time")


# --- aligned and complete ----------------------------------------------------------------------


def order_dropped(truth: object) -> list[str]:
    """What to say where pandas knows an order of the classes that nobody asked for."""
    kind: Any = getattr(truth, "dtype", None)
    if not getattr(kind, "ordered", False):
        return []
    order = [*kind.categories]
    shown = " < ".join(map(str, order[:8])) + (" < ..." if len(order) > 8 else "")
    return [f"y_true is an ordered categorical ({shown}): to use its order say order= with these"]


@dataclass(frozen=True, eq=False)
class _Parts:
    """The columns of a table in the making, all of one length."""

    true: Column
    decided: Column | None
    matrix: Array | None
    beside: Sides
    places: Places
    bounds: tuple[float, float] | None = None  # least and greatest score
    bare: Array | None = None  # rows of models that have no scores
    kept: Mapping[str, Column] = field(default_factory=dict)

    @property
    def pair(self) -> list[Column]:
        """Truth, and label if it is given."""
        return [self.true] if self.decided is None else [self.true, self.decided]

    def at(self, keep: Array) -> "_Parts":
        return _Parts(
            self.true.at(keep),
            None if self.decided is None else self.decided.at(keep),
            None if self.matrix is None else self.matrix[keep],
            self.beside.at(keep),
            self.places.at(keep),
            bare=None if self.bare is None else self.bare[keep],
            kept={name: one.at(keep) for name, one in self.kept.items()},
        )


def _aligned(
    truth: object,
    label: object,
    score: object,
    model: object,
    side_columns: Mapping[str, object],
    places: Places,
) -> tuple[tuple[Label, ...] | None, _Parts]:
    """All columns read, of one length; also the classes that the scores name."""
    true = column(truth, "y_true")
    if not len(true):
        raise InputError("the table is empty: there is no row to assess")
    decided = None if label is None else column(label, "y_pred")
    if decided is not None and len(decided) != len(true):
        raise InputError(
            f"y_true has {len(true)} rows but y_pred has {len(decided)}; "
            "they must be aligned, one value a row"
        )
    names, matrix = score_matrix(score, len(true))
    beside = sides(len(true), model, places, side_columns)
    bounds = None if matrix is None else extremes(matrix)
    bare = None
    if matrix is not None and bounds is not None and np.isnan(bounds[0]):
        bare = rows_without(matrix, coded_models(beside.model)[1], decided is not None)
    return names, _Parts(true, decided, matrix, beside, places, bounds, bare)


def _complete(parts: _Parts, missing: str, notes: list[str]) -> _Parts:
    """The rows where nothing is missing, or a refusal that says where something is."""
    lacking = [(one.name, one.missing) for one in parts.pair]
    if parts.matrix is not None and parts.bounds is not None and np.isnan(parts.bounds[0]):
        absent = np.isnan(parts.matrix).reshape(len(parts.true), -1).any(axis=1)
        if parts.bare is not None:
            absent &= ~parts.bare
        lacking.append(("y_score", np.flatnonzero(absent)))
    found = [
        f"{name} is missing in {parts.places.some(rows)}" for name, rows in lacking if rows.size
    ]
    if not found:
        return parts
    if missing == "refuse":
        raise InputError(
            f"{'; '.join(found)}. Complete them, or drop these rows with missing='drop' "
            "(command line: --drop-missing)"
        )
    keep = np.ones(len(parts.true), bool)
    keep[np.concatenate([rows for _, rows in lacking])] = False
    if not keep.any():
        raise InputError(f"{'; '.join(found)}: no complete row is left; check the columns")
    count = int(keep.size - keep.sum())
    notes.append(
        f"dropped {count} {'row' if count == 1 else 'rows'} of {keep.size} with missing "
        f"values ({'; '.join(found)})"
    )
    return parts.at(keep)


def _checked(
    parts: _Parts,
    names: tuple[Label, ...] | None,
    known: tuple[Label, ...],
    place: int | None,
    scores: ScoreKind | None,
    notes: list[str],
) -> tuple[Array | None, ScoreKind | None]:
    """The scores, checked where there are any; NaN for models that have none."""
    if parts.matrix is None or parts.bare is None or not parts.bare.any():
        bounds = parts.bounds
        decided = parts.decided is not None
        return check_scores(
            parts.matrix, names, known, place, scores, parts.places, notes, bounds, decided
        )
    there = ~parts.bare
    kept, kind = check_scores(
        parts.matrix[there], names, known, place, scores, parts.places.at(there), notes
    )
    if kept is None:  # there are scores, so there are checked scores
        return None, kind
    full: Array = np.full((there.size, *kept.shape[1:]), np.nan)
    full[there] = kept
    return full, kind


def _numbers(parts: _Parts) -> tuple[Array, Array]:
    if parts.decided is None:
        raise InputError("a task of numbers needs y_pred= (the predicted numbers)")
    for one in parts.pair:
        if one.kind == "text":
            raise InputError(
                f"{one.name} holds text (such as {one.first()!r}), not numbers; "
                "for classes leave out task='regression'"
            )
        bad = np.flatnonzero(~np.isfinite(one.values))
        if bad.size:
            raise InputError(
                f"{one.name}: {one.values[bad[0]]} in {parts.places.some(bad)}; numbers must be "
                "finite: correct them or leave these rows out"
            )
    return parts.true.values.astype(np.float64), parts.decided.values.astype(np.float64)


# --- assembled ---------------------------------------------------------------------------------


def _assemble(
    cls: type[Predictions],
    parts: _Parts,
    truth: Array,
    label: Array,
    scores: Array | None,
    meta: Meta,
    options: Options,
    notes: list[str],
) -> Predictions:
    beside, places = parts.beside, parts.places
    models, model_code = coded_models(beside.model)
    seen = None if beside.in_train is None else beside.in_train.values
    splits, split_code, seen = coded_splits(beside.split, seen, notes, beside.repeat)
    weight, kind = weight_kind(beside.weight, options.weights, places, notes)
    refuse_duplicates(beside.row, model_code, split_code, models, splits, places)
    refuse_other_truth(beside.row, truth, model_code, split_code, splits, places)
    bare: set[str] = set()
    if parts.bare is not None and model_code is not None:
        bare = {models[code] for code in np.unique(model_code[parts.bare]).tolist()}
    kinds = kinds_by_model(models, bare, meta.score_kind, notes)
    return cls(
        y_true=truth,
        y_pred=label,
        meta=replace(
            meta,
            score_kinds=kinds,
            stages=stages(models, model_code, beside.stage_of),
            weight_kind=kind,
            design=options.design,
            notes=tuple(dict.fromkeys(notes)),
        ),
        models=models,
        splits=splits,
        scores=scores,
        model_code=model_code,
        split_code=split_code,
        row=None if beside.row is None else beside.row.plain(),
        in_train=seen,
        weight=weight,
        group=None if beside.group is None else beside.group.coded()[1],
        columns=parts.kept,
    )
