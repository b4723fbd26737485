"""Some cells of a contingency table, named so that a thousand classes take little room."""

from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a k x k table at `places` (of the flat table, rising), or all `but` these.

    A row, a column or the diagonal has k places, and so has all that is outside of it: of each of
    k classes a table of k x k flags would be too much.

    >>> import numpy as np
    >>> Cells.row(2, 0).mask
    array([[ True,  True],
           [False, False]])
    >>> float(Cells.diagonal(3).others.total(np.ones((3, 3))))
    6.0
    """

    k: int
    places: Array
    but: bool = False

    @classmethod
    def of(cls, mask: Array) -> "Cells":
        """From a table of flags."""
        flags = mask.ravel()
        but = 2 * int(np.count_nonzero(flags)) > flags.size
        return cls(len(mask), np.flatnonzero(~flags if but else flags), but)

    @classmethod
    def every(cls, k: int) -> "Cells":
        return cls(k, np.empty(0, np.int64), but=True)

    @classmethod
    def diagonal(cls, k: int) -> "Cells":
        return cls(k, np.arange(k) * (k + 1))

    @classmethod
    def row(cls, k: int, code: int) -> "Cells":
        return cls(k, np.arange(code * k, code * k + k))

    @classmethod
    def column(cls, k: int, code: int) -> "Cells":
        return cls(k, np.arange(code, k * k, k))

    @classmethod
    def cross(cls, k: int, code: int) -> "Cells":
        """The row and the column of a class."""
        above, below = np.arange(code, code * k, k), np.arange((code + 1) * k + code, k * k, k)
        return cls(k, np.concatenate([above, cls.row(k, code).places, below]))

    @classmethod
    def one(cls, k: int, row: int, column: int) -> "Cells":
        return cls(k, np.array([row * k + column]))

    @property
    def others(self) -> "Cells":
        return Cells(self.k, self.places, not self.but)

    def less(self, place: int) -> "Cells":
        """Without one of the places."""
        return Cells(self.k, self.places[self.places != place], self.but)

    def within(self, row: int) -> "Cells":
        """Those of one row."""
        ends = np.searchsorted(self.places, [row * self.k, (row + 1) * self.k])
        mine = self.places[slice(*ends)]
        if self.but:
            mine = np.setdiff1d(Cells.row(self.k, row).places, mine, assume_unique=True)
        return Cells(self.k, mine)

    @property
    def by_row(self) -> Array:
        """How many there are in each row."""
        named = np.bincount(self.places // self.k, minlength=self.k)
        return self.k - named if self.but else named

    @property
    def mask(self) -> Array:
        """As a table of flags."""
        flags = np.full(self.k * self.k, self.but)
        flags[self.places] = not self.but
        return flags.reshape(self.k, self.k)

    def total(self, tables: Array) -> Array:
        """The sum over these cells, of one table (k, k) or of each of many."""
        flat = tables.reshape(*tables.shape[:-2], -1)
        if not self.but:
            return np.asarray(flat[..., self.places].sum(axis=-1))
        # Not the whole less the rest: of fractions, that leaves something where nothing is.
        kept = flat[..., self.mask.ravel()] if self.places.size else flat
        return np.asarray(kept.sum(axis=-1))
