"""From rows to the leaves of trees, and what the leaves say.

The rows of a block take their steps down a tree side by side, so that one need not wait for the
memory of another; a leaf leads to itself until the last row of the block has arrived.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._njit import njit
from .threads import pieces, spread, threads

Array = npt.NDArray[Any]
ROWS = 1 << 14  # most rows that go through one tree before the next
LEAVES = 1 << 17  # leaves that are found before they are asked what they say
BLOCK = 32  # rows that go down side by side
NODE = np.dtype([("threshold", "f8"), ("feature", "u4"), ("child", "u4")])


class Forest(NamedTuple):
    """Nodes of all trees; `nodes` are those with everything that a step needs side by side.

    Feature -1 is a leaf, whose child is its number. Rows go left where the value is at most the
    threshold, or of a nominal feature where sets[set_at + code] is 1; where it is missing, or a
    code that was never seen, right if `right` is 1.
    """

    first: Any  # where the nodes of each tree begin, and one more at the end
    feature: Any
    threshold: Any
    child: Any  # the left child, before the right one
    right: Any
    set_at: Any
    sets: Any
    codes: Any  # how many values of each nominal feature are known; -1 for numeric features
    nodes: Any


def forest_of(
    first: Array, feature: Array, threshold: Array, child: Array, right: Array, set_at: Array,
    sets: Array, codes: Array,
) -> Forest:  # fmt: skip
    """A forest for rows to run down."""
    leaf = feature < 0
    nodes = np.empty(feature.size, NODE)
    nodes["threshold"] = np.where(leaf, np.inf, threshold)
    nodes["feature"] = np.where(leaf, 0, feature)
    # A leaf leads to itself; nothing is greater than infinity, so that no row leaves it.
    nodes["child"] = np.where(leaf, np.arange(feature.size), child)
    return Forest(first, feature, threshold, child, right, set_at, sets, codes, nodes)


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
def find_leaves_of_any(rows: Any, which: Any, forest: Forest, begin: int, leaf: Any) -> None:
    """The same for some rows, whose values may be missing or codes of nominal features."""
    for b in range(leaf.shape[0]):
        for i in which:
            at = forest.first[begin + b]
            f = forest.feature[at]
            while f >= 0:
                value = rows[i, f]
                right = np.int64(value > forest.threshold[at])
                if value != value or 0 <= forest.codes[f] <= value:
                    right = np.int64(forest.right[at])
                elif forest.codes[f] >= 0:
                    right = 1 - np.int64(forest.sets[forest.set_at[at] + np.int64(value)])
                at = forest.child[at] + right
                f = forest.feature[at]
            leaf[b, i] = forest.child[at]


def answer(
    rows: Array, forest: Forest, of_leaves: Callable[..., None], arguments: tuple[Any, ...],
    out: Array,
) -> Array:  # fmt: skip
    """What `of_leaves`(leaves, first tree, *arguments, out) says, some rows and trees at a time."""
    trees, any_nominal = forest.first.size - 1, bool((forest.codes >= 0).any())

    def answer_piece(start: int, stop: int) -> None:
        # Rows in another precision, or of a file, are turned into these a piece at a time.
        piece = np.ascontiguousarray(rows[start:stop], dtype=np.float64)
        every = np.arange(stop - start)
        special = every if any_nominal else every[np.isnan(piece).any(axis=1)]
        step = max(LEAVES // (stop - start), 1)
        for begin in range(0, trees, step):
            end = min(begin + step, trees)
            leaf = np.empty((end - begin, stop - start), np.int32)
            if not any_nominal:
                find_leaves(piece, forest.first[begin:end], forest.nodes, forest.child, leaf)
            if special.size:
                find_leaves_of_any(piece, special, forest, begin, leaf)
            of_leaves(leaf, begin, *arguments, out[start:stop])

    size = max(min(ROWS, -(-rows.shape[0] // threads())), 256)
    spread(answer_piece, pieces(rows.shape[0], size))
    return out


def leaves_of(rows: Array, forest: Forest) -> npt.NDArray[np.int32]:
    """The leaf of each row in each tree, (n, trees), counted through all trees."""

    def put(leaf: Array, begin: int, out: Array) -> None:
        out[:, begin : begin + leaf.shape[0]] = leaf.T

    return answer(rows, forest, put, (), np.empty((rows.shape[0], forest.first.size - 1), np.int32))


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
