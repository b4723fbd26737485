"""First-order influences on estimates, cell by cell, and how estimates vary together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.clusters import adjusted
from heliast._core.kinds import Array
from heliast.measures.summaries._cells import Cells
from heliast.measures.summaries._clusters import Clusters

if TYPE_CHECKING:
    from heliast.measures.summaries._contingency import Contingency


_NUMBERS = 1 << 22
"""Most sums of groups held at a time (32 MB)."""
_NOISE = 1e-12
"""A variance below this share of what was added up to it is rounding (of sums: its square)."""


@dataclass(frozen=True, eq=False)
class Influence:
    """What a row in a cell adds to an estimate: `constant`, and `values` more at `places`."""

    constant: float
    places: Array
    values: Array

    @classmethod
    def of_share(cls, hits: Cells, base: Cells, value: float, size: float) -> "Influence":
        """That on the share `value` of the cells `hits` among those of `base`: (h - value b)/size.

        >>> import numpy as np
        >>> found = Influence.of_share(Cells.one(2, 0, 0), Cells.row(2, 0), 0.7, 1.0)
        >>> found.table(2).round(1).tolist()
        [[0.3, -0.7], [0.0, 0.0]]
        """
        if hits.but and not base.but:
            rest = np.setdiff1d(base.places, hits.places, assume_unique=True)
            hits = Cells(base.k, rest)
        if hits.but != base.but:  # the hits have other places than those outside the base
            places = np.concatenate([hits.places, base.places])
            values = np.repeat([1.0, value], [hits.places.size, base.places.size])
            return cls(-value / size, places, values / size)
        # Hits belong to the base, and what is outside the base is outside the hits.
        (wide, all_), (narrow, more) = (base, -value), (hits, 1.0)
        if hits.but:
            (wide, all_), (narrow, more) = (hits, -1.0), (base, value)
        values = np.full(wide.places.size, all_)
        values[np.searchsorted(wide.places, narrow.places)] += more
        return cls((1.0 - value) / size if hits.but else 0.0, wide.places, values / size)

    def times(self, factor: float) -> "Influence":
        return Influence(factor * self.constant, self.places, factor * self.values)

    def table(self, k: int) -> Array:
        """The whole table (k, k)."""
        return together([self], k)


def tiny(share: Array) -> Array:
    """Shares of 0 as hardly anything: a rate of that class varies, though nothing hangs on it.

    Its influence is divided by the share and multiplied by it again, which 0 does not survive.
    """
    raised: Array = np.maximum(share, 1e-100)
    return raised


def together(influences: Sequence[Influence], k: int) -> Array:
    """The sum of several, as a table (k, k)."""
    places = np.concatenate([one.places for one in influences])
    values = np.concatenate([one.values for one in influences])
    constant = sum(one.constant for one in influences)
    total: Array = np.bincount(places, values, minlength=k * k) + constant
    return total.reshape(k, k)


@dataclass(frozen=True, eq=False)
class _Entries:
    """The values of m influences at their places, in the order of the places."""

    m: int
    of: Array
    places: Array
    values: Array

    @classmethod
    def from_(cls, influences: Sequence[Influence]) -> "_Entries":
        of = np.repeat(np.arange(len(influences)), [one.places.size for one in influences])
        places = np.concatenate([one.places for one in influences])
        values = np.concatenate([one.values for one in influences])
        order = np.argsort(places, kind="stable")
        return cls(len(influences), of[order], places[order], values[order])

    def at(self, chosen: Array) -> "_Entries":
        return _Entries(self.m, self.of[chosen], self.places[chosen], self.values[chosen])

    def products(self, weight: Array) -> Array:
        """(m, m): sums over cells of weight times value times value."""
        m, size = self.m, self.places.size
        total = np.zeros(m * m)
        for step in range(size):
            # Entries of one cell stand together: each with itself, with the next, and so on.
            same = np.flatnonzero(self.places[step:] == self.places[: size - step])
            if not same.size:
                break
            other = same + step
            value = weight[self.places[same]] * self.values[same] * self.values[other]
            total += np.bincount(self.of[same] * m + self.of[other], value, m * m)
            if step:
                total += np.bincount(self.of[other] * m + self.of[same], value, m * m)
        return total.reshape(m, m)

    def sums(self, weight: Array, levels: "_Levels") -> Array:
        """(m, levels): sums over the cells of a level of weight times value."""
        value = weight[self.places] * self.values
        place = self.of * levels.many + levels.of(self.places)
        return np.bincount(place, value, self.m * levels.many).reshape(self.m, levels.many)


@dataclass(frozen=True)
class _Levels:
    """The levels of cells: their classes, where these are strata; otherwise one for all."""

    many: int
    width: int

    @classmethod
    def in_(cls, table: "Contingency") -> "_Levels":
        return cls(table.k, table.k) if table.by_class else cls(1, table.k**2)

    def of(self, places: Array) -> Array:
        level: Array = places // self.width
        return level

    def totals(self, weight: Array) -> Array:
        total: Array = weight.reshape(self.many, self.width).sum(axis=1)
        return total


@dataclass(frozen=True, eq=False)
class _Centring:
    """How values are centred, by the level of a cell: a factor, and (m, levels) that is added."""

    levels: _Levels
    factor: Array
    added: Array

    @classmethod
    def of(cls, table: "Contingency", entries: _Entries) -> "_Centring":
        """Less the mean of the level; what is the same in all cells drops out."""
        levels = _Levels.in_(table)
        sums = entries.sums(table.counts.ravel(), levels)
        if not table.by_class:
            return cls(levels, np.ones(1), -sums / table.n)
        there = table.actual > 0
        size = np.where(there, table.actual, 1.0)
        return cls(levels, np.where(there, table.stratum_share, 0.0) * table.n / size, -sums / size)


def covariance(table: "Contingency", influences: Sequence[Influence]) -> Array:
    """Covariances (m, m) of m estimates, from what rows (or groups) in each cell add to them.

    For independent rows: sum over rows of w^2 psi psi' / n^2, psi about its mean. For groups, the
    sums per group replace the rows, see `adjusted`. For class counts fixed by design, classes are
    strata: psi about its mean in the class, scaled from the class's share to its prevalence.
    """
    entries = _Entries.from_(influences)
    entries = entries.at(table.counts.ravel()[entries.places] > 0)
    centring = _Centring.of(table, entries)
    if table.clusters is not None:
        return _of_groups(table, table.clusters, entries, centring)
    weight = (table.counts if table.squares is None else table.squares).ravel()
    levels = centring.levels
    heavy = (weight.reshape(levels.many, -1) * centring.factor[:, None] ** 2).ravel()
    squares = entries.products(heavy)
    cross = entries.sums(heavy, levels) @ centring.added.T
    rest = (centring.added * levels.totals(heavy)) @ centring.added.T
    found = squares + cross + cross.T + rest
    return _without_noise(found, np.diagonal(squares) + np.diagonal(rest)) / table.n**2


def _of_groups(
    table: "Contingency", clusters: Clusters, entries: _Entries, centring: _Centring
) -> Array:
    if clusters.groups < 2:
        return np.full((entries.m, entries.m), np.nan)
    product, added = np.zeros((entries.m, entries.m)), np.zeros(entries.m)
    factor, start = adjusted(np.ones(clusters.groups), clusters.size), 0
    for taken, given in _group_sums(clusters, entries, centring):
        sums = (taken + given) * factor[start : start + taken.shape[1]]
        start += taken.shape[1]
        product += sums @ sums.T
        added += (taken**2).sum(axis=1) + (given**2).sum(axis=1)
    return _without_noise(product, _NOISE * added) / table.n**2


def _group_sums(
    clusters: Clusters, entries: _Entries, centring: _Centring
) -> Iterator[tuple[Array, Array]]:
    """(m, some groups): sums over the rows of each group, of what centres values and of values."""
    m, levels = centring.added.shape
    entry, at = clusters.meeting(entries.places)
    of, group, level = entries.of[entry], clusters.place[at], centring.levels.of(clusters.cell)
    heavy = clusters.count * centring.factor[level]
    value = heavy[at] * entries.values[entry]
    block = max(1, _NUMBERS // max(m, levels))
    for start in range(0, clusters.groups, block):
        size = min(block, clusters.groups - start)
        here = slice(*np.searchsorted(clusters.place, [start, start + size]))
        rows = np.bincount(
            level[here] * size + clusters.place[here] - start, heavy[here], levels * size
        )
        mine = (group >= start) & (group < start + size)
        sums = np.bincount(of[mine] * size + group[mine] - start, value[mine], m * size)
        yield centring.added @ rows.reshape(levels, size), sums.reshape(m, size)


def _without_noise(found: Array, added: Array) -> Array:
    """Without what rounding left of variances that are nothing."""
    nothing = np.diagonal(found) <= _NOISE * added
    found[nothing, :] = 0.0
    found[:, nothing] = 0.0
    return found
