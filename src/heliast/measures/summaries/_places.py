"""Where the cells of a contingency table are that hold anything."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.kinds import Array

if TYPE_CHECKING:
    from heliast.measures.summaries._cells import Cells


@dataclass(frozen=True, eq=False)
class Places:
    """Some cells of a k x k table, named by their places in the flat table, which rise.

    Of ten thousand classes a table has a hundred million cells, and rows fill few of them.

    >>> found = Places.of(3, np.array([2, 0, 2]), np.array([1, 0, 1]))
    >>> found.rows.tolist(), found.columns.tolist()
    ([0, 2], [0, 1])
    """

    k: int
    flat: Array

    @classmethod
    def of(cls, k: int, truth: Array, label: Array) -> "Places":
        """The cells that some rows fall into."""
        return cls(k, np.unique(truth.astype(np.int64) * k + label))

    @classmethod
    def every(cls, k: int) -> "Places":
        return cls(k, np.arange(k * k))

    @property
    def size(self) -> int:
        return int(self.flat.size)

    @cached_property
    def rows(self) -> Array:
        row: Array = self.flat // self.k
        return row

    @cached_property
    def columns(self) -> Array:
        column: Array = self.flat % self.k
        return column

    @cached_property
    def diagonal(self) -> Array:
        """Which of these cells are on the diagonal: positions among them."""
        return np.flatnonzero(self.rows == self.columns)

    def find(self, flat: Array) -> Array:
        """The positions of cells that are among these; of others (which weigh nothing) any."""
        return np.minimum(np.searchsorted(self.flat, flat), max(0, self.size - 1))

    @cached_property
    def _starts(self) -> Array:
        return np.searchsorted(self.flat, np.arange(self.k + 1) * self.k)

    @cached_property
    def _by_column(self) -> tuple[Array, Array]:
        order = np.argsort(self.columns, kind="stable")
        return order, np.searchsorted(self.columns[order], np.arange(self.k + 1))

    @cached_property
    def _crosses(self) -> dict[tuple[int, int], tuple[Array, Array]]:
        return {}

    def cross(self, row: int, column: int) -> tuple[Array, Array]:
        """The positions of those in a row or in a column, and which: 3 both, 2 the row, 1 the
        column.
        """
        found = self._crosses.get((row, column))
        if found is None:
            order, starts = self._by_column
            down = order[starts[column] : starts[column + 1]]
            across = np.arange(self._starts[row], self._starts[row + 1])
            at = np.concatenate([across, down[self.rows[down] != row]])
            found = at, 2 * (self.rows[at] == row) + (self.columns[at] == column)
            if row == column:  # every measure of a class asks for these
                self._crosses[row, column] = found
        return found

    def around(self, *several: "Cells") -> Array:
        """The positions outside of which each of the sets holds all cells, or none."""
        first, *others = several
        found = [one.near(self) for one in others if one.centre != first.centre]
        near = first.near(self)
        return np.unique(np.concatenate([near, *found])) if found else near
