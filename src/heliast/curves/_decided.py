"""Rows counted by what two rules decide over thresholds, and limits of the net benefit between."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast.curves._chosen import Chosen
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

DRAWS = 20_000
"""Draws of the largest deviation: its quantile is good to about 1%."""
FEWEST_GROUPS, FEW_GROUPS = 5, 20
ROUNDING = 1e-18


@dataclass(frozen=True, eq=False)
class Decided:
    """Kinds of rows: true class, and at how many thresholds either rule calls them positive.

    The i-th kind is called positive by us at the first ours[i] thresholds; `weight` and `squares`
    sum the weights of its rows and their squares, `groups` (sparse) the weight by group. `alone`
    says which rule can be alone in calling a row positive: we (1), they (-1). `worth` is the number
    of distinct data rows per row.
    """

    threshold: Array
    alone: tuple[int, ...]
    ours: Array
    theirs: Array
    positive: Array
    weight: Array
    squares: Array
    sampling: bool
    worth: float
    groups: Any = None

    @classmethod
    def of(
        cls, mine: Chosen, other: Chosen | None, threshold: Array, alone: tuple[int, ...]
    ) -> "Decided":
        """Count the rows; without another model it calls none positive, or all if it is alone."""
        side = threshold.size + 1
        sums = np.zeros((2, 2 * side**2))
        kind = np.empty(0, np.int64)
        for rows in _chunks(mine.rows):
            theirs: Any = 0 if 1 in alone else side - 1
            if other is not None:
                theirs = _passed(other, other.rows, threshold)
            kind = 2 * (side * _passed(mine, rows, threshold) + theirs)
            kind += rows.is_class(mine.code or 0)
            weight = _weights(rows)
            sums += [np.bincount(kind, each, 2 * side**2) for each in (weight, weight**2)]
        there = np.flatnonzero(sums[0])
        groups = None
        if mine.rows.group is not None:
            # A kind whose rows all weigh nothing is not there; elsewhere they weigh nothing too.
            place = np.minimum(np.searchsorted(there, kind), there.size - 1)
            groups = _by_group(mine.rows, mine.rows.group, place, there.size)
        return cls(
            threshold,
            alone,
            there // 2 // side,
            there // 2 % side,
            there % 2 == 1,
            sums[0, there],
            sums[1, there],
            sampling=mine.rows.weight_kind == "sampling",
            worth=mine.worth,
            groups=groups,
        )

    @cached_property
    def price(self) -> Array:
        """A false positive in units of true ones."""
        return np.asarray(self.threshold / (1 - self.threshold))

    @cached_property
    def total(self) -> float:
        return float(self.weight.sum())

    @property
    def share(self) -> float:
        """The share of the class."""
        return float(self.weight[self.positive].sum()) / self.total

    @property
    def n(self) -> float:
        """The independent rows that all rows are worth, groups aside."""
        rows = self.total**2 / self.squares.sum() if self.sampling else self.total
        return float(rows) * self.worth

    @cached_property
    def sides(self) -> Array:
        """Who alone calls each kind positive at each threshold: we (1), they (-1), neither (0)."""
        at = np.arange(self.threshold.size)
        return (self.ours[:, None] > at) * 1.0 - (self.theirs[:, None] > at)

    @cached_property
    def gain(self) -> Array:
        """What each kind adds to the net benefit at each threshold."""
        return np.asarray(self.sides * np.where(self.positive[:, None], 1.0, -self.price))

    @cached_property
    def value(self) -> Array:
        """Our net benefit less theirs."""
        return np.asarray(self.weight @ self.gain / self.total)

    # --- how it varies -----------------------------------------------------------------------

    @cached_property
    def units(self) -> float:
        """Independent units: rows, or as many groups of equal size as these tell (Kish 1965)."""
        if self.groups is None:
            return self.n
        sizes = self.groups.sum(axis=1)
        return float(sizes.sum() ** 2 / (sizes**2).sum())

    @property
    def few_groups(self) -> tuple[str, tuple[str, ...]]:
        """Why there can be no limits, or what to say of them."""
        count = FEW_GROUPS if self.groups is None else self.groups.shape[0]
        if count < FEWEST_GROUPS:
            return f"only {count} groups: a band needs at least {FEWEST_GROUPS}", ()
        few = (f"only {count} groups: the band may be too narrow",)
        return "", few if count < FEW_GROUPS else ()

    @cached_property
    def covariance(self) -> Array:
        """That of the values at any two thresholds."""
        influence = self.gain - self.value
        if self.groups is None:
            heavy = self.squares if self.sampling else self.weight
            found: Array = influence.T @ (heavy[:, None] * influence)
            return found / self.total**2 / self.worth
        sums = self.groups @ influence
        factor = len(sums) / max(len(sums) - 1, 1)
        return np.asarray(factor * sums.T @ sums / self.total**2)

    @cached_property
    def effective(self) -> Array:
        """Rows that the value at each threshold rests on; the units where nothing varies."""
        within = self.weight @ (self.gain - self.value) ** 2 / self.total
        variance = np.diagonal(self.covariance)
        found = np.full(within.size, self.units)
        np.divide(within, variance, out=found, where=variance > ROUNDING)
        return np.minimum(found, self.n)

    def quantile(self, level: float) -> float:
        """The two-sided quantile for one threshold: normal, Student's with groups."""
        return quantile(level, None if self.groups is None else max(self.units - 1, 1.0))

    def critical(self, level: float, seed: int) -> float:
        """The quantile of the largest |deviation|, in standard errors, over all thresholds."""
        spread = np.sqrt(np.diagonal(self.covariance))
        some = spread**2 > ROUNDING
        if np.count_nonzero(some) < 2:
            return self.quantile(level)
        related = (self.covariance / np.outer(spread, spread).clip(ROUNDING))[np.ix_(some, some)]
        values, vectors = np.linalg.eigh(related)
        keep = values > 1e-9 * values[-1]
        rng = np.random.default_rng(seed)
        drawn = rng.standard_normal((DRAWS, int(keep.sum())))
        largest = np.abs(drawn @ (vectors[:, keep] * np.sqrt(values[keep])).T).max(axis=1)
        if self.groups is not None:
            df = max(self.units - 1, 1.0)
            largest /= np.sqrt(rng.chisquare(df, DRAWS) / df)
        return max(self.quantile(level), float(np.quantile(largest, level)))

    def limits(self, q: float) -> tuple[Array, Array]:
        """The mean -+ q standard errors after q²/4 rows joined each kind that counts.

        The kinds are true and false positives of ours alone and of theirs alone, as far as these
        can be. The limits are widened to hold the raw value.
        """
        sure = self.positive[:, None]
        kinds = [
            (side * amount, (self.sides == side) & here)
            for side in self.alone
            for amount, here in ((np.ones(self.price.size), sure), (-self.price, ~sure))
        ]
        gain = np.array([amount for amount, _ in kinds])
        count = np.array([self.weight @ here for _, here in kinds]) / self.total * self.effective
        size = self.effective + len(kinds) * q**2 / 4
        share = (count + q**2 / 4) / size
        mean = (gain * share).sum(axis=0)
        half = q * np.sqrt(((gain**2 * share).sum(axis=0) - mean**2) / size)
        return np.minimum(mean - half, self.value), np.maximum(mean + half, self.value)


def _chunks(rows: Rows) -> Iterator[Rows]:
    yield from rows.chunks() if isinstance(rows, ScannedRows) else [rows]


def _passed(chosen: Chosen, rows: Rows, threshold: Array) -> Array:
    """The number of thresholds that do not exceed the forecast of each row."""
    return np.searchsorted(threshold, rows.score_of(chosen.code or 0), "right")


def _weights(rows: Rows) -> Array:
    return np.ones(rows.n) if rows.weight is None else rows.weight.astype(np.float64)


def _by_group(rows: Rows, group: Array, kind: Array, kinds: int) -> Any:
    """The weight of each kind of row in each group."""
    from scipy.sparse import csr_array

    names, place = np.unique(group, return_inverse=True)
    return csr_array((_weights(rows), (place, kind)), shape=(names.size, kinds))
