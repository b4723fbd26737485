"""The search behind designed codes: where it starts, and flips that give up nothing."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.codes._describe import between_columns, between_rows, smallest
from heliast.codes._fixed import parity
from heliast.codes.matrix import Code, dichotomies, wasted_columns

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
        return np.asarray(np.minimum(distances, self.k - distances))

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
        nearest = [self._rows_after(i, np.array([b])).min() for i in range(self.k)]
        allowed = np.flatnonzero(np.array(nearest) >= floor)
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

    def _flip(self, i: int, b: int) -> None:
        row_step = 2 * (self.code[i, b] == self.code[:, b]) - 1
        column_step = 2 * (self.code[i, b] == self.code[i]) - 1
        row_step[i] = column_step[b] = 0
        self.rows[i] += row_step
        self.rows[:, i] += row_step
        self.columns[b] += column_step
        self.columns[:, b] += column_step
        self.code[i, b] ^= 1


FEW = 14
"""Up to so many columns all 2^B words are listed for a lexicographic code."""
SUBSETS = 100
"""Choices of k words that are tried."""
SWAPS = 2000
"""Exchanges of a column that are tried."""
POLYNOMIALS = {2: 7, 3: 11, 4: 19, 5: 37, 6: 67, 7: 131, 8: 285, 9: 529, 10: 1033}
"""A primitive polynomial over the field of two elements for each degree, as bits."""


def rounds(k: int, times: int) -> Code:
    """Every question, so many times: equidistant."""
    numbers = np.arange(1, dichotomies(k) + 1)
    return np.tile(numbers[None, :] << 1 >> np.arange(k)[:, None] & 1, (1, times))


def words(k: int, columns: int, rng: np.random.Generator) -> list[Code]:
    """k words of the lexicographic code of the largest distance that has so many."""
    if columns > FEW or 2**columns < k:
        return []
    for distance in range(columns, 0, -1):
        found = _lexicographic(columns, distance, 16 * k)
        if found.size >= k:
            return [_spread(found, k, columns, rng)]
    return []


def _lexicographic(columns: int, distance: int, most: int) -> Code:
    """Of all words in order, each that is far enough from those before."""
    left = np.arange(2**columns)
    found: list[int] = []
    while left.size and len(found) < most:
        found.append(left[0])
        left = left[np.bitwise_count(left ^ left[0]) >= distance]
    return np.array(found)


def _spread(found: Code, k: int, columns: int, rng: np.random.Generator) -> Code:
    """Of several choices of k words, the one with the best columns."""

    def choice() -> Code:
        chosen = rng.permutation(found)[:k] ^ rng.integers(2**columns)
        return np.asarray(chosen[:, None] >> np.arange(columns)[None, :] & 1)

    choices = [choice() for _ in range(SUBSETS)]
    return max(
        choices, key=lambda code: (-sum(wasted_columns(code)), smallest(between_columns(code)))
    )


def quadratic(k: int, columns: int, rng: np.random.Generator) -> list[Code]:
    """Columns x -> trace(a x^3) + b.x over a binary field, the classes being points x.

    For a fixed a, all b together make every two points differ in exactly half of the columns, and
    columns of different a differ in nearly half of the points: so whole sets are taken, and for
    the rest a choice from one set more, or two.
    """
    degree = max(2, (k - 1).bit_length())
    if degree not in POLYNOMIALS or columns > 4**degree // 2:
        return []
    points = rng.permutation(2**degree)[:k]
    full = (columns + 1) // 2**degree
    whole = max(0, full * 2**degree - 1)  # the set a = 0 lacks its constant column
    found = []
    for more in (1, 2):
        sets = range(min(2**degree, full + more))
        table = _without_waste(np.hstack([_coset(degree, a, points) for a in sets]))
        if table.shape[1] >= columns:
            found.append(_completed(table, whole, columns, rng))
    return found


def _completed(table: Code, whole: int, columns: int, rng: np.random.Generator) -> Code:
    """The first columns, and of the others a choice that leaves the nearest rows far apart.

    The choice is improved by exchanging one column at a time as long as fewer pairs of rows are
    nearest, or none is as near.
    """
    signs = 1.0 - 2.0 * table
    size = table.shape[1]
    order = np.concatenate([np.arange(whole), whole + rng.permutation(size - whole)])
    if whole == columns or size == columns:
        return table[:, order[:columns]]
    alike = signs[:, order[:columns]] @ signs[:, order[:columns]].T
    np.fill_diagonal(alike, -np.inf)
    worst = _worst(alike)
    for _ in range(SWAPS):
        out, into = rng.integers(whole, columns), rng.integers(columns, size)
        gone, come = signs[:, order[out]], signs[:, order[into]]
        after = alike + np.multiply.outer(come, come) - np.multiply.outer(gone, gone)
        if _worst(after) <= worst:
            alike, worst = after, _worst(after)
            order[[out, into]] = order[[into, out]]
    return table[:, order[:columns]]


def _worst(alike: npt.NDArray[np.float64]) -> tuple[float, int]:
    """How alike the nearest rows are, and how many are so."""
    most = float(alike.max())
    return most, int((alike == most).sum())


def _without_waste(table: Code) -> Code:
    """Columns in order, without constant ones and those that repeat or complement another."""
    seen = {bytes(table.shape[0])}
    keep = []
    for at, column in enumerate(np.ascontiguousarray((table ^ table[:1]).T.astype(np.uint8))):
        if column.tobytes() not in seen:
            seen.add(column.tobytes())
            keep.append(at)
    return table[:, keep]


def _coset(degree: int, a: int, points: Code) -> Code:
    """(points, 2^degree): trace(a x^3) + b.x for every b."""
    bent = np.array([_trace(_times(a, _cube(int(x), degree), degree), degree) for x in points])
    return np.asarray(parity(points[:, None] & np.arange(2**degree)[None, :]) ^ bent[:, None])


def _times(a: int, b: int, degree: int) -> int:
    """The product in the field of 2^degree elements."""
    found = 0
    while b:
        if b & 1:
            found ^= a
        b >>= 1
        a <<= 1
        if a >> degree:
            a ^= POLYNOMIALS[degree]
    return found


def _cube(x: int, degree: int) -> int:
    return _times(x, _times(x, x, degree), degree)


def _trace(x: int, degree: int) -> int:
    """x + x^2 + x^4 + ...: 0 or 1."""
    total = 0
    for _ in range(degree):
        total ^= x
        x = _times(x, x, degree)
    return total & 1
