"""Packed trees are those that looking at every cut gives."""

import numpy as np
import pytest

from heliast._kernels import packed
from heliast._kernels.growing import DEVIANCE, GINI, Rules

RULES = Rules(DEVIANCE, 0, 1.0, 2.0, 0.0, 0.0, 1 << 30, 0, 0, -1)


def impurity(n, a, criterion):
    """Deviance in bits, or Gini's index times n, of n copies with a ones."""
    parts = np.array([a, n - a], float)
    if criterion == GINI:
        return n - (parts**2).sum() / n
    parts = parts[parts > 0]
    return float(-(parts * np.log2(parts / n)).sum())


@pytest.mark.parametrize("criterion", [GINI, DEVIANCE])
@pytest.mark.parametrize("bins", [3, 40])
def test_the_tree_is_that_of_all_cuts_looked_at_exactly(criterion, bins):
    rng = np.random.default_rng(bins)
    codes = rng.integers(0, bins, (400, 6)).astype(np.uint8)
    y = ((codes[:, 0] + codes[:, 3] > bins) ^ (rng.random(400) < 0.2)).astype(int)
    copies = rng.integers(0, 3, 400)
    counts = (copies + (copies * y << 32)).astype(np.uint64)
    cells = packed.arrange_cells(codes.max(axis=0) + 1)
    table = np.array([x * np.log(x) if x else 0.0 for x in range(copies.sum() + 1)])
    ordered = np.ascontiguousarray(codes[:, cells.feature])
    rows, histograms = np.flatnonzero(copies).astype(np.int32), np.zeros((16, cells.first[-1]))
    histograms = histograms.astype(np.uint64)
    packed.add_rows(ordered, counts, rows, cells.first, histograms[0])
    rules = RULES._replace(criterion=criterion)
    tree = packed.grow_packed(ordered, counts, rows, cells, rules, table, histograms)

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
            leaf = tree.child[node]
            at = tree.entries[:leaf].sum()
            weight = tree.weight[at : at + tree.entries[leaf]]
            np.testing.assert_array_equal(weight, [part for part in (n - a, a) if part])
            return
        chosen = (tree.feature[node], tree.low[node])
        assert cuts[chosen] == pytest.approx(max(cuts.values()), abs=1e-9 * n)
        left = codes[rows, chosen[0]] <= chosen[1]
        check(tree.child[node], rows[left])
        check(tree.child[node] + 1, rows[~left])

    check(0, np.flatnonzero(copies))
