"""A table of columns to a Dataset: roles first, then the target, then the inputs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.data._dataset import Dataset, Input
from heliast.data._inputs import as_inputs
from heliast.data._table import Table, as_names, known, listed
from heliast.data._target import Task, as_written, classes, decided_task, find_target, numbers

Array = npt.NDArray[Any]


def make(
    cls: type[Dataset],
    table: Table,
    *,
    target: str | None = None,
    truth: Column | None = None,
    task: Task | None = None,
    ignore: object = (),
    group: object = None,
    name: str | None = None,
    nominal: object = (),
    numeric: object = (),
    missing: str = "refuse",
) -> Dataset:
    """The data set of a table; `truth` is the target when it lies outside the table."""
    try:
        _check(task, missing)
        forced = [
            _asked(table, given, what)
            for given, what in ((nominal, "nominal"), (numeric, "numeric"))
        ]
        _refuse_both(*forced)
        aside = set(_asked(table, ignore, "ignore"))
        grouped = _group(table, group, aside)
        if truth is None:
            left = [one for one in table.names if one not in aside]
            chosen = find_target(table, None if target is None else str(target), left)
            aside.add(chosen)
            truth = as_written(table.fetch(chosen), table)
        keep, truth = _complete(truth, missing, table)
        places = table.places if keep is None else table.places.at(keep)
        given = [one for one in table.names if one not in aside]
        inputs = _inputs(table, given, forced, len(truth) if keep is None else keep.size)
        return _assembled(cls, table, inputs, truth, places, keep, task, grouped, name)
    except InputError as error:
        raise InputError(f"{table.title}: {error}") from None


def _check(task: object, missing: object) -> None:
    if task not in (None, "classes", "number"):
        raise InputError(f"task={task!r}: choose 'classes' or 'number'")
    if missing not in ("refuse", "drop"):
        raise InputError(f"missing={missing!r}: choose 'refuse' or 'drop'")


def _asked(table: Table, given: object, argument: str) -> tuple[str, ...]:
    return tuple(known(one, table.names, argument) for one in as_names(given, argument))


def _refuse_both(nominal: Sequence[str], numeric: Sequence[str]) -> None:
    both = sorted(set(nominal) & set(numeric))
    if both:
        raise InputError(f"{listed(both)}: asked for as nominal and as numeric; choose one")


def _group(table: Table, group: object, aside: set[str]) -> Column | None:
    if group is None:
        return None
    if isinstance(group, str):
        one = table.fetch(known(group, table.names, "group"))
        aside.add(group)
    else:
        one = column(group, "group")
    if one.missing.size:
        raise InputError(
            f"the group is missing in {table.places.some(one.missing)}; give every row one"
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


def _assembled(
    cls: type[Dataset],
    table: Table,
    inputs: Sequence[Input],
    truth: Column,
    places: Places,
    keep: Array | None,
    task: Task | None,
    group: Column | None,
    name: str | None,
) -> Dataset:
    if keep is not None:
        inputs = [Input(one.name, one.values[keep], one.categories) for one in inputs]
    what = decided_task(truth, table, task)
    if what == "number":
        values: Array = numbers(truth, places)
        labels: tuple[Any, ...] = ()
    else:
        labels, values = classes(truth, told=task == "classes" or truth.name in table.declared)
    return cls(
        inputs=tuple(inputs),
        truth=values,
        task=what,
        classes=labels,
        target=truth.name,
        name=table.stem if name is None else name,
        group=None if group is None else _group_codes(group, keep, len(truth)),
        frame=_frame(table, [one.name for one in inputs], keep),
        notes=tuple(dict.fromkeys(table.notes)),
    )


def _group_codes(group: Column, keep: Array | None, n: int) -> npt.NDArray[np.int64]:
    """Groups as codes of their sorted names, so that every source gives the same."""
    kept = group if keep is None or len(group) != keep.size else group.at(keep)
    if len(kept) != n:
        raise InputError(f"group has {len(group)} rows but the target has {n}; give every row one")
    return kept.coded()[1].astype(np.int64)


def _frame(table: Table, names: Sequence[str], keep: Array | None) -> Any:
    """The user's own frame with the inputs only: what is left out reaches no model."""
    if table.frame is None or not names:
        return None
    frame = table.frame[:, [table.names.index(name) for name in names]]
    return (frame if keep is None else frame[np.flatnonzero(keep)]).to_native()
