"""Kept columns: further values of each row by name, text or numbers, to slice by."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.places import Places


def kept_columns(
    columns: object, n: int, places: Places, notes: list[str], first: str = "y_true"
) -> dict[str, Column]:
    """The columns to keep, checked: one value per row; missing ones are stated."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise InputError(
            f"columns={columns!r:.60}: values by the name of a column, such as "
            "columns={'region': regions}"
        )
    kept = {}
    for name, values in columns.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"columns: {name!r} is no name of a column; give it a text")
        part = as_kept(values, name)
        if len(part) != n:
            raise InputError(
                f"{first} has {n} rows but the column {name!r} has {len(part)}; they must be "
                "aligned"
            )
        if part.missing.size:
            notes.append(
                f"column {name!r} is missing in {places.some(part.missing)}: kept as missing"
            )
        kept[name] = part
    return kept


def as_kept(values: object, name: str) -> Column:
    """Values as text, where -1 is missing, or as numbers, where NaN is; booleans are text.

    >>> as_kept([True, None], "new").plain().tolist()
    ['true', None]
    """
    part = replace(column(values, f"column {name!r}"), name=name)
    if part.kind == "bool":
        codes = part.values.astype(np.int32)
        codes[part.missing] = -1
        return Column(name, codes, "text", part.missing, ("false", "true"))
    if part.is_number and part.missing.size:
        numbers = part.values.astype(np.float64)
        numbers[part.missing] = np.nan
        return Column(name, numbers, "number", part.missing)
    return part


def of_rows(columns: Mapping[str, Any], row: Array | None) -> dict[str, Column]:
    """Columns with one value per row of the data as one value per prediction."""
    if row is None or row.dtype.kind not in "iu":
        raise InputError(
            "by_row: the table does not name rows by their place in the data (0, 1, 2, ...); give "
            "one value per prediction"
        )
    kept = {name: as_kept(values, name) for name, values in columns.items()}
    for name, part in kept.items():
        if row.size and (row.min() < 0 or row.max() >= len(part)):
            raise InputError(
                f"column {name!r} has {len(part)} values, but rows reach from {row.min()} to "
                f"{row.max()}: give one value per row of the data"
            )
    return {name: part.at(row) for name, part in kept.items()}


def stacked(upper: Column, lower: Column) -> Column:
    """One column above the other."""
    if upper.is_number != lower.is_number:
        raise InputError(
            f"column {upper.name!r} holds text in one table and numbers in the other: numbers "
            "never equal text; convert one of them"
        )
    missing = np.concatenate([upper.missing, lower.missing + len(upper)])
    if upper.is_number:
        values = np.concatenate([upper.values, lower.values])
        kind = "whole" if values.dtype.kind in "iu" else "number"
        return Column(upper.name, values, kind, missing)  # type: ignore[arg-type]
    texts = tuple(dict.fromkeys((*upper.texts, *lower.texts)))
    codes = np.concatenate([_coded_by(upper, texts), _coded_by(lower, texts)])
    return Column(upper.name, codes, "text", missing, texts)


def _coded_by(part: Column, texts: tuple[str, ...]) -> Array:
    place = {text: code for code, text in enumerate(texts)}
    table = np.array([*(place[text] for text in part.texts), -1], np.int32)
    return table[part.values]


def differing(first: Column, second: Column) -> Array:
    """Where two columns of one length differ; missing equals missing."""
    if first.is_number != second.is_number:
        return np.ones(len(first), bool)
    if first.is_number:
        both_missing = np.isnan(first.values) & np.isnan(second.values)
        unlike: Array = (first.values != second.values) & ~both_missing
        return unlike
    texts = tuple(dict.fromkeys((*first.texts, *second.texts)))
    apart: Array = _coded_by(first, texts) != _coded_by(second, texts)
    return apart


def all_missing(like: Column, n: int) -> Column:
    """A column in which every value is missing."""
    rows = np.arange(n)
    if like.kind == "text":
        return Column(like.name, np.full(n, -1, np.int32), "text", rows, like.texts)
    return Column(like.name, np.full(n, np.nan), "number", rows)


def from_partner(part: Column, partner: Array) -> Column:
    """The values of the rows that `partner` points at; missing where it points nowhere (-1)."""
    if not len(part):
        return all_missing(part, partner.size)
    chosen = part.at(np.maximum(partner, 0))
    alone = partner < 0
    if not alone.any():
        return chosen
    values = chosen.values.astype(np.float64) if chosen.is_number else chosen.values.copy()
    values[alone] = np.nan if chosen.is_number else -1
    missing = np.union1d(chosen.missing, np.flatnonzero(alone))
    kind = "number" if chosen.is_number else "text"
    return Column(part.name, values, kind, missing, part.texts)  # type: ignore[arg-type]


def to_arrow(part: Column) -> Any:
    """The column as Arrow holds it: text as a dictionary, null where it is missing."""
    import pyarrow as pa

    mask = np.zeros(len(part), bool)
    mask[part.missing] = True
    if part.is_number:
        return pa.array(part.values, mask=mask)
    codes = pa.array(part.values.astype(np.int32), mask=mask)
    return pa.DictionaryArray.from_arrays(codes, pa.array(part.texts, pa.string()))
