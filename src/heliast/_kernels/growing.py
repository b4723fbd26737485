"""Growing any tree: k classes, real weights, nominal and missing inputs, depth first or best first.

The rows of a node are put in the order of their bins, one feature at a time, by a bitmap of the
bins that they touch: the time is that of the rows in the node, however many bins there are. Sums
move from right to left row by row, so the number of classes costs nothing either.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ._jit import kernel, part
from ._nodes import deal, lowest, next_state, put_back, sized, x_log_x
from ._pairs import Near, best_of_rows, room_for

ROW = (1 << 32) - 1
FADED = 1e-3
"""Where so little weight is left of what was summed, it is summed anew: what was taken away leaves
rounding errors behind."""
NEAR = 48
"""Rows of a node that are compared with one another and not sorted, by Gini."""
FEW = 24
"""Rows of a node that are sorted by insertion."""
TIE = 1e-11
"""Scores that differ by less than this share of the weight are equal; the first one stands."""

NODE, START, STOP, DEPTH, FEATURE, LOW, HIGH, RIGHT, SET, STATE = range(10)
"""What is known of an open node, its rows and its best split."""


class Rules(NamedTuple):
    """When and how nodes are split; what is not limited has a limit that is never reached."""

    gini: bool
    min_cut: float
    min_size: float
    min_deviance: float
    min_decrease: float
    max_depth: int
    max_leaves: int
    turn: int
    drawn: int = 0
    """Inputs that are drawn for each node; 0 is all."""


class Rows(NamedTuple):
    """Binned inputs (d, n) and what is known of each row."""

    columns: Any
    bins: Any
    nominal: Any
    truth: Any
    weight: Any
    count: Any
    plain: bool
    """Whether all inputs are numbers and none is missing."""
    whole: bool
    """Whether weights are copies."""
    by_weight: bool
    """Whether real weights count for the limits, instead of one a row."""


class Scratch(NamedTuple):
    """Working memory of one tree, used again by the next."""

    head: Any
    chain: Any
    bits: Any
    top: Any
    keys: Any
    left: Any
    right: Any
    total: Any
    held: Any
    share: Any
    order: Any
    place: Any
    subset: Any
    table: Any
    near: Near
    cards: Any
    """All inputs, in their order between draws."""
    swaps: Any
    plain: Any
    """Numbers from 0 on."""
    open: Any
    gain: Any
    node: Any
    """What is grown, as large as it can get: a leaf, and a class in it, has a row at least."""
    start: Any
    class_: Any
    weight: Any
    count: Any


class Grown(NamedTuple):
    """A tree as it leaves the kernel; leaf l holds the entries start[l] to start[l + 1]."""

    feature: Any
    low: Any
    high: Any
    child: Any
    right: Any
    set_at: Any
    sets: Any
    start: Any
    class_: Any
    weight: Any
    count: Any


@part
def _clear(values: Any) -> None:
    # A loop: assigning to a slice takes Numba a second to compile.
    for j in range(values.size):
        values[j] = 0


@part
def _insert(column: Any, idx: Any, start: int, stop: int, keys: Any) -> None:
    for j in range(start, stop):
        row = np.int64(idx[j])
        key = (np.int64(column[row]) << 32) | row
        to = j - start
        while to > 0 and keys[to - 1] > key:
            keys[to] = keys[to - 1]
            to -= 1
        keys[to] = key


@kernel
def _sort_rows(
    column: Any, idx: Any, start: int, stop: int, head: Any, chain: Any, bits: Any, top: Any,
    keys: Any,
) -> None:  # fmt: skip
    """Fill `keys` with (bin, row) of the node's rows, in the order of the bins."""
    if stop - start <= FEW:
        _insert(column, idx, start, stop, keys)
        return
    for j in range(start, stop):
        bin_ = np.int64(column[idx[j]])
        chain[j - start] = head[bin_]
        head[bin_] = j - start + 1
        bits[bin_ >> 6] |= np.uint64(1) << np.uint64(bin_ & 63)
        top[bin_ >> 12] |= np.uint64(1) << np.uint64((bin_ >> 6) & 63)
    to = 0
    for t in range(top.size):
        words = top[t]
        top[t] = 0
        while words:
            word = (t << 6) + lowest(words)
            words &= words - np.uint64(1)
            touched = bits[word]
            bits[word] = 0
            while touched:
                bin_ = (word << 6) + lowest(touched)
                touched &= touched - np.uint64(1)
                at = head[bin_]
                head[bin_] = 0
                while at > 0:
                    keys[to] = (np.int64(bin_) << 32) | np.int64(idx[start + at - 1])
                    to += 1
                    at = chain[at - 1]


@part
def _better(score: float, best: float, scale: float) -> bool:
    return score > best + TIE * scale


@kernel
def _sum_up(
    rows: Rows, keys: Any, first: int, last: int, gini: bool, right: Any, table: Any
) -> Any:
    """Weight of the rows from `first` on, their class weights, and the sum of squares or logs."""
    _clear(right)
    weight = 0.0
    for j in range(first, last):
        row = keys[j] & ROW
        right[rows.truth[row]] += rows.weight[row]
        weight += rows.weight[row]
    sum_ = 0.0
    for c in range(right.size):
        sum_ += right[c] * right[c] if gini else x_log_x(right[c], table)
    return weight, sum_


@kernel
def _scan_numeric(
    rows: Rows, size: int, bins: int, rules: Rules, scratch: Scratch, counted: float, scale: float
) -> Any:
    """The best cut of one numeric feature: score, last bin left, first bin right, missing right."""
    keys, left, right, total = scratch.keys, scratch.left, scratch.right, scratch.total
    table, k = scratch.table, scratch.total.size
    known = size
    while known > 0 and keys[known - 1] >> 32 == bins:
        known -= 1
    best, low, high, to_right = -np.inf, -1, -1, 1
    for side in range(2 if known < size else 1):
        sum_left, sum_right = 0.0, 0.0
        weight_left, weight_right, count_left = 0.0, 0.0, 0.0
        for c in range(k):
            left[c], right[c] = 0.0, total[c]
            weight_right += total[c]
            sum_right += total[c] * total[c] if rules.gini else x_log_x(total[c], table)
        faded = FADED * weight_right
        # Missing values go right in the first pass; in the second they start on the left.
        for j in range(-(size - known) * side, known):
            key = keys[j] if j >= 0 else keys[known - 1 - j]
            row = key & ROW
            c, w = rows.truth[row], rows.weight[row]
            from_, to = right[c], left[c]
            if rules.gini:
                sum_left += w * (2.0 * to + w)
                sum_right += w * (w - 2.0 * from_)
                right[c] = from_ - w
            else:
                kept = max(from_ - w, 0.0)
                sum_left += x_log_x(to + w, table) - x_log_x(to, table)
                sum_right += x_log_x(kept, table) - x_log_x(from_, table)
                right[c] = kept
            left[c] = to + w
            weight_left += w
            weight_right -= w
            count_left += rows.count[row]
            if weight_right < faded and j >= -1:
                first = max(j + 1, 0)
                last = size if side == 0 else known
                weight_right, sum_right = _sum_up(rows, keys, first, last, rules.gini, right, table)
                faded = FADED * weight_right
            if j < 0:
                continue
            bin_ = key >> 32
            if j + 1 < known:
                next_ = keys[j + 1] >> 32
                if next_ == bin_:
                    continue
            elif known < size and side == 0:
                next_ = bins
            else:
                break
            if count_left < rules.min_cut or counted - count_left < rules.min_cut:
                continue
            if weight_left <= 0.0 or weight_right <= 0.0:
                continue
            if rules.gini:
                score = sum_left / weight_left + sum_right / weight_right
            else:
                score = sum_left - x_log_x(weight_left, table)
                score += sum_right - x_log_x(weight_right, table)
            if _better(score, best, scale):
                best, low, high, to_right = score, bin_, next_, 1 - side
    if known == size:
        to_right = -1
    return best, low, high, to_right


@kernel
def _scan_nominal(
    rows: Rows, size: int, bins: int, rules: Rules, scratch: Scratch, counted: float, scale: float
) -> Any:
    """The best subset of the values: prefixes in the order of each class's share (STATISTICS)."""
    keys, left, total, table = scratch.keys, scratch.left, scratch.total, scratch.table
    held, share, order, subset = scratch.held, scratch.share, scratch.order, scratch.subset
    place, k = scratch.place, total.size
    values = 0
    for j in range(size):
        key = keys[j]
        if j == 0 or key >> 32 != keys[j - 1] >> 32:
            order[values] = key >> 32
            for c in range(k + 1):
                held[values, c] = 0.0
            values += 1
        row = key & ROW
        held[values - 1, rows.truth[row]] += rows.weight[row]
        held[values - 1, k] += rows.count[row]
    best = -np.inf
    for c in range(1 if k == 2 else 0, k):
        for v in range(values):
            weight = 0.0
            for other in range(k):
                weight += held[v, other]
            of_class = held[v, c] / weight
            to = v
            while to > 0 and share[to - 1] > of_class:
                share[to], place[to] = share[to - 1], place[to - 1]
                to -= 1
            share[to], place[to] = of_class, v
        _clear(left)
        count_left, cut = 0.0, -1
        for v in range(values - 1):
            at = place[v]
            count_left += held[at, k]
            weight_left, sum_left, weight_right, sum_right = 0.0, 0.0, 0.0, 0.0
            for other in range(k):
                left[other] += held[at, other]
                a, b = left[other], max(total[other] - left[other], 0.0)
                weight_left += a
                weight_right += b
                sum_left += a * a if rules.gini else x_log_x(a, table)
                sum_right += b * b if rules.gini else x_log_x(b, table)
            if count_left < rules.min_cut or counted - count_left < rules.min_cut:
                continue
            if weight_left <= 0.0 or weight_right <= 0.0:
                continue
            if rules.gini:
                score = sum_left / weight_left + sum_right / weight_right
            else:
                score = sum_left - x_log_x(weight_left, table)
                score += sum_right - x_log_x(weight_right, table)
            if _better(score, best, scale):
                best, cut = score, v
        if cut >= 0:
            _clear(subset)
            for v in range(cut + 1):
                value = order[place[v]]
                subset[value >> 6] |= np.uint64(1) << np.uint64(value & 63)
    _place_absent(order, values, bins, held, k, subset)
    return best, -1, -1, -1


@part
def _place_absent(order: Any, values: int, bins: int, held: Any, k: int, subset: Any) -> None:
    """Values that the node does not hold go with the heavier side."""
    balance = 0.0
    for v in range(values):
        in_left = (subset[order[v] >> 6] >> np.uint64(order[v] & 63)) & np.uint64(1)
        for c in range(k):
            balance += held[v, c] if in_left else -held[v, c]
    if balance <= 0.0:
        return
    at = 0
    for value in range(bins + 1):
        if at < values and order[at] == value:
            at += 1
        else:
            subset[value >> 6] |= np.uint64(1) << np.uint64(value & 63)


@part
def _best_split(
    rows: Rows, idx: Any, start: int, stop: int, rules: Rules, scratch: Scratch, chosen: Any,
    state: Any, counted: float, weight: float,
) -> Any:  # fmt: skip
    """The best split of all inputs, or of those that are drawn; more are where these have none."""
    d, dealt, every = rows.columns.shape[0], np.int64(0), rules.drawn == 0
    turned = np.int64(state >> np.uint64(33)) if every and rules.turn >= 0 else np.int64(0)
    best, feature = -np.inf, np.int64(-1)
    low, high, to_right = np.int64(-1), np.int64(-1), np.int64(-1)
    while feature < 0 and dealt < d:
        tries = d if every else min(rules.drawn, d - dealt)
        if not every:
            state = deal(scratch.cards, scratch.swaps, dealt, dealt + tries, state)
        best, feature, low, high, to_right = _best_of_inputs(
            rows, idx, start, stop, rules, scratch, chosen, turned, counted, weight,
            scratch.cards[dealt : dealt + tries],
        )  # fmt: skip
        dealt += tries
    if not every:
        put_back(scratch.cards, scratch.swaps, dealt)
    return best, feature, low, high, to_right


@kernel
def _best_of_inputs(
    rows: Rows, idx: Any, start: int, stop: int, rules: Rules, scratch: Scratch, chosen: Any,
    turned: Any, counted: float, weight: float, inputs: Any,
) -> Any:  # fmt: skip
    """The best split of some inputs, and its score; its subset goes to `chosen`."""
    d = inputs.size
    scale = weight if rules.gini else weight * math.log(weight + 2.0)
    best, feature = -np.inf, np.int64(-1)
    low, high, to_right = np.int64(-1), np.int64(-1), np.int64(-1)
    if rows.plain and rules.gini and stop - start <= NEAR:
        score, feature, low, high = best_of_rows(
            rows.columns.T, rows.truth, rows.weight, idx, start, stop, scratch.total, scratch.near,
            rows.whole, rows.by_weight, counted, weight, rules.min_cut, TIE * weight, turned,
            inputs, scratch.plain, d,
        )  # fmt: skip
        if feature >= 0:
            feature = inputs[feature]
        return score, feature, low, high, to_right
    for step in range(d):
        f = inputs[(step + turned) % d]
        _sort_rows(
            rows.columns[f], idx, start, stop, scratch.head, scratch.chain, scratch.bits,
            scratch.top, scratch.keys,
        )  # fmt: skip
        if scratch.keys[0] >> 32 == scratch.keys[stop - start - 1] >> 32:
            continue
        size, bins = stop - start, rows.bins[f]
        if rows.nominal[f]:
            score, a, b, side = _scan_nominal(rows, size, bins, rules, scratch, counted, scale)
        else:
            score, a, b, side = _scan_numeric(rows, size, bins, rules, scratch, counted, scale)
        if _better(score, best, scale):
            best, feature, low, high, to_right = score, f, a, b, side
            if rows.nominal[f]:
                for word in range(chosen.size):
                    chosen[word] = scratch.subset[word]
            # Nothing is purer than pure: the first such split ends the search.
            if best >= (weight if rules.gini else 0.0) - TIE * scale:
                break
    return best, feature, low, high, to_right


@kernel
def _count_rows(rows: Rows, idx: Any, start: int, stop: int, total: Any) -> float:
    """Class weights of the node's rows go to `total`; how many copies there are comes back."""
    _clear(total)
    counted = 0.0
    for j in range(start, stop):
        row = idx[j]
        total[rows.truth[row]] += rows.weight[row]
        counted += rows.count[row]
    return counted


@part
def _goes_right(bin_: Any, open_: Any, missing: int, chosen: Any) -> Any:
    if open_[LOW] < 0:
        return not (chosen[bin_ >> 6] >> np.uint64(bin_ & 63)) & np.uint64(1)
    if bin_ == missing:
        return open_[RIGHT] == 1
    return bin_ > open_[LOW]


@part
def _partition(rows: Rows, idx: Any, open_: Any, chosen: Any, aside: Any) -> Any:
    """Rows that go left first, each side in the order it had; where the right side begins."""
    column, missing = rows.columns[open_[FEATURE]], rows.bins[open_[FEATURE]]
    to, kept = open_[START], 0
    for j in range(open_[START], open_[STOP]):
        row = idx[j]
        right = _goes_right(np.int64(column[row]), open_, missing, chosen)
        idx[to] = row
        aside[kept] = row
        kept += right
        to += 1 - right
    for j in range(kept):
        idx[to + j] = aside[j]
    return to


@part
def _whole_node(rows: Rows, idx: Any, rules: Rules, root: Any, open_: Any, scratch: Scratch,
                chosen: Any) -> Any:  # fmt: skip
    """Find the best split of an open node; its gain, or -1 if it stays a leaf.

    `root` holds the root's deviance and impurity, the latter in the units of the gain.
    """
    start, stop = open_[START], open_[STOP]
    total, table = scratch.total, scratch.table
    counted = _count_rows(rows, idx, start, stop, total)
    weight, sum_logs, sum_squares, classes = 0.0, 0.0, 0.0, 0
    for c in range(total.size):
        weight += total[c]
        sum_squares += total[c] * total[c]
        classes += total[c] > 0.0
    open_[FEATURE] = -1
    if classes < 2 or counted < rules.min_size or counted < 2.0 * rules.min_cut:
        return -1.0
    if open_[DEPTH] >= rules.max_depth:
        return -1.0
    for c in range(total.size):
        sum_logs += x_log_x(total[c], table)
    deviance = x_log_x(weight, table) - sum_logs
    impurity = weight - sum_squares / weight if rules.gini else deviance
    if root[0] < 0.0:
        root[0], root[1] = deviance, impurity
    if deviance < rules.min_deviance * root[0]:
        return -1.0
    score, feature, low, high, to_right = _best_split(
        rows, idx, start, stop, rules, scratch, chosen, np.uint64(open_[STATE]), counted, weight
    )
    # The score and the impurity add up to the weight (Gini) or to nothing (deviance).
    gain = score - (weight - impurity) if rules.gini else score + impurity
    if feature < 0 or gain < (rules.min_decrease - 1e-12) * root[1]:
        return -1.0
    open_[FEATURE], open_[LOW], open_[HIGH], open_[RIGHT] = feature, low, high, to_right
    return max(gain, 0.0)


@part
def _heavier_right(rows: Rows, idx: Any, open_: Any, middle: int) -> bool:
    balance = 0.0
    for j in range(open_[START], open_[STOP]):
        balance += rows.weight[idx[j]] if j >= middle else -rows.weight[idx[j]]
    return balance > 0.0


@kernel
def grow(rows: Rows, idx: Any, rules: Rules, scratch: Scratch, where: Any) -> Any:
    """One tree from the rows listed in `idx`, which is put in another order.

    It is put into `scratch`; its nodes, leaves and entries come back, and the sets of its nodes.
    `where` gets the leaf of each of these rows, if it is not empty.
    """
    k, words = scratch.total.size, scratch.subset.size
    node, open_, gain = scratch.node, scratch.open, scratch.gain
    start, class_, weight, count = scratch.start, scratch.class_, scratch.weight, scratch.count
    start[0] = 0
    none: Any = np.int64(0)  # as a written 0 it would be a type of its own, and be compiled for
    n_nodes, n_open, n_leaves, n_sets, n_entries = none + 1, none + 1, none, none, none
    sets = np.empty(0, np.uint64)
    chosen = np.zeros(words, np.uint64)
    aside = scratch.chain
    root = np.empty(2)
    root[0], root[1] = -1.0, -1.0
    state = np.uint64(rules.turn + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)

    open_[0, NODE], open_[0, START], open_[0, STOP], open_[0, DEPTH] = 0, 0, idx.size, 0
    open_[0, STATE] = np.int64(next_state(state, 0))
    fresh = 1
    while n_open > 0:
        # What was opened last is looked at first: its rows are still near.
        for z in range(n_open - fresh, n_open):
            gain[z] = _whole_node(rows, idx, rules, root, open_[z], scratch, chosen)
            if gain[z] >= 0.0 and open_[z, LOW] < 0:
                if n_sets + words > sets.size:
                    sets = sized(sets, 2 * (n_sets + words))
                for word in range(words):
                    sets[n_sets + word] = chosen[word]
                open_[z, SET] = n_sets
                n_sets += words
        at = n_open - 1
        if rules.max_leaves > 0:
            # A full tree closes the rest; ties go to the node that was made first.
            full = n_leaves + n_open >= rules.max_leaves
            for z in range(n_open):
                if full:
                    gain[z] = -1.0
                if gain[z] > gain[at] or (gain[z] == gain[at] and open_[z, NODE] < open_[at, NODE]):
                    at = z
        this = sized(open_[at], open_.shape[1])
        splits = gain[at] >= 0.0
        n_open -= 1
        for c in range(open_.shape[1]):
            open_[at, c] = open_[n_open, c]
        gain[at] = gain[n_open]
        i = this[NODE]
        if not splits:
            counted = _count_rows(rows, idx, this[START], this[STOP], scratch.total)
            for c in range(k):
                if scratch.total[c] > 0.0:
                    class_[n_entries], weight[n_entries] = c, scratch.total[c]
                    n_entries += 1
            if where.size > 0:
                for j in range(this[START], this[STOP]):
                    where[idx[j]] = n_leaves
            node[0, i], node[1, i], node[2, i], node[3, i] = -1, -1, -1, n_leaves
            node[4, i], node[5, i] = 0, -1
            count[n_leaves] = counted
            n_leaves += 1
            start[n_leaves] = n_entries
            fresh = 0
            continue
        nominal = this[LOW] < 0
        if nominal:
            for word in range(words):
                chosen[word] = sets[this[SET] + word]
        middle = _partition(rows, idx, this, chosen, aside)
        if this[RIGHT] < 0:
            this[RIGHT] = _heavier_right(rows, idx, this, middle)
        node[0, i], node[1, i], node[2, i], node[3, i] = (
            this[FEATURE],
            this[LOW],
            this[HIGH],
            n_nodes,
        )
        node[4, i], node[5, i] = this[RIGHT], this[SET] if nominal else -1
        for z in range(2):
            new = open_[n_open]
            new[NODE], new[DEPTH] = n_nodes + 1 - z, this[DEPTH] + 1
            new[STATE] = np.int64(next_state(np.uint64(this[STATE]), 1 - z))
            new[START] = this[START] if z else middle
            new[STOP] = middle if z else this[STOP]
            n_open += 1
        n_nodes += 2
        fresh = 2
    return n_nodes, n_leaves, n_entries, sized(sets, n_sets)


def tree(rows: Rows, idx: Any, rules: Rules, scratch: Scratch, where: Any) -> Grown:
    """A tree of `grow` in the common form, copied from its working memory."""
    nodes, leaves, entries, sets = grow(rows, idx, rules, scratch, where)
    feature, low, high, child, right, set_at = scratch.node[:, :nodes].copy()
    return Grown(
        feature,
        low,
        high,
        child,
        right,
        set_at,
        sets,
        scratch.start[: leaves + 1].copy(),
        scratch.class_[:entries].copy(),
        scratch.weight[:entries].copy(),
        scratch.count[:leaves].copy(),
    )


def scratch(n: int, d: int, k: int, bins: int, nominal_bins: int, table: Any) -> Scratch:
    """Working memory for trees of n rows, d inputs, k classes and so many bins in a column."""
    words = (bins + 1) // 64 + 1
    return Scratch(
        head=np.zeros(64 * words, np.int32),
        chain=np.empty(n, np.int32),
        bits=np.zeros(words, np.uint64),
        top=np.zeros(words // 64 + 1, np.uint64),
        keys=np.empty(n, np.int64),
        left=np.empty(k),
        right=np.empty(k),
        total=np.empty(k),
        held=np.empty((nominal_bins + 2, k + 1)),
        share=np.empty(nominal_bins + 2),
        order=np.empty(nominal_bins + 2, np.int64),
        place=np.empty(nominal_bins + 2, np.int64),
        subset=np.zeros((nominal_bins + 1) // 64 + 1, np.uint64),
        table=table,
        near=room_for(NEAR, d, k),
        cards=np.arange(d),
        swaps=np.empty(d, np.int64),
        plain=np.arange(d),
        open=np.empty((n + 1, 10), np.int64),
        gain=np.empty(n + 1),
        node=np.empty((6, 2 * n), np.int32),
        start=np.empty(n + 1, np.int32),
        class_=np.empty(n, np.int32),
        weight=np.empty(n),
        count=np.empty(n),
    )
