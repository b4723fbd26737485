"""Whatever a caller brings as one prediction table: tables, paths, frames, arrays, dicts."""

import os
from collections.abc import Iterator, KeysView, Mapping, Sequence, ValuesView
from glob import has_magic
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.aliases import rename_keywords
from heliast._core.columns import column
from heliast._core.errors import InputError, ScoresAsLabels
from heliast._core.kinds import ArrayLike
from heliast.predictions._table import Predictions
from heliast.tables.table import frame_columns, other_order, refuse_other_index

Source = Predictions | Mapping[Any, Any] | Sequence[Any] | ArrayLike | os.PathLike[str]

# How file names end, where a word may also be a measure or a report to write.
ENDINGS = {
    ".csv", ".tsv", ".txt", ".parquet", ".pq", ".json", ".jsonl", ".ndjson", ".arrow", ".feather",
    ".arff", ".gz", ".zst", ".bz2", ".eval",
}  # fmt: skip
CALLS = (
    "give y_true and y_pred, y_true and y_score=, a table, a data frame, a path, or "
    "y_true and a dict of models"
)


def as_predictions(
    source: Any = None,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    common_rows: bool = False,
    keep: Sequence[str] = (),
    **columns: Any,
) -> Predictions:
    """Return one prediction table from a table, path, data frame, arrays, or several of them.

    Parameters
    ----------
    source : Predictions, path, data frame, sequence, mapping or array-like
        A table; the path of a file, folder or pattern; a data frame; several of these in a list
        or by model name in a dict; or `y_true`.
    y_pred : array-like or mapping, optional
        Beside `y_true`: predicted labels or numbers, or the predictions of each model by name.
        A model's values are labels if they can be classes of `y_true`; fractions, numbers beside
        text classes and two-dimensional values are scores.
    y_score : array-like or mapping, optional
        Beside `y_true`: scores, one column or one per class; a mapping has the classes as keys,
        or else the names of models. (A dict for `y_pred` whose keys are the classes
        holds scores too.)
    common_rows : bool, default=False
        Keep only the rows that all models have.
    keep : sequence of str
        Columns of files and frames to keep.
    **columns
        Parameters of `Predictions.of` (arrays) or `Predictions.read` (files, frames).

    Returns
    -------
    Predictions

    Raises
    ------
    InputError
        If `source` cannot become one table.

    Examples
    --------
    >>> as_predictions([0, 1, 1], {"tree": [0, 1, 0], "vote": [0, 1, 1]}).models
    ('tree', 'vote')
    """
    tables = as_tables(source, y_pred, y_score, common_rows=common_rows, keep=keep, **columns)
    if isinstance(tables, Predictions):
        return tables
    raise InputError(
        f"one table expected, got {len(tables)} tables of several models each "
        f"({', '.join(tables)}): ask for each by itself"
    )


def as_tables(
    source: Any = None,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    common_rows: bool = False,
    keep: Sequence[str] = (),
    **columns: Any,
) -> Predictions | dict[str, Predictions]:
    """Return one table, or the tables of several data sets by name.

    Parameters
    ----------
    source, y_pred, y_score, common_rows, keep, **columns
        As in `as_predictions`. A dict of tables with several models each holds data sets.

    Returns
    -------
    Predictions or dict of Predictions

    Raises
    ------
    InputError
        If `source` cannot become tables.

    Examples
    --------
    >>> two = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], model=["a", "a", "b", "b"])
    >>> list(as_tables({"iris": two, "wine": two}))
    ['iris', 'wine']
    """
    columns = rename_keywords(columns)
    y_score = columns.pop("y_score", y_score)
    y_pred = columns.pop("y_pred", y_pred)
    if source is None and "y_true" in columns:
        source = columns.pop("y_true")
    source, y_pred, y_score = plain(source), plain(y_pred), plain(y_score)
    reading = {**columns, "keep": keep, **_given(y_pred=y_pred, y_score=y_score)}
    if is_table(source):
        return _join([source], [_table(source, reading)], common_rows)
    if isinstance(source, (list, tuple)) and source and all(map(is_table, source)):
        return _join(source, [_table(part, reading) for part in source], common_rows)
    if isinstance(source, Mapping) and source and all(map(is_table, source.values())):
        by_name = {str(name): _table(part, reading) for name, part in source.items()}
        return _by_name(source, by_name, common_rows)
    if isinstance(source, Mapping) and source:
        return Predictions.read(source, **reading)
    if not is_column(source):
        raise InputError(f"expected predictions, got {_description(source)}; {CALLS}")
    return _of_arrays(source, y_pred, y_score, columns)


def split_arguments(arguments: Sequence[Any]) -> tuple[tuple[Any, Any, Any], tuple[Any, ...]]:
    """Split positional arguments into (source, y_pred, y_score) and the rest.

    After a path, further paths belong to the table; after a table or frame, further ones do;
    after `y_true`, values with one entry per row (or models by name) do.

    >>> split_arguments(["a.csv", "b.csv", "error"])
    ((['a.csv', 'b.csv'], None, None), ('error',))
    >>> split_arguments([["x", "y"], ["x", "x"], ["recall"]])
    ((['x', 'y'], ['x', 'x'], None), (['recall'],))
    """
    if not arguments:
        return (None, None, None), ()
    first, rest = plain(arguments[0]), [plain(argument) for argument in arguments[1:]]
    if is_table(first):
        alike = is_file_name if isinstance(first, (str, os.PathLike)) else is_in_memory
        count = next((at for at, part in enumerate(rest) if not alike(part)), len(rest))
        source = [first, *rest[:count]] if count else first
        return (source, None, None), tuple(rest[count:])
    count, size = 0, len(first) if is_column(first) else 0
    if is_column(first) and not (isinstance(first, (list, tuple)) and all(map(is_table, first))):
        while count < min(2, len(rest)) and _is_prediction(rest[count], size, count):
            count += 1
    values = [*rest[:count], None, None]
    return (first, values[0], values[1]), tuple(rest[count:])


def _is_prediction(values: Any, size: int, place: int) -> bool:
    """Whether an argument after y_true holds predictions rather than names of measures."""
    if isinstance(values, Mapping) or is_frame(values):
        return place == 0
    words = isinstance(values, (list, tuple)) and any(isinstance(word, str) for word in values)
    return is_column(values) and not (words and len(values) != size)


# --- tables --------------------------------------------------------------------------------------


def _table(source: Any, reading: Mapping[str, Any]) -> Predictions:
    if not isinstance(source, Predictions):
        return Predictions.read(source, **reading)
    options = [name for name, value in reading.items() if name != "keep" and value is not None]
    if options:
        raise InputError(
            f"{options[0]}= is said when the table is made, as in "
            f"hl.Predictions.of(..., {options[0]}=...)"
        )
    return source


def _join(sources: Sequence[Any], tables: Sequence[Predictions], common: bool) -> Predictions:
    _refuse_other_order(sources, tables)
    first, *others = name_models(sources, tables)
    return first.join(*others, common_rows=common)


def _by_name(
    sources: Mapping[Any, Any], tables: dict[str, Predictions], common: bool
) -> Predictions | dict[str, Predictions]:
    """Models by name if each table holds one model, else data sets by name."""
    _refuse_other_order([*sources.values()], [*tables.values()])
    if all(len(table.models) == 1 for table in tables.values()):
        first, *others = (table.renamed(name) for name, table in tables.items())
        return first.join(*others, common_rows=common)
    if not common:
        return tables
    return {name: table.common_rows() for name, table in tables.items()}


def name_models(sources: Sequence[Any], tables: Sequence[Predictions]) -> list[Predictions]:
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


def _refuse_other_order(sources: Sequence[Any], tables: Sequence[Predictions]) -> None:
    """Refuse pandas frames whose rows have the same index in another order."""
    for at, (source, table) in enumerate(zip(sources, tables, strict=True), 1):
        has_rows = table.row is not None and tables[0].row is not None
        if not has_rows and other_order(sources[0], source):
            raise InputError(
                f"table 1 and table {at} have the same index in another order: say "
                "df2.loc[df1.index] to pair rows by it, or df2.reset_index(drop=True) to pair "
                "them by position"
            )


# --- arrays --------------------------------------------------------------------------------------


def _of_arrays(y_true: Any, y_pred: Any, y_score: Any, columns: dict[str, Any]) -> Predictions:
    if y_pred is None and y_score is None:
        raise InputError(f"only y_true is given; {CALLS}")
    for values, as_scores in ((y_score, True), (y_pred, False)):
        if isinstance(values, Mapping) or is_frame(values):
            names = {*map(str, frame_columns(values)[0] or ())}
            classes = _class_names(y_true, columns)
            if not (names <= classes if as_scores else names == classes):
                return _of_models(y_true, values, columns, as_scores)
            y_pred, y_score = (y_pred if as_scores else None), values
    for name, values in (("y_pred", y_pred), ("y_score", y_score)):
        if values is not None and not (is_column(values) or name == "y_score"):
            raise InputError(f"{name}: expected one value per row, got {_description(values)}")
    if y_score is None and dimensions(y_pred) == 2:
        y_pred, y_score = None, y_pred
        _refuse_rows_of_models(y_true, y_score)
    return Predictions.of(y_true, y_pred, y_score, **columns)


def _refuse_rows_of_models(y_true: Any, values: Any) -> None:
    """Refuse a list of models' labels in the place of a matrix of scores."""
    if len(values) != len(y_true) and len(values[0]) == len(y_true):
        raise InputError(
            f"y_pred has {len(values)} rows of {len(y_true)} values: for several models give "
            "a dict of models, as in {'a': a_pred, 'b': b_pred}"
        )


def _of_models(y_true: Any, models: Any, columns: dict[str, Any], as_scores: bool) -> Predictions:
    """One table of several models, each with predicted labels or scores."""
    refuse_other_index({"y_true": y_true, "table": models})
    values_by_name, frame = frame_columns(models)
    if not values_by_name:
        raise InputError("no model is given; say {'name': y_pred}")
    if frame is not None:
        values_by_name = {name: part.to_native() for name, part in values_by_name.items()}
    tables = []
    for name, values in values_by_name.items():
        options = {"row": np.arange(len(y_true)), **columns, "model": str(name)}
        try:
            tables.append(_of_model(y_true, plain(values), options, as_scores))
        except InputError as error:
            raise InputError(f"model {name!r}: {error}") from None
    return tables[0].join(*tables[1:])


def _of_model(y_true: Any, values: Any, options: dict[str, Any], as_scores: bool) -> Predictions:
    by_class = isinstance(values, Mapping) or is_frame(values)
    if not by_class and not is_column(values):
        raise InputError(f"expected labels or scores, one per row, got {_description(values)}")
    if as_scores or by_class or dimensions(values) == 2:
        return Predictions.of(y_true, y_score=values, **options)
    numbers_beside_text = column(y_true, "y_true").kind == "text" and column(
        values, "y_pred"
    ).kind in ("whole", "number")
    if not numbers_beside_text:
        try:
            return Predictions.of(y_true, values, **options)
        except ScoresAsLabels:
            pass
    note = f"{options['model']}: numbers that are no classes are read as scores"
    return Predictions.of(y_true, y_score=values, **options).noted(note)


def _class_names(y_true: Any, columns: Mapping[str, Any]) -> set[str]:
    """The classes of y_true, and those that are declared, as text."""
    declared = columns.get("classes") or columns.get("order") or ()
    return {*map(str, declared), *map(str, column(y_true, "y_true").distinct())}


# --- what a value is -----------------------------------------------------------------------------


def plain(values: Any) -> Any:
    """Values that can be read more than once: tensors, sparse and lazy data as arrays and frames.

    >>> plain(letter for letter in "ab"), plain(np.array([[1], [2]]))
    (['a', 'b'], array([1, 2]))
    """
    if getattr(getattr(values, "dtype", None), "names", None):
        return {name: values[name] for name in values.dtype.names}
    if hasattr(values, "collect_schema") and hasattr(values, "collect"):
        return values.collect()
    if hasattr(values, "detach") and hasattr(values, "cpu"):
        values = values.detach().cpu().numpy()
    elif hasattr(values, "toarray"):
        values = values.toarray()
    elif isinstance(values, (Iterator, KeysView, ValuesView)) and not hasattr(values, "read"):
        values = list(values)
    if isinstance(values, list) and values and all(isinstance(row, Mapping) for row in values):
        names = dict.fromkeys(name for row in values for name in row)
        return {name: [row.get(name) for row in values] for name in names}
    if isinstance(values, list) and values and all(_is_single(value) for value in values):
        return np.asarray(values).reshape(-1)
    shape = getattr(values, "shape", ())
    if hasattr(values, "__array__") and not is_frame(values) and [*shape[1:]] == [1]:
        return np.asarray(values)[:, 0]
    return values


def _is_single(value: Any) -> bool:
    """Whether a value is an array of one number, or a list of one value."""
    if isinstance(value, (list, tuple)):
        return len(value) == 1
    return isinstance(value, np.ndarray) and value.size == 1


def dimensions(values: Any) -> int:
    """Number of dimensions of an array or of nested lists."""
    if isinstance(values, (list, tuple)):
        nested = bool(values) and not isinstance(values[0], str) and hasattr(values[0], "__len__")
        return 2 if nested else 1
    return len(getattr(values, "shape", (0,)))


def is_table(value: Any) -> bool:
    """Whether a value is a table by itself: predictions, a data frame or the name of a file."""
    return is_in_memory(value) or is_file_name(value)


def is_in_memory(value: Any) -> bool:
    """Whether a value is a prediction table or a data frame."""
    return isinstance(value, Predictions) or is_frame(value)


def is_frame(value: Any) -> bool:
    """Whether a value is a data frame of any library."""
    if isinstance(value, (Mapping, Predictions, str, np.ndarray, list, tuple, type)):
        return False
    return any(hasattr(value, name) for name in ("columns", "column_names", "__dataframe__"))


def is_file_name(value: Any) -> bool:
    """Whether a value names a file that can be read: a path, a folder, a pattern or a database."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str) or "\n" in value:
        return False
    suffixes = {suffix.lower() for suffix in Path(value.partition("::")[0]).suffixes}
    known = not ENDINGS.isdisjoint(suffixes) or "::" in value
    return known or (len(value) < 4096 and Path(value).is_dir()) or _is_pattern(value)


def _is_pattern(value: str) -> bool:
    return has_magic(value) and "/" in value


def is_column(value: Any) -> bool:
    """Whether a value holds one entry (or several) per row."""
    if isinstance(value, (str, bytes, Mapping, Predictions, type)) or is_frame(value):
        return False
    arrays = ("__array__", "__arrow_c_array__", "__arrow_c_stream__")
    is_array = any(hasattr(value, name) for name in arrays) and getattr(value, "shape", (0,)) != ()
    return isinstance(value, Sequence) or is_array


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _description(value: Any) -> str:
    """What was given instead of predictions, and for models and data what to call."""
    if hasattr(value, "predict"):
        name = type(value).__name__
        return f"a model ({name}): give y_test and model.predict(X_test), or hl.run(model, X, y)"
    if hasattr(value, "target") and hasattr(value, "inputs"):
        return "data to fit models on: say hl.run(models, data) first"
    if value is None or isinstance(value, (str, int, float)):
        return f"{value!r:.60}"
    return type(value).__name__
