"""Replicates of AUC and average precision: sort once, then only count how often a row is drawn."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._kernels.bootstrap import rank_rows, ranked_replicates
from heliast.estimates._drawn import Drawn, expanded
from heliast.estimates._spread import unit_sums
from heliast.predictions import Rows

Array = npt.NDArray[Any]
Which = Literal["auc", "average_precision"]

_NUMBERS = 1 << 22


def rank_draws(
    which: Which,
    rows: Rows,
    code: int,
    influence: Callable[[Rows], Array],
    replicates: int,
    seed: int,
) -> Drawn:
    """Replicates of a rank measure of one class; rows, groups or classes are what is drawn."""
    rows = expanded(rows)
    nudges = unit_sums(rows, influence(rows))
    if rows.weight is not None or rows.design == "classes":
        return Drawn(_general(which, rows, code, replicates, seed), nudges)
    group = None if rows.group is None else np.unique(rows.group, return_inverse=True)[1]
    ranked = rank_rows(rows.is_class(code), rows.score_of(code), group=group)
    found = ranked_replicates(ranked, replicates, seed, which == "average_precision")
    if which == "average_precision":
        return Drawn(found.average_precision, nudges)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Drawn(found.wins / (found.positive * found.negative), nudges)


def _general(which: Which, rows: Rows, code: int, replicates: int, seed: int) -> Array:
    """Replicates when rows have weights, or classes are drawn each on its own."""
    rows = rows.at(np.argsort(-rows.score_of(code), kind="stable"))
    own = rows.is_class(code).astype(bool)
    ends = np.flatnonzero(np.diff(rows.score_of(code), append=np.inf))
    values = np.empty(replicates)
    block = max(1, _NUMBERS // rows.n)
    times = _times(rows, np.random.default_rng(seed))
    for start in range(0, replicates, block):
        stop = min(start + block, replicates)
        drawn = times(stop - start)
        if rows.weight is not None:
            drawn = drawn * rows.weight
        values[start:stop] = _values(which, drawn, own, ends)
    return values


def _times(rows: Rows, rng: np.random.Generator) -> Callable[[int], Array]:
    """How often each row is drawn in each of some replicates: (replicates, n)."""
    if rows.group is not None:
        place = np.unique(rows.group, return_inverse=True)[1]
        groups = int(place.max()) + 1
        return lambda count: _counts(rng, groups, count)[:, place]
    if rows.design != "classes":
        return lambda count: _counts(rng, rows.n, count)
    strata = [np.flatnonzero(rows.truth == code) for code in np.unique(rows.truth)]

    def by_class(count: int) -> Array:
        drawn = np.empty((count, rows.n))
        for part in strata:
            drawn[:, part] = _counts(rng, part.size, count)
        return drawn

    return by_class


def _counts(rng: np.random.Generator, units: int, replicates: int) -> Array:
    """Multiplicities (replicates, units) of units drawn with replacement."""
    drawn = rng.integers(units, size=(replicates, units))
    drawn += np.arange(replicates)[:, None] * units
    flat = np.bincount(drawn.ravel(), minlength=replicates * units)
    return flat.reshape(replicates, units).astype(np.float64)


def _values(which: Which, drawn: Array, own: Array, ends: Array) -> Array:
    """The measure of replicates given as weights of rows in descending order of score."""
    tp = np.cumsum(drawn * own, axis=1)[:, ends]
    fp = np.cumsum(drawn * ~own, axis=1)[:, ends]
    gain = np.diff(tp, axis=1, prepend=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if which == "auc":
            wins = (np.diff(fp, axis=1, prepend=0.0) * (tp - gain / 2)).sum(axis=1)
            area: Array = wins / (tp[:, -1] * fp[:, -1])
            return area
        precision = np.where(gain > 0, tp / (tp + fp), 0.0)
        mean: Array = (gain * precision).sum(axis=1) / tp[:, -1]
        return mean
