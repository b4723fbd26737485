# Used by scan alone, until scan finds columns as `columns` does.
"""Which column of a file is what: recognised by name, named by an option, or refused."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from shlex import quote
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError, NotPredictions
from heliast._core.labels import Label
from heliast._core.places import ROWS, Places
from heliast.predictions._vocabulary import (
    COUNT_LIKE,
    DIALECTS,
    GRADED,
    GRADES,
    IDLE,
    LABEL_LIKE,
    MODEL_LIKE,
    NAMED_AFTER,
    OF_INSPECT,
    PART_LIKE,
    RECOGNISED,
    RIGHT,
    ROW_LIKE,
    SAID,
    SCORE_NAMES,
    SCORE_PATTERNS,
    SCORE_PREFIXES,
    TAKEN,
    WEAK,
    WIDE,
)
from heliast.predictions.columns import PREFIX
from heliast.predictions.records import Options, ScoreKind
from heliast.tables.about import HUMAN, TARGET_NAMES
from heliast.tables.dates import time_column
from heliast.tables.table import as_names

ROLES = (*RECOGNISED, "time", "grade", "attempt")
"""What a column can be; that rows are in order of time is never guessed."""
_MUST_BE_ONE = ("y_true", "y_pred")
_AMBIGUOUS = "label"
_MAYBE = {
    "row": ROW_LIKE, "part": PART_LIKE, "model": MODEL_LIKE, "weight": COUNT_LIKE,
}  # fmt: skip
REPEATS = "repeats"
"""Says that each further answer to an item is another attempt at it."""
ScoreOption = str | Mapping[Label, str] | Sequence[str]


@dataclass(frozen=True)
class Asked:
    """What the caller says: the column of each role, those of the scores, and the options."""

    roles: Mapping[str, Any] = field(default_factory=dict)
    score: ScoreOption | None = None
    options: Options = field(default_factory=Options)
    keep: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """The columns of a wide file, one for each model, of which this one is read."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Asked":
        """From the keywords of `Predictions.read`."""
        named = (*ROLES, "y_score", "keep")
        rest = {name: value for name, value in given.items() if name not in named}
        roles = {role: given.get(role) for role in ROLES}
        keep = as_names(given.get("keep"), "keep")
        return cls(roles, given.get("y_score"), Options.of(**rest), keep)

    def __bool__(self) -> bool:
        """Whether anything is said of what columns are; those to keep are kept as they are."""
        named = any(name is not None for name in (*self.roles.values(), self.score))
        return named or self.options != Options()


@dataclass
class Found:
    """The column of each role, how the scores are stored, and what to tell the user."""

    columns: dict[str, str] = field(default_factory=dict)
    maybe: dict[str, list[str]] = field(default_factory=dict)
    """Columns that have a role, such as `row` or `part`, if their values allow it."""
    guessed: bool = False
    """Whether the score column was found by its name."""
    declared: bool = False
    """Whether the classes are told."""
    score: dict[Label, str] | list[str] | str | None = None
    score_kind: ScoreKind | None = None
    score_prefix: str | None = None
    vector: str | None = None
    """The column whose vectors the score columns are taken from: `<column>[<place or class>]`."""
    model_name: str | None = None
    repeats: bool = False
    """Whether each further answer to an item is said to be another attempt at it."""
    notes: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    taken: dict[str, str] = field(default_factory=dict)
    """Columns of a graded table that are kept unasked, by the name that they get."""

    def read(self, values: object, name: str) -> Column:
        """Values of a frame or an Arrow file as a column; only times may be dates."""
        return (time_column if name == self.columns.get("time") else column)(values, name)

    def used(self) -> list[str]:
        """The names of all columns that are read, each once."""
        maybe = [name for names in self.maybe.values() for name in names]
        named = [*self.columns.values(), *self.score_columns(), *maybe]
        named += [*self.kept, *self.taken.values()]
        return list(dict.fromkeys(named))

    def score_columns(self) -> list[str]:
        if isinstance(self.score, str):
            return [self.score]
        return list(self.score.values() if isinstance(self.score, dict) else self.score or ())


@dataclass
class Source:
    """Named columns: `fetch` reads those that are wanted, given the role of each."""

    title: str
    stem: str
    names: list[str]
    fetch: Callable[[Found], Mapping[str, Column]]
    places: Places = ROWS
    notes: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    """What records inside of columns hold, which is read where it is named: `metrics.f1`."""
    listed: str = ""
    """A list of records inside of a column, which may be the rows."""


def find_columns(names: Sequence[str], asked: Asked, source: str) -> Found:
    """Give every role its column: what the caller names first, then what names are recognised.

    >>> find_columns(["y_true", "y_pred"], Asked(), "a.csv").columns
    {'y_true': 'y_true', 'y_pred': 'y_pred'}
    """
    _refuse_twins(names, source)
    found = Found(declared=asked.options.classes is not None)
    for role, option in asked.roles.items():
        if option is not None and not isinstance(option, str):
            raise InputError(
                f"{source}: {role}={list(option)}: several columns are several models, which are "
                "read into memory (command line: --no-scan)"
            )
        if option is not None:
            _take_option(found, role, option, names, source)
    _recognise_inspect(found, names)
    if _is_graded(found, asked, names, source):
        found = _find_graded(found, names, source)
        found.kept = _kept(asked, names, source)
        return found
    if asked.score is not None:
        found.score = _score_option(asked.score, names, source)
    free = [name for name in names if name not in found.used()]
    _recognise_tool(found, free, names)
    _recognise(found, free, source)
    if "split" not in found.columns and "repeat" in found.columns:
        found.columns["split"] = found.columns.pop("repeat")
    found.kept = _kept(asked, names, source)
    if found.score is None:
        _recognise_scores(found, [name for name in names if name not in found.used()], source)
        found.guessed = found.score is not None
    _find_maybe(found, names)
    if "y_true" not in found.columns:
        _find_truth(found, names, source)
    elif asked.roles.get("y_true") is None and asked.score is None:
        _refuse_doubtful(found, names, source)
    if found.guessed and "y_pred" not in found.columns:
        free = [name for name in names if name not in found.used() and names.count(name) == 1]
        found.maybe["y_pred"] = [name for name in free if LABEL_LIKE.fullmatch(name.strip())]
    return found


def _find_maybe(found: Found, names: Sequence[str]) -> None:
    """Columns whose values decide whether they name rows, models, training rows and the like."""
    free = [name for name in names if name not in found.used() and names.count(name) == 1]
    for role, pattern in _MAYBE.items():
        those = [name for name in free if pattern.fullmatch(name.strip())]
        told = role == "model" and found.model_name is not None
        if those and role not in found.columns and not told:
            found.maybe[role] = those


def _kept(asked: Asked, names: Sequence[str], source: str) -> list[str]:
    """The columns to keep: they may have a role as well, such as that of the group."""
    inside = [PREFIX + name if PREFIX + name in names else name for name in asked.keep]
    if HUMAN in inside and named(HUMAN, names) is None:
        raise InputError(
            f"{source}: there is no column {HUMAN!r}, with what people say of some rows and "
            f"nothing elsewhere, as corrected(...) needs it; the columns are {_listed(names)}"
        )
    return list(dict.fromkeys(_must_have(name, "keep", names, source) for name in inside))


# --- graded answers ------------------------------------------------------------------------------


def _recognise_inspect(found: Found, names: Sequence[str]) -> None:
    """Take the columns of a data frame of Inspect's samples: each sample has a name of its own."""
    scorers = [name for name in names if _plain(name).startswith("score_")]
    if not scorers or not OF_INSPECT.issubset(map(_plain, names)):
        return
    if "y_true" in found.columns or "y_pred" in found.columns:
        return
    free = [name for name in names if name not in found.used()]
    for role, known in (("grade", scorers[0]), ("row", "id"), ("attempt", "epoch")):
        name = named(known, free)
        if role not in found.columns and name is not None:
            _take(found, role, name, free, ", as Inspect writes it")
    if len(scorers) > 1 and found.columns["grade"] == scorers[0]:
        found.notes.append(f"other grades are read with grade= (--grade): {_listed(scorers[1:])}")


def _is_graded(found: Found, asked: Asked, names: Sequence[str], source: str) -> bool:
    """Whether rows hold grades: as told, or as names say that nothing else has."""
    if "grade" in found.columns or asked.options.task == "graded":
        return True
    attempts = found.repeats or "attempt" in found.columns
    if attempts or asked.options.bounds is not None:
        if _grade_among(names) is None:
            what = "attempt=" if attempts else "bounds="
            raise InputError(
                f"{source}: {what} is for a table of grades, but no column is recognised as grade: "
                f"name it with grade= (--grade COLUMN). The columns are {_listed(names)}"
            )
        return True
    plain = {_plain(name) for name in names}
    if found.columns.keys() & {"y_true", "y_pred"} or asked.score is not None:
        return False
    truth, label = plain & {*RECOGNISED["y_true"]} - {"true"}, plain & {*RECOGNISED["y_pred"]}
    items = [one for one in GRADED["row"] if one in plain]
    evaluated = any(one not in RECOGNISED["row"] for one in items)
    models = bool(plain & {*GRADED["model"]})
    if truth or label:  # evaluations write what was asked for, or what was answered, as well
        decided = label or plain & {*SCORE_NAMES}
        right, worth = plain & {*RIGHT}, plain & {*GRADES} - {"score"}
        if (truth and decided) or not (right or (worth and models)):
            return False
        if right and truth and items and models and not evaluated:
            _refuse_either(_called(right, names), _called(truth, names), names, source)
        return evaluated
    if plain & {*RIGHT}:
        return bool(items) or models
    if not plain & {*GRADES} or not (items or "row" in found.columns) or not models:
        return False
    if evaluated or plain & {*GRADES} - {"score"} or plain & {*GRADED["attempt"]}:
        return True
    raise InputError(
        f"{source}: the column 'score' may hold grades or scores of a class, and no column is "
        "recognised as y_true. If these are grades: --grade score (in Python: grade='score'); if "
        f"they are predictions: --y-score score --y-true <column>. The columns are {_listed(names)}"
    )


def _called(known: set[str], names: Sequence[str]) -> str:
    """The first column that has one of these names."""
    return next(name for name in names if _plain(name) in known)


def _refuse_either(grade: str, truth: str, names: Sequence[str], source: str) -> None:
    """Refuse to choose between answers that were graded, predictions and data."""
    said, asked = quote(grade), quote(truth)
    raise InputError(
        f"{source}: {grade!r} may tell which answers were right, and {truth!r} what is to be "
        f"predicted. If these are grades: --grade {said} (in Python: grade={grade!r}); if they "
        f"are predictions: --y-true {asked} --y-pred <column>; if they are data to fit models on: "
        f"--target {asked}. The columns are {_listed(names)}"
    )


def _grade_among(names: Sequence[str]) -> str | None:
    """The column of grades: whether an answer was right, before what may be something else."""
    known = {_plain(name): name for name in reversed(names)}
    return next((known[one] for one in (*RIGHT, *GRADES) if one in known), None)


def _find_graded(found: Found, names: Sequence[str], source: str) -> Found:
    """Give every role of a graded table its column."""
    strange = next((role for role in found.columns if role not in (*GRADED, "grade")), None)
    if strange is not None:
        raise InputError(
            f"{source}: {strange}= is for predictions, but these are grades: leave it out, or name "
            "the columns of predictions with y_true= and y_pred= (command line: --y-true, --y-pred)"
        )
    free = [name for name in names if name not in found.used()]
    if "grade" not in found.columns:
        grade = _grade_among(free)
        if grade is None:
            raise InputError(
                f"{source}: no column is recognised as grade; name it with grade= (command line: "
                f"--grade COLUMN). The columns are {_listed(names)}"
            )
        _take(found, "grade", grade, free)
        found.notes.append("answers that were graded: no truth is needed")
    for role, known in GRADED.items():
        told = role == "model" and found.model_name is not None
        if role == "attempt":  # such names number attempts beside items only
            told = found.repeats or "row" not in found.columns
        if role in found.columns or told:
            continue
        hits = [name for name in free if _plain(name) in known]
        if not hits and role == "row":  # where nothing else names items, they are tasks
            known = TAKEN["task"]
            hits = [name for name in free if _plain(name) in known]
        if hits:
            by_name = {_plain(name): name for name in reversed(hits)}
            best = next(by_name[name] for name in known if name in by_name)
            _take(found, role, best, free, " (the item)" if role == "row" else "")
    for role, known in TAKEN.items():
        of_task = [found.columns.get("group", "")] * (role == "task")  # items are told apart by it
        name = next((one for one in (*free, *of_task) if _plain(one) in known), None)
        if name is not None:
            found.taken[role] = name
            free = [one for one in free if one != name]
            if name != role:
                found.notes.append(f"column {name!r} kept as {role}")
    return found


def _refuse_twins(names: Sequence[str], source: str) -> None:
    twins = sorted({name for name in names if name and names.count(name) > 1})
    if twins:
        raise InputError(
            f"{source}: the column name {twins[0]!r} occurs {names.count(twins[0])} times in the "
            "header; columns are chosen by name, so rename one (or, if the first line is data, "
            "add a header line)"
        )


def named(name: str, names: Sequence[str]) -> str | None:
    """The column an option means: exactly, or but for upper and lower case."""
    if name in names:
        return name
    close = [one for one in names if one.lower() == str(name).lower()]
    return close[0] if len(close) == 1 else None


def _must_have(name: str, role: str, names: Sequence[str], source: str) -> str:
    column = named(name, names)
    if column is None:
        close = get_close_matches(str(name), names, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        said = f"{role}={name!r} is no column of it"
        if role == "keep":  # by= asks to keep as well
            said = f"there is no column {name!r}, to keep or to slice by"
        raise InputError(f"{source}: {said}{hint}; the columns are {_listed(names)}")
    return column


def _take_option(found: Found, role: str, option: str, names: Sequence[str], source: str) -> None:
    if role == "attempt" and option == REPEATS and named(option, names) is None:
        found.repeats = True
        return
    if role == "model" and named(option, names) is None:
        model = next((name for name in names if name.lower() in RECOGNISED["model"]), None)
        if model is not None and get_close_matches(option, names, n=1):
            _must_have(option, role, names, source)
        if model is not None:
            raise InputError(
                f"{source}: model={option!r} (--model): models are named by the column {model!r}, "
                "and all of them are read; one of them alone is table.only(model=...) in Python, a "
                f"file of its rows, or {option}: before a requirement of gate. The columns are "
                f"{_listed(names)}"
            )
        found.model_name = option
        return
    found.columns[role] = _must_have(option, role, names, source)


def _score_option(
    score: ScoreOption, names: Sequence[str], source: str
) -> dict[Label, str] | list[str] | str:
    if isinstance(score, str):
        return _must_have(score, "y_score", names, source)
    if isinstance(score, Mapping):
        return {label: _must_have(name, "y_score", names, source) for label, name in score.items()}
    columns = [_must_have(name, "y_score", names, source) for name in score]
    return columns[0] if len(columns) == 1 else columns


def _recognise_tool(found: Found, free: list[str], names: Sequence[str]) -> None:
    """Take the columns whose names mean something in the tables of one tool only."""
    there = {_plain(name) for name in names}
    tool = next((one for one in DIALECTS if one.marks <= there), None)
    roles = {} if tool is None else dict(tool.roles)
    for name in names:
        match = NAMED_AFTER.fullmatch(name.strip())
        about = next((one for one in match.groups() if one), "") if match else ""
        told = match is not None and (match[1] or not _is_truth(there))
        if told and named(about, free) is not None:
            roles |= {"y_true": _plain(about), "y_pred": _plain(name)}
    for role, known in roles.items():
        column = next((name for name in free if _plain(name) == known), None)
        if role not in found.columns and column is not None:
            _take(found, role, column, free, f" as {tool.tool} writes it" if tool else "")


def _is_truth(names: set[str]) -> bool:
    """Whether a column has a name of the truth that a target of data has not."""
    return not names.isdisjoint({*RECOGNISED["y_true"]} - {*TARGET_NAMES})


def _plain(name: str) -> str:
    """A name as it is looked up: `True Label` and `true-label` are `true_label`."""
    return re.sub("[ -]+", "_", name.strip().lower())


def _take(found: Found, role: str, name: str, free: list[str], why: str = "") -> None:
    found.columns[role] = name
    free.remove(name)
    if name != role:
        found.notes.append(f"column {name!r} read as {role}{why}")


def _recognise(found: Found, free: list[str], source: str) -> None:
    for role, known in RECOGNISED.items():
        if role in found.columns or (role == "model" and found.model_name):
            continue
        hits = [name for name in free if _plain(name) in known]
        if role == "y_pred" and "y_true" not in found.columns and len(hits) == 2:
            hits = _label_as_truth(found, hits)
        if len(hits) > 1 and role in _MUST_BE_ONE:
            raise InputError(
                f"{source}: {' and '.join(map(repr, hits))} both look like {role}: "
                f"say which with {role}= (command line: --{role.replace('_', '-')} {hits[0]})"
            )
        if not hits:
            continue
        _take(found, role, min(hits, key=lambda name: known.index(_plain(name))), free)


def _label_as_truth(found: Found, hits: list[str]) -> list[str]:
    """`label` beside `prediction` and kin can only be the truth."""
    plain = [name for name in hits if _plain(name) == _AMBIGUOUS]
    if len(plain) != 1:
        return hits
    found.columns["y_true"] = plain[0]
    other = next(name for name in hits if name != plain[0])
    found.notes.append(
        f"column {plain[0]!r} read as y_true, since {other!r} holds what was decided"
    )
    return [other]


def _recognise_scores(found: Found, free: list[str], source: str) -> None:
    single = [name for name in free if _plain(name) in SCORE_NAMES]
    if len(single) > 1:  # Spark writes what its probabilities are made from as well
        single = [name for name in single if _plain(name) != "rawprediction"]
    families = _families(found, [name for name in free if name not in single])
    if families.get("p") and (single or len(families) > 1 or len(families["p"]) == 1):
        families.pop("p")  # p_value and the like stand beside real scores
    groups = [[name] for name in single] + [list(family.values()) for family in families.values()]
    if single and families and any(len(family) == 1 for family in families.values()):
        groups = [[name] for name in single]  # score_time and the like stand beside a real score
        families = {}
    if len(groups) > 1:
        shown = " and ".join(repr(group[0]) for group in groups[:3])
        raise InputError(
            f"{source}: {shown} all look like scores: say which with y_score= "
            f"(command line: --y-score {groups[0][0]})"
        )
    if single:
        found.score, found.score_kind = single[0], SCORE_NAMES[_plain(single[0])]
        if single[0] != "score":
            kind = f", a {found.score_kind} score" if found.score_kind else ""
            found.notes.append(f"column {single[0]!r} read as y_score{kind}")
    elif families:
        prefix, found.score = next(iter(families.items()))
        found.score_kind, found.score_prefix = SCORE_PREFIXES[prefix], prefix
        if not prefix.startswith(("score", "p")):
            listed = _listed(list(found.score.values()), 4)
            found.notes.append(f"columns {listed} read as scores of the classes that they name")


def _families(found: Found, free: Sequence[str]) -> dict[str, dict[Label, str]]:
    """The columns that name a class each, by what stands before it."""
    families: dict[str, dict[Label, str]] = {}
    for name in free:
        matches = (pattern.fullmatch(name.strip()) for pattern in SCORE_PATTERNS)
        match = next((match for match in matches if match), None)
        if match and _plain(name) not in RECOGNISED["y_pred"]:
            families.setdefault(match[1].lower(), {})[match[2]] = name
    if _plain(found.columns.get("y_pred", "")) == ".pred":
        families.pop(".pred", None)  # the limits of a predicted number
    return families


# --- what was not said ---------------------------------------------------------------------------


def _find_truth(found: Found, names: Sequence[str], source: str) -> None:
    """The one column that is left beside predictions is the truth; in doubt nothing is guessed."""
    left = [name for name in names if name not in found.used() and _plain(name) not in IDLE]
    telling = _telling(found)
    called = [name for name in left if _plain(name) in TARGET_NAMES]
    if telling.startswith(".pred") and len(called) == 1:  # no name of data to fit models on
        _take(found, "y_true", called[0], left, ", by its name")
    elif telling and len(left) == 1 and _plain(found.columns.get("y_pred", "")) != _AMBIGUOUS:
        _take(found, "y_true", left[0], left, f", the only column beside {telling!r}")
    else:
        _refuse_truthless(found, telling, called or left, names, source)


def _refuse_doubtful(found: Found, names: Sequence[str], source: str) -> None:
    """Refuse names that data have as well: a `score` and a `target` beside other columns."""
    truth = found.columns["y_true"]
    left = [name for name in names if name not in found.used() and _plain(name) not in IDLE]
    weak = _plain(truth) in TARGET_NAMES and "y_pred" not in found.columns and not _telling(found)
    if weak and found.score is not None and left:
        guess = found.score_columns()[0]
        raise InputError(
            f"{source}: {truth!r}, {guess!r} and {_listed(left, 3)} may be predictions or data to "
            f"fit models on. If {guess!r} is what a model said: --y-true {quote(truth)} --y-score "
            f"{quote(guess)} (in Python: y_true=, y_score=). If these are data: --target "
            f"{quote(truth)} (in Python: heliast.read with target=)"
            f"{_or_graded(names)}"
        )


def telling_of(names: Sequence[str]) -> str:
    """A column that only predictions have, by its name.

    Parameters
    ----------
    names : sequence of str
        The names of all columns.

    Returns
    -------
    str
        The name of one; nothing if each may be an input of data to fit models on.

    Examples
    --------
    >>> telling_of(["age", ".pred_class", "class"]), telling_of(["score", "age", "class"])
    ('.pred_class', '')
    """
    found = Found()
    free = list(names)
    try:
        _recognise_tool(found, free, names)
        _recognise(found, free, "")
        _recognise_scores(found, [name for name in names if name not in found.used()], "")
    except InputError:  # several look like what a model said
        pass
    said = (name for name in names if SAID.fullmatch(name.strip()))
    return _telling(found) or next(said, "")


def _telling(found: Found) -> str:
    """A column that only predictions have, by its name; nothing if each may be an input."""
    label = found.columns.get("y_pred", "")
    if label and _plain(label) != _AMBIGUOUS:
        return label
    columns = found.score_columns()
    weak = WEAK if found.score_prefix is None else (*WEAK, *(() if len(columns) > 1 else columns))
    first = found.score_prefix or (_plain(columns[0]) if columns else "")
    return columns[0] if first and first not in weak else ""


def _refuse_truthless(
    found: Found, telling: str, left: Sequence[str], names: Sequence[str], source: str
) -> None:
    label = found.columns.get("y_pred", "")
    if _plain(label) == _AMBIGUOUS:
        raise InputError(
            f"{source}: the column {label!r} may be the truth or what was decided, and no "
            f"other column is recognised as y_true. If it is the truth: --y-true {label} "
            f"--y-pred <column> (or --y-score <column>); if it is what was decided: --y-pred "
            f"{label} --y-true <column>. The columns are {_listed(names)}"
        )
    if telling:
        guess = left[-1] if left else "<column>"
        raise InputError(
            f"{source}: {telling!r} looks like what a model said, but which column is the truth is "
            f"not clear. If these are predictions, name it: --y-true {quote(guess)} (in Python: "
            f"y_true={guess!r}). If they are data to fit models on: --target {quote(guess)} (in "
            f"Python: heliast.read with target=). The columns are {_listed(names)}"
        )
    raise NotPredictions(
        f"{source}: no column is recognised as y_true; name it with y_true= (command line: "
        "--y-true <column>). If these are data to fit models on, the command line needs "
        f"--target <column>{_or_graded(names)}. The columns are {_listed(names)}"
        + (" (one: part columns by commas or tabs)" if [" " in one for one in names] == [1] else "")
    )


def _or_graded(names: Sequence[str]) -> str:
    """What to say if a column may hold grades."""
    grade = _grade_among(names)
    if grade is None:
        return ". If answers were graded already: --grade <column> (several: a model each)"
    return f". If {grade!r} tells how good answers are: --grade {quote(grade)}"


def named_as_classes(
    found: Found, names: Sequence[str], classes: Sequence[Label]
) -> dict[Label, str]:
    """The column of each class, where every class has one of its name: nothing if one has none.

    >>> found = Found({"y_true": "obs", "y_pred": "pred"})
    >>> named_as_classes(found, ["obs", "pred", "no", "yes", "rowIndex"], ["no", "yes"])
    {'no': 'no', 'yes': 'yes'}
    """
    free = [name for name in names if name not in found.used()]
    columns = {label: column_of(label, free) for label in classes}
    there = {label: column for label, column in columns.items() if column is not None}
    return there if len(there) == len(columns) > 1 else {}


def column_of(label: Label, names: Sequence[str]) -> str | None:
    """The column that has the name of a class: `1` for 1 and for 1.0, `TRUE` for True."""
    whole = isinstance(label, float) and label.is_integer()
    return named(str(int(label) if whole else label), names)


def take_named_as_classes(found: Found, by_class: dict[Label, str]) -> None:
    """Read these columns as the scores of the classes that they are named after."""
    found.score = by_class
    found.notes.append(
        f"columns {_listed(list(by_class.values()))} read as scores of these classes"
    )


def take_labels(found: Found, truth: Column, score: Column) -> None:
    """Read a column that is called a score as the labels, if its values are true classes.

    Probabilities that are all 0 or 1 give the same labels: only a decision is cut at another place.
    """
    if not may_be_labels(found) or len(classes := truth.distinct()) < 2:
        return
    few = score.at(slice(1000)).distinct() <= classes  # most scores show at once that they are some
    if not few or not score.distinct() <= classes:
        return
    found.columns["y_pred"] = score.name
    found.score = found.score_kind = None
    found.notes.append(f"column {score.name!r} read as y_pred: each value is a true class")


def may_be_labels(found: Found) -> bool:
    """Whether the values of a column that is called a score decide if it holds labels."""
    told = not found.guessed or "y_pred" in found.columns or not isinstance(found.score, str)
    return not told and found.score_kind == "decision"


def refuse_other_labels(truth: Column, one: Column) -> None:
    """Refuse to decide anew beside a column of true classes that is called a decision."""
    classes = truth.distinct()
    if len(classes) > 1 and one.distinct() == classes:
        raise InputError(
            f"column {one.name!r} holds the classes of {truth.name!r}, beside scores: if it is "
            f"what was decided, say --y-pred {quote(one.name)} (in Python: y_pred={one.name!r}); "
            f"if not, {_or_keep(one.name)}: labels are then decided by the scores"
        )


def refuse_models(name: str, why: str) -> None:
    """Refuse a column that may name models whose rows do not belong together."""
    raise InputError(
        f"column {name!r} may name models, but {why}: if it does, say --model {quote(name)} (in "
        f"Python: model={name!r}); if not, {_or_keep(name)}"
    )


def refuse_counts(name: str) -> None:
    """Refuse whole numbers that may be counts of rows, or anything else."""
    raise InputError(
        f"column {name!r} may tell how many rows each row stands for: if it does, say --weight "
        f"{quote(name)} (in Python: weight={name!r}); if not, {_or_keep(name)}"
    )


def _or_keep(name: str) -> str:
    """What to say of a column that has no role."""
    return f"--keep {quote(name)} (keep={name!r}; of a table that is scanned with --no-scan)"


def take_vector(found: Found, places: Sequence[str]) -> dict[Label, str]:
    """Read the column of vectors as one score column for each place; how they are called."""
    vector = found.score_columns()[0]
    columns: dict[Label, str] = {place: f"{vector}[{place}]" for place in places}
    found.vector, found.score, found.score_prefix = vector, dict(columns), vector
    found.notes.append(f"column {vector!r} holds vectors: {len(columns)} scores a row")
    return columns


def refuse_header(found: Found, pair: Mapping[str, Column]) -> None:
    """Refuse a table whose header stands among its rows, as files that were joined have it."""
    there = [one.kind == "text" and found.columns[role] in one.texts for role, one in pair.items()]
    if len(there) == 2 and all(there):
        listed = " and ".join(repr(found.columns[role]) for role in pair)
        raise InputError(
            f"the header stands among the rows too: {listed} occur as values of their own columns; "
            "take these lines away (files were joined with their headers)"
        )


def refuse_undecided(
    found: Found, names: Sequence[str], source: str, classes: Sequence[Label] = ()
) -> None:
    """Refuse a table without anything decided: neither labels nor scores."""
    if "y_pred" not in found.columns and found.score is None:
        wide = [name for name in names if name not in found.used() and WIDE.fullmatch(name.strip())]
        if len(wide) > 1:
            each = " ".join(f"--y-pred {quote(name)}" for name in wide)
            about = [next(part for part in _wide(name) if part).lower() for name in wide]
            by_class = {one: wide[about.index(str(one).lower())] for one in classes
                        if str(one).lower() in about}  # fmt: skip
            if len(by_class) == len(classes) > 1:
                each = " ".join(f"--y-score {quote(f'{a}={b}')}" for a, b in by_class.items())
                raise InputError(
                    f"{_listed(wide, 4)} are named after the classes. If each holds the scores of "
                    f"its class: {each} (in Python: y_score={by_class})"
                )
            raise InputError(
                f"{_listed(wide, 4)} look like what several models said. If each column "
                f"is a model: {each} (in Python: y_pred={wide})"
            )
        raise NotPredictions(
            f"{source}: no column is recognised as y_pred or y_score; name one with y_pred= or "
            f"y_score= (command line: --y-pred <column>, --y-score <column>). The columns are "
            f"{_listed(names)}"
        )


def _wide(name: str) -> tuple[str, ...]:
    """What a column that holds what was said is named after."""
    match = WIDE.fullmatch(name.strip())
    return () if match is None else match.groups()


def unused_note(found: Found, names: Sequence[str], models: Sequence[str] = ()) -> list[str]:
    """What was not read, so that a misspelt column does not go unnoticed."""
    used = {*found.used(), found.vector, *(named(one, names) for one in models)}
    used |= {str(one).partition(".")[0] for one in used if one not in names}  # nested in columns
    rest = [name or "(unnamed)" for name in names if name not in used]
    if not rest:
        return []
    return [f"{'column' if len(rest) == 1 else 'columns'} not used: {_listed(rest)}"]


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(repr(name) for name in names[:most]) + (", ..." if len(names) > most else "")
