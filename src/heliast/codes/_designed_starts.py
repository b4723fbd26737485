"""Where the search for designed codes begins: constructions that are good already."""

import numpy as np
import numpy.typing as npt

from heliast.codes._describe import between_columns, smallest
from heliast.codes._fixed import parity
from heliast.codes.matrix import Code, dichotomies, wasted_columns

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
        bits: Code = chosen[:, None] >> np.arange(columns)[None, :] & 1
        return bits

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
    found: Code = parity(points[:, None] & np.arange(2**degree)[None, :]) ^ bent[:, None]
    return found


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
