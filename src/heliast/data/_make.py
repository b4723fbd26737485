"""A table of columns to a Dataset: roles first, then the target, then the inputs."""

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
from heliast.tables.readings import reading_of, typed
from heliast.tables.table import (
    Table,
    as_names,
    frame_table,
    known,
    listed,
    refuse_duplicates,
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
    name: str | None = None,
    nominal: object = (),
    numeric: object = (),
    missing: str = "refuse",
) -> Dataset:
    """The data set of a table; `y_true` is the target when it lies outside the table.

    `target` is told as in `find_target`, or a `Target` that was found before.
    """
    try:
        _check(task, missing)
        forced = [
            _asked(table, given, what)
            for given, what in ((nominal, "nominal"), (numeric, "numeric"))
        ]
        _refuse_both(*forced)
        aside = set(_asked(table, ignore, "ignore"))
        grouped = _beside(table, group, aside, "group")
        when = _beside(table, time, aside, "time")
        if grouped is not None and when is not None:
            raise InputError("group= and time=: no method here allows for both; leave out one")
        found = target if isinstance(target, Target) else Target("")
        if truth is None:
            left = [one for one in table.names if one not in aside]
            if not found.name:
                found = find_target(table, target, left)
            aside.add(found.name)
            truth = as_written(found.name, table)
            if found.by != "told":
                _refuse_predictions(table, found.name, truth, found.by == "last")
            _refuse_dates(truth, table, task)
        keep, truth = _complete(truth, missing, table)
        places = table.places if keep is None else table.places.at(keep)
        given = [one for one in table.names if one not in aside]
        inputs = _inputs(table, given, forced, len(truth) if keep is None else keep.size)
        if keep is not None:
            inputs = [replace(one, values=one.values[keep]) for one in inputs]
        what, labels, values = _target(truth, table, task, order, places)
        return Dataset(
            inputs=tuple(inputs),
            y_true=values,
            task=what,
            classes=labels,
            target=truth.name,
            name=table.stem if name is None else name,
            group=_group_codes(grouped or when, keep, len(truth), when is not None),
            ordered=when is not None,
            frame=_frame(table, [one.name for one in inputs], keep),
            notes=tuple(dict.fromkeys(table.notes)),
            target_by=found.by,
            left_out=table.left_out,
            ordinal=order is not None,
        )
    except InputError as error:
        kind = LooksPredicted if isinstance(error, LooksPredicted) else InputError
        raise kind(f"{table.title}: {error}") from None


def _refuse_predictions(table: Table, target: str, truth: Column, guessed: bool) -> None:
    """Refuse to fit models on what a model said, unless the target is named."""
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


def _check(task: object, missing: object) -> None:
    if task not in (None, "classification", "regression"):
        raise InputError(f"task={task!r}: choose 'classification' or 'regression'")
    if missing not in ("refuse", "drop"):
        raise InputError(f"missing={missing!r}: choose 'refuse' or 'drop'")


def _asked(table: Table, given: object, argument: str) -> tuple[str, ...]:
    return tuple(known(one, table.names, argument) for one in as_names(given, argument))


def _refuse_both(nominal: Sequence[str], numeric: Sequence[str]) -> None:
    both = sorted(set(nominal) & set(numeric))
    if both:
        raise InputError(f"{listed(both)}: asked for as nominal and as numeric; choose one")


def _beside(table: Table, given: object, aside: set[str], what: str) -> Column | None:
    """Group or time of each row: a column, which is then no input, or one value a row."""
    if given is None:
        return None
    if isinstance(given, str):
        name = known(given, table.names, what)
        one = table.fetch(name)
        one = time_column(as_written(name, table), name) if what == "time" else one
        aside.add(given)
    else:
        one = (time_column if what == "time" else column)(given, what)
    if one.missing.size:
        raise InputError(
            f"the {what} is missing in {table.places.some(one.missing)}; give every row one"
        )
    return one


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


def _inputs(
    table: Table, given: Sequence[str], forced: Sequence[Sequence[str]], n: int
) -> list[Input]:
    if not given:
        raise InputError("there is no column beside the target: no input to learn from")
    inputs = as_inputs(table, given, *forced)
    for one in inputs:
        if one.values.size != n:
            raise InputError(
                f"input {one.name!r} has {one.values.size} rows but the target has {n}; they must "
                "be aligned, one value a row"
            )
    if not inputs:
        table.notes.append(
            "no input is left: only a model that looks at no input can be fitted; turn the columns "
            "into numbers first, or keep one with nominal="
        )
    return inputs


def _group_codes(
    group: Column | None, keep: Array | None, n: int, times: bool
) -> npt.NDArray[np.int64] | None:
    """Groups as codes of their sorted names, so that every source gives the same; or times."""
    if group is None:
        return None
    kept = group if keep is None or len(group) != keep.size else group.at(keep)
    if len(kept) != n:
        what = "time" if times else "group"
        raise InputError(f"{what} has {len(group)} rows but the target has {n}; give every row one")
    return kept.coded()[1].astype(np.int64)


def _frame(table: Table, names: Sequence[str], keep: Array | None) -> Any:
    """The user's own frame with the inputs only: what is left out reaches no model."""
    if table.frame is None or not names:
        return None
    frame = table.frame[:, [table.names.index(name) for name in names]]
    return (frame if keep is None else frame[np.flatnonzero(keep)]).to_native()


# --- the target --------------------------------------------------------------------------------


def as_written(name: str, table: Table) -> Column:
    """Labels of a text file as numbers or booleans if all of them are, as in any other source."""
    one = table.fetch(name)
    return typed(one, reading_of(one.texts)) if table.written and one.kind == "text" else one


def _refuse_dates(truth: Column, table: Table, task: Task | None) -> None:
    """Dates are no labels, as in a table of predictions; whoever means seconds says so."""
    if truth.date and task is None:
        raise InputError(
            f"target {truth.name!r} holds dates, which are not labels: convert it to text for "
            "classes, or say task='regression' for seconds since 1970"
        )
    if truth.date:
        table.notes.append(f"target {truth.name!r}: dates read as seconds since 1970")


def _target(
    one: Column, table: Table, task: Task | None, order: Sequence[Label] | None, places: Places
) -> tuple[Task, tuple[Label, ...], Array]:
    """What the target holds, its classes in order, and its codes or numbers."""
    if order is not None:
        if task == "regression":
            raise InputError(
                "order= (--order) is for classes, but task='regression'; leave out one"
            )
        classes = known_classes([one], declared(order, "order"), None)
        return "classification", classes, encode(one, classes, places).astype(np.int64)
    named = one.name in table.declared
    what = task or ("classification" if named else None)
    what = what or task_of([one], len(one), f"target {one.name!r}", table.notes)
    if what == "regression":
        return what, (), _numbers(one, places)
    return what, *_classes(one, told=named or task == "classification")


def _numbers(one: Column, places: Places) -> npt.NDArray[np.float64]:
    """The target as finite numbers."""
    if one.kind == "text":
        raise InputError(
            f"target {one.name!r} holds text (such as {one.first()!r}), not numbers; leave out "
            "task='regression'"
        )
    values = one.values.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise InputError(
            f"target {one.name!r} is {values[bad[0]]} in {places.some(bad)}; numbers must be "
            "finite: correct them or leave these rows out"
        )
    return values


def _classes(one: Column, told: bool) -> tuple[tuple[Label, ...], npt.NDArray[np.int64]]:
    """The classes in order and the code of each row; `told`: the user asked for classes."""
    found = classes_of([one])
    if len(found) < 2:
        raise InputError(
            f"target {one.name!r} has one class only ({found[0]!r}): there is nothing to tell "
            "apart; check the column, or name another with target="
        )
    names = one.kind == "text" and len(found) > _NAMES and 2 * len(found) > len(one)
    if (names and not told) or len(found) > MOST_CLASSES:
        raise InputError(
            f"target {one.name!r} has {len(found):,} different values in {len(one):,} rows: names "
            "or sentences rather than classes; name another column with target="
        )
    codes: Any = encode(one, found)
    return found, codes.astype(np.int64)


# --- arrays and data frames --------------------------------------------------------------------


def truth_of(y: object, table: Table, target: str | None) -> tuple[str | None, Column | None]:
    """The name of the target in the table, or the target that lies beside it."""
    if isinstance(y, str) and table.frame is not None:
        return y, None
    called = target if target is not None else getattr(y, "name", None)
    return None, column(y, "target" if called is None else str(called))


def table_of(X: object, names: Sequence[str] | None) -> Table:
    """Arrays or a data frame of inputs as a table."""
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
        values = matrix[:, place[name]]
        found = from_dates(values, name) if values.dtype == object else None
        return found or column(values, name)

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
