"""Some cells of a contingency table, named so that ten thousand classes take little room."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.measures.summaries._places import Places


class Cells:
    """Cells of a k x k table: a row, a column, both, the diagonal, any flags, or all but these.

    They are named, not listed: of each of k classes a table of k x k flags would be too much.
    `near` tells which of some places have to be looked at one by one; all others are in the set
    if `far` is true.

    >>> import numpy as np
    >>> Cells.row(2, 0).mask
    array([[ True,  True],
           [False, False]])
    >>> float(Cells.diagonal(3).others.total(np.ones((3, 3))))
    6.0
    """

    k: int
    far: bool
    code: int | None = None
    """The class whose row and column these are about, if it is one."""

    # --- which -----------------------------------------------------------------------------

    @staticmethod
    def of(mask: Array) -> "Cells":
        """From a table of flags."""
        return _Flagged(len(mask), mask)

    @staticmethod
    def every(k: int) -> "Cells":
        return _Diagonal(k, True, True)

    @staticmethod
    def diagonal(k: int) -> "Cells":
        return _Diagonal(k, True, False)

    @staticmethod
    def row(k: int, code: int) -> "Cells":
        return _Cross(k, code, code, both=True, across=True)

    @staticmethod
    def column(k: int, code: int) -> "Cells":
        return _Cross(k, code, code, both=True, down=True)

    @staticmethod
    def missed(k: int, code: int) -> "Cells":
        """The row of a class without its hits."""
        return _Cross(k, code, code, across=True)

    @staticmethod
    def taken(k: int, code: int) -> "Cells":
        """The column of a class without its hits."""
        return _Cross(k, code, code, down=True)

    @staticmethod
    def cross(k: int, code: int) -> "Cells":
        """The row and the column of a class."""
        return _Cross(k, code, code, both=True, across=True, down=True)

    @staticmethod
    def one(k: int, row: int, column: int) -> "Cells":
        return _Cross(k, row, column, both=True)

    @property
    def others(self) -> "Cells":
        raise NotImplementedError

    def within(self, row: int) -> "Cells":
        """Those of one row."""
        raise NotImplementedError

    # --- asked -----------------------------------------------------------------------------

    @property
    def centre(self) -> Hashable:
        """Sets of one centre have the same places near."""
        raise NotImplementedError

    def near(self, places: Places) -> Array:
        raise NotImplementedError

    def holds(self, rows: Array, columns: Array) -> Array:
        """Whether cells are among these."""
        raise NotImplementedError

    @property
    def flags(self) -> tuple[bool, ...]:
        """Whether each region of the places near is among these, where they fall into regions."""
        return ()

    def regions(self, places: Places) -> tuple[Array, Array]:
        """The places near, and the region of each."""
        raise NotImplementedError

    @property
    def by_row(self) -> Array:
        """How many there are in each row."""
        raise NotImplementedError

    @property
    def in_one_row(self) -> bool:
        """Whether all of them are in one row."""
        return int(np.count_nonzero(self.by_row)) == 1

    def of_class(self, hits: Any, actual: Any, decided: Any, total: Any) -> Any:
        """The rows in a class's cells, from its hits and margins and the number of all rows."""
        raise NotImplementedError

    @property
    def mask(self) -> Array:
        """As a table of flags."""
        at = np.arange(self.k)
        return np.broadcast_to(self.holds(at[:, None], at[None, :]), (self.k, self.k))

    def total(self, tables: Array) -> Array:
        """The sum over these cells, of one table (k, k) or of each of many."""
        # Not the whole less the rest: of fractions, that leaves something where nothing is.
        flat = tables.reshape(*tables.shape[:-2], -1)
        return np.asarray(flat[..., np.flatnonzero(self.mask)].sum(axis=-1))


@dataclass(frozen=True)
class _Cross(Cells):
    """Parts of a row and a column: the cell of both, the rest of each, and what is in neither."""

    k: int
    at: int
    to: int
    both: bool = False
    across: bool = False
    down: bool = False
    far: bool = False

    @property
    def code(self) -> int | None:  # type: ignore[override]
        return self.at if self.at == self.to else None

    @property
    def others(self) -> Cells:
        flags = not self.both, not self.across, not self.down, not self.far
        return _Cross(self.k, self.at, self.to, *flags)

    def within(self, row: int) -> Cells:
        if row == self.at:
            return _Cross(self.k, row, self.to, self.both, self.across)
        return _Cross(self.k, row, self.to, self.down, self.far)

    @property
    def centre(self) -> Hashable:
        return self.at, self.to

    def near(self, places: Places) -> Array:
        return places.cross(self.at, self.to)[0]

    def regions(self, places: Places) -> tuple[Array, Array]:
        return places.cross(self.at, self.to)

    @property
    def flags(self) -> tuple[bool, ...]:
        return self.far, self.down, self.across, self.both

    def holds(self, rows: Array, columns: Array) -> Array:
        found: Array = np.array(self.flags)[2 * (rows == self.at) + (columns == self.to)]
        return found

    @property
    def in_one_row(self) -> bool:
        if self.k == 2:  # what is outside of one row is the other
            return super().in_one_row
        return (self.both or self.across) and not (self.down or self.far)

    @property
    def by_row(self) -> Array:
        found = np.full(self.k, self.down + (self.k - 1) * self.far)
        found[self.at] = self.both + (self.k - 1) * self.across
        return found

    def of_class(self, hits: Any, actual: Any, decided: Any, total: Any) -> Any:
        if self.at != self.to:
            return super().of_class(hits, actual, decided, total)
        missed, taken = actual - hits, decided - hits
        found = self.both * hits + self.across * missed + self.down * taken
        return found + (total - hits - missed - taken) if self.far else found


@dataclass(frozen=True)
class _Diagonal(Cells):
    """The diagonal, all that is off it, or both."""

    k: int
    on: bool
    far: bool

    @property
    def others(self) -> Cells:
        return _Diagonal(self.k, not self.on, not self.far)

    def within(self, row: int) -> Cells:
        return _Cross(self.k, row, row, self.on, self.far)

    @property
    def centre(self) -> Hashable:
        return "diagonal"

    def near(self, places: Places) -> Array:
        return places.diagonal

    def regions(self, places: Places) -> tuple[Array, Array]:
        return places.diagonal, np.zeros(places.diagonal.size, np.int64)

    @property
    def flags(self) -> tuple[bool, ...]:
        return (self.on,)

    def holds(self, rows: Array, columns: Array) -> Array:
        return np.where(rows == columns, self.on, self.far)

    @property
    def by_row(self) -> Array:
        return np.full(self.k, self.on + (self.k - 1) * self.far)


@dataclass(frozen=True, eq=False)
class _Flagged(Cells):
    """Any cells."""

    k: int
    table: Array
    far: bool = False

    @property
    def others(self) -> Cells:
        return _Flagged(self.k, ~self.table)

    def within(self, row: int) -> Cells:
        return _Flagged(self.k, self.table & (np.arange(self.k) == row)[:, None])

    @property
    def centre(self) -> Hashable:
        return "anywhere"

    def near(self, places: Places) -> Array:
        return np.arange(places.size)

    def holds(self, rows: Array, columns: Array) -> Array:
        found: Array = self.table[rows, columns]
        return found

    @property
    def by_row(self) -> Array:
        found: Array = np.count_nonzero(self.table, axis=1)
        return found
