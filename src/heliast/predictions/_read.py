"""A file or a data frame to predictions: columns found by name, read, and built into a table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.labels import Label, classes_of
from heliast.predictions._names import (
    Found,
    may_be_labels,
    take_vector,
)
from heliast.predictions._vocabulary import RECOGNISED, RIGHT
from heliast.predictions.records import Options
from heliast.tables.about import TARGET_NAMES
from heliast.tables.readings import (
    Reading,
    is_number,
    reading_of,
    state,
    typed,
)
from heliast.tables.texts import TextFile
from heliast.tables.vectors import spread

_WORDS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
_NUMERIC_ROLES = ("weight",)
FEWEST = 10
"""Rows from which on one that is of another kind than all others tells."""


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


def numeric_columns(found: Found) -> set[str]:
    """The columns that must hold numbers: scores and weights, unless they are labels as well."""
    roles = found.columns.items()
    numeric = {*found.score_columns(), *(name for role, name in roles if role in _NUMERIC_ROLES)}
    if may_be_labels(found):
        numeric.clear()  # a decision may be a class
    return numeric - {name for role, name in roles if role not in _NUMERIC_ROLES}


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
