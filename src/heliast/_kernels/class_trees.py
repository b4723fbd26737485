"""Trees of k classes on few bins, with whole or real weights, depth first or best first.

A histogram holds class weights [lane][bin][feature], a lane for each class that a subtree still
holds; where weights are real, numbers of rows stand beside them [bin][feature]. Only the innermost
loops are compiled for each of the three kinds (`Hists`). The smaller child is counted, the larger
is the parent less the smaller. Where few classes are left, a subtree gets fewer lanes. Nodes of few
rows need no histogram: their rows are compared with one another (Gini) or sorted (deviance). Gini
looks at eight features at a time. Whole weights are summed without rounding. Where inputs are drawn
for each node, only these are counted, for that node alone.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ._jit import fusing_kernel, kernel, part
from ._nodes import (
    Cells,
    ask_for,
    deal,
    inputs_of,
    lowest,
    next_state,
    partition,
    put_back,
    x_log_x,
)
from ._nodes import cells_of as cells_of
from ._pairs import EXACT, Near, best_feature, best_of_rows, room_for
from ._vectors import EIGHT, choose, fill, like, load, store, whole_eights
from ._vectors import PAD as PAD
from .growing import Grown

TIE = 1e-11
FEW, FEWEST = 64, 16
"""Most and least rows of a node that are compared or sorted and not counted; see `_few`."""
PILED = 256
"""Most rows of a node that are put on piles, where squares of weights are exact."""
SQUARES = 2.0**26
"""Whole weights up to this have squares that are exact."""
PILING = 176
"""What it costs to pile eight rows of a column, in the units of `_counting`."""
QUICKER = 4
"""Rows, for each of eight columns, up to which comparing them is quicker than putting them on
piles."""
AHEAD = np.uintp(12)
"""Rows that are asked for so early that they have come when their turn is."""
DEARER = 4
"""Times that taking out a row's value costs more than a step of taking out a histogram."""
FADED = 1e-6
"""A histogram of real weights that was left with so small a part of them is counted anew: what was
taken out leaves rounding errors behind."""
ASKED = -2
"""In the place of a feature: the best split is still to be found.

It gains no more than the node's impurity. Best first, a node whose impurity is below what others
gain is not looked at before its turn comes, and most light nodes never are."""

# Unsigned numbers index arrays without a test for negative ones, which also blocks SIMD: hence
# uintp below.
NODE, START, STOP, SLOT, LANES, DEPTH, FEATURE, LOW, HIGH, STATE = range(10)


class Hists(NamedTuple):
    """Working memory for histograms: one of the first two is empty."""

    single: Any
    """(slots * cells * k + PAD,), where four bytes hold all sums of weights exactly."""
    double: Any
    copies: Any
    """(slots * cells + PAD,): rows of each cell; empty if weights are whole."""


class Sums(NamedTuple):
    """What a search in a histogram sums up: by lane, and by lane for eight columns."""

    total: Any
    total_single: Any
    cum: Any
    eights: Any
    eights_single: Any


class Deck(NamedTuple):
    """Columns to draw from, and what is counted of those that were drawn."""

    cards: Any
    """In the order of the inputs between draws, so that every kernel draws the same."""
    swaps: Any
    plain: Any
    first: Any
    bins: Any


class Pile(NamedTuple):
    """Rows of a node put on piles, one a bin; empty between uses."""

    heads: Any
    """Place of a bin's last row, from 1 on."""
    nexts: Any
    bits: Any
    """Bins that have rows."""
    differs: Any
    active: Any


class Space(NamedTuple):
    """Working memory of one tree, used again by the next; see `space`."""

    hists: Hists
    sums: Sums
    near: Near
    deck: Deck
    pile: Pile
    open: Any
    """What is known of the open nodes; they are no more than this has rows."""
    gain: Any
    held: Any
    free: Any
    """Histograms that nobody has, and (`mass`) what was counted into each."""
    mass: Any
    zeros: Any
    this: Any
    tally: Any
    number: Any
    lane: Any
    """Of each row, in a byte where that is enough; `aside` is for rows that go right."""
    aside: Any
    node: Any
    """What is grown, as large as it can get: a leaf, and a class in it, has a row at least."""
    start: Any
    count_of: Any
    class_: Any
    mass_of: Any


def space(cells: Cells, n: int, k: int, hists: Hists, slots: int, most_open: int) -> Space:
    """For trees of n rows and k classes with so many histograms and open nodes."""
    d = cells.bins.size
    width, byte = -(-d // EIGHT) * EIGHT, np.uint8 if k <= 256 else np.int32
    deck = Deck(
        cells.column.copy(), np.empty(d, np.int64), np.arange(d), np.empty_like(cells.first),
        np.empty(width, np.int64),
    )  # fmt: skip
    pile = Pile(
        np.zeros(256, np.int64), np.empty(PILED, np.int64), np.zeros(4, np.uint64),
        np.zeros(width, np.uint8), np.empty(d, np.int64),
    )  # fmt: skip
    sums = Sums(
        np.empty(k), np.empty(k, np.float32), np.empty(k), np.empty(k * EIGHT),
        np.empty(k * EIGHT, np.float32),
    )  # fmt: skip
    return Space(
        hists, sums, room_for(FEW, d, k), deck, pile, np.empty((most_open, 10), np.int64),
        np.empty(most_open), np.empty((most_open, k + 1)), np.empty(slots, np.int64),
        np.empty(slots), np.zeros(k), np.empty(10, np.int64), np.empty(k + 1), np.empty(k, byte),
        np.empty(n, byte), np.empty(n, np.int32), np.empty((5, 2 * n), np.int32),
        np.empty(n + 1, np.int32), np.empty(n), np.empty(n, np.int32), np.empty(n),
    )  # fmt: skip


@part
def _counting(bins: int, classes: int) -> Any:
    """What the search in so many bins of eight columns costs, about in processor cycles."""
    return bins * (3 * classes + 27)


@kernel
def _few(bins: int, classes: int, piled: bool) -> Any:
    """So many rows take as long, one by one, as so many bins of so many classes.

    Histograms have to be kept as well, hence a quarter more.
    """
    few = min(max(np.int64(math.sqrt(bins * (2.0 * classes + 5.0))), FEWEST), FEW)
    if piled:
        few = min(max(few, 5 * _counting(bins, classes) // (4 * PILING)), PILED)
    return few


@part
def _cell(hists: Hists, at: Any) -> Any:
    """What a cell weighs."""
    return np.float64(hists.single[at]) if hists.single.size > 0 else hists.double[at]


@kernel
def _add_to(
    rows: Any, lane: Any, weight: Any, idx: Any, start: int, stop: int, cells: Cells,
    size: int, hists: Any, at: int, copies: Any, copies_at: int, step: Any,
) -> None:  # fmt: skip
    d, first, to_copy = np.uintp(rows.shape[1]), np.uintp(at), np.uintp(copies_at)
    last, one = np.uintp(stop - 1), hists.dtype.type(1)
    many, two = np.uintp(cells.many), np.uintp(cells.two)
    second = np.uintp(cells.first[min(1, cells.first.size - 1)])
    for j in range(np.uintp(start), np.uintp(stop)):
        row = np.uintp(idx[j])
        ask_for(rows, np.uintp(idx[min(j + AHEAD, last)]) * d)
        w = hists.dtype.type(step * weight[row])
        to = first + np.uintp(lane[row]) * np.uintp(size)
        for f in range(many):
            cell = np.uintp(cells.first[np.uintp(rows[row, f])]) + f
            if copies is not None:
                copies[to_copy + cell] += step
            hists[to + cell] += w
        for f in range(many, two):
            value = hists.dtype.type(rows[row, f])
            hists[to + f] += w * (one - value)
            hists[to + second + f] += w * value
        if copies is not None:
            for f in range(many, two):
                value = np.float64(rows[row, f])
                copies[to_copy + f] += step * (1.0 - value)
                copies[to_copy + second + f] += step * value


@kernel
def _add(
    rows: Any, lane: Any, weight: Any, idx: Any, start: int, stop: int, cells: Cells,
    size: int, hists: Hists, at: int, copies_at: int, step: Any,
) -> None:  # fmt: skip
    """Weigh rows into the histogram that begins at `at` (step 1), or out of it (-1); count them
    likewise.

    The columns that have two bins are counted side by side; those that have one are not.
    """
    if hists.single.size > 0:
        _add_to(
            rows, lane, weight, idx, start, stop, cells, size, hists.single, at, None,
            copies_at, step,
        )  # fmt: skip
    elif hists.copies.size == 0:
        _add_to(
            rows, lane, weight, idx, start, stop, cells, size, hists.double, at, None,
            copies_at, step,
        )  # fmt: skip
    else:
        _add_to(
            rows, lane, weight, idx, start, stop, cells, size, hists.double, at,
            hists.copies, copies_at, step,
        )  # fmt: skip


@kernel
def _add_drawn(
    rows: Any, truth: Any, number: Any, weight: Any, idx: Any, start: int, stop: int, drawn: Any,
    d: int, width: int, size: int, hists: Any, copies: Any,
) -> None:  # fmt: skip
    """The same with d drawn columns, [lane][bin][number of the column], class c in number[c]."""
    width_, size_, last = np.uintp(width), np.uintp(size), np.uintp(stop - 1)
    for j in range(np.uintp(start), np.uintp(stop)):
        row = np.uintp(idx[j])
        ask_for(rows, np.uintp(idx[min(j + AHEAD, last)]) * np.uintp(rows.shape[1]))
        w, to = hists.dtype.type(weight[row]), np.uintp(number[np.uintp(truth[row])]) * size_
        for f in range(np.uintp(d)):
            cell = np.uintp(rows[row, np.uintp(drawn[f])]) * width_ + f
            if copies is not None:
                copies[cell] += 1
            hists[to + cell] += w


@kernel
def _clear(hists: Hists, at: int, size: int, copies_at: int, cells: int) -> None:
    if hists.single.size > 0:
        for q in range(np.uintp(at), np.uintp(at + size)):
            hists.single[q] = 0
    else:
        for q in range(np.uintp(at), np.uintp(at + size)):
            hists.double[q] = 0
    if hists.copies.size > 0:
        for q in range(np.uintp(copies_at), np.uintp(copies_at + cells)):
            hists.copies[q] = 0


@part
def _subtract_from(values: Any, at: int, less: int, size: int) -> None:
    to, from_ = np.uintp(at), np.uintp(less)
    for q in range(np.uintp(size)):
        values[to + q] -= values[from_ + q]


@kernel
def _subtract(hists: Hists, slot: int, less: int, room: int, size: int, lanes: int) -> None:
    """Take one histogram out of another, of so many lanes."""
    if hists.single.size > 0:
        _subtract_from(hists.single, slot * room, less * room, size * lanes)
    else:
        _subtract_from(hists.double, slot * room, less * room, size * lanes)
    if hists.copies.size > 0:
        _subtract_from(hists.copies, slot * size, less * size, size)


@fusing_kernel
def _cuts_of_bins(
    hists: Any, at: int, copies: Any, copies_at: int, first_of: Any, bins: Any, d: int, lanes: int,
    total: Any, cum: Any, zero: Any, counted: float, mass: float, size: int, by_weight: bool,
    min_cut: float, tie: float, best: Any, cut: Any,
) -> None:  # fmt: skip
    """For every feature the cut that leaves the purest sides by Gini, and how pure they are.

    Eight features at a time, of which the first has most bins; squares are summed in the type of
    `zero`.
    """
    d_, cells = np.uintp(d), np.uintp(first_of[bins[0]])
    eight, first, first_copy = np.uintp(EIGHT), np.uintp(at), np.uintp(copies_at)
    nothing, none = fill(zero), fill(hists.dtype.type(0))
    # Sides of no rows have no score, whatever `min_cut` allows.
    least, some, nil = fill(np.float64(min_cut)), fill(1.0), fill(0.0)
    weight, counts, rows = fill(np.float64(mass)), fill(np.float64(counted)), fill(np.float64(size))
    never, margin = fill(-np.inf), fill(np.float64(tie))
    for f in range(np.uintp(0), d_, eight):
        for lane in range(np.uintp(lanes)):
            store(cum, lane * eight, none)
        seen, top, where, here, step = nil, never, fill(-1.0), fill(0.0), fill(1.0)
        for bin_ in range(np.uintp(max(bins[f], 1) - 1)):
            cell = np.uintp(first_of[bin_]) + f
            left, right, on_left = nothing, nothing, nothing
            for lane in range(np.uintp(lanes)):
                sums = load(cum, lane * eight) + load(hists, first + lane * cells + cell)
                store(cum, lane * eight, sums)
                here_left = like(sums, nothing)
                here_right = like(fill(total[lane]), nothing) - here_left
                left = left + here_left * here_left
                right = right + here_right * here_right
                on_left = on_left + here_left
            to, from_ = like(on_left, weight), weight - like(on_left, weight)
            score = (like(left, weight) * from_ + like(right, weight) * to) / (to * from_)
            held = to
            if copies is not None:
                seen = seen + load(copies, first_copy + cell)
                held = seen
                score = choose((held >= some) & (rows - held >= some), score, never)
                # What rounding leaves of a side that weighs next to nothing has no score.
                score = choose((to > nil) & (from_ > nil), score, never)
                if by_weight:
                    held = to
            score = choose((held >= least) & (counts - held >= least), score, never)
            better = score > top + margin
            top, where = choose(better, score, top), choose(better, here, where)
            here = here + step
        store(best, f, top)
        store(cut, f, where)


@kernel
def _scan_deviance(
    hists: Any, at: int, copies: Any, copies_at: int, first_of: Any, bins: Any, column: Any, d: int,
    lanes: int, sums: Sums, table: Any, counted: float, weight: float, size: int,
    by_weight: bool, min_cut: float, tie: float, turned: Any,
) -> Any:  # fmt: skip
    top, feature, low = -np.inf, -1, -1
    start, cells, cum, total = 0.0, first_of[bins[0]], sums.cum, sums.total
    whole = copies.size == 0
    for j in range(lanes):
        start += x_log_x(max(total[j], 0.0), table)
    for step in range(d):
        f = column[(step + turned) % d]
        for j in range(lanes):
            cum[j] = 0.0
        left, on_left, before, best, cut = 0.0, 0.0, 0.0, -np.inf, -1
        sum_left, sum_right, seen = 0.0, start, 0.0
        for bin_ in range(bins[f] - 1):
            cell = first_of[bin_] + f
            if not whole:
                here = copies[np.uintp(copies_at + cell)]
                if here == 0:
                    continue
                seen += here
                if seen == size:
                    break
            for j in range(lanes):
                w = np.float64(hists[np.uintp(at + j * cells + cell)])
                if w > 0.0:
                    to, from_ = cum[j], total[j] - cum[j]
                    kept = max(from_ - w, 0.0)
                    sum_left += x_log_x(to + w, table) - x_log_x(to, table)
                    sum_right += x_log_x(kept, table) - x_log_x(max(from_, 0.0), table)
                    cum[j] = to + w
                    on_left += w
            left = on_left if whole or by_weight else seen
            if counted - left < min_cut:
                break
            if left >= min_cut and on_left > before and weight > on_left:
                score = (sum_left - x_log_x(on_left, table)) + (
                    sum_right - x_log_x(weight - on_left, table)
                )
                if score > best + tie:
                    best, cut = score, bin_
            before = on_left
        if best > top + tie:
            top, feature, low = best, f, cut
            if top >= -tie:
                break
    return top, feature, low


@part
def _is_empty(hists: Hists, at: int, copies_at: int, cell: int, cells: int, lanes: int) -> Any:
    held = 0.0
    if hists.copies.size > 0:
        held = hists.copies[copies_at + cell]
    else:
        for j in range(lanes):
            held += _cell(hists, np.uintp(at + j * cells + cell))
    return held == 0.0


@kernel
def _scan_few(
    rows: Any, truth: Any, weight: Any, count: Any, idx: Any, start: int, stop: int, held: Any,
    z: int, rules: Any, table: Any, counted: float, mass: float, tie: float, turned: Any,
    cum: Any, drawn: Any, column: Any, d: int, pile: Pile,
) -> Any:  # fmt: skip
    """The same from the rows, in the order of their bins: those of a bin are chained.

    `cum` is as long as there are classes and stays zero. Columns are given as to `best_of_rows`.
    """
    size, k, every = stop - start, held.shape[1] - 1, d == rows.shape[1]
    top, feature, low, high = -np.inf, -1, np.int64(-1), np.int64(-1)
    begin, purest = 0.0, mass if rules.gini else 0.0
    for c in range(k):
        if held[z, c] > 0.0:
            begin += held[z, c] * held[z, c] if rules.gini else x_log_x(held[z, c], table)
    turn = np.int64(turned % d)
    for step in range(d):
        at = column[step + turn - (d if step + turn >= d else 0)]
        f = np.uintp(at if every else drawn[at])
        for j in range(np.uintp(size)):
            value = np.uintp(rows[np.uintp(idx[np.uintp(start) + j]), f])
            pile.nexts[j] = pile.heads[value]
            pile.heads[value] = np.int64(j) + 1
            pile.bits[value >> np.uintp(6)] |= np.uint64(1) << np.uint64(value & np.uintp(63))
        left, on_left, best, cut, after = 0.0, 0.0, -np.inf, np.int64(-1), np.int64(-1)
        sum_left, sum_right, score, last = 0.0, begin, -np.inf, np.int64(-1)
        for word in range(pile.bits.size):
            touched = pile.bits[word]
            pile.bits[word] = 0
            while touched:
                bin_ = np.int64((word << 6) + lowest(touched))
                touched &= touched - np.uint64(1)
                # The cut below this bin; the first bin has none.
                if score > best + tie:
                    best, cut, after = score, last, bin_
                place = pile.heads[np.uintp(bin_)]
                pile.heads[np.uintp(bin_)] = 0
                while place > 0:
                    row = np.uintp(idx[np.uintp(start + place - 1)])
                    place = pile.nexts[np.uintp(place - 1)]
                    w, class_ = np.float64(weight[row]), np.uintp(truth[row])
                    before = cum[class_]
                    rest = held[z, class_] - before
                    cum[class_] = before + w
                    if rules.gini:
                        sum_left += w * (2.0 * before + w)
                        sum_right += w * (w - 2.0 * rest)
                    else:
                        sum_left += x_log_x(before + w, table) - x_log_x(before, table)
                        sum_right += x_log_x(max(rest - w, 0.0), table) - x_log_x(rest, table)
                    on_left += w
                    left += count[row]
                last, rest = bin_, mass - on_left
                if left < rules.min_cut or counted - left < rules.min_cut or rest <= 0.0:
                    score = -np.inf
                elif rules.gini:
                    score = (sum_left * rest + sum_right * on_left) / (on_left * rest)
                else:
                    score = (sum_left - x_log_x(on_left, table)) + (
                        sum_right - x_log_x(rest, table)
                    )
        for c in range(k):
            cum[c] = 0.0
        if best > top + tie:
            top, feature, low, high = best, at, cut, after
            # Nothing is purer than pure: the first such split ends the search.
            if top >= purest - tie:
                break
    return top, feature, low, high


@part
def _varying(
    rows: Any, idx: Any, start: int, stop: int, drawn: Any, column: Any, d: int, turned: Any,
    pile: Pile,
) -> Any:  # fmt: skip
    """Columns in which the rows differ, listed in the order in which they are tried; how many."""
    every, first, active = d == rows.shape[1], np.uintp(idx[start]), np.int64(0)
    for f in range(np.uintp(d)):
        pile.differs[f] = 0
    for j in range(np.uintp(start + 1), np.uintp(stop)):
        row = np.uintp(idx[j])
        if every:
            for f in range(np.uintp(d)):
                pile.differs[f] |= rows[row, f] ^ rows[first, f]
        else:
            for f in range(np.uintp(d)):
                at = np.uintp(drawn[f])
                pile.differs[f] |= rows[row, at] ^ rows[first, at]
    turn = np.int64(turned % d)
    for step in range(d):
        at = column[step + turn - (d if step + turn >= d else 0)]
        pile.active[active] = at if every else drawn[at]
        active += pile.differs[at] != 0
    return active


@kernel
def _tally(
    truth: Any, weight: Any, count: Any, idx: Any, start: int, stop: int, held: Any, z: int
) -> None:
    """Class weights of the rows, and after them their copies."""
    k = held.shape[1] - 1
    for c in range(k + 1):
        held[z, c] = 0.0
    counted = 0.0
    for j in range(np.uintp(start), np.uintp(stop)):
        row = np.uintp(idx[j])
        held[z, np.uintp(truth[row])] += weight[row]
        counted += count[row]
    held[z, k] = counted


@part
def _summed(held: Any, z: int) -> Any:
    """Weight, and number of classes that have any."""
    mass, classes = 0.0, np.int64(0)
    for c in range(held.shape[1] - 1):
        mass += held[z, c]
        classes += held[z, c] > 0.0
    return mass, classes


@kernel
def _impurity(held: Any, z: int, mass: float, gini: Any, table: Any) -> Any:
    sum_ = 0.0
    for c in range(held.shape[1] - 1):
        if held[z, c] > 0.0:
            sum_ += held[z, c] * held[z, c] if gini else x_log_x(held[z, c], table)
    return mass - sum_ / mass if gini else x_log_x(mass, table) - sum_


@kernel
def _judged(held: Any, z: int, depth: int, rules: Any, root: float, table: Any) -> Any:
    """Weight and classes of a node, and whether it is a leaf whatever its inputs."""
    counted = held[z, held.shape[1] - 1]
    mass, classes = _summed(held, z)
    stays = classes < 2 or counted < rules.min_size or counted < 2.0 * rules.min_cut
    stays |= depth >= rules.max_depth
    if not stays and rules.min_deviance > 0.0 and root >= 0.0:
        stays = _impurity(held, z, mass, np.bool_(False), table) < rules.min_deviance * root
    return mass, classes, stays


@part
def _give_lanes(
    truth: Any, idx: Any, start: int, stop: int, held: Any, z: int, number: Any, lane: Any
) -> None:
    """Number the classes that the rows hold."""
    used = 0
    for c in range(held.shape[1] - 1):
        number[c] = used
        used += held[z, c] > 0.0
    for j in range(np.uintp(start), np.uintp(stop)):
        row = np.uintp(idx[j])
        lane[row] = number[np.uintp(truth[row])]


@kernel
def _best_of_cells(
    hists: Hists, at: int, copies_at: int, first_of: Any, bins: Any, column: Any, d: int,
    lanes: Any, rules: Any, table: Any, by_weight: bool, counted: float, mass: float, size: int,
    tie: float, turned: Any, sums: Sums, near: Near,
) -> Any:  # fmt: skip
    """The best split by a histogram: score, feature, last bin left, first bin right."""
    cells, total = first_of[bins[0]], sums.total
    # Any feature's bins add up to the node.
    for j in range(lanes):
        sum_ = 0.0
        for bin_ in range(bins[0]):
            sum_ += _cell(hists, np.uintp(at + j * cells + first_of[bin_]))
        total[j] = sum_
        sums.total_single[j] = sum_
    if not rules.gini and hists.single.size > 0:
        score, feature, low = _scan_deviance(
            hists.single, at, hists.copies, copies_at, first_of, bins, column, d, lanes, sums,
            table, counted, mass, size, by_weight, rules.min_cut, tie, turned,
        )  # fmt: skip
    elif not rules.gini:
        score, feature, low = _scan_deviance(
            hists.double, at, hists.copies, copies_at, first_of, bins, column, d, lanes, sums,
            table, counted, mass, size, by_weight, rules.min_cut, tie, turned,
        )  # fmt: skip
    else:
        if hists.copies.size > 0:
            _cuts_of_bins(
                hists.double, at, hists.copies, copies_at, first_of, bins, d, lanes, total,
                sums.eights, 0.0, counted, mass, size, by_weight, rules.min_cut, tie, near.best,
                near.cut,
            )  # fmt: skip
        elif hists.double.size > 0:
            _cuts_of_bins(
                hists.double, at, None, copies_at, first_of, bins, d, lanes, total, sums.eights,
                0.0, counted, mass, size, by_weight, rules.min_cut, tie, near.best, near.cut,
            )  # fmt: skip
        elif mass > EXACT:
            _cuts_of_bins(
                hists.single, at, None, copies_at, first_of, bins, d, lanes, total,
                sums.eights_single, 0.0, counted, mass, size, by_weight, rules.min_cut, tie,
                near.best, near.cut,
            )  # fmt: skip
        else:
            _cuts_of_bins(
                hists.single, at, None, copies_at, first_of, bins, d, lanes, sums.total_single,
                sums.eights_single, np.float32(0.0), counted, mass, size, by_weight,
                rules.min_cut, tie, near.best, near.cut,
            )  # fmt: skip
        score, feature = best_feature(near.best, column, d, mass, tie, turned)
        low = np.int64(near.cut[feature]) if feature >= 0 else np.int64(-1)
    high = low + 1
    if feature >= 0:
        while _is_empty(hists, at, copies_at, first_of[high] + feature, cells, lanes):
            high += 1
    return score, feature, low, high


@kernel
def _count_drawn(
    rows: Any, truth: Any, weight: Any, idx: Any, start: int, stop: int, held: Any, z: int,
    drawn: Any, tries: int, most: int, hists: Hists, number: Any, deck: Deck,
) -> Any:  # fmt: skip
    """Put drawn columns that have so many bins at most into a histogram; its lanes."""
    width, lanes = whole_eights(tries), np.int64(0)
    for c in range(held.shape[1] - 1):
        number[c] = lanes
        lanes += held[z, c] > 0.0
    for bin_ in range(most + 1):
        deck.first[bin_] = bin_ * width
    for f in range(width):
        deck.bins[f] = most
    size = most * width
    none: Any = np.int64(0)
    _clear(hists, none, size * lanes, none, size)
    if hists.single.size > 0:
        _add_drawn(
            rows, truth, number, weight, idx, start, stop, drawn, tries, width, size,
            hists.single, None,
        )  # fmt: skip
    elif hists.copies.size == 0:
        _add_drawn(
            rows, truth, number, weight, idx, start, stop, drawn, tries, width, size,
            hists.double, None,
        )  # fmt: skip
    else:
        _add_drawn(
            rows, truth, number, weight, idx, start, stop, drawn, tries, width, size,
            hists.double, hists.copies,
        )  # fmt: skip
    return lanes


@kernel
def _evaluate(
    rows: Any, truth: Any, weight: Any, count: Any, idx: Any, cells: Cells, rules: Any, table: Any,
    open_: Any, held: Any, z: int, hists: Hists, by_weight: bool, room: int, root: float,
    number: Any, zeros: Any, sums: Sums, near: Near, deck: Deck, pile: Pile,
) -> Any:  # fmt: skip
    """Put the best split into open node z; its gain comes back, -1 if there is none.

    Of inputs that are drawn, more are drawn where none has a cut.
    """
    start, stop, d, slot = open_[z, START], open_[z, STOP], rows.shape[1], open_[z, SLOT]
    size, every = stop - start, rules.drawn == 0
    mass, classes = _summed(held, z)
    whole = hists.copies.size == 0
    counted = mass if whole else held[z, held.shape[1] - 1]
    scale = mass if rules.gini else mass * math.log(mass + 2.0)
    tie = TIE * scale
    state = np.uint64(open_[z, STATE])
    turned = np.int64(state >> np.uint64(33)) if every and rules.turn >= 0 else np.int64(0)
    piled = rules.gini and whole and mass <= SQUARES
    score, feature, low, high = -np.inf, np.int64(-1), np.int64(-1), np.int64(-1)
    drawn, order, tries, dealt = cells.column, cells.column, d, np.int64(0)
    while feature < 0 and dealt < d:
        few, look, most = slot < 0, slot < 0, cells.bins[0]
        if not every:
            tries = min(rules.drawn, d - dealt)
            state = deal(deck.cards, deck.swaps, dealt, dealt + tries, state)
            drawn, order, most = deck.cards[dealt : dealt + tries], deck.plain, np.int64(1)
            for f in range(tries):
                most = max(most, cells.bins[drawn[f]])
            few = size <= _few(most, classes, piled)
            look = few or (piled and size <= PILED)
        dealt += tries
        active = tries
        if look:
            active = _varying(rows, idx, start, stop, drawn, order, tries, turned, pile)
            few |= PILING * size * active <= _counting(most, classes) * whole_eights(tries)
        if few and active == 0:
            continue
        if few:
            # Of the columns in which the rows differ.
            some = active < d
            listed, turn = (deck.plain, np.int64(0)) if some else (order, turned)
            # Rows are compared with one another where that is quicker, or if sums would be rounded.
            pairs = size * whole_eights(active) <= QUICKER * EIGHT * active
            if rules.gini and (pairs or not piled):
                score, feature, low, high = best_of_rows(
                    rows, truth, weight, idx, start, stop, held[z], near, whole, by_weight,
                    counted, mass, rules.min_cut, tie, turn, pile.active, listed, active,
                )  # fmt: skip
            else:
                score, feature, low, high = _scan_few(
                    rows, truth, weight, count, idx, start, stop, held, z, rules, table, counted,
                    mass, tie, turn, zeros, pile.active, listed, active, pile,
                )  # fmt: skip
            if some and feature >= 0:
                feature = pile.active[feature]
        else:
            at, first, bins, lanes = slot * room, cells.first, cells.bins, open_[z, LANES]
            if not every:
                lanes = _count_drawn(
                    rows, truth, weight, idx, start, stop, held, z, drawn, tries, most, hists,
                    number, deck,
                )  # fmt: skip
                at, first, bins = np.int64(0), deck.first, deck.bins
            copies_at: Any = slot * cells.first[most] if every else np.int64(0)
            score, feature, low, high = _best_of_cells(
                hists, at, copies_at, first, bins, order, tries, lanes, rules, table, by_weight,
                counted, mass, size, tie, turned, sums, near,
            )  # fmt: skip
            if not every and feature >= 0:
                feature = drawn[feature]
    if not every:
        put_back(deck.cards, deck.swaps, dealt)
    impurity = _impurity(held, z, mass, rules.gini, table)
    gain = score - (mass - impurity) if rules.gini else score + impurity
    if feature < 0 or gain < (rules.min_decrease - 1e-12) * root:
        gain = -1.0
    else:
        open_[z, FEATURE], open_[z, LOW], open_[z, HIGH] = feature, low, high
        gain = max(gain, 0.0)
    return gain


@part
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
    cells: Cells, rows: Any, truth: Any, weight: Any, count: Any, idx: Any, rules: Any, table: Any,
    by_weight: bool, where: Any, space: Space,
) -> Any:  # fmt: skip
    """One tree from the rows (n, d) in `idx`, put into `space`; its nodes, leaves and entries.

    If histograms count no copies, the weights are whole and `min_cut` is a weight. Otherwise
    `count` holds what a row counts for the limits: one, or (`by_weight`) its weight.
    """
    # Taken out once: a call that is given all of it would count the owners of all of it.
    hists, sums, near, deck, pile = space.hists, space.sums, space.near, space.deck, space.pile
    open_, gain, held, zeros, aside = space.open, space.gain, space.held, space.zeros, space.aside
    free, counted_mass, this, tally = space.free, space.mass, space.this, space.tally
    number, lane, k = space.number, space.lane, space.zeros.size
    d, bins, drawn = rows.shape[1], cells.bins[0], rules.drawn > 0
    size = cells.first[bins]
    room, slots = size * k, free.size
    node, start, count_of = space.node, space.start, space.count_of
    class_, mass_of = space.class_, space.mass_of
    start[0] = 0
    for slot in range(slots):
        free[slot], counted_mass[slot] = slots - 1 - slot, 0.0
    # Zeros that are written as such would be types of their own, and be compiled for.
    none: Any = np.int64(0)
    n_free, n_nodes, n_open, n_leaves, n_entries = slots, none + 1, none, none, none
    whole = hists.copies.size == 0
    state = np.uint64(rules.turn + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)

    _tally(truth, weight, count, idx, none, idx.size, held, none)
    mass, classes, stays = _judged(held, none, none, rules, -1.0, table)
    piled = whole and rules.gini and mass <= SQUARES
    root_deviance = _impurity(held, none, mass, np.bool_(False), table)
    root = _impurity(held, none, mass, rules.gini, table)
    open_[0, NODE], open_[0, START], open_[0, STOP], open_[0, DEPTH] = 0, 0, idx.size, 0
    open_[0, SLOT], open_[0, LANES], open_[0, FEATURE] = -1, k, -1
    open_[0, STATE] = np.int64(next_state(state, none))
    gain[0], n_open = -1.0, none + 1
    if not stays:
        open_[0, FEATURE] = ASKED
        if idx.size > _few(bins, classes, piled) and not drawn:
            n_free -= 1
            open_[0, SLOT] = free[n_free]
            for j in range(idx.size):
                lane[idx[j]] = truth[idx[j]]
            _clear(hists, none, room, none, size)
            _add(rows, lane, weight, idx, none, idx.size, cells, size, hists, none, none, 1.0)
            counted_mass[0] = mass
    while n_open > 0:
        at, full = n_open - 1, False
        if rules.max_leaves > 0:
            full = n_leaves + n_open >= rules.max_leaves
            at = _chosen(gain, open_, n_open, full)
        if open_[at, FEATURE] == ASKED and not full:
            open_[at, FEATURE] = -1
            gain[at] = _evaluate(
                rows, truth, weight, count, idx, cells, rules, table, open_, held, at, hists,
                by_weight, room, root, number, zeros, sums, near, deck, pile,
            )  # fmt: skip
            continue
        splits = gain[at] >= 0.0
        n_open -= 1
        gain[at] = gain[n_open]
        for c in range(10):
            this[c] = open_[at, c]
            open_[at, c] = open_[n_open, c]
        for c in range(k + 1):
            tally[c] = held[at, c]
            held[at, c] = held[n_open, c]
        i, slot, lanes = this[NODE], this[SLOT], this[LANES]
        if not splits:
            for c in range(k):
                if tally[c] > 0.0:
                    class_[n_entries], mass_of[n_entries] = c, tally[c]
                    n_entries += 1
            if where.size > 0:
                for j in range(this[START], this[STOP]):
                    where[idx[j]] = n_leaves
            node[0, i], node[1, i], node[2, i], node[3, i], node[4, i] = -1, -1, -1, n_leaves, 0
            count_of[n_leaves] = tally[k]
            n_leaves += 1
            start[n_leaves] = n_entries
            if slot >= 0:
                free[n_free] = slot
                n_free += 1
            continue
        middle = partition(rows, idx, this[START], this[STOP], this[FEATURE], this[LOW], aside)
        small_left = middle - this[START] <= this[STOP] - middle
        # The larger child goes first on the list: depth first then takes the smaller one first.
        large, small = n_open, n_open + 1
        left, right = (small, large) if small_left else (large, small)
        open_[left, START], open_[left, STOP] = this[START], middle
        open_[right, START], open_[right, STOP] = middle, this[STOP]
        open_[left, NODE], open_[right, NODE] = n_nodes, n_nodes + 1
        for z in range(n_open, n_open + 2):
            open_[z, DEPTH], open_[z, SLOT], open_[z, LANES] = this[DEPTH] + 1, -1, lanes
            open_[z, FEATURE], gain[z] = -1, -1.0
            turn = open_[z, NODE] - n_nodes
            open_[z, STATE] = np.int64(next_state(np.uint64(this[STATE]), turn))
        small_from, small_to = open_[small, START], open_[small, STOP]
        large_from, large_to = open_[large, START], open_[large, STOP]
        _tally(truth, weight, count, idx, small_from, small_to, held, small)
        if whole:
            for c in range(k + 1):
                held[large, c] = tally[c] - held[small, c]
        else:
            # Differences of real weights would leave traces of classes that are gone.
            _tally(truth, weight, count, idx, large_from, large_to, held, large)
        depth = this[DEPTH] + 1
        small_mass, small_classes, small_stays = _judged(
            held, small, depth, rules, root_deviance, table
        )
        large_mass, large_classes, large_stays = _judged(
            held, large, depth, rules, root_deviance, table
        )
        node[0, i], node[1, i], node[2, i], node[3, i] = (
            this[FEATURE], this[LOW], this[HIGH], n_nodes
        )  # fmt: skip
        node[4, i] = (large_mass > small_mass) == small_left and large_mass != small_mass
        n_nodes += 2
        # Histograms: the large child takes the parent's, unless it can do with half the lanes. A
        # small child of few rows gets lanes of its own, as its rows are taken out one by one.
        by_rows = DEARER * (small_to - small_from) * d < size * lanes
        small_fresh = 2 * small_classes <= lanes or (by_rows and small_classes < lanes)
        large_fresh = 2 * large_classes <= lanes
        if slot >= 0 and not whole:
            large_fresh |= large_mass < FADED * counted_mass[slot]
        small_dense = slot >= 0 and not small_stays
        small_dense &= small_to - small_from > _few(bins, small_classes, piled)
        large_dense = slot >= 0 and not large_stays
        large_dense &= large_to - large_from > _few(bins, large_classes, piled)
        subtract = False
        if slot >= 0 and large_dense and not large_fresh:
            open_[large, SLOT] = slot
            if not small_dense or small_fresh or by_rows:
                _add(
                    rows, lane, weight, idx, small_from, small_to, cells, size, hists,
                    slot * room, slot * size, -1.0,
                )  # fmt: skip
            else:
                subtract = True
        elif slot >= 0:
            free[n_free] = slot
            n_free += 1
        for z in range(n_open + 1, n_open - 1, -1):
            fresh = small_fresh if z == small else large_fresh
            dense = small_dense if z == small else large_dense
            if not dense or (z == large and not fresh):
                continue
            n_free -= 1
            own = free[n_free]
            open_[z, SLOT] = own
            begin, end = open_[z, START], open_[z, STOP]
            if fresh:
                open_[z, LANES] = small_classes if z == small else large_classes
                _give_lanes(truth, idx, begin, end, held, z, number, lane)
            counted_mass[own] = small_mass if z == small else large_mass
            _clear(hists, own * room, size * open_[z, LANES], own * size, size)
            _add(
                rows, lane, weight, idx, begin, end, cells, size, hists, own * room,
                own * size, 1.0,
            )  # fmt: skip
        if subtract:
            _subtract(hists, slot, open_[small, SLOT], room, size, lanes)
        for z in range(n_open, n_open + 2):
            if not (small_stays if z == small else large_stays):
                open_[z, FEATURE] = ASKED
                if rules.max_leaves > 0:
                    mass = small_mass if z == small else large_mass
                    at_most = _impurity(held, z, mass, rules.gini, table)
                    gain[z] = at_most * (1.0 + TIE) + TIE * mass
        n_open += 2
    return n_nodes, n_leaves, n_entries


def class_tree(cells: Cells, *given: Any) -> Grown:
    """A tree of `grow_classes` in the common form, copied from its working memory."""
    nodes, leaves, entries = grow_classes(cells, *given)
    found: Space = given[-1]
    feature, low, high, child, right = found.node[:, :nodes].copy()
    return Grown(
        feature=inputs_of(feature, cells),
        low=low,
        high=high,
        child=child,
        right=right,
        set_at=np.full(nodes, -1, np.int32),
        sets=np.empty(0, np.uint64),
        start=found.start[: leaves + 1].copy(),
        class_=found.class_[:entries].copy(),
        weight=found.mass_of[:entries].copy(),
        count=found.count_of[:leaves].copy(),
    )
