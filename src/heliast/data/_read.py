"""read: a file, a data frame or one of scikit-learn's sets to a Dataset."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.labels import Label
from heliast.data._dataset import Dataset
from heliast.tables.about import TARGET_NAMES, Target, Task, find_target
from heliast.tables.files import read_table
from heliast.tables.sources import MISSING
from heliast.tables.table import Table, as_names, frame_table, known, listed

BUNDLED = "sklearn:"
"""How the sets that come with scikit-learn are named."""
_SETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
_UNKNOWN = "?"
"""What the archives of data sets write for a missing value."""


def read(
    source: object,
    target: str | int | None = None,
    *,
    task: Task | None = None,
    order: Sequence[Label] | None = None,
    names: Sequence[str] | None = None,
    ignore: str | Sequence[str] = (),
    group: ArrayLike | None = None,
    time: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    name: str | None = None,
    nominal: str | Sequence[str] = (),
    numeric: str | Sequence[str] = (),
    missing: Literal["refuse", "drop"] = "refuse",
) -> Dataset:
    """Data to fit models on: from a file, a data frame, arrays `(X, y)`, or `"sklearn:iris"`.

    Files are CSV, Parquet, ARFF, JSON (lines or an array of records), Arrow or Feather, or a table
    of a DuckDB database (`file.duckdb::table`). Columns that identify rows (named like
    an id, free text, or row numbers) are left out. What was left out or decided is in `.notes`.

    Parameters
    ----------
    source : str, path, data frame, mapping or (X, y)
        A file, one of scikit-learn's sets by name, columns in memory, or features and target.
    target : str or int, optional
        The column to predict: its name, `first`, `last` or a place. Without it, a column called
        class, target, y, label or outcome is taken, else the last (of an ARFF file, the last
        nominal one).
    task : {"classification", "regression"}, optional
        What the target holds; else its values decide.
    order : sequence, optional
        All classes from least to most, of a target whose classes are in an order.
    names : sequence of str, optional
        The names of the columns of a CSV file that has no header line.
    ignore : str or sequence of str
        Columns that are left out.
    group : str or array-like, optional
        Which rows belong together: a column, or one value a row.
    time : str or array-like, optional
        When each row was: a column of numbers or ISO dates, or one value a row. It orders the
        rows for `Rolling` and `Expanding`, and is no input.
    weight : str or array-like, optional
        The weight of each row: a column, or one value a row. Models are fitted with it
        (`sample_weight`), and it is no input.
    name : str, optional
        What the data are called; else the file's name.
    nominal, numeric : str or sequence of str
        Columns to read as categories or as numbers. Else text, booleans and categoricals are
        nominal inputs, numbers numeric ones, and columns of free text are left out.
    missing : {"refuse", "drop"}
        What becomes of rows without a target.

    Returns
    -------
    Dataset
        Inputs and target, checked.

    Raises
    ------
    InputError
        If the file cannot be read, or there is no target or nothing to learn it from.

    Examples
    --------
    >>> read({"x": [1.5, 2.5, None], "sky": ["sun", "rain", "sun"], "class": ["a", "b", "a"]})
    <Dataset 'data': 3 rows, 1 numeric, 1 nominal inputs, target 'class': 2 classes>
    """
    from heliast.data._make import make

    if isinstance(source, tuple) and len(source) == 2 and target is None and not ignore:
        return Dataset.of(
            *source, task=task, order=order, names=names, group=group, time=time, weight=weight,
            name=name or "data", nominal=nominal, numeric=numeric, missing=missing,
        )  # fmt: skip
    return make(
        table_from(source, names), target=target, task=task, order=order, ignore=ignore,
        group=group, time=time, weight=weight, name=name, nominal=nominal, numeric=numeric,
        missing=missing,
    )  # fmt: skip


def read_surely(
    source: object,
    target: str | int | None = None,
    *,
    task: Task = "classification",
    order: Sequence[Label] | None = None,
    ignore: Sequence[str] = (),
    missing: Literal["refuse", "drop"] = "refuse",
) -> Dataset:
    """As `read`, but a target that is neither named nor called one must be the only candidate.

    A last column of text, or one declared nominal, is the target of a task of classes; one of
    numbers may as well be an input, so it must be named. In a task of numbers it is the other way
    round.

    Parameters
    ----------
    source : str, path, data frame or mapping
        What `read` takes.
    target : str or int, optional
        The column of the target, by name or place; else it is found, if there is no doubt.
    task : {"classification", "regression"}
        What the target holds.
    order : sequence, optional
        All classes from least to most, of a target whose classes are in an order.
    ignore : sequence of str
        Columns that are not inputs; they need not be there.
    missing : {"refuse", "drop"}
        `drop` leaves out rows with missing values and says how many.

    Returns
    -------
    Dataset
        Inputs and target, checked.

    Raises
    ------
    InputError
        If another column may be the target, or the data cannot be learnt from.

    Examples
    --------
    >>> read_surely({"a": [1.5, 2.5], "b": [1, 2]})
    Traceback (most recent call last):
    heliast._core.errors.InputError: the data frame: which column is the target? The last, 'b', ...
    """
    from heliast.data._make import make

    table = table_from(source)
    left = [name for name in table.names if name not in ignore]
    try:
        found = find_target(table, target, left, task)
        if found.by != "told":
            _refuse_doubt(found, table, left, task)
    except InputError as error:
        raise InputError(f"{table.title}: {error}") from None
    # Whole numbers may be classes: where numbers are to be predicted, they are numbers.
    counts = task == "regression" and _numeric(table, found.name)
    ignored = [name for name in ignore if name in table.names and name != found.name]
    told: Task | None = "regression" if counts else None
    return make(table, target=found, task=told, order=order, ignore=ignored, missing=missing)


@dataclass(frozen=True, eq=False)
class NewRows:
    """New rows for a model: inputs, and the target where the source has it; by `read_rows`.

    Parameters
    ----------
    data : Dataset
        The inputs; its own target means nothing.
    y_true : column, optional
        The target; None where there is none, or not of every row.
    row : column, optional
        What names the rows.
    notes : tuple of str
        What was noticed.

    Examples
    --------
    >>> read_rows({"a": [3.0, 4.0], "class": ["x", "y"]}, ["a"], target="class").y_true.texts
    ('x', 'y')
    """

    data: Dataset
    y_true: Column | None
    row: Column | None
    notes: tuple[str, ...]


def read_rows(
    source: object,
    inputs: Sequence[str] = (),
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    target: str | None = None,
    row: str | None = None,
) -> NewRows:
    """Rows for a model that was fitted before: its inputs by name, with or without the target.

    Parameters
    ----------
    source : str, path, data frame or mapping
        What `read` takes.
    inputs : sequence of str
        The columns that the model was fitted on; none are all but the target.
    nominal, numeric : sequence of str
        Which of them are categories, and which numbers.
    target : str, optional
        The column of the target, which need not be there.
    row : str, optional
        The column that names rows.

    Returns
    -------
    NewRows
        Inputs in the order asked for, the target, and what was noticed.

    Raises
    ------
    InputError
        If an input is not there, or is not what it was.

    Examples
    --------
    >>> new = read_rows({"b": [1.0, 2.0], "a": [3.0, 4.0], "id": [7, 8]}, ["a", "b"], row="id")
    >>> new.data.names, new.y_true, new.notes[0]
    (('b', 'a'), None, 'columns stand in another order than in training: they are found by name')
    """
    from heliast.data._make import as_written, make

    table = table_from(source)
    if row is not None:
        _ = known(row, table.names, "row")
    beside = {target, row} - {*inputs}
    wanted = [*inputs] or [name for name in table.names if name not in beside]
    lacking = [name for name in wanted if name not in table.names]
    if lacking:
        raise InputError(
            f"{table.title}: the model was fitted on {listed(lacking)}, which is not there; the "
            f"columns are {listed(table.names)}: name columns as in training"
        )
    truth = None
    if target in table.names and target is not None:
        truth = as_written(target, table)
    unused = [name for name in table.names if name not in wanted and name not in beside]
    there = [name for name in table.names if name in wanted]
    notes = []
    if there != wanted:
        notes.append("columns stand in another order than in training: they are found by name")
    if unused:
        notes.append(f"not used: {listed(unused)}")
    if truth is not None and truth.missing.size:
        gone = table.places.some(truth.missing)
        notes.append(f"target {target!r} is missing in {gone}: it is not used")
        truth = None
    nothing = column(np.zeros(len(table.fetch(wanted[0]))), "no target")
    aside = [name for name in table.names if name not in wanted]
    data = make(
        table,
        truth=nothing,
        task="regression",
        ignore=aside,
        numeric=numeric,
        nominal=nominal,
        ids=False,
    )
    named = None if row is None else table.fetch(row)
    return NewRows(data, truth, named, tuple(notes))


def _refuse_doubt(found: Target, table: Table, left: Sequence[str], task: Task) -> None:
    """Refuse a target that another column may be as well."""
    again = "name it with target= (a name, 'first', 'last', or a place counted from 0)"
    if found.rivals:
        raise InputError(f"{listed([found.name, *found.rivals])} may each be the target: {again}")
    if found.by == "name":
        return
    if len(left) == 1:
        raise InputError("one column only: nothing to learn from")
    last, numeric = left[-1], _numeric(table, left[-1])
    if found.name != last or numeric != (task == "regression"):
        what = "numbers" if numeric else "words"
        raise InputError(
            f"which column is the target? The last, {last!r}, holds {what}, and none is called "
            f"{', '.join(TARGET_NAMES[:-1])} or {TARGET_NAMES[-1]}: {again}"
        )


def _numeric(table: Table, name: str) -> bool:
    """Whether a column holds numbers, and is not declared to hold classes."""
    from heliast.data._make import as_written

    return as_written(name, table).kind not in ("text", "bool") and name not in table.declared


def table_from(source: object, names: Sequence[str] | None = None) -> Table:
    """The columns of a file, a data frame or one of scikit-learn's sets, whatever their roles."""
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        if isinstance(text, str) and text.startswith(BUNDLED):
            _refuse_names(names, text)
            return _bundled(text)
        listed_names = None if names is None else as_names(names, "names")
        return read_table(source, names=listed_names, missing=(*MISSING, _UNKNOWN))
    _refuse_names(names, "the data frame")
    table = frame_table(source, "the data frame", "data")
    if table is None:
        raise InputError(
            f"expected a path, a data frame (pandas, polars, pyarrow) or (X, y), got "
            f"{type(source).__name__}"
        )
    return table


def _refuse_names(names: Sequence[str] | None, title: str) -> None:
    if names is not None:
        raise InputError(f"{title}: names= is for text files without a header; this has names")


def _bundled(source: str) -> Table:
    """The columns of one of scikit-learn's sets, such as `sklearn:iris`; the last is `class`."""
    name = source.removeprefix(BUNDLED)
    if name not in _SETS:
        close = get_close_matches(name, _SETS, n=1)
        hint = f"did you mean {BUNDLED}{close[0]}?" if close else "they are " + ", ".join(_SETS)
        raise InputError(f"{source}: not one of scikit-learn's sets; {hint}")
    from sklearn import datasets

    found: Any = getattr(datasets, f"load_{name}")()
    truth = found.target
    # Digits and diabetes name no classes: their numbers are the classes, or the target itself.
    if name not in ("digits", "diabetes"):
        truth = found.target_names[truth]
    target = "target" if name == "diabetes" else "class"
    columns = {str(each): found.data[:, at] for at, each in enumerate(found.feature_names)}
    columns[target] = truth

    return Table(source, name, list(columns), lambda each: column(columns[each], each))
