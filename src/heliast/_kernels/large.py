"""Compiled replicates of rankings with more rows than NumPy draws in little time.

How often a row is drawn is Poisson(1), a function of (seed, replicate, row) alone: 16 bits of a
hash, compared with the distribution rounded to 2^-16 (mean exactly 1, variance 0.99997, at most 8).
Two replicates share a 32-bit hash. LANES replicates run side by side, so that a row is read once
for all of them and loops over replicates become SIMD instructions.
"""

from typing import Any

import numpy as np

from ._njit import njit
from .threads import spread

LANES, BLOCK = 64, 64
GOLDEN = np.uint32(0x9E3779B9)
# P(count > k) in units of 2^-16, as 2^16 - P: a count is how many of these the bits reach.
BORDERS = np.array([24109, 48219, 60273, 64292, 65296, 65497, 65531, 65535], np.uint16)
ONE, ZERO = np.uint16(1), np.uint16(0)


def rank_sums(rows: Any, replicates: int, seed: int, precision: bool) -> Any:
    """(5, replicates): the sums of `RankedReplicates`, rows arranged by `rank_rows`."""
    loss = np.empty(0) if rows.loss is None else rows.loss
    words = np.random.SeedSequence(seed).generate_state(2)
    batches = -(-replicates // LANES)
    sums = np.empty((batches, 5, LANES))

    def draw(batch: int) -> None:
        pair = np.uint32(batch * LANES // 2)
        fixed = rows.row, rows.own, rows.first, loss, precision
        _rank_sums(*fixed, words, pair, sums[batch])

    spread(draw, [(batch,) for batch in range(batches)])
    return sums.transpose(1, 0, 2).reshape(5, -1)[:, :replicates]


@njit
def _mix(h: Any) -> Any:
    # A bijection of 32 bits. Numba widens small integers: the casts bring them back.
    h = np.uint32(h ^ (h >> np.uint32(16)))
    h = np.uint32(h * np.uint32(0x85EBCA6B))
    h = np.uint32(h ^ (h >> np.uint32(13)))
    h = np.uint32(h * np.uint32(0xC2B2AE35))
    return np.uint32(h ^ (h >> np.uint32(16)))


@njit
def _draw(row: Any, word: Any, lane: Any, bits: Any, count: Any) -> None:
    """count[i, r]: how often replicate r draws a row."""
    for i in range(row.size):
        key = np.uint32(np.uint32(np.uint32(row[i]) * GOLDEN) + word)
        for pair in range(lane.size):
            bits[i, pair] = _mix(np.uint32(key ^ lane[pair]))
    halves, flat = bits.view(np.uint16).reshape(-1), count.reshape(-1)
    for i in range(row.size * LANES):
        reached = ZERO
        for border in BORDERS:
            reached = np.uint16(reached + (ONE if halves[i] >= border else ZERO))
        flat[i] = reached


@njit
def _end_score(p: Any, q: Any, before: Any, area: Any, precision: Any) -> None:
    """The last row of a score that positives have has passed."""
    for r in range(LANES):
        if precision:
            # Counts: a score that nobody drew yet divides 0 by 1.
            area[r] += (p[r] - before[r]) * (p[r] / max(p[r] + q[r], 1))
        before[r] = p[r]


@njit
def _rank_sums(
    row: Any, own: Any, first: Any, loss: Any, precision: Any, words: Any, pair: Any, sums: Any,
) -> None:  # fmt: skip
    lane = np.empty(LANES // 2, np.uint32)
    for i in range(lane.size):
        lane[i] = _mix(np.uint32(words[1] + np.uint32(np.uint32(pair + i) * GOLDEN)))
    bits, count = np.empty((BLOCK, lane.size), np.uint32), np.empty((BLOCK, LANES), np.uint16)
    # Positives and negatives so far, twice the lost pairs, positives of higher scores.
    p, q, lost, before = np.zeros((4, LANES), np.int64)
    total, area = np.zeros(LANES), np.zeros(LANES)
    has_positive = False
    for start in range(0, row.size, BLOCK):
        stop = min(start + BLOCK, row.size)
        _draw(row[start:stop], words[0], lane, bits, count)
        for i in range(start, stop):
            drawn = count[i - start]
            if first[i] and has_positive:
                _end_score(p, q, before, area, precision)
                has_positive = False
            if own[i]:
                has_positive = True
                for r in range(LANES):
                    c = np.int64(drawn[r])
                    lost[r] += 2 * c * q[r]
                    p[r] += c
            else:
                for r in range(LANES):
                    q[r] += np.int64(drawn[r])
                if has_positive:
                    for r in range(LANES):
                        lost[r] += np.int64(drawn[r]) * (p[r] - before[r])
            if loss.size:
                for r in range(LANES):
                    total[r] += np.float64(drawn[r]) * loss[i]
    if has_positive:
        _end_score(p, q, before, area, precision)
    for r in range(LANES):
        sums[0, r], sums[1, r], sums[2, r] = p[r], q[r], p[r] * q[r] - lost[r] / 2
        sums[3, r], sums[4, r] = total[r], area[r] / p[r]
