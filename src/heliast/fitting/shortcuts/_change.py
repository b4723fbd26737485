"""How a training sample differs from all rows, and those rows gathered split by split."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Counts, Floats
from heliast._kernels.crew import pieces, spread
from heliast._kernels.samples import left_out


class Change(NamedTuple):
    """Statistics of a training sample = base × those of all rows + Σ weight × those of `rows`.

    Rows left out have weight -1 upon base 1; a sample drawn with repeats has its counts upon
    base 0. `weight` None stands for the same sign in all rows.

    >>> Change.of(np.array([0, 2, 3]), 4).rows
    array([1])
    >>> Change.of(np.array([0, 0, 3, 3]), 4).base
    0.0
    """

    rows: Counts
    weight: Floats | None
    base: float

    @classmethod
    def of(cls, train: Counts, n: int) -> "Change":
        """From the positions of the training rows among n rows, repeats meant."""
        if n <= 2 * train.size <= 2 * n:
            gone_rows = left_out(train, n)
            if gone_rows is not None:
                return cls.without(gone_rows)
        if train.size and (train.min() < 0 or train.max() >= n):
            raise InputError(f"train has positions outside 0 .. {n - 1}: use rows of the data")
        times = np.bincount(train, minlength=n)
        rows = np.flatnonzero(times)
        return cls(rows, times[rows].astype(np.float64), 0.0)

    @classmethod
    def without(cls, rows: Counts) -> "Change":
        """All rows but these, each once."""
        return cls(rows, None, 1.0)

    def by_class(self, codes: Counts) -> "Change":
        """The same with the rows in the order of their classes."""
        order = np.argsort(codes[self.rows], kind="stable")
        return Change(
            self.rows[order], None if self.weight is None else self.weight[order], self.base
        )

    def times(self, n: int) -> Counts:
        """How often each of n rows is in the training sample."""
        if self.weight is None:
            times = np.ones(n, np.int64)
            times[self.rows] = 0
            return times
        times = np.zeros(n, np.int64)
        times[self.rows] = self.weight.astype(np.int64)
        return times


TOGETHER = 8
"""Splits that share a buffer."""


def gather(
    table: Floats,
    positions: Sequence[Counts],
    work: Callable[[int, Floats, Floats], None],
    width: int = 0,
) -> None:
    """Call work(p, rows of the table at positions[p], scratch) for every p, on all threads.

    `scratch` has as many rows, and `width` columns. Memory for each split anew would cost more
    than the work: pages are zeroed before use.
    """

    def some(first: int, last: int) -> None:
        most = max(positions[p].size for p in range(first, last))
        buffer, scratch = np.empty((most, table.shape[1])), np.empty((most, width))
        for p in range(first, last):
            size = positions[p].size
            # "clip" writes straight into the buffer; positions were checked on entry.
            np.take(table, positions[p], axis=0, out=buffer[:size], mode="clip")
            work(p, buffer[:size], scratch[:size])

    spread(some, pieces(len(positions), TOGETHER))
