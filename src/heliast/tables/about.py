"""What a table is about: its target, classes or numbers, which classes, which is positive.

Each of these is decided here and nowhere else, for data, for predictions and for scanned tables.
"""

import math
import unicodedata
from collections import Counter
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
"""What is predicted; `graded` tables hold what answers were found worth instead."""
TargetBy = Literal["told", "name", "nominal", "last"]

MOST_CLASSES = 10_000
"""More different labels than this are names or sentences, not classes: k x k counts must fit."""
FEW_CLASSES = 20
"""Up to so many different whole numbers are classes however seldom they occur."""
TWO_CLASSES = ({0, 1}, {-1, 1})
"""How two classes are numbered."""
_SEVERAL = 3
"""So many whole numbers that are no class of two are no slips."""
TARGET_NAMES = ("class", "target", "y", "label", "outcome")
"""What a target is called, the likeliest first."""
SPENT = ("cost", "tokens", "seconds")
"""Kept columns that belong to the prediction, not to its row: models differ in them."""
HUMAN = "human"
"""The kept column of what people say, missing where nobody was asked."""
OF_ANSWERS = (*SPENT, HUMAN)
"""Kept columns of a graded table that belong to each answer: attempts at an item are averaged."""


# --- the target --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """The target column and how it was found.

    `by` is `told`, its `name`, that it is the last column declared `nominal` (of an ARFF file),
    or that it is the `last` column. `rivals` are the other columns with the name of a target.
    """

    name: str
    by: TargetBy = "told"
    rivals: tuple[str, ...] = ()


_WHY = {"name": "by its name", "nominal": "the last nominal attribute", "last": "the last column"}


def find_target(
    table: Table, target: object, left: Sequence[str], task: Task | None = None
) -> Target:
    """The target among the columns that are left; what was guessed goes to the notes.

    As told: a name, else `first`, `last` or a place among the columns that are left. Else a column
    called class, target, y, label or outcome, in this order; else the last nominal attribute of a
    file that declares some (unless `task` is `number`); else the last column. Whoever must be sure
    looks at `by` and `rivals`.

    >>> table = Table("t", "t", ["a", "Y", "b"], lambda name: None)
    >>> find_target(table, None, table.names)
    Target(name='Y', by='name', rivals=())
    >>> find_target(table, "first", table.names)
    Target(name='a', by='told', rivals=())
    """
    if target is not None:
        return Target(_told(str(target), table.names, left))
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
    said = f"target: {found.name!r}, {_WHY[found.by]} (say target= otherwise)"
    table.notes.append(Note(said, "target"))
    return found


def _told(target: str, every: Sequence[str], left: Sequence[str]) -> str:
    """A column by name, or by its place; a name wins over a place."""
    if target in every:
        return target
    place = {"first": 0, "last": -1}.get(target.lower())
    if place is None and target.removeprefix("-").isascii() and target.removeprefix("-").isdigit():
        place = int(target[:12])
    if place is None:
        return known(target, every, "target")
    if not -len(left) <= place < len(left):
        raise InputError(f"target={target}: there are {len(left)} columns, 0 to {len(left) - 1}")
    return left[place]


# --- classes or numbers ------------------------------------------------------------------------


def task_of(columns: Sequence[Column], rows: int, what: str, notes: list[str]) -> Task:
    """Classes or numbers, as the values say; stated where they are numbers.

    Text and truth values are classes, and fractions are numbers. Whole numbers are classes if they
    recur as classes do: up to 20 different ones, up to 50 that occur twice on average, up to
    10,000 that occur 100 times. (A fixed limit would take the 100 classes of 10,000 rows for
    numbers, and 30 measured counts of 30 rows for classes.) `rows` is how many rows there are,
    where a column holds each value once; `what` is how the notes call it.

    >>> from heliast._core.columns import column
    >>> said = []
    >>> task_of([column([1, 2, 2], "y")], 3, "y", said)
    'classification'
    >>> said
    ["y holds 2 different whole numbers, read as classes (say task='regression' otherwise)"]
    """
    if any(one.kind in ("text", "bool") for one in columns):
        _refuse_mixture(columns, what)
        return "classification"
    if not all(_whole(one.values) for one in columns):
        broken = next(at for at, one in enumerate(columns) if not _whole(one.values))
        where = columns[broken].name if broken else what
        notes.append(f"{where} holds fractions: a task of numbers")
        return "regression"
    different = distinct(np.concatenate([_counted(one.values) for one in columns]))
    return whole_task(different, rows, what, notes)


def _refuse_mixture(columns: Sequence[Column], what: str) -> None:
    """Refuse truth values beside numbers that are not 0 and 1: which are the classes?"""
    if not any(one.kind == "bool" for one in columns):
        return
    for one in columns:
        odd = one.values[(one.values != 0) & (one.values != 1)]
        if one.kind not in ("text", "bool") and odd.size:
            raise InputError(
                f"{what}: true and false stand in one column, numbers such as {odd[0]:g} in "
                f"{one.name!r}; write the classes alike in both"
            )


def refuse_scores(pair: Sequence[Column], told: bool = False) -> None:
    """Refuse fractions as labels beside a truth of classes: they are scores, unless both are
    numbers, which only the caller can know. Columns may hold each value once. Whole numbers are
    scores if several are no class of a truth of 0 and 1, unless the classes are `told`.

    >>> from heliast._core.columns import column
    >>> refuse_scores([column([0, 1], "y_true"), column([0.3, 0.9], "y_pred")])
    Traceback (most recent call last):
    heliast._core.errors.ScoresAsLabels: y_pred holds fractions (such as 0.3), y_true ...
    """
    if len(pair) == 2 and _turned(*pair):
        raise InputError(
            f"{pair[0].name} holds fractions between 0 and 1, {pair[1].name} only 0 and 1: these "
            "look like scores in the place of the truth; give the truth first, as in "
            "hl.assess(y_true, y_score=p), or say task='regression' (command line: --task "
            "regression) if both are numbers"
        )
    if len(pair) < 2 or pair[1].kind not in ("number", "whole"):
        return
    if _whole(pair[1].values):
        if not told:
            _refuse_whole_scores(*pair)
        return
    (truth, label), named = pair, pair[0].kind in ("text", "bool")
    if not named and not _whole(truth.values):
        return
    classes, values = sorted(truth.distinct()), label.values
    likely = set(classes) in TWO_CLASSES or (values.min() >= 0 and values.max() <= 1)
    if not named and not (2 <= len(classes) <= FEW_CLASSES and likely):
        return
    shown = ", ".join(repr(one) if named else f"{one:g}" for one in classes[:3])
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


def _refuse_whole_scores(truth: Column, label: Column) -> None:
    """Refuse points (0 to 10, 0 to 100) and whole logits as labels beside two classes."""
    if truth.kind in ("text", "bool"):
        return
    classes = truth.distinct()
    strange = sorted(label.distinct() - classes) if classes in TWO_CLASSES else []
    if len(strange) < _SEVERAL:
        return
    low, high = sorted(classes)
    some = ", ".join(f"{one:g}" for one in strange[:3])
    raise ScoresAsLabels(
        f"{label.name} holds {len(strange)} whole numbers that are no true class (such as {some}), "
        f"{truth.name} only {low:g} and {high:g}: these look like scores",
        "; if both are numbers, say task='regression' (command line: --task regression); if they "
        "are classes, declare all with classes= (command line: --classes)",
    )


def _turned(truth: Column, label: Column) -> bool:
    """Whether truth looks like scores, and label like two classes."""
    if (
        truth.kind != "number"
        or label.kind == "text"
        or truth.missing.size
        or not truth.values.size
    ):
        return False
    inside = bool(truth.values.min() >= 0 and truth.values.max() <= 1) and not _whole(truth.values)
    return inside and {*map(float, label.distinct())} == {0.0, 1.0}


def whole_task(different: int, rows: int, what: str, notes: list[str]) -> Task:
    """The same of so many different whole numbers in so many rows."""
    said = f"{what} holds {different} different whole numbers"
    most = 50 if 2 * different <= rows else FEW_CLASSES
    if different <= (MOST_CLASSES if 100 * different <= rows else most):
        notes.append(f"{said}, read as classes (say task='regression' otherwise)")
        return "classification"
    notes.append(f"{said}: a task of numbers (say task='classification' otherwise)")
    return "regression"


def _whole(values: Array) -> bool:
    """Whole numbers only: most columns of others show it in their first rows."""
    if values.dtype.kind in "iu":
        return True
    head = values[:10_000]
    return bool(np.all(head == np.floor(head))) and bool(np.all(values == np.floor(values)))


def _counted(values: Array) -> Array:
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
        found = tuple(given)
    else:
        found = classes_of(columns) if names is None else tuple(sorted(declared(names, "y_score")))
        _refuse_several(columns)
        _refuse_strangers(columns, found)
    if len(found) < 2:
        only = f"only one class ({found[0]!r})" if found else "no class"
        raise InputError(
            f"{only} in truth and label: there is nothing to tell apart; "
            "check the columns, or declare all classes with classes= (command line: --classes)"
        )
    if len(found) > MOST_CLASSES:
        raise InputError(
            f"y_true and y_pred hold {len(found):,} different labels, more than {MOST_CLASSES:,}: "
            "names or sentences rather than classes; check the columns, or say task='regression'"
        )
    return found


def _refuse_several(columns: Sequence[Column]) -> None:
    """Refuse `a|b` beside `a`: several labels a row, in truth and label or beside scores.

    Names with a comma in them, such as those of towns and countries, have parts that occur once.
    """
    if not columns or any(one.kind != "text" for one in columns):
        return
    for mark in "|;,":
        sets = [[text for text in map(str, one.distinct()) if mark in text] for one in columns]
        if not all(sets):
            continue
        every = {str(text) for one in columns for text in one.distinct()}
        parts = Counter(part.strip() for text in every for part in {*text.split(mark)})
        inside = {part.strip() for texts in sets for text in texts for part in text.split(mark)}
        if 2 * sum(parts[part] > 1 for part in inside) > len(inside):
            raise InputError(
                f"{columns[0].name} holds {min(sets[0])!r}, whose parts are labels too: several "
                "labels a row; assess one label at a time (a column 0 and 1 for each), or declare "
                "all classes with classes= (command line: --classes) if these are classes"
            )


def _refuse_strangers(columns: Sequence[Column], known: Sequence[Label]) -> None:
    """Refuse labels that are a true class but for case or blanks, and several of which none is."""
    if len(columns) < 2 or len(known) < 3:
        return
    truth, label = (one.distinct() for one in columns[:2])
    folded = {_folded(one): one for one in truth}
    strange = sorted(label - truth, key=str)
    alike = next(((folded[_folded(one)], one) for one in strange if _folded(one) in folded), None)
    if alike is None and (truth & label or min(len(truth), len(label)) < 2):
        _refuse_spellings(known)
        return
    what = "is no true class" if truth & label else ""
    how = f"write {alike[0]!r} and {alike[1]!r} alike" if alike else "recode one of them"
    said = f"label {alike[1]!r} {what}" if alike and what else "no label is a true class"
    raise InputError(
        f"{said}: y_true holds {_some(truth)}, label {_some(label)}; {how}, or "
        "declare all classes with classes= (command line: --classes) if they are meant so"
    )


def refuse_shifted(classes: Sequence[Label], truth: Array, label: Array, rows: Array) -> None:
    """Refuse labels that were counted from another number, or written otherwise, than the truth.

    So many `rows` have this true class and this label, by their codes. Labels have a class that
    truth never has, and agree with it far better (by three standard errors of the rows that change)
    once they are moved by one, or the classes of both are matched in order.

    >>> refuse_shifted([0, 1, 2], np.array([0, 1, 1]), np.array([1, 2, 1]), np.array([20, 20, 3]))
    Traceback (most recent call last):
    heliast._core.errors.InputError: label 2 is no true class, and labels agree with truth ...
    """
    there, said = (sorted({*codes[rows > 0].tolist()}) for codes in (truth, label))
    strange = [code for code in said if code not in there]
    if not strange:
        return
    places = {value: code for code, value in enumerate(classes) if code in there}
    whole = all(isinstance(value, int) for value in classes)
    maps = [[places.get(classes[code] + step, -1) for code in said] for step in (-1, 1) if whole]
    maps += [there] if len(there) == len(said) else []
    as_is = truth == label
    for moved in maps:
        if -1 in moved:
            continue
        table = dict(zip(said, moved, strict=True))
        moved_to = truth == np.array([table.get(one, -1) for one in label.tolist()])
        more, less = float(rows[moved_to & ~as_is].sum()), float(rows[as_is & ~moved_to].sum())
        if more - less > 3 * math.sqrt(more + less):
            pairs = ", ".join(f"{classes[b]!r} for {classes[a]!r}" for a, b in table.items())
            raise InputError(
                f"label {classes[strange[0]]!r} is no true class, and labels agree with truth in "
                f"{more - less:,.0f} more rows if they are read as {pairs[:200]}: "
                "write the classes of both columns alike, or declare all with classes= (command "
                "line: --classes) if they are meant so"
            )


def _refuse_spellings(known: Sequence[Label]) -> None:
    """Refuse classes that differ in case or blanks alone; letters may be told apart by case."""
    seen: dict[str, Label] = {}
    for label in known:
        folded = _folded(label)
        other = seen.setdefault(folded, label)
        if other != label and len(folded) > 1:
            raise InputError(
                f"the classes {other!r} and {label!r} are the same but for case or blanks: write "
                "them alike, or declare all classes with classes= (command line: --classes) if "
                "they are meant so"
            )


def _folded(label: Label) -> str:
    """A label without what programs and people write differently: case, blanks, accents, .0."""
    text = unicodedata.normalize("NFKC", str(label)).strip().casefold()
    return text.removesuffix(".0")


def _some(labels: Iterable[Label]) -> str:
    shown = sorted(map(repr, labels))
    return ", ".join(shown[:4]) + (", ..." if len(shown) > 4 else "")


def declared(given: Iterable[Label], name: str) -> tuple[Label, ...]:
    """Classes as the caller names them, in that order."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(f"{name}={given!r}: give a list of classes, such as ['no', 'yes']")
    labels = tuple(label.item() if isinstance(label, np.generic) else label for label in given)
    for label in labels:
        if not isinstance(label, (str, int, float)) or (
            isinstance(label, float) and not math.isfinite(label)
        ):
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
            "give the scores of the positive class, or of every class"
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
    """The positive class: as said, or the last of two, and then stated; None of more than two.

    >>> said = []
    >>> positive_of(None, ("no", "yes"), said), said
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
