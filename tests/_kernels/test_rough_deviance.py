"""Rough deviances keep their bound, and the exact best is always among the cuts they leave."""

import numpy as np

from heliast._kernels import dichotomies
from heliast._kernels._nodes import cells_of
from heliast._kernels._vectors import PAD, whole_eights


def _histogram(rng, rows, d, bins):
    """Packed copies and ones, [bin][feature in whole eights], of random rows, and its cells."""
    hist = np.zeros((bins, whole_eights(d)), np.uint64)
    ones = rng.random(rows) < rng.random()
    copies = rng.integers(1, 4, rows)
    for f in range(d):
        value = np.minimum(rng.poisson(rng.uniform(0.5, bins / 2), rows), bins - 1)
        packed = (copies + (np.where(ones, copies, 0) << 32)).astype(np.uint64)
        np.add.at(hist[:, f], value, packed)
    flat = np.append(hist.ravel(), np.zeros(PAD, np.uint64))
    return flat, cells_of(np.full(d, bins)), copies.sum(), copies[ones].sum()


def _room(d, bins):
    return np.empty(bins * whole_eights(d), np.float32), np.empty(whole_eights(d), np.float32)


def _entropy(n, a):
    """n copies with a ones, in bits: 0 log 0 = 0."""
    parts = np.array([a, n - a], float)
    parts = parts[parts > 0]
    return float(-(parts * np.log2(parts / n)).sum())


def test_every_rough_score_is_within_its_bound():
    rng = np.random.default_rng(3)
    checked = 0
    for rows, d, bins in ((3, 5, 9), (10, 1, 30), (40, 8, 16), (300, 12, 20), (20_000, 19, 25)):
        hist, cells, n, p = _histogram(rng, rows, d, bins)
        rough, best = _room(d, bins)
        dichotomies._rough_deviance(hist, cells, float(n), float(p), 1.0, rough, best)
        table = hist[:-PAD].reshape(bins, -1)[:, :d]
        left = np.cumsum(table & np.uint64(0xFFFFFFFF), axis=0).astype(int)
        ones = np.cumsum(table >> np.uint64(32), axis=0).astype(int)
        for b in range(bins - 1):
            for f in range(d):
                here = rough[b * whole_eights(d) + f]
                if left[b, f] < 1 or n - left[b, f] < 1:
                    assert here == -np.inf
                    continue
                exact = _entropy(left[b, f], ones[b, f])
                exact += _entropy(n - left[b, f], p - ones[b, f])
                assert abs(here + exact) < dichotomies.ROUGH * n
                checked += 1
        np.testing.assert_array_equal(
            best[:d], rough[: (bins - 1) * whole_eights(d)].reshape(bins - 1, -1)[:, :d].max(axis=0)
        )
    assert checked > 500


def test_the_best_cut_is_that_of_all_cuts_looked_at_exactly():
    rng = np.random.default_rng(4)
    for _ in range(200):
        d, bins, rows = int(rng.integers(1, 12)), int(rng.integers(2, 20)), int(rng.integers(4, 90))
        hist, cells, n, p = _histogram(rng, rows, d, bins)
        rough, best = _room(d, bins)
        table = np.arange(n + 1, dtype=float)
        table[1:] *= np.log(table[1:])
        dichotomies._rough_deviance(hist, cells, float(n), float(p), 2.0, rough, best)
        score, feature, cut = dichotomies._scan_deviance(
            hist, cells, float(n), float(p), 1e-9, table, 0, rough, best
        )
        packed = hist[:-PAD].reshape(bins, -1)[:, :d]
        left = np.cumsum(packed & np.uint64(0xFFFFFFFF), axis=0)[:-1].astype(int)
        ones = np.cumsum(packed >> np.uint64(32), axis=0)[:-1].astype(int)
        exact = table[ones] + table[left - ones] - table[left]
        exact += table[p - ones] + table[n - left - p + ones] - table[n - left]
        exact[(left < 2) | (n - left < 2)] = -np.inf
        if feature < 0:
            assert (exact == -np.inf).all()
            continue
        assert score == exact.max()
        f = int(np.flatnonzero(exact.max(axis=0) >= score - 1e-9)[0])
        assert (feature, cut) == (f, int(np.flatnonzero(exact[:, f] >= score - 1e-9)[0]))
