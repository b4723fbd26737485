"""From rows to leaves: trees as flat arrays, rows as they are.

A node is 16 bytes, the threshold and the link to its children, which stand side by side; a leaf
leads to itself. Eight rows go down a tree together, so that one step need not wait for another. A
leaf's `child` is its number, which counts through all trees.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._jit import kernel, part
from .crew import pieces, spread

ROWS = 512
"""Rows that go through one tree before the next: rows and tree stay in the nearest caches."""
FEATURES = 1 << 16
"""Columns that a link can tell apart."""


class Forest(NamedTuple):
    """Nodes of all trees: feature (-1 in a leaf), threshold, left child or number of the leaf.

    `packed` are threshold and link of each node, where all inputs are numbers.
    """

    first: Any
    feature: Any
    threshold: Any
    child: Any
    right: Any
    set_at: Any
    sets: Any
    nominal: Any
    missing: Any
    packed: Any


def packed(feature: Any, threshold: Any, child: Any) -> npt.NDArray[np.uint64]:
    """Threshold, and feature (16 bits) with left child (48), of each node, one after the other."""
    nodes = np.empty(2 * feature.size, np.uint64)
    _pack(feature, threshold, child, nodes, nodes.view(np.float64))
    return nodes


@kernel
def _pack(feature: Any, threshold: Any, child: Any, links: Any, values: Any) -> None:
    for at in range(feature.size):
        # No number is above a leaf's threshold, so it leads to its left child, which is itself.
        inner = feature[at] >= 0
        values[2 * at] = threshold[at] if inner else np.inf
        to = np.uint64(child[at] if inner else at)
        links[2 * at + 1] = (np.uint64(max(feature[at], 0)) << np.uint64(48)) | to


@part
def _down(rows: Any, i: Any, links: Any, values: Any, at: Any) -> Any:
    place = at + at
    link = links[place + np.uintp(1)]
    right = rows[i, np.uintp(link >> np.uint64(48))] > values[place]
    return np.uintp(link & np.uint64((1 << 48) - 1)) + np.uintp(right)


@kernel
def _leaves_of_packed(
    rows: Any, first: Any, links: Any, values: Any, child: Any, leaf: Any
) -> None:
    last, one = np.uintp(rows.shape[0] - 1), np.uintp(1)
    for b in range(first.size - 1):
        root = np.uintp(first[b])
        for begin in range(0, rows.shape[0], 8):
            # The last rows may be the same one several times.
            i = np.uintp(begin)
            j = min(i + one, last)
            k = min(j + one, last)
            m = min(k + one, last)
            n = min(m + one, last)
            o = min(n + one, last)
            p = min(o + one, last)
            q = min(p + one, last)
            at_i = at_j = at_k = at_m = at_n = at_o = at_p = at_q = root
            moves = True
            while moves:
                to_i = _down(rows, i, links, values, at_i)
                to_j = _down(rows, j, links, values, at_j)
                to_k = _down(rows, k, links, values, at_k)
                to_m = _down(rows, m, links, values, at_m)
                to_n = _down(rows, n, links, values, at_n)
                to_o = _down(rows, o, links, values, at_o)
                to_p = _down(rows, p, links, values, at_p)
                to_q = _down(rows, q, links, values, at_q)
                moves = (to_i != at_i) | (to_j != at_j) | (to_k != at_k) | (to_m != at_m)
                moves |= (to_n != at_n) | (to_o != at_o) | (to_p != at_p) | (to_q != at_q)
                at_i, at_j, at_k, at_m = to_i, to_j, to_k, to_m
                at_n, at_o, at_p, at_q = to_n, to_o, to_p, to_q
            leaf[i, b], leaf[j, b], leaf[k, b] = child[at_i], child[at_j], child[at_k]
            leaf[m, b], leaf[n, b], leaf[o, b] = child[at_m], child[at_n], child[at_o]
            leaf[p, b], leaf[q, b] = child[at_p], child[at_q]


@kernel
def _leaf_of(row: Any, forest: Forest, root: int) -> int:
    """Where values may be missing, or nominal and given as codes."""
    at = root
    f = forest.feature[at]
    while f >= 0:
        value = row[f]
        if forest.nominal[f]:
            code = np.int64(value)
            if code > forest.missing[f]:
                right = forest.right[at] == 1
            else:
                word = forest.sets[forest.set_at[at] + (code >> 6)]
                right = not (word >> np.uint64(code & 63)) & np.uint64(1)
        elif np.isnan(value):
            right = forest.right[at] == 1
        else:
            right = value > forest.threshold[at]
        at = forest.child[at] + right
        f = forest.feature[at]
    return int(forest.child[at])


@kernel
def _leaves(rows: Any, forest: Forest, leaf: Any) -> None:
    for b in range(forest.first.size - 1):
        root = forest.first[b]
        for i in range(rows.shape[0]):
            leaf[i, b] = _leaf_of(rows[i], forest, root)


def _of_piece(rows: Any, forest: Forest, leaf: Any) -> None:
    # Rows in another precision, or of a file, are turned into these a piece at a time.
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    plain = rows.shape[1] <= FEATURES and not forest.nominal.any()
    if plain and not np.isnan(rows).any():
        links = forest.packed
        _leaves_of_packed(rows, forest.first, links, links.view(np.float64), forest.child, leaf)
    else:
        _leaves(rows, forest, leaf)


def leaves(rows: npt.NDArray[Any], forest: Forest) -> npt.NDArray[np.int32]:
    """The leaf of each row in each tree, counted through all trees."""
    leaf = np.empty((rows.shape[0], forest.first.size - 1), np.int32)

    def piece(start: int, stop: int) -> None:
        _of_piece(rows[start:stop], forest, leaf[start:stop])

    spread(piece, pieces(rows.shape[0], ROWS))
    return leaf


def answer(
    rows: npt.NDArray[Any],
    forest: Forest,
    of_leaves: Callable[..., None],
    given: tuple[Any, ...],
    out: npt.NDArray[Any],
) -> npt.NDArray[Any]:
    """What `of_leaves`(leaves, *given, out) says of some rows at a time: leaves are not kept."""

    def piece(start: int, stop: int) -> None:
        leaf = np.empty((stop - start, forest.first.size - 1), np.int32)
        _of_piece(rows[start:stop], forest, leaf)
        of_leaves(leaf, *given, out[start:stop])

    spread(piece, pieces(rows.shape[0], ROWS))
    return out


@kernel
def take(leaf: Any, value: Any, out: Any) -> None:
    """The value of each leaf."""
    for i in range(leaf.shape[0]):
        for b in range(leaf.shape[1]):
            out[i, b] = value[leaf[i, b]]


@kernel
def add_shares(
    leaf: Any, entry: Any, class_: Any, share: Any, rest: Any, prior: Any, begin: int, end: int,
    out: Any,
) -> None:  # fmt: skip
    """Add the class shares of the leaves of trees begin .. end - 1 to `out`, row by row.

    A leaf's shares are those of its entries; if `rest` is not empty, plus rest times the prior.
    """
    for i in range(leaf.shape[0]):
        for b in range(begin, end):
            at = leaf[i, b]
            for e in range(entry[at], entry[at + 1]):
                out[i, class_[e]] += share[e]
            if rest.size > 0:
                for c in range(out.shape[1]):
                    out[i, c] += rest[at] * prior[b, c]


@kernel
def vote(leaf: Any, label: Any, weight: Any, out: Any) -> None:
    """Add the weight of each tree to the class that it votes for."""
    for i in range(leaf.shape[0]):
        for b in range(leaf.shape[1]):
            out[i, label[leaf[i, b]]] += weight[b]


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
