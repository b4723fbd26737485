"""Rows arranged by descending score, once, for all replicates of their ranking."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, flags, floats
from ._jit import kernel
from ._sorting import order

# As in `_lanes` and `_draws`.
POSITIVE, SCORE_ENDS, TIE_STARTS, TIE_ENDS, LAST = 1, 2, 4, 8, 16
CUT, LONG_STARTS, LONG_ENDS = 1, 2, 4
BLOCK, SHORT = 60, 20
"""Rows in a block; rows of a tie that is kept inside one."""


class RankedRows(NamedTuple):
    """Rows by descending score, positives first among equals, cut into blocks for `_lanes`."""

    row: npt.NDArray[np.int64]
    """Where each was in the data."""
    mark: npt.NDArray[np.uint8]
    loss: Floats | None
    group: npt.NDArray[np.int64] | None
    above: int
    """The first so many rows are labelled positive."""
    block: npt.NDArray[np.int64]
    """Borders of the blocks."""
    block_mark: npt.NDArray[np.uint8]


@kernel
def _arrange_tie(index: Any, truth: Any, start: Any, stop: Any, row: Any, mark: Any) -> None:
    # Equal scores: positives first.
    n = index.size
    positives = 0
    for i in range(start, stop):
        positives += truth[index[n - 1 - i]] != 0
    p, q = start, start + positives
    for i in range(start, stop):
        one = index[n - 1 - i]
        if truth[one]:
            row[p], mark[p] = one, POSITIVE
            p += 1
        else:
            row[q], mark[q] = one, 0
            q += 1
    mark[stop - 1] |= LAST
    if positives > 0:
        mark[stop - 1] |= SCORE_ENDS
    if 0 < positives < stop - start:
        mark[start] |= TIE_STARTS
        mark[stop - 1] |= TIE_ENDS


@kernel
def _arrange(index: Any, truth: Any, score: Any, row: Any, mark: Any) -> None:
    n = index.size
    start = np.int64(0)  # a written 0 is a type of its own, for which another kernel is compiled
    while start < n:
        one = index[n - 1 - start]
        stop = start + 1
        while stop < n and score[index[n - 1 - stop]] == score[one]:
            stop += 1
        if stop == start + 1:
            row[start] = one
            mark[start] = LAST | POSITIVE | SCORE_ENDS if truth[one] else LAST
        else:
            _arrange_tie(index, truth, start, stop, row, mark)
        start = stop


@kernel
def _cut_blocks(mark: Any, above: Any, block: Any, block_mark: Any) -> Any:
    # Blocks end at `above`, keep short ties whole, and long ties to themselves (unmarked in the
    # rows then). Returns how many blocks there are.
    n = mark.size
    count = 0
    block[0] = 0
    block_mark[0] = CUT if above == 0 else 0
    i = 0
    while i < n:
        size = 1
        if mark[i] & TIE_STARTS:
            while not mark[i + size - 1] & TIE_ENDS:
                size += 1
        is_long = size > SHORT
        if i > block[count] and (is_long or i == above or i + size - block[count] > BLOCK):
            count += 1
            block[count] = i
            block_mark[count] = CUT if i == above else 0
        if is_long:
            mark[i] &= ~np.uint8(TIE_STARTS)
            mark[i + size - 1] &= ~np.uint8(TIE_ENDS)
            block_mark[count] |= LONG_STARTS
            end = i + size
            while block[count] + BLOCK < end:
                block[count + 1] = block[count] + BLOCK
                count += 1
                block_mark[count] = 0
            block_mark[count] |= LONG_ENDS
            if end < n:
                count += 1
                block[count] = end
                block_mark[count] = CUT if end == above else 0
        i += size
    block[count + 1] = n
    return count + 1 if n > 0 else 0


def rank_rows(
    truth: npt.NDArray[Any],
    score: npt.NDArray[Any],
    loss: npt.NDArray[Any] | None = None,
    group: npt.NDArray[Any] | None = None,
    above: int = 0,
) -> RankedRows:
    """Arrange rows for `ranked_replicates`.

    `loss` is any finite column to average along; `group` codes 0 .. G-1 make replicates draw groups
    instead of rows; `above` is how many rows are labelled positive: those of the highest scores (a
    cut between two scores, not inside one).
    """
    truth, score = flags(truth), floats(score)
    n = score.size
    row, mark = np.empty(n, np.int64), np.empty(n, np.uint8)
    _arrange(order(score), truth, score, row, mark)
    room = n // (BLOCK - SHORT) + 2 * (n // SHORT) + 4
    block, block_mark = np.empty(room, np.int64), np.empty(room, np.uint8)
    count = _cut_blocks(mark, above, block, block_mark)
    return RankedRows(
        row=row,
        mark=mark,
        loss=None if loss is None else floats(loss)[row],
        group=None if group is None else np.asarray(group, np.int64)[row],
        above=above,
        block=block[: count + 1].copy(),
        block_mark=block_mark[:count].copy(),
    )
