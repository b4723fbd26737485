"""What the kernels of trees share: parting rows, random states, growing arrays, bits of a word."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types

from ._jit import kernel, part, plainly
from ._vectors import EIGHT


class Cells(NamedTuple):
    """Where bins stand in a histogram: bin b of column f at first[b] + f.

    Columns are inputs in the order of their bins, those with most first, so that a bin's cells
    are those of the columns that have it, in whole eights.
    """

    first: Any
    """(bins + 1,): the last is the size of the histogram."""
    bins: Any
    """Bins of each column."""
    column: Any
    """The column of each input."""
    input: Any
    """The input of each column."""
    many: int
    """Columns that have more than two bins, and (`two`) more than one."""
    two: int


def cells_of(bins: npt.NDArray[Any]) -> Cells:
    """The histogram of inputs that have so many bins each.

    >>> cells = cells_of(np.array([2, 3]))
    >>> cells.first, cells.bins, cells.input
    (array([ 0,  8, 16, 24]), array([3, 2]), array([1, 0]))
    """
    input_ = np.argsort(-bins.astype(np.int64), kind="stable")
    bins = bins[input_].astype(np.int64)
    having = (bins[:, None] > np.arange(bins.max(initial=0))).sum(axis=0)
    first = np.concatenate([[0], np.cumsum(-(-having // EIGHT) * EIGHT)]).astype(np.int64)
    many, two = int((bins > 2).sum()), int((bins > 1).sum())
    return Cells(first, bins, np.argsort(input_), input_, many, two)


def inputs_of(feature: npt.NDArray[Any], cells: Cells) -> npt.NDArray[Any]:
    """The input that each node asks for, from its column; -1 stays."""
    found: npt.NDArray[Any] = np.append(cells.input, -1)[feature].astype(np.int32)
    return found


@part
def partition(rows: Any, idx: Any, start: int, stop: int, f: int, low: int, aside: Any) -> Any:
    """Put the rows whose bin is above `low` behind the others, in their order; where they begin."""
    to, kept = np.uintp(start), np.uintp(0)
    feature, last = np.uintp(f), np.uint8(low)
    for j in range(np.uintp(start), np.uintp(stop)):
        row = idx[j]
        right = np.uintp(rows[np.uintp(row), feature] > last)
        idx[to] = row
        aside[kept] = row
        kept += right
        to += np.uintp(1) - right
    for j in range(kept):
        idx[to + j] = aside[j]
    return np.int64(to)


@kernel
def x_log_x(x: Any, table: Any) -> Any:
    """x log x, 0 at 0; looked up where there is a table for whole numbers."""
    if table.size > 0:
        return table[np.int64(x)]
    return x * math.log(x) if x > 0.0 else 0.0


@part
def next_state(state: Any, right: Any) -> Any:
    """The random state of a child: it depends on the way from the root and on nothing else."""
    step = np.uint64(1442695040888963407) + np.uint64(right) * np.uint64(0x9E3779B97F4A7C16)
    return state * np.uint64(6364136223846793005) + step


@part
def deal(deck: Any, swaps: Any, start: Any, stop: Any, state: Any) -> Any:
    """Draw so many more cards of a deck to its front; the state after comes back."""
    for j in range(start, stop):
        state = next_state(state, 0)
        with_ = j + np.int64(state >> np.uint64(33)) % (deck.size - j)
        swaps[j] = with_
        deck[j], deck[with_] = deck[with_], deck[j]
    return state


@part
def put_back(deck: Any, swaps: Any, dealt: Any) -> None:
    """The deck as it was before so many were drawn: what a node draws hangs on its state alone."""
    for j in range(dealt - 1, -1, -1):
        deck[j], deck[swaps[j]] = deck[swaps[j]], deck[j]


# Loops: assigning to a slice and `copy` take Numba seconds to compile.


@kernel
def sized(values: Any, size: int) -> Any:
    """An array of that size with as many of the values as it holds."""
    found = np.empty(size, values.dtype)
    for i in range(min(size, values.size)):
        found[i] = values[i]
    return found


@plainly(lambda bits: (int(bits) & -int(bits)).bit_length() - 1)
def lowest(typing: Any, bits: Any) -> Any:
    """How many zeros stand below the lowest one of a uint64; int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.uint64), generate


@plainly(lambda array, index: None)
def ask_for(typing: Any, array: Any, index: Any) -> Any:
    """Have the memory begin to bring the number at an index (uintp), flat, of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        bytes_, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [bytes_, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", (bytes_,), kind)
        place = builder.bitcast(builder.gep(data, [arguments[1]]), bytes_)
        # To read, to keep near, of data.
        builder.call(fetch, [place, *(ir.Constant(word, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.none(array, types.uintp), generate
