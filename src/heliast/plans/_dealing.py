"""Dealing rows into parts: by class as evenly as counts allow, groups kept together.

Without groups, rows are shuffled within their class, the classes laid end to end in random order,
and every part takes its rows at even steps along that line (systematic sampling). So each part
holds, of every class and in all, its exact share rounded up or down, and every row is equally
likely to be in each part.

With groups, the unit is the group. Larger groups go first, each to the part where it adds least to
sum over parts and classes of count^2 / (share of the part * rows of the class), the distance of the
class table from proportional shares. Groups whose sizes differ by less than a factor two come in
random order, so that repeats differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans._piece import Positions

Stratify = Literal["auto"] | bool | int
DEALT = {
    "k": "int, default 10: Number of folds, at least 2.",
    "stratify": "Stratify, default 'auto': Whether classes are dealt evenly: `auto` does so for "
    "classes; a number is so many quantile bins of a number target.",
}
"""What settings mean that plans with folds share."""
DRAWN = {
    "train": "float, default 0.6666666666666666: Share of the rows to train on, above 0 and below "
    "1.",
    "stratify": "Stratify, default 'auto': Whether classes are dealt evenly: `auto` does so for "
    "two classes; a number is so many quantile bins of a number target.",
}
"""What settings mean that plans with drawn parts share."""
_BINS = 10


@dataclass(frozen=True, eq=False)
class Deck:
    """The rows to deal: their positions, stratum codes and (from 0, none empty) group codes."""

    positions: Positions
    strata: npt.NDArray[np.int64]
    group: npt.NDArray[np.int64] | None

    @classmethod
    def of(cls, data: Dataset, stratify: Stratify = "auto") -> "Deck":
        """All rows of the data."""
        group = group_codes(data)
        return cls(np.arange(data.n), strata_of(data, stratify), group)

    @property
    def n(self) -> int:
        return int(self.positions.size)

    @property
    def units(self) -> int:
        """What is dealt: groups, or rows."""
        return self.n if self.group is None else int(self.group.max()) + 1

    def only(self, chosen: npt.NDArray[np.bool_]) -> "Deck":
        """The deck of the chosen rows."""
        group = None
        if self.group is not None:
            group = np.unique(self.group[chosen], return_inverse=True)[1]
        return Deck(self.positions[chosen], self.strata[chosen], group)

    def folds(self, k: int, rng: np.random.Generator) -> list[Positions]:
        """The positions of k folds of equal size."""
        if self.group is not None:
            part = self._dealt([1 / k] * k, rng)
        else:
            part = np.empty(self.n, np.int64)
            part[self._line(rng)] = rng.permutation(k)[np.arange(self.n) % k]
        order = np.argsort(part, kind="stable")
        ends = np.cumsum(np.bincount(part, minlength=k))[:-1]
        return np.split(self.positions[order], ends)

    def divide(self, size: int, rng: np.random.Generator) -> tuple["Deck", "Deck"]:
        """A part of `size` rows (with groups: as near as they allow) and the rest."""
        first, rest = self.parts([size, self.n - size], rng)
        return first, rest

    def parts(self, sizes: Sequence[int], rng: np.random.Generator) -> list["Deck"]:
        """Parts of these sizes, which sum to n (with groups: as near as they allow)."""
        if self.group is not None:
            part = self._dealt([size / self.n for size in sizes], rng)
            return [self.only(part == code) for code in range(len(sizes))]
        found, rest = [], self
        for size in sizes[:-1]:
            first = rest._stepped(size, rng)
            found.append(rest.only(first))
            rest = rest.only(~first)
        return [*found, rest]

    def _stepped(self, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Which rows are taken at even steps along the line."""
        # Whole numbers, because a step of size / n in floats could lose or gain a row.
        at = np.arange(self.n + 1) * size + int(rng.integers(self.n))
        taken = np.zeros(self.n, bool)
        taken[self._line(rng)] = np.diff(at // self.n) > 0
        return taken

    def _line(self, rng: np.random.Generator) -> Positions:
        """Rows by stratum, strata in random order, shuffled within."""
        shuffled = rng.permutation(self.n)
        rank = rng.permutation(int(self.strata.max()) + 1)
        return shuffled[np.argsort(rank[self.strata[shuffled]], kind="stable")]

    def _dealt(self, shares: Sequence[float], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The part of each row when groups are dealt to parts of these shares."""
        assert self.group is not None
        k = int(self.strata.max()) + 1
        table = np.bincount(self.group * k + self.strata, minlength=self.units * k)
        counts = table.reshape(self.units, k).astype(np.float64)
        sizes = counts.sum(axis=1)
        # The last column balances the rows of a part whatever their class.
        counts = np.column_stack([counts, sizes])
        weight = 1 / np.maximum(counts.sum(axis=0), 1)
        order = rng.permutation(self.units)
        order = order[np.argsort(-np.floor(np.log2(sizes[order])), kind="stable")]
        names = rng.permutation(len(shares))
        held = np.zeros((len(shares), k + 1))
        share = np.asarray(shares, np.float64)[names]
        part = np.empty(self.units, np.int64)
        for dealt, unit in enumerate(order):
            cost = ((2 * held + counts[unit]) @ (counts[unit] * weight)) / share
            empty = held[:, -1] == 0
            if int(empty.sum()) >= self.units - dealt:  # no part may stay empty
                cost[~empty] = np.inf
            taker = int(np.argmin(cost))
            held[taker] += counts[unit]
            part[unit] = names[taker]
        return part[self.group]


def strata_of(data: Dataset, stratify: Stratify) -> npt.NDArray[np.int64]:
    """Stratum codes: classes, quantile bins of a number if asked for, or one stratum for all."""
    if data.task == "classes":
        if isinstance(stratify, int) and not isinstance(stratify, bool):
            raise InputError(f"stratify={stratify}: bins are for numbers, the target has classes")
        if stratify is False:
            return np.zeros(data.n, np.int64)
        return np.unique(data.truth, return_inverse=True)[1].astype(np.int64)
    if stratify is False or stratify == "auto":
        return np.zeros(data.n, np.int64)
    bins = _BINS if stratify is True else int(stratify)
    edges = np.quantile(data.truth, np.linspace(0, 1, bins + 1)[1:-1])
    codes = np.searchsorted(edges, data.truth, side="right")
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def dealt(stratify: Stratify, task: str, drawn: bool = False) -> str:
    """How rows come into parts, in words; `drawn` parts take "auto" as `unless_many` does.

    >>> dealt("auto", "classes"), dealt("auto", "classes", drawn=True), dealt(4, "number")
    ('by class', 'by class where there are two', 'by 4 quantile bins')
    """
    if stratify is False or (task == "number" and stratify == "auto"):
        return "at random"
    if task == "number":
        return f"by {_BINS if stratify is True else stratify} quantile bins"
    return "by class where there are two" if drawn and stratify == "auto" else "by class"


def times(count: int) -> str:
    """How often.

    >>> times(1), times(5)
    ('once', '5 times')
    """
    return "once" if count == 1 else f"{count} times"


def unless_many(stratify: Stratify, data: Dataset) -> Stratify:
    """What "auto" means to plans that draw their parts: by class, at random if there are many.

    Parts with the class shares of the whole make training and test rows more alike than new samples
    are. With more than two classes of few rows that hides a good part of the error, the more the
    larger the test part is (docs/coverage.md). With two classes it hides next to nothing, and a
    training part without one of them is of no use.
    """
    many = data.task == "classes" and np.count_nonzero(np.bincount(data.truth)) > 2
    return False if stratify == "auto" and many else stratify


def group_codes(data: Dataset) -> npt.NDArray[np.int64] | None:
    """Group codes from 0; None if there are no groups, or if every row is its own."""
    if data.group is None:
        return None
    values: npt.NDArray[Any] = np.asarray(data.group)
    codes = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return None if int(codes.max()) + 1 == data.n else codes
