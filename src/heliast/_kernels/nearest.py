"""The nearest rows of each row by Euclidean distance, by looking at all pairs in single precision.

Lists may be wrong where distances agree to six digits; `beyond` says from which distance on a row
may be missing from a list, so that a caller who computes distances exactly knows what to trust.
"""

from typing import Any

import numpy as np

from ._arrays import Counts, Floats
from ._jit import summing_kernel
from .crew import pieces, spread

TILE = 512
"""Rows that are compared with a query at a time; their inputs stay in the nearest cache."""
CHUNK = 32
QUERIES = 256
UNIT = 2.0**-23


@summing_kernel
def _nearest(queries: Any, tiles: Any, first: int, last: int, near: Any, best: Any) -> None:
    d = tiles.shape[1]
    m = near.shape[1]
    total = np.empty(TILE, np.float32)
    for t in range(tiles.shape[0]):
        tile = tiles[t]
        for q in range(first, last):
            total[:] = np.float32(0.0)
            for f in range(0, d, 4):
                x0, x1 = queries[q, f], queries[q, f + 1]
                x2, x3 = queries[q, f + 2], queries[q, f + 3]
                for b in range(TILE):
                    g0, g1 = x0 - tile[f, b], x1 - tile[f + 1, b]
                    g2, g3 = x2 - tile[f + 2, b], x3 - tile[f + 3, b]
                    total[b] += (g0 * g0 + g1 * g1) + (g2 * g2 + g3 * g3)
            limit = best[q, m - 1]
            for start in range(0, TILE, CHUNK):
                hits = 0
                for b in range(start, start + CHUNK):
                    hits += total[b] < limit
                if hits == 0:
                    continue
                for b in range(start, start + CHUNK):
                    value = total[b]
                    if value < limit:
                        to = m - 1
                        while to > 0 and best[q, to - 1] > value:
                            best[q, to], near[q, to] = best[q, to - 1], near[q, to - 1]
                            to -= 1
                        best[q, to], near[q, to] = value, t * TILE + b
                        limit = best[q, m - 1]


def nearest(X: Floats, queries: Counts, length: int) -> tuple[Counts, Floats]:
    """The `length` nearest rows of each query, and the distance beyond which rows may be missing.

    Rounding x to single precision moves it by at most u|x|, u = 2⁻²⁴; a row that is not listed
    has a rounded distance of at least the last one listed, so its own is no less than that
    distance less u(|x| + |y|), with |y| at most |x| plus the distance.
    """
    n, d = X.shape
    wide = -(-d // 4) * 4
    middle = X.mean(axis=0)
    scale = float(np.abs(X - middle).max()) or 1.0
    small = np.zeros((n, wide), np.float32)
    small[:, :d] = (X - middle) / scale
    # Rows that fill up the last tile are too far away to be anyone's neighbour.
    filled = np.full((-(-n // TILE) * TILE, wide), 1e15, np.float32)
    filled[:n] = small
    tiles = np.ascontiguousarray(filled.reshape(-1, TILE, wide).transpose(0, 2, 1))
    asked = np.ascontiguousarray(small[queries])
    near = np.empty((queries.size, length), np.int64)
    best = np.full((queries.size, length), np.inf, np.float32)
    tasks = [(asked, tiles, *ends, near, best) for ends in pieces(queries.size, QUERIES)]
    spread(_nearest, tasks)
    size = np.sqrt((asked.astype(np.float64) ** 2).sum(axis=1))
    last = np.sqrt(best[:, -1].astype(np.float64))
    beyond = last * (1.0 - (wide + 4) * UNIT) - 2 * UNIT * size - 1e-18
    return near, np.maximum(beyond, 0.0) * scale
