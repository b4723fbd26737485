"""A table of columns to a Dataset: roles first, then the target, then the features."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from shlex import quote
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column, column
from heliast._core.errors import InputError, LooksPredicted
from heliast._core.kinds import Array
from heliast._core.labels import Label, classes_of, encode
from heliast._core.places import Places
from heliast.data._dataset import Dataset, Input
from heliast.data._inputs import as_inputs
from heliast.predictions import telling_of
from heliast.tables.about import (
    MOST_CLASSES,
    Target,
    Task,
    declared,
    find_target,
    known_classes,
    task_of,
)
from heliast.tables.dates import from_dates, time_column
from heliast.tables.table import (
    Table,
    as_names,
    frame_table,
    known,
    listed,
    refuse_duplicates,
    typed,
)

_NAMES = 20
"""More different texts than this, in over half of the rows, are names rather than classes."""


def make(
    table: Table,
    *,
    target: object = None,
    truth: Column | None = None,
    task: Task | None = None,
    order: Sequence[Label] | None = None,
    ignore: object = (),
    group: object = None,
    time: object = None,
    weight: object = None,
    name: str | None = None,
    nominal: object = (),
    numeric: object = (),
    missing: str = "refuse",
    ids: bool = True,
) -> Dataset:
    """The data set of a table; `truth` is the target when it lies outside the table.

    `target` is as in `find_target`, or a `Target` that was found before; `ids` says that columns
    which identify rows are left out.
    """
    if task not in (None, "classification", "regression"):
        raise InputError(f"task={task!r}: choose 'classification' or 'regression'")
    if missing not in ("refuse", "drop"):
        raise InputError(f"missing={missing!r}: choose 'refuse' or 'drop'")
    try:
        kinds = [_columns(table, nominal, "nominal"), _columns(table, numeric, "numeric")]
        both = sorted(set(kinds[0]) & set(kinds[1]))
        if both:
            raise InputError(f"{listed(both)}: named as nominal and as numeric; choose one")
        aside = set(_columns(table, ignore, "ignore"))
        beside = {
            what: _beside(table, values, aside, what)
            for what, values in (("group", group), ("time", time), ("weight", weight))
        }
        if beside["group"] is not None and beside["time"] is not None:
            raise InputError("group= and time=: no method here allows for both; leave out one")
        found = target if isinstance(target, Target) else Target("")
        if truth is None:
            found, truth = _read_target(table, target, aside)
        _refuse_dates(truth, table, task)
        keep, truth = _complete(truth, missing, table)
        rows = len(truth) if keep is None else keep.size
        inputs = _features(table, aside, kinds, rows, ids)
        if keep is not None:
            inputs = [replace(each, values=each.values[keep]) for each in inputs]
        places = table.places if keep is None else table.places.at(keep)
        what, classes, values = _target(truth, table, task, order, places)
        beside = {each: _aligned(beside[each], each, rows, keep) for each in beside}
        return Dataset(
            inputs=tuple(inputs),
            y_true=values,
            task=what,
            classes=classes,
            target=truth.name,
            name=table.stem if name is None else name,
            group=_codes(beside["group"] or beside["time"]),
            weight=_weights(beside["weight"], places),
            ordered=beside["time"] is not None,
            frame=_frame(table, [each.name for each in inputs], keep),
            notes=tuple(dict.fromkeys(table.notes)),
            target_by=found.by,
            left_out=table.left_out,
            ordinal=order is not None,
        )
    except InputError as error:
        kind = LooksPredicted if isinstance(error, LooksPredicted) else InputError
        prefix = "" if str(error).startswith(f"{table.title}: ") else f"{table.title}: "
        raise kind(f"{prefix}{error}") from None


def _read_target(table: Table, target: object, aside: set[str]) -> tuple[Target, Column]:
    """The target column and how it was found; it is then no feature."""
    found = target if isinstance(target, Target) else None
    if found is None:
        found = find_target(table, target, [each for each in table.names if each not in aside])
    aside.add(found.name)
    truth = as_written(found.name, table)
    if found.by != "told":
        _refuse_predictions(table, found.name, truth, found.by == "last")
    return found, truth


def _features(
    table: Table, aside: set[str], kinds: Sequence[Sequence[str]], rows: int, ids: bool
) -> list[Input]:
    names = [each for each in table.names if each not in aside]
    if not names:
        raise InputError("there is no column beside the target: no input to learn from")
    inputs = as_inputs(table, names, kinds[0], kinds[1], ids=ids)
    for each in inputs:
        if each.values.size != rows:
            raise InputError(
                f"input {each.name!r} has {each.values.size} rows but the target has {rows}; they "
                "must be aligned, one value a row"
            )
    if not inputs:
        table.notes.append(
            "no input is left: only a model that looks at no input can be fitted; turn the columns "
            "into numbers first, or keep one with nominal="
        )
    return inputs


def _aligned(values: Column | None, what: str, rows: int, keep: Array | None) -> Column | None:
    """Group, time or weight of the rows whose target is known."""
    if values is None:
        return None
    if len(values) != rows:
        raise InputError(
            f"{what} has {len(values)} rows but the target has {rows}; give one value a row"
        )
    return values if keep is None else values.at(keep)


def _refuse_predictions(table: Table, target: str, truth: Column, guessed: bool) -> None:
    """Refuse to fit models on a table of predictions, unless the target is named."""
    classes = {str(label) for label in islice(truth.distinct(), len(table.names) + 1)}
    if len(classes) > 1 and classes <= set(table.names):
        why = f"columns are named as the classes of {target!r} are, so they look like their scores"
    else:
        telling = telling_of(table.names)
        why = f"{telling!r} looks like what a model said" if telling else ""
    if why:
        named = "COLUMN" if guessed else quote(target)
        raise LooksPredicted(
            f"{why}. If these are predictions: heliast assess --y-true {named} (in Python: "
            f"hl.Predictions.read with y_true=). If they are data to fit models on: --target "
            f"{named} (in Python: target=)"
        )


def _columns(table: Table, names: object, argument: str) -> tuple[str, ...]:
    return tuple(known(name, table.names, argument) for name in as_names(names, argument))


def _beside(table: Table, values: object, aside: set[str], what: str) -> Column | None:
    """Group, time or weight of each row: a column, which is then no input, or one value a row."""
    if values is None:
        return None
    if isinstance(values, str):
        name = known(values, table.names, what)
        aside.add(name)
        values = as_written(name, table)
    one_each = time_column(values, what) if what == "time" else column(values, what)
    if one_each.missing.size:
        raise InputError(
            f"the {what} is missing in {table.places.some(one_each.missing)}; give one value a row"
        )
    return one_each


def _complete(truth: Column, missing: str, table: Table) -> tuple[Array | None, Column]:
    """The rows where the target is known (None for all), and the target there."""
    if not len(truth):
        raise InputError("there is no row of data")
    if not truth.missing.size:
        return None, truth
    gone = f"target {truth.name!r} is missing in {table.places.some(truth.missing)}"
    if missing == "refuse":
        raise InputError(f"{gone}; complete it, or drop these rows with missing='drop'")
    if truth.missing.size == len(truth):
        raise InputError(f"{gone}: no row is left; name another column with target=")
    table.notes.append(f"dropped {truth.missing.size} of {len(truth)} rows: {gone}")
    keep = np.ones(len(truth), bool)
    keep[truth.missing] = False
    return keep, truth.at(keep)


def _codes(group: Column | None) -> npt.NDArray[np.int64] | None:
    """Groups as codes of their sorted names, so that every source gives the same; or times."""
    return None if group is None else group.coded()[1].astype(np.int64)


def _weights(weight: Column | None, places: Places) -> npt.NDArray[np.float64] | None:
    """The weights as finite numbers, not negative and not all 0."""
    if weight is None:
        return None
    if weight.kind == "text":
        raise InputError(f"weight holds text (such as {weight.first()!r}), not numbers")
    values = weight.values.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values) | (values < 0))
    if bad.size or not values.any():
        where = f"{values[bad[0]]:g} in {places.some(bad)}" if bad.size else "all are 0"
        raise InputError(f"weight: {where}; weights are finite and not negative, and some not 0")
    return values


def _frame(table: Table, names: Sequence[str], keep: Array | None) -> Any:
    """The user's own frame with the features only: what is left out reaches no model."""
    if table.frame is None or not names:
        return None
    frame = table.frame[:, [table.names.index(name) for name in names]]
    return (frame if keep is None else frame[np.flatnonzero(keep)]).to_native()


# --- the target --------------------------------------------------------------------------------


def as_written(name: str, table: Table) -> Column:
    """Labels of a text file as numbers or booleans if all of them are, as in any other source."""
    return typed(table.fetch(name)) if table.written else table.fetch(name)


def _refuse_dates(truth: Column, table: Table, task: Task | None) -> None:
    """Dates are no labels, as in a table of predictions, unless the task is regression."""
    if truth.date and task is None:
        raise InputError(
            f"target {truth.name!r} holds dates, which are not labels: convert it to text for "
            "classes, or say task='regression' for seconds since 1970"
        )
    if truth.date:
        table.notes.append(f"target {truth.name!r}: dates read as seconds since 1970")


def _target(
    truth: Column, table: Table, task: Task | None, order: Sequence[Label] | None, places: Places
) -> tuple[Task, tuple[Label, ...], Array]:
    """What the target holds, its classes in order, and its codes or numbers."""
    if order is not None:
        if task == "regression":
            raise InputError("order= (--order) is for classes, not for task='regression'")
        classes = known_classes([truth], declared(order, "order"), None)
        return "classification", classes, encode(truth, classes, places).astype(np.int64)
    nominal = truth.name in table.declared
    what = task or ("classification" if nominal else None)
    what = what or task_of([truth], len(truth), f"target {truth.name!r}", table.notes)
    if what == "regression":
        return what, (), _numbers(truth, places)
    return what, *_classes(truth, nominal or task == "classification")


def _numbers(truth: Column, places: Places) -> npt.NDArray[np.float64]:
    """The target as finite numbers."""
    if truth.kind == "text":
        raise InputError(
            f"target {truth.name!r} holds text (such as {truth.first()!r}), not numbers; leave out "
            "task='regression'"
        )
    values = truth.values.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise InputError(
            f"target {truth.name!r} is {values[bad[0]]} in {places.some(bad)}; numbers must be "
            "finite: correct them or leave these rows out"
        )
    return values


def _classes(truth: Column, is_declared: bool) -> tuple[tuple[Label, ...], npt.NDArray[np.int64]]:
    """The classes in order and the code of each row."""
    found = classes_of([truth])
    if len(found) < 2:
        raise InputError(
            f"target {truth.name!r} has one class only ({found[0]!r}): there is nothing to tell "
            "apart; check the column, or name another with target="
        )
    names = truth.kind == "text" and len(found) > _NAMES and 2 * len(found) > len(truth)
    if (names and not is_declared) or len(found) > MOST_CLASSES:
        raise InputError(
            f"target {truth.name!r} has {len(found):,} different values in {len(truth):,} rows: "
            "names or sentences rather than classes; name another column with target="
        )
    return found, encode(truth, found).astype(np.int64)


# --- arrays and data frames --------------------------------------------------------------------


def truth_of(y: object, table: Table, target: str | None) -> tuple[str | None, Column | None]:
    """The name of the target in the table, or the target that lies beside it."""
    if isinstance(y, str) and table.frame is not None:
        return y, None
    called = target if target is not None else getattr(y, "name", None)
    return None, column(y, "target" if called is None else str(called))


def table_of(X: object, names: Sequence[str] | None) -> Table:
    """Arrays or a data frame of features as a table."""
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
    width = matrix.shape[1]
    called = [f"x{at}" for at in range(width)] if names is None else list(as_names(names, "names"))
    if len(called) != width:
        raise InputError(f"names= names {len(called)} columns but X has {width}")
    refuse_duplicates(called)
    place = {name: at for at, name in enumerate(called)}

    def fetch(name: str) -> Column:
        values = matrix[:, place[name]]
        dates = from_dates(values, name) if values.dtype == object else None
        return dates or column(values, name)

    return Table("X", "data", called, fetch)


def _matrix(X: Any) -> npt.NDArray[Any]:
    try:
        # Lists as they are: text beside numbers must not make every column text.
        matrix = np.array(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
        plain = matrix.dtype == object and matrix.ndim == 2
        if plain and all(type(value) in (int, float) for value in matrix.flat):
            matrix = matrix.astype(np.float64)
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
