"""skewed_t: Student's and Hall's t by other ways, groups, skewed worlds with a known answer."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from heliast import InputError, Predictions, compare
from heliast.comparisons import permutation, skewed_t

D = np.random.default_rng(11).exponential(size=60) - 0.8


def hall(d, m):
    """Hall's transform of the t that takes m for the true mean."""
    n = d.size
    t = (d.mean() - m) / (d.std(ddof=1) / np.sqrt(n))
    a = stats.skew(d) / np.sqrt(n)
    return t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_outer_ends_of_students_and_halls(seed, level):
    rng = np.random.default_rng(seed)
    d = rng.gamma(1.0, size=rng.integers(5, 80)) * rng.choice([-1, 1]) + rng.normal()
    q = stats.t.ppf((1 + level) / 2, d.size - 1)
    student = stats.ttest_1samp(d, 0)
    plain = student.confidence_interval(level)
    far = 200 * d.std()
    ends = [optimize.brentq(lambda m, z=z: hall(d, m) - z, -far, far) for z in (q, -q)]
    found = skewed_t(d, np.zeros(d.size), level)
    assert found.low == pytest.approx(min(plain.low, ends[0]))
    assert found.high == pytest.approx(max(plain.high, ends[1]))
    p = 2 * stats.t.sf(abs(hall(d, 0)), d.size - 1)
    assert found.p == pytest.approx(max(p, student.pvalue))
    assert (found.p < 1 - level) == (found.low > 0 or found.high < 0)


def test_symmetric_differences_have_students_t():
    d = np.r_[D, 2 - D]
    found, twin = skewed_t(d, np.zeros(d.size)), stats.ttest_1samp(d, 0)
    assert found.p == pytest.approx(twin.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(twin.confidence_interval()))
    assert found.df == 119


def test_order_and_swap_change_nothing():
    found, zero = skewed_t(D, np.zeros(60)), np.zeros(60)
    assert skewed_t(D[::-1], zero).to_dict() == found.to_dict()
    turned = skewed_t(zero, D)
    assert (turned.p, turned.low, turned.high) == (found.p, -found.high, -found.low)


def test_groups_of_equal_size_are_as_many_means():
    group = np.arange(60) % 12
    sums = np.bincount(group, weights=D) / 5
    found, twin = skewed_t(D, np.zeros(60), group=group), skewed_t(sums, np.zeros(12))
    assert (found.value, found.low, found.high, found.p, found.df) == pytest.approx(
        (twin.value, twin.low, twin.high, twin.p, 11)
    )


def test_groups_of_unequal_size_count_as_fewer():
    group = np.repeat(np.arange(6), [35, 5, 5, 5, 5, 5])
    found = skewed_t(D, np.zeros(60), group=group)
    assert found.df == pytest.approx(60**2 / (35**2 + 5 * 25) - 1)
    with pytest.raises(InputError, match="one group"):
        skewed_t(D, np.zeros(60), group=np.zeros(60))
    with pytest.raises(InputError, match="group: shape"):
        skewed_t(D, np.zeros(60), group=np.zeros(59))


def test_nothing_varies():
    found = skewed_t(np.full(20, 0.3), np.full(20, 0.2))
    assert found.value == pytest.approx(0.1)
    assert isnan(found.p)
    assert "all differences are equal" in found.reason


def test_equal_risk_but_skewed_differences():
    """Over- and underconfident twins of equal expected log loss: sign flips reject 10%."""
    right, sure, unsure = 0.95, 0.995, 0.8247
    loss = {c: -np.log([c, 1 - c]) for c in (sure, unsure)}
    risks = [right * one[0] + (1 - right) * one[1] for one in loss.values()]
    assert risks[0] == pytest.approx(risks[1], abs=1e-3)
    times, rejected, flipped = 400, 0, 0
    for seed in range(times):
        wrong = (np.random.default_rng(seed).random(200) > right).astype(int)
        a, b = (loss[c][wrong] for c in (sure, unsure))
        rejected += skewed_t(a, b).p < 0.05
        flipped += seed < 60 and permutation(a, b, permutations=400).p < 0.05
    assert rejected <= 26  # 6.5%
    assert flipped >= 3  # of 60: the plain flips do reject too much


def _forecasts(rng, n, **models):
    """A table of forecasts: each model misses a share of the rows and is always as sure."""
    truth, found = rng.integers(0, 2, n), None
    for model, (wrong, sure) in models.items():
        said = np.where(rng.random(n) < wrong, 1 - truth, truth)
        score = np.where(said == 1, sure, 1 - sure) + 1e-4 * rng.random(n)
        words = {"y_score": score, "model": model, "row": np.arange(n), "positive": 1}
        one = Predictions.of(truth, scores="probability", classes=[0, 1], **words)
        found = one if found is None else found.join(one)
    return found


def test_misses_that_nobody_saw_are_no_difference():
    """One errs rarely but dearly, one hedges, with equal expected Brier scores: where no miss was
    seen, which happens once in seven tables, the bare t finds a difference for sure.
    """
    sure, rare, hedged, rarer = 0.97, 0.02, 0.8742, 0.005
    risks = [w * c**2 + (1 - w) * (1 - c) ** 2 for w, c in ((rare, sure), (rarer, hedged))]
    assert risks[0] == pytest.approx(risks[1], rel=0.01)
    bare = found = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        table = _forecasts(rng, 100, dear=(rare, sure), hedger=(rarer, hedged))
        found += compare(table, "brier")["dear", "hedger"].p < 0.05
        each = [table.rows(model) for model in ("dear", "hedger")]
        losses = [(rows.scores - rows.y_true) ** 2 for rows in each]
        bare += skewed_t(*losses).p < 0.05
    assert found <= 7
    assert bare >= 12


def test_the_limit_for_misses_not_seen_agrees_with_its_p():
    table = _forecasts(np.random.default_rng(2), 100, dear=(0.0, 0.97), hedger=(0.0, 0.87))
    found = compare(table, "brier")["dear", "hedger"]
    at = compare(table, "brier", level=1 - found.p)["dear", "hedger"]
    assert found.value < 0 < found.high
    assert at.high == pytest.approx(0, abs=1e-9)
    # No miss in 100 rows: Wilson's upper limit of their rate is z^2 / (100 + z^2).
    rate = 1.959963984540054**2 / (100 + 1.959963984540054**2)
    right, wrong = 0.03**2, 0.97**2
    assert found.high - found.value == pytest.approx(rate * (wrong - right), rel=0.01)
