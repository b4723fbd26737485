"""Which column of a table has which role: named by an option, or recognised by its name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from heliast._core.errors import InputError, NotPredictions
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast._core.syntax import option
from heliast.predictions.aliases import (
    ALIASES,
    CORRECT,
    COUNTS,
    GRADED,
    GRADED_ONLY,
    GRADES,
    IDLE,
    INSPECT_FRAME,
    KEPT_OF_GRADED,
    NAMED_AFTER,
    OUT_OF_TRAIN,
    PARTS,
    PREDICTED,
    RESERVED,
    ROW_NUMBERS,
    SCORE_PATTERNS,
    SCORE_PREFIXES,
    SCORES,
    TOOLS,
    WEAK_SCORES,
    Tool,
    normalized,
)
from heliast.predictions.records import Options, ScoreKind, Split
from heliast.tables.table import as_names

ROLES = (*ALIASES, "time", "grade", "attempt")
SPLIT_FIELDS = tuple(field.name for field in fields(Split))[1:]
REPEATS = "repeats"  # says that each further response to an item is another attempt
PREFIX = "kept_"  # before the name of a kept column in a file where a role has that name
WARNING = "warning"  # key of notes about columns that look reserved and are not used
ScoreOption = str | Mapping[Label, str] | Sequence[str]


@dataclass(frozen=True)
class Request:
    """What the caller names and declares: the column of each role, scores, options."""

    roles: Mapping[str, Any] = field(default_factory=dict)
    score: ScoreOption | None = None
    options: Options = field(default_factory=Options)
    keep: tuple[str, ...] = ()
    model_columns: tuple[str, ...] = ()
    other_models: tuple[str, ...] = ()  # columns that are models of their own

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> "Request":
        """From the keywords of `Predictions.read`."""
        named = (*ROLES, "y_score", "keep", "model_column")
        options = {name: value for name, value in keywords.items() if name not in named}
        roles = {role: keywords[role] for role in ROLES if keywords.get(role) is not None}
        return cls(
            roles,
            keywords.get("y_score"),
            Options.of(**options),
            as_names(keywords.get("keep"), "keep"),
            as_names(keywords.get("model_column"), "model_column"),
        )

    def __bool__(self) -> bool:
        named = self.roles or self.model_columns or self.score is not None
        return bool(named) or self.options != Options()


@dataclass
class Layout:
    """The column of each role, how the scores are stored, and what was recognised."""

    columns: dict[str, str] = field(default_factory=dict)
    score: dict[Label, str] | list[str] | str | None = None
    score_kind: ScoreKind | None = None
    prefix: str | None = None
    model_name: str | None = None
    model_columns: tuple[str, ...] = ()
    repeats: bool = False
    part: str | None = None
    row_number: str | None = None
    recognised: dict[str, str] = field(default_factory=dict)
    split_fields: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    kept_as: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def score_columns(self) -> list[str]:
        """The names of the columns of scores."""
        if isinstance(self.score, str):
            return [self.score]
        return list(self.score.values() if isinstance(self.score, dict) else self.score or ())

    def used(self) -> list[str]:
        """The names of all columns that are read, each once."""
        single = [name for name in (self.part, self.row_number) if name is not None]
        names = [*self.columns.values(), *self.model_columns, *self.score_columns(), *single]
        names += [*self.kept, *self.kept_as.values(), *self.split_fields.values()]
        return list(dict.fromkeys(names))

    def take(self, role: str, name: str) -> None:
        """Give a role the column that its name tells."""
        self.columns[role] = name
        if name != role:
            self.recognised[name] = role


def find_columns(names: Sequence[str], request: Request, title: str) -> Layout:
    """Give every role its column: as the caller says, else as the names tell.

    >>> find_columns(["y_true", "predicted"], Request(), "a.csv").columns
    {'y_true': 'y_true', 'y_pred': 'predicted'}
    """
    _refuse_duplicates(names, title)
    layout = _named_by_options(names, request, title)
    if _is_graded(layout, request, names, title):
        _find_graded(layout, names, title)
    else:
        _find_roles(layout, request, names, title)
    for name in request.keep:
        name = PREFIX + name if PREFIX + name in names else name
        layout.kept.append(_existing(name, "keep", names, title))
    return layout


def _named_by_options(names: Sequence[str], request: Request, title: str) -> Layout:
    layout = Layout()
    for role, name in request.roles.items():
        if not isinstance(name, str):
            raise InputError(
                f"{title}: {option(role, *name)}: several columns are several models, which are "
                "read into memory (command line: --no-scan)"
            )
        if role == "attempt" and name == REPEATS and column_named(name, names) is None:
            layout.repeats = True
        elif role == "model" and column_named(name, names) is None:
            _refuse_other_model(name, names, title)
            layout.model_name = name
        else:
            layout.columns[role] = _existing(name, role, names, title)
    layout.model_columns = tuple(
        _existing(name, "model_column", names, title) for name in request.model_columns
    )
    if isinstance(request.score, str):
        layout.score = _existing(request.score, "y_score", names, title)
    elif isinstance(request.score, Mapping):
        pairs = request.score.items()
        layout.score = {label: _existing(name, "y_score", names, title) for label, name in pairs}
    elif request.score is not None:
        columns = [_existing(name, "y_score", names, title) for name in request.score]
        layout.score = columns[0] if len(columns) == 1 else columns
    return layout


def _refuse_other_model(name: str, names: Sequence[str], title: str) -> None:
    """Refuse the name of a model where a column names the models."""
    column = next((n for n in names if normalized(n) in ALIASES["model"][:2]), None)
    if column is not None:
        raise InputError(
            f"{title}: {option('model', name)}: the column {column!r} names the models, and all "
            "are read; table.only(model=...) is one of them"
        )


# --- predictions ---------------------------------------------------------------------------------


def _find_roles(layout: Layout, request: Request, names: Sequence[str], title: str) -> None:
    free = [name for name in names if name not in layout.used()]
    tool = _tool(names)
    roles = {} if tool is None else dict(tool.roles)
    roles = _named_after(free, names) | roles
    for role, known in roles.items():
        name = _first(free, [known])
        if role not in layout.columns and name is not None:
            layout.take(role, name)
            free.remove(name)
    for role, aliases in ALIASES.items():
        if role == "model" and (layout.model_name or layout.model_columns):
            continue
        if role not in layout.columns:
            _recognise(layout, role, aliases, free, title)
    if "split" not in layout.columns and "repeat" in layout.columns:
        layout.columns["split"] = layout.columns.pop("repeat")
    if layout.columns.get("split") == "split":
        fields = {name: f"split_{name}" for name in SPLIT_FIELDS}
        layout.split_fields = {name: column for name, column in fields.items() if column in free}
    layout.part = _first(free, (*PARTS, *OUT_OF_TRAIN))
    if "row" not in layout.columns:
        layout.row_number = next((n for n in free if ROW_NUMBERS.fullmatch(n.strip())), None)
    free = [name for name in names if name not in layout.used()]
    if layout.score is None:
        _recognise_scores(layout, free, title)
    free = [name for name in names if name not in layout.used()]
    if "y_true" not in layout.columns:
        _find_truth(layout, tool, free, names, title)
    elif layout.score_columns() and not request.roles and request.score is None:
        _refuse_doubt(layout, free, names, title)
    _refuse_counts(layout, [name for name in free if name not in request.keep], title)


def _tool(names: Sequence[str]) -> Tool | None:
    known = {normalized(name) for name in names} | {name.lower() for name in names}
    return next((tool for tool in TOOLS if tool.marks <= known), None)


def _named_after(free: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Truth and prediction where one is named after the other: `churn`, `predicted_churn`."""
    for name in names:
        match = NAMED_AFTER.fullmatch(name.strip())
        target = next((part for part in match.groups() if part), "") if match else ""
        if target and column_named(target, free) is not None:
            return {"y_true": normalized(target), "y_pred": normalized(name)}
    return {}


def _recognise(
    layout: Layout, role: str, aliases: Sequence[str], free: list[str], title: str
) -> None:
    matches = [name for name in free if normalized(name) in aliases]
    if role == "y_true" and not matches:
        matches = _label_as_truth(layout, free)
    if role == "y_pred" and len(matches) == 2 and "y_true" not in layout.columns:
        matches = [name for name in matches if normalized(name) != "label"]
    if len(matches) > 1 and role in ("y_true", "y_pred"):
        raise InputError(
            f"{title}: {' and '.join(map(repr, matches))} both look like {role}: say which with "
            f"{option(role, matches[0])}"
        )
    if matches:
        name = min(matches, key=lambda match: aliases.index(normalized(match)))
        layout.take(role, name)
        free.remove(name)


def _label_as_truth(layout: Layout, free: Sequence[str]) -> list[str]:
    """`label` beside another column of predictions is the truth."""
    others = [n for n in free if normalized(n) in ALIASES["y_pred"] and normalized(n) != "label"]
    if not others and "y_pred" not in layout.columns:
        return []
    label = _first(free, ["label"])
    if label is None:
        return []
    layout.take("y_true", label)
    free.remove(label)  # type: ignore[attr-defined]
    return []


def _recognise_scores(layout: Layout, free: Sequence[str], title: str) -> None:
    single = [name for name in free if normalized(name) in SCORES]
    families = _families(layout, [name for name in free if name not in single])
    if single or len(families) > 1:
        # p_value, score_time and the like stand beside real scores.
        families.pop("p", None)
        families = {prefix: by for prefix, by in families.items() if len(by) > 1}
    groups = [[name] for name in single] + [list(by.values()) for by in families.values()]
    if len(groups) > 1:
        shown = " and ".join(repr(group[0]) for group in groups[:3])
        raise InputError(
            f"{title}: {shown} all look like scores: say which with "
            f"{option('y_score', groups[0][0])}"
        )
    if single:
        layout.score, layout.score_kind = single[0], SCORES[normalized(single[0])]
        if normalized(single[0]) not in ("score", "y_score"):
            layout.recognised[single[0]] = "y_score"
    elif families:
        prefix, by_class = next(iter(families.items()))
        layout.score, layout.prefix = by_class, prefix
        layout.score_kind = SCORE_PREFIXES[prefix]
        if not prefix.startswith("score"):
            layout.recognised |= {name: f"y_score of {label!r}" for label, name in by_class.items()}


def _families(layout: Layout, free: Sequence[str]) -> dict[str, dict[Label, str]]:
    """Columns that name a class each, by what stands before the class."""
    families: dict[str, dict[Label, str]] = {}
    for name in free:
        matches = (pattern.fullmatch(name.strip()) for pattern in SCORE_PATTERNS)
        match = next((match for match in matches if match), None)
        if match and normalized(name) not in ALIASES["y_pred"]:
            families.setdefault(match[1].lower(), {})[match[2]] = name
    if layout.columns.get("y_pred", "").lower() == ".pred":
        families.pop(".pred", None)  # limits of a predicted number
    if len(families.get("p", ())) == 1:
        families.pop("p")
    return families


def telling_of(names: Sequence[str]) -> str:
    """Return the name of a column that only predictions have.

    Parameters
    ----------
    names : sequence of str
        The names of all columns.

    Returns
    -------
    str
        Empty if each column may be a feature.

    Examples
    --------
    >>> telling_of(["age", ".pred_class", "class"]), telling_of(["score", "age", "class"])
    ('.pred_class', '')
    """
    layout = Layout()
    free = list(names)
    try:
        _recognise(layout, "y_pred", ALIASES["y_pred"][:-1], free, "")
        _recognise_scores(layout, free, "")
    except InputError:
        return next(name for name in names if normalized(name) in (*ALIASES["y_pred"], *SCORES))
    predicted = (name for name in names if PREDICTED.fullmatch(name.strip()))
    return _telling(layout) or next(predicted, "")


def _telling(layout: Layout) -> str:
    label = layout.columns.get("y_pred", "")
    if label and normalized(label) != "label":
        return label
    columns = layout.score_columns()
    first = layout.prefix or (normalized(columns[0]) if columns else "")
    weak = first in WEAK_SCORES and not (layout.prefix and len(columns) > 1 and first != "p")
    return columns[0] if columns and not weak else ""


# --- what is not clear ---------------------------------------------------------------------------


def _find_truth(
    layout: Layout, tool: Tool | None, free: Sequence[str], names: Sequence[str], title: str
) -> None:
    """The one column left in a table of a tool that writes nothing else; or an error."""
    left = [name for name in free if normalized(name) not in IDLE]
    if tool is not None and tool.rest_is_truth and len(left) == 1:
        layout.take("y_true", left[0])
        return
    label = layout.columns.get("y_pred", "")
    if normalized(label) == "label":
        raise InputError(
            f"{title}: the column {label!r} may be y_true or y_pred. If it is the true label: "
            f"{option('y_true', label)} {option('y_pred', 'COLUMN')}; if it is the predicted "
            f"label: {option('y_pred', label)} {option('y_true', 'COLUMN')}. The columns are "
            f"{listed(names)}"
        )
    telling = _telling(layout)
    if telling:
        guess = left[-1] if left else "COLUMN"
        raise InputError(
            f"{title}: {telling!r} holds predictions, but no column is recognised as y_true. If "
            f"these are predictions: {option('y_true', guess)}; if they are data to fit models "
            f"on: {option('target', guess)}. The columns are {listed(names)}"
        )
    raise NotPredictions(
        f"{title}: no column is recognised as y_true; name it with {option('y_true', 'COLUMN')}. "
        f"If these are data to fit models on: {option('target', 'COLUMN')}{_or_graded(names)}. "
        f"The columns are {listed(names)}{_or_spaces(names)}"
    )


def _refuse_doubt(layout: Layout, free: Sequence[str], names: Sequence[str], title: str) -> None:
    """Refuse names that data have as well: a `score` and a `target` beside other columns."""
    truth, left = layout.columns["y_true"], [n for n in free if normalized(n) not in IDLE]
    weak_truth = normalized(truth) in ("target", "y", "label")
    if weak_truth and left and "y_pred" not in layout.columns and not _telling(layout):
        score = layout.score_columns()[0]
        raise InputError(
            f"{title}: {truth!r}, {score!r} and {listed(left, 3)} may be predictions or data to "
            f"fit models on. If {score!r} holds scores: {option('y_true', truth)} "
            f"{option('y_score', score)}; if these are data: {option('target', truth)}"
            f"{_or_graded(names)}"
        )


def _refuse_counts(layout: Layout, free: Sequence[str], title: str) -> None:
    """Refuse a column that may say how many rows each row stands for."""
    count = _first(free, COUNTS)
    if count is not None and not {"row", "weight"} & layout.columns.keys():
        raise InputError(
            f"{title}: {count!r} may say how many rows each row stands for: if it does, "
            f"{option('weight', count)}; if not, {option('keep', count)}"
        )


def refuse_undecided(layout: Layout, names: Sequence[str], title: str) -> None:
    """Refuse a table without predicted labels and without scores."""
    if "y_pred" in layout.columns or layout.score is not None:
        return
    free = [name for name in names if name not in layout.used()]
    several = [n for n in free if {*normalized(n).split("_")} & {"pred", "prediction", "prob"}]
    if len(several) > 1:
        by_class = {f"CLASS{at}": name for at, name in enumerate(several[:2], 1)}
        raise InputError(
            f"{listed(several, 4)} may be predictions of several models: "
            f"{option('y_pred', *several)}; or scores of the classes: "
            f"{option('y_score', by_class)}"
        )
    raise NotPredictions(
        f"{title}: no column is recognised as y_pred or y_score; name one with "
        f"{option('y_pred', 'COLUMN')} or {option('y_score', 'COLUMN')}. The columns are "
        f"{listed(names)}"
    )


def _or_spaces(names: Sequence[str]) -> str:
    alone = len(names) == 1 and " " in names[0]
    return f"; if spaces separate columns: {option('separator', ' ')}" if alone else ""


def _or_graded(names: Sequence[str]) -> str:
    grade = _first(names, (*CORRECT, *GRADES))
    if grade is None:
        return ""
    return f"; if {grade!r} holds grades of responses: {option('grade', grade)}"


# --- graded responses ----------------------------------------------------------------------------


def _is_graded(layout: Layout, request: Request, names: Sequence[str], title: str) -> bool:
    """Whether rows hold grades: as declared, or by names that nothing else has."""
    if "grade" in layout.columns or request.options.task == "graded":
        return True
    declared = layout.repeats or "attempt" in layout.columns or request.options.bounds is not None
    if declared:
        return True
    known = {normalized(name) for name in names}
    scorers = [name for name in known if name.startswith("score_")]
    if known >= INSPECT_FRAME and scorers:
        return True
    if layout.columns.keys() & {"y_true", "y_pred"} or request.score is not None:
        return False
    right, items = known & {*CORRECT}, known & {*GRADED["row"]}
    models, grades = known & {*GRADED["model"]}, known & {*GRADES}
    evaluated = bool(known & {*GRADED_ONLY})
    truth = known & {*ALIASES["y_true"]} - {"true"}
    decided = known & {*ALIASES["y_pred"]} or known & {*SCORES}
    if truth and known & {*ALIASES["y_pred"]}:
        return False
    if right and truth and items and not evaluated:
        grade, target = (_first(names, names_of) for names_of in (right, truth))
        raise InputError(
            f"{title}: if {grade!r} holds grades of responses: {option('grade', grade)}; if these "
            f"are predictions: {option('y_true', target)} {option('y_pred', 'COLUMN')}; if they "
            f"are data to fit models on: {option('target', target)}"
        )
    if right:
        return bool(items or models) and not (truth and decided)
    if grades == {"score"} and items and models and not truth and not evaluated:
        raise InputError(
            f"{title}: 'score' may hold grades of responses or scores of a class. If these are "
            f"grades: {option('grade', 'score')}; if they are predictions: "
            f"{option('y_score', 'score')} {option('y_true', 'COLUMN')}. The columns are "
            f"{listed(names)}"
        )
    return bool(grades and models and items) and (evaluated or grades != {"score"})


def _find_graded(layout: Layout, names: Sequence[str], title: str) -> None:
    """Give every role of a table of grades its column."""
    strange = next((role for role in layout.columns if role not in (*GRADED, "grade")), None)
    if strange is not None:
        raise InputError(
            f"{title}: {option(strange)} is for predictions, but these are grades: leave it out, "
            f"or name {option('y_true', 'COLUMN')} and {option('y_pred', 'COLUMN')}"
        )
    free = [name for name in names if name not in layout.used()]
    known = {normalized(name) for name in names}
    if known >= INSPECT_FRAME:
        scorers = [name for name in free if normalized(name).startswith("score_")]
        for role, name in (("grade", _item(scorers)), ("row", _first(free, ["id"])),
                           ("attempt", _first(free, ["epoch"]))):  # fmt: skip
            if role not in layout.columns and name is not None:
                layout.take(role, name)
                free.remove(name)
        others = [name for name in scorers if name in free]
        if others:
            layout.notes.append(f"other grades: {', '.join(option('grade', n) for n in others)}")
    if "grade" not in layout.columns:
        grade = _first(free, (*CORRECT, *GRADES))
        if grade is None:
            raise InputError(
                f"{title}: no column is recognised as grade; name it with "
                f"{option('grade', 'COLUMN')}. The columns are {listed(names)}"
            )
        layout.take("grade", grade)
        free.remove(grade)
    for role, aliases in GRADED.items():
        skip = role == "model" and bool(layout.model_name or layout.model_columns)
        if role == "attempt":  # such names number attempts beside items only
            skip = layout.repeats or "row" not in layout.columns
        if role == "row" and not any(normalized(name) in aliases for name in free):
            aliases = KEPT_OF_GRADED["task"]
        name = None if role in layout.columns or skip else _first(free, aliases)
        if name is not None:
            layout.take(role, name)
            free.remove(name)
    for kind, aliases in KEPT_OF_GRADED.items():
        candidates = [*free, *([layout.columns.get("group", "")] if kind == "task" else [])]
        name = _first(candidates, aliases)
        if name is not None:
            layout.kept_as[kind] = name


# --- names ---------------------------------------------------------------------------------------


def _first(names: Sequence[str], aliases: Iterable[str]) -> str | None:
    """The column with the first of these aliases."""
    by_alias = {normalized(name): name for name in reversed(names)}
    return next((by_alias[alias] for alias in aliases if alias in by_alias), None)


def _item(names: Sequence[str]) -> str | None:
    return names[0] if names else None


def column_named(name: str, names: Sequence[str]) -> str | None:
    """The column of this name: exactly, or but for upper and lower case."""
    if name in names:
        return name
    close = [known for known in names if known.lower() == str(name).lower()]
    return close[0] if len(close) == 1 else None


def column_of_class(label: Label, names: Sequence[str]) -> str | None:
    """The column that has the name of a class: `1` for 1 and 1.0, `TRUE` for True."""
    whole = isinstance(label, float) and label.is_integer()
    return column_named(str(int(label) if whole else label), names)


def _existing(name: str, role: str, names: Sequence[str], title: str) -> str:
    column = column_named(name, names)
    if column is None:
        close = get_close_matches(str(name), names, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise InputError(
            f"{title}: {option(role, name)}: there is no such column{hint}; the columns are "
            f"{listed(names)}"
        )
    return column


def _refuse_duplicates(names: Sequence[str], title: str) -> None:
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise InputError(
            f"{title}: the column name {twice[0]!r} occurs {names.count(twice[0])} times; columns "
            "are chosen by name, so rename one"
        )


def recognition(layout: Layout, names: Sequence[str], others: Sequence[str]) -> list[str]:
    """One line about what was recognised and not used, and a warning of reserved names."""
    used = {*layout.used(), *(column_named(name, names) for name in others)}
    used |= {str(name).partition(".")[0] for name in used if name not in names}
    unused = [name for name in names if name not in used]
    parts = [f"{name!r} as {role}" for name, role in layout.recognised.items()]
    line = f"columns read: {', '.join(parts)}" if parts else ""
    if unused:
        line += f"{'; ' if line else ''}not used: {listed([n or '(unnamed)' for n in unused])}"
    return [*([line] if line else []), *_warnings(layout, unused)]


def _warnings(layout: Layout, unused: Sequence[str]) -> list[str]:
    warnings: list[str] = []
    for name in unused:
        plain = normalized(name)
        roles = [role for role, reserved in RESERVED.items() if plain in reserved]
        roles += [role for role, aliases in ALIASES.items() if plain in aliases]
        if not roles and plain.endswith("_id"):
            roles = ["row", "group"]
        if roles and layout.columns.get("y_true") != name:
            options = " or ".join(option(role, name) for role in roles)
            warnings.append(
                Note(f"column {name!r} looks reserved and is not used: {options} uses it", WARNING)
            )
    return warnings


def listed(names: Sequence[str], most: int = 12) -> str:
    """The first names, quoted."""
    return ", ".join(repr(name) for name in names[:most]) + (", ..." if len(names) > most else "")
