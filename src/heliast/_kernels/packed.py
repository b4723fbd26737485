"""Growing many two-class trees from one binned copy of the rows: the columns of an output code.

The copies of a row and those that are ones are packed in one integer, so that one addition counts
both. A histogram has a cell for each bin and feature; the features of one bin lie side by side, so
that loops over them become SIMD instructions. Depth first, the smaller child first: few histograms
are alive, all in cache, and that of the larger child is its parent's less the smaller one's.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ._njit import njit
from .growing import DEVIANCE, GINI, Grown, Rules

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
LARGEST = 1 << 24  # copies that float32 counts exactly
FEW = 32  # rows that are looked at one by one if they are also fewer than a third of the bins
NO_HISTOGRAM, LEAF = -1, -2
NODE, START, STOP, SLOT, COUNTS, DEPTH, STATE = range(7)
FEATURE, LOW_CODE, HIGH_CODE, CHILD, RIGHT = range(5)
TIE = 1e-11  # scores that differ by less than this share of the copies are equal
# The entropy of (p, 1 - p) in bits is s (C0 + C1 s + C2 s² + C3 s³) with s² = 4 p (1 - p), to
# 0.00145: least squares, weighted until the largest errors were alike.
C0, C1 = np.float32(0.09360333), np.float32(1.79169445)
C2, C3 = np.float32(-1.34256058), np.float32(0.4572628)
# A rough score is wrong by less than this share of the copies.
ROUGH_GINI, ROUGH_DEVIANCE = 2e-6, 1.6e-3


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
def pack_counts(y: Any, ones: Any, copies: Any, packed: Any) -> None:
    """Copies of each row in the low half; in the high half again if its class is a one."""
    for i in range(y.size):
        packed[i] = np.uint64(copies[i]) * (np.uint64(1) + (np.uint64(ones[y[i]]) << HALF))


@njit
def add_rows(
    codes: Any, packed: Any, rows: Any, start: int, stop: int, first: Any, histogram: Any
) -> None:
    """Count rows into a histogram."""
    features = np.uint64(codes.shape[1])
    for j in range(start, stop):
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


@njit
def x_log_x(x: Any, table: Any) -> Any:
    """x log x of a whole number."""
    if x < table.size:
        return table[x]
    return x * math.log(x) if x > 0 else 0.0


@njit
def score_side(counts: Any, criterion: int, table: Any) -> Any:
    """What a side adds to the score of a cut: the more, the purer it is."""
    n, ones = np.int64(counts & LOW), np.int64(counts >> HALF)
    if criterion == GINI:
        p, q = np.float64(ones), np.float64(n - ones)
        return (p * p + q * q) / n
    return x_log_x(ones, table) + x_log_x(n - ones, table) - x_log_x(n, table)


@njit
def is_leaf(counts: Any, depth: int, rules: Rules, root_deviance: float, table: Any) -> Any:
    """Whether a node with these counts is a leaf, whatever its features."""
    n, ones = np.int64(counts & LOW), np.int64(counts >> HALF)
    if ones == 0 or ones == n or n < rules.min_split or n < 2.0 * rules.min_leaf:
        return True
    if depth >= rules.max_depth:
        return True
    if rules.min_deviance <= 0.0:
        return False
    return -score_side(counts, DEVIANCE, table) < rules.min_deviance * root_deviance


# The best cut of a node ----------------------------------------------------------------------


@njit
def rough_scores(
    histogram: Any, cells: Cells, counts: Any, rules: Rules, seen: Any, rough: Any, best: Any
) -> None:
    """The score of every cut in float32, and the best of each feature: a loop of SIMD lanes.

    The deviance is in bits, and comes from a polynomial instead of logarithms.
    """
    n, p = np.float32(counts & LOW), np.float32(counts >> HALF)
    least, never = np.float32(rules.min_leaf), np.float32(-np.inf)
    two = np.float32(2.0)
    for f in range(best.size):
        seen[f], best[f] = np.uint64(0), never
    for code in range(cells.first.size - 2):
        at, width = cells.first[code], cells.first[code + 2] - cells.first[code + 1]
        for f in range(width):
            sums = seen[f] + histogram[at + f]
            seen[f] = sums
            left, a = np.float32(np.int32(sums & LOW)), np.float32(np.int32(sums >> HALF))
            right, b = n - left, p - a
            if rules.criterion == GINI:
                u, v = left - a, right - b
                score = ((a * a + u * u) * right + (b * b + v * v) * left) / (left * right)
            else:
                s = two * np.sqrt(a * (left - a)) / left
                t = two * np.sqrt(b * (right - b)) / right
                score = -left * s * (C0 + s * (C1 + s * (C2 + s * C3)))
                score -= right * t * (C0 + t * (C1 + t * (C2 + t * C3)))
            score = score if (left >= least) & (right >= least) else never
            rough[at + f] = score
            best[f] = max(best[f], score)


@njit
def best_of_histogram(
    histogram: Any, cells: Cells, counts: Any, rules: Rules, tie: float, turned: Any, table: Any,
    seen: Any, rough: Any, best: Any,
) -> Any:  # fmt: skip
    """(score, feature, last code on the left, first on the right, counts on the left).

    Exact for the cuts that are the best or nearly so by their rough scores.
    """
    rough_scores(histogram, cells, counts, rules, seen, rough, best)
    share = 2.0 * (ROUGH_GINI if rules.criterion == GINI else ROUGH_DEVIANCE)
    near = best.max() - np.float32(share * np.float64(counts & LOW))
    top, chosen, low, on_left = -np.inf, -1, -1, np.uint64(0)
    for step in range(best.size):
        f = cells.place[(step + turned) % best.size]
        if best[f] < near or best[f] == -np.inf:
            continue
        left = np.uint64(0)
        for code in range(cells.bins[f] - 1):
            cell = cells.first[code] + f
            left += histogram[cell]
            if rough[cell] >= near:
                score = score_side(left, rules.criterion, table)
                score += score_side(counts - left, rules.criterion, table)
                if score > top + tie:
                    top, chosen, low, on_left = score, f, code, left
    if chosen < 0:
        return top, -1, -1, -1, on_left
    high = low + 1
    while histogram[cells.first[high] + chosen] == 0:
        high += 1
    return top, chosen, low, high, on_left


@njit
def best_of_rows(
    codes: Any, packed: Any, rows: Any, start: int, stop: int, cells: Cells, counts: Any,
    rules: Rules, tie: float, turned: Any, table: Any,
) -> Any:  # fmt: skip
    """The same of a node of few rows, which are sorted for each feature."""
    size, d = stop - start, codes.shape[1]
    code, count = np.empty(FEW, np.int64), np.empty(FEW, np.uint64)
    top, chosen, low, high, on_left = -np.inf, -1, -1, -1, np.uint64(0)
    pure = np.float64(counts & LOW) if rules.criterion == GINI else 0.0
    for step in range(d):
        f = cells.place[(step + turned) % d]
        for j in range(size):
            row = rows[start + j]
            value: Any = np.int64(codes[row, f])
            i = j
            while i > 0 and code[i - 1] > value:
                code[i], count[i] = code[i - 1], count[i - 1]
                i -= 1
            code[i], count[i] = value, packed[row]
        left = np.uint64(0)
        for j in range(size - 1):
            left += count[j]
            if code[j] == code[j + 1]:
                continue
            n = np.int64(left & LOW)
            if n >= rules.min_leaf and np.int64(counts & LOW) - n >= rules.min_leaf:
                score = score_side(left, rules.criterion, table)
                score += score_side(counts - left, rules.criterion, table)
                if score > top + tie:
                    top, chosen, low, high, on_left = score, f, code[j], code[j + 1], left
        if top >= pure - tie:
            break  # nothing is purer than pure
    return top, chosen, low, high, on_left


# Growing -------------------------------------------------------------------------------------


@njit
def next_state(state: Any, step: Any) -> Any:
    """The random state of a child: it depends on the path from the root and on nothing else."""
    increment = np.uint64(1442695040888963407) + np.uint64(step) * np.uint64(0x9E3779B97F4A7C15)
    return state * np.uint64(6364136223846793005) + increment


@njit
def partition(codes: Any, rows: Any, start: int, stop: int, f: int, low: int, aside: Any) -> Any:
    """Put the rows that go right behind the others; where they begin."""
    to: Any = start
    kept: Any = 0
    for j in range(start, stop):
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
def slots_of_children(small: Any, large: Any, slot: int, bins: int, free: Any, n_free: int) -> Any:
    """Which histograms two children get, of `free` ones and their parent's; how many are left."""
    for child in (small, large):
        size = child[STOP] - child[START]
        if child[SLOT] != LEAF and slot >= 0 and (size > FEW or 3 * size >= bins):
            child[SLOT] = slot
    if small[SLOT] >= 0 and large[SLOT] >= 0:
        n_free -= 1
        small[SLOT] = free[n_free]
    elif slot >= 0 and small[SLOT] < 0 and large[SLOT] < 0:
        free[n_free] = slot
        n_free += 1
    return n_free


@njit
def fill_histograms(
    codes: Any, packed: Any, rows: Any, small: Any, large: Any, first: Any, histograms: Any
) -> None:
    """Count the smaller child, and take it from what the larger one has of their parent."""
    if small[SLOT] >= 0:
        own = histograms[small[SLOT]]
        own[:] = 0
        add_rows(codes, packed, rows, small[START], small[STOP], first, own)
        if large[SLOT] >= 0:
            parent = histograms[large[SLOT]]
            for cell in range(own.size):
                parent[cell] -= own[cell]
    elif large[SLOT] >= 0:
        for j in range(small[START], small[STOP]):
            row = rows[j]
            for f in range(codes.shape[1]):
                histograms[large[SLOT], first[codes[row, f]] + f] -= packed[row]


@njit
def grow_nodes(
    codes: Any, packed: Any, rows: Any, cells: Cells, rules: Rules, table: Any, histograms: Any,
    counted: bool, nodes: Any, leaves: Any, where: Any,
) -> Any:  # fmt: skip
    """Fill `nodes` (5, 2n) and the packed counts of `leaves`; how many there are of both.

    The first histogram is that of the root if it is `counted`. `where` gets the leaf of each row,
    if it is not empty.
    """
    bins, d = cells.first.size - 1, codes.shape[1]
    stack = np.empty((2 * histograms.shape[0] + 64, 7), np.int64)
    free = np.arange(histograms.shape[0])[::-1].copy()
    n_free = free.size - 1  # the root has the last, which is histogram 0
    seen, best = np.empty(d, np.uint64), np.empty(d, np.float32)
    rough, aside = np.empty(histograms.shape[1], np.float32), np.empty(rows.size, np.int32)
    counts = np.uint64(0)
    for row in rows:
        counts += packed[row]
    copies, deviance = np.float64(counts & LOW), -score_side(counts, DEVIANCE, table)
    root = deviance if rules.criterion == DEVIANCE else copies - score_side(counts, GINI, table)
    seed = np.uint64(rules.seed + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    stack[0] = 0, 0, rows.size, 0, np.int64(counts), 0, np.int64(next_state(seed, 0))
    if is_leaf(counts, 0, rules, deviance, table):
        stack[0, SLOT] = LEAF
    elif not counted:
        histograms[0] = 0
        add_rows(codes, packed, rows, 0, rows.size, cells.first, histograms[0])
    n_nodes, n_leaves, n_open = 1, 0, 1
    while n_open > 0:
        n_open -= 1
        node = stack[n_open].copy()
        counts, state = np.uint64(node[COUNTS]), np.uint64(node[STATE])
        i, start, stop, slot = node[NODE], node[START], node[STOP], node[SLOT]
        gain, f, low, high, on_left = -np.inf, -1, -1, -1, np.uint64(0)
        if slot != LEAF:
            turned = np.int64(state >> np.uint64(33)) if rules.seed >= 0 else 0
            copies = np.float64(counts & LOW)
            tie = TIE * copies * (1.0 if rules.criterion == GINI else math.log(copies + 2.0))
            if slot >= 0:
                score, f, low, high, on_left = best_of_histogram(
                    histograms[slot], cells, counts, rules, tie, turned, table, seen, rough, best
                )
            else:
                score, f, low, high, on_left = best_of_rows(
                    codes, packed, rows, start, stop, cells, counts, rules, tie, turned, table
                )
            gain = score - score_side(counts, rules.criterion, table)
        if f < 0 or gain < (rules.min_decrease - 1e-12) * root:
            nodes[:, i] = -1
            nodes[CHILD, i], nodes[RIGHT, i], leaves[n_leaves] = n_leaves, 0, counts
            if where.size > 0:
                for j in range(start, stop):
                    where[rows[j]] = n_leaves
            n_leaves += 1
            if slot >= 0:
                free[n_free] = slot
                n_free += 1
            continue
        middle = partition(codes, rows, start, stop, f, low, aside)
        on_right = counts - on_left
        nodes[FEATURE, i], nodes[LOW_CODE, i], nodes[HIGH_CODE, i] = cells.feature[f], low, high
        nodes[CHILD, i], nodes[RIGHT, i] = n_nodes, (on_right & LOW) > (on_left & LOW)
        left, right = stack[n_open], stack[n_open + 1]
        for side in range(2):
            child, child_counts = (right, on_right) if side else (left, on_left)
            child[NODE], child[DEPTH] = n_nodes + side, node[DEPTH] + 1
            child[START], child[STOP] = (middle, stop) if side else (start, middle)
            child[COUNTS], child[STATE] = (
                np.int64(child_counts),
                np.int64(next_state(state, side)),
            )
            leaf = is_leaf(child_counts, child[DEPTH], rules, deviance, table)
            child[SLOT] = LEAF if leaf else NO_HISTOGRAM
        if middle - start > stop - middle:  # the smaller one comes first, so it stands last
            small, large = right, left
        else:
            for field in range(7):
                left[field], right[field] = right[field], left[field]
            small, large = right, left
        n_free = slots_of_children(small, large, slot, bins, free, n_free)
        fill_histograms(codes, packed, rows, small, large, cells.first, histograms)
        n_open += 2
        n_nodes += 2
    return n_nodes, n_leaves


def grow_packed(
    codes: Any, packed: Any, rows: Any, cells: Cells, rules: Rules, table: Any, histograms: Any,
    counted: bool, where: Any,
) -> Grown:  # fmt: skip
    """A tree that tells the ones from the others; arguments as in `grow_nodes`."""
    nodes, leaves = np.empty((5, 2 * rows.size), np.int32), np.empty(rows.size, np.uint64)
    n_nodes, n_leaves = grow_nodes(
        codes, packed, rows, cells, rules, table, histograms, counted, nodes, leaves, where
    )
    copies, ones = (half.astype(np.float64) for half in (leaves & LOW, leaves >> HALF))
    copies, ones = copies[:n_leaves], ones[:n_leaves]
    weight = np.column_stack([copies - ones, ones])
    there = weight > 0
    feature, low, high, child, right = nodes[:, :n_nodes].copy()
    return Grown(
        feature,
        low,
        high,
        child,
        right,
        set_at=np.full(n_nodes, -1, np.int32),
        sets=np.empty(0, np.uint8),
        start=np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int64),
        class_=np.nonzero(there)[1].astype(np.int32),
        weight=weight[there],
        count=copies,
        value=np.empty(0),
    )
