"""Two tables compared, and the models of one table compared row by row."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import column
from heliast._core.distinct import compact, distinct
from heliast.predictions._table import Predictions

Array = npt.NDArray[Any]


def equal(one: Predictions, other: Predictions) -> bool:
    """See `Predictions.equals`."""
    if len(one) != len(other) or one.models != other.models or one.splits != other.splits:
        return False
    if one.meta != other.meta or _types(one) != _types(other):
        return False
    arrays = ("truth", "label", "scores", "row", "seen", "weight", "group")
    return all(_same(getattr(one, name), getattr(other, name)) for name in arrays) and all(
        _same(code(one, name), code(other, name)) for name in ("model_code", "split_code")
    )


def _types(table: Predictions) -> list[type]:
    """Python says that 1 == True == 1.0; as classes they are different."""
    return [type(label) for label in (*table.classes, table.positive)]


def _same(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")


def code(table: Predictions, name: str) -> Array:
    """Model or split codes, also where all rows have the same."""
    codes: Array | None = getattr(table, name)
    return np.zeros(len(table), np.int32) if codes is None else codes


def lacking(table: Predictions) -> dict[str, int]:
    """See `Predictions.incomplete`."""
    models, splits = len(table.models), len(table.splits)
    model = code(table, "model_code").astype(np.int64)
    split = code(table, "split_code").astype(np.int64)
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
