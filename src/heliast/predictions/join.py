"""Several tables as one, their models side by side; and whether tables or models have all rows."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.columns import column
from heliast._core.distinct import compact, distinct
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.syntax import option
from heliast.predictions.kept import all_missing, differing, from_partner, stacked
from heliast.predictions.records import Splits
from heliast.tables.about import OF_ANSWERS, SPENT

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions


def name_models(sources: Sequence[Any], tables: "Sequence[Predictions]") -> "list[Predictions]":
    """Give the models of several tables different names: those of their files, or numbers."""
    if len(tables) == 1:
        return [*tables]
    paths = [Path(part) if isinstance(part, (str, os.PathLike)) else None for part in sources]
    stems = [path.stem if path else "" for path in paths]
    for path in paths:
        if path and paths.count(path) > 1:
            raise InputError(f"{path} is given twice: a comparison needs files of different models")
    named = list(tables)
    for at, path in enumerate(paths):
        if path and tables[at].models in ((path.stem,), ("model",)):
            folder = f"{path.resolve().parent.name}/" if stems.count(path.stem) > 1 else ""
            named[at] = tables[at].renamed(f"{folder}{path.stem}")
    if all(table.models == ("model",) for table in named):
        note = "models are numbered in the order given; a dict names them: {'old': p1, ...}"
        named = [table.renamed(f"model {at}").noted(note) for at, table in enumerate(named, 1)]
    return named


def join(first: "Predictions", second: "Predictions", partly: bool = False) -> "Predictions":
    """Join two tables; `partly` allows rows that one of them lacks."""
    clash = [name for name in second.models if name in first.models]
    if clash:
        raise InputError(
            f"both tables have a model named {clash[0]!r}: name them apart, with model= when they "
            "are made or read, or renamed('...')"
        )
    first, second = _same_classes(first, second)
    _refuse_different_meaning(first, second)
    first, second = _paired(first, second, partly)
    return _stack(first, second)


def _refuse_different_meaning(first: "Predictions", second: "Predictions") -> None:
    """Refuse tables of different tasks, data, plans or declarations."""
    if first.splits.names != second.splits.names:
        raise InputError(
            f"the tables have different splits ({len(first.splits)} and {len(second.splits)}): "
            "only predictions of the same plan can be paired; run all models with one plan and seed"
        )
    for name in ("data_fingerprint", "plan_fingerprint"):
        prints = {getattr(first.meta, name), getattr(second.meta, name)}
        if len(prints - {None} if name == "data_fingerprint" else prints) > 1:
            what = "different data" if name == "data_fingerprint" else "different plans"
            raise InputError(f"the tables come from {what}: run all models with one plan and seed")
    for name in ("positive", "weight_kind", "bounds", "ordinal", "design"):
        values = [getattr(first.meta, name), getattr(second.meta, name)]
        known = [value for value in values if value is not None or name != "weight_kind"]
        if len({*known}) > 1:
            said = {"weight_kind": "weights", "ordinal": "order"}.get(name, name)
            raise InputError(
                f"{said} is {values[0]!r} in one table and {values[1]!r} in the other: say "
                f"{option(said)} when reading both"
            )


def _same_classes(first: "Predictions", second: "Predictions") -> "tuple[Predictions, Predictions]":
    if first.task != second.task:
        raise InputError(f"one table is for {first.task}, the other for {second.task}")
    if first.classes == second.classes:
        return first, second
    if len({isinstance(label, str) for label in (*first.classes, *second.classes)}) == 2:
        raise InputError(
            f"classes are {list(first.classes)[:3]} in one table and {list(second.classes)[:3]} in "
            "the other: numbers never equal text; convert one of them"
        )
    ordinal = first.meta.ordinal or second.meta.ordinal
    if ordinal or first.scores is not None or second.scores is not None:
        raise InputError(
            f"the tables have different classes ({list(first.classes)} and "
            f"{list(second.classes)}): declare all classes with "
            f"{option('order' if ordinal else 'classes')} when reading both"
        )
    union = tuple(sorted({*first.classes, *second.classes}))
    positive = first.positive if first.positive == second.positive else None
    return _recoded(first, union, positive), _recoded(second, union, positive)


def _recoded(
    table: "Predictions", classes: tuple[Label, ...], positive: Label | None
) -> "Predictions":
    dtype = np.uint8 if len(classes) <= 256 else np.int32
    codes = np.array([classes.index(label) for label in table.classes], dtype)
    meta = replace(table.meta, classes=classes, positive=positive)
    return replace(table, y_true=codes[table.y_true], y_pred=codes[table.y_pred], meta=meta)


# --- the rows ------------------------------------------------------------------------------------


def _paired(
    first: "Predictions", second: "Predictions", partly: bool
) -> "tuple[Predictions, Predictions]":
    """Both tables on rows that correspond, each with the kept columns of both."""
    if (first.row is None) != (second.row is None):
        raise InputError("one table has a row column, the other not: give both or neither")
    if first.row is not None and second.row is not None:
        mine, theirs = _row_keys(first, second)
        _refuse_other_rows(first, second, mine, theirs, partly)
        keys = {id(first): mine, id(second): theirs}
        return _share_columns(first, second, lambda to, of: _partners(keys[id(to)], keys[id(of)]))
    if first.task == "graded":
        raise InputError(
            "which item each response is for is not known, so models cannot be paired: name the "
            f"column of items in both with {option('row')}"
        )
    model = first.only(first.models[0])
    for name in second.models:
        other = second.only(name)
        same_splits = np.array_equal(model.codes("split"), other.codes("split"))
        if not same_splits or not np.array_equal(model.y_true, other.y_true):
            raise InputError(
                f"without a row column, {name!r} is paired with {first.models[0]!r} by position, "
                "but y_true differs: add a row column that names each data row"
            )
        _refuse_different_values(model, other, np.arange(len(other)))
    first = first.noted("rows of the tables paired by position (equal truth)")
    return _share_columns(first, second, _by_position)


def _row_keys(first: "Predictions", second: "Predictions") -> tuple[Array, Array]:
    """A number for each (split, row), the same in both tables."""
    parts = [column(table.row, "row") for table in (first, second)]
    if len({part.kind == "text" for part in parts}) == 2:
        raise InputError(
            f"row is {parts[0].first()!r} in one table and {parts[1].first()!r} in the other: "
            "numbers never equal text; convert one of them"
        )
    joined = column(np.concatenate([first.row, second.row]), "row")
    names = joined.coded(ordered=False)[1].astype(np.int64)
    key = names * len(first.splits) + np.concatenate([first.codes("split"), second.codes("split")])
    if key.max(initial=0) > 8 * key.size:  # keep the tables over keys small
        key = np.unique(key, return_inverse=True)[1]
    return key[: len(first)], key[len(first) :]


def _partners(keys: Array, among: Array) -> Array:
    """Where each key stands among others; -1 where it does not."""
    place = np.full(int(max(keys.max(initial=0), among.max(initial=0))) + 1, -1, np.int64)
    place[among] = np.arange(among.size)
    return place[keys]


def _refuse_other_rows(
    first: "Predictions", second: "Predictions", mine: Array, theirs: Array, partly: bool
) -> None:
    partner = _partners(theirs, mine)
    alone = [(second, first, partner < 0), (first, second, _partners(mine, theirs) < 0)]
    for table, lacks, rows in alone:
        if rows.any() and not partly:
            raise InputError(
                f"row {_row_name(table, rows)!r} of {table.models[0]!r} is not among the rows of "
                f"{lacks.models[0]!r} ({int(rows.sum())} such): both must hold the same rows; "
                f"{option('common_rows', True)} compares those that both have"
            )
    _refuse_different_values(first, second, partner)


def _refuse_different_values(first: "Predictions", second: "Predictions", partner: Array) -> None:
    """What belongs to the row, not to the model, must be the same in both tables."""
    unlike = {}
    for name in ("y_true", "weight", "group"):
        values, others = getattr(first, name), getattr(second, name)
        if values is not None and others is not None:
            unlike[f"a different {name}"] = values[partner] != others
    for name in {*first.columns} & {*second.columns} - {*_of_models(first)}:
        values = from_partner(first.columns[name], partner)
        unlike[f"different values of {name!r}"] = differing(values, second.columns[name])
    for what, rows in unlike.items():
        differs = rows & (partner >= 0)
        if differs.any():
            raise InputError(
                f"row {_row_name(second, differs)!r} has {what} in the two tables "
                f"({int(differs.sum())} such): check that row names the same thing in both"
            )


def _of_models(table: "Predictions") -> tuple[str, ...]:
    """Kept columns in which models differ at one row."""
    return OF_ANSWERS if table.task == "graded" else SPENT


def _by_position(table: "Predictions", like: "Predictions") -> Array:
    """Without row names, the n-th row of a model is the n-th of any other model."""
    first = np.flatnonzero(like.codes("model") == 0)
    place = np.empty(len(table), np.int64)
    for code in range(len(table.models)):
        mine = np.flatnonzero(table.codes("model") == code)
        place[mine] = first[: mine.size]
    return place


def _share_columns(
    first: "Predictions",
    second: "Predictions",
    partners: "Callable[[Predictions, Predictions], Array]",
) -> "tuple[Predictions, Predictions]":
    """Both tables with the columns that either kept: they belong to the row, not to the model."""
    tables = []
    for table, like in ((first, second), (second, first)):
        lacking = [name for name in like.columns if name not in table.columns]
        place = partners(table, like) if lacking else np.empty(0, np.int64)
        added = {
            name: all_missing(like.columns[name], len(table))
            if name in _of_models(table)
            else from_partner(like.columns[name], place)
            for name in lacking
        }
        tables.append(replace(table, columns={**table.columns, **added}))
    return tables[0], tables[1]


def _row_name(table: "Predictions", chosen: Array) -> Any:
    rows = np.arange(len(table)) if table.row is None else table.row
    return rows[chosen][:1].tolist()[0]


# --- stacked -------------------------------------------------------------------------------------


def _stack(first: "Predictions", second: "Predictions") -> "Predictions":
    def both(name: str, fill: Any = None) -> Array | None:
        parts = [getattr(table, name) for table in (first, second)]
        if all(part is None for part in parts):
            return None
        if fill is None and any(part is None for part in parts):
            raise InputError(f"one table has {name}, the other not: give both or neither")
        tables = zip((first, second), parts, strict=True)
        return np.concatenate(
            [np.full(len(table), fill) if part is None else part for table, part in tables]
        )

    model_code = [first.codes("model"), second.codes("model") + np.int32(len(first.models))]
    columns = {name: stacked(first.columns[name], second.columns[name]) for name in first.columns}
    kinds = {name: t.score_kind_of(name) for t in (first, second) for name in t.models}
    known = {*kinds.values()} - {None}
    common = next(iter(known)) if len(known) == 1 else None
    return replace(
        first,
        models=first.models + second.models,
        model_code=np.concatenate(model_code),
        y_true=np.concatenate([first.y_true, second.y_true]),
        y_pred=np.concatenate([first.y_pred, second.y_pred]),
        scores=_stacked_scores(first, second),
        split_code=both("split_code"),
        row=both("row"),
        in_train=both("in_train", 0),
        weight=both("weight"),
        group=both("group"),
        columns=columns,
        cells=first.cells + second.cells,
        meta=replace(
            first.meta,
            score_kind=common,
            score_kinds={} if {*kinds.values()} == {common} else kinds,
            weight_kind=first.meta.weight_kind or second.meta.weight_kind,
            stages={**first.meta.stages, **second.meta.stages},
            notes=tuple(dict.fromkeys((*first.notes, *second.notes))),
        ),
    )


def _stacked_scores(first: "Predictions", second: "Predictions") -> Array | None:
    """The scores of both in as many columns as the wider has; NaN where a model has none."""
    tables = (first, second)
    if all(table.scores is None for table in tables):
        return None
    if first.task == "graded":
        parts = [t.y_pred[:, None] if t.scores is None else t.scores for t in tables]
        width = max(part.shape[1] for part in parts)
        pads = [((0, 0), (0, width - part.shape[1])) for part in parts]
        padded = zip(parts, pads, strict=True)
        return np.concatenate([np.pad(part, pad, constant_values=np.nan) for part, pad in padded])
    wide = any(table.scores is not None and table.scores.ndim == 2 for table in tables)
    parts = []
    for table in tables:
        if table.scores is None:
            parts.append(np.full((len(table), len(table.classes)) if wide else len(table), np.nan))
        else:
            parts.append(_per_class(table) if wide and table.scores.ndim == 1 else table.scores)
    return np.concatenate(parts)


def _per_class(table: "Predictions") -> Array:
    """One column for the positive class of two as one column per class."""
    matrix = np.full((len(table), 2), np.nan)
    for code, name in enumerate(table.models):
        rows = table.rows(name)
        if rows.scores is not None:
            chosen = table.codes("model") == code
            matrix[chosen] = np.column_stack([rows.score_of(0), rows.score_of(1)])
    return matrix


# --- compared ------------------------------------------------------------------------------------


def equal(first: "Predictions", second: "Predictions") -> bool:
    """Whether two tables are the same, field by field, except for what cells say."""
    if len(first) != len(second) or first.models != second.models or first.splits != second.splits:
        return False
    # Python says that 1 == True == 1.0; as classes they are different.
    types = [[type(label) for label in (*t.classes, t.positive)] for t in (first, second)]
    if first.meta != second.meta or types[0] != types[1]:
        return False
    if [*first.columns] != [*second.columns] or any(
        differing(kept, second.columns[name]).any() for name, kept in first.columns.items()
    ):
        return False
    pairs = [(first.codes("model"), second.codes("model"))]
    pairs.append((first.codes("split"), second.codes("split")))
    names = ("y_true", "y_pred", "scores", "row", "in_train", "weight", "group")
    pairs += [(getattr(first, name), getattr(second, name)) for name in names]
    return all(
        a is b if a is None or b is None
        else np.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f")
        for a, b in pairs
    )  # fmt: skip


def common_rows(table: "Predictions") -> "Predictions":
    """The rows that every model has, with a note that counts what is left out."""
    count = len(table.models)
    if table.row is None:
        if lacking(table):
            raise InputError(
                "common_rows: rows have no names, so which of them are the same cannot be told; "
                "add a row column that names each data row"
            )
        return table
    rows = column(table.row, "row").coded(ordered=False)[1].astype(np.int64)
    cells = rows * len(table.splits) + table.codes("split")
    _, cell, times = np.unique(cells, return_inverse=True, return_counts=True)
    keep = times[cell] == count  # a model has a row of a split once
    if not keep.any():
        names = [str(table.only(name).row[0]) for name in table.models[:3]]  # type: ignore[index]
        raise InputError(
            "common_rows: no row is that of all models; check the row column (models begin with "
            f"{', '.join(map(repr, names))})"
        )
    out = np.bincount(table.codes("model")[~keep], minlength=count).tolist()
    left = ", ".join(f"{name} {n}" for name, n in zip(table.models, out, strict=True) if n)
    shared = f"{int((times == count).sum())} of {times.size}"
    note = f"rows that all {count} models have: {shared}{f' (left out: {left})' if left else ''}"
    kept = table.where(keep)
    sizes = np.bincount(kept.codes("split"), minlength=len(table.splits)) // count
    splits = [
        record if record.n_test is None else replace(record, n_test=int(size))
        for record, size in zip(table.splits, sizes, strict=True)
    ]
    return replace(kept, splits=Splits(tuple(splits))).noted(note)


def lacking(table: "Predictions") -> dict[str, int]:
    """How many predictions each model lacks that another has."""
    models, splits = len(table.models), len(table.splits)
    model = table.codes("model").astype(np.int64)
    split = table.codes("split").astype(np.int64)
    if table.row is None:
        # Without row names only counts can be compared, split by split.
        counts = np.bincount(model * splits + split, minlength=models * splits)
        by_split = counts.reshape(models, splits)
        total = (by_split.max(axis=0) - by_split).sum(axis=1)
    else:
        rows = table.row
        if not compact(rows):
            rows = column(rows, "row").coded(ordered=False)[1]
        cells = distinct(rows.astype(np.int64) * splits + split)
        total = cells - np.bincount(model, minlength=models)
    return {name: int(n) for name, n in zip(table.models, total.tolist(), strict=True) if n}
