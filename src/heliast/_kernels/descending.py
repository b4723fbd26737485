"""From rows to leaves: trees as flat arrays, rows as ranks among the trees' own thresholds.

Ranks take two bytes instead of eight, and compare exactly as the numbers do. A node's children
stand side by side; a leaf's `child` is its number, which counts through all trees.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._jit import kernel, part
from .crew import pieces, spread

ROWS = 256
"""Rows that go through one tree before the next: rows and tree stay in the nearest cache."""


class Forest(NamedTuple):
    """Nodes of all trees: feature (-1 in a leaf), rank of the threshold, left child or leaf."""

    first: Any
    feature: Any
    rank: Any
    child: Any
    right: Any
    set_at: Any
    sets: Any
    nominal: Any
    missing: Any


@kernel
def _pack(forest: Forest, packed: Any) -> None:
    """Feature (15 bits), rank (16) and left child (32) of each node in one number.

    A leaf leads to itself: no rank is above its own.
    """
    for at in range(packed.size):
        if forest.feature[at] >= 0:
            node = (np.uint64(forest.feature[at]) << np.uint64(48)) | (
                np.uint64(forest.rank[at]) << np.uint64(32)
            )
            packed[at] = node | np.uint64(forest.child[at])
        else:
            packed[at] = (np.uint64(0xFFFF) << np.uint64(32)) | np.uint64(at)


@part
def _down(rows: Any, i: Any, packed: Any, at: Any) -> Any:
    node = packed[at]
    value = rows[i, np.uintp(node >> np.uint64(48))]
    right = np.uint64(value) > ((node >> np.uint64(32)) & np.uint64(0xFFFF))
    return np.uintp(node & np.uint64(0xFFFFFFFF)) + np.uintp(right)


@kernel
def _leaves_of_packed(
    rows: Any, forest: Forest, packed: Any, start: int, stop: int, leaf: Any
) -> None:
    """Four rows at a time, so that one step need not wait for another."""
    for b in range(forest.first.size - 1):
        root = np.uintp(forest.first[b])
        for begin in range(start, stop, 4):
            # The last rows may be the same one several times.
            i, j = np.uintp(begin), np.uintp(min(begin + 1, stop - 1))
            m, n = np.uintp(min(begin + 2, stop - 1)), np.uintp(min(begin + 3, stop - 1))
            p, q, r, s = root, root, root, root
            moves = True
            while moves:
                p2, q2 = _down(rows, i, packed, p), _down(rows, j, packed, q)
                r2, s2 = _down(rows, m, packed, r), _down(rows, n, packed, s)
                moves = (p2 != p) | (q2 != q) | (r2 != r) | (s2 != s)
                p, q, r, s = p2, q2, r2, s2
            leaf[i, b], leaf[j, b] = forest.child[p], forest.child[q]
            leaf[m, b], leaf[n, b] = forest.child[r], forest.child[s]


@kernel
def _leaf_of(row: Any, forest: Forest, root: int) -> int:
    """Where values may be missing or nominal, or ranks are many."""
    at = root
    f = forest.feature[at]
    while f >= 0:
        code, missing = np.int64(row[f]), forest.missing[f]
        if forest.nominal[f]:
            if code > missing:
                right = forest.right[at] == 1
            else:
                word = forest.sets[forest.set_at[at] + (code >> 6)]
                right = not (word >> np.uint64(code & 63)) & np.uint64(1)
        elif code == missing:
            right = forest.right[at] == 1
        else:
            right = code > forest.rank[at]
        at = forest.child[at] + right
        f = forest.feature[at]
    return int(forest.child[at])


@kernel
def _leaves(rows: Any, forest: Forest, start: int, stop: int, leaf: Any) -> None:
    for b in range(forest.first.size - 1):
        root = forest.first[b]
        for i in range(start, stop):
            leaf[i, b] = _leaf_of(rows[i], forest, root)


def leaves(rows: npt.NDArray[Any], forest: Forest, plain: bool) -> npt.NDArray[np.int32]:
    """The leaf of each row in each tree, counted through all trees."""
    leaf = np.empty((rows.shape[0], forest.first.size - 1), np.int32)
    ends = pieces(rows.shape[0], ROWS)
    if plain and forest.rank.dtype == np.uint16 and rows.shape[1] < 1 << 15:
        packed = np.empty(forest.feature.size, np.uint64)
        _pack(forest, packed)
        spread(_leaves_of_packed, [(rows, forest, packed, *piece, leaf) for piece in ends])
    else:
        spread(_leaves, [(rows, forest, *piece, leaf) for piece in ends])
    return leaf


@kernel
def _take(leaf: Any, value: Any, start: int, stop: int, out: Any) -> None:
    for i in range(start, stop):
        for b in range(leaf.shape[1]):
            out[i, b] = value[leaf[i, b]]


def take(leaf: npt.NDArray[np.int32], value: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The value of each leaf."""
    out = np.empty(leaf.shape, value.dtype)
    spread(_take, [(leaf, value, *ends, out) for ends in pieces(leaf.shape[0], ROWS)])
    return out


@kernel
def _add_shares(
    leaf: Any, entry: Any, class_: Any, share: Any, rest: Any, prior: Any, begin: int, end: int,
    start: int, stop: int, out: Any,
) -> None:  # fmt: skip
    for i in range(start, stop):
        for b in range(begin, end):
            at = leaf[i, b]
            for e in range(entry[at], entry[at + 1]):
                out[i, class_[e]] += share[e]
            if rest.size > 0:
                for c in range(out.shape[1]):
                    out[i, c] += rest[at] * prior[b, c]


def add_shares(
    leaf: Any, entry: Any, class_: Any, share: Any, rest: Any, prior: Any, begin: int, end: int,
    out: Any,
) -> None:  # fmt: skip
    """Add the class shares of the leaves of trees begin .. end - 1 to `out`, row by row.

    A leaf's shares are those of its entries; if `rest` is not empty, plus rest times the prior.
    """
    given = (leaf, entry, class_, share, rest, prior, begin, end)
    spread(_add_shares, [(*given, *ends, out) for ends in pieces(leaf.shape[0], ROWS)])


@kernel
def _vote(leaf: Any, label: Any, weight: Any, start: int, stop: int, out: Any) -> None:
    for i in range(start, stop):
        for b in range(leaf.shape[1]):
            out[i, label[leaf[i, b]]] += weight[b]


def vote(leaf: Any, label: Any, weight: Any, k: int) -> npt.NDArray[np.float64]:
    """The weight of the trees that vote for each class."""
    out = np.zeros((leaf.shape[0], k))
    spread(_vote, [(leaf, label, weight, *ends, out) for ends in pieces(leaf.shape[0], ROWS)])
    return out


@kernel
def _count_in_leaves(leaf: Any, truth: Any, weight: Any, b: int, out: Any) -> None:
    for i in range(leaf.shape[0]):
        if leaf[i, b] >= 0:
            out[leaf[i, b], truth[i]] += 1.0 if weight is None else weight[i]


def count_in_leaves(leaf: Any, truth: Any, weight: Any, n_leaves: int, k: int) -> Any:
    """Weight of the rows of each class in each leaf of each tree."""
    out = np.zeros((n_leaves, k))
    spread(_count_in_leaves, [(leaf, truth, weight, b, out) for b in range(leaf.shape[1])])
    return out


@kernel
def _largest(start: Any, class_: Any, weight: Any, label: Any) -> None:
    for leaf in range(start.size - 1):
        best, most = -1, -1.0
        for entry in range(start[leaf], start[leaf + 1]):
            w, c = weight[entry], class_[entry]
            if w > most or (w == most and c < best):
                best, most = c, w
        label[leaf] = best


def largest(
    start: npt.NDArray[Any], class_: npt.NDArray[Any], weight: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """The class with the largest weight in each leaf; the first of equal ones.

    >>> largest(np.array([0, 2, 3]), np.array([4, 1, 2]), np.array([0.5, 0.5, 9.0]))
    array([1, 2])
    """
    label: npt.NDArray[Any] = np.empty(start.size - 1, class_.dtype)
    _largest(start, class_, weight, label)
    return label
