"""The target: which column it is, whether it holds classes or numbers, and its values."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.labels import Label, classes_of, encode
from heliast._core.places import Places
from heliast.data._table import Table, known
from heliast.predictions._textual import reading_of, typed

Task = Literal["classes", "number"]

_GUESSES = ("class", "target", "y", "label", "outcome")
_MOST_WHOLE = 50
_LEAST_SHARE = 0.01
_SMALL = 20
_MOST_CLASSES = 10_000


def find_target(table: Table, target: str | None, left: Sequence[str]) -> str:
    """The named column, or the one that looks most like a target, which the notes then say."""
    if target is not None:
        return known(target, table.names, "target")
    if not left:
        raise InputError("no column is left for the target; see ignore= and group=")
    found, why = left[-1], "the last column"
    nominal = [name for name in left if name in table.declared]
    if table.nominal_target and nominal:
        found, why = nominal[-1], "the last nominal attribute"
    folded = {name.lower(): name for name in reversed(left)}
    for guess in _GUESSES:
        if guess in folded:
            found, why = folded[guess], "by its name"
            break
    table.notes.append(f"target: {found!r}, {why} (say target= otherwise)")
    return found


def as_written(one: Column, table: Table) -> Column:
    """Labels of a text file as numbers or booleans if all of them are, as in any other source."""
    return typed(one, reading_of(one.texts)) if table.written and one.kind == "text" else one


def decided_task(one: Column, table: Table, task: Task | None) -> Task:
    """Classes or numbers, as told, or as the values say; a doubtful case is stated."""
    if task is not None:
        return task
    if one.kind in ("text", "bool") or one.name in table.declared:
        return "classes"
    values = one.values
    if one.kind == "number" and not np.all(values == np.floor(values)):
        table.notes.append(f"target {one.name!r} holds fractions: a task of numbers")
        return "number"
    different = len(one.distinct())
    many = different > max(_MOST_WHOLE, _LEAST_SHARE * len(one))
    if many or (different > _SMALL and 2 * different > len(one)):
        table.notes.append(
            f"target {one.name!r} holds {different} different whole numbers: a task of numbers "
            "(say task='classes' otherwise)"
        )
        return "number"
    table.notes.append(
        f"target {one.name!r} holds {different} different whole numbers, read as classes "
        "(say task='number' otherwise)"
    )
    return "classes"


def numbers(one: Column, places: Places) -> npt.NDArray[np.float64]:
    """The target as finite numbers."""
    if one.kind == "text":
        raise InputError(
            f"target {one.name!r} holds text (such as {one.first()!r}), not numbers; leave out "
            "task='number'"
        )
    values = one.values.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise InputError(
            f"target {one.name!r} is {values[bad[0]]} in {places.some(bad)}; numbers must be "
            "finite: correct them or leave these rows out"
        )
    return values


def classes(one: Column, told: bool) -> tuple[tuple[Label, ...], npt.NDArray[np.int64]]:
    """The classes in order and the code of each row; `told`: the user asked for classes."""
    found = classes_of([one])
    if len(found) < 2:
        raise InputError(
            f"target {one.name!r} has one class only ({found[0]!r}): there is nothing to tell "
            "apart; check the column, or name another with target="
        )
    names = one.kind == "text" and len(found) > _SMALL and 2 * len(found) > len(one)
    if (names and not told) or len(found) > _MOST_CLASSES:
        raise InputError(
            f"target {one.name!r} has {len(found):,} different values in {len(one):,} rows: names "
            "or sentences rather than classes; name another column with target="
        )
    codes: Any = encode(one, found)
    return found, codes.astype(np.int64)
