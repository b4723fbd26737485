"""From rows to leaves: trees as flat arrays, rows as they are.

A number is known by the place of its float32 among all of them, a whole number of 32 bits: rounded
up if it is of a row, down if it is a threshold. Two such places tell which number is larger unless
the row's is the one above the threshold's; only then are the numbers themselves asked. So a node
takes 8 bytes, its threshold and the link to its children, which stand side by side. A leaf leads to
itself, and its number stands where other nodes have their threshold, above all numbers. Eight rows
go down a tree together, so that one step need not wait for another, and many rows go down one tree
before the next, so that it stays in the caches.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._jit import kernel, part
from .crew import pieces, spread, threads

ROWS, VALUES = 1 << 14, 1 << 20
"""Rows that go through one tree before the next: so many, or those of so many values."""
LEAVES = 1 << 17
"""Leaves that are found before they are asked what they say."""
INFINITY = 0x7F800000
"""The place of infinity; those above are the numbers of leaves."""
LINK = (1 << 32) - 1


class Forest(NamedTuple):
    """Nodes of all trees: feature (-1 in a leaf), threshold, left child or number of the leaf.

    `nodes` are the same in 8 bytes each, empty where that is too few: threshold (32 bits), left
    child counted in the tree, feature (`bits` of them; all set in a leaf). Leaves of tree b are
    counted from base[b] in them.
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
    nodes: Any
    base: Any
    bits: int


def packed(first: Any, feature: Any, threshold: Any, child: Any, d: int) -> tuple[Any, Any, int]:
    """`nodes`, `base` and `bits` of a forest of d inputs."""
    bits = int(d).bit_length()
    largest = int(np.diff(first).max(initial=1))
    fits = largest <= min(1 << (32 - bits), LINK // 2 - INFINITY) if bits < 32 else False
    nodes = np.empty(feature.size if fits else 0, np.int64)
    base = np.zeros(first.size - 1, np.int64)
    if fits:
        _pack(first, feature, threshold, child, bits, nodes, base)
    return nodes, base, bits


@part
def _place(number: Any) -> Any:
    """The place of a float32 among all: the same order, 0 at zero."""
    bits = number.view(np.int32)
    return bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF))


@kernel
def _pack(
    first: Any, feature: Any, threshold: Any, child: Any, bits: int, nodes: Any, base: Any
) -> None:
    for b in range(base.size):
        root = first[b]
        base[b] = np.iinfo(np.int64).max
        for at in range(root, first[b + 1]):
            if feature[at] < 0:
                base[b] = min(base[b], np.int64(child[at]))
        for at in range(root, first[b + 1]):
            if feature[at] < 0:
                place = INFINITY + 1 + child[at] - base[b]
                nodes[at] = (place << 32) | ((at - root) << bits) | ((1 << bits) - 1)
            else:
                above = threshold[at] + 0.0  # no negative zero
                near = np.float32(above)
                place = np.int64(_place(near)) - (np.float64(near) > above)
                nodes[at] = (place << 32) | ((child[at] - root) << bits) | feature[at]


@kernel
def _places(rows: Any, keys: Any) -> int:
    """Places of the numbers of rows one after the other; how many numbers are missing."""
    missing, d = 0, rows.shape[1]
    for i in range(rows.shape[0]):
        for f in range(d):
            number = rows[i, f] + 0.0  # no negative zero
            near = np.float32(number)
            place = _place(near) + np.int32(np.float64(near) < number)
            keys[i * d + f] = min(place, np.int32(INFINITY))
            missing += number != number
    return missing


# What a row does at a node is in three parts, for Numba counts owners of arrays across branches.


@part
def _look(keys: Any, row: Any, nodes: Any, at: Any, mask: Any) -> Any:
    """The node, its feature, and how far its threshold lies above the row's number."""
    node = nodes[at]
    f = np.uintp(node & mask)
    return node, f, (node >> 32) - np.int64(keys[row + f])


@part
def _ask(rows: Any, i: Any, f: Any, threshold: Any, at: Any) -> Any:
    """-1 if the row's number itself is above the threshold, else 0."""
    return -np.int64(rows[i, f] > threshold[at])


@part
def _next(node: Any, gap: Any, bits: Any) -> Any:
    return np.uintp(((node & LINK) >> bits) - (gap >> 63))


@kernel
def _leaves_of_packed(
    keys: Any, rows: Any, first: Any, nodes: Any, threshold: Any, base: Any, bits: int, leaf: Any
) -> None:
    last, one, d = np.uintp(rows.shape[0] - 1), np.uintp(1), np.uintp(rows.shape[1])
    mask = (1 << bits) - 1
    for b in range(base.size):
        root, number = np.uintp(first[b]), base[b] - INFINITY - 1
        tree = nodes[first[b] : first[b + 1]]
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
            at_i = at_j = at_k = at_m = at_n = at_o = at_p = at_q = np.uintp(0)
            moves = True
            while moves:
                on_i, f, gap = _look(keys, i * d, tree, at_i, mask)
                if gap == -1:
                    gap = _ask(rows, i, f, threshold, root + at_i)
                at_i = _next(on_i, gap, bits)
                on_j, f, gap = _look(keys, j * d, tree, at_j, mask)
                if gap == -1:
                    gap = _ask(rows, j, f, threshold, root + at_j)
                at_j = _next(on_j, gap, bits)
                on_k, f, gap = _look(keys, k * d, tree, at_k, mask)
                if gap == -1:
                    gap = _ask(rows, k, f, threshold, root + at_k)
                at_k = _next(on_k, gap, bits)
                on_m, f, gap = _look(keys, m * d, tree, at_m, mask)
                if gap == -1:
                    gap = _ask(rows, m, f, threshold, root + at_m)
                at_m = _next(on_m, gap, bits)
                on_n, f, gap = _look(keys, n * d, tree, at_n, mask)
                if gap == -1:
                    gap = _ask(rows, n, f, threshold, root + at_n)
                at_n = _next(on_n, gap, bits)
                on_o, f, gap = _look(keys, o * d, tree, at_o, mask)
                if gap == -1:
                    gap = _ask(rows, o, f, threshold, root + at_o)
                at_o = _next(on_o, gap, bits)
                on_p, f, gap = _look(keys, p * d, tree, at_p, mask)
                if gap == -1:
                    gap = _ask(rows, p, f, threshold, root + at_p)
                at_p = _next(on_p, gap, bits)
                on_q, f, gap = _look(keys, q * d, tree, at_q, mask)
                if gap == -1:
                    gap = _ask(rows, q, f, threshold, root + at_q)
                at_q = _next(on_q, gap, bits)
                all_on = on_i & on_j & on_k & on_m & on_n & on_o & on_p & on_q
                moves = all_on & mask != mask
            leaf[b, i], leaf[b, j] = number + (on_i >> 32), number + (on_j >> 32)
            leaf[b, k], leaf[b, m] = number + (on_k >> 32), number + (on_m >> 32)
            leaf[b, n], leaf[b, o] = number + (on_n >> 32), number + (on_o >> 32)
            leaf[b, p], leaf[b, q] = number + (on_p >> 32), number + (on_q >> 32)


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
def _leaves(rows: Any, which: Any, forest: Forest, begin: int, leaf: Any) -> None:
    for b in range(leaf.shape[0]):
        root = forest.first[begin + b]
        for i in which:
            leaf[b, i] = _leaf_of(rows[i], forest, root)


def _of_piece(rows: Any, forest: Forest, tell: Callable[[int, Any], None]) -> None:
    """Tell the leaves (trees, rows) of some trees at a time, and which tree is their first."""
    # Rows in another precision, or of a file, are turned into these a piece at a time.
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    n, trees = rows.shape[0], forest.first.size - 1
    strange = np.arange(n)
    fast = forest.nodes.size > 0 and not forest.nominal.any()
    if fast:
        # A leaf asks for a number whose column need not be there: what follows the row, or this.
        keys = np.zeros(rows.size + (1 << forest.bits), np.int32)
        missing = _places(rows, keys)
        strange = np.flatnonzero(np.isnan(rows).any(axis=1)) if missing else strange[:0]
    some = max(LEAVES // max(n, 1), 1)
    for begin in range(0, trees, some):
        end = min(begin + some, trees)
        leaf = np.empty((end - begin, n), np.int32)
        if fast:
            first, base = forest.first[begin : end + 1], forest.base[begin:end]
            _leaves_of_packed(
                keys, rows, first, forest.nodes, forest.threshold, base, forest.bits, leaf
            )
        if strange.size:
            _leaves(rows, strange, forest, begin, leaf)
        tell(begin, leaf)


def _piece_size(n: int, d: int) -> int:
    """As many rows for each thread, so many times as needed: a row's answer is its own."""
    most, crew = max(min(ROWS, VALUES // max(d, 1)), 512), threads()
    times = -(-n // (most * crew))
    return max(-(-n // (times * crew)) if times else n, 256)


def answer(
    rows: npt.NDArray[Any],
    forest: Forest,
    of_leaves: Callable[..., None],
    given: tuple[Any, ...],
    out: npt.NDArray[Any],
) -> npt.NDArray[Any]:
    """What `of_leaves`(leaves, first tree, *given, out) says of some rows and trees at a time."""

    def piece(start: int, stop: int) -> None:
        part = out[start:stop]
        _of_piece(
            rows[start:stop], forest, lambda begin, leaf: of_leaves(leaf, begin, *given, part)
        )

    spread(piece, pieces(rows.shape[0], _piece_size(*rows.shape)))
    return out


def leaves(rows: npt.NDArray[Any], forest: Forest) -> npt.NDArray[np.int32]:
    """The leaf of each row in each tree, (n, trees), counted through all trees."""
    table = np.empty((rows.shape[0], forest.first.size - 1), np.int32)
    return answer(rows, forest, _put, (), table)


def _put(leaf: Any, begin: int, out: Any) -> None:
    out[:, begin : begin + leaf.shape[0]] = leaf.T


@kernel
def take(leaf: Any, begin: int, value: Any, out: Any) -> None:
    """The value of each leaf."""
    for i in range(leaf.shape[1]):
        for b in range(leaf.shape[0]):
            out[i, begin + b] = value[leaf[b, i]]


@kernel
def add_shares(
    leaf: Any, begin: int, sole: Any, entry: Any, class_: Any, share: Any, rest: Any, prior: Any,
    out: Any,
) -> None:  # fmt: skip
    """Add the class shares of the leaves to `out`, row by row, tree after tree.

    A leaf's shares are those of its entries; if `rest` is not empty, plus rest times the prior.
    Where `sole` is not negative, all is that class's.
    """
    for i in range(leaf.shape[1]):
        for b in range(leaf.shape[0]):
            at = leaf[b, i]
            if sole[at] >= 0:
                out[i, sole[at]] += 1.0
                continue
            for e in range(entry[at], entry[at + 1]):
                out[i, class_[e]] += share[e]
            if rest.size > 0:
                for c in range(out.shape[1]):
                    out[i, c] += rest[at] * prior[begin + b, c]


@kernel
def vote(leaf: Any, begin: int, label: Any, weight: Any, out: Any) -> None:
    """Add the weight of each tree to the class that it votes for."""
    for i in range(leaf.shape[1]):
        for b in range(leaf.shape[0]):
            out[i, label[leaf[b, i]]] += weight[begin + b]


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
