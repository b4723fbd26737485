"""A file or a data frame to predictions: columns found by name, read, and built into a table."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.distinct import distinct
from heliast._core.errors import InputError, NotPredictions, ScoresAsLabels
from heliast._core.labels import Label, classes_of
from heliast._core.places import Places
from heliast.predictions._evaluations import evaluation_source, evaluations, is_evaluation
from heliast.predictions._graded import build_graded
from heliast.predictions._kept import PREFIX
from heliast.predictions._names import (
    REPEATS,
    Asked,
    Found,
    Source,
    column_of,
    find_columns,
    may_be_labels,
    named_as_classes,
    refuse_counts,
    refuse_header,
    refuse_models,
    refuse_other_labels,
    refuse_undecided,
    take_labels,
    take_named_as_classes,
    take_vector,
    unused_note,
)
from heliast.predictions._of import build, order_dropped
from heliast.predictions._records import Options
from heliast.predictions._scores import refuse_two_models
from heliast.predictions._sides import names_parts, training_rows
from heliast.predictions._table import Predictions
from heliast.predictions._vocabulary import RECOGNISED, RIGHT
from heliast.tables.about import TARGET_NAMES
from heliast.tables.opened import is_parquet, opened, refuse_others
from heliast.tables.readings import (
    Reading,
    is_number,
    reading_of,
    refuse_thousands,
    state,
    typed,
    written,
)
from heliast.tables.records import (
    alone,
    arrow_batches,
    arrow_table,
    inside,
    is_arrow,
    is_json,
    json_schema,
    json_table,
    listed,
    outermost,
    record_places,
    within,
)
from heliast.tables.room import room
from heliast.tables.table import as_names, frame_columns
from heliast.tables.texts import TextFile
from heliast.tables.vectors import spread

_WORDS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
_NUMERIC_ROLES = ("weight",)
FEWEST = 10
"""Rows from which on one that is of another kind than all others tells."""


def read(cls: type[Predictions], source: object, asked: Asked) -> Predictions:
    """See `Predictions.read`."""
    for role in ("y_pred", "grade"):
        given = asked.roles.get(role)
        if given is not None and not isinstance(given, str):
            return _side_by_side(cls, source, asked, role, as_names(given, role))
    if not isinstance(source, (str, os.PathLike)):
        return predictions_from(cls, _frame_source(source), asked)
    folder = Path(source).expanduser()
    files = evaluations(folder) if folder.is_dir() else []
    if files:
        return predictions_from(cls, *evaluation_source(files, asked))
    path, head = opened(source)
    if is_evaluation(path, head):
        return predictions_from(cls, *evaluation_source([path], asked))
    if is_parquet(path, head):
        from heliast.predictions._stored import filled, lasting, parquet_source, restore, stages_in

        found, stored = parquet_source(path)
        if stored is None:
            return predictions_from(cls, found, asked)
        if not asked:
            return _with_kept(restore(cls, found, stored), asked.keep, path.name)
        table = predictions_from(cls, found, filled(asked, stored)).noted(*lasting(stored))
        return replace(table, meta=replace(table.meta, stages=stages_in(stored)))
    if is_json(path, head):
        source = _typed_source(path, json_schema(path), json_table)
        return predictions_from(cls, replace(source, places=record_places(path)), asked)
    if is_arrow(path, head):
        schema = next(arrow_batches(path)).schema
        return predictions_from(cls, _typed_source(path, schema, arrow_table), asked)
    refuse_others(path, head)
    told = asked.roles.get("y_true") is not None
    return predictions_from(cls, _csv_source(path, told), asked)


def _side_by_side(
    cls: type[Predictions], source: object, asked: Asked, role: str, columns: Sequence[str]
) -> Predictions:
    """One model for each column of labels or grades, or of scores: fractions beside classes."""
    made, asked = [], replace(asked, models=tuple(columns))
    for name in columns:
        said = {**asked.roles, role: name}
        try:
            one = read(cls, source, replace(asked, roles=said))
        except ScoresAsLabels:
            one = read(cls, source, replace(asked, roles={**said, "y_pred": None}, score=name))
        if len(one.models) > 1:
            raise InputError(
                f"{role}={list(columns)}: several columns are several models, but the column "
                f"{asked.roles.get('model') or 'model'!r} names models as well; name one column"
            )
        made.append(one.renamed(name))
    shown = ", ".join(map(repr, columns))
    return made[0].join(*made[1:]).noted(f"several columns, each read as a model: {shown}")


def _with_kept(table: Predictions, keep: Sequence[str], title: str) -> Predictions:
    """The table that was written, if it has the columns to keep: it has all that were kept."""
    lacking = [name for name in keep if name not in table.columns]
    if lacking:
        raise InputError(
            f"{title}: keep={lacking[0]!r} is no column that was kept when it was written; it has "
            f"{', '.join(map(repr, table.columns)) or 'none'}"
        )
    return table


def predictions_from(cls: type[Predictions], source: Source, asked: Asked) -> Predictions:
    """Find the columns, read them, and build a checked table that names its source in messages."""
    found = _found(source, asked)
    try:
        read = dict(source.fetch(found))
        if "grade" in found.columns:
            return _grades_from(cls, source, found, read, asked)
        seen = settle(found, read)
        columns: dict[str, Any] = {
            role: _titled(read[name], role) for role, name in found.columns.items()
        }
        if seen is not None:
            columns["in_train"] = seen
        pair = [columns[role] for role in ("y_true", "y_pred") if role in columns]
        if asked.options.classes is None:
            refuse_header(found, {r: columns[r] for r in ("y_true", "y_pred") if r in columns})
        options = as_labels(asked.options, pair[0])
        if found.score is None:
            _find_class_columns(found, source, pair, options)
            read |= source.fetch(found) if found.score else {}
        given = {name: read[name] for name in found.score_columns()}
        columns["y_score"] = scores_by_class(found, given, pair, options.classes)
        columns["columns"] = {name.removeprefix(PREFIX): read[name] for name in found.kept}
        if columns["y_score"] is None and "y_pred" not in columns:
            few = classes_of(pair) if len(pair[0].distinct()) <= len(source.names) else ()
            refuse_undecided(found, source.names, source.title, few)
        if isinstance(asked.score, (list, tuple)) and options.scores is None:
            refuse_two_models(asked.score, [given[name].values for name in found.score_columns()])
        columns.setdefault("model", found.model_name or source.stem)
        if columns["y_score"] is not None:
            options = replace(options, scores=options.scores or found.score_kind)
        unused = unused_note(found, source.names, asked.models)
        notes = [*source.notes, *found.notes, *unused]
        return build(cls, columns, options, source.places, notes)
    except NotPredictions:
        raise
    except ScoresAsLabels as error:
        raise ScoresAsLabels(f"{source.title}: {error.what}", error.otherwise) from None
    except InputError as error:
        raise InputError(f"{source.title}: {error}") from None


def _found(source: Source, asked: Asked) -> Found:
    """The columns, also what is inside of some where that is asked for by name."""
    named = [one for one in source.inside if one in (*asked.roles.values(), *asked.keep)]
    opened = {one.partition(".")[0] for one in named}
    names = [*(one for one in source.names if one not in opened), *named]
    try:
        return find_columns(names, asked, source.title)
    except InputError as error:
        said = str(error)
        if source.inside:
            shown = ", ".join(source.inside[:8]) + (", ..." if len(source.inside) > 8 else "")
            last = source.inside[-1]
            said += f". Nested in columns are {shown}: name one so, as in --grade {last}"
        said += f". Or {alone(source.listed)}" * bool(source.listed)
        raise type(error)(said) from None


def settle(found: Found, read: Mapping[str, Column]) -> Column | None:
    """Give the columns that may have a role theirs, by their values; which rows were trained on.

    What that leaves without a role is not used.
    """
    maybe, seen = found.maybe, None
    found.maybe = {}
    _settle_labels(found, read, maybe.get("y_pred", ()))
    _settle_models(found, read, maybe.get("model", ()))
    for name in maybe.get("part", ()):
        trained = None if name not in read else training_rows(name, read[name])
        if trained is None:
            continue
        if names_parts(read[name]) and "split" not in found.columns:
            found.columns["split"] = name
            found.notes.append(f"column {name!r} read as split")
        elif "in_train" not in found.columns:
            seen = Column("in_train", trained.astype(np.int64), "whole", read[name].missing)
            found.notes.append(
                f"column {name!r} read as rows the model was trained on (in_train = 1)"
            )
        break
    keys = _keys(found, read)
    for name in maybe.get("row", ()):
        if name not in read or name in found.columns.values():
            continue
        if all_different([read[name], *keys]):
            found.columns["row"] = name
            found.notes.append(
                f"column {name or '(unnamed)'!r} read as row: it names each row once"
            )
            break
        if not read[name].missing.size:
            found.notes.append(
                f"column {name!r} names no single row: if rows of one {name!r} belong together, "
                f"say group={name!r} (command line: --group)"
            )
    _settle_counts(found, read, maybe.get("weight", ()))
    return seen


def _keys(found: Found, read: Mapping[str, Column]) -> list[Column]:
    """What tells the tables apart that one table holds."""
    return [
        read[found.columns[role]] for role in ("model", "split", "repeat") if role in found.columns
    ]


def _settle_labels(found: Found, read: Mapping[str, Column], names: Sequence[str]) -> None:
    """Labels that are called scores are labels; those that are called otherwise are asked for."""
    truth = read[found.columns["y_true"]]
    if isinstance(found.score, str) and found.score in read:
        take_labels(found, truth, read[found.score])
    for name in names:
        if name in read and found.score is not None:
            refuse_other_labels(truth, read[name])


def _settle_models(found: Found, read: Mapping[str, Column], names: Sequence[str]) -> None:
    """A column names models if its values have as many rows each, or pair by the name of rows."""
    for name in names:
        one = read.get(name)
        if one is None or one.kind != "text" or one.missing.size or "model" in found.columns:
            continue
        rows = np.unique(one.values, return_counts=True)[1]
        if "row" in found.columns:
            if not all_different([read[found.columns["row"]], one, *_keys(found, read)]):
                refuse_models(name, "its values and the names of rows do not tell rows apart")
        elif rows.min() != rows.max():
            refuse_models(name, f"its values have {rows.min():,} to {rows.max():,} rows")
        found.columns["model"] = name
        found.notes.append(f"column {name!r} read as model")


def _settle_counts(found: Found, read: Mapping[str, Column], names: Sequence[str]) -> None:
    """Whole numbers beside pairs of truth and label that occur once each are counts of rows."""
    if "row" in found.columns or "weight" in found.columns:
        return
    for name in names:
        one = read.get(name)
        if one is None or one.kind != "whole" or one.missing.size or (one.values < 0).any():
            continue
        pair = [read[found.columns[role]] for role in ("y_true", "y_pred") if role in found.columns]
        if len(pair) < 2 or found.score is not None:
            refuse_counts(name)
        if not all_different([*pair, *_keys(found, read)]):
            refuse_counts(name)
        found.columns["weight"] = name
        found.notes.append(f"column {name!r} read as weight: how many rows each row stands for")
        return


def all_different(columns: Sequence[Column]) -> bool:
    """Whether no two rows agree in all of these columns, and none lacks a value."""
    key = np.zeros(len(columns[0]), np.int64)
    for one in columns:
        if one.missing.size:
            return False
        names, codes = one.coded(ordered=False)
        key = key * len(names) + codes
    return distinct(key) == key.size


def _grades_from(
    cls: type[Predictions],
    source: Source,
    found: Found,
    read: Mapping[str, Column],
    asked: Asked,
) -> Predictions:
    """A table of answers that were graded."""
    columns: dict[str, Any] = {
        role: _titled(read[name], role) for role, name in found.columns.items()
    }
    columns.setdefault("model", found.model_name or source.stem)
    if found.repeats:
        columns["attempt"] = REPEATS
    kept = {name.removeprefix(PREFIX): read[name] for name in found.kept}
    columns["columns"] = {**{name: read[at] for name, at in found.taken.items()}, **kept}
    notes = [*source.notes, *found.notes, *unused_note(found, source.names, asked.models)]
    return build_graded(cls, columns, asked.options, source.places, notes)


def _find_class_columns(
    found: Found, source: Source, pair: Sequence[Column], options: Options
) -> None:
    """Find the scores in columns that are named as the classes are, if every class has one."""
    if options.task == "regression" or column_of(pair[0].first(), source.names) is None:
        return
    classes = classes_of(pair) if options.classes is None else list(options.classes)
    by_class = named_as_classes(found, source.names, classes)
    if by_class:
        take_named_as_classes(found, by_class)


def _with_index(frame: Any) -> Any:
    """A data frame of pandas with an index that has names as columns: it may name rows or items."""
    names = list(getattr(getattr(frame, "index", None), "names", None) or ())
    if not names or None in names or not hasattr(frame, "reset_index") or frame.ndim != 2:
        return frame
    known = frame.columns
    return frame if known.nlevels > 1 or {*names} & {*known} else frame.reset_index()


def _frame_source(frame: object) -> Source:
    columns, table = frame_columns(_with_index(frame))
    if columns is None:
        raise InputError(
            f"expected a path or a data frame (pandas, polars, pyarrow), got {type(frame).__name__}"
        )

    def fetch(found: Found) -> Mapping[str, Column]:
        chosen = {name: columns[name] for name in found.used()}
        natives = chosen if table is None else {n: one.to_native() for n, one in chosen.items()}
        if not found.declared and "y_true" in found.columns:
            found.notes += order_dropped(natives[found.columns["y_true"]])
        return read_columns(natives, found)

    return Source("the data frame", "model", list(columns), fetch)


def read_columns(
    raw: Mapping[str, Any], found: Found, make: Callable[[Any, str], Column] | None = None
) -> dict[str, Column]:
    """The columns that were read; one of vectors as one for each class, which `found` names."""
    make = make or found.read
    score = found.score if isinstance(found.score, str) else None
    parts = None if score is None else spread(raw[score], score)
    plain = {}
    for name, values in raw.items():
        if parts is not None and name == score:
            continue
        try:
            plain[name] = make(values, name)
        except InputError:
            if all(name not in names for names in found.maybe.values()):
                raise  # else dates, lists: they name no rows
    if parts is None:
        return plain
    names = take_vector(found, list(parts))
    return plain | {names[place]: one for place, one in parts.items()}


def _typed_source(path: Path, schema: Any, load: Callable[..., Any]) -> Source:
    """A file whose columns have types, read by `load` into Arrow."""

    def fetch(found: Found) -> Mapping[str, Column]:
        table = load(path, outermost(found.used(), schema.names))
        if not table.num_rows:
            raise InputError("the file has columns but no row; nothing to assess")
        return read_columns({name: within(table, name) for name in found.used()}, found)

    source = Source(path.name, TextFile(path).stem, list(schema.names), fetch)
    return replace(source, inside=inside(schema), listed=listed(schema))


def as_labels(options: Options, like: Column) -> Options:
    """The options with classes and positive class in the type of the labels."""
    classes, positive = options.classes, options.positive
    if isinstance(classes, Iterable) and not isinstance(classes, str):
        classes = [as_label(label, like) for label in classes]
    return replace(
        options,
        classes=classes,
        positive=None if positive is None else as_label(positive, like),
    )


def _titled(one: Column, role: str) -> Column:
    name = role if one.name == role else f"{role} (column {one.name!r})"
    return Column(name, one.values, one.kind, one.missing, one.texts)


def as_label(value: Label, like: Column) -> Label:
    """A class named in text (a header, the command line) in the type of the labels.

    >>> from heliast._core.columns import column
    >>> as_label("1.0", column([0, 1], "y_true")), as_label("1", column(["0", "1"], "y_true"))
    (1, '1')
    """
    if like.kind == "text" or not isinstance(value, str):
        return value
    if like.kind == "bool":
        return _WORDS.get(value.strip().lower(), value)
    try:
        return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number


def scores_by_class(
    found: Found,
    read: Mapping[str, Column],
    pair: Sequence[Column],
    classes: Sequence[Label] | None,
) -> object:
    """The score columns as `build` takes them: one column, or one for each class by name."""
    score = found.score
    if score is None:
        return None
    if isinstance(score, str):
        return _titled(read[score], "y_score")
    known = tuple(classes) if classes is not None else classes_of(pair)
    if found.vector is not None and isinstance(score, dict):
        places = {as_label(place, pair[0]) for place in score}
        if all(str(place).isdigit() for place in score) and not {*known} <= places:
            score, found.score_prefix = list(score.values()), None
            listed = ", ".join(map(repr, known[:8]))
            found.notes.append(f"scores in the order of the classes: {listed}")
    if isinstance(score, list):
        if len(known) != len(score):
            raise InputError(
                f"score names {len(score)} columns but there are {len(known)} classes "
                f"({', '.join(map(repr, known[:8]))}): name one a class, in this order, or "
                "declare all classes with classes="
            )
        return {label: read[name] for label, name in zip(known, score, strict=True)}
    named = {as_label(label, pair[0]): name for label, name in score.items()}
    if len(named) < len(score):
        raise InputError(f"the score columns {', '.join(score.values())} name one class twice")
    if found.score_prefix is not None:
        named = _but_for_case(found, named, known)
        _match_classes(found, named, pair, classes)
    if found.score is None:
        return None
    try:
        ordered = sorted(named)
    except TypeError:
        ordered = list(named)
    return {label: read[named[label]] for label in ordered}


def _but_for_case(
    found: Found, named: dict[Label, str], known: Sequence[Label]
) -> dict[Label, str]:
    """Score columns that name classes but for upper and lower case, by class; which is stated."""
    lower = {str(label).lower(): label for label in known}
    if len(lower) < len(known) or any(label in named for label in known):
        return named
    turned = {lower.get(str(label).lower(), label): name for label, name in named.items()}
    if len(turned) < len(named) or turned == named:
        return named
    pairs = ", ".join(f"{name!r} of {label!r}" for label, name in turned.items())
    found.notes.append(f"score columns name classes but for upper and lower case: {pairs}")
    return turned


def _match_classes(
    found: Found,
    named: Mapping[Label, str],
    pair: Sequence[Column],
    classes: Sequence[Label] | None,
) -> None:
    """Columns `score_<class>` must name the classes; what occurs only there is a class too."""
    known = tuple(classes) if classes is not None else classes_of(pair)
    shown = ", ".join(map(repr, known[:8])) + (", ..." if len(known) > 8 else "")
    columns = ", ".join(map(repr, list(named.values())[:8]))
    if not any(label in named for label in known):
        if len(named) == 1 or found.score_prefix == "p":
            found.score = found.score_kind = None
            return
        each = " ".join(f"--y-pred {one}" for one in named.values())
        raise InputError(
            f"the score columns {columns} name none of the classes ({shown}): rename them, or "
            "say which class each is for with y_score= (command line: --y-score CLASS=COLUMN for "
            f"each); if each is what a model said: {each}"
        )
    lacking = [label for label in known if label not in named]
    if lacking and not (len(named) == 1 and len(known) == 2):
        raise InputError(
            f"the score columns {columns} lack class {lacking[0]!r}; the classes are {shown}: "
            "give one column a class"
        )
    extra = [label for label in named if label not in known]
    if extra:
        found.notes.append(
            f"{'class' if len(extra) == 1 else 'classes'} {', '.join(map(repr, extra[:8]))} "
            "known from score columns only"
        )


# --- CSV ---------------------------------------------------------------------------------------


def _csv_source(path: Path, told: bool) -> Source:
    """Open a CSV file; `told` says that the caller names the columns, so any header will do."""
    text = TextFile(path, most=room())
    names = text.header()
    if not told:
        refuse_headless(text)
    notes = text.notes

    def fetch(found: Found) -> Mapping[str, Column]:
        return _fetch(text, found, notes)

    return Source(text.title, text.stem, names, fetch, Places("line", text.lines), notes)


def refuse_headless(text: TextFile) -> None:
    """Refuse a first line of numbers, or of values, unless it names some column that is known."""
    names = text.names
    known = {*TARGET_NAMES, *RIGHT, *(name for options in RECOGNISED.values() for name in options)}
    rows = [row for _, row in islice(text.rows(), 1, 50)]
    values = [{row[at].strip() for row in rows if at < len(row)} for at in range(len(names))]
    again = [name for name, those in zip(names, values, strict=True) if name and name in those]
    value = next((name for name in names if is_number(name)), None)
    value = again[0] if len(again) == len(names) > 1 else value
    if value is not None and not any(name.lower() in known for name in names):
        raise InputError(
            f"{text.title}: the first line looks like data, not like a header (it holds "
            f"{value!r}); add a first line that names the columns, such as y_true,y_pred"
        )


def _fetch(text: TextFile, found: Found, notes: list[str]) -> Mapping[str, Column]:
    import pyarrow as pa

    numeric = numeric_columns(found)
    try:
        try:
            table = _strings(text, found.used(), numeric)
        except pa.ArrowInvalid as error:
            if not numeric or "conversion error to double" not in str(error):
                raise
            table = _strings(text, found.used(), set())
    except pa.ArrowInvalid as error:
        raise text.misshapen(error) from None
    if not table:
        raise InputError("there is a header but no row of data; nothing to assess")

    def make(chunks: Any, name: str) -> Column:
        return column(chunks, name) if pa.types.is_floating(chunks.type) else written(chunks, name)

    columns = read_columns(table, found, make)
    for role in ("y_true", "y_pred"):
        if role in found.columns and not found.declared:
            _refuse_stray(columns[found.columns[role]], text)
    texts = {name: one for name, one in columns.items() if one.kind == "text"}
    judged = found.columns.get("y_true") or found.columns.get("grade")
    if text.delimiter == ";" and judged is not None:
        refuse_thousands(judged, pair_texts(texts, found))
    for name in numeric & set(texts):
        columns[name] = _must_be_numbers(texts.pop(name), text)
    return columns | typed_texts(texts, found, notes)


def _refuse_stray(one: Column, text: TextFile) -> None:
    """Refuse a first or last row that is of another kind than all others: units, or a sum."""
    if one.kind != "text" or len(one) < FEWEST:
        return
    kinds = np.array([_kind_of(word) for word in (*one.texts, "")])[one.values]
    for at in (0, len(one) - 1):
        others = np.delete(kinds, at)
        if kinds[at] not in others and len({*others.tolist()} - {""}) == 1:
            (line,) = text.lines([at])
            raise InputError(
                f"column {one.name!r}: {one.texts[one.values[at]]!r} in line {line} is of another "
                "kind than all other rows: take the line away if it is a second header or a sum, "
                "or declare all classes with classes= (command line: --classes)"
            )


def _kind_of(word: str) -> str:
    if is_number(word):
        return "number"
    return "bracketed" if word[:1] in "([" and word[-1:] in ")]" else "text" if word else ""


def numeric_columns(found: Found) -> set[str]:
    """The columns that must hold numbers: scores and weights, unless they are labels as well."""
    roles = found.columns.items()
    numeric = {*found.score_columns(), *(name for role, name in roles if role in _NUMERIC_ROLES)}
    if may_be_labels(found):
        numeric.clear()  # a decision may be a class
    return numeric - {name for role, name in roles if role not in _NUMERIC_ROLES}


def _strings(text: TextFile, wanted: Sequence[str], numeric: set[str]) -> dict[str, Any]:
    """The wanted columns as Arrow: numbers where asked for, else strings as they are written."""
    import pyarrow as pa

    place = {name: text.names.index(name) for name in wanted}
    kinds = {at: pa.float64() if name in numeric else pa.string() for name, at in place.items()}
    table = text.table(kinds)
    return {name: table[str(at)] for name, at in place.items()} if table.num_rows else {}


def _must_be_numbers(one: Column, text: TextFile) -> Column:
    """A column that must hold numbers, found not to be clean."""
    bad = [code for code, value in enumerate(one.texts) if not is_number(value)]
    rows = np.flatnonzero(np.isin(one.values, bad))
    if rows.size:
        value = one.texts[one.values[rows[0]]]
        hint = hint_for(value)
        where = Places("line", text.lines).some(rows)
        raise InputError(f"column {one.name!r}: {value[:60]!r} in {where} is not a number; {hint}")
    return typed(one, Reading("number"))


def pair_texts(texts: Mapping[str, Column], found: Found) -> list[str]:
    """All texts of truth and label, or of grades."""
    pair = [found.columns.get(role, "") for role in ("y_true", "y_pred", "grade")]
    return [text for name in pair if name in texts for text in texts[name].texts]


def hint_for(value: str) -> str:
    """What to do about a text that is no number."""
    if value.rstrip().endswith("%"):
        return "write per cent as a fraction: 0.45 for 45%"
    return "use a decimal point" if "," in value else "correct it or leave it empty"


def typed_texts(texts: Mapping[str, Column], found: Found, notes: list[str]) -> dict[str, Column]:
    """Columns of text as what they can be read as; labels of one table are of one type."""
    readings = {name: reading_of(one.texts) for name, one in texts.items()}
    pair = [found.columns[role] for role in ("y_true", "y_pred") if role in found.columns]
    pair = [name for name in pair if name in readings]
    together = [readings[name] for name in pair]
    if any(_binds(one, other) for one in together for other in together):
        # "1" beside "a", or "7" beside "007": the labels of both columns are text.
        readings |= dict.fromkeys(pair, next(one for one in together if one.reason or one.truths))
    if found.columns.get("model") in readings:
        readings[found.columns["model"]] = Reading("text")
    for name, reading in readings.items():
        state(name, reading, notes)
    return {name: typed(one, readings[name]) for name, one in texts.items()}


def _binds(text: Reading, other: Reading) -> bool:
    if text.kind != "text" or other.kind == "text":
        return False
    return text.truths if other.kind == "bool" else bool(text.reason)
