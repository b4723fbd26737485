"""Files and data frames to prediction tables."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError, NotPredictions, ScoresAsLabels
from heliast._core.labels import Label, classes_of
from heliast._core.syntax import option
from heliast.predictions.aliases import ENDINGS
from heliast.predictions.beside import coded_models, is_unique, names_parts, training_rows
from heliast.predictions.columns import (
    PREFIX,
    REPEATS,
    Layout,
    Request,
    column_of_class,
    find_columns,
    recognition,
    refuse_undecided,
)
from heliast.predictions.evaluations import evaluation_table, evaluations
from heliast.predictions.graded import build_graded
from heliast.predictions.join import name_models
from heliast.predictions.of import build
from heliast.predictions.records import Options, Splits
from heliast.predictions.stored import read_stored, split_of, stored_metadata
from heliast.tables.files import read_table
from heliast.tables.table import Table, as_names, frame_table, numbers

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions

BOOLEANS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


def read(cls: "type[Predictions]", source: Any, request: Request, **reading: Any) -> "Predictions":
    """Read a table; `reading` are options of `read_table`."""
    for role in ("y_pred", "grade"):
        columns = request.roles.get(role)
        if columns is not None and not isinstance(columns, str):
            return _side_by_side(cls, source, request, role, as_names(columns, role))
    if not isinstance(source, (str, os.PathLike)):
        table = frame_table(_with_index(source), "the data frame", "model")
        if table is None:
            raise InputError(
                "expected a path or a data frame (pandas, polars, pyarrow), got "
                f"{type(source).__name__}"
            )
        return from_table(cls, table, request)
    logs = evaluations(Path(source).expanduser())
    if logs:
        return from_table(cls, *evaluation_table(logs, request))
    paths = data_files(source)
    if len(paths) > 1:
        return _read_files(cls, source, paths, request, reading)
    table = read_table(paths[0], **reading)
    stored = stored_metadata(table)
    if stored is not None:
        return read_stored(cls, table, stored, request)
    return from_table(cls, table, request)


def data_files(source: "str | os.PathLike[str]") -> list[Any]:
    """The files of a folder or of a pattern, else the path itself."""
    path = Path(source).expanduser()
    if path.is_dir():
        paths = [file for file in sorted(path.iterdir()) if _is_data(file)]
        if not paths:
            raise InputError(f"{path}: no CSV, Parquet, JSON or Arrow file in this folder")
        return paths
    if has_magic(str(source)) and not path.exists():
        paths = [Path(name) for name in sorted(glob(str(path), recursive=True))]
        if not paths:
            raise InputError(f"{source}: no file has a name like this; check the pattern")
        return paths
    return [source]


def _is_data(path: Path) -> bool:
    suffixes = {suffix.lower() for suffix in path.suffixes}
    return path.is_file() and path.name[0] not in "._" and not ENDINGS.isdisjoint(suffixes)


def _read_files(
    cls: "type[Predictions]",
    source: Any,
    paths: Sequence[Path],
    request: Request,
    reading: Mapping[str, Any],
) -> "Predictions":
    """One model per file; files whose model columns name the same models are parts of one table."""
    tables = [read(cls, path, request, **reading) for path in paths]
    named = name_models(paths, tables)
    models = [model for table in named for model in table.models]
    if len({*models}) < len(models):
        return from_table(cls, read_table(source, **reading), request)
    return named[0].join(*named[1:])


def _side_by_side(
    cls: "type[Predictions]", source: object, request: Request, role: str, columns: Sequence[str]
) -> "Predictions":
    """One model for each column of labels, grades or scores."""
    tables, request = [], replace(request, other_models=tuple(columns))
    for name in columns:
        roles = {**request.roles, role: name}
        try:
            table = read(cls, source, replace(request, roles=roles))
        except ScoresAsLabels:
            roles.pop(role)
            table = read(cls, source, replace(request, roles=roles, score=name))
        if len(table.models) > 1:
            raise InputError(
                f"{option(role, *columns)}: several columns are several models, but a column names "
                "models as well; name one column"
            )
        tables.append(table.renamed(name))
    shown = ", ".join(map(repr, columns))
    return tables[0].join(*tables[1:]).noted(f"several columns, each read as a model: {shown}")


def _with_index(frame: Any) -> Any:
    """A pandas frame with the index that has a name as a column: it may name rows or items."""
    names = list(getattr(getattr(frame, "index", None), "names", None) or ())
    if not any(names) or not hasattr(frame, "reset_index") or frame.ndim != 2:
        return frame
    known = frame.columns
    return frame if known.nlevels > 1 or {*names} & {*known} else frame.reset_index()


# --- one table -----------------------------------------------------------------------------------


def from_table(cls: "type[Predictions]", table: Table, request: Request) -> "Predictions":
    """Find the columns, read them, and build a checked table; errors name the source."""
    layout = _layout(table, request)
    try:
        table.prepare(layout.used())
        if "grade" in layout.columns:
            return _graded(cls, table, layout, request)
        return _predictions(cls, table, layout, request)
    except NotPredictions:
        raise
    except ScoresAsLabels as error:
        raise ScoresAsLabels(f"{table.title}: {error.what}", error.otherwise) from None
    except InputError as error:
        raise InputError(f"{table.title}: {error}") from None


def _layout(table: Table, request: Request) -> Layout:
    """The column of each role, also inside of nested columns where that is named."""
    wanted = [*request.roles.values(), *request.keep, *request.model_columns]
    nested = [name for name in table.nested if name in wanted]
    opened = {name.partition(".")[0] for name in nested}
    names = [*(name for name in table.names if name not in opened), *nested]
    try:
        return find_columns(names, request, table.title)
    except InputError as error:
        if not table.nested:
            raise
        shown = ", ".join(table.nested[:8]) + (", ..." if len(table.nested) > 8 else "")
        example = option("y_true", table.nested[-1])
        raise type(error)(
            f"{error}. Nested in columns are {shown}: name one, as in {example}"
        ) from None


def _predictions(
    cls: "type[Predictions]", table: Table, layout: Layout, request: Request
) -> "Predictions":
    columns, options, notes = read_roles(table, layout, request)
    predictions = build(cls, columns, options, table.places, notes)
    return _with_splits(predictions, table, layout)


def read_roles(
    table: Table, layout: Layout, request: Request
) -> tuple[dict[str, Any], Options, list[str]]:
    """The columns by role, as `build` takes them, the options, and the notes."""
    columns: dict[str, Any] = {
        role: _titled(table.fetch(name), role) for role, name in layout.columns.items()
    }
    columns |= _same_type(columns)
    _refuse_decimal_commas(columns["y_true"], table)
    if layout.part is not None:
        _use_part(layout, columns, table.fetch(layout.part))
    columns["model"] = _model(table, layout) if "model" not in columns else columns["model"]
    if layout.row_number is not None:
        _use_row_number(layout, columns, table.fetch(layout.row_number))
    if "weight" in columns:
        weight = numbers(table.fetch(layout.columns["weight"]), table.places)
        columns["weight"] = _titled(weight, "weight")
    pair = [columns[role] for role in ("y_true", "y_pred") if role in columns]
    options = label_options(request.options, pair[0])
    if options.classes is None:
        _refuse_header(layout, pair)
    if layout.score is None:
        _find_class_columns(layout, table, pair, options)
    columns["y_score"] = _scores(layout, table, pair, options)
    if columns["y_score"] is None and "y_pred" not in columns:
        refuse_undecided(layout, table.names, table.title)
    if columns["y_score"] is not None:
        options = replace(options, scores=options.scores or layout.score_kind)
    columns["columns"] = {name.removeprefix(PREFIX): table.fetch(name) for name in layout.kept}
    notes = [*table.notes, *layout.notes, *recognition(layout, table.names, request.other_models)]
    return columns, options, notes


def _graded(
    cls: "type[Predictions]", table: Table, layout: Layout, request: Request
) -> "Predictions":
    columns: dict[str, Any] = {
        role: _titled(table.fetch(name), role) for role, name in layout.columns.items()
    }
    columns.setdefault("model", _model(table, layout))
    if layout.repeats:
        columns["attempt"] = REPEATS
    kept = {name.removeprefix(PREFIX): table.fetch(name) for name in layout.kept}
    kept_as = {name: table.fetch(column) for name, column in layout.kept_as.items()}
    columns["columns"] = {**kept_as, **kept}
    notes = [*table.notes, *layout.notes, *recognition(layout, table.names, request.other_models)]
    return build_graded(cls, columns, request.options, table.places, notes)


def _titled(part: Column, role: str) -> Column:
    name = role if part.name == role else f"{role} (column {part.name!r})"
    return replace(part, name=name)


def _same_type(columns: Mapping[str, Column]) -> dict[str, Column]:
    """y_true and y_pred as text, if either is."""
    pair = {role: columns[role] for role in ("y_true", "y_pred") if role in columns}
    if {part.kind == "text" for part in pair.values()} != {True, False}:
        return {}
    if any(part.kind == "number" and not _whole(part) for part in pair.values()):
        return {}  # fractions beside text are scores, which the check of labels says
    texts = [text for part in pair.values() for text in part.texts]
    return {role: _as_text(part, texts) for role, part in pair.items() if part.kind != "text"}


def _whole(part: Column) -> bool:
    values = np.delete(part.values, part.missing)
    return bool(np.all(values == np.floor(values)))


def _as_text(part: Column, known: Sequence[str]) -> Column:
    """Whole numbers and booleans as text, booleans as the other column writes them."""
    values, codes = replace(part, values=np.nan_to_num(part.values)).coded()
    spelling = {text.lower(): text for text in known}
    words = [str(value).lower() if part.kind == "bool" else str(int(value)) for value in values]
    codes = codes.astype(np.int32)
    codes[part.missing] = -1
    texts = tuple(spelling.get(word, word) for word in words)
    return Column(part.name, codes, "text", part.missing, texts)


def _refuse_decimal_commas(true: Column, table: Table) -> None:
    """Refuse numbers with decimal commas as classes."""
    commas = [text for text in true.texts if re.fullmatch(r"-?\d*,\d+", text)]
    if commas and len(commas) == sum(not text.isdigit() for text in true.texts):
        raise InputError(
            f"{true.name}: numbers with decimal commas, such as {commas[0]!r}: say "
            f"{option('decimal_separator', ',')}"
        )


def _model(table: Table, layout: Layout) -> Any:
    """The name of the model, or one made of several columns for each row."""
    if not layout.model_columns:
        return layout.model_name or table.stem
    parts = [table.fetch(name).plain() for name in layout.model_columns]
    return [" / ".join(map(str, names)) for names in zip(*parts, strict=True)]


def _use_part(layout: Layout, columns: dict[str, Any], part: Column) -> None:
    """Training rows as a column of words or marks tells them."""
    trained = training_rows(part.name, part)
    if trained is None:
        layout.part = None
    elif names_parts(part) and "split" not in columns:
        columns["split"] = _titled(part, "split")
        layout.recognised[part.name] = "split"
    elif "in_train" not in columns:
        columns["in_train"] = Column("in_train", trained.astype(np.int64), "whole", part.missing)
        layout.recognised[part.name] = "in_train"


def _use_row_number(layout: Layout, columns: dict[str, Any], row: Column) -> None:
    """Row names that a program wrote unasked, where each row of a model has its own."""
    model = columns["model"]
    models, code = coded_models(model) if isinstance(model, (Column, str)) else ((), None)
    codes = [(code, len(models))]
    for role in ("split", "repeat"):
        if role in columns:
            names, place = columns[role].coded()
            codes.append((place, len(names)))
    if not row.missing.size and is_unique(row, codes):
        columns["row"] = _titled(row, "row")
        layout.recognised[row.name or "(unnamed)"] = "row"
    else:
        layout.row_number = None


def _refuse_header(layout: Layout, pair: Sequence[Column]) -> None:
    """Refuse a table whose header stands among its rows, as joined files have it."""
    names = [layout.columns[role] for role in ("y_true", "y_pred") if role in layout.columns]
    if len(pair) == 2 and all(
        part.kind == "text" and name in part.texts for part, name in zip(pair, names, strict=True)
    ):
        raise InputError(
            f"the header stands among the rows too: {names[0]!r} and {names[1]!r} occur as values "
            "of their own columns; take these lines away"
        )


def _with_splits(predictions: "Predictions", table: Table, layout: Layout) -> "Predictions":
    """The splits as our CSV files describe them, in columns `split_<field>`."""
    if not layout.split_fields or "split" not in layout.columns:
        return predictions
    names, codes = table.fetch(layout.columns["split"]).coded()
    first = np.unique(codes, return_index=True)[1]
    described: dict[Any, dict[str, Any]] = {name: {} for name in names}
    for field, column in layout.split_fields.items():
        values = table.fetch(column)
        missing = {*values.missing.tolist()}
        for name, at in zip(names, first.tolist(), strict=True):
            if at not in missing:
                described[name][field] = values.plain()[at]
    splits = (split_of(split.split, described[split.split]) for split in predictions.splits)
    return replace(predictions, splits=Splits(tuple(splits)))


# --- classes and scores --------------------------------------------------------------------------


def label_options(options: Options, like: Column) -> Options:
    """The options with classes and positive class in the type of the labels."""
    classes, positive = options.classes, options.positive
    if isinstance(classes, Sequence) and not isinstance(classes, str):
        classes = [as_label(label, like) for label in classes]
    positive = None if positive is None else as_label(positive, like)
    return replace(options, classes=classes, positive=positive)


def as_label(value: Label, like: Column) -> Label:
    """A class named in text (a header, the command line) in the type of the labels.

    >>> from heliast._core.columns import column
    >>> as_label("1.0", column([0, 1], "y_true")), as_label("1", column(["0", "1"], "y_true"))
    (1, '1')
    """
    if like.kind == "text":
        return value if isinstance(value, str) else f"{value:g}"
    if not isinstance(value, str):
        return value
    if like.kind == "bool":
        return BOOLEANS.get(value.strip().lower(), value)
    try:
        return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number


def _find_class_columns(
    layout: Layout, table: Table, pair: Sequence[Column], options: Options
) -> None:
    """Find scores in columns that are named as the classes, if every class has one."""
    names = [name for name in table.names if name not in layout.used()]
    if options.task == "regression" or column_of_class(pair[0].first(), names) is None:
        return
    classes = classes_of(pair) if options.classes is None else list(options.classes)
    by_class = {label: column_of_class(label, names) for label in classes}
    if len(by_class) > 1 and None not in by_class.values():
        layout.score = {label: name for label, name in by_class.items() if name is not None}
        layout.recognised |= {name: f"y_score of {label!r}" for label, name in layout.score.items()}
        table.prepare(layout.used())


def _scores(layout: Layout, table: Table, pair: Sequence[Column], options: Options) -> Any:
    """The scores as `build` takes them: one column, or one per class by name."""
    if layout.score is None:
        return None
    if isinstance(layout.score, str):
        vector = table.vector(layout.score)
        if vector is None:
            return _titled(numbers(table.fetch(layout.score), table.places), "y_score")
        return scores_by_class(layout, vector, pair, options.classes)
    read = {name: numbers(table.fetch(name), table.places) for name in layout.score_columns()}
    return scores_by_class(layout, read, pair, options.classes)


def scores_by_class(
    layout: Layout,
    read: Mapping[str, Column],
    pair: Sequence[Column],
    classes: Sequence[Label] | None,
) -> dict[Label, Column] | None:
    """The columns of scores by class; of a vector, `read` has its places or its fields."""
    known = tuple(classes) if classes is not None else classes_of(pair)
    if isinstance(layout.score, str):
        places = {as_label(place, pair[0]): part for place, part in read.items()}
        if {*known} <= {*places} or not all(str(place).isdigit() for place in read):
            return places
        layout.notes.append(
            f"scores in the order of the classes: {', '.join(map(repr, known[:8]))}"
        )
    elif isinstance(layout.score, dict):
        return _by_named_class(layout, layout.score, read, pair, known)
    if len(known) != len(read):
        raise InputError(
            f"y_score: {len(read)} columns but there are {len(known)} classes "
            f"({', '.join(map(repr, known[:8]))}): name one per class, in this order, or declare "
            f"all classes with {option('classes')}"
        )
    return dict(zip(known, read.values(), strict=True))


def _by_named_class(
    layout: Layout,
    names: Mapping[Label, str],
    read: Mapping[str, Column],
    pair: Sequence[Column],
    known: Sequence[Label],
) -> dict[Label, Column] | None:
    columns = {as_label(label, pair[0]): read[name] for label, name in names.items()}
    if len(columns) < len(names):
        raise InputError(f"the score columns {', '.join(names.values())} name one class twice")
    if layout.prefix is None:
        return columns
    lower = {str(label).lower(): label for label in known}
    if len(lower) == len(known):  # prob_yes of 'Yes'
        columns = {
            label if label in known else lower.get(str(label).lower(), label): part
            for label, part in columns.items()
        }
    shown = ", ".join(map(repr, known[:8])) + (", ..." if len(known) > 8 else "")
    if not any(label in columns for label in known):
        # p_value, score_time and the like stand beside predicted labels.
        if layout.prefix == "p" or (len(columns) == 1 and "y_pred" in layout.columns):
            layout.score = layout.score_kind = None
            return None
        raise InputError(
            f"the score columns {', '.join(map(repr, names.values()))} name none of the classes "
            f"({shown}): say which class each is for with {option('y_score', {'CLASS': 'COLUMN'})}"
            f"; if each holds a model's predictions: {option('y_pred', *names.values())}"
        )
    lacking = [label for label in known if label not in columns]
    if lacking and not (len(columns) == 1 and len(known) == 2):
        raise InputError(
            f"the score columns {', '.join(map(repr, names.values()))} lack class {lacking[0]!r}; "
            f"the classes are {shown}: give one column per class"
        )
    return columns
