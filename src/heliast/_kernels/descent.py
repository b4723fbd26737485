"""From rows to the leaves of trees, and what the leaves say.

The rows of a block take their steps down a tree side by side, so that one need not wait for the
memory of another; a leaf leads to itself until the last row of the block has arrived.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._njit import njit
from .binning import encode
from .threads import pieces, spread, threads

Array = npt.NDArray[Any]
ROWS = 1 << 14  # most rows that go through one tree before the next
LEAVES = 1 << 17  # leaves that are looked up before what they say is read
BLOCK = 32  # rows that go down side by side
NODE = np.dtype([("threshold", "f8"), ("feature", "u4"), ("child", "u4")])


class Forest:
    """Trees made ready for rows to run down.

    `first` says where each tree's nodes begin, and one more at the end. Feature -1 is a leaf, whose
    `child` is its number; other nodes have there the left child, before the right one. Rows go left
    where the value is at most the threshold, or of a nominal feature where sets[set_at + code] is
    1; where it is missing, or was never seen, right if `right` is 1. `values` are those of each
    nominal feature, None for numeric ones.
    """

    def __init__(
        self, *, first: Array, feature: Array, threshold: Array, child: Array, right: Array,
        set_at: Array, sets: Array, values: tuple[Array | None, ...],
    ) -> None:  # fmt: skip
        self.first, self.child, self.values = first, child, values
        codes = np.array([-1 if known is None else known.size for known in values], np.int64)
        self.nominal = codes >= 0
        self.columns = feature, threshold, child, right, set_at, sets, codes
        # What a step needs, side by side. A leaf leads to itself: nothing is above infinity.
        leaf = feature < 0
        self.nodes = np.empty(feature.size, NODE)
        self.nodes["threshold"] = np.where(leaf, np.inf, threshold)
        self.nodes["feature"] = np.where(leaf, 0, feature)
        self.nodes["child"] = np.where(leaf, np.arange(feature.size), child)

    def leaves(self, X: Array) -> npt.NDArray[np.int32]:
        """The leaf of each row in each tree, (n, trees), counted through all trees."""

        def put(leaf: Array, begin: int, out: Array) -> None:
            out[:, begin : begin + leaf.shape[0]] = leaf.T

        return self.answer(X, put, (), np.empty((len(X), self.first.size - 1), np.int32))

    def answer(
        self, X: Array, of_leaves: Callable[..., None], arguments: tuple[Any, ...], out: Array
    ) -> Array:
        """What `of_leaves`(leaves, first tree, *arguments, out) says, piece by piece."""
        X, trees = self._coded(np.asarray(X)), self.first.size - 1

        def answer_piece(start: int, stop: int) -> None:
            # Rows in another precision, or of a file, are turned into these a piece at a time.
            rows = np.ascontiguousarray(X[start:stop], dtype=np.float64)
            special = np.arange(stop - start)
            if not self.nominal.any():
                special = special[np.isnan(rows).any(axis=1)]
            step = max(LEAVES // (stop - start), 1)
            for begin in range(0, trees, step):
                first = self.first[begin : min(begin + step, trees)]
                leaf = np.empty((first.size, stop - start), np.int32)
                if special.size < stop - start:
                    find_leaves(rows, first, self.nodes, self.child, leaf)
                if special.size:
                    find_leaves_of_any(rows, special, first, *self.columns, leaf)
                of_leaves(leaf, begin, *arguments, out[start:stop])

        size = max(min(ROWS, -(-len(X) // threads())), 256)
        spread(answer_piece, pieces(len(X), size))
        return out

    def _coded(self, X: Array) -> Array:
        """The rows, with nominal values as the numbers that `sets` count."""
        if not self.nominal.any():
            return X
        known = [values for values in self.values if values is not None]
        first = np.append(0, np.cumsum([values.size for values in known]))
        codes, exact = np.empty((len(X), len(known)), np.uint16), np.ones(len(known), np.bool_)
        encode(X[:, self.nominal], np.concatenate(known), first, exact, codes)
        X = np.array(X, dtype=np.float64, order="C")
        X[:, self.nominal] = codes
        return X


@njit
def find_leaves(rows: Any, first: Any, nodes: Any, child: Any, leaf: Any) -> None:
    """The leaf of each row in some trees: (trees, rows); numbers only, none missing."""
    at = np.empty(BLOCK, np.uint64)  # unsigned: Numba does not look for negative places
    for b in range(leaf.shape[0]):
        for start in range(0, rows.shape[0], BLOCK):
            block = rows[start : start + BLOCK]
            size = np.uint64(block.shape[0])
            for i in range(size):
                at[i] = np.uint64(first[b])
            moves = np.uint64(1)
            while moves > 0:
                moves = np.uint64(0)
                for i in range(size):
                    here = at[i]
                    node = nodes[here]
                    right = block[i, np.uint64(node["feature"])] > node["threshold"]
                    to = np.uint64(node["child"]) + np.uint64(right)
                    moves |= to ^ here
                    at[i] = to
            for i in range(size):
                leaf[b, start + np.int64(i)] = child[at[i]]


@njit
def find_leaves_of_any(
    rows: Any, which: Any, first: Any, feature: Any, threshold: Any, child: Any, right: Any,
    set_at: Any, sets: Any, codes: Any, leaf: Any,
) -> None:  # fmt: skip
    """The same for some rows, whose values may be missing or codes of nominal features."""
    for b in range(leaf.shape[0]):
        for i in which:
            at = first[b]
            f = feature[at]
            while f >= 0:
                value = rows[i, f]
                goes_right = np.int64(value > threshold[at])
                if value != value or 0 <= codes[f] <= value:
                    goes_right = np.int64(right[at])
                elif codes[f] >= 0:
                    goes_right = 1 - np.int64(sets[set_at[at] + np.int64(value)])
                at = child[at] + goes_right
                f = feature[at]
            leaf[b, i] = child[at]


@njit
def take(leaf: Any, begin: int, value: Any, out: Any) -> None:
    """The value of each leaf."""
    for i in range(leaf.shape[1]):
        for b in range(leaf.shape[0]):
            out[i, begin + b] = value[leaf[b, i]]


@njit
def vote(leaf: Any, begin: int, label: Any, weight: Any, out: Any) -> None:
    """Add the weight of each tree to the class that it votes for."""
    for i in range(leaf.shape[1]):
        for b in range(leaf.shape[0]):
            out[i, label[leaf[b, i]]] += weight[begin + b]


@njit
def add_shares(
    leaf: Any, begin: int, start: Any, class_: Any, share: Any, rest: Any, prior: Any, out: Any
) -> None:
    """Add the class shares of the leaves, row by row: those of its entries, and `rest` x prior."""
    for i in range(leaf.shape[1]):
        for b in range(leaf.shape[0]):
            at = leaf[b, i]
            for entry in range(start[at], start[at + 1]):
                out[i, class_[entry]] += share[entry]
            if rest.size > 0:
                for c in range(out.shape[1]):
                    out[i, c] += rest[at] * prior[begin + b, c]
