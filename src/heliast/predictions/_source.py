"""A table of named columns, wherever it lies, to predictions: the common path of all readers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.labels import Label, classes_of
from heliast._core.places import ROWS, Places
from heliast.predictions._names import Found, ScoreOption, find_columns, unused_note
from heliast.predictions._of import build
from heliast.predictions._rows import ScoreKind
from heliast.predictions._table import Predictions

_WORDS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


@dataclass
class Source:
    """Named columns: `fetch` reads those that are wanted, given the role of each."""

    title: str
    stem: str
    names: list[str]
    fetch: Callable[[Found], Mapping[str, Column]]
    places: Places = ROWS
    notes: list[str] = field(default_factory=list)
    defaults: Mapping[str, Any] = field(default_factory=dict)


ROLES = ("model", "truth", "label", "split", "row", "seen", "weight", "group")


def predictions_from(
    cls: type[Predictions],
    source: Source,
    *,
    score: ScoreOption | None = None,
    classes: Sequence[Label] | None = None,
    positive: Label | None = None,
    scores: ScoreKind | None = None,
    **options: Any,
) -> Predictions:
    """Find the columns, read them, and build a checked table that names its source in messages."""
    roles = {role: options.pop(role, None) for role in ROLES}
    found = find_columns(source.names, roles, score, source.title)
    try:
        read = source.fetch(found)
        columns: dict[str, Any] = {
            role: _titled(read[name], role) for role, name in found.columns.items()
        }
        pair = [columns[role] for role in ("truth", "label") if role in columns]
        if isinstance(classes, Iterable) and not isinstance(classes, str):
            classes = [as_label(label, pair[0]) for label in classes]
        if positive is not None:
            positive = as_label(positive, pair[0])
        given = {name: read[name] for name in found.score_columns()}
        score_columns = scores_by_class(found, given, pair, classes)
        columns.setdefault("model", found.model_name or source.stem)
        return build(
            cls,
            score=score_columns,
            classes=classes,
            positive=positive,
            scores=scores or (found.score_kind if score_columns is not None else None),
            places=source.places,
            notes=[*source.notes, *found.notes, *unused_note(found, source.names)],
            **columns,
            **options,
        )
    except InputError as error:
        raise InputError(f"{source.title}: {error}") from None


def _titled(one: Column, role: str) -> Column:
    name = role if one.name == role else f"{role} (column {one.name!r})"
    return Column(name, one.values, one.kind, one.missing, one.texts)


def as_label(value: Label, like: Column) -> Label:
    """A class named in text (a header, the command line) in the type of the labels.

    >>> from heliast._core.columns import column
    >>> as_label("1.0", column([0, 1], "truth")), as_label("1", column(["0", "1"], "truth"))
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
        return _titled(read[score], "score")
    if isinstance(score, list):
        known = tuple(classes) if classes is not None else classes_of(pair)
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
        _match_classes(found, named, pair, classes)
    if found.score is None:
        return None
    try:
        ordered = sorted(named)
    except TypeError:
        ordered = list(named)
    return {label: read[named[label]] for label in ordered}


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
        raise InputError(
            f"the score columns {columns} name none of the classes ({shown}): rename them, or "
            "say which class each is for with score= (command line: --score CLASS=COLUMN for each)"
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
