"""Derivatives of functions of tables, exact to rounding, by a complex step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array

_STEP = 1e-30
_CELLS = 1 << 22
"""Most complex numbers held at a time (64 MB)."""
_FEW = 24
"""Classes up to which every cell is looked at."""
_CHECKED = 64
"""Cells that are looked at to see whether the margins and the diagonal are all that counts."""


def table_gradient(function: Callable[[Array], Array], table: Array) -> Array:
    """The derivative of `function` by each cell of a (k, k) table.

    f(x + ih) = f(x) + ih f'(x) + O(h^2) for a function without comparisons or absolute values, so
    the imaginary part over h is the derivative without any cancellation (Squire and Trapp 1998).
    The function takes arrays (..., k, k) and gives (...).

    >>> table_gradient(lambda t: t[..., 0, 0] / t.sum(axis=(-2, -1)), np.eye(2))
    array([[ 0.25, -0.25],
           [-0.25, -0.25]])
    """
    k = len(table)
    if k > _FEW:
        found = _by_margins(function, table)
        if found is not None:
            return found
    every = np.arange(table.size)
    return _cells(function, table, every).reshape(table.shape)


def margins(tables: Array) -> tuple[Array, Array, Array]:
    """Diagonals, row sums and column sums (..., k) of tables (..., k, k)."""
    return np.diagonal(tables, axis1=-2, axis2=-1), tables.sum(axis=-1), tables.sum(axis=-2)


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of a function of margins: by each diagonal cell, row sum and column sum (k)."""

    by_hit: Array
    by_row: Array
    by_column: Array

    def at(self, rows: Array, columns: Array) -> Array:
        """By some cells: by their row, by their column, and on the diagonal by that, too."""
        on = np.where(rows == columns, self.by_hit[rows], 0.0)
        return self.by_row[rows] + self.by_column[columns] + on

    @property
    def row_sums(self) -> Array:
        """Added up over all cells of each row."""
        total: Array = self.by_row.size * self.by_row + self.by_column.sum() + self.by_hit
        return total

    def row_squares(self, mean: Array) -> Array:
        """The squared distances from the mean of each row, added up over all its cells."""
        away, column, hit = self.by_row - mean, self.by_column, self.by_hit
        plain = away.size * away**2 + 2 * away * column.sum() + (column**2).sum()
        total: Array = plain + 2 * hit * (away + column) + hit**2
        return total


@dataclass(frozen=True, eq=False)
class MarginFunction:
    """A function of the diagonal, the row sums and the column sums of tables, each (..., k).

    `parts` gives some numbers for each class, (..., k), from those of the class and the sum of the
    whole table; `whole` the value (...) from the sum of each over classes. So the derivatives by
    all margins take no longer than a few values.

    >>> right = MarginFunction(lambda hits, rows, columns, n: (hits, rows), lambda h, n: h / n)
    >>> float(right(*margins(np.eye(2))))
    1.0
    >>> right.slopes(*margins(np.eye(2))).at(np.array([0, 0]), np.array([0, 1]))
    array([ 0. , -0.5])
    """

    parts: Callable[[Array, Array, Array, Array], tuple[Array, ...]]
    whole: Callable[..., Array]

    def __call__(self, hits: Array, actual: Array, decided: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            total = actual.sum(axis=-1)[..., None]
            parts = self.parts(hits, actual, decided, total)
            return self.whole(*(part.sum(axis=-1) for part in parts))

    def slopes(self, hits: Array, actual: Array, decided: Array) -> Slopes:
        """The derivatives, by the chain rule: of the value by each sum, of a class's part by each
        of its margins, and by the sum of the whole table.
        """
        total = actual.sum(keepdims=True)
        given = hits, actual, decided, total
        with np.errstate(divide="ignore", invalid="ignore"):
            sums = [part.sum() for part in self.parts(*given)]
            weights = [np.imag(self.whole(*_moved(sums, at))) / _STEP for at in range(len(sums))]
            by = []
            for at in range(4):
                parts = self.parts(*_moved(given, at))
                pairs = zip(weights, parts, strict=True)
                by.append(np.asarray(sum(w * np.imag(part) for w, part in pairs)) / _STEP)
        k = hits.size
        by_hit, by_row, by_column = (np.broadcast_to(part, k) for part in by[:3])
        return Slopes(by_hit, by_row + np.broadcast_to(by[3], k).sum(), by_column)


@dataclass(frozen=True, eq=False)
class CellSlopes:
    """Derivatives by every cell of a table (k, k), where its margins do not tell all."""

    by_cell: Array

    def at(self, rows: Array, columns: Array) -> Array:
        """By some cells."""
        return self.by_cell[rows, columns]

    @property
    def row_sums(self) -> Array:
        """Added up over all cells of each row."""
        total: Array = self.by_cell.sum(axis=1)
        return total

    def row_squares(self, mean: Array) -> Array:
        """The squared distances from the mean of each row, added up over all its cells."""
        total: Array = ((self.by_cell - mean[:, None]) ** 2).sum(axis=1)
        return total


@dataclass(frozen=True, eq=False)
class CellFunction:
    """A function of whole tables (..., k, k), with its derivative (k, k) by the cells of one."""

    value: Callable[[Array], Array]
    derivative: Callable[[Array], Array]

    def __call__(self, tables: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.value(tables)

    def slopes(self, table: Array) -> CellSlopes:
        """The derivatives at one table."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return CellSlopes(self.derivative(table))


def _moved(values: Sequence[Array], at: int) -> list[Array]:
    """The same, one of them a small imaginary step away."""
    return [value + 1j * _STEP if place == at else value for place, value in enumerate(values)]


def _cells(function: Callable[[Array], Array], table: Array, cells: Array) -> Array:
    """The derivative by some cells, given by their places in the flat table."""
    gradient = np.empty(cells.size)
    block = max(1, _CELLS // table.size)
    for start in range(0, cells.size, block):
        chosen = cells[start : start + block]
        moved = np.tile(table.astype(np.complex128).ravel(), (chosen.size, 1))
        moved[np.arange(chosen.size), chosen] += 1j * _STEP
        with np.errstate(divide="ignore", invalid="ignore"):
            values = function(moved.reshape(-1, *table.shape))
        gradient[start : start + block] = np.imag(values) / _STEP
    return gradient


def _by_margins(function: Callable[[Array], Array], table: Array) -> Array | None:
    """The gradient of a function of the margins and the diagonal, from 3k cells instead of k^2.

    Off the diagonal it is a_i + b_j, so one column, one row and two corners give all of it; cells
    spread over the table show whether that holds. None if it does not.
    """
    k = len(table)
    at = np.arange(k)
    diagonal = at * (k + 1)
    corners = np.array([2, 2 * k + 1])  # cells (0, 2) and (2, 1)
    spread = np.random.default_rng(k).integers(0, k * k, _CHECKED)
    asked = np.concatenate([at * k, k + at, diagonal, corners, spread])
    found = _cells(function, table, asked)
    column, row = found[:k].copy(), found[k : 2 * k].copy()  # (i, 0) and (1, j)
    column[0] = column[1] + found[3 * k] - row[2]
    row[1] = row[0] + found[3 * k + 1] - column[2]
    gradient: Array = column[:, None] + row - column[1]
    gradient[at, at] = found[2 * k : 3 * k]
    seen = found[3 * k + 2 :]
    close = 1e-9 * max(1.0, float(np.abs(found).max(initial=0.0)))
    return gradient if np.allclose(gradient.ravel()[spread], seen, 0, close, True) else None
