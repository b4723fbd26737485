"""Growing many two-class trees from one binned copy of the rows: the columns of an output code.

The copies of a row and those that are ones are packed in one integer, so that one addition counts
both. A histogram has a cell for each bin and feature; the features of one bin lie side by side, so
that a loop over them becomes SIMD instructions. Depth first, the smaller child first: few
histograms are alive, all in cache, and that of the larger child is its parent's less the smaller
one's.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ._njit import inlined, njit
from .growing import DEVIANCE, GINI, TIE, Grown, Rules

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
NODE, START, STOP, DEPTH, SLOT, COUNTS, STATE = range(7)
FEATURE, LOW_CODE, HIGH_CODE, CHILD, RIGHT = range(5)


class Cells(NamedTuple):
    """Where the counts of a bin and a feature lie: cell first[bin] + place of the feature."""

    first: Any  # by bin, and one more at the end
    bins: Any  # bins of the feature at each place, descending
    feature: Any  # the feature at each place
    place: Any  # the place of each feature


def arrange_cells(bins: Any) -> Cells:
    """Cells of features that have so many bins.

    >>> arrange_cells(np.array([2, 3])).first
    array([0, 2, 4, 5])
    """
    feature = np.argsort(-bins, kind="stable")
    sizes = (bins[:, None] > np.arange(bins.max(initial=1))).sum(axis=0)
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Cells(first, bins[feature].astype(np.int64), feature, np.argsort(feature))


@njit
def add_rows(codes: Any, packed: Any, rows: Any, first: Any, histogram: Any) -> None:
    """Count rows into a histogram."""
    features = np.uint64(codes.shape[1])
    for j in range(rows.size):
        row = np.uint64(rows[j])
        counts = packed[row]
        for f in range(features):
            histogram[np.uint64(first[np.uint64(codes[row, f])]) + f] += counts


@njit
def count_classes(codes: Any, y: Any, copies: Any, first: Any, histograms: Any) -> None:
    """Copies of each class in each cell, (k, cells): all columns of a code begin with these."""
    for i in range(y.size):
        histogram = histograms[y[i]]
        for f in range(codes.shape[1]):
            histogram[first[codes[i, f]] + f] += np.uint64(copies[i])


@inlined
def score_of(n: Any, ones: Any, criterion: int, table: Any) -> Any:
    """What a side adds to the score of a cut: the more, the purer it is."""
    if criterion == GINI:
        p, q = np.float64(ones), np.float64(n - ones)
        return (p * p + q * q) / np.float64(n)
    return table[ones] + table[n - ones] - table[n]


@njit
def score_cuts(
    histogram: Any, cells: Cells, n: Any, ones: Any, rules: Rules, table: Any, seen: Any,
    scores: Any, best: Any,
) -> None:  # fmt: skip
    """The score of every cut of a node with n copies, and the best score of each feature."""
    for f in range(best.size):
        seen[f], best[f] = np.uint64(0), -np.inf
    for code in range(cells.first.size - 2):
        at, width = cells.first[code], cells.first[code + 2] - cells.first[code + 1]
        for f in range(width):
            scores[at + f] = -np.inf
            if histogram[at + f] == 0:
                continue  # the cut is that of the bin before
            sums = seen[f] + histogram[at + f]
            seen[f] = sums
            left, a = np.int64(sums & LOW), np.int64(sums >> HALF)
            right, b = n - left, ones - a
            score = score_of(left, a, rules.criterion, table)
            score += score_of(right, b, rules.criterion, table)
            allowed = (left >= rules.min_leaf) & (right >= rules.min_leaf)
            score = score if allowed else -np.inf
            scores[at + f] = score
            best[f] = max(best[f], score)


@njit
def best_cut(histogram: Any, cells: Cells, scores: Any, best: Any, tie: float, turned: Any) -> Any:
    """(score, feature, last code on the left, first on the right, counts on the left).

    The first of equally good ones, features in their order from the place `turned` on; feature -1
    if no cut is allowed.
    """
    top, chosen, low, on_left = -np.inf, -1, -1, np.uint64(0)
    for step in range(best.size):
        f = cells.place[(step + turned) % best.size]
        if best[f] > top + tie:
            chosen = f
            for code in range(cells.bins[f] - 1):
                if scores[cells.first[code] + f] > top + tie:
                    top, low = scores[cells.first[code] + f], code
    if chosen < 0:
        return top, -1, -1, -1, on_left
    for code in range(low + 1):
        on_left += histogram[cells.first[code] + chosen]
    high = low + 1
    while histogram[cells.first[high] + chosen] == 0:
        high += 1
    return top, chosen, low, high, on_left


@njit
def is_leaf(n: Any, ones: Any, depth: int, rules: Rules, root_deviance: float, table: Any) -> Any:
    """Whether a node is a leaf, whatever its features."""
    if ones == 0 or ones == n or n < rules.min_split or n < 2.0 * rules.min_leaf:
        return True
    if depth >= rules.max_depth:
        return True
    return -score_of(n, ones, DEVIANCE, table) < rules.min_deviance * root_deviance


@inlined
def next_state(state: Any, step: Any) -> Any:
    """The random state of a child: it depends on the path from the root and on nothing else."""
    increment = np.uint64(1442695040888963407) + np.uint64(step) * np.uint64(0x9E3779B97F4A7C15)
    return state * np.uint64(6364136223846793005) + increment


@njit
def partition(codes: Any, rows: Any, f: int, low: int, aside: Any) -> Any:
    """Put the rows that go right behind the others; how many go left."""
    to: Any = 0
    kept: Any = 0
    for j in range(rows.size):
        row = rows[j]
        right = np.int64(codes[row, f] > low)
        rows[to] = row
        aside[kept] = row
        kept += right
        to += 1 - right
    for j in range(kept):
        rows[to + j] = aside[j]
    return to


@njit
def grow_nodes(
    codes: Any, packed: Any, rows: Any, cells: Cells, rules: Rules, table: Any, histograms: Any,
    nodes: Any, leaves: Any,
) -> Any:  # fmt: skip
    """Fill `nodes` (5, 2n) and the packed counts of `leaves`; how many there are of both.

    The first histogram is that of the root; there is room for one a node that waits, and one more.
    """
    slots, d = histograms.shape[0], codes.shape[1]
    stack, free, n_free = (
        np.empty((slots + 2, 7), np.int64),
        np.arange(slots)[::-1].copy(),
        slots - 1,
    )
    seen, best = np.empty(d, np.uint64), np.empty(d)
    scores, aside = np.empty(histograms.shape[1]), np.empty(rows.size, np.int32)
    counts = np.uint64(0)
    for row in rows:
        counts += packed[row]
    n, ones = np.int64(counts & LOW), np.int64(counts >> HALF)
    deviance = -score_of(n, ones, DEVIANCE, table)
    root = deviance if rules.criterion == DEVIANCE else n - score_of(n, ones, GINI, table)
    seed = np.uint64(rules.seed + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    stack[0] = 0, 0, rows.size, 0, 0, np.int64(counts), np.int64(next_state(seed, 0))
    n_nodes, n_leaves, n_open = 1, 0, 1
    while n_open > 0:
        n_open -= 1
        node = stack[n_open].copy()
        i, start, stop, slot = node[NODE], node[START], node[STOP], node[SLOT]
        counts, state = np.uint64(node[COUNTS]), np.uint64(node[STATE])
        n, ones = np.int64(counts & LOW), np.int64(counts >> HALF)
        histogram, gain, f, low, high, on_left = histograms[slot], -np.inf, -1, -1, -1, counts
        if not is_leaf(n, ones, node[DEPTH], rules, deviance, table):
            tie = TIE * n * (1.0 if rules.criterion == GINI else math.log(n + 2.0))
            turned = np.int64(state >> np.uint64(33)) if rules.seed >= 0 else 0
            score_cuts(histogram, cells, n, ones, rules, table, seen, scores, best)
            top, f, low, high, on_left = best_cut(histogram, cells, scores, best, tie, turned)
            gain = top - score_of(n, ones, rules.criterion, table)
        if f < 0 or gain < (rules.min_decrease - 1e-12) * root:
            nodes[:, i] = -1
            nodes[CHILD, i], nodes[RIGHT, i], leaves[n_leaves] = n_leaves, 0, counts
            n_leaves += 1
            free[n_free] = slot
            n_free += 1
            continue
        middle = start + partition(codes, rows[start:stop], f, low, aside)
        on_right = counts - on_left
        nodes[FEATURE, i], nodes[LOW_CODE, i], nodes[HIGH_CODE, i] = cells.feature[f], low, high
        nodes[CHILD, i], nodes[RIGHT, i] = n_nodes, (on_right & LOW) > (on_left & LOW)
        # The smaller child stands last and comes first: few wait. It is counted, and taken from
        # what the larger one has of their parent.
        left = np.int64(middle - start <= stop - middle)
        for right in range(2):
            child = stack[n_open + (1 - left if right else left)]
            child[NODE], child[DEPTH], child[SLOT] = n_nodes + right, node[DEPTH] + 1, slot
            child[START], child[STOP] = (middle, stop) if right else (start, middle)
            child[COUNTS] = np.int64(on_right if right else on_left)
            child[STATE] = np.int64(next_state(state, right))
        small = stack[n_open + 1]
        n_free -= 1
        small[SLOT] = free[n_free]
        own, those = histograms[small[SLOT]], rows[small[START] : small[STOP]]
        own[:] = 0
        add_rows(codes, packed, those, cells.first, own)
        for cell in range(own.size):
            histogram[cell] -= own[cell]
        n_open += 2
        n_nodes += 2
    return n_nodes, n_leaves


def grow_packed(
    codes: Any, packed: Any, rows: Any, cells: Cells, rules: Rules, table: Any, histograms: Any
) -> Grown:
    """A tree that tells the ones from the others; arguments as in `grow_nodes`."""
    nodes, leaves = np.empty((5, 2 * rows.size), np.int32), np.empty(rows.size, np.uint64)
    n_nodes, n_leaves = grow_nodes(
        codes, packed, rows, cells, rules, table, histograms, nodes, leaves
    )
    copies, ones = (half[:n_leaves].astype(np.float64) for half in (leaves & LOW, leaves >> HALF))
    weight = np.column_stack([copies - ones, ones])
    is_there = weight > 0
    feature, low, high, child, right = nodes[:, :n_nodes].copy()
    return Grown(
        feature, low, high, child, right, set_at=np.full(n_nodes, -1, np.int32),
        sets=np.empty(0, np.uint8), entries=is_there.sum(axis=1),
        class_=np.nonzero(is_there)[1].astype(np.int32), weight=weight[is_there], count=copies,
        value=np.empty(0),
    )  # fmt: skip
