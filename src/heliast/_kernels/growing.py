"""Growing any tree: classes or numbers, real weights, nominal and missing values, best first.

How a node is split: for each feature, its rows are put in the order of their codes (the numbers of
their bins); these are the items of the node. One pass over the items from either end gives the
score of both sides at every cut, as moving a row to a side changes a few sums, however many classes
there are. Sums only ever grow, so that light rows are not lost in rounding.

Items come in their order in one of two ways. A node that is large beside bins x classes is counted
into cells (feature, bin, class), and its cells are the items. Any other node sorts its rows once
for every feature; below it the sorted lists are only parted.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ._njit import inlined, njit

GINI, DEVIANCE, SQUARED_ERROR = range(3)
# What is known of an item: the first four of rows, too; then what both sides of a cut have.
WEIGHT, COUNT, MOMENT, LABEL, CODE, LEFT, RIGHT, LEFT_COUNT, RIGHT_COUNT = range(9)
# What is known of an open node. Its sorted lists begin at START - BASE; -1: it is not sorted.
NODE, START, STOP, DEPTH, BASE, FEATURE, LOW, HIGH, MISSING_RIGHT, SET, STATE = range(11)
CELLS = 2.0  # cells that are counted for each value at most: more cost more than sorting
FEW = 24  # rows that insertion sorts faster than counting
TIE = 1e-11  # scores that differ by less than this share of the weight are equal: the first stands
ROW = np.int64((1 << 32) - 1)  # the half of a key that holds the row; the other holds the code


class Rules(NamedTuple):
    """When and how nodes are split; what is not limited has a limit that is never reached."""

    criterion: int
    limited: int  # what limits count: WEIGHT where weights are copies, else COUNT, 1 a row
    min_leaf: float
    min_split: float
    min_deviance: float
    min_decrease: float
    max_depth: int
    max_leaves: int  # 0: depth first, else best first
    drawn: int  # features that are drawn for each node; 0 is all
    seed: int  # -1: ties between features go to the first


class Sample(NamedTuple):
    """The rows of one tree, all of which weigh something."""

    codes: Any  # (n, d) uint16: the bin of each value; bins[f] where it is missing
    bins: Any  # bins of each feature
    nominal: Any  # whether the values of a feature have no order
    known: Any  # (4, n): WEIGHT, COUNT, MOMENT (weight x number) and LABEL of each row
    table: Any  # x log x of whole numbers where all weights are whole; empty otherwise


class Grown(NamedTuple):
    """A tree: feature -1 is a leaf, whose child is its number."""

    feature: Any
    low: Any  # the last code that goes left, -1 at nominal features
    high: Any  # the first code of the node that goes right
    child: Any  # the left child, before the right one
    right: Any  # 1 where missing and unseen values go right
    set_at: Any  # where in `sets` the values of a nominal feature begin: 1 goes left
    sets: Any
    entries: Any  # classes in each leaf
    class_: Any
    weight: Any
    count: Any
    value: Any  # mean of each leaf's numbers


class Space(NamedTuple):
    """Working memory of one tree."""

    rows: Any  # all rows; those of a node stand together
    keys: Any  # (d, rows): the rows of a sorted node and those below it, for each feature
    first: Any  # where the cells of each feature begin, for one class
    cells: Any
    items: Any
    sides: Any  # weight of each class passed so far, and its x log x
    total: Any  # weight of each class in the node
    starts: Any
    features: Any
    chosen: Any  # nominal values that go left
    side: Any  # whether each row goes right
    aside: Any


# Impurity -------------------------------------------------------------------------------------


@inlined
def x_log_x(x: Any, table: Any) -> Any:
    """x log x, 0 at 0."""
    if table.size > 0:
        return table[np.int64(x)]
    return x * math.log(x) if x > 0.0 else 0.0


@inlined
def score_of(weight: float, sums: float, criterion: int, table: Any) -> Any:
    """What a side adds to the score of a cut: the more, the purer it is."""
    if criterion == GINI:
        return sums / weight
    if criterion == DEVIANCE:
        return sums - x_log_x(weight, table)
    return sums * sums / weight


@inlined
def sums_of_node(node: Any, sample: Sample, rules: Rules, space: Space) -> Any:
    """(weight, sums, top, count) of a node, whose impurity is `top` less its score.

    `space.total` gets the weight of each class.
    """
    known, total = sample.known, space.total
    for c in range(total.size):
        total[c] = 0.0
    weight, sums, top, counted = 0.0, 0.0, 0.0, 0.0
    for j in range(node[START], node[STOP]):
        row = space.rows[j]
        total[np.int64(known[LABEL, row])] += known[WEIGHT, row]
        counted += known[rules.limited, row]
        if rules.criterion == SQUARED_ERROR:
            moment = known[MOMENT, row]
            sums += moment
            top += moment * moment / known[WEIGHT, row]
    for c in range(total.size):
        weight += total[c]
        if rules.criterion == GINI:
            sums += total[c] * total[c]
        elif rules.criterion == DEVIANCE:
            sums += x_log_x(total[c], sample.table)
    if rules.criterion == GINI:
        top = weight
    return weight, sums, top, counted


# The items of a node in the order of a feature ------------------------------------------------


@njit
def sort_rows(codes: Any, f: int, rows: Any, bins: int, starts: Any, keys: Any) -> None:
    """Fill `keys` with (code, row) of the rows in the order of the codes of feature f."""
    size = rows.size
    if size > FEW and bins <= 8 * size:
        for code in range(bins + 2):
            starts[code] = 0
        for i in range(size):
            starts[np.int64(codes[rows[i], f]) + 1] += 1
        for code in range(bins + 1):
            starts[code + 1] += starts[code]
        for i in range(size):
            own = np.int64(codes[rows[i], f])
            keys[starts[own]] = (own << 32) | np.int64(rows[i])
            starts[own] += 1
        return
    for i in range(size):
        keys[i] = (np.int64(codes[rows[i], f]) << 32) | np.int64(rows[i])
    gap = 1
    while gap < size // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            j, key = i, keys[i]
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap //= 3


@njit
def count_cells(
    codes: Any, rows: Any, known: Any, what: int, local: Any, first: Any, k: int, cells: Any
) -> None:
    """Add what is known of rows to cell (first[f] + code) k + class of every feature f."""
    classes = np.uint64(k)
    for i in range(rows.size):
        row = rows[i]
        amount, class_ = known[what, row], np.uint64(local[np.int64(known[LABEL, row])])
        for f in range(np.uint64(first.size - 1)):
            cell = (np.uint64(first[f]) + np.uint64(codes[row, f])) * classes + class_
            cells[what, cell] += amount


@njit
def prepare_node(node: Any, sample: Sample, rules: Rules, classes: int, space: Space) -> None:
    """Count the cells of a large node, or sort the rows of one that is not large."""
    d, rows = sample.bins.size, space.rows[node[START] : node[STOP]]
    if space.first[d] * classes > CELLS * rows.size * d:
        # Depth first, only one sorted node lives at a time: its lists begin at 0.
        node[BASE] = 0 if rules.max_leaves > 0 else node[START]
        at = node[START] - node[BASE]
        for f in range(d):
            keys = space.keys[f, at : at + rows.size]
            sort_rows(sample.codes, f, rows, sample.bins[f], space.starts, keys)
        return
    local, number = np.zeros(space.total.size, np.int64), 0
    for c in range(local.size):
        local[c] = number
        number += space.total[c] > 0.0
    for what in range(space.cells.shape[0]):
        count_cells(
            sample.codes, rows, sample.known, what, local, space.first, classes, space.cells
        )


@njit
def items_of_keys(keys: Any, known: Any, rules: Rules, items: Any) -> Any:
    """The rows of a sorted list; how many there are, 0 if all have one code."""
    if keys[0] >> 32 == keys[-1] >> 32:
        return 0
    for j in range(keys.size):
        row = keys[j] & ROW
        items[CODE, j] = keys[j] >> 32
        items[WEIGHT, j] = known[WEIGHT, row]
        if rules.limited == COUNT:
            items[COUNT, j] = 1.0
        if rules.criterion == SQUARED_ERROR:
            items[MOMENT, j] = known[MOMENT, row]
        else:
            items[LABEL, j] = known[LABEL, row]
    return keys.size


@njit
def items_of_cells(cells: Any, cell: int, codes: int, k: int, items: Any) -> Any:
    """The cells of a feature, from `cell` on, that hold rows; they are empty afterwards."""
    size = 0
    for code in range(codes):
        for class_ in range(k):
            if cells[WEIGHT, cell] > 0.0:
                items[CODE, size] = code
                items[LABEL, size] = class_
                for what in range(cells.shape[0]):
                    items[what, size] = cells[what, cell]
                    cells[what, cell] = 0.0
                size += 1
            cell += 1
    return size


@njit
def arrange(items: Any, size: int, by: int, numbers: bool) -> None:
    """Put the values of a feature in another order: by the share of class `by`, or by the mean.

    For `by` -1 the last value, which is the missing one, becomes the first.
    """
    key, order, start = np.empty(size), np.empty(size, np.int64), np.empty(size + 1, np.int64)
    weight, amount, values = 0.0, 0.0, 0
    for j in range(size):
        if j == 0 or items[CODE, j] != items[CODE, j - 1]:
            start[values] = j
            values += 1
            weight, amount = 0.0, 0.0
        weight += items[WEIGHT, j]
        if numbers:
            amount += items[MOMENT, j]
        elif items[LABEL, j] == by:
            amount += items[WEIGHT, j]
        key[values - 1] = amount / weight if by >= 0 else np.float64(values)
    start[values] = size
    if by < 0:
        key[values - 1] = 0.0
    for v in range(values):
        to = v
        while to > 0:
            u = order[to - 1]
            code_is_less = items[CODE, start[u]] < items[CODE, start[v]]
            if key[u] < key[v] or (key[u] == key[v] and code_is_less):
                break
            order[to] = u
            to -= 1
        order[to] = v
    for what in range(CODE + 1):
        to = 0
        for v in range(values):
            for j in range(start[order[v]], start[order[v] + 1]):
                key[to] = items[what, j]
                to += 1
        for j in range(size):
            items[what, j] = key[j]


# The best split of a node ---------------------------------------------------------------------


@inlined
def pass_items(
    items: Any, begin: int, end: int, step: int, rules: Rules, k: int, table: Any, sides: Any,
    score: int, count: int,
) -> None:  # fmt: skip
    """Score and count of the items passed so far, wherever the code changes."""
    for class_ in range(k):
        sides[0, class_] = 0.0
        sides[1, class_] = 0.0
    weight, sums, counted = 0.0, 0.0, 0.0
    for j in range(begin, end, step):
        amount, c = items[WEIGHT, j], np.uint64(np.int64(items[LABEL, j]))
        weight += amount
        counted += items[rules.limited, j]
        if rules.criterion == SQUARED_ERROR:
            sums += items[MOMENT, j]
        else:
            before = sides[0, c]
            sides[0, c] = before + amount
            if rules.criterion == GINI:
                sums += amount * (2.0 * before + amount)
            else:
                log = x_log_x(before + amount, table)
                sums += log - sides[1, c]
                sides[1, c] = log
        if items[CODE, j] != items[CODE, j + step]:
            items[score, j] = score_of(weight, sums, rules.criterion, table)
            items[count, j] = counted


@njit
def best_cut(
    items: Any, size: int, rules: Rules, k: int, table: Any, sides: Any, tie: float
) -> Any:
    """The score of the best cut and the item after which it lies; -1 if none is allowed."""
    pass_items(items, 0, size - 1, 1, rules, k, table, sides, LEFT, LEFT_COUNT)
    pass_items(items, size - 1, 0, -1, rules, k, table, sides, RIGHT, RIGHT_COUNT)
    best, at = -np.inf, -1
    for j in range(size - 1):
        total = items[LEFT, j] + items[RIGHT, j + 1]
        if (
            items[CODE, j] != items[CODE, j + 1]
            and total > best + tie
            and min(items[LEFT_COUNT, j], items[RIGHT_COUNT, j + 1]) >= rules.min_leaf
        ):
            best, at = total, j
    return best, at


@njit
def choose_values(items: Any, size: int, at: int, chosen: Any) -> None:
    """Mark the values of the items up to `at`, and those that the node lacks if they weigh more."""
    balance = 0.0
    for j in range(size):
        balance += items[WEIGHT, j] if j <= at else -items[WEIGHT, j]
    for code in range(chosen.size):
        chosen[code] = balance > 0.0
    for j in range(size):
        chosen[np.int64(items[CODE, j])] = j <= at


@njit
def search_features(
    node: Any, features: Any, turned: Any, tie: float, top: float, k: int, sample: Sample,
    rules: Rules, space: Space,
) -> Any:  # fmt: skip
    """The score of the best split by some features, which goes to the node."""
    items, sides, numbers = space.items, space.sides, rules.criterion == SQUARED_ERROR
    best, counts_cells = -np.inf, node[BASE] < 0 and rules.drawn == 0
    for step in range(features.size):
        f = features[(step + turned) % features.size]
        if counts_cells:
            cell = space.first[f] * k
            size = items_of_cells(space.cells, cell, sample.bins[f] + 1, k, items)
        else:
            of_keys, begin, count = f, node[START] - node[BASE], node[STOP] - node[START]
            if rules.drawn > 0:
                rows, of_keys, begin = space.rows[node[START] : node[STOP]], 0, 0
                sort_rows(sample.codes, f, rows, sample.bins[f], space.starts, space.keys[0])
            keys = space.keys[of_keys, begin : begin + count]
            size = items_of_keys(keys, sample.known, rules, items)
        if size == 0 or items[CODE, 0] == items[CODE, size - 1]:
            continue
        nominal = sample.nominal[f]
        missing = items[CODE, size - 1] == sample.bins[f] and not nominal
        two = sides.shape[1] == 2
        for by in range(k if nominal and not two else 2 if missing else 1):
            if nominal:
                arrange(items, size, 1 if two else by, numbers)
            elif by == 1:
                arrange(items, size, -1, False)
            score, at = best_cut(items, size, rules, k, sample.table, sides, tie)
            if score > best + tie:
                best = score
                node[FEATURE], node[LOW], node[HIGH] = f, items[CODE, at], items[CODE, at + 1]
                node[MISSING_RIGHT] = 1 - by if missing else -1
                if nominal:
                    node[LOW] = -1
                    choose_values(items, size, at, space.chosen)
        if best >= top - tie and not counts_cells:
            break  # nothing is purer than pure (cells are passed to the end, which empties them)
    return best


@inlined
def next_state(state: Any, step: Any) -> Any:
    """The random state of a child: it depends on the path from the root and on nothing else."""
    increment = np.uint64(1442695040888963407) + np.uint64(step) * np.uint64(0x9E3779B97F4A7C16)
    return state * np.uint64(6364136223846793005) + increment


@inlined
def draw_features(features: Any, begin: int, end: int, state: Any) -> Any:
    """Draw features to the places from `begin` to `end`; the random state afterwards."""
    for j in range(begin, end):
        state = next_state(state, 0)
        other = j + np.int64(state >> np.uint64(33)) % (features.size - j)
        features[j], features[other] = features[other], features[j]
    return state


@inlined
def may_split(
    node: Any, weight: float, impurity: float, top: float, counted: float, classes: int,
    sample: Sample, rules: Rules, total: Any, root: Any,
) -> Any:  # fmt: skip
    """Whether the limits allow to split a node; the root's impurity and deviance go to `root`."""
    deviance = impurity
    if rules.min_deviance > 0.0 and rules.criterion == GINI:
        deviance = x_log_x(weight, sample.table)
        for c in range(total.size):
            deviance -= x_log_x(total[c], sample.table)
    if node[NODE] == 0:
        root[0], root[1] = impurity, deviance
    mixed = impurity > 1e-12 * top if rules.criterion == SQUARED_ERROR else classes > 1
    large = counted >= rules.min_split and counted >= 2.0 * rules.min_leaf
    heavy = node[DEPTH] < rules.max_depth and deviance >= rules.min_deviance * root[1]
    return mixed and large and heavy


@inlined
def search_node(node: Any, sample: Sample, rules: Rules, space: Space, root: Any) -> Any:
    """The gain of the best split of a node, which goes to the node; -1 if it stays a leaf."""
    gain, d = -1.0, sample.bins.size
    weight, sums, top, counted = sums_of_node(node, sample, rules, space)
    parent = score_of(weight, sums, rules.criterion, sample.table)
    classes = 0
    for c in range(space.total.size):
        classes += space.total[c] > 0.0
    if may_split(
        node, weight, top - parent, top, counted, classes, sample, rules, space.total, root
    ):
        tie = TIE * (top if rules.criterion == SQUARED_ERROR else weight)
        if rules.criterion == DEVIANCE:
            tie *= math.log(weight + 2.0)
        state, turned, k = np.uint64(node[STATE]), np.int64(0), space.total.size
        begin, end, best = 0, d, -np.inf
        if rules.drawn == 0:
            if node[BASE] < 0:
                prepare_node(node, sample, rules, classes, space)
            if node[BASE] < 0:
                k = classes  # cells are of the classes that are there
            if rules.seed >= 0:
                turned = np.int64(state >> np.uint64(33))
        else:
            for f in range(d):
                space.features[f] = f
        while best == -np.inf and begin < d:  # draw on until a feature can be split
            if rules.drawn > 0:
                end = min(begin + rules.drawn, d)
                state = draw_features(space.features, begin, end, state)
            features = space.features[begin:end]
            best = search_features(node, features, turned, tie, top, k, sample, rules, space)
            begin = end
        if best > -np.inf and best - parent >= (rules.min_decrease - 1e-12) * root[0]:
            gain = max(best - parent, 0.0)
    return gain


# Splitting it ---------------------------------------------------------------------------------


@inlined
def mark_sides(node: Any, sample: Sample, sets: Any, rows: Any, side: Any) -> None:
    """Say for every row of a node whether it goes right."""
    f, low, missing_right = node[FEATURE], node[LOW], node[MISSING_RIGHT]
    missing, balance = sample.bins[f], 0.0
    for j in range(node[START], node[STOP]):
        row = rows[j]
        code = np.int64(sample.codes[row, f])
        if low < 0:
            right = 1 - np.int64(sets[node[SET] + code])
        else:
            right = missing_right if code == missing else np.int64(code > low)
        side[row] = right
        balance += sample.known[WEIGHT, row] * (2 * right - 1)
    if missing_right < 0:  # no value is missing here: those to come go with the heavier side
        node[MISSING_RIGHT] = balance > 0.0


@inlined
def part(values: Any, start: int, stop: int, side: Any, aside: Any) -> Any:
    """Put the rows that go right behind the others, in their order; where they begin."""
    to, kept = start, 0
    for j in range(start, stop):
        value = values[j]
        right = side[value & ROW]
        values[to] = value
        aside[kept] = value
        kept += right
        to += 1 - right
    for j in range(kept):
        values[to + j] = aside[j]
    return to


@njit
def part_keys(keys: Any, start: int, stop: int, side: Any, aside: Any) -> None:
    """The same for the sorted lists of all features."""
    for f in range(keys.shape[0]):
        # Where all rows have one code, which of them stand where does not matter.
        if keys[f, start] >> 32 != keys[f, stop - 1] >> 32:
            part(keys[f], start, stop, side, aside)


@inlined
def next_open(open_: Any, gain: Any, n_open: int, best_first: bool) -> Any:
    """The place of the open node that comes next: the last, or that with the largest gain."""
    at = n_open - 1
    if best_first:
        for z in range(n_open):
            if gain[z] > gain[at] or (gain[z] == gain[at] and open_[z, NODE] < open_[at, NODE]):
                at = z
    return at


@njit
def keep_set(sets: Any, n_sets: int, chosen: Any) -> Any:
    """The sets with one more, in an array that has room for it."""
    if n_sets + chosen.size > sets.size:
        larger = np.empty(2 * (n_sets + chosen.size), np.uint8)
        larger[:n_sets] = sets[:n_sets]
        sets = larger
    sets[n_sets : n_sets + chosen.size] = chosen
    return sets


@njit
def grow_nodes(
    sample: Sample, rules: Rules, space: Space, nodes: Any, entries: Any, class_: Any,
    reals: Any, where: Any,
) -> Any:  # fmt: skip
    """Fill arrays with a tree; how many nodes, leaves and entries there are, and the sets.

    `nodes` (6, 2n) gets feature, low, high, child, right and set_at; `reals` (3, n) the weight of
    each entry, the count and the mean of each leaf; `where` the leaf of each row, if not empty.
    """
    n, best_first, root = space.rows.size, rules.max_leaves > 0, np.zeros(2)
    # The gain of an open node is infinite until its best split is known, then -1 for a leaf.
    open_, gain = np.empty((n + 1, 11), np.int64), np.full(n + 1, np.inf)
    seed = np.uint64(rules.seed + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    open_[0] = 0
    open_[0, STOP], open_[0, BASE], open_[0, STATE] = n, -1, np.int64(next_state(seed, 0))
    sets, n_sets, n_nodes, leaves, n_entries, n_open = np.empty(0, np.uint8), 0, 1, 0, 0, 1
    while n_open > 0:
        at = next_open(open_, gain, n_open, best_first)
        full = best_first and leaves + n_open >= rules.max_leaves
        node = open_[at]
        if gain[at] == np.inf and not full:
            gain[at] = search_node(node, sample, rules, space, root)
            if gain[at] >= 0.0 and node[LOW] < 0:
                node[SET] = n_sets
                sets = keep_set(sets, n_sets, space.chosen)
                n_sets += space.chosen.size
            if best_first:
                continue
        start, stop, i = node[START], node[STOP], node[NODE]
        if gain[at] < 0.0 or full:
            weight, sums, _, counted = sums_of_node(node, sample, rules, space)
            nodes[:, i] = -1
            nodes[3, i], nodes[4, i], entries[leaves] = leaves, 0, 0
            for c in range(space.total.size):
                if space.total[c] > 0.0:
                    class_[n_entries], reals[0, n_entries] = c, space.total[c]
                    entries[leaves] += 1
                    n_entries += 1
            reals[1, leaves], reals[2, leaves] = counted, sums / weight
            for j in range(start, stop if where.size > 0 else start):
                where[space.rows[j]] = leaves
            leaves += 1
            n_open -= 1
            gain[at], open_[at] = gain[n_open], open_[n_open]
            continue
        mark_sides(node, sample, sets, space.rows, space.side)
        middle = part(space.rows, start, stop, space.side, space.aside)
        if node[BASE] >= 0:
            begin, end = start - node[BASE], stop - node[BASE]
            part_keys(space.keys, begin, end, space.side, space.aside)
        nodes[0, i], nodes[1, i], nodes[2, i] = node[FEATURE], node[LOW], node[HIGH]
        nodes[3, i], nodes[4, i] = n_nodes, node[MISSING_RIGHT]
        nodes[5, i] = node[SET] if node[LOW] < 0 else -1
        # The left child comes next, in place of its parent, and the right one waits.
        state, depth = np.uint64(node[STATE]), node[DEPTH] + 1
        open_[n_open] = node
        for right in range(2):
            place = n_open if right else at
            child = open_[place]
            child[NODE], child[DEPTH] = n_nodes + right, depth
            child[START], child[STOP] = (middle, stop) if right else (start, middle)
            child[STATE], gain[place] = np.int64(next_state(state, right)), np.inf
        n_open += 1
        n_nodes += 2
    return n_nodes, leaves, n_entries, sets[:n_sets]


def space_for(sample: Sample, rules: Rules, k: int) -> Space:
    """Working memory for a tree of k classes."""
    n, d = sample.codes.shape
    first = np.concatenate([[0], np.cumsum(sample.bins + 1)])
    # Depth first, one sorted node lives at a time, and its rows would not have filled the cells.
    sorted_rows = min(n, int(first[d] * k / (CELLS * d)) + 1)
    if rules.max_leaves or rules.drawn:
        sorted_rows = n
    many = MOMENT + 1 if rules.criterion == SQUARED_ERROR else 1 + rules.limited
    most = int(sample.bins.max()) + 1
    return Space(
        rows=np.arange(n, dtype=np.int32),
        keys=np.empty((1 if rules.drawn else d, sorted_rows), np.int64),
        first=first,
        cells=np.zeros((many, int(min(first[d] * k, CELLS * n * d)) + 1)),
        items=np.empty((9, n + 1)),
        sides=np.empty((2, k)),
        total=np.empty(k),
        starts=np.empty(most + 2, np.int64),
        features=np.arange(d),
        chosen=np.zeros(most, np.uint8),
        side=np.empty(n, np.uint8),
        aside=np.empty(n, np.int64),
    )


def grow_tree(sample: Sample, rules: Rules, k: int, where: Any) -> Grown:
    """A tree on the rows of a sample, of k classes; `where` gets the leaf of each row."""
    n = sample.known.shape[1]
    nodes, entries = np.empty((6, 2 * n), np.int32), np.empty(n, np.int64)
    class_, reals = np.empty(n, np.int32), np.empty((3, n))
    n_nodes, leaves, n_entries, sets = grow_nodes(
        sample, rules, space_for(sample, rules, k), nodes, entries, class_, reals, where
    )
    feature, low, high, child, right, set_at = nodes[:, :n_nodes].copy()
    count, value = reals[1:, :leaves].copy()
    return Grown(
        feature, low, high, child, right, set_at, sets.copy(), entries[:leaves].copy(),
        class_[:n_entries].copy(), reals[0, :n_entries].copy(), count, value,
    )  # fmt: skip
