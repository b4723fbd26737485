"""Two tables of predictions for the same rows, side by side in one."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.predictions._table import Predictions

Array = npt.NDArray[Any]


def join(one: Predictions, other: Predictions) -> Predictions:
    """Both tables in one; rows are paired by `row`, or by position if the truth agrees.

    >>> a = Predictions.of([0, 1], [0, 1], model="a", row=[7, 8])
    >>> b = Predictions.of([1, 0], [1, 1], model="b", row=[8, 7])
    >>> a.join(b).models
    ('a', 'b')
    """
    _same_task(one, other)
    one, other = _same_classes(one, other)
    clash = [name for name in other.models if name in one.models]
    if clash:
        raise InputError(
            f"both tables have a model named {clash[0]!r}: name them apart, for example with "
            "model= when reading"
        )
    one, other = _paired(one, other)
    return _stacked(one, other)


def _same_task(one: Predictions, other: Predictions) -> None:
    if one.task != other.task:
        raise InputError(f"one table predicts {one.task}, the other {other.task}: not comparable")
    if one.meta.positive != other.meta.positive:
        raise InputError(
            f"the positive class is {one.positive!r} in one table and {other.positive!r} in the "
            "other: say positive= when reading both"
        )
    if one.splits.names != other.splits.names:
        raise InputError(
            f"the tables have different splits ({len(one.splits)} and {len(other.splits)}): "
            "only predictions from the same plan can be paired"
        )
    if (one.meta.plan_fingerprint or other.meta.plan_fingerprint) and (
        one.meta.plan_fingerprint != other.meta.plan_fingerprint
    ):
        raise InputError("the tables come from different plans: only the same splits can be paired")
    if (
        one.meta.score_kind
        and other.meta.score_kind
        and (one.meta.score_kind != other.meta.score_kind)
    ):
        raise InputError(
            f"scores are {one.meta.score_kind} in one table and {other.meta.score_kind} in the "
            "other: say scores= when reading both"
        )


def _same_classes(one: Predictions, other: Predictions) -> tuple[Predictions, Predictions]:
    if one.classes == other.classes:
        return one, other
    if one.scores is not None or other.scores is not None:
        raise InputError(
            f"the tables have different classes ({list(one.classes)} and {list(other.classes)}): "
            "declare all classes with classes= when reading both"
        )
    try:
        union = tuple(sorted({*one.classes, *other.classes}))
    except TypeError:
        raise InputError(
            f"classes are {list(one.classes)[:3]} in one table and {list(other.classes)[:3]} in "
            "the other: numbers never equal text; convert one of them"
        ) from None
    return _recoded(one, union), _recoded(other, union)


def _recoded(table: Predictions, classes: tuple[Label, ...]) -> Predictions:
    codes = np.array([classes.index(label) for label in table.classes])
    return replace(
        table,
        truth=codes[table.truth].astype(table.truth.dtype),
        label=codes[table.label].astype(table.label.dtype),
        meta=replace(table.meta, classes=classes),
    )


def _paired(one: Predictions, other: Predictions) -> tuple[Predictions, Predictions]:
    if (one.row is None) != (other.row is None):
        raise InputError("one table has a row column, the other not: give both or neither")
    if one.row is None or other.row is None:
        for name in other.models:
            first = one.only(one.models[0])
            if len(first) != len(other.only(name)) or not np.array_equal(
                first.truth, other.only(name).truth
            ):
                raise InputError(
                    f"without a row column, {name!r} is paired with {one.models[0]!r} by position, "
                    "but their truth differs: add a row column that names each data row"
                )
        return one.noted("rows of the tables paired by position (equal truth)"), other
    _same_truth(one, other)
    return one, other


def _same_truth(one: Predictions, other: Predictions) -> None:
    known = dict(zip(_keys(one), one.truth.tolist(), strict=True))
    for key, truth in zip(_keys(other), other.truth.tolist(), strict=True):
        if key not in known:
            raise InputError(f"row {key[1]!r} is in one table only: both must hold the same rows")
        if known[key] != truth:
            raise InputError(f"row {key[1]!r} has different truths in the two tables")
    if len(set(_keys(other))) != len(known):
        extra = next(key for key in known if key not in set(_keys(other)))
        raise InputError(f"row {extra[1]!r} is in one table only: both must hold the same rows")


def _keys(table: Predictions) -> list[tuple[int, Any]]:
    rows = [] if table.row is None else table.row.tolist()
    splits = [0] * len(table) if table.split_code is None else table.split_code.tolist()
    return list(zip(splits, rows, strict=True))


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

    model_code = np.concatenate(
        [
            np.zeros(len(table), np.int32) + shift
            if table.model_code is None
            else table.model_code + np.int32(shift)
            for table, shift in ((one, 0), (other, len(one.models)))
        ]
    ).astype(np.int32)
    meta = replace(one.meta, notes=tuple(dict.fromkeys((*one.notes, *other.notes))))
    return replace(
        one,
        models=one.models + other.models,
        model_code=model_code,
        truth=np.concatenate([one.truth, other.truth]),
        label=np.concatenate([one.label, other.label]),
        scores=both("scores"),
        split_code=both("split_code"),
        row=both("row"),
        seen=both("seen", 0),
        weight=both("weight"),
        group=both("group"),
        cells=one.cells + other.cells,
        meta=meta,
    )
