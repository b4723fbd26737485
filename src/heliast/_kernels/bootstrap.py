"""Bootstrap replicates of measures, as sums from which the caller makes the measure.

Up to EXACT rows, and whenever groups are drawn, a replicate draws n of n with replacement
(multinomial counts). Above, each row's count is Poisson(1) on its own: the total then varies by
√n, which ratios do not feel, and rows need not know of each other. Counts belong to (seed,
replicate, row in the data): measures of one seed are replicated jointly, models can be compared
row by row, and nothing depends on the number of threads or of replicates.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _draws, _lanes
from ._arrays import Floats, floats
from ._ranked import RankedRows, rank_rows
from .crew import spread

__all__ = [
    "EXACT",
    "RankedReplicates",
    "RankedRows",
    "feature_replicates",
    "mean_replicates",
    "rank_rows",
    "ranked_replicates",
    "table_replicates",
]

EXACT = 1 << 16
"""Most rows for which counts are multinomial."""


class RankedReplicates(NamedTuple):
    """One entry per replicate; c is how often a row was drawn."""

    positive: Floats
    """Σ c of the positives."""
    negative: Floats
    """Σ c of the negatives."""
    wins: Floats
    """Pairs with the positive above, plus half of the ties; AUC = wins / (positive negative)."""
    true_positive: Floats
    """Σ c of the positives labelled positive."""
    false_positive: Floats
    """Σ c of the negatives labelled positive."""
    loss: Floats
    """Σ c loss; NaN if the rows have none."""
    average_precision: Floats
    """NaN unless asked for, or without positives."""


def _words(seed: int) -> npt.NDArray[np.uint32]:
    return np.asarray(np.random.SeedSequence(seed).generate_state(2), np.uint32)


def _word(seed: int) -> np.uint64:
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


def _batches(replicates: int) -> list[int]:
    return list(range(0, replicates, _lanes.LANES))


def _exact_ranks(rows: RankedRows, replicates: int, seed: int, precision: bool) -> Floats:
    word = _word(seed)
    unit = rows.row if rows.group is None else rows.group
    units = int(unit.max(initial=-1)) + 1
    out = np.empty((replicates, 7))

    def work(first: int) -> None:
        count = np.empty(units, np.int32)
        for number in range(first, min(first + 8, replicates)):
            _draws.multinomial(units, word, number, count)
            given = unit, rows.mark, rows.loss, rows.above, count, precision
            _draws.rank_counts(*given, out[number])

    spread(work, ((first,) for first in range(0, replicates, 8)))
    return out


def _lane_ranks(rows: RankedRows, replicates: int, seed: int, precision: bool) -> Floats:
    words = _words(seed)
    row = _lanes.row_keys(words, rows.row)
    batches = _batches(replicates)
    out = np.full((len(batches) * _lanes.LANES, 7), np.nan)

    def work(first: int) -> None:
        part = out[first : first + _lanes.LANES]
        lane = _lanes.lane_keys(words, first)
        _lanes.rank_lanes(row, rows.mark, rows.loss, rows.block, rows.block_mark, lane, part)
        if precision:
            area = np.empty(_lanes.LANES)
            _lanes.precision_lanes(row, rows.mark, lane, area)
            part[:, 6] = area

    spread(work, ((first,) for first in batches))
    return out[:replicates]


def ranked_replicates(
    rows: RankedRows, replicates: int, seed: int, average_precision: bool = False
) -> RankedReplicates:
    """Replicates of the sums behind AUC, accuracy, F, a mean loss and average precision.

    Takes rows arranged by `rank_rows`. Average precision costs as much again as all the rest.
    """
    if rows.row.size <= EXACT or rows.group is not None:
        out = _exact_ranks(rows, replicates, seed, average_precision)
    else:
        out = _lane_ranks(rows, replicates, seed, average_precision)
    positive, negative, lost, true, false, loss, area = (column.copy() for column in out.T)
    if rows.loss is None:
        loss[:] = np.nan
    return RankedReplicates(
        positive, negative, positive * negative - lost / 2, true, false, loss, area
    )


def feature_replicates(features: npt.NDArray[Any], replicates: int, seed: int) -> Floats:
    """(replicates, m): Σ_i c_i x_if for each of the m columns of features (n, m).

    A column of ones gives the number of rows drawn.
    """
    features = floats(features)
    n, m = features.shape
    size = _lanes.LANES
    out = np.empty((len(_batches(replicates)) * size, m))
    word, words = _word(seed), _words(seed)
    row = None if n <= EXACT else _lanes.row_keys(words, np.arange(n))

    def exact(first: int) -> None:
        count = np.empty(n, np.int32)
        for number in range(first, min(first + size, replicates)):
            _draws.multinomial(n, word, number, count)
            _draws.feature_counts(features, count, out[number])

    def lanes(first: int) -> None:
        lane = _lanes.lane_keys(words, first)
        _lanes.feature_lanes(row, features, lane, out[first : first + size])

    spread(exact if row is None else lanes, ((first,) for first in _batches(replicates)))
    return out[:replicates]


def mean_replicates(losses: npt.NDArray[Any], replicates: int, seed: int) -> Floats:
    """Replicates of the mean: Σ c l / Σ c; NaN if nothing was drawn."""
    sums = feature_replicates(np.stack([losses, np.ones(losses.size)], axis=1), replicates, seed)
    with np.errstate(invalid="ignore"):
        means: Floats = sums[:, 0] / sums[:, 1]
    return means


def table_replicates(counts: npt.NDArray[Any], replicates: int, seed: int) -> npt.NDArray[np.int64]:
    """(replicates, cells): tables of as many rows, drawn from the cells' shares (multinomial).

    For contingency measures this is the bootstrap of rows, at the cost of cells instead of rows.
    """
    counts = np.asarray(counts, np.float64).ravel()
    total = counts.sum()
    if total == 0:
        return np.zeros((replicates, counts.size), np.int64)
    rng = np.random.default_rng(seed)
    return rng.multinomial(round(float(total)), counts / total, size=replicates)
