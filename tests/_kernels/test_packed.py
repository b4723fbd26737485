"""Rough scores keep their bound, and trees are those that every cut looked at exactly gives."""

import numpy as np
import pytest

from heliast._kernels import packed
from heliast._kernels.growing import DEVIANCE, GINI, Rules

RULES = Rules(DEVIANCE, 0, 1.0, 2.0, 0.0, 0.0, 1 << 30, 0, 0, -1)


def histogram_of(rng, rows, d, bins):
    """Packed copies and ones of random rows by bin and feature, and the totals."""
    counts = np.zeros((bins, d), np.uint64)
    ones = rng.random(rows) < rng.random()
    copies = rng.integers(1, 4, rows)
    for f in range(d):
        value = np.minimum(rng.poisson(rng.uniform(0.5, bins / 2), rows), bins - 1)
        np.add.at(
            counts[:, f], value, (copies + (np.where(ones, copies, 0) << 32)).astype(np.uint64)
        )
    return counts, int(copies.sum()), int(copies[ones].sum())


def impurity(n, a, criterion):
    """Deviance in bits, or Gini's index times n, of n copies with a ones."""
    parts = np.array([a, n - a], float)
    if criterion == GINI:
        return n - (parts**2).sum() / n
    parts = parts[parts > 0]
    return float(-(parts * np.log2(parts / n)).sum())


@pytest.mark.parametrize("criterion", [GINI, DEVIANCE])
def test_every_rough_score_is_within_its_bound(criterion):
    rng = np.random.default_rng(3)
    bound = packed.ROUGH_GINI if criterion == GINI else packed.ROUGH_DEVIANCE
    checked = 0
    for rows, d, bins in ((3, 5, 9), (10, 1, 30), (40, 8, 16), (300, 12, 20), (20_000, 19, 25)):
        counts, n, p = histogram_of(rng, rows, d, bins)
        cells = packed.arrange_cells(np.full(d, bins))
        rough, best = np.empty(counts.size, np.float32), np.empty(d, np.float32)
        rules = RULES._replace(criterion=criterion)
        packed.rough_scores(
            counts.ravel(),
            cells,
            np.uint64(n + (p << 32)),
            rules,
            np.empty(d, np.uint64),
            rough,
            best,
        )
        scores = rough.reshape(bins, d)[:-1]
        left = np.cumsum(counts & np.uint64(0xFFFFFFFF), axis=0).astype(int)
        ones = np.cumsum(counts >> np.uint64(32), axis=0).astype(int)
        for (b, f), score in np.ndenumerate(scores):
            if left[b, f] < 1 or n - left[b, f] < 1:
                assert score == -np.inf
                continue
            exact = impurity(left[b, f], ones[b, f], criterion)
            exact += impurity(n - left[b, f], p - ones[b, f], criterion)
            exact = n - exact if criterion == GINI else -exact
            assert abs(score - exact) < bound * n
            checked += 1
        np.testing.assert_array_equal(best, scores.max(axis=0))
    assert checked > 500


@pytest.mark.parametrize("criterion", [GINI, DEVIANCE])
@pytest.mark.parametrize("bins", [3, 40])
def test_the_tree_is_that_of_all_cuts_looked_at_exactly(criterion, bins):
    rng = np.random.default_rng(bins)
    codes = rng.integers(0, bins, (400, 6)).astype(np.uint8)
    y = ((codes[:, 0] + codes[:, 3] > bins) ^ (rng.random(400) < 0.2)).astype(int)
    copies = rng.integers(0, 3, 400)
    counts, cells = np.empty(400, np.uint64), packed.arrange_cells(codes.max(axis=0) + 1)
    packed.pack_counts(y, np.array([0, 1]), copies, counts)
    ordered = np.ascontiguousarray(codes[:, cells.feature])
    where = np.full(400, -1, np.int32)
    tree = packed.grow_packed(
        ordered, counts, np.flatnonzero(copies).astype(np.int32), cells,
        RULES._replace(criterion=criterion), np.empty(0),
        np.empty((16, cells.first[-1]), np.uint64), False, where,
    )  # fmt: skip

    def check(node, rows):
        n, a = copies[rows].sum(), copies[rows][y[rows] == 1].sum()
        cuts = {}
        for f in range(6):
            for low in np.unique(codes[rows, f])[:-1] if 0 < a < n else ():
                left = codes[rows, f] <= low
                sides = [rows[left], rows[~left]]
                cuts[f, low] = -sum(
                    impurity(copies[s].sum(), copies[s][y[s] == 1].sum(), criterion) for s in sides
                )
        if not cuts or tree.feature[node] < 0:
            assert not cuts
            assert (where[rows] == tree.child[node]).all()
            return
        chosen = (tree.feature[node], tree.low[node])
        assert cuts[chosen] == pytest.approx(max(cuts.values()), abs=1e-9 * n)
        left = codes[rows, chosen[0]] <= chosen[1]
        check(tree.child[node], rows[left])
        check(tree.child[node] + 1, rows[~left])

    check(0, np.flatnonzero(copies))
