"""Replicates with exact multinomial counts, one at a time.

Each replicate draws as many rows (or groups) as there are, with replacement; a draw is a function
of (seed, replicate, number of the draw) alone.
"""

from typing import Any

import numpy as np

from ._jit import kernel, part, summing_kernel

POSITIVE, LAST = 1, 16
"""Marks of a row (see `_lanes`): its class, and that no later row has its score."""


@part
def _mix(z: Any) -> Any:
    # A bijection of 64 bits in which every bit of the argument moves every bit of the result.
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def multinomial(n: Any, seed: Any, replicate: Any, out: Any) -> None:
    """out[i]: how often row i is among n draws. A draw takes 53 bits: the bias is below n 2^-53."""
    step = np.uint64(0x9E3779B97F4A7C15)
    key = _mix(seed + np.uint64(replicate) * step)
    scale = n / 9007199254740992.0
    for i in range(n):
        out[i] = 0
    # First the rows of a block, which runs in SIMD lanes, then their counts, which cannot.
    drawn = np.empty(256, np.int32)
    for start in range(0, n, 256):
        size = min(256, n - start)
        for i in range(size):
            bits = _mix(key + np.uint64(start + i) * step) >> np.uint64(11)
            drawn[i] = np.int32(np.float64(bits) * scale)
        for i in range(size):
            out[drawn[i]] += 1


@kernel
def rank_counts(
    unit: Any, mark: Any, loss: Any, above: Any, count: Any, precision: Any, out: Any
) -> None:
    """One replicate of all sums of a ranking; row i was drawn count[unit[i]] times.

    out: positives, negatives, twice the lost pairs, positives and negatives above, Σ loss,
    average precision if asked for (see `_lanes`).
    """
    p = q = p_run = q_run = lost = above_p = above_q = 0
    total = area = 0.0
    for i in range(mark.size):
        if i == above:
            above_p, above_q = p, q
        w: Any = np.int64(count[unit[i]])
        own: Any = w * np.int64(mark[i] & POSITIVE)
        p_run += own
        q_run += w - own
        if loss is not None:
            total += w * loss[i]
        if mark[i] & LAST:
            lost += p_run * (2 * q + q_run)
            p += p_run
            q += q_run
            if precision and p_run > 0:
                area += p_run * (np.float64(p) / np.float64(p + q))
            p_run = q_run = 0
    if above >= mark.size:
        above_p, above_q = p, q
    out[0], out[1], out[2], out[3], out[4] = p, q, lost, above_p, above_q
    out[5], out[6] = total, area / p if precision else np.nan


@summing_kernel
def feature_counts(feature: Any, count: Any, out: Any) -> None:
    """out[f] = Σ_i count[i] feature[i, f]."""
    for f in range(feature.shape[1]):
        out[f] = 0.0
    for i in range(feature.shape[0]):
        w = np.float64(count[i])
        for f in range(feature.shape[1]):
            out[f] += w * feature[i, f]
