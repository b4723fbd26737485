"""The search behind designed codes: flips of single entries, never giving up what was reached."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.codes._describe import between_columns, between_rows, smallest
from heliast.codes.matrix import Code, wasted_columns

PATIENCE = 150
"""A phase ends after so many flips without gain; more gain little on the sizes that are tested."""


def quality(code: Code) -> tuple[int, int, int]:
    """(no wasted column, smallest row distance, smallest column separation): larger is better."""
    whole = -sum(wasted_columns(code))
    return whole, smallest(between_rows(code)), smallest(between_columns(code))


class Search:
    """Climbs from one code: first rows apart, then columns, as far as rows allow.

    `rows` (k, k) and `columns` (B, B) are the Hamming distances of the code as it stands; the
    diagonals are set as far as can be, so that minima need no mask.
    """

    def __init__(self, code: Code, rng: np.random.Generator) -> None:
        self.code = code.copy()
        self.k, self.B = code.shape
        self.rng = rng
        self.far = 4 * max(self.k, self.B)
        self.rows = between_rows(code)
        self.columns = between_rows(code.T).astype(np.int32)
        np.fill_diagonal(self.rows, self.far)
        np.fill_diagonal(self.columns, self.k // 2)

    def best(self) -> Code:
        """The best code met on the way."""
        top, kept = quality(self.code), self.code.copy()
        for step in (self._part_rows, self._part_columns, self._part_rows):
            idle = 0
            while idle < PATIENCE:
                step()
                idle += 1
                now = quality(self.code) if self._improved(top) else top
                if now > top:
                    top, kept, idle = now, self.code.copy(), 0
        return kept

    def _improved(self, top: tuple[int, int, int]) -> bool:
        row, column = int(self.rows.min()), int(self._separation(self.columns).min())
        return (row, column) > top[1:] or top[0] < 0

    def _separation(self, distances: npt.NDArray[Any]) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = np.minimum(distances, self.k - distances)
        return found

    def _part_rows(self) -> None:
        """Flip the best entry of a row that is nearest to another; columns stay as separated."""
        i, other = self._nearest(self.rows)
        floor = int(self._separation(self.columns).min())
        agree = self.code[i] == self.code[other]
        allowed = np.flatnonzero(agree & self._column_stays(i, floor))
        if not allowed.size:
            return
        here = self._rows_after(i, allowed)
        low = here.min(axis=0)
        # The worst distance decides, then how many have it: pack both in one number.
        count = (here == np.minimum(low, self.rows.min())).sum(axis=0)
        worth = low * self.far - count
        now = self.rows[i].min() * self.far - (self.rows[i] == self.rows.min()).sum()
        pick = self._pick(worth)
        if worth[pick] >= now:
            self._flip(i, int(allowed[pick]))

    def _part_columns(self) -> None:
        """Flip the best entry of a column that is nearest to another; rows stay as far apart."""
        separation = self._separation(self.columns)
        b, _ = self._nearest(separation)
        floor = int(self.rows.min())
        allowed = np.array([i for i in range(self.k) if self._row_stays(i, b, floor)], np.int64)
        if not allowed.size:
            return
        after = self._columns_after(b, allowed)
        low = after.min(axis=1)
        count = (after == low[:, None]).sum(axis=1)
        worth = low * self.far - count
        now = separation[b].min() * self.far - (separation[b] == separation[b].min()).sum()
        pick = self._pick(worth)
        if worth[pick] >= now:
            self._flip(int(allowed[pick]), b)

    def _nearest(self, distances: Code) -> tuple[int, int]:
        """One of the nearest pairs, drawn."""
        pairs = np.argwhere(distances == distances.min())
        i, other = pairs[self.rng.integers(len(pairs))]
        return int(i), int(other)

    def _pick(self, worth: Code) -> int:
        """The place of the largest, drawn among equals."""
        places = np.flatnonzero(worth == worth.max())
        return int(places[self.rng.integers(places.size)])

    def _rows_after(self, i: int, at: Code) -> Code:
        """(k, len(at)): distances from row i if its entry in one of the columns were flipped."""
        step = 2 * (self.code[i, at] == self.code[:, at]) - 1
        found: Code = self.rows[i][:, None] + step
        found[i] = self.far
        return found

    def _columns_after(self, b: int, at: Code) -> Code:
        """(len(at), B): separations of column b if its entry in one of the rows were flipped."""
        step = 2 * (self.code[at, b][:, None] == self.code[at]) - 1
        found: Code = self._separation(self.columns[b][None, :] + step)
        found[:, b] = self.k // 2
        ones = self.code[:, b].sum() + 1 - 2 * self.code[at, b]
        found[(ones == 0) | (ones == self.k)] = 0  # a constant column asks nothing
        return found

    def _column_stays(self, i: int, floor: int) -> Code:
        """For every column: is it still as separated after a flip in row i?"""
        signs = (1 - 2 * self.code[i]).astype(np.int32)
        after = self.columns + signs[:, None] * signs
        np.fill_diagonal(after, self.k // 2)
        after = self._separation(after)
        ones = self.code.sum(axis=0) + 1 - 2 * self.code[i]
        stays = (after.min(axis=1) >= floor) & (ones > 0) & (ones < self.k)
        return np.asarray(stays)

    def _row_stays(self, i: int, b: int, floor: int) -> bool:
        return bool(self._rows_after(i, np.array([b])).min() >= floor)

    def _flip(self, i: int, b: int) -> None:
        row_step = 2 * (self.code[i, b] == self.code[:, b]) - 1
        column_step = 2 * (self.code[i, b] == self.code[i]) - 1
        row_step[i] = column_step[b] = 0
        self.rows[i] += row_step
        self.rows[:, i] += row_step
        self.columns[b] += column_step
        self.columns[:, b] += column_step
        self.code[i, b] ^= 1
