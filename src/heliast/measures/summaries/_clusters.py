"""Clusters: counts per group and cell, so that groups (not rows) are what varies."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heliast._core.kinds import Array


@dataclass(frozen=True, eq=False)
class Clusters:
    """Weight of each (group, cell) that occurs; groups are codes common to the whole table.

    >>> Clusters.of(np.array([0, 0, 1]), np.array([2, 2, 0])).count
    array([2., 1.])
    """

    group: Array
    cell: Array
    count: Array

    @classmethod
    def of(cls, group: Array, cell: Array, weight: Array | None = None) -> "Clusters":
        cells = int(cell.max(initial=0)) + 1
        key = group.astype(np.int64) * cells + cell
        keys, inverse = np.unique(key, return_inverse=True)
        count = np.bincount(inverse, weights=weight, minlength=keys.size).astype(np.float64)
        return cls(keys // cells, keys % cells, count)

    def __add__(self, other: "Clusters") -> "Clusters":
        return Clusters.of(
            np.concatenate([self.group, other.group]),
            np.concatenate([self.cell, other.cell]),
            np.concatenate([self.count, other.count]),
        )

    @cached_property
    def groups(self) -> int:
        """How many groups there are."""
        return int(np.unique(self.group).size)

    @cached_property
    def size(self) -> Array:
        """The rows of each group."""
        return np.bincount(self.place, weights=self.count)

    @cached_property
    def place(self) -> Array:
        """The groups numbered from 0 on; they rise, as entries stand group by group."""
        return np.unique(self.group, return_inverse=True)[1]

    @cached_property
    def _by_cell(self) -> tuple[Array, Array]:
        order = np.argsort(self.cell, kind="stable")
        return order, self.cell[order]

    def meeting(self, cells: Array) -> tuple[Array, Array]:
        """All pairs of one of these cells and an entry there: positions of both."""
        order, ordered = self._by_cell
        first, last = (np.searchsorted(ordered, cells, side) for side in ("left", "right"))
        many = last - first
        mine = np.repeat(np.arange(cells.size), many)
        step = np.arange(mine.size) - np.repeat(np.cumsum(many) - many, many)
        return mine, order[np.repeat(first, many) + step]

    def sums(self, value: Array) -> Array:
        """Per group, the sum over its rows of a value given per entry."""
        return np.bincount(self.place, weights=self.count * value)

    def tables(self, cells: int) -> Array:
        """One table (flattened to `cells`) per group."""
        names, place = np.unique(self.group, return_inverse=True)
        flat = np.bincount(
            place * cells + self.cell, weights=self.count, minlength=names.size * cells
        )
        return flat.reshape(names.size, cells)
