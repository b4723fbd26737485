"""Trees of k classes on few bins, with whole or real weights, depth first or best first.

A histogram holds class weights [feature][bin][lane], a lane for each class that a subtree still
holds, and copies [feature][bin] beside them. The smaller child is counted, the larger is the
parent less the smaller. Where few classes are left, a subtree gets fewer lanes. Nodes of few rows
need no histogram: their rows are sorted. Whole weights are summed without rounding.
"""

import math
from typing import Any

import numpy as np

from ._jit import kernel, summing_kernel
from .growing import Grown, Rules

TIE = 1e-11
FEW = 12
"""Rows of a node that are sorted and not counted."""
EXACT = 4096.0
"""Whole numbers up to this have squares whose sums float32 still holds exactly."""
WIDE = 8
"""Lanes come in so many: a SIMD register or two."""

NODE, START, STOP, SLOT, LANES, DEPTH, FEATURE, LOW, HIGH = range(9)


@kernel
def _x_log_x(x: Any, table: Any) -> Any:
    if table.size > 0:
        return table[np.int64(x)]
    return x * math.log(x) if x > 0.0 else 0.0


@kernel
def _add(
    rows: Any, lane: Any, weight: Any, count: Any, idx: Any, start: int, stop: int, bins: int,
    lanes: int, hist: Any, copies: Any,
) -> None:  # fmt: skip
    for j in range(start, stop):
        row = idx[j]
        w, c, at = weight[row], count[row], np.int64(lane[row])
        for f in range(rows.shape[1]):
            bin_ = f * bins + np.int64(rows[row, f])
            copies[bin_] += c
            hist[bin_ * lanes + at] += w


@kernel
def _remove(
    rows: Any, lane: Any, weight: Any, count: Any, idx: Any, start: int, stop: int, bins: int,
    lanes: int, hist: Any, copies: Any,
) -> None:  # fmt: skip
    for j in range(start, stop):
        row = idx[j]
        w, c, at = weight[row], count[row], np.int64(lane[row])
        for f in range(rows.shape[1]):
            bin_ = f * bins + np.int64(rows[row, f])
            copies[bin_] -= c
            hist[bin_ * lanes + at] -= w


@summing_kernel
def _move(hist: Any, at: int, lanes: int, cum: Any, total: Any, zero: Any) -> Any:
    """Move a bin from right to left; sums of squares left and right, and weight left.

    Sums are of the type of `zero`. Whole numbers are summed without rounding in any order.
    """
    on_left, on_right, weight = zero, zero, zero
    for j in range(lanes):
        v = cum[j] + hist[at + j]
        cum[j] = v
        left, right = zero + v, zero + (total[j] - v)
        on_left += left * left
        on_right += right * right
        weight += left
    return on_left, on_right, weight


@kernel
def _scan_gini(
    hist: Any, copies: Any, d: int, bins: int, lanes: int, cum: Any, total: Any, zero: Any,
    counted: float, weight: float, min_cut: float, tie: float, turned: Any,
) -> Any:  # fmt: skip
    top, feature, low = -np.inf, -1, -1
    for step in range(d):
        f = (step + turned) % d
        for j in range(lanes):
            cum[j] = 0
        left, best, cut = 0.0, -np.inf, -1
        for bin_ in range(f * bins, f * bins + bins - 1):
            here = copies[bin_]
            if here == 0:
                continue
            left += here
            right = counted - left
            if right < min_cut:
                break
            squares, rest, moved = _move(hist, bin_ * lanes, lanes, cum, total, zero)
            if left >= min_cut:
                on_left = np.float64(moved)
                on_right = weight - on_left
                if on_left > 0.0 and on_right > 0.0:
                    score = np.float64(squares) / on_left + np.float64(rest) / on_right
                    if score > best + tie:
                        best, cut = score, bin_ - f * bins
        if best > top + tie:
            top, feature, low = best, f, cut
    return top, feature, low


@kernel
def _scan_deviance(
    hist: Any, copies: Any, d: int, bins: int, lanes: int, cum: Any, total: Any, table: Any,
    counted: float, weight: float, min_cut: float, tie: float, turned: Any,
) -> Any:  # fmt: skip
    top, feature, low = -np.inf, -1, -1
    start = 0.0
    for j in range(lanes):
        start += _x_log_x(np.float64(total[j]), table)
    for step in range(d):
        f = (step + turned) % d
        for j in range(lanes):
            cum[j] = 0
        left, on_left, best, cut = 0.0, 0.0, -np.inf, -1
        sum_left, sum_right = 0.0, start
        for bin_ in range(f * bins, f * bins + bins - 1):
            here = copies[bin_]
            if here == 0:
                continue
            left += here
            right = counted - left
            if right < min_cut:
                break
            for j in range(lanes):
                w = np.float64(hist[bin_ * lanes + j])
                if w > 0.0:
                    to, from_ = np.float64(cum[j]), np.float64(total[j]) - np.float64(cum[j])
                    kept = max(from_ - w, 0.0)
                    sum_left += _x_log_x(to + w, table) - _x_log_x(to, table)
                    sum_right += _x_log_x(kept, table) - _x_log_x(from_, table)
                    cum[j] = to + w
                    on_left += w
            on_right = weight - on_left
            if left >= min_cut and on_left > 0.0 and on_right > 0.0:
                score = (sum_left - _x_log_x(on_left, table)) + (
                    sum_right - _x_log_x(on_right, table)
                )
                if score > best + tie:
                    best, cut = score, bin_ - f * bins
        if best > top + tie:
            top, feature, low = best, f, cut
    return top, feature, low


@kernel
def _scan_few(
    rows: Any, truth: Any, weight: Any, count: Any, idx: Any, start: int, stop: int, tally: Any,
    gini: bool, table: Any, counted: float, mass: float, min_cut: float, tie: float, turned: Any,
    keys: Any, cum: Any,
) -> Any:  # fmt: skip
    """The same from sorted rows; `cum` is as long as there are classes and stays zero."""
    d, size = rows.shape[1], stop - start
    top, feature, low, high = -np.inf, -1, -1, -1
    begin = 0.0
    for c in range(tally.size):
        if tally[c] > 0.0:
            begin += tally[c] * tally[c] if gini else _x_log_x(tally[c], table)
    for step in range(d):
        f = (step + turned) % d
        for j in range(size):
            key = (np.int64(rows[idx[start + j], f]) << 8) | j
            to = j
            while to > 0 and keys[to - 1] > key:
                keys[to] = keys[to - 1]
                to -= 1
            keys[to] = key
        if keys[0] >> 8 == keys[size - 1] >> 8:
            continue
        left, on_left, best, cut, after = 0.0, 0.0, -np.inf, -1, -1
        sum_left, sum_right = 0.0, begin
        for j in range(size - 1):
            row = idx[start + (keys[j] & 255)]
            w, c = np.float64(weight[row]), truth[row]
            before = cum[c]
            rest = tally[c] - before
            if gini:
                sum_left += w * (2.0 * before + w)
                sum_right += w * (w - 2.0 * rest)
            else:
                sum_left += _x_log_x(before + w, table) - _x_log_x(before, table)
                sum_right += _x_log_x(max(rest - w, 0.0), table) - _x_log_x(rest, table)
            cum[c] = before + w
            on_left += w
            left += count[row]
            if keys[j] >> 8 == keys[j + 1] >> 8:
                continue
            if left < min_cut or counted - left < min_cut or mass - on_left <= 0.0:
                continue
            if gini:
                score = sum_left / on_left + sum_right / (mass - on_left)
            else:
                score = (sum_left - _x_log_x(on_left, table)) + (
                    sum_right - _x_log_x(mass - on_left, table)
                )
            if score > best + tie:
                best, cut, after = score, keys[j] >> 8, keys[j + 1] >> 8
        for j in range(size - 1):
            cum[truth[idx[start + (keys[j] & 255)]]] = 0.0
        if best > top + tie:
            top, feature, low, high = best, f, cut, after
    return top, feature, low, high


@kernel
def _tally(truth: Any, weight: Any, count: Any, idx: Any, start: int, stop: int, tally: Any) -> Any:
    """Class weights go to `tally`; copies, weight and number of classes come back."""
    tally[:] = 0.0
    counted = 0.0
    for j in range(start, stop):
        row = idx[j]
        tally[truth[row]] += weight[row]
        counted += count[row]
    mass, classes = 0.0, 0
    for c in range(tally.size):
        mass += tally[c]
        classes += tally[c] > 0.0
    return counted, mass, classes


@kernel
def _impurity(tally: Any, mass: float, gini: bool, table: Any) -> Any:
    sum_ = 0.0
    for c in range(tally.size):
        if tally[c] > 0.0:
            sum_ += tally[c] * tally[c] if gini else _x_log_x(tally[c], table)
    return mass - sum_ / mass if gini else _x_log_x(mass, table) - sum_


@kernel
def _stays(
    counted: float, mass: float, classes: int, depth: int, tally: Any, rules: Any, root: float,
    table: Any,
) -> Any:  # fmt: skip
    """Whether a node is a leaf whatever its inputs."""
    if classes < 2 or counted < rules.min_size or counted < 2.0 * rules.min_cut:
        return True
    if depth >= rules.max_depth:
        return True
    if rules.min_deviance <= 0.0 or root < 0.0:
        return False
    return _impurity(tally, mass, False, table) < rules.min_deviance * root


@kernel
def _give_lanes(truth: Any, idx: Any, start: int, stop: int, tally: Any, lane: Any) -> None:
    """Number the classes that the rows hold."""
    number = np.empty(tally.size, lane.dtype)
    used = 0
    for c in range(tally.size):
        number[c] = used
        used += tally[c] > 0.0
    for j in range(start, stop):
        lane[idx[j]] = number[truth[idx[j]]]


@kernel
def _evaluate(
    rows: Any, truth: Any, lane: Any, weight: Any, count: Any, idx: Any, bins: int, rules: Any,
    table: Any, node: Any, hist: Any, copies: Any, tally: Any, counted: float, mass: float,
    root: float, turned: Any, keys: Any, cum: Any, zeros: Any, total: Any,
) -> Any:  # fmt: skip
    """Put the best split into an open node; its gain comes back, -1 if there is none."""
    start, stop, d = node[START], node[STOP], rows.shape[1]
    scale = mass if rules.gini else mass * math.log(mass + 2.0)
    tie = TIE * scale
    if node[SLOT] < 0:
        score, feature, low, high = _scan_few(
            rows, truth, weight, count, idx, start, stop, tally, rules.gini, table, counted, mass,
            rules.min_cut, tie, turned, keys, zeros,
        )  # fmt: skip
    else:
        lanes = node[LANES]
        total[:] = 0
        for j in range(start, stop):
            total[lane[idx[j]]] = tally[truth[idx[j]]]
        if not rules.gini:
            score, feature, low = _scan_deviance(
                hist, copies, d, bins, lanes, cum, total, table, counted, mass, rules.min_cut, tie,
                turned,
            )  # fmt: skip
        elif mass <= EXACT:
            zero = total.dtype.type(0)
            score, feature, low = _scan_gini(
                hist, copies, d, bins, lanes, cum, total, zero, counted, mass, rules.min_cut, tie,
                turned,
            )  # fmt: skip
        else:
            score, feature, low = _scan_gini(
                hist, copies, d, bins, lanes, cum, total, 0.0, counted, mass, rules.min_cut, tie,
                turned,
            )  # fmt: skip
        high = low + 1
        if feature >= 0:
            while copies[feature * bins + high] == 0:
                high += 1
    impurity = _impurity(tally, mass, rules.gini, table)
    gain = score - (mass - impurity) if rules.gini else score + impurity
    if feature < 0 or gain < (rules.min_decrease - 1e-12) * (impurity if root < 0.0 else root):
        return -1.0
    node[FEATURE], node[LOW], node[HIGH] = feature, low, high
    return max(gain, 0.0)


@kernel
def _partition(rows: Any, idx: Any, start: int, stop: int, f: int, low: int, aside: Any) -> Any:
    to, kept = start, 0
    for j in range(start, stop):
        row = idx[j]
        right = int(rows[row, f] > low)
        idx[to] = row
        aside[kept] = row
        kept += right
        to += 1 - right
    for j in range(kept):
        idx[to + j] = aside[j]
    return to


@kernel
def _longer(values: Any) -> Any:
    twice = np.empty(2 * values.size, values.dtype)
    twice[: values.size] = values
    return twice


@kernel
def _chosen(gain: Any, open_: Any, n_open: int, full: bool) -> Any:
    """The open node with the largest gain, the first made of equals; a full tree splits none."""
    at = 0
    for z in range(n_open):
        if full:
            gain[z] = -1.0
        if gain[z] > gain[at] or (gain[z] == gain[at] and open_[z, NODE] < open_[at, NODE]):
            at = z
    return at


@kernel
def grow_classes(
    rows: Any, truth: Any, weight: Any, count: Any, idx: Any, k: int, bins: int, rules: Any,
    table: Any, hists: Any, copies: Any, aside: Any, lane: Any, where: Any,
) -> Any:  # fmt: skip
    """One tree from the rows (n, d) in `idx`. See `growing.grow` for what comes back.

    `hists` (slots, bins * d * lanes) and `copies` (slots, bins * d) are working memory; their
    first part is clear after use.
    """
    d, most = rows.shape[1], (k + WIDE - 1) // WIDE * WIDE
    node = np.empty((5, 64), np.int32)
    open_, gain = np.empty((32, 9), np.int64), np.empty(32)
    start, count_of = np.zeros(64, np.int32), np.empty(64)
    class_, mass_of = np.empty(64 + k, np.int32), np.empty(64 + k)
    free = np.arange(hists.shape[0] - 1, -1, -1)
    n_free, n_nodes, n_open, n_leaves, n_entries = hists.shape[0], 1, 0, 0, 0
    keys, cum, zeros = np.empty(FEW, np.int64), np.empty(most, hists.dtype), np.zeros(k)
    total, tally, other = np.empty(most, hists.dtype), np.empty(k), np.empty(k)
    state = np.uint64(rules.turn + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)

    counted, mass, classes = _tally(truth, weight, count, idx, 0, idx.size, tally)
    root_deviance = _impurity(tally, mass, False, table)
    root = _impurity(tally, mass, rules.gini, table)
    new = open_[0]
    new[NODE], new[START], new[STOP], new[DEPTH] = 0, 0, idx.size, 0
    new[SLOT], new[LANES], new[FEATURE] = -1, most, -1
    gain[0], n_open = -1.0, 1
    if not _stays(counted, mass, classes, 0, tally, rules, -1.0, table):
        if idx.size > FEW:
            n_free -= 1
            new[SLOT] = free[n_free]
            for j in range(idx.size):
                lane[idx[j]] = truth[idx[j]]
            hist, of_bin = hists[new[SLOT]], copies[new[SLOT]]
            hist[: bins * d * most] = 0
            of_bin[:] = 0
            _add(rows, lane, weight, count, idx, 0, idx.size, bins, most, hist, of_bin)
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        turned = np.int64(state >> np.uint64(40)) if rules.turn >= 0 else np.int64(0)
        gain[0] = _evaluate(
            rows, truth, lane, weight, count, idx, bins, rules, table, new, hists[new[SLOT]],
            copies[new[SLOT]], tally, counted, mass, root, turned, keys, cum, zeros, total,
        )  # fmt: skip
    while n_open > 0:
        at = n_open - 1
        if rules.max_leaves > 0:
            at = _chosen(gain, open_, n_open, n_leaves + n_open >= rules.max_leaves)
        this, splits = open_[at].copy(), gain[at] >= 0.0
        n_open -= 1
        open_[at], gain[at] = open_[n_open], gain[n_open]
        i, slot, lanes = this[NODE], this[SLOT], this[LANES]
        if not splits:
            counted, mass, classes = _tally(
                truth, weight, count, idx, this[START], this[STOP], tally
            )
            if n_leaves + 2 > start.size:
                start, count_of = _longer(start), _longer(count_of)
            if n_entries + k > class_.size:
                class_, mass_of = _longer(class_), _longer(mass_of)
            for c in range(k):
                if tally[c] > 0.0:
                    class_[n_entries], mass_of[n_entries] = c, tally[c]
                    n_entries += 1
            if where.size > 0:
                for j in range(this[START], this[STOP]):
                    where[idx[j]] = n_leaves
            node[0, i], node[1, i], node[2, i], node[3, i], node[4, i] = -1, -1, -1, n_leaves, 0
            count_of[n_leaves] = counted
            n_leaves += 1
            start[n_leaves] = n_entries
            if slot >= 0:
                free[n_free] = slot
                n_free += 1
            continue
        if n_nodes + 2 > node.shape[1]:
            more = np.empty((5, 2 * node.shape[1]), np.int32)
            more[:, :n_nodes] = node[:, :n_nodes]
            node = more
        if n_open + 2 > gain.size:
            gain = _longer(gain)
            more_open = np.empty((gain.size, 9), np.int64)
            more_open[:n_open] = open_[:n_open]
            open_ = more_open
        middle = _partition(rows, idx, this[START], this[STOP], this[FEATURE], this[LOW], aside)
        small_left = middle - this[START] <= this[STOP] - middle
        # The larger child goes first on the list: depth first then takes the smaller one first.
        large, small = open_[n_open], open_[n_open + 1]
        small[NODE], large[NODE] = n_nodes + 1 - small_left, n_nodes + small_left
        small[START], small[STOP] = middle, this[STOP]
        large[START], large[STOP] = this[START], middle
        if small_left:
            small[START], small[STOP], large[START], large[STOP] = (
                this[START], middle, middle, this[STOP]
            )  # fmt: skip
        small[DEPTH] = large[DEPTH] = this[DEPTH] + 1
        small[SLOT] = large[SLOT] = -1
        small[LANES] = large[LANES] = lanes
        small[FEATURE] = large[FEATURE] = -1
        small_counted, small_mass, small_classes = _tally(
            truth, weight, count, idx, small[START], small[STOP], tally
        )
        large_counted, large_mass, large_classes = _tally(
            truth, weight, count, idx, large[START], large[STOP], other
        )
        node[0, i], node[1, i], node[2, i], node[3, i] = (
            this[FEATURE], this[LOW], this[HIGH], n_nodes
        )  # fmt: skip
        on_left, on_right = (small_mass, large_mass) if small_left else (large_mass, small_mass)
        node[4, i] = on_right > on_left
        n_nodes += 2
        small_stays = _stays(
            small_counted, small_mass, small_classes, small[DEPTH], tally, rules, root_deviance,
            table,
        )  # fmt: skip
        large_stays = _stays(
            large_counted, large_mass, large_classes, large[DEPTH], other, rules, root_deviance,
            table,
        )  # fmt: skip
        # Histograms: the large child takes the parent's, unless it can do with half the lanes.
        small_lanes = (small_classes + WIDE - 1) // WIDE * WIDE
        large_lanes = (large_classes + WIDE - 1) // WIDE * WIDE
        small_fresh = 2 * small_lanes <= lanes
        large_fresh = 2 * large_lanes <= lanes
        small_dense = not small_stays and small[STOP] - small[START] > FEW
        large_dense = not large_stays and large[STOP] - large[START] > FEW
        subtract = False
        if slot >= 0 and large_dense and not large_fresh:
            large[SLOT] = slot
            if not small_dense or small_fresh:
                _remove(
                    rows, lane, weight, count, idx, small[START], small[STOP], bins, lanes,
                    hists[slot], copies[slot],
                )  # fmt: skip
            else:
                subtract = True
        elif slot >= 0:
            free[n_free] = slot
            n_free += 1
        for child in range(2):
            fresh = large_fresh if child else small_fresh
            dense = large_dense if child else small_dense
            if not dense or (child and not fresh):
                continue
            own = large if child else small
            n_free -= 1
            own[SLOT] = free[n_free]
            if fresh:
                own[LANES] = large_lanes if child else small_lanes
                _give_lanes(truth, idx, own[START], own[STOP], other if child else tally, lane)
            hist, of_bin = hists[own[SLOT]], copies[own[SLOT]]
            hist[: bins * d * own[LANES]] = 0
            of_bin[:] = 0
            _add(
                rows, lane, weight, count, idx, own[START], own[STOP], bins, own[LANES], hist,
                of_bin,
            )  # fmt: skip
        if subtract:
            hist, of_bin = hists[slot], copies[slot]
            less, fewer = hists[small[SLOT]], copies[small[SLOT]]
            for q in range(bins * d * lanes):
                hist[q] -= less[q]
            for q in range(bins * d):
                of_bin[q] -= fewer[q]
        for child in range(2):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            turned = np.int64(state >> np.uint64(40)) if rules.turn >= 0 else np.int64(0)
            own = small if child else large
            gain[n_open] = -1.0
            if not (small_stays if child else large_stays):
                gain[n_open] = _evaluate(
                    rows, truth, lane, weight, count, idx, bins, rules, table, own,
                    hists[own[SLOT]], copies[own[SLOT]], tally if child else other,
                    small_counted if child else large_counted,
                    small_mass if child else large_mass, root, turned, keys, cum, zeros, total,
                )  # fmt: skip
            n_open += 1
    return (
        node[:, :n_nodes].copy(), start[: n_leaves + 1].copy(), class_[:n_entries].copy(),
        mass_of[:n_entries].copy(), count_of[:n_leaves].copy(),
    )  # fmt: skip


def class_tree(
    rows: Any, truth: Any, weight: Any, count: Any, idx: Any, k: int, bins: int, rules: Rules,
    table: Any, hists: Any, copies: Any, aside: Any, lane: Any, where: Any,
) -> Grown:  # fmt: skip
    """A grown tree in the common form."""
    node, start, class_, mass, counted = grow_classes(
        rows, truth, weight, count, idx, k, bins, rules, table, hists, copies, aside, lane, where
    )
    return Grown(
        feature=node[0],
        low=node[1],
        high=node[2],
        child=node[3],
        right=node[4],
        set_at=np.full(node.shape[1], -1, np.int32),
        sets=np.empty(0, np.uint64),
        start=start,
        class_=class_,
        weight=mass,
        count=counted,
    )
