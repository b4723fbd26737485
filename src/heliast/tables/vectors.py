"""Columns of vectors, such as the probabilities of all classes in one field, to plain columns."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from heliast._core.columns import Column, from_array
from heliast._core.errors import InputError

_SPARSE = re.compile(r"\s*\((\d+),\s*\[([^\]]*)\],\s*\[([^\]]*)\]\)\s*")
_FIELDS = {"type", "size", "indices", "values"}


def spread(values: Any, name: str) -> dict[str, Column] | None:
    """A column of vectors as one column for each place or field; None if it holds none.

    Vectors are lists, arrays, Spark's dense and sparse vectors, dicts of numbers by class, or
    lists and sparse vectors written as text.

    >>> {place: column.values.tolist() for place, column in spread(["[0.1, 0.9]"], "p").items()}
    {'0': [0.1], '1': [0.9]}
    """
    if getattr(getattr(values, "dtype", None), "kind", "O") not in "OTU":
        return None
    items = values.to_list() if hasattr(values, "to_list") else None
    items = values.to_pylist() if items is None and hasattr(values, "to_pylist") else items
    items = list(values) if items is None else items
    first = next((item for item in items if item is not None), None)
    if not _is_vector(first):
        return None
    try:
        vectors = [_vector(item) for item in items]
        keys = list(_vector(first) or {})
        missing = dict.fromkeys(keys, np.nan)
        matrix = np.array([[(vector or missing)[key] for key in keys] for vector in vectors], float)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"column {name!r} holds vectors that cannot be read ({error!r:.100}): each row needs "
            "one number a class"
        ) from None
    if any(vector is not None and len(vector) != len(keys) for vector in vectors) or not keys:
        raise InputError(
            f"column {name!r} holds vectors of several lengths: each row needs one number a class"
        )
    return {key: from_array(matrix[:, at].copy(), name) for at, key in enumerate(keys)}


def _is_vector(value: object) -> bool:
    if isinstance(value, str):
        return value.lstrip()[:1] in ("[", "(")
    return hasattr(value, "__len__") or hasattr(value, "toArray")


def _vector(value: Any) -> dict[str, float] | None:
    """A vector by place or by field; None where it is missing."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, str):
        value = _parsed(value)
    if hasattr(value, "toArray"):
        value = value.toArray()
    if isinstance(value, Mapping):
        if not ("values" in value and set(value) <= _FIELDS):
            return {str(key): float(number) for key, number in value.items()}
        numbers = value["values"]
        if value.get("indices") is not None:
            numbers = np.zeros(int(value["size"]))
            numbers[list(value["indices"])] = value["values"]
        value = numbers
    return {str(at): float(number) for at, number in enumerate(value)}


def _parsed(text: str) -> Any:
    sparse = _SPARSE.fullmatch(text)
    if sparse:
        size, places, numbers = sparse.groups()
        places = [int(place) for place in places.split(",") if place.strip()]
        return {"size": int(size), "indices": places, "values": _floats(numbers)}
    return _floats(text.strip("[]() \n"))


def _floats(text: str) -> list[float]:
    return [float(number) for number in re.split(r"[,;\s]+", text) if number]
