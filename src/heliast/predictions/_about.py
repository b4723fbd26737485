"""What a table is about: classes or numbers, which classes, which of them is positive."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.labels import Label, classes_of
from heliast.predictions._rows import Task

Array = npt.NDArray[Any]

_MOST_WHOLE_CLASSES = 50
_MOST_CLASSES = 10_000
"""More different labels than this are names or sentences, not classes: k x k counts must fit."""


def task_of(
    task: Task | None,
    true: Column,
    decided: Column | None,
    named: bool,
    notes: list[str],
) -> Task:
    """Classes or numbers: as said, or as the columns look, and then stated.

    `named` says that scores, classes or a positive class are given, which only classes have.
    """
    pair = [one for one in (true, decided) if one is not None]
    if task is not None:
        return task
    if named or any(one.kind in ("text", "bool") for one in pair):
        return "classes"
    few = all(_few_whole(one.values) for one in pair)
    if few and len(classes_of(pair)) <= _MOST_WHOLE_CLASSES:
        notes.append("truth holds few whole numbers, read as classes (say task='number' otherwise)")
        return "classes"
    notes.append("truth holds numbers, read as a task of predicting numbers")
    return "number"


def _few_whole(values: Array) -> bool:
    """Whole numbers only, and not visibly too many: most columns show it in their first rows."""
    head = values[:10_000]
    if np.unique(head).size > _MOST_WHOLE_CLASSES:
        return False
    if values.dtype.kind in "iu":
        return True
    return bool(np.all(head == np.floor(head))) and bool(np.all(values == np.floor(values)))


def known_classes(
    true: Column,
    decided: Column | None,
    given: Sequence[Label] | None,
    names: tuple[Label, ...] | None,
) -> tuple[Label, ...]:
    """The classes in order: as declared, as score columns name them, or as they occur."""
    if given is not None:
        known = tuple(given)
    elif names is not None:
        known = declared(names, "score")
    else:
        known = classes_of([one for one in (true, decided) if one is not None])
    if len(known) < 2:
        only = f"only one class ({known[0]!r})" if known else "no class"
        raise InputError(
            f"{only} in truth and label: there is nothing to tell apart; "
            "check the columns, or declare all classes with classes= (command line: --classes)"
        )
    if len(known) > _MOST_CLASSES:
        raise InputError(
            f"truth and label hold {len(known):,} different labels, more than {_MOST_CLASSES:,}: "
            "names or sentences rather than classes; check the columns, or say task='number'"
        )
    return known


def declared(given: Iterable[Label], name: str) -> tuple[Label, ...]:
    """Classes as the caller names them, in that order."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(f"{name}={given!r}: give a list of classes, such as ['no', 'yes']")
    known = tuple(label.item() if isinstance(label, np.generic) else label for label in given)
    for label in known:
        if not isinstance(label, (str, int, float)) or (
            isinstance(label, float) and not math.isfinite(label)
        ):
            raise InputError(f"{name}: {label!r} cannot be a class: use text or finite numbers")
    if len(set(known)) != len(known):
        raise InputError(f"{name}: {list(known)} names a class twice")
    if len({isinstance(label, str) for label in known}) == 2:
        raise InputError(f"{name}: {list(known)[:8]} mixes text and numbers; use one type")
    if any(isinstance(label, float) for label in known):
        return tuple(int(label) if float(label).is_integer() else label for label in known)
    return known


def named_positive(positive: Label | None, named: Label) -> Label:
    """The class that a single named score column belongs to, which must be the positive one."""
    if positive is not None and positive != named:
        raise InputError(
            f"positive={positive!r} but the only score column is for {named!r}: "
            "give the scores of the positive class, or of every class"
        )
    return named


def positive_of(positive: Label | None, known: tuple[Label, ...], notes: list[str]) -> Label | None:
    """The positive class: as said, or the last of two, and then stated."""
    if positive is not None and positive not in known:
        raise InputError(
            f"positive={positive!r} is not a class; the classes are "
            f"{', '.join(map(repr, known[:8]))}{', ...' if len(known) > 8 else ''}"
        )
    if positive is not None:
        return known[known.index(positive)]
    if len(known) != 2:
        return None
    notes.append(f"positive class: {known[-1]!r}, the last in order (say positive= otherwise)")
    return known[-1]
