"""First-order influences on estimates, cell by cell, and how estimates vary together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.clusters import adjusted
from heliast._core.kinds import Array
from heliast.measures.summaries._cells import Cells
from heliast.measures.summaries._places import Places

if TYPE_CHECKING:
    from heliast.measures.summaries._contingency import Contingency


_NUMBERS = 1 << 22
"""Most sums of groups held at a time (32 MB)."""
_NOISE = 1e-12
"""A variance below this share of what was added up to it is rounding (of sums: its square)."""


@dataclass(frozen=True, eq=False)
class Influence:
    """What a row in a cell adds to an estimate: `constant`, and `values` more at some places.

    `at` are positions among the places that it was asked of.
    """

    constant: float
    at: Array
    values: Array

    @classmethod
    def of_share(
        cls, places: Places, hits: Cells, base: Cells, value: float, size: float
    ) -> "Influence":
        """That on the share `value` of the cells `hits` among those of `base`: (h - value b)/size.

        >>> import numpy as np
        >>> found = Influence.of_share(
        ...     Places.every(2), Cells.one(2, 0, 0), Cells.row(2, 0), 0.7, 1.0
        ... )
        >>> found.table(4).round(1).tolist()
        [0.3, -0.7, 0.0, 0.0]
        """
        constant = (hits.far - value * base.far) / size
        if hits.flags and hits.centre == base.centre:
            pairs = zip(hits.flags, base.flags, strict=True)
            at, region = hits.regions(places)
            values = np.array([(hit - value * one) / size - constant for hit, one in pairs])[region]
        else:
            at = places.around(hits, base)
            rows, columns = places.rows[at], places.columns[at]
            flags = hits.holds(rows, columns).astype(float), base.holds(rows, columns)
            values = (flags[0] - value * flags[1]) / size - constant
        there = values != 0
        return cls(constant, at[there], values[there])

    def times(self, factor: float) -> "Influence":
        return Influence(factor * self.constant, self.at, factor * self.values)

    def table(self, size: int) -> Array:
        """The influence at each of so many places."""
        return together([self], size)


def tiny(share: Array) -> Array:
    """Shares of 0 as hardly anything: a rate of that class varies, though nothing hangs on it.

    Its influence is divided by the share and multiplied by it again, which 0 does not survive.
    """
    raised: Array = np.maximum(share, 1e-100)
    return raised


def together(influences: Sequence[Influence], size: int) -> Array:
    """The sum of several, at each of so many places."""
    at = np.concatenate([one.at for one in influences])
    values = np.concatenate([one.values for one in influences])
    total: Array = np.bincount(at, values, minlength=size)
    return total + sum(one.constant for one in influences)


# --- how estimates vary together ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Matrix:
    """A matrix with few numbers that are not 0: these, with their rows and columns."""

    shape: tuple[int, int]
    rows: Array
    columns: Array
    values: Array

    def times(self, vector: Array) -> Array:
        return np.bincount(self.rows, self.values * vector[self.columns], self.shape[0])

    def across(self, vector: Array) -> Array:
        """The transposed matrix times a vector."""
        return np.bincount(self.columns, self.values * vector[self.rows], self.shape[1])

    def squares(self, weight: Array) -> Array:
        """For each row, the sum of weight times value times value."""
        return np.bincount(self.rows, weight[self.columns] * self.values**2, self.shape[0])

    def dots(self, other: "_Matrix") -> Array:
        """For each row, its product with that of a matrix with numbers at the same places."""
        return np.bincount(self.rows, self.values * other.values, self.shape[0])

    def rest(self, values: Array) -> "_Matrix":
        """Other numbers at the same places."""
        return _Matrix(self.shape, self.rows, self.columns, values)


@dataclass(frozen=True, eq=False)
class Covariance:
    """How m estimates vary together, asked for variances and products: m x m may be too much.

    Parts: `values` of estimates by cell, what is `added` to them by level to centre them (a level
    is a class, where classes are strata; otherwise there is one), `factor` by level.
    """

    table: "Contingency"
    values: _Matrix
    level: Array
    """The level of each cell."""
    added: _Matrix
    factor: Array

    @classmethod
    def of(cls, table: "Contingency", influences: Sequence[Influence]) -> "Covariance":
        """Less the mean of the level; what is the same in all cells drops out."""
        m, places = len(influences), table.places
        of = np.repeat(np.arange(m), [one.at.size for one in influences])
        at = np.concatenate([one.at for one in influences])
        values = _Matrix(
            (m, places.size), of, at, np.concatenate([one.values for one in influences])
        )
        level = places.rows if table.by_class else np.zeros(places.size, np.int64)
        sums = _levels(values, table.weight, level, table.k if table.by_class else 1)
        if not table.by_class:
            return cls(table, values, level, sums.rest(-sums.values / table.n), np.ones(1))
        there = table.actual > 0
        size = np.where(there, table.actual, 1.0)
        factor = np.where(there, table.stratum_share, 0.0) * table.n / size
        return cls(table, values, level, sums.rest(-sums.values / size[sums.columns]), factor)

    @property
    def m(self) -> int:
        return self.values.shape[0]

    def times(self, vector: Array) -> Array:
        """The matrix of covariances times a vector."""
        known = ~self._still
        return np.where(known, self._product(np.where(known, vector, 0.0)), 0.0) / self.table.n**2

    @property
    def variances(self) -> Array:
        return np.where(self._still, 0.0, self._squares[0]) / self.table.n**2

    @property
    def matrix(self) -> Array:
        """All (m, m), for few estimates."""
        return np.column_stack([self.times(one) for one in np.eye(self.m)])

    @cached_property
    def _still(self) -> Array:
        """Estimates of which rounding alone makes a variance."""
        found, added = self._squares
        still: Array = found <= _NOISE * added
        return still

    # --- rows, or sums of groups -------------------------------------------------------------

    @cached_property
    def _heavy(self) -> Array:
        """The weight of each cell."""
        weight = self.table.weight if self.table.heavy is None else self.table.heavy
        heavy: Array = weight * self.factor[self.level] ** 2
        return heavy

    @cached_property
    def _sums(self) -> _Matrix:
        return _levels(self.values, self._heavy, self.level, self.factor.size)

    @cached_property
    def _totals(self) -> Array:
        return np.bincount(self.level, self._heavy, self.factor.size)

    def _product(self, vector: Array) -> Array:
        if self.table.clusters is not None:
            found = np.zeros(self.m)
            for taken, given in self._groups():
                sums = taken + given
                found += sums @ (sums.T @ vector)
            return found
        centred = self.added.across(vector)
        found = self.values.times(self._heavy * self.values.across(vector))
        return (
            found
            + self._sums.times(centred)
            + self.added.times(self._sums.across(vector) + self._totals * centred)
        )

    @cached_property
    def _squares(self) -> tuple[Array, Array]:
        """n^2 times each variance, and what was added up to it."""
        if self.table.clusters is not None:
            if self.table.clusters.groups < 2:
                return np.full(self.m, np.nan), np.zeros(self.m)
            found, added = np.zeros(self.m), np.zeros(self.m)
            for taken, given in self._groups():
                found += ((taken + given) ** 2).sum(axis=1)
                added += (taken**2).sum(axis=1) + (given**2).sum(axis=1)
            return found, _NOISE * added
        own, rest = self.values.squares(self._heavy), self.added.squares(self._totals)
        return own + 2 * self._sums.dots(self.added) + rest, own + rest

    def _groups(self) -> Iterator[tuple[Array, Array]]:
        """(m, some groups): adjusted sums over each group, of what centres values and of values."""
        clusters = self.table.clusters
        assert clusters is not None
        size = adjusted(np.ones(clusters.groups), clusters.size)
        cell = self.table.places.find(clusters.cell)
        entry, at = clusters.meeting(self.table.places.flat[self.values.columns])
        of, group, level = self.values.rows[entry], clusters.place[at], self.level[cell]
        heavy = clusters.count * self.factor[level]
        value = heavy[at] * self.values.values[entry]
        m, levels = self.m, self.factor.size
        block = max(1, _NUMBERS // max(m, levels))
        for start in range(0, clusters.groups, block):
            many = min(block, clusters.groups - start)
            here = slice(*np.searchsorted(clusters.place, [start, start + many]))
            rows = np.bincount(
                level[here] * many + clusters.place[here] - start, heavy[here], levels * many
            ).reshape(levels, many)
            mine = (group >= start) & (group < start + many)
            sums = np.bincount(of[mine] * many + group[mine] - start, value[mine], m * many)
            factor = size[start : start + many]
            taken = np.zeros((m, many))
            np.add.at(taken, self.added.rows, self.added.values[:, None] * rows[self.added.columns])
            yield taken * factor, sums.reshape(m, many) * factor


def _levels(values: _Matrix, weight: Array, level: Array, levels: int) -> _Matrix:
    """For each estimate and level that its cells are of, the sum of weight times value."""
    m = values.shape[0]
    key, place = np.unique(values.rows * levels + level[values.columns], return_inverse=True)
    sums = np.bincount(place, weight[values.columns] * values.values, key.size)
    return _Matrix((m, levels), key // levels, key % levels, sums)
