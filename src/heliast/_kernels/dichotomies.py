"""Two-class trees on few bins: one for each column of a code, from the same binned rows.

Copies and ones of a bin are packed in one integer (low and high half), bins lie [bin][feature], so
that features are SIMD lanes. Depth first, the smaller child first: few histograms are alive, all
in cache. The larger child is the parent less the smaller; below a leaf the parent's histogram is
diminished in place. Nodes with fewer rows than bins touch only their own bins.
"""

import math
from typing import Any

import numpy as np

from ._jit import kernel, part
from ._nodes import (
    Cells,
    inputs_of,
    lowest,
    next_state,
    partition,
    x_log_x,
)
from ._pairs import best_feature
from ._vectors import (
    EIGHT,
    choose,
    fill,
    high_half,
    load,
    low_half,
    square_root,
    store,
    whole_eights,
)
from .growing import Grown

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
TIE = 1e-11
SPARSE = 3
"""A node is looked at row by row if it has so many times fewer rows than bins."""

C0, C1 = np.float32(0.09360333), np.float32(1.79169445)
C2, C3 = np.float32(-1.34256058), np.float32(0.4572628)
"""The entropy of (p, 1 - p) in bits is s (C0 + C1 s + C2 s² + C3 s³) with s² = 4 p (1 - p), to
0.00145; least squares weighted until the largest errors were alike."""
ROUGH = 1.6e-3
"""The error of a rough score is below this times the copies."""

NODE, START, STOP, SLOT, PACKED, DEPTH, STATE = range(7)


@kernel
def _add(
    rows: Any, packed: Any, idx: Any, start: int, stop: int, first: Any, hist: Any, step: Any
) -> None:
    """Count rows into a histogram (step 1), or out of it (0 - 1)."""
    d = np.uintp(rows.shape[1])
    for j in range(np.uintp(start), np.uintp(stop)):
        row = np.uintp(idx[j])
        one = step * packed[row]
        for f in range(d):
            hist[np.uintp(first[np.uintp(rows[row, f])]) + f] += one


@kernel
def _clear(hist: Any, size: int) -> None:
    for q in range(np.uintp(size)):
        hist[q] = 0


@kernel
def _scan_gini(
    hist: Any, cells: Cells, copies: float, ones: float, min_cut: float, tie: float,
    seen: Any, best: Any, cut: Any,
) -> None:  # fmt: skip
    for f in range(seen.size):
        seen[f], best[f], cut[f] = np.uint64(0), -np.inf, -1
    for b in range(np.uintp(cells.bins[0] - 1)):
        at = np.uintp(cells.first[b])
        for f in range(np.uintp(cells.first[b + np.uintp(1)]) - at):
            sum_ = seen[f] + hist[at + f]
            seen[f] = sum_
            left = np.float64(np.int64(sum_ & LOW))
            a = np.float64(np.int64(sum_ >> HALF))
            z = left - a
            right = copies - left
            ra = ones - a
            rz = right - ra
            score = ((a * a + z * z) * right + (ra * ra + rz * rz) * left) / (left * right)
            fits = (left >= min_cut) & (right >= min_cut) & (score > best[f] + tie)
            best[f] = score if fits else best[f]
            cut[f] = b if fits else cut[f]


@part
def _rough_side(mean: Any, s: Any) -> Any:
    share = fill(C3) * s + fill(C2)
    share = share * s + fill(C1)
    return mean * (share * s + fill(C0))


@part
def _rough_sides(n: Any, a: Any, m: Any, b: Any) -> Any:
    """The deviance in bits of eight pairs of sides, n copies with a ones and m with b.

    To ROUGH times n + m. One division serves both sides: divisions and roots take longest.
    """
    inverse = fill(np.float32(1)) / (n * m)
    left, right = square_root(a * (n - a)), square_root(b * (m - b))
    left, right = left + left, right + right
    return _rough_side(left, left * m * inverse) + _rough_side(right, right * n * inverse)


@kernel
def _rough_deviance(
    hist: Any, cells: Cells, copies: float, ones: float, min_cut: float, rough: Any, best: Any
) -> None:
    """For every cut, less the deviance of its sides in bits, roughly; the best of each feature."""
    d_, eight = np.uintp(cells.bins.size), np.uintp(EIGHT)
    none, nothing, never = fill(np.uint64(0)), fill(np.float32(0)), fill(np.float32(-np.inf))
    n, p, least = fill(np.float32(copies)), fill(np.float32(ones)), fill(np.float32(min_cut))
    for f in range(np.uintp(0), d_, eight):
        sums, top = none, never
        for b in range(np.uintp(cells.bins[f] - 1)):
            at = np.uintp(cells.first[b]) + f
            sums = sums + load(hist, at)
            left, a = low_half(sums), high_half(sums)
            right = n - left
            score = nothing - _rough_sides(left, a, right, p - a)
            score = choose((left >= least) & (right >= least), score, never)
            store(rough, at, score)
            top = choose(score > top, score, top)
        store(best, f, top)


@kernel
def _scan_deviance(
    hist: Any, cells: Cells, copies: float, ones: float, tie: float, table: Any, turned: Any,
    rough: Any, best: Any,
) -> Any:  # fmt: skip
    """The best of the cuts that are the best or nearly so by `_rough_deviance`."""
    near, d = best[0], cells.bins.size
    for f in range(d):
        near = max(near, best[f])
    near -= np.float32(2.0 * ROUGH * copies)
    n, p = np.uint64(copies), np.uint64(ones)
    top, feature, low = -np.inf, -1, -1
    for step in range(d):
        f = cells.column[(step + turned) % d]
        if best[f] < near or best[f] == -np.inf:
            continue
        sum_, own, cut = np.uint64(0), -np.inf, -1
        for b in range(cells.bins[f] - 1):
            sum_ += hist[cells.first[b] + f]
            if rough[cells.first[b] + f] < near:
                continue
            left, a = sum_ & LOW, sum_ >> HALF
            right, ra = n - left, p - a
            score = (table[a] + table[left - a] - table[left]) + (
                table[ra] + table[right - ra] - table[right]
            )
            if score > own + tie:
                own, cut = score, b
        if own > top + tie:
            top, feature, low = own, f, cut
    return top, feature, low


@kernel
def _score(gini: bool, left: Any, a: Any, right: Any, ra: Any, table: Any) -> Any:
    if gini:
        l, r, p, q = np.float64(left), np.float64(right), np.float64(a), np.float64(ra)  # noqa: E741
        z, rz = l - p, r - q
        return ((p * p + z * z) * r + (q * q + rz * rz) * l) / (l * r)
    return (x_log_x(a, table) + x_log_x(left - a, table) - x_log_x(left, table)) + (
        x_log_x(ra, table) + x_log_x(right - ra, table) - x_log_x(right, table)
    )


@kernel
def _scan_rows(
    rows: Any, packed: Any, idx: Any, start: int, stop: int, f: int, sum_: Any, rules: Any,
    tie: float, table: Any, spare: Any, bits: Any,
) -> Any:  # fmt: skip
    """The best cut of one feature from the bins that the node's rows touch."""
    for j in range(start, stop):
        row = idx[j]
        bin_ = np.int64(rows[row, f])
        spare[bin_] += packed[row]
        bits[bin_ >> 6] |= np.uint64(1) << np.uint64(bin_ & 63)
    best, low, high, left = -np.inf, -1, -1, np.uint64(0)
    seen, last = np.uint64(0), -1
    for word in range(bits.size):
        touched = bits[word]
        bits[word] = 0
        while touched:
            bin_ = (word << 6) + lowest(touched)
            touched &= touched - np.uint64(1)
            if last >= 0:
                n, a = np.int64(seen & LOW), np.int64(seen >> HALF)
                rest = sum_ - seen
                m, ra = np.int64(rest & LOW), np.int64(rest >> HALF)
                if n >= rules.min_cut and m >= rules.min_cut:
                    score = _score(rules.gini, n, a, m, ra, table)
                    if score > best + tie:
                        best, low, high, left = score, last, bin_, seen
            seen += spare[bin_]
            spare[bin_] = 0
            last = bin_
    return best, low, high, left


@kernel
def _best_of_rows(
    rows: Any, packed: Any, idx: Any, start: int, stop: int, column: Any, sum_: Any, rules: Any,
    tie: float, turned: Any, table: Any, spare: Any, bits: Any,
) -> Any:  # fmt: skip
    d = rows.shape[1]
    best, feature, low, high, left = -np.inf, -1, -1, -1, np.uint64(0)
    for step in range(d):
        f = column[(step + turned) % d]
        score, a, b, on_left = _scan_rows(
            rows, packed, idx, start, stop, f, sum_, rules, tie, table, spare, bits
        )
        if score > best + tie:
            best, feature, low, high, left = score, f, a, b, on_left
            # Nothing is purer than pure: the first such split ends the search.
            if best >= (np.float64(np.int64(sum_ & LOW)) if rules.gini else 0.0) - tie:
                break
    return best, feature, low, high, left


@kernel
def _best_of_bins(
    hist: Any, cells: Cells, sum_: Any, rules: Any, tie: float, turned: Any, table: Any,
    seen: Any, best: Any, cut: Any, rough: Any, rough_best: Any,
) -> Any:  # fmt: skip
    copies, ones = np.float64(np.int64(sum_ & LOW)), np.float64(np.int64(sum_ >> HALF))
    if rules.gini:
        _scan_gini(hist, cells, copies, ones, rules.min_cut, tie, seen, best, cut)
        top, feature = best_feature(best, cells.column, cells.bins.size, copies, tie, turned)
        low = np.int64(cut[feature]) if feature >= 0 else np.int64(-1)
    else:
        _rough_deviance(hist, cells, copies, ones, rules.min_cut, rough, rough_best)
        top, feature, low = _scan_deviance(
            hist, cells, copies, ones, tie, table, turned, rough, rough_best
        )
    if feature < 0:
        return top, -1, -1, -1, np.uint64(0)
    left = np.uint64(0)
    for b in range(low + 1):
        left += hist[cells.first[b] + feature]
    high = low + 1
    while hist[cells.first[high] + feature] == 0:
        high += 1
    return top, feature, low, high, left


@kernel
def _stays(sum_: Any, depth: int, rules: Any, root: float, table: Any) -> Any:
    """Whether a node with these rows is a leaf whatever its inputs."""
    n, a = np.int64(sum_ & LOW), np.int64(sum_ >> HALF)
    if a == 0 or a == n or n < rules.min_size or n < 2.0 * rules.min_cut:
        return True
    if depth >= rules.max_depth:
        return True
    if rules.min_deviance <= 0.0:
        return False
    return _deviance(sum_, table) < rules.min_deviance * root


@kernel
def _deviance(sum_: Any, table: Any) -> Any:
    n, a = np.int64(sum_ & LOW), np.int64(sum_ >> HALF)
    return x_log_x(n, table) - x_log_x(a, table) - x_log_x(n - a, table)


@kernel
def _push(stack: Any, at: int, node: int, start: int, stop: int, slot: int, sum_: Any,
          depth: int, state: Any) -> None:  # fmt: skip
    stack[at, NODE], stack[at, START], stack[at, STOP] = node, start, stop
    stack[at, SLOT], stack[at, PACKED], stack[at, DEPTH] = slot, np.int64(sum_), depth
    stack[at, STATE] = np.int64(state)


@kernel
def grow_dichotomy(
    cells: Cells, rows: Any, packed: Any, idx: Any, rules: Any, table: Any, hists: Any, aside: Any,
    node: Any, leaf: Any, ready: bool, where: Any,
) -> Any:  # fmt: skip
    """One tree from the rows (n, d) in `idx`; `packed` holds copies and ones of each row.

    `hists` has room for log2 n + 3 histograms; the first is the root's if it is `ready`. `aside`
    (n,) is working memory; `node` (5, 2 n) gets feature, low, high, child and missing right, `leaf`
    (n,) the packed copies and ones. Returns how many there are of both.
    """
    bins = cells.bins[0]
    size = cells.first[bins]
    stack = np.empty((2 * hists.shape[0] + 64, 7), np.int64)
    n_free = hists.shape[0] - 1
    free = np.empty(n_free + 1, np.int64)
    for q in range(n_free + 1):
        free[q] = n_free - q
    width = whole_eights(rows.shape[1])
    seen, best, cut = np.empty(width, np.uint64), np.empty(width), np.empty(width, np.int64)
    rough, rough_best = np.empty(size, np.float32), np.empty(width, np.float32)
    spare, bits = np.zeros(256, np.uint64), np.zeros(4, np.uint64)
    state = np.uint64(rules.turn + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)

    sum_ = np.uint64(0)
    for j in range(idx.size):
        sum_ += packed[idx[j]]
    root_deviance = _deviance(sum_, table)
    total, ones = np.float64(np.int64(sum_ & LOW)), np.float64(np.int64(sum_ >> HALF))
    pure = total - (ones * ones + (total - ones) * (total - ones)) / total
    root = pure if rules.gini else root_deviance
    # Zeros that are written as such would be types of their own, and be compiled for.
    none: Any = np.int64(0)
    one = np.uint64(1)
    n_nodes, n_leaves, n_stack = none + 1, none, none
    if _stays(sum_, none, rules, root_deviance, table):
        node[0, 0], node[1, 0], node[2, 0], node[3, 0], node[4, 0] = -1, -1, -1, 0, 0
        leaf[0], n_leaves = sum_, none + 1
        if where.size > 0:
            for j in range(idx.size):
                where[idx[j]] = 0
    else:
        if not ready:
            _clear(hists[0], size)
            _add(rows, packed, idx, none, idx.size, cells.first, hists[0], one)
        _push(stack, none, none, none, idx.size, none, sum_, none, next_state(state, none))
        n_stack = none + 1
    while n_stack > 0:
        n_stack -= 1
        i, start, stop = stack[n_stack, NODE], stack[n_stack, START], stack[n_stack, STOP]
        slot, depth = stack[n_stack, SLOT], stack[n_stack, DEPTH]
        sum_ = np.uint64(stack[n_stack, PACKED])
        state = np.uint64(stack[n_stack, STATE])
        turned = np.int64(state >> np.uint64(33)) if rules.turn >= 0 else np.int64(0)
        copies, ones = np.float64(np.int64(sum_ & LOW)), np.float64(np.int64(sum_ >> HALF))
        tie = TIE * (copies if rules.gini else copies * math.log(copies + 2.0))
        if slot >= 0:
            score, feature, low, high, left = _best_of_bins(
                hists[slot], cells, sum_, rules, tie, turned, table, seen, best, cut, rough,
                rough_best,
            )  # fmt: skip
        else:
            score, feature, low, high, left = _best_of_rows(
                rows, packed, idx, start, stop, cells.column, sum_, rules, tie, turned, table,
                spare, bits,
            )  # fmt: skip
        if rules.gini:
            gain = score - (ones * ones + (copies - ones) * (copies - ones)) / copies
        else:
            gain = score + _deviance(sum_, table)
        if feature < 0 or gain < (rules.min_decrease - 1e-12) * root:
            node[0, i], node[1, i], node[2, i], node[3, i], node[4, i] = -1, -1, -1, n_leaves, 0
            leaf[n_leaves] = sum_
            if where.size > 0:
                for j in range(start, stop):
                    where[idx[j]] = n_leaves
            n_leaves += 1
            if slot >= 0:
                free[n_free] = slot
                n_free += 1
            continue
        middle = partition(rows, idx, start, stop, feature, low, aside)
        right = sum_ - left
        node[0, i], node[1, i], node[2, i], node[3, i] = feature, low, high, n_nodes
        node[4, i] = (right & LOW) > (left & LOW)
        # The smaller child is the second of the two and comes first from the stack.
        if middle - start <= stop - middle:
            small_at, small_from, small_to, small = n_nodes, start, middle, left
            large_at, large_from, large_to, large = n_nodes + 1, middle, stop, right
        else:
            small_at, small_from, small_to, small = n_nodes + 1, middle, stop, right
            large_at, large_from, large_to, large = n_nodes, start, middle, left
        n_nodes += 2
        small_stays = _stays(small, depth + 1, rules, root_deviance, table)
        large_stays = _stays(large, depth + 1, rules, root_deviance, table)
        for child in range(2):
            stays = large_stays if child else small_stays
            if stays:
                at = large_at if child else small_at
                node[0, at], node[1, at], node[2, at], node[3, at] = -1, -1, -1, n_leaves
                node[4, at] = 0
                leaf[n_leaves] = large if child else small
                if where.size > 0:
                    for j in range(
                        large_from if child else small_from, large_to if child else small_to
                    ):
                        where[idx[j]] = n_leaves
                n_leaves += 1
        small_dense = not small_stays and (small_to - small_from) * SPARSE >= bins
        large_dense = not large_stays and (large_to - large_from) * SPARSE >= bins
        small_slot, large_slot = none - 1, none - 1
        if slot >= 0:
            if large_dense:
                large_slot = slot
                if small_dense:
                    n_free -= 1
                    small_slot = free[n_free]
                    less, parent = hists[small_slot], hists[slot]
                    _clear(less, size)
                    _add(rows, packed, idx, small_from, small_to, cells.first, less, one)
                    for q in range(size):
                        parent[q] -= less[q]
                else:
                    out = np.uint64(0) - one
                    _add(rows, packed, idx, small_from, small_to, cells.first, hists[slot], out)
            elif small_dense:
                small_slot = slot
                _clear(hists[slot], size)
                _add(rows, packed, idx, small_from, small_to, cells.first, hists[slot], one)
            else:
                free[n_free] = slot
                n_free += 1
        if not large_stays:
            own = next_state(state, large_at - n_nodes + 2)
            _push(stack, n_stack, large_at, large_from, large_to, large_slot, large, depth + 1, own)
            n_stack += 1
        if not small_stays:
            own = next_state(state, small_at - n_nodes + 2)
            _push(stack, n_stack, small_at, small_from, small_to, small_slot, small, depth + 1, own)
            n_stack += 1
    return n_nodes, n_leaves


@kernel
def pack(truth: Any, bits: Any, weight: Any, packed: Any) -> None:
    """Copies in the low half, copies that are ones in the high half."""
    for i in range(truth.size):
        copies = np.uint64(1) if weight is None else np.uint64(weight[i])
        packed[i] = copies | ((copies * np.uint64(bits[truth[i]])) << HALF)


@kernel
def count_classes(rows: Any, truth: Any, weight: Any, first: Any, hist: Any) -> None:
    """Copies of each class in each bin, (k, cells)."""
    d = rows.shape[1]
    for i in range(rows.shape[0]):
        copies = np.uint64(1) if weight is None else np.uint64(weight[i])
        of_class = hist[truth[i]]
        for f in range(d):
            of_class[first[rows[i, f]] + f] += copies


@kernel
def join_classes(by_class: Any, bits: Any, hist: Any) -> None:
    """The root's histogram of one column of the code, from that of the classes."""
    _clear(hist, by_class.shape[1])
    for c in range(by_class.shape[0]):
        shift = HALF if bits[c] else np.uint64(0)
        for q in range(by_class.shape[1]):
            copies = by_class[c, q]
            hist[q] += copies | ((copies << HALF) if shift else np.uint64(0))


@kernel
def split_leaves(leaf: Any, start: Any, class_: Any, weight: Any, count: Any) -> Any:
    """Packed leaves as entries (class, weight); how many entries there are comes back."""
    at = 0
    for number in range(leaf.size):
        copies, ones = np.int64(leaf[number] & LOW), np.int64(leaf[number] >> HALF)
        count[number] = copies
        start[number] = at
        if copies > ones:
            class_[at], weight[at] = 0, copies - ones
            at += 1
        if ones > 0:
            class_[at], weight[at] = 1, ones
            at += 1
    start[leaf.size] = at
    return at


def dichotomy(cells: Cells, *given: Any) -> Grown:
    """A tree of `grow_dichotomy` in the common form, copied from its working memory."""
    nodes, leaves = grow_dichotomy(cells, *given)
    node, leaf = given[-4][:, :nodes].copy(), given[-3][:leaves]
    start, count = np.empty(leaf.size + 1, np.int32), np.empty(leaf.size)
    class_, weight = np.empty(2 * leaf.size, np.int32), np.empty(2 * leaf.size)
    size = split_leaves(leaf, start, class_, weight, count)
    return Grown(
        feature=inputs_of(node[0], cells),
        low=node[1],
        high=node[2],
        child=node[3],
        right=node[4],
        set_at=np.full(node.shape[1], -1, np.int32),
        sets=np.empty(0, np.uint64),
        start=start,
        class_=class_[:size],
        weight=weight[:size],
        count=count,
    )
