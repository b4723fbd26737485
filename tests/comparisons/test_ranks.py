"""friedman, iman_davenport, nemenyi: SciPy, scikit-posthocs, Demsar's example, ties."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
import scikit_posthocs as posthocs
from scipy import stats

from heliast import InputError, NotEnoughData
from heliast.comparisons import friedman, iman_davenport, nemenyi

# Demsar 2006: AUC of C4.5 alone, with m, with cf, with both, on 14 data sets. One pair is equal as
# printed but ranked 2 and 3 there, so it differs in the fourth digit here.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def table(n, k, seed=0, digits=1):
    return np.random.default_rng(seed).normal(np.linspace(0, 1, k), size=(n, k)).round(digits)


def test_demsars_example():
    found = friedman(DEMSAR)
    assert found.ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=5e-4)
    # The paper's 9.28 is not corrected for ties.
    uncorrected = 12 * 14 / 20 * (sum(r**2 for r in found.ranks) - 4 * 25 / 4)
    assert uncorrected == pytest.approx(9.28, abs=0.01)
    assert found.statistic > uncorrected
    assert nemenyi(DEMSAR, level=0.9).critical_difference == pytest.approx(1.12, abs=5e-3)
    assert nemenyi(DEMSAR).critical_difference == pytest.approx(1.25, abs=5e-3)


@pytest.mark.parametrize(("n", "k"), [(5, 3), (12, 4), (40, 9)])
def test_scipy(n, k):
    values = table(n, k)
    theirs = stats.friedmanchisquare(*values.T)
    for sign, better in ((1, "high"), (-1, "low")):
        ours = friedman(sign * values, better)
        assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert ours.ranks == friedman(values).ranks
    f = (n - 1) * ours.statistic / (n * (k - 1) - ours.statistic)
    found = iman_davenport(values)
    assert (found.statistic, found.p) == pytest.approx((f, stats.f.sf(f, k - 1, (k - 1) * (n - 1))))


def test_iman_davenport_is_analysis_of_variance_of_the_ranks():
    values = table(9, 4, digits=3)
    ranks = stats.rankdata(-values, axis=1)
    between = 9 * ((ranks.mean(axis=0) - 2.5) ** 2).sum()
    rest = ((ranks - 2.5) ** 2).sum() - between
    assert iman_davenport(values).statistic == pytest.approx((between / 3) / (rest / 24))


def test_posthocs():
    values = table(15, 5, digits=6)
    theirs = posthocs.posthoc_nemenyi_friedman(values)
    assert np.array(nemenyi(values).pairs) == pytest.approx(np.asarray(theirs), abs=1e-6)


def test_pairs_and_critical_difference_agree():
    found = nemenyi(table(20, 6))
    gaps = np.abs(np.subtract.outer(found.ranks, found.ranks))
    assert ((np.array(found.pairs) < 0.05) == (gaps > found.critical_difference)).all()
    assert found.p == np.min(found.pairs)
    assert np.array_equal(found.pairs, np.transpose(found.pairs))


def test_groups_are_the_largest_that_stay_within_the_difference():
    found = nemenyi(table(30, 7, seed=3))
    assert len(found.groups) > 1
    assert {model for group in found.groups for model in group} == set(range(7))
    for group in found.groups:
        ranks = [found.ranks[model] for model in group]
        assert max(ranks) - min(ranks) < found.critical_difference
        others = [set(other) for other in found.groups if other != group]
        assert not any(set(group) <= other for other in others)


def test_groups_by_another_test_are_cliques_of_its_pairs():
    found = replace(nemenyi(table(20, 4)), differing=((0, 3), (2, 1)))
    order = sorted(range(4), key=lambda model: found.ranks[model])
    assert {frozenset(group) for group in found.groups} == {
        frozenset(group) for group in ((0, 1), (0, 2), (3, 1), (3, 2))
    }
    assert all(list(group) == [m for m in order if m in group] for group in found.groups)


@pytest.mark.parametrize("test", [friedman, iman_davenport, nemenyi])
def test_the_same_everywhere(test):
    found = test(np.tile([[0.5], [0.7], [0.1]], 4))
    assert (found.p, found.notes) == (1, ("identical predictions",))
    assert found.ranks == (2.5,) * 4


def test_all_rank_alike():
    found = iman_davenport(np.tile([3.0, 2.0, 1.0], (4, 1)))
    assert (found.statistic, found.p) == (inf, pytest.approx(6.0**-3))
    tied = iman_davenport(np.tile([3.0, 1.0, 1.0], (4, 1)))
    assert tied.p == pytest.approx(3.0**-3)


def test_refused():
    with pytest.raises(InputError, match=r"got shape \(3,\)"):
        friedman([1, 2, 3])
    with pytest.raises(InputError, match=r"table\[1, 0\] is nan"):
        friedman([[1, 2], [float("nan"), 1]])
    with pytest.raises(InputError, match="better='big'"):
        nemenyi([[1, 2], [3, 4]], better="big")
    with pytest.raises(NotEnoughData, match="two data sets"):
        friedman([[1, 2, 3]])
