"""Numbers to the numbers of their bins; the values of inputs that have few."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._jit import kernel, part
from .crew import pieces, spread

VALUES = 1 << 15
"""Values of a piece: its inputs and bins stay in cache."""
STEPS = 8
"""Steps of a search in one of the tables of borders."""


@part
def _below(value: float, table: Any, first: Any, steps: int) -> Any:
    """How many of 2^steps borders from `first` on lie below the value.

    The number of steps is known when this is compiled, so that no step is a jump that may be
    guessed wrong: several values are looked up at a time.
    """
    low = first
    for step in range(steps):
        half = np.uintp(1 << (steps - 1 - step))
        low += half if table[low + half - np.uintp(1)] < value else np.uintp(0)
    return np.int64(low - first) + (table[low] < value)


@part
def _below_of_many(value: float, upper: Any, first: int, last: int) -> Any:
    """How many of the borders upper[first:last] lie below the value."""
    low, size = first, last - first
    while size > 0:
        half = size >> 1
        if upper[low + half] < value:
            low += half + 1
            size -= half + 1
        else:
            size = half
    return low - first


@kernel
def _encode(
    X: Any, table: Any, upper: Any, first: Any, missing: Any, exact: Any, column: Any, start: int,
    stop: int, by_row: int, by_column: int, codes: Any,
) -> None:  # fmt: skip
    rows, step = range(np.uintp(start), np.uintp(stop)), np.uintp(by_row)
    for f in range(X.shape[1]):
        at, end, none = first[f], first[f + 1], missing[f]
        to = np.uintp(column[f] * by_column)
        borders = np.uintp(f << STEPS)
        if end - at <= 2:
            for i in rows:
                bin_ = _below(X[i, f], table, borders, 1)
                codes[to + i * step] = bin_ if X[i, f] == X[i, f] else none
        elif end - at <= 1 << STEPS:
            for i in rows:
                bin_ = _below(X[i, f], table, borders, STEPS)
                codes[to + i * step] = bin_ if X[i, f] == X[i, f] else none
        else:
            for i in rows:
                bin_ = _below_of_many(X[i, f], upper, at, end)
                codes[to + i * step] = bin_ if X[i, f] == X[i, f] else none
        if exact[f]:
            # A nominal value that was never seen has a bin of its own, after the missing one.
            for i in rows:
                bin_ = at + np.int64(codes[to + i * step])
                if X[i, f] == X[i, f] and (bin_ == end or upper[bin_] != X[i, f]):
                    codes[to + i * step] = none + 1


@kernel
def _note_values(X: Any, first: int, last: int, table: Any, count: Any, missing: Any) -> None:
    """Values of the columns first to last, sorted, and their number, up to one more than fit."""
    most, step = 1 << STEPS, max(VALUES // max(last - first, 1), 1)
    for start in range(0, X.shape[0], step):
        rows = range(np.uintp(start), np.uintp(min(start + step, X.shape[0])))
        for f in range(first, last):
            at, size, none, others = np.uintp(f << STEPS), count[f], missing[f], 0
            # Most pieces of a flag hold nothing but its two values.
            one, two = table[at], table[at + np.uintp(1)]
            for i in rows:
                none |= X[i, f] != X[i, f]
                others += (X[i, f] != one) & (X[i, f] != two)
            missing[f] = none
            if others == 0:
                continue
            for i in rows:
                value = X[i, f]
                if size > most:
                    break
                low = _below(value, table, at, STEPS)
                there = low < size and table[at + np.uintp(low)] == value
                if there or value != value:
                    continue
                if size < most:
                    for j in range(size, low, -1):
                        table[at + np.uintp(j)] = table[at + np.uintp(j - 1)]
                    table[at + np.uintp(low)] = value
                size += 1
            count[f] = size


def values_of(X: Floats) -> tuple[Floats, Any, Any]:
    """The values of each column (d, 256), sorted; their number, 257 if more; which miss some."""
    d, group = X.shape[1], 8
    table, count = np.full((d, 1 << STEPS), np.nan), np.zeros(d, np.int64)
    missing = np.zeros(d, np.bool_)
    ends = [(f, min(f + group, d)) for f in range(0, d, group)]
    spread(_note_values, [(X, *end, table.ravel(), count, missing) for end in ends])
    return table, count, missing


def encode(
    X: Floats,
    upper: Floats,
    first: Any,
    missing: Any,
    exact: Any,
    codes: npt.NDArray[Any],
    column: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """codes[i, f] = how many of the borders of column f lie below X[i, f]; NaN gets missing[f].

    In a column that is `exact`, a value that is no border gets missing[f] + 1. `codes` may be the
    transpose of an array that holds one column after the other. With `column` the codes of column
    f go to codes[i, column[f]].
    """
    column = np.arange(X.shape[1]) if column is None else column
    count = np.diff(first)
    table = np.full((X.shape[1], 1 << STEPS), np.inf)
    few = count <= 1 << STEPS
    table[few[:, None] & (np.arange(1 << STEPS) < count[:, None])] = upper[np.repeat(few, count)]
    given = (X, table.ravel(), upper, first, missing, exact, column)
    rows = max(VALUES // max(X.shape[1], 1), 1)
    # Flat, so that how they lie is no type of its own.
    into = (*(step // codes.itemsize for step in codes.strides), codes.ravel("K"))
    spread(_encode, [(*given, *ends, *into) for ends in pieces(X.shape[0], rows)])
    return codes
