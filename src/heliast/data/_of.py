"""Arrays or a data frame, and a target beside them, to a Dataset."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast.data._dataset import Dataset, Task
from heliast.data._make import make
from heliast.data._table import Table, as_names, refuse_duplicates


def build(
    cls: type[Dataset],
    X: object,
    y: object,
    *,
    task: Task | None,
    names: Sequence[str] | None,
    target: str | None,
    missing: Literal["refuse", "drop"],
    **options: Any,
) -> Dataset:
    """See `Dataset.of`."""
    table = _table(X, names)
    if isinstance(y, str) and table.frame is not None:
        return make(cls, table, target=y, task=task, missing=missing, **options)
    called = target if target is not None else getattr(y, "name", None)
    truth = column(y, "target" if called is None else str(called))
    return make(cls, table, truth=truth, task=task, missing=missing, **options)


def _table(X: object, names: Sequence[str] | None) -> Table:
    from heliast.data._frames import frame_table

    if hasattr(X, "tocsr") or hasattr(X, "tocoo"):
        raise InputError(
            "X is a sparse matrix, which is not supported; pass X.toarray(), or fewer columns"
        )
    is_array = isinstance(X, (np.ndarray, list, tuple))
    table = None if is_array else frame_table(X, "X", "data")
    if table is not None:
        if names is not None:
            raise InputError("names= is for arrays; the data frame has names")
        return table
    matrix = _matrix(X)
    called = _names(names, matrix.shape[1])
    place = {one: at for at, one in enumerate(called)}

    def fetch(name: str) -> Column:
        return column(matrix[:, place[name]], name)

    return Table("X", "data", called, fetch)


def _matrix(X: Any) -> npt.NDArray[Any]:
    try:
        matrix = _of_lists(X) if isinstance(X, (list, tuple)) else np.asarray(X)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"X is not a table ({error}); pass a 2-D array or a data frame") from None
    if matrix.ndim != 2:
        raise InputError(
            f"X has shape {matrix.shape}; it needs rows and columns (for one input, "
            "X.reshape(-1, 1))"
        )
    if not matrix.shape[1]:
        raise InputError("X has no columns: no input to learn from")
    if matrix.dtype.kind not in "biufOUST":
        raise InputError(f"X holds values of type {matrix.dtype}; convert to numbers or text")
    return matrix


def _of_lists(rows: Any) -> npt.NDArray[Any]:
    """Lists as they are: text beside numbers must not make every column text."""
    matrix = np.array(rows, dtype=object)
    if matrix.ndim == 2 and all(type(one) in (int, float) for one in matrix.flat):
        return matrix.astype(np.float64)
    return matrix


def _names(names: Sequence[str] | None, width: int) -> list[str]:
    if names is None:
        return [f"x{at}" for at in range(width)]
    found = list(as_names(names, "names"))
    if len(found) != width:
        raise InputError(f"names= names {len(found)} columns but X has {width}")
    refuse_duplicates(found)
    return found
