"""What a table is about: its target, the task, the classes, and which class is positive.

Each of these is decided here and nowhere else, for data, for predictions and for scanned tables.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from heliast._core.columns import Column
from heliast._core.distinct import distinct
from heliast._core.errors import InputError, ScoresAsLabels
from heliast._core.kinds import Array
from heliast._core.labels import Label, classes_of
from heliast._core.notes import Note
from heliast.tables.table import Table, known

Task = Literal["classification", "regression", "graded"]
"""What is predicted; `graded` tables hold scores of responses instead."""
TargetBy = Literal["told", "name", "nominal", "last"]

MOST_CLASSES = 10_000
"""More different labels than this are names or sentences, not classes: k x k counts must fit."""
FEW_CLASSES = 20
"""Up to so many different whole numbers are classes, unless the task is declared."""
TARGET_NAMES = ("class", "target", "y", "label", "outcome")
"""What a target is called, the likeliest first."""
SPENT = ("cost", "tokens", "seconds")
"""Kept columns that belong to the prediction, not to its row: models differ in them."""
HUMAN = "human"
"""The kept column of human ratings, missing where nobody was asked."""
OF_ANSWERS = (*SPENT, HUMAN)
"""Kept columns of a graded table that belong to each answer: attempts at an item are averaged."""


# --- the target --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """The target column and how it was found: `told`, by its `name`, as the last column declared
    `nominal` (of an ARFF file), or as the `last` column. `rivals` may be the target as well.
    """

    name: str
    by: TargetBy = "told"
    rivals: tuple[str, ...] = ()


_WHY = {"name": "by its name", "nominal": "the last nominal attribute", "last": "the last column"}


def find_target(
    table: Table, target: object, left: Sequence[str], task: Task | None = None
) -> Target:
    """The target among the columns that are left; how it was found goes to the notes.

    As the user names it: a column, `first`, `last` or a place. Else a column called class, target,
    y, label or outcome, in this order; else the last nominal attribute of a file that declares
    some (unless `task` is `regression`); else the last column.

    >>> table = Table("t", "t", ["a", "Y", "b"], lambda name: None)
    >>> find_target(table, None, table.names)
    Target(name='Y', by='name', rivals=())
    >>> find_target(table, "first", table.names)
    Target(name='a', by='told', rivals=())
    """
    if target is not None:
        return Target(_named_target(str(target), table.names, left))
    if not left:
        raise InputError("no column is left for the target; see ignore= and group=")
    called = [name for name in left if name.lower() in TARGET_NAMES]
    called.sort(key=lambda name: TARGET_NAMES.index(name.lower()))
    nominal = [name for name in left if name in table.declared and table.nominal_target]
    if called:
        found = Target(called[0], "name", tuple(called[1:]))
    elif nominal and task != "regression":
        found = Target(nominal[-1], "nominal")
    else:
        found = Target(left[-1], "last")
    note = f"target: {found.name!r}, {_WHY[found.by]} (say target= otherwise)"
    table.notes.append(Note(note, "target"))
    return found


def _named_target(target: str, names: Sequence[str], left: Sequence[str]) -> str:
    """A column by name, or by its place; a name wins over a place."""
    if target in names:
        return target
    place = {"first": 0, "last": -1}.get(target.lower())
    if place is None and target.removeprefix("-").isascii() and target.removeprefix("-").isdigit():
        place = int(target[:12])
    if place is None:
        return known(target, names, "target")
    if not -len(left) <= place < len(left):
        raise InputError(f"target={target}: there are {len(left)} columns, 0 to {len(left) - 1}")
    return left[place]


# --- classes or numbers ------------------------------------------------------------------------


def task_of(columns: Sequence[Column], rows: int, what: str, notes: list[str]) -> Task:
    """Classification or regression, by the types of the columns; stated where they are numbers.

    Text and booleans are classes, fractions are numbers, and whole numbers are classes if at most
    20 of them differ. `what` is how the notes call the column.

    >>> from heliast._core.columns import column
    >>> notes = []
    >>> task_of([column([1, 2, 2], "y")], 3, "y", notes)
    'classification'
    >>> notes
    ["y holds 2 different whole numbers, read as classes (say task='regression' otherwise)"]
    """
    if any(column.kind in ("text", "bool") for column in columns):
        _refuse_mixture(columns, what)
        return "classification"
    for column in columns:
        if not _whole(column.values):
            notes.append(f"{column.name} holds fractions: a regression task")
            return "regression"
    values = np.concatenate([_as_integers(column.values) for column in columns])
    different = distinct(values)
    held = f"{what} holds {different} different whole numbers"
    if different <= FEW_CLASSES:
        notes.append(f"{held}, read as classes (say task='regression' otherwise)")
        return "classification"
    notes.append(
        f"{held}, more than {FEW_CLASSES}: a regression task (say task='classification' otherwise)"
    )
    return "regression"


def _refuse_mixture(columns: Sequence[Column], what: str) -> None:
    """Refuse booleans beside numbers that are not 0 and 1: which are the classes?"""
    if not any(column.kind == "bool" for column in columns):
        return
    for column in columns:
        odd = column.values[(column.values != 0) & (column.values != 1)]
        if column.kind not in ("text", "bool") and odd.size:
            raise InputError(
                f"{what}: true and false stand in one column, numbers such as {odd[0]:g} in "
                f"{column.name!r}; write the classes alike in both"
            )


def refuse_scores(pair: Sequence[Column]) -> None:
    """Refuse fractions as predicted labels beside true classes (text, booleans, two numbers).

    >>> from heliast._core.columns import column
    >>> refuse_scores([column([0, 1], "y_true"), column([0.3, 0.9], "y_pred")])
    Traceback (most recent call last):
    heliast._core.errors.ScoresAsLabels: y_pred holds fractions (such as 0.3), y_true ...
    """
    if len(pair) < 2 or pair[1].kind != "number" or _whole(pair[1].values):
        return
    truth, label = pair
    named = truth.kind in ("text", "bool")
    if not named and (not _whole(truth.values) or len(truth.distinct()) != 2):
        return
    classes, values = sorted(truth.distinct()), label.values
    shown = ", ".join(repr(value) if named else f"{value:g}" for value in classes[:3])
    more = "" if len(classes) <= 3 else ", ..."
    each = "" if len(classes) == 2 else ", a column of them for each class"
    some = values[int(np.argmax(values != np.floor(values)))]
    raise ScoresAsLabels(
        f"{label.name} holds fractions (such as {some:.3g}), {truth.name} the classes {shown}"
        f"{more}: these look like scores{each}",
        ""
        if named
        else "; if both are numbers, say task='regression' (command line: --task regression)",
    )


def _whole(values: Array) -> bool:
    """Whole numbers only: most columns of others show it in their first rows."""
    if values.dtype.kind in "iu":
        return True
    head = values[:10_000]
    return bool(np.all(head == np.floor(head))) and bool(np.all(values == np.floor(values)))


def _as_integers(values: Array) -> Array:
    """Whole numbers as integers, which are counted without sorting, if they fit."""
    if values.dtype.kind == "f" and values.size and np.abs(values).max() < 2**53:
        return values.astype(np.int64)
    return values


# --- the classes -------------------------------------------------------------------------------


def known_classes(
    columns: Sequence[Column], given: Sequence[Label] | None, names: tuple[Label, ...] | None
) -> tuple[Label, ...]:
    """The classes: in the order in which they are declared, else sorted.

    Score columns name classes too, but their order is that of a table, not of the classes.
    """
    if given is not None:
        classes = tuple(given)
    else:
        found = classes_of(columns) if names is None else tuple(sorted(declared(names, "y_score")))
        _refuse_strangers(columns)
        classes = found
    if len(classes) < 2:
        only = f"only one class ({classes[0]!r})" if classes else "no class"
        raise InputError(
            f"{only} in y_true and y_pred: there is nothing to tell apart; "
            "check the columns, or declare all classes with classes= (command line: --classes)"
        )
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"y_true and y_pred hold {len(classes):,} different labels, more than "
            f"{MOST_CLASSES:,}: names or sentences rather than classes; check the columns, or say "
            "task='regression'"
        )
    return classes


def _refuse_strangers(columns: Sequence[Column]) -> None:
    """Refuse several predicted labels of which none is a true class."""
    if len(columns) < 2:
        return
    truth, label = (column.distinct() for column in columns[:2])
    if truth & label or min(len(truth), len(label)) < 2:
        return
    raise InputError(
        f"no predicted label is a true class: y_true holds {_some(truth)}, y_pred {_some(label)}; "
        "recode one of them, or declare all classes with classes= (command line: --classes) if "
        "they are meant so"
    )


def _some(labels: Iterable[Label]) -> str:
    shown = sorted(map(repr, labels))
    return ", ".join(shown[:4]) + (", ..." if len(shown) > 4 else "")


def declared(given: Iterable[Label], name: str) -> tuple[Label, ...]:
    """Classes as the caller names them, in that order."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(f"{name}={given!r}: give a list of classes, such as ['no', 'yes']")
    labels = tuple(label.item() if isinstance(label, np.generic) else label for label in given)
    for label in labels:
        finite = not isinstance(label, float) or math.isfinite(label)
        if not isinstance(label, (str, int, float)) or not finite:
            raise InputError(f"{name}: {label!r} cannot be a class: use text or finite numbers")
    if len(set(labels)) != len(labels):
        raise InputError(f"{name}: {list(labels)} names a class twice")
    if len({isinstance(label, str) for label in labels}) == 2:
        raise InputError(f"{name}: {list(labels)[:8]} mixes text and numbers; use one type")
    if any(isinstance(label, float) for label in labels):
        return tuple(int(label) if float(label).is_integer() else label for label in labels)
    return labels


def named_positive(positive: Label | None, named: Label, notes: list[str]) -> Label:
    """The class that a single named score column belongs to, which must be the positive one."""
    if positive is not None and positive != named:
        raise InputError(
            f"positive={positive!r} but the only score column is for {named!r}: "
            "give the scores of the positive class, or of each class"
        )
    if positive is None:
        notes.append(Note(f"positive class: {named!r}, which the score column names", "positive"))
    return named


def positive_of(
    positive: Label | None,
    classes: tuple[Label, ...],
    notes: list[str],
    hint: str = " (say positive= otherwise)",
) -> Label | None:
    """The positive class: as declared, or the last of two, and then stated; None of more than two.

    >>> notes = []
    >>> positive_of(None, ("no", "yes"), notes), notes
    ('yes', ["positive class: 'yes', the last in order (say positive= otherwise)"])
    """
    if positive is not None and positive not in classes:
        raise InputError(
            f"positive={positive!r} is not a class; the classes are "
            f"{', '.join(map(repr, classes[:8]))}{', ...' if len(classes) > 8 else ''}"
        )
    if positive is not None:
        return classes[classes.index(positive)]
    if len(classes) != 2:
        return None
    notes.append(Note(f"positive class: {classes[-1]!r}, the last in order{hint}", "positive"))
    return classes[-1]
