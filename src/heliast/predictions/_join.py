"""Two tables side by side in one; two tables, or the models of one, compared row by row."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.columns import column
from heliast._core.distinct import compact, distinct
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.predictions._kept import differing, from_partner, nothing_known, stacked
from heliast.predictions._records import Splits
from heliast.predictions._table import Meta, Predictions
from heliast.tables.about import OF_ANSWERS, SPENT

COMMON = "common_rows=True (command line: --common-rows)"


def join(one: Predictions, other: Predictions, partly: bool = False) -> Predictions:
    """See `Predictions.join`; `partly` says that each may have rows which the other lacks."""
    for table in (one, other):
        if not isinstance(table, Predictions):
            raise InputError(
                f"join: expected Predictions, got {type(table).__name__}; make a table with "
                "Predictions.of(y_true, y_pred, model=...)"
            )
    clash = [name for name in other.models if name in one.models]
    if clash:
        raise InputError(
            f"both tables have a model named {clash[0]!r}: name them apart, with model= when they "
            "are made or read, or renamed('...')"
        )
    if one.task != other.task:
        raise InputError(f"one table is for {one.task}, the other for {other.task}: not comparable")
    if one.meta.bounds != other.meta.bounds:
        raise InputError(
            f"grades lie between {one.meta.bounds} in one table and {other.meta.bounds} in the "
            "other: say bounds= when reading both"
        )
    _same_data(one.meta, other.meta)
    one, other = _same_classes(one, other)
    _same_plan(one, other)
    _same_meaning(one.meta, other.meta)
    one, other = _paired(one, other, partly)
    return _stacked(one, other)


def _same_plan(one: Predictions, other: Predictions) -> None:
    if one.splits.names != other.splits.names:
        raise InputError(
            f"the tables have different splits ({len(one.splits)} and {len(other.splits)}): "
            "only predictions from the same plan can be paired; run all models with one plan and "
            "seed"
        )
    plans = {one.meta.plan_fingerprint, other.meta.plan_fingerprint}
    if len(plans) > 1:
        raise InputError(
            "the tables come from different plans: only the same splits can be paired; run all "
            "models with one plan and seed"
        )


def _same_data(one: Meta, other: Meta) -> None:
    if len({one.data_fingerprint, other.data_fingerprint} - {None}) > 1:
        raise InputError("the tables come from different data: only the same rows can be paired")


def _same_meaning(one: Meta, other: Meta) -> None:
    if one.positive != other.positive:
        raise InputError(
            f"the positive class is {one.positive!r} in one table and {other.positive!r} in the "
            "other: say positive= when reading both"
        )
    if one.weight_kind and other.weight_kind and one.weight_kind != other.weight_kind:
        raise InputError(
            f"weights are {one.weight_kind} in one table and {other.weight_kind} in the other: "
            "say weights= when reading both"
        )
    if one.ordinal != other.ordinal:
        raise InputError("the classes are in an order in one table only: say order= for both")
    if one.design != other.design:
        raise InputError(
            f"design is {one.design!r} in one table and {other.design!r} in the other: "
            "say design= (or time=) when reading both"
        )


def _same_classes(one: Predictions, other: Predictions) -> tuple[Predictions, Predictions]:
    if one.classes == other.classes:
        return one, other
    if {isinstance(label, str) for label in one.classes} != {
        isinstance(label, str) for label in other.classes
    }:
        raise InputError(
            f"classes are {list(one.classes)[:3]} in one table and {list(other.classes)[:3]} in "
            "the other: numbers never equal text; convert one of them"
        )
    ordinal = one.meta.ordinal or other.meta.ordinal
    if ordinal or one.scores is not None or other.scores is not None:
        raise InputError(
            f"the tables have different classes ({list(one.classes)} and {list(other.classes)}): "
            f"declare all classes with {'order=' if ordinal else 'classes='} when reading both"
        )
    union = tuple(sorted({*one.classes, *other.classes}))
    positive = one.positive if one.positive == other.positive else None
    return _recoded(one, union, positive), _recoded(other, union, positive)


def _recoded(table: Predictions, classes: tuple[Label, ...], positive: Label | None) -> Predictions:
    dtype = np.uint8 if len(classes) <= 256 else np.int32
    codes = np.array([classes.index(label) for label in table.classes], dtype)
    meta = replace(table.meta, classes=classes, positive=positive)
    return replace(table, y_true=codes[table.y_true], y_pred=codes[table.y_pred], meta=meta)


# --- the rows ----------------------------------------------------------------------------------


def _paired(one: Predictions, other: Predictions, partly: bool) -> tuple[Predictions, Predictions]:
    if (one.row is None) != (other.row is None):
        if not any(map(_counts, (one, other))):
            raise InputError("one table has a row column, the other not: give both or neither")
        one, other = replace(one, row=None), replace(other, row=None)
    if one.row is not None and other.row is not None:
        mine, theirs = _keys(one, other, one.row, other.row)
        _same_rows(one, other, mine, theirs, partly)
        keys = {id(one): mine, id(other): theirs}
        return _sharing(one, other, lambda to, of: _partners(keys[id(to)], keys[id(of)]))
    if one.task == "graded":
        raise InputError(
            "which item each answer is for is not known, so models cannot be paired: name the "
            "column of items in both with row= (in Python: item=; command line: --row COLUMN)"
        )
    first = one.only(one.models[0])
    for name in other.models:
        second = other.only(name)
        mine, theirs = first.codes("split"), second.codes("split")
        if not np.array_equal(first.y_true, second.y_true) or not np.array_equal(mine, theirs):
            raise InputError(
                f"without a row column, {name!r} is paired with {one.models[0]!r} by position, "
                "but their truth differs: add a row column that names each data row"
            )
        _same_beside(first, second, np.arange(len(second)))
    one = one.noted("rows of the tables paired by position (equal truth)")
    return _sharing(one, other, _by_place)


def _counts(table: Predictions) -> bool:
    """Whether the rows of each model are named 0, 1, 2, ... or 1, 2, 3, ...: by their places."""
    if table.row is None or table.row.dtype.kind not in "iu" or len(table) % len(table.models):
        return False
    rows = table.row.reshape(len(table.models), -1)
    start = int(rows[0, 0])
    return start in (0, 1) and bool((rows == np.arange(start, start + rows.shape[1])).all())


def _keys(one: Predictions, other: Predictions, rows: Array, others: Array) -> tuple[Array, Array]:
    """A number for each (split, row), the same in both tables."""
    kinds = {column(part[:1], "row").kind == "text" for part in (rows, others)}
    if len(kinds) == 2:
        raise InputError(
            f"row is {rows[:1].tolist()[0]!r} in one table and {others[:1].tolist()[0]!r} in the "
            "other: numbers never equal text; convert one of them"
        )
    names = column(np.concatenate([rows, others]), "row").coded(ordered=False)[1].astype(np.int64)
    split = np.concatenate([one.codes("split"), other.codes("split")])
    key = names * len(one.splits) + split
    if key.max(initial=0) > 8 * key.size:  # keep the tables over keys small
        key = np.unique(key, return_inverse=True)[1]
    return key[: len(one)], key[len(one) :]


def _same_rows(
    one: Predictions, other: Predictions, mine: Array, theirs: Array, partly: bool
) -> None:
    partner = _partners(theirs, mine)
    there = np.zeros(int(max(mine.max(initial=0), theirs.max(initial=0))) + 1, bool)
    there[theirs] = True
    for table, alone in ((other, partner < 0), (one, ~there[mine])):
        if alone.any() and not partly:
            lacks = other if table is one else one
            raise InputError(
                f"row {_row(table, alone)!r} of {table.models[0]!r} is not among the rows of "
                f"{lacks.models[0]!r} ({int(alone.sum())} such): both must hold the same rows; "
                f"those that both have are compared with {COMMON}"
            )
    _same_beside(one, other, partner)


def _same_beside(one: Predictions, other: Predictions, partner: Array) -> None:
    """What belongs to the row, not to the model, must be the same in both tables."""
    for name in ("y_true", "weight", "group"):
        pair = [getattr(one, name), getattr(other, name)]
        if any(part is None for part in pair):
            continue
        differs = (pair[0][partner] != pair[1]) & (partner >= 0)
        if differs.any():
            raise InputError(
                f"row {_row(other, differs)!r} has a different {name} in the two tables "
                f"({int(differs.sum())} such): check that row names the same thing in both"
            )
    for name in {*one.columns} & {*other.columns} - {*_of_models(one)}:
        mine = from_partner(one.columns[name], partner)
        differs = differing(mine, other.columns[name]) & (partner >= 0)
        if differs.any():
            raise InputError(
                f"row {_row(other, differs)!r} has different values of {name!r} in the two tables "
                f"({int(differs.sum())} such): check that row names the same thing in both"
            )


def _of_models(table: Predictions) -> tuple[str, ...]:
    """Kept columns in which models differ at one row; people grade answers, and know a truth."""
    return OF_ANSWERS if table.task == "graded" else SPENT


def _partners(keys: Array, among: Array) -> Array:
    """Where each key stands among others; -1 where it does not."""
    at = np.full(int(max(keys.max(initial=0), among.max(initial=0))) + 1, -1, np.int64)
    at[among] = np.arange(among.size)
    return at[keys]


def _by_place(table: Predictions, like: Predictions) -> Array:
    """Without row names, the n-th row of a model is the n-th of any other model."""
    first = np.flatnonzero(like.codes("model") == 0)
    place = np.empty(len(table), np.int64)
    for code in range(len(table.models)):
        mine = np.flatnonzero(table.codes("model") == code)
        place[mine] = first[: mine.size]
    return place


def _sharing(
    one: Predictions, other: Predictions, partners: Callable[[Predictions, Predictions], Array]
) -> tuple[Predictions, Predictions]:
    """Both tables with the columns that either kept: they belong to the row, not to the model."""
    made = []
    for table, like in ((one, other), (other, one)):
        lacking = [name for name in like.columns if name not in table.columns]
        if lacking:
            place = partners(table, like)
            found = {
                name: nothing_known(like.columns[name], len(table))
                if name in _of_models(table)
                else from_partner(like.columns[name], place)
                for name in lacking
            }
            table = replace(table, columns={**table.columns, **found})
        made.append(table)
    return made[0], made[1]


def _row(table: Predictions, chosen: Array) -> Any:
    rows = np.arange(len(table)) if table.row is None else table.row
    return rows[chosen][:1].tolist()[0]


def _stacked(one: Predictions, other: Predictions) -> Predictions:
    def both(name: str, fill: Any = None) -> Array | None:
        parts = [getattr(table, name) for table in (one, other)]
        if all(part is None for part in parts):
            return None
        if any(part is None for part in parts):
            if fill is None:
                raise InputError(f"one table has {name}, the other not: give both or neither")
            parts = [
                np.full(len(table), fill) if part is None else part
                for table, part in zip((one, other), parts, strict=True)
            ]
        return np.concatenate(parts)

    shifted = other.codes("model") + np.int32(len(one.models))
    return replace(
        one,
        models=one.models + other.models,
        model_code=np.concatenate([one.codes("model"), shifted]),
        y_true=np.concatenate([one.y_true, other.y_true]),
        y_pred=np.concatenate([one.y_pred, other.y_pred]),
        scores=_scores(one, other),
        split_code=both("split_code"),
        row=both("row"),
        in_train=both("in_train", 0),
        weight=both("weight"),
        group=both("group"),
        columns={name: stacked(one.columns[name], other.columns[name]) for name in one.columns},
        cells=one.cells + other.cells,
        meta=replace(
            one.meta,
            **_score_kinds(one, other),
            weight_kind=one.meta.weight_kind or other.meta.weight_kind,
            stages={**one.meta.stages, **other.meta.stages},
            notes=tuple(dict.fromkeys((*one.notes, *other.notes))),
        ),
    )


def _score_kinds(one: Predictions, other: Predictions) -> dict[str, Any]:
    """One kind if all models share it, else the kind of each."""
    kinds = {name: table.score_kind_of(name) for table in (one, other) for name in table.models}
    there = set(kinds.values()) - {None}
    common = there.pop() if len(there) == 1 else None
    same = all(kind == common for kind in kinds.values())
    return {"score_kind": common, "score_kinds": {} if same else kinds}


def _scores(one: Predictions, other: Predictions) -> Array | None:
    """The scores of both, in as many columns as the wider has; NaN where a model has none."""
    given = [table.scores for table in (one, other) if table.scores is not None]
    if not given:
        return None
    if one.task == "graded":
        return _attempts(one, other)
    wide = any(scores.ndim == 2 for scores in given)
    parts = []
    for table in (one, other):
        if table.scores is None:
            shape = (len(table), len(table.classes)) if wide else (len(table),)
            parts.append(np.full(shape, np.nan))
        elif wide and table.scores.ndim == 1:
            parts.append(_per_class(table))
        else:
            parts.append(table.scores)
    return np.concatenate(parts)


def _attempts(one: Predictions, other: Predictions) -> Array:
    """Grades of attempts in as many columns as the wider has; NaN where an item has fewer."""
    parts = [t.y_pred[:, None] if t.scores is None else t.scores for t in (one, other)]
    most = max(part.shape[1] for part in parts)
    padded = [
        np.pad(part, ((0, 0), (0, most - part.shape[1])), constant_values=np.nan) for part in parts
    ]
    return np.concatenate(padded)


def _per_class(table: Predictions) -> Array:
    """One column for the positive class of two as one column a class."""
    matrix = np.empty((len(table), 2))
    for name in table.models:
        chosen = table.codes("model") == table.models.index(name)
        rows = table.rows(name)
        for class_ in (0, 1):
            matrix[chosen, class_] = np.nan if rows.scores is None else rows.score_of(class_)
    return matrix


def equal(one: Predictions, other: Predictions) -> bool:
    """See `Predictions.equals`."""
    if len(one) != len(other) or one.models != other.models or one.splits != other.splits:
        return False
    if one.meta != other.meta or _types(one) != _types(other):
        return False
    if [*one.columns] != [*other.columns] or any(
        differing(kept, other.columns[name]).any() for name, kept in one.columns.items()
    ):
        return False
    arrays = ("y_true", "y_pred", "scores", "row", "in_train", "weight", "group")
    return all(_same(getattr(one, name), getattr(other, name)) for name in arrays) and all(
        _same(one.codes(name), other.codes(name)) for name in ("model", "split")
    )


def _types(table: Predictions) -> list[type]:
    """Python says that 1 == True == 1.0; as classes they are different."""
    return [type(label) for label in (*table.classes, table.positive)]


def _same(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")


def common(table: Predictions) -> Predictions:
    """See `Predictions.common_rows`."""
    count = len(table.models)
    if table.row is None:
        if lacking(table):
            raise InputError(
                "common_rows: rows have no names, so which of them are the same cannot be told; "
                "add a row column that names each data row"
            )
        return table
    rows = column(table.row, "row").coded(ordered=False)[1].astype(np.int64)
    _, cell, times = np.unique(
        rows * len(table.splits) + table.codes("split"), return_inverse=True, return_counts=True
    )
    keep = times[cell] == count  # a model has a row of a split once
    if not keep.any():
        first = {
            name: str(table.row[np.argmax(table.codes("model") == at)])
            for at, name in enumerate(table.models)
        }
        shown = ", ".join(f"{name} begins with {row!r}" for name, row in [*first.items()][:3])
        raise InputError(
            f"common_rows: no row is that of all models; check the row column ({shown})"
        )
    out = np.bincount(table.codes("model")[~keep], minlength=count).tolist()
    left = ", ".join(f"{name} {n}" for name, n in zip(table.models, out, strict=True) if n)
    said = f" (left out: {left})" if left else ""
    note = f"rows that all {count} models have: {int((times == count).sum())} of {times.size}{said}"
    kept = table.where(keep)
    sizes = np.bincount(kept.codes("split"), minlength=len(table.splits)) // count
    splits = [
        record if record.n_test is None else replace(record, n_test=int(size))
        for record, size in zip(table.splits, sizes, strict=True)
    ]
    return replace(kept, splits=Splits(tuple(splits))).noted(note)


def lacking(table: Predictions) -> dict[str, int]:
    """See `Predictions.incomplete`."""
    models, splits = len(table.models), len(table.splits)
    model = table.codes("model").astype(np.int64)
    split = table.codes("split").astype(np.int64)
    if table.row is None:
        # Without row names only counts can be compared, split by split.
        counts = np.bincount(model * splits + split, minlength=models * splits)
        missing = counts.reshape(models, splits).max(axis=0) - counts.reshape(models, splits)
        total = missing.sum(axis=1)
    else:
        rows = table.row
        if not compact(rows):
            rows = column(rows, "row").coded(ordered=False)[1]
        cells = distinct(rows.astype(np.int64) * splits + split)
        total = cells - np.bincount(model, minlength=models)
    return {name: int(n) for name, n in zip(table.models, total.tolist(), strict=True) if n}
