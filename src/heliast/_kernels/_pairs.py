"""Nodes of few rows: each row is compared with each other, eight features at a time."""

from typing import Any, NamedTuple

import numpy as np

from ._jit import fusing_kernel, part
from ._vectors import EIGHT, choose, fill, like, load, store, whole_eights

EXACT = 4096.0
"""Whole numbers up to this have squares whose sums float32 still holds exactly."""


class Near(NamedTuple):
    """Room for so many rows and their inputs in whole eights."""

    heads: Any
    """A chain of rows a class: all -1 between uses."""
    nexts: Any
    values: Any
    """Bins, in float32: it holds them all, and eight are compared in one step."""
    share: Any
    share_single: Any
    whole_class: Any
    best: Any
    cut: Any


def room_for(rows: int, d: int, k: int) -> Near:
    """For so many rows of d inputs and k classes."""
    width = -(-d // EIGHT) * EIGHT
    return Near(
        heads=np.full(k, -1, np.int64),
        nexts=np.empty(rows, np.int64),
        values=np.zeros(rows * width, np.float32),
        share=np.empty(rows),
        share_single=np.empty(rows, np.float32),
        whole_class=np.empty(rows),
        best=np.empty(width),
        cut=np.empty(width),
    )


@part
def best_feature(best: Any, column: Any, d: int, mass: float, tie: float, turned: Any) -> Any:
    """The column with the best cut, that of the first input from `turned` on of equal ones.

    `column` are the columns of d inputs. Its score comes first.
    """
    top, feature, turn = -np.inf, -1, np.int64(turned % d)
    for step in range(d):
        f = column[step + turn - (d if step + turn >= d else 0)]
        if best[f] > top + tie:
            top, feature = best[f], f
            # Nothing is purer than pure.
            if top >= mass - tie:
                break
    return top, feature


@part
def _gather(
    rows: Any, truth: Any, weight: Any, idx: Any, start: int, size: int, held: Any, drawn: Any,
    d: int, near: Near,
) -> None:  # fmt: skip
    """Values and weights of few rows, class after class; the last of a class tells its weight.

    `held` are the class weights of the rows. Only the first d columns of `drawn` are read, if not
    all.
    """
    heads, nexts, values = near.heads, near.nexts, near.values
    width, every = np.uintp(whole_eights(d)), d == rows.shape[1]
    for j in range(size):
        class_ = np.uintp(truth[np.uintp(idx[start + j])])
        nexts[j] = heads[class_]
        heads[class_] = j
    to = np.uintp(0)
    for j in range(size):
        class_ = np.uintp(truth[np.uintp(idx[start + j])])
        at = heads[class_]
        heads[class_] = -1
        while at >= 0:
            row = np.uintp(idx[start + at])
            if every:
                for f in range(np.uintp(d)):
                    values[to * width + f] = rows[row, f]
            else:
                for f in range(np.uintp(d)):
                    values[to * width + f] = rows[row, np.uintp(drawn[f])]
            near.share[to] = near.share_single[to] = weight[row]
            at = nexts[at]
            near.whole_class[to] = held[class_] if at < 0 else -1.0
            to += np.uintp(1)


@fusing_kernel
def _cuts_of_rows(
    values: Any, share: Any, whole_class: Any, d: int, size: int, whole: bool,
    counted: float, mass: float, by_weight: bool, min_cut: float, tie: float, best: Any, cut: Any,
) -> None:  # fmt: skip
    """For every feature the cut that leaves the purest sides by Gini, and how pure they are.

    From rows as `_gather` puts them; every value is tried as a cut, eight features at a time.
    `whole` weights count as copies; of others every row counts once, or (`by_weight`) its weight.
    Squares are summed in the type of `share`.
    """
    eight, width = np.uintp(EIGHT), np.uintp(whole_eights(d))
    none, unit = fill(share.dtype.type(0)), fill(share.dtype.type(1))
    least, some, nil = fill(np.float64(min_cut)), fill(1.0), fill(0.0)
    weight, counts, rows = fill(np.float64(mass)), fill(np.float64(counted)), fill(np.float64(size))
    never, margin = fill(-np.inf), fill(np.float64(tie))
    for f in range(np.uintp(0), width, eight):
        top, where = never, fill(np.inf)
        for i in range(np.uintp(size)):
            value = load(values, i * width + f)
            left, right, on_left, here, seen = none, none, none, none, none
            for j in range(np.uintp(size)):
                hit = value >= load(values, j * width + f)
                here = here + choose(hit, fill(share[j]), none)
                if not whole:
                    seen = seen + choose(hit, unit, none)
                if whole_class[j] >= 0.0:
                    here_right = like(fill(whole_class[j]), none) - here
                    left = left + here * here
                    right = right + here_right * here_right
                    on_left = on_left + here
                    here = none
            to, from_ = like(on_left, weight), weight - like(on_left, weight)
            score = (like(left, weight) * from_ + like(right, weight) * to) / (to * from_)
            held = to
            if not whole:
                held = like(seen, weight)
                score = choose((rows - held >= some) & (from_ > nil), score, never)
                if by_weight:
                    held = to
            score = choose((held >= least) & (counts - held >= least), score, never)
            # Values come in any order: of equal cuts the lowest is kept.
            place = like(value, weight)
            better = score > top + margin
            equal = (score + margin >= top) & (where > place) & (score > never)
            top, where = choose(better, score, top), choose(better | equal, place, where)
        store(best, f, top)
        store(cut, f, where)


@part
def _next_value(rows: Any, idx: Any, start: int, stop: int, f: int, low: Any) -> Any:
    """The lowest bin above `low` that the rows have."""
    high = np.int64(1 << 30)
    for j in range(np.uintp(start), np.uintp(stop)):
        value = np.int64(rows[np.uintp(idx[j]), np.uintp(f)])
        if low < value < high:
            high = value
    return high


@part
def best_of_rows(
    rows: Any, truth: Any, weight: Any, idx: Any, start: int, stop: int, held: Any, near: Near,
    whole: bool, by_weight: bool, counted: float, mass: float, min_cut: float, tie: float,
    turned: Any, drawn: Any, column: Any, d: int,
) -> Any:  # fmt: skip
    """The best split of few rows by Gini: score, feature, last bin left, first bin right.

    `held` are the class weights of the rows, `mass` their sum; the feature is -1 if there is none.
    Of fewer columns than all, the first d of `drawn` are tried, and the feature is the number among
    them; see `best_feature` for `column`.
    """
    size = stop - start
    _gather(rows, truth, weight, idx, start, size, held, drawn, d, near)
    if whole and mass <= EXACT:
        _cuts_of_rows(
            near.values, near.share_single, near.whole_class, d, size, whole, counted, mass,
            by_weight, min_cut, tie, near.best, near.cut,
        )  # fmt: skip
    else:
        _cuts_of_rows(
            near.values, near.share, near.whole_class, d, size, whole, counted, mass, by_weight,
            min_cut, tie, near.best, near.cut,
        )  # fmt: skip
    score, feature = best_feature(near.best, column, d, mass, tie, turned)
    low, high = np.int64(-1), np.int64(-1)
    if feature >= 0:
        low = np.int64(near.cut[feature])
        f = feature if d == rows.shape[1] else drawn[feature]
        high = _next_value(rows, idx, start, stop, f, low)
    return score, feature, low, high
