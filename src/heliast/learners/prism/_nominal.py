"""Inputs as numbers of nominal values: what PRISM asks about."""

from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array

UNKNOWN = -1
"""The code of a missing or never seen value: no condition holds for it."""


class NominalColumn:
    """The values of one input, numbered, or its bins when it is numeric and binned."""

    def __init__(self, values: Array, weight: Array, name: str, bins: int | None) -> None:
        self.name = name
        counts = ~_missing(values) & (weight > 0)
        known = values[counts]
        self.edges = _edges(known, weight[counts], bins)
        self.values = [] if self.edges is not None else _distinct(known)

    def codes(self, values: Array) -> Array:
        """The number of each value, UNKNOWN where it is missing or was never seen."""
        found = np.full(len(values), UNKNOWN, np.int64)
        known = ~_missing(values)
        if self.edges is not None:
            numbers = values[known].astype(float)
            found[known] = np.searchsorted(self.edges, numbers, side="left")
            return found
        place = {value: number for number, value in enumerate(self.values)}
        found[known] = [place.get(value, UNKNOWN) for value in values[known].tolist()]
        return found

    @property
    def size(self) -> int:
        return len(self.values) if self.edges is None else len(self.edges) + 1

    def words(self, code: int) -> str:
        """The condition that this input takes that value."""
        if self.edges is None:
            return f"{self.name} = {self.values[code]}"
        if len(self.edges) == 0:
            return f"{self.name} is known"
        if code == 0:
            return f"{self.name} <= {self.edges[0]:g}"
        if code == len(self.edges):
            return f"{self.name} > {self.edges[-1]:g}"
        return f"{self.edges[code - 1]:g} < {self.name} <= {self.edges[code]:g}"


def _missing(values: Array) -> Array:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([value is None or value != value for value in values.tolist()], bool)
    return np.zeros(len(values), bool)


def _edges(known: Array, weight: Array, bins: int | None) -> Array | None:
    """Inner borders of bins with about equal weight; None where values stay as they are."""
    if bins is None or known.dtype.kind not in "iuf":
        return None
    shares = np.arange(1, bins) / bins
    if not len(known):
        return np.empty(0)
    numbers = known.astype(float)
    edges = np.unique(np.quantile(numbers, shares, method="inverted_cdf", weights=weight))
    return np.asarray(edges[edges < numbers.max()])


def _distinct(known: Array) -> list[Any]:
    """Numbers in their order, names as they first come."""
    values = known.tolist()
    if known.dtype.kind in "iuf":
        return sorted(set(values))
    for value in values:
        if not isinstance(value, str | bool | int | float):
            raise InputError(
                f"argument X: {value!r} is a {type(value).__name__}; a nominal input takes a "
                "string or a number: convert it"
            )
    return list(dict.fromkeys(values))
