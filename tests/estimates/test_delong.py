"""delong, score_auc, auc, mover_auc: the area under the ROC curve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import t as student
from tests.estimates.twins import classes, group_freedom
from tests.estimates.twins import delong as twin

from heliast import InputError, measures
from heliast.estimates import delong, estimate
from heliast.estimates._scales import plain_variance, score_limits
from heliast.measures.summaries import Counted

AUC = measures.get("auc")
Z = 1.959963984540054


def scores(n, seed=0, gap=1.0, share=0.4):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < share
    return truth, rng.normal(gap * truth).round(1)


# --- worked by hand, and against a slow twin -----------------------------------------------------


def test_by_hand():
    found = delong([0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.3, 0.2])
    se = np.sqrt(2 * (6 / 81 / 2) / 3)  # placements 1, 1, 2/3 in both classes
    assert (found.value, found.se) == pytest.approx((8 / 9, se))
    half = Z * se / (8 / 81)
    middle = logit(8 / 9)
    assert (found.low, found.high) == pytest.approx((expit(middle - half), expit(middle + half)))
    assert found.method == "DeLong, logit scale"


@given(st.integers(4, 40), st.integers(0, 10**6))
def test_agrees_with_all_pairs(n, seed):
    truth, score = scores(n, seed)
    if truth.sum() < 2 or (~truth).sum() < 2:
        return
    area, variance = twin(truth, score)
    found = delong(truth, score, scale="plain")
    assert found.value == pytest.approx(area)
    if variance > 1e-12 and 0 < area < 1:
        assert found.se == pytest.approx(np.sqrt(variance))
        assert found.low == pytest.approx(max(0, area - Z * np.sqrt(variance)))


def test_score_limits_solve_their_equation():
    area, sizes = 0.83, (25.0, 140.0)
    variance = 1.7 * plain_variance(area, sizes)
    low, high = score_limits(area, variance, sizes, Z)
    for end in (low, high):
        assert (area - end) ** 2 == pytest.approx(Z**2 * 1.7 * plain_variance(end, sizes))
    narrower = score_limits(area, 0.5 * plain_variance(area, sizes), sizes, Z)
    assert narrower == pytest.approx(score_limits(area, np.nan, sizes, Z))  # c is at least 1


# --- traps ---------------------------------------------------------------------------------------


@given(st.integers(2, 30), st.integers(2, 30), st.sampled_from(["logit", "plain"]))
def test_perfect_order_neither_exceeds_one_nor_collapses(positives, negatives, scale):
    truth = np.repeat([True, False], [positives, negatives])
    score = truth * 10.0 + np.arange(truth.size) * 1e-3
    found = delong(truth, score, scale=scale)
    assert found.value == found.high == 1.0
    assert 0 < found.low < 1
    assert found.method == "score interval for AUC"
    assert "no spread" in found.notes[0]
    worst = delong(~truth, score, scale=scale)
    assert (worst.value, worst.low) == (0.0, 0.0)
    assert worst.high == pytest.approx(1 - found.low)


def test_neither_exceeds_one_nor_collapses_with_many_rows():
    # 145,000 rows in nearly perfect order: other programs print 1 to 1, or an end above 1.
    rng = np.random.default_rng(0)
    truth = rng.random(145_000) < 0.5
    score = truth * 1.0 + rng.uniform(0, 0.5, truth.size)
    perfect = delong(truth, score)
    assert perfect.low < perfect.high == 1.0
    score[:3] = 1.2 - score[:3]
    for scale in ("logit", "plain"):
        found = delong(truth, score, scale=scale)
        assert found.low < found.value < 1
        assert found.high <= 1
    assert delong(truth, score).high < 1


def test_one_row_in_a_class_still_has_an_interval():
    found = delong([True, False, False, False], [0.9, 0.1, 0.95, 0.2])
    assert found.low < found.value < found.high
    assert "score interval" in found.method


# --- invariances ---------------------------------------------------------------------------------


def test_only_order_matters_and_sides_mirror():
    truth, score = scores(120)
    found = delong(truth, score)
    same = delong(truth, np.exp(score))
    assert (same.low, same.high) == (found.low, found.high)
    shuffled = np.random.default_rng(1).permutation(120)
    assert delong(truth[shuffled], score[shuffled]).low == pytest.approx(found.low, rel=1e-12)
    mirrored = delong(truth, -score)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - found.high, 1 - found.low))
    renamed = delong(~truth, -score)
    assert (renamed.low, renamed.high) == pytest.approx((found.low, found.high))


@pytest.mark.parametrize("method", ["auto", "delong", "delong_plain", "score_auc", "delta"])
def test_weights(method):
    truth, score = scores(80)
    weight = np.random.default_rng(2).integers(1, 4, 80)
    one = classes(truth, score=score, weight=weight.astype(float), weight_kind="frequency")
    other = classes(np.repeat(truth, weight), score=np.repeat(score, weight))
    a, b = (estimate(AUC, Counted(rows), interval=method) for rows in (one, other))
    assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), rel=1e-9)
    ones = classes(truth, score=score, weight=np.full(80, 0.7), weight_kind="sampling")
    plain = estimate(AUC, Counted(classes(truth, score=score)), interval=method)
    weighed = estimate(AUC, Counted(ones), interval=method)
    assert (weighed.low, weighed.high) == pytest.approx((plain.low, plain.high), rel=1e-9)
    uneven = classes(truth, score=score, weight=weight + 0.5, weight_kind="sampling")
    assert estimate(AUC, Counted(uneven), interval=method).n_effective <= 80


# --- the rule, groups, designs -------------------------------------------------------------------


def test_rule_by_the_smaller_class():
    few, many = scores(900, share=0.2), scores(1200, share=0.3)
    assert estimate(AUC, Counted(classes(few[0], score=few[1]))).method == "score interval for AUC"
    found = estimate(AUC, Counted(classes(many[0], score=many[1])))
    assert found.method == "DeLong, logit scale"
    alone = delong(*many)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


def test_groups_sum_placements():
    truth, score = scores(300, seed=3)
    group = np.random.default_rng(4).integers(0, 40, 300)
    rows = classes(truth, score=score, group=group)
    found = estimate(AUC, Counted(rows), interval="delong")
    wins = (score[truth][:, None] > score[~truth]) + 0.5 * (score[truth][:, None] == score[~truth])
    psi = np.empty(300)
    psi[truth] = (wins.mean(axis=1) - wins.mean()) / truth.sum()
    psi[~truth] = (wins.mean(axis=0) - wins.mean()) / (~truth).sum()
    moved = [psi[group == one].sum() / np.mean(group != one) for one in set(group)]
    se = np.sqrt((1 - 1 / len(moved)) * np.sum(np.square(moved)))
    assert found.se == pytest.approx(se)
    half = student.ppf(0.975, group_freedom(group)) * se / (found.value * (1 - found.value))
    assert found.low == pytest.approx(expit(logit(found.value) - half))
    assert found.method == "DeLong, logit scale, by group"


def test_class_counts_fixed_by_design_change_nothing():
    truth, score = scores(150)
    plain = estimate(AUC, Counted(classes(truth, score=score)))
    fixed = estimate(AUC, Counted(classes(truth, score=score, design="classes")))
    assert (fixed.low, fixed.high) == (plain.low, plain.high)


def test_mean_of_areas():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 240)
    score = rng.normal(size=(240, 3)) + 1.5 * np.eye(3)[truth]
    rows = classes(truth, truth, score)
    found = estimate(AUC, Counted(rows))
    assert found.method == "MOVER of AUC limits"
    areas = [estimate(AUC, Counted(rows), class_=c) for c in range(3)]
    assert found.value == pytest.approx(np.mean([one.value for one in areas]))
    widest = np.mean([one.high - one.low for one in areas])
    assert widest / 3 < found.high - found.low < widest
    resampled = estimate(AUC, Counted(rows), interval="bootstrap")
    assert found.se == pytest.approx(resampled.se, rel=0.1)
    assert (found.low, found.high) == pytest.approx((resampled.low, resampled.high), abs=0.01)


# --- undefined, refused --------------------------------------------------------------------------


def test_undefined_and_refused():
    assert delong([1, 1], [0.2, 0.3]).reason == "there is no negative row"
    assert np.isnan(delong([0, 0], [0.2, 0.3]).value)
    with pytest.raises(InputError, match="scale"):
        delong([0, 1], [0.2, 0.3], scale="probit")
    with pytest.raises(InputError, match="shape"):
        delong([0, 1], [0.2])
    with pytest.raises(InputError, match="y_true"):
        delong([1, 2], [0.2, 0.3])
    with pytest.raises(InputError, match="NaN"):
        delong([0, 1], [0.2, np.nan])
