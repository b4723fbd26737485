"""Votes of the nearest training rows, from one list of neighbours for all splits.

Lists are sorted by distance and hold each query row's neighbours among all rows of the data. A
split counts each of them as often as it is in the split's training sample. Ties at the border of
the k nearest are harmless when all tied rows vote alike; otherwise the query is doubtful.
"""

import math
from typing import Any

import numpy as np

from ._arrays import Counts, Floats
from ._jit import kernel
from .crew import pieces, spread

SURE, DOUBTFUL, SHORT = 0, 1, 2
"""What became of a query: decided; depends on the order of ties; the list was not long enough."""

ROWS = 1024
"""Queries that a thread takes at a time."""

MANHATTAN, EUCLIDEAN, CHEBYSHEV, MINKOWSKI = 0, 1, 2, 3


@kernel
def _sort_by_distance(X: Any, query: int, power: float, kind: int, near: Any, far: Any) -> None:
    d = X.shape[1]
    for at in range(near.size):
        j = near[at]
        total = 0.0
        for f in range(d):
            gap = abs(X[query, f] - X[j, f])
            if kind == EUCLIDEAN:
                total += gap * gap
            elif kind == MANHATTAN:
                total += gap
            elif kind == CHEBYSHEV:
                total = max(total, gap)
            else:
                total += gap**power
        if kind == EUCLIDEAN:
            total = math.sqrt(total)
        elif kind == MINKOWSKI:
            total = total ** (1.0 / power)
        # Nearly sorted already, as the search gave them in order: insertion is the fastest.
        to = at
        while to > 0 and far[to - 1] > total:
            far[to], near[to] = far[to - 1], near[to - 1]
            to -= 1
        far[to], near[to] = total, j


@kernel
def _distances(
    X: Any, queries: Any, power: float, kind: int, first: int, last: int, near: Any, far: Any
) -> None:
    for at in range(first, last):
        _sort_by_distance(X, queries[at], power, kind, near[at], far[at])


def distances(X: Floats, queries: Counts, near: Counts, power: float) -> Floats:
    """Minkowski distances of each query to its neighbours; `near` is put in their order.

    Searches that expand the square lose digits where rows are far from the origin; these
    distances do not.
    """
    kinds = {1.0: MANHATTAN, 2.0: EUCLIDEAN, np.inf: CHEBYSHEV}
    kind = kinds.get(power, MINKOWSKI)
    far = np.empty(near.shape)
    given = (X, queries, power, kind)
    spread(_distances, [(*given, *ends, near, far) for ends in pieces(queries.size, ROWS)])
    return far


@kernel
def _take(near: Any, far: Any, times: Any, self_: int, k: int, slack: Any, found: Any) -> Any:
    """Fill `found` with how often each listed neighbour counts; -1: tied at the border.

    Returns the number of listed neighbours looked at, and how many of the tied ones count.
    """
    total, reach, at = 0, np.inf, 0
    while at < near.size and far[at] <= reach:
        j = near[at]
        found[at] = (0 if j == self_ else 1) if times is None else times[j]
        total += found[at]
        if reach == np.inf and total >= k:
            reach = math.sqrt(far[at] * far[at] + slack[0]) * (1.0 + slack[1])
        at += 1
    if reach == np.inf or reach >= slack[2]:
        return -1, 0
    # The border is the distance of the k-th copy; what lies clearly nearer is in.
    total, last = 0, 0
    for b in range(at):
        total += found[b]
        if total >= k:
            last = b
            break
    border = math.sqrt(max(0.0, far[last] * far[last] - slack[0])) * (1.0 - slack[1])
    inside, tied = 0, 0
    for b in range(at):
        if far[b] < border:
            inside += found[b]
        else:
            tied += found[b]
    if inside + tied > k:
        for b in range(at):
            if far[b] >= border and found[b] > 0:
                found[b] = -1
    return at, k - inside


@kernel
def _weigh(far: Any, found: Any, size: int, inverse: bool, slack: Any, weight: Any) -> bool:
    """Weights of the listed neighbours: 1, or 1 / distance, as if all zeros came first."""
    if not inverse:
        for b in range(size):
            weight[b] = 1.0
        return True
    zeros = False
    for b in range(size):
        if found[b] != 0:
            # Distances that rounding blurs give weights that nobody can repeat.
            if slack[0] > 4e-10 * far[b] * far[b]:
                return False
            zeros |= far[b] == 0.0
    for b in range(size):
        if zeros:
            weight[b] = 1.0 if far[b] == 0.0 else 0.0
        else:
            weight[b] = 1.0 / far[b] if found[b] != 0 else 0.0
    return True


@kernel
def _vote(codes: Any, near: Any, found: Any, weight: Any, size: int, tied: int, out: Any) -> Any:
    """Class shares of one query and its label; -1 if tied rows or nearly equal shares disagree."""
    out[:] = 0.0
    group = -1
    for b in range(size):
        c = codes[near[b]]
        if found[b] > 0:
            out[c] += found[b] * weight[b]
        elif found[b] < 0:
            if group >= 0 and c != group:
                return -1
            if group < 0:
                out[c] += tied * weight[b]
            group = c
    total = out.sum()
    if not total > 0.0:
        return -1
    best = 0
    for c in range(out.size):
        out[c] /= total
        if out[c] > out[best]:
            best = c
    return best


@kernel
def _close(out: Any, best: int) -> bool:
    close = False
    for c in range(out.size):
        close |= c != best and out[best] - out[c] < 1e-12
    return close


@kernel
def _mean(values: Any, near: Any, found: Any, weight: Any, size: int, tied: int) -> Any:
    """Weighted mean of the neighbours' values; NaN if tied rows have different ones."""
    total, mass = 0.0, 0.0
    group, value = False, 0.0
    for b in range(size):
        y = values[near[b]]
        if found[b] > 0:
            total += found[b] * weight[b] * y
            mass += found[b] * weight[b]
        elif found[b] < 0:
            if group and y != value:
                return np.nan
            if not group:
                total += tied * weight[b] * y
                mass += tied * weight[b]
            group, value = True, y
    return total / mass


@kernel
def _answer(
    target: Any, near: Any, far: Any, slack: Any, times: Any, queries: Any, places: Any, k: int,
    inverse: bool, first: int, last: int, label: Any, share: Any, state: Any,
) -> None:  # fmt: skip
    """Labels and shares of some queries; without `share` the means of their neighbours."""
    found = np.empty(near.shape[1], np.int64)
    weight = np.empty(near.shape[1])
    for at in range(first, last):
        row = places[at]
        own = queries[at] if times is None else -1
        size, tied = _take(near[row], far[row], times, own, k, slack[row], found)
        state[at] = SHORT if size < 0 else DOUBTFUL
        if size < 0 or not _weigh(far[row], found, size, inverse, slack[row], weight):
            continue
        if share is None:
            value = _mean(target, near[row], found, weight, size, tied)
            label[at] = value
            sure = value == value
        else:
            best = _vote(target, near[row], found, weight, size, tied, share[at])
            label[at] = best
            # Counts are exact, and equal counts go to the first class; sums of 1/d are not.
            sure = best >= 0 and not (inverse and _close(share[at], best))
        if sure:
            state[at] = SURE


def votes(
    target: Any, near: Counts, far: Floats, slack: Floats, times: Any, queries: Counts,
    places: Counts, k: int, inverse: bool, classes: int,
) -> tuple[Any, Floats, Any]:  # fmt: skip
    """Labels and class shares of the queries (or means of numbers, if `classes` is 0), and states.

    Query i stands in line places[i] of `near` (sorted) and `far`. `times` says how often each row
    of the data is in the training sample; None means: all rows once, but not the query itself.
    slack[line] is how far apart tied distances may be: that much in their squares, that share of
    themselves; and the distance from which on rows may be missing from the list.
    """
    n = queries.size
    label = np.empty(n, np.int64 if classes else np.float64)
    share, state = np.zeros((n, classes)), np.empty(n, np.uint8)
    given = (target, near, far, slack, times, queries, places, k, inverse)
    shares = share if classes else None
    spread(_answer, [(*given, *ends, label, shares, state) for ends in pieces(n, ROWS)])
    return label, share, state
