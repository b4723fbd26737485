"""Columns by role to a checked prediction table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label, classes_of, encode
from heliast._core.places import ROWS, Places
from heliast._core.syntax import option
from heliast._kernels.deciding import extremes
from heliast.predictions.beside import (
    Beside,
    coded_models,
    coded_splits,
    refuse_duplicates,
    refuse_other_truth,
    stages,
    weight_kind,
)
from heliast.predictions.kept import kept_columns
from heliast.predictions.records import Meta, Options, ScoreKind
from heliast.predictions.scores import (
    check_scores,
    decide,
    kinds_by_model,
    refuse_contradiction,
    refuse_reversed,
    rows_without,
    score_matrix,
    scores_of_frame,
)
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

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions


@dataclass(frozen=True, eq=False)
class _Parts:
    """The columns of a table in the making, all of one length."""

    true: Column
    label: Column | None
    matrix: Array | None
    beside: Beside
    places: Places
    kept: Mapping[str, Column] = field(default_factory=dict)
    bounds: tuple[float, float] | None = None  # least and largest score
    bare: Array | None = None  # rows of models that have no scores

    @property
    def pair(self) -> list[Column]:
        """y_true, and y_pred if there is one."""
        return [self.true] if self.label is None else [self.true, self.label]

    def at(self, keep: Array) -> "_Parts":
        return _Parts(
            self.true.at(keep),
            None if self.label is None else self.label.at(keep),
            None if self.matrix is None else self.matrix[keep],
            self.beside.at(keep),
            self.places.at(keep),
            {name: values.at(keep) for name, values in self.kept.items()},
            bare=None if self.bare is None else self.bare[keep],
        )


def build(
    cls: "type[Predictions]",
    columns: Mapping[str, object],
    options: Options,
    places: Places = ROWS,
    notes: Sequence[str] = (),
) -> "Predictions":
    """Build the table of these columns by role (y_true, y_pred, y_score, model, split, ...).

    `places` says how messages name rows; `notes` is what was stated before.
    """
    if options.task == "graded":
        raise InputError("task='graded': say Predictions.graded(grade, model=..., item=...)")
    refuse_other_index(columns)
    columns, options = _with_time(columns, options)
    if columns.get("y_pred") is None and columns.get("y_score") is None:
        raise InputError("give y_pred= (predicted classes or numbers), y_score=, or both")
    classes = None if options.classes is None else declared(options.classes, options.named_by)
    noted = list(notes)
    names, parts = _aligned(columns, classes, places, noted)
    parts = _complete(parts, options.missing, noted)
    positive = options.positive
    classified = any(value is not None for value in (parts.matrix, classes, positive))
    if parts.matrix is None and options.task != "regression":
        refuse_scores(parts.pair)
    task = options.task or ("classification" if classified else None)
    task = task or task_of(parts.pair, len(parts.true), "y_true", noted)
    if task == "regression":
        options.refuse_classes(task)
        return _assemble(cls, parts, (*_numbers(parts), None), Meta("regression"), options, noted)
    if names is not None and len(names) == 1:
        positive, names = named_positive(positive, names[0], noted), None
    known = known_classes(parts.pair, classes, names)
    positive = positive_of(positive, known, noted)
    place = None if positive is None else known.index(positive)
    true = encode(parts.true, known, parts.places)
    scores, kind = _checked_scores(parts, names, known, place, options.scores, noted)
    if parts.label is None:
        label = decide(scores, kind, place, noted)
    else:
        label = encode(parts.label, known, parts.places)
    if scores is not None and scores.ndim == 1 and place is not None:
        if parts.label is not None:
            refuse_contradiction(scores, kind, label, place)
        elif options.positive is None:
            refuse_reversed(scores, true == place, known, place)
    meta = Meta("classification", known, positive, kind, ordinal=options.ordinal)
    return _assemble(cls, parts, (true, label, scores), meta, options, noted)


def _with_time(
    columns: Mapping[str, object], options: Options
) -> tuple[dict[str, object], Options]:
    """A time series: times are groups in order."""
    columns = dict(columns)
    time = columns.pop("time", None)
    if time is None:
        if options.design == "time":
            raise InputError("design='time': say when each row was with time=")
        return columns, options
    if columns.get("group") is not None or options.design == "classes":
        other = option("group") if columns.get("group") is not None else option("design", "classes")
        raise InputError(
            f"{option('time')} and {other}: no method allows for both; leave out the one that "
            "matters less"
        )
    when = time_column(time, "time")
    if when.missing.size:
        raise InputError(f"{when.name} is missing in {when.missing.size} rows; every row needs one")
    columns["group"] = Column(when.name, when.coded()[1], "whole", when.missing)
    return columns, replace(options, design="time")


# --- aligned and complete ------------------------------------------------------------------------


def _aligned(
    columns: Mapping[str, object],
    classes: tuple[Label, ...] | None,
    places: Places,
    notes: list[str],
) -> tuple[tuple[Label, ...] | None, _Parts]:
    """All columns, of one length; also the classes that the scores name."""
    true = column(columns["y_true"], "y_true")
    if not len(true):
        raise InputError("the table is empty: there is no row to assess")
    label = None if columns.get("y_pred") is None else column(columns["y_pred"], "y_pred")
    if label is not None and len(label) != len(true):
        raise InputError(
            f"y_true has {len(true)} rows but y_pred has {len(label)}; they must be aligned, one "
            "value per row"
        )
    for part in (true, label):
        if part is not None and part.date:
            raise InputError(f"{part.name} holds dates, which are not labels: convert it to text")
    score = columns.get("y_score")
    if hasattr(score, "columns") or hasattr(score, "column_names"):
        pair = [part for part in (true, label) if part is not None]
        score = scores_of_frame(score, classes or classes_of(pair), notes)
    names, matrix = score_matrix(score, len(true))
    beside = Beside.of(columns, len(true), places)
    kept = kept_columns(columns.get("columns"), len(true), places, notes)
    bounds = None if matrix is None else extremes(matrix)
    bare = None
    if matrix is not None and bounds is not None and np.isnan(bounds[0]):
        bare = rows_without(matrix, coded_models(beside.model)[1], label is not None)
    return names, _Parts(true, label, matrix, beside, places, kept, bounds, bare)


def _complete(parts: _Parts, missing: str, notes: list[str]) -> _Parts:
    """The rows where nothing is missing, or an error that says where something is."""
    lacking = [(part.name, part.missing) for part in parts.pair]
    if parts.matrix is not None and parts.bounds is not None and np.isnan(parts.bounds[0]):
        absent = np.isnan(parts.matrix).reshape(len(parts.true), -1).any(axis=1)
        if parts.bare is not None:
            absent &= ~parts.bare
        lacking.append(("y_score", np.flatnonzero(absent)))
    where = "; ".join(
        f"{name} is missing in {parts.places.some(rows)}" for name, rows in lacking if rows.size
    )
    if not where:
        return parts
    if missing == "refuse":
        raise InputError(
            f"{where}. Complete them, or drop these rows with {option('missing', 'drop')}"
        )
    keep = np.ones(len(parts.true), bool)
    keep[np.concatenate([rows for _, rows in lacking])] = False
    if not keep.any():
        raise InputError(f"{where}: no complete row is left; check the columns")
    count = int(keep.size - keep.sum())
    rows = "row" if count == 1 else "rows"
    notes.append(f"dropped {count} {rows} of {keep.size} with missing values ({where})")
    return parts.at(keep)


def _checked_scores(
    parts: _Parts,
    names: tuple[Label, ...] | None,
    known: tuple[Label, ...],
    place: int | None,
    kind: ScoreKind | None,
    notes: list[str],
) -> tuple[Array | None, ScoreKind | None]:
    """The scores, checked where there are any; NaN for models that have none."""
    matrix, places = parts.matrix, parts.places
    if matrix is None or parts.bare is None or not parts.bare.any():
        labelled = parts.label is not None
        return check_scores(
            matrix, names, known, place, kind, places, notes, parts.bounds, labelled
        )
    scored = ~parts.bare
    some, kind = check_scores(matrix[scored], names, known, place, kind, places.at(scored), notes)
    if some is None:
        return None, kind
    scores: Array = np.full((scored.size, *some.shape[1:]), np.nan)
    scores[scored] = some
    return scores, kind


def _numbers(parts: _Parts) -> tuple[Array, Array]:
    if parts.label is None:
        raise InputError("regression needs y_pred= (the predicted numbers)")
    for part in parts.pair:
        if part.kind == "text":
            raise InputError(
                f"{part.name} holds text (such as {part.first()!r}), not numbers; for classes "
                f"leave out {option('task', 'regression')}"
            )
        bad = np.flatnonzero(~np.isfinite(part.values))
        if bad.size:
            raise InputError(
                f"{part.name}: {part.values[bad[0]]} in {parts.places.some(bad)}; numbers must be "
                "finite: correct them or leave these rows out"
            )
    return parts.true.values.astype(np.float64), parts.label.values.astype(np.float64)


def _assemble(
    cls: "type[Predictions]",
    parts: _Parts,
    arrays: tuple[Array, Array, Array | None],
    meta: Meta,
    options: Options,
    notes: list[str],
) -> "Predictions":
    beside, places = parts.beside, parts.places
    true, label, scores = arrays
    models, model_code = coded_models(beside.model)
    in_train = None if beside.in_train is None else beside.in_train.values
    splits, split_code, in_train = coded_splits(beside.split, in_train, notes, beside.repeat)
    weight, kind = weight_kind(beside.weight, options.weights, places, notes)
    refuse_duplicates(beside.row, model_code, split_code, models, splits, places)
    refuse_other_truth(beside.row, true, model_code, split_code, splits, places)
    bare: set[str] = set()
    if parts.bare is not None and model_code is not None:
        bare = {models[code] for code in np.unique(model_code[parts.bare]).tolist()}
    meta = replace(
        meta,
        score_kinds=kinds_by_model(models, bare, meta.score_kind, notes),
        stages=stages(models, model_code, beside.stage_of),
        weight_kind=kind,
        design=options.design,
    )
    return cls(
        y_true=true,
        y_pred=label,
        meta=replace(meta, notes=tuple(dict.fromkeys(notes))),
        models=models,
        splits=splits,
        scores=scores,
        model_code=model_code,
        split_code=split_code,
        row=None if beside.row is None else beside.row.plain(),
        in_train=in_train,
        weight=weight,
        group=None if beside.group is None else beside.group.coded()[1],
        columns=parts.kept,
    )
