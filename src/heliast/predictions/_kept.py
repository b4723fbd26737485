"""Kept columns: further values of each data row by name, text or numbers, such as its region."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.places import Places

BESIDE = ("model", "split", "row", "in_train", "weight", "group", "time")
PREFIX = "kept_"
"""Before the name of a kept column in a file where a part of the table has the same name."""


def kept_columns(
    given: object, n: int, places: Places, notes: list[str], first: str = "y_true"
) -> dict[str, Column]:
    """The columns to keep, checked: one value a row, where some may be missing, which is said."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            f"columns={given!r:.60}: values by the name of a column, such as "
            "columns={'region': regions}"
        )
    found = {}
    for name, values in given.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"columns: {name!r} is no name of a column; give it a text")
        one = as_kept(values, name)
        if len(one) != n:
            raise InputError(
                f"{first} has {n} rows but the column {name!r} has {len(one)}; they must be aligned"
            )
        if one.missing.size:
            notes.append(
                f"column {name!r} is missing in {places.some(one.missing)}: kept as missing"
            )
        found[name] = one
    return found


def as_kept(values: object, name: str) -> Column:
    """Values as text, where -1 is missing, or as numbers, where NaN is; true and false are text.

    >>> as_kept([True, None], "new").plain().tolist()
    ['true', None]
    """
    one = replace(column(values, f"column {name!r}"), name=name)
    if one.kind == "bool":
        codes = one.values.astype(np.int32)
        codes[one.missing] = -1
        return Column(name, codes, "text", one.missing, ("false", "true"))
    if one.is_number and one.missing.size:
        numbers = one.values.astype(np.float64)
        numbers[one.missing] = np.nan
        return Column(name, numbers, "number", one.missing)
    return one


def of_rows(columns: Mapping[str, Any], row: Array | None) -> dict[str, Column]:
    """Columns with one value for each row of the data as one value for each prediction."""
    if row is None or row.dtype.kind not in "iu":
        raise InputError(
            "by_row: the table does not name rows by their place in the data (0, 1, 2, ...); give "
            "one value for each prediction"
        )
    found = {name: as_kept(values, name) for name, values in columns.items()}
    for name, one in found.items():
        if row.size and (row.min() < 0 or row.max() >= len(one)):
            raise InputError(
                f"column {name!r} has {len(one)} values, but rows reach from {row.min()} to "
                f"{row.max()}: give one value for each row of the data"
            )
    return {name: one.at(row) for name, one in found.items()}


def stacked(one: Column, other: Column) -> Column:
    """One column above the other."""
    if one.is_number != other.is_number:
        raise InputError(
            f"column {one.name!r} holds text in one table and numbers in the other: numbers never "
            "equal text; convert one of them"
        )
    missing = np.concatenate([one.missing, other.missing + len(one)])
    if one.is_number:
        values = np.concatenate([one.values, other.values])
        return Column(one.name, values, from_kind(values), missing)
    texts = tuple(dict.fromkeys((*one.texts, *other.texts)))
    return Column(
        one.name, np.concatenate([coded_by(one, texts), coded_by(other, texts)]), "text", missing,
        texts,
    )  # fmt: skip


def from_kind(values: Array) -> Any:
    """The kind of a column of numbers."""
    return "whole" if values.dtype.kind in "iu" else "number"


def coded_by(one: Column, texts: tuple[str, ...]) -> Array:
    """The codes of a column of text in another order of its texts."""
    place = {text: code for code, text in enumerate(texts)}
    table = np.array([*(place[text] for text in one.texts), -1], np.int32)
    return table[one.values]


def differing(one: Column, other: Column) -> Array:
    """Where two columns of one length differ; missing is like missing."""
    if one.is_number != other.is_number:
        return np.ones(len(one), bool)
    if one.is_number:
        gone = np.isnan(one.values) & np.isnan(other.values)
        unlike: Array = (one.values != other.values) & ~gone
        return unlike
    texts = tuple(dict.fromkeys((*one.texts, *other.texts)))
    apart: Array = coded_by(one, texts) != coded_by(other, texts)
    return apart


def nothing_known(like: Column, n: int) -> Column:
    """A column in which every value is missing."""
    gone = np.arange(n)
    if like.kind == "text":
        return Column(like.name, np.full(n, -1, np.int32), "text", gone, like.texts)
    return Column(like.name, np.full(n, np.nan), "number", gone)


def from_partner(one: Column, partner: Array) -> Column:
    """The values of the rows that `partner` points at; missing where it points nowhere (-1)."""
    if not len(one):
        return nothing_known(one, partner.size)
    found = one.at(np.maximum(partner, 0))
    alone = partner < 0
    if not alone.any():
        return found
    values = found.values.astype(np.float64) if found.is_number else found.values.copy()
    values[alone] = np.nan if found.is_number else -1
    missing = np.union1d(found.missing, np.flatnonzero(alone))
    return Column(one.name, values, "number" if found.is_number else "text", missing, one.texts)


def to_arrow(one: Column) -> Any:
    """The column as Arrow holds it: text as a dictionary, null where it is missing."""
    import pyarrow as pa

    gone = np.zeros(len(one), bool)
    gone[one.missing] = True
    if one.is_number:
        return pa.array(one.values, mask=gone)
    codes = pa.array(one.values.astype(np.int32), mask=gone)
    return pa.DictionaryArray.from_arrays(codes, pa.array(one.texts, pa.string()))


def names_in_file(kept: Mapping[str, Column], scores: Sequence[str]) -> list[str]:
    """What each kept column is called in a file with these columns of scores."""
    taken = {"y_true", "y_pred", "truth", "label", "seen", *BESIDE, *scores}
    return [PREFIX + name if name in taken else name for name in kept]
