"""Bootstrap replicates of measures, as sums from which the caller makes the measure.

A replicate draws n of n rows (or groups) with replacement. Above LARGE rows, and where losses are
summed beside the ranks, rankings are replicated in compiled loops (`large`), in which
each row's count is Poisson(1) on its own: the total then varies by √n, which ratios do not feel.
Counts belong to (seed, replicate, row in the data): measures of one seed are replicated jointly,
and nothing depends on the number of threads or of replicates.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .ranking import first_of_equals
from .threads import pieces, spread

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
# Most rows of rankings that NumPy replicates.
LARGE = 200_000
# Counts drawn together, in the cache.
HELD = 1 << 15
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class RankedRows(NamedTuple):
    """Rows by descending score, positives first among equals."""

    row: npt.NDArray[np.int64]  # where each was in the data
    own: npt.NDArray[np.bool_]  # whether it is positive
    first: npt.NDArray[np.bool_]  # whether it is the first of its score
    loss: Floats | None
    group: npt.NDArray[np.int64] | None


class RankedReplicates(NamedTuple):
    """One entry per replicate; c is how often a row was drawn."""

    positive: Floats  # Σ c of the positives
    negative: Floats  # Σ c of the negatives
    wins: Floats  # pairs with the positive above, plus half of the ties; AUC = wins / (P N)
    loss: Floats  # Σ c loss; NaN without losses
    # NaN unless asked for, or without positives.
    average_precision: Floats


def rank_rows(
    truth: Array,
    score: Array,
    loss: Array | None = None,
    group: Array | None = None,
) -> RankedRows:
    """Arrange rows for `ranked_replicates`.

    `loss` is any finite column to average along; `group` codes 0 .. G-1 make replicates draw groups
    instead of rows.
    """
    own, score = np.asarray(truth, np.bool_), np.asarray(score, np.float64)
    row = np.lexsort((~own, -score))
    return RankedRows(
        row=row,
        own=own[row],
        first=first_of_equals(score[row]),
        loss=None if loss is None else np.asarray(loss, np.float64)[row],
        group=None if group is None else np.asarray(group, np.int64)[row],
    )


def ranked_replicates(
    rows: RankedRows, replicates: int, seed: int, average_precision: bool = False
) -> RankedReplicates:
    """Replicates of the sums behind AUC, a mean loss and average precision.

    Takes rows arranged by `rank_rows`.
    """
    if rows.group is None and (rows.loss is not None or rows.row.size > LARGE):
        from .large import rank_sums

        sums = rank_sums(rows, replicates, seed, average_precision)
    else:
        sums = _exact_ranks(rows, replicates, seed)
    if not average_precision:
        sums[4] = np.nan
    return RankedReplicates(*sums)


def feature_replicates(features: Array, replicates: int, seed: int) -> Floats:
    """(replicates, m): Σ_i c_i x_if for each of the m columns of features (n, m).

    A column of ones gives the number of rows drawn.
    """
    features = np.ascontiguousarray(features, np.float64)
    n, m = features.shape
    sums, key = np.zeros((replicates, m)), _key(seed)

    def draw(first: int, stop: int) -> None:
        sums[first:stop] = _counts(n, first, stop, key).T @ features

    spread(draw, _blocks(n, replicates))
    return sums


def mean_replicates(losses: Array, replicates: int, seed: int) -> Floats:
    """Replicates of the mean: Σ c l / Σ c; NaN if nothing was drawn."""
    sums = feature_replicates(np.stack([losses, np.ones(losses.size)], axis=1), replicates, seed)
    with np.errstate(invalid="ignore"):
        means: Floats = sums[:, 0] / sums[:, 1]
    return means


def table_replicates(counts: Array, replicates: int, seed: int) -> npt.NDArray[np.int64]:
    """(replicates, cells): tables of as many rows, drawn from the cells' shares (multinomial).

    For measures of labels this is the bootstrap of rows, at the cost of cells instead of rows.
    """
    counts = np.asarray(counts, np.float64).ravel()
    total = counts.sum()
    if total == 0:
        return np.zeros((replicates, counts.size), np.int64)
    rng = np.random.default_rng(seed)
    return rng.multinomial(round(float(total)), counts / total, size=replicates)


# --- counts ----------------------------------------------------------------------------------


def _counts(
    units: int, first: int, stop: int, key: np.uint64, place: Places | None = None, places: int = 0
) -> npt.NDArray[np.int64]:
    """(units, replicates): how often each unit is among as many draws with replacement.

    Units with one `place` are counted together: (places, replicates). A draw takes 53 bits of a
    hash of (seed, replicate, number of the draw): the bias is below units x 2^-53.
    """
    width, places = stop - first, places or units
    keys = _mix(key + np.arange(first, stop, dtype=np.uint64) * GOLDEN)
    bits = _mix(keys[:, None] + np.arange(units, dtype=np.uint64) * GOLDEN) >> np.uint64(11)
    drawn = (bits.view(np.int64) * (units / 2.0**53)).astype(np.intp)
    if place is not None:
        drawn = place[drawn]
    drawn *= width
    drawn += np.arange(width)[:, None]
    return np.bincount(drawn.ravel(), minlength=places * width).reshape(places, width)


def _mix(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A bijection of 64 bits in which every bit of the argument moves every bit of the result."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z


def _key(seed: int) -> np.uint64:
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


def _blocks(units: int, replicates: int) -> list[tuple[int, int]]:
    """Replicates whose counts are held together; none if there is nothing to draw."""
    return pieces(replicates if units else 0, min(max(HELD // max(units, 1), 1), 64))


# --- ranks -----------------------------------------------------------------------------------


def _cells(rows: RankedRows) -> tuple[Places, int, Places, Places]:
    """Rows that are alike for ranks: positives by score, negatives by how that lies to these.

    The cell of each row; how many are of positives, which come first and descend; of those of
    negatives, how many lie above each score of positives, and how many at or above it.
    """
    own, rank = rows.own, np.arange(rows.own.size)
    # How many of the positives' scores lie at or above each row, and whether the last is its own.
    score = np.cumsum(own & rows.first)
    tied = own[np.maximum.accumulate(np.where(rows.first, rank, 0))]
    kind = (2 * score - tied)[~own]
    new = first_of_equals(kind)
    scores = int(score.max(initial=0))
    cell = np.empty(own.size, np.intp)
    cell[own], cell[~own] = score[own] - 1, scores + np.cumsum(new) - 1
    equal = 2 * np.arange(scores) + 1
    above, upto = (np.searchsorted(kind[new], equal, side) for side in ("left", "right"))
    return cell, scores, above, upto


def _exact_ranks(rows: RankedRows, replicates: int, seed: int) -> Floats:
    """(5, replicates): the sums of ranks, from how often the cells of the ranking are drawn."""
    cell, scores, above, upto = _cells(rows)
    unit = rows.row if rows.group is None else rows.group
    units, cells, key = int(unit.max(initial=-1)) + 1, int(cell.max(initial=-1)) + 1, _key(seed)
    place = np.empty(units, np.intp)
    place[unit] = cell
    by_cell = np.argsort(cell, kind="stable")
    start = np.flatnonzero(first_of_equals(cell[by_cell]))
    sums = np.full((5, replicates), np.nan)

    def draw(first: int, stop: int) -> None:
        if rows.group is None:
            counts = _counts(units, first, stop, key, place, cells)
        else:
            drawn = _counts(units, first, stop, key)
            counts = np.add.reduceat(drawn[unit[by_cell]], start, axis=0)
        p, n = counts[:scores], counts[scores:]
        tp, fp = np.cumsum(p, axis=0), np.pad(np.cumsum(n, axis=0), ((1, 0), (0, 0)))
        P, N = p.sum(axis=0), fp[-1]
        lost = (p * (fp[above] + fp[upto])).sum(axis=0)
        area = (p * (tp / np.maximum(tp + fp[upto], 1))).sum(axis=0)
        with np.errstate(invalid="ignore"):
            sums[[0, 1, 2, 4], first:stop] = P, N, P * N - lost / 2, area / P

    spread(draw, _blocks(units, replicates))
    return sums
