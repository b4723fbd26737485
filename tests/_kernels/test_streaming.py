"""Sums over a stream of sorted scores are those of the whole, wherever it is cut."""

from itertools import pairwise

import numpy as np
import pytest

from heliast._kernels.ranking import merge, placements, split_sorted
from heliast._kernels.streaming import stream_sums
from heliast.measures.scores import precision_influence


def streamed(truth, score, weight, cuts):
    order = np.argsort(-score, kind="stable")
    own, score = truth[order], score[order]
    weight = None if weight is None else weight[order]
    borders = [0, *cuts, score.size]
    for a, b in pairwise(borders):
        yield own[a:b], score[a:b], None if weight is None else weight[a:b]


def table(seed, n, digits):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n).astype(np.uint8)
    return rng, truth, np.round(rng.normal(size=n) + truth, digits)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [0, 1, 12])
@pytest.mark.parametrize("seed", range(5))
def test_any_cuts(seed, digits, weighted):
    n = 301
    rng, truth, score = table(seed, n, digits)
    weight = rng.uniform(0, 2, n) if weighted else None
    w = np.ones(n) if weight is None else weight
    totals = float(w[truth == 1].sum()), float(w[truth == 0].sum())
    cuts = np.sort(rng.integers(0, n, 40)).tolist()
    found = stream_sums(streamed(truth, score, weight, cuts), totals, weighted)
    whole = merge(*split_sorted(truth, score, weight))
    assert np.allclose(found.merge, whole, rtol=1e-12, atol=0)
    away = placements(truth, score, weight) - whole.wins / (whole.positive * whole.negative)
    expected = [(w**2 * away**2)[truth == c].sum() for c in (1, 0)]
    assert np.allclose(found.place2, expected, rtol=1e-10)
    psi = precision_influence(truth, score, weight)
    assert np.allclose(found.precision, [(w * psi**2).sum(), (w**2 * psi**2).sum()], rtol=1e-10)


def test_counts_are_exact():
    _, truth, score = table(3, 400_000, 3)
    totals = float(truth.sum()), float((1 - truth).sum())
    found = stream_sums(streamed(truth, score, None, [100_000, 250_001]), totals, False).merge
    whole = merge(*split_sorted(truth, score))
    assert found.wins == whole.wins
    assert found.spread_positive == pytest.approx(whole.spread_positive, rel=1e-12)


def test_one_class_only():
    found = stream_sums(
        [(np.ones(3, np.uint8), np.array([3.0, 2.0, 1.0]), None)], (3.0, 0.0), False
    )
    assert found.merge.average_precision == 1
    assert np.isnan(found.merge.spread_positive)
