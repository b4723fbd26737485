"""Rows into folds and parts: stratified as evenly as counts allow, groups kept together.

Without groups, rows are shuffled within their stratum, the strata laid end to end in random order,
and every part takes its rows at even steps along that line (systematic sampling). So each part
has, of every stratum and in all, its exact share rounded up or down, and every row is equally
likely to be in each part.

With groups, the unit is the group. Larger groups go first, each to the part where it adds least to
the sum over parts and strata of count^2 / (share of the part * rows of the stratum), the distance
from proportional shares. Groups whose sizes differ by less than a factor two come in random order,
so that repeats differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast.data import Dataset
from heliast.plans.piece import Positions

Stratify = Literal["auto"] | bool | int
_BINS = 10


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows to split: positions, strata and units (groups, or rows if there are none)."""

    positions: Positions
    strata: Positions
    unit: Positions  # codes from 0, none empty
    grouped: bool

    @classmethod
    def of(cls, data: Dataset, stratify: Stratify, sampled: bool = False) -> "Rows":
        """All rows of the data; `sampled` is passed to `strata_of`."""
        unit = unit_codes(data)
        strata = strata_of(data, stratify, sampled)
        return cls(np.arange(data.n), strata, unit, int(unit.max()) + 1 < data.n)

    @property
    def n(self) -> int:
        return int(self.positions.size)

    @property
    def units(self) -> int:
        return int(self.unit.max()) + 1

    def __str__(self) -> str:
        return f"{self.n} rows in {self.units} groups" if self.grouped else f"{self.n} rows"

    def only(self, mask: npt.NDArray[np.bool_]) -> "Rows":
        """The rows of a mask."""
        unit = _codes(self.unit[mask])
        return Rows(self.positions[mask], self.strata[mask], unit, self.grouped)

    def folds(self, k: int, rng: Generator) -> list[Positions]:
        """The positions of k folds of equal size."""
        if k > self.units:
            raise InputError(f"{self} can be split into {self.units} folds at most")
        if self.grouped:
            part = self._assign_groups([1 / k] * k, rng)
        else:
            part = np.empty(self.n, np.int64)
            part[self._line(rng)] = rng.permutation(k)[np.arange(self.n) % k]
        order = np.argsort(part, kind="stable")
        ends = np.cumsum(np.bincount(part, minlength=k))[:-1]
        return np.split(self.positions[order], ends)

    def sizes(self, *shares: float) -> list[int]:
        """Rows in parts of these shares and in the rest; no part may be empty."""
        sizes = [int(share * self.n + 0.5) for share in shares]
        sizes.append(self.n - sum(sizes))
        if min(sizes) < 1 or self.units < len(sizes):
            raise InputError(f"a part of {self} is empty; give more rows or other shares")
        return sizes

    def parts(self, sizes: Sequence[int], rng: Generator) -> list["Rows"]:
        """Parts of these sizes, which sum to n (with groups: as near as they allow)."""
        if self.grouped:
            part = self._assign_groups([size / self.n for size in sizes], rng)
            return [self.only(part == code) for code in range(len(sizes))]
        parts, rest = [], self
        for size in sizes[:-1]:
            # Whole numbers, because a step of size / n in floats could lose or gain a row.
            steps = np.arange(rest.n + 1) * size + int(rng.integers(rest.n))
            mask = np.zeros(rest.n, bool)
            mask[rest._line(rng)] = np.diff(steps // rest.n) > 0
            parts.append(rest.only(mask))
            rest = rest.only(~mask)
        return [*parts, rest]

    def _line(self, rng: Generator) -> Positions:
        """Rows by stratum, strata in random order, shuffled within."""
        shuffled = rng.permutation(self.n)
        rank = rng.permutation(int(self.strata.max()) + 1)
        return shuffled[np.argsort(rank[self.strata[shuffled]], kind="stable")]

    def _assign_groups(self, shares: Sequence[float], rng: Generator) -> Positions:
        """The part of each row when whole groups go to parts of these shares."""
        units, k = self.units, int(self.strata.max()) + 1
        sizes = np.bincount(self.unit)
        counts = np.zeros((units, k + 1))
        np.add.at(counts, (self.unit, self.strata), 1)
        counts[:, k] = sizes  # balances the rows of a part whatever their stratum
        weight = 1 / np.maximum(counts.sum(axis=0), 1)
        order = rng.permutation(units)
        order = order[np.argsort(-np.floor(np.log2(sizes[order])), kind="stable")]
        names = rng.permutation(len(shares))
        share = np.asarray(shares)[names]
        held = np.zeros((len(shares), k + 1))
        part = np.empty(units, np.int64)
        for assigned, unit in enumerate(order):
            cost = (2 * held + counts[unit]) @ (counts[unit] * weight) / share
            empty = held[:, k] == 0
            if empty.sum() >= units - assigned:  # no part may stay empty
                cost[~empty] = np.inf
            best = int(np.argmin(cost))
            held[best] += counts[unit]
            part[unit] = names[best]
        return part[self.unit]


def strata_of(data: Dataset, stratify: Stratify, sampled: bool = False) -> Positions:
    """Stratum codes: classes, quantile bins of a number if asked for, or one stratum for all.

    Plans that sample their parts (`sampled`) take "auto" to mean two classes only. Parts with the
    class shares of all rows make training and test rows more alike than new samples are. With more
    than two classes of few rows that hides a good part of the error, the more the larger the test
    part is (docs/coverage.md). With two classes it hides next to nothing, and a training part
    without one of them is of no use.
    """
    by_class = data.task == "classification"
    if stratify == "auto":
        stratify = by_class and not (sampled and np.unique(data.y_true).size > 2)
    if stratify is False:
        return np.zeros(data.n, np.int64)
    if by_class and stratify is True:
        return _codes(data.y_true)
    if by_class or not isinstance(stratify, int):
        raise InputError(
            f"stratify must be 'auto', True, False or, for numbers, a number of bins: {stratify!r}"
        )
    bins = _BINS if stratify is True else stratify
    edges = np.quantile(data.y_true, np.linspace(0, 1, bins + 1)[1:-1])
    return _codes(np.searchsorted(edges, data.y_true, side="right"))


def stratified(stratify: Stratify, task: str, sampled: bool = False) -> str:
    """How strata are formed, as the end of a plan's words.

    >>> stratified("auto", "classification"), stratified("auto", "classification", sampled=True)
    (', stratified', ', stratified if there are two classes')
    >>> stratified(4, "regression"), stratified("auto", "regression")
    (', stratified by 4 quantile bins', '')
    """
    if stratify is False or (task == "regression" and stratify == "auto"):
        return ""
    if task == "regression":
        return f", stratified by {_BINS if stratify is True else stratify} quantile bins"
    return ", stratified" + " if there are two classes" * (sampled and stratify == "auto")


def unit_codes(data: Dataset) -> Positions:
    """The group of each row, coded from 0; the row itself if no two rows share a group."""
    codes = np.arange(data.n) if data.group is None else _codes(data.group)
    return codes if codes.max() + 1 < data.n else np.arange(data.n)


def _codes(values: ArrayLike) -> Positions:
    return np.unique(np.asarray(values), return_inverse=True)[1].astype(np.int64)
