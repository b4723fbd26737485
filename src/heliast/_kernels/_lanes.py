"""Replicates with Poisson(1) weights, 64 of them side by side in SIMD lanes.

A weight is a function of (seed, replicate, row) alone: 16 bits of a hash, compared with the
Poisson(1) distribution rounded to 2^-16 (mean exactly 1, variance 0.99997, at most 8). Two
replicates share a 32-bit hash. Counters of a block of rows fit in 16 bits, so that a register holds
as many lanes as possible; the blocks are added up exactly in int64.
"""

from typing import Any

import numpy as np

from ._jit import kernel, part, summing_kernel

LANES = 64
HALF = LANES // 2
BLOCK = 60
"""Most rows in a block: at weights up to 8 it has at most (30 * 8)² pairs, which 16 bits hold."""

POSITIVE, SCORE_ENDS, TIE_STARTS, TIE_ENDS = 1, 2, 4, 8
"""Marks of a row: its class; the last row of a score that positives have; the first and the last
row of a score that both classes have, if all its rows are in one block."""
CUT, LONG_STARTS, LONG_ENDS = 1, 2, 4
"""Marks of a block: rows labelled positive end before it; a score that both classes have and that
takes several blocks starts before it; such a score ends after it."""

# P(weight > k) in units of 2^-16, as 2^16 - P: a weight counts the borders that the bits reach.
B0, B1, B2, B3 = np.uint16(24109), np.uint16(48219), np.uint16(60273), np.uint16(64292)
B4, B5, B6, B7 = np.uint16(65296), np.uint16(65497), np.uint16(65531), np.uint16(65535)
ONE, ZERO = np.uint16(1), np.uint16(0)
GOLDEN = np.uint32(0x9E3779B9)

# Numba widens small integers in every operation: the casts bring them back and keep the lanes full.


@part
def _mix(h: Any) -> Any:
    # A bijection of 32 bits in which every bit of the argument moves every bit of the result.
    h = np.uint32(h ^ (h >> np.uint32(16)))
    h = np.uint32(h * np.uint32(0x85EBCA6B))
    h = np.uint32(h ^ (h >> np.uint32(13)))
    h = np.uint32(h * np.uint32(0xC2B2AE35))
    return np.uint32(h ^ (h >> np.uint32(16)))


@part
def _poisson(bits: Any) -> Any:
    w = ONE if bits >= B0 else ZERO
    w = np.uint16(w + (ONE if bits >= B1 else ZERO))
    w = np.uint16(w + (ONE if bits >= B2 else ZERO))
    w = np.uint16(w + (ONE if bits >= B3 else ZERO))
    w = np.uint16(w + (ONE if bits >= B4 else ZERO))
    w = np.uint16(w + (ONE if bits >= B5 else ZERO))
    w = np.uint16(w + (ONE if bits >= B6 else ZERO))
    return np.uint16(w + (ONE if bits >= B7 else ZERO))


@kernel
def row_keys(seed: Any, row: Any) -> Any:
    """What a row adds to the hash; different for any two rows below 2^32."""
    keys = np.empty(row.size, np.uint32)
    for i in range(row.size):
        keys[i] = np.uint32(np.uint32(np.uint32(row[i]) * GOLDEN) + seed[0])
    return keys


@kernel
def lane_keys(seed: Any, first: Any) -> Any:
    """What the pairs of replicates from `first` (even) on add; different for any two pairs."""
    keys = np.empty(HALF, np.uint32)
    for pair in range(HALF):
        counter = np.uint32(np.uint32(first // 2 + pair) * GOLDEN)
        keys[pair] = _mix(np.uint32(seed[1] + counter))
    return keys


@kernel
def _draw(row: Any, lane: Any, bits: Any, weight: Any) -> None:
    # weight[i, r] of row i in replicate r.
    size = row.size
    for i in range(size):
        for pair in range(HALF):
            bits[i, pair] = _mix(np.uint32(row[i] ^ lane[pair]))
    halves = bits.view(np.uint16).reshape(-1)
    flat = weight.reshape(-1)
    for i in range(size * LANES):
        flat[i] = _poisson(halves[i])


@kernel
def _copy(source: Any, target: Any) -> None:
    # A loop, because assigning to a slice takes Numba seconds to compile.
    for r in range(LANES):
        target[r] = source[r]


@kernel
def _count_block(mark: Any, weight: Any, p: Any, q: Any, inverted: Any, tied: Any) -> None:
    # 16-bit counts of a block: positives, negatives, pairs with the negative above (rows descend),
    # pairs of equal score. Positives come first among equal scores, so no tie is counted inverted.
    p_before = np.zeros(LANES, np.uint16)
    q_before = np.zeros(LANES, np.uint16)
    for r in range(LANES):
        p[r] = q[r] = inverted[r] = tied[r] = ZERO
    for i in range(mark.size):
        if mark[i] & TIE_STARTS:
            for r in range(LANES):
                p_before[r], q_before[r] = p[r], q[r]
        if mark[i] & POSITIVE:
            for r in range(LANES):
                w = weight[i, r]
                inverted[r] = np.uint16(inverted[r] + np.uint16(w * q[r]))
                p[r] = np.uint16(p[r] + w)
        else:
            for r in range(LANES):
                q[r] = np.uint16(q[r] + weight[i, r])
        if mark[i] & TIE_ENDS:
            for r in range(LANES):
                p_run = np.uint16(p[r] - p_before[r])
                q_run = np.uint16(q[r] - q_before[r])
                tied[r] = np.uint16(tied[r] + np.uint16(p_run * q_run))


@summing_kernel
def rank_lanes(
    row: Any, mark: Any, loss: Any, block: Any, block_mark: Any, lane: Any, out: Any
) -> None:
    """out[r]: positives, negatives, twice the lost pairs, positives and negatives above, Σ loss."""
    bits = np.empty((BLOCK, HALF), np.uint32)
    weight = np.empty((BLOCK, LANES), np.uint16)
    part = np.empty((4, LANES), np.uint16)
    p, q, inverted, tied = part[0], part[1], part[2], part[3]
    count = np.zeros((7, LANES), np.int64)
    sum_p, sum_q, lost, above_p, above_q = count[0], count[1], count[2], count[3], count[4]
    long_p, long_q = count[5], count[6]
    total = np.zeros(LANES)
    cut = False
    for b in range(block_mark.size):
        start, stop = block[b], block[b + 1]
        if block_mark[b] & CUT:
            _copy(sum_p, above_p)
            _copy(sum_q, above_q)
            cut = True
        if block_mark[b] & LONG_STARTS:
            _copy(sum_p, long_p)
            _copy(sum_q, long_q)
        _draw(row[start:stop], lane, bits, weight)
        _count_block(mark[start:stop], weight, p, q, inverted, tied)
        for r in range(LANES):
            lost[r] += 2 * (np.int64(inverted[r]) + np.int64(p[r]) * sum_q[r]) + np.int64(tied[r])
            sum_p[r] += np.int64(p[r])
            sum_q[r] += np.int64(q[r])
        if block_mark[b] & LONG_ENDS:
            for r in range(LANES):
                lost[r] += (sum_p[r] - long_p[r]) * (sum_q[r] - long_q[r])
        if loss is not None:
            for i in range(stop - start):
                one = loss[start + i]
                for r in range(LANES):
                    total[r] += np.float64(np.int32(weight[i, r])) * one
    if not cut:
        _copy(sum_p, above_p)
        _copy(sum_q, above_q)
    for r in range(LANES):
        for c in range(5):
            out[r, c] = count[c, r]
        out[r, 5] = total[r]


@summing_kernel
def precision_lanes(row: Any, mark: Any, lane: Any, out: Any) -> None:
    """out[r]: average precision; the sum over scores of (gain of positives) x precision, over P."""
    bits = np.empty((BLOCK, HALF), np.uint32)
    weight = np.empty((BLOCK, LANES), np.uint16)
    p = np.zeros(LANES)
    p_before = np.zeros(LANES)
    both = np.zeros(LANES)
    area = np.zeros(LANES)
    for start in range(0, row.size, BLOCK):
        size = min(BLOCK, row.size - start)
        _draw(row[start : start + size], lane, bits, weight)
        for i in range(size):
            positive = 1.0 if mark[start + i] & POSITIVE else 0.0
            for r in range(LANES):
                w = np.float64(np.int32(weight[i, r]))
                both[r] += w
                p[r] += w * positive
            if mark[start + i] & SCORE_ENDS:
                for r in range(LANES):
                    # Counts: a score that nobody drew yet divides 0 by 1.
                    area[r] += (p[r] - p_before[r]) * (p[r] / max(both[r], 1.0))
                    p_before[r] = p[r]
    for r in range(LANES):
        out[r] = area[r] / p[r]


@summing_kernel
def feature_lanes(row: Any, feature: Any, lane: Any, out: Any) -> None:
    """out[r, f]: the sum of feature f over the rows, each as often as replicate r drew it."""
    bits = np.empty((BLOCK, HALF), np.uint32)
    weight = np.empty((BLOCK, LANES), np.uint16)
    count = np.empty(LANES)
    total = np.zeros((feature.shape[1], LANES))
    for start in range(0, row.size, BLOCK):
        size = min(BLOCK, row.size - start)
        _draw(row[start : start + size], lane, bits, weight)
        for i in range(size):
            for r in range(LANES):
                count[r] = np.float64(np.int32(weight[i, r]))
            for f in range(feature.shape[1]):
                one = feature[start + i, f]
                for r in range(LANES):
                    total[f, r] += count[r] * one
    for r in range(LANES):
        for f in range(feature.shape[1]):
            out[r, f] = total[f, r]
