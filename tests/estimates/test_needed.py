"""How many cases an interval needs: inverted exactly where the method allows, else by 1/sqrt(n)."""

import math
from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.proportion import samplesize_confint_proportion

import heliast as hl
from heliast import InputError, estimates
from heliast._core.proportions import wilson_limits
from heliast.estimates import (
    Estimate,
    agresti_coull,
    cases_needed,
    clopper_pearson,
    corrected_t,
    delong,
    jeffreys,
    student_t,
    wilson,
)
from heliast.estimates._needed import APPROXIMATE, shrinking
from heliast.estimates._scales import score_limits

PROPORTIONS = [wilson, clopper_pearson, agresti_coull, jeffreys]


def first(enough, most=20_000):
    """The slow twin: count up."""
    return next(n for n in range(2, most) if enough(n))


@pytest.mark.parametrize("limits", PROPORTIONS)
@pytest.mark.parametrize(("successes", "n"), [(15, 100), (0, 30), (30, 30), (3, 400)])
def test_width_of_a_rate_by_counting_up(limits, successes, n):
    one = limits(successes, n)
    found = cases_needed(one, width=0.06)

    def narrow(m):
        again = limits(one.value * m, m)
        return again.high - again.low <= 0.06

    assert found.cases == first(narrow)
    assert found.more == max(0, found.cases - n)
    assert found.now == n


@pytest.mark.parametrize("limits", PROPORTIONS)
def test_bar_of_a_rate_by_counting_up(limits):
    one = limits(12, 100)
    for bar in (0.1, 0.2):

        def outside(m, bar=bar):
            again = limits(0.12 * m, m)
            return not again.low <= bar <= again.high

        assert one.cases_for(bar=bar).cases == first(outside)


def test_effective_rows_and_student_quantiles_stay():
    # What repeated folds give: a rate worth 60 of 100 rows, with a t quantile.
    low, high = wilson_limits(0.2, 60, 0.95, 49)
    one = Estimate(0.2, low, high, method="Wilson, effective n 60 from 50 splits", n=100,
                   n_effective=60, target="algorithm", scale="rate")  # fmt: skip
    found = one.cases_for(width=0.1)

    def narrow(m):
        low, high = wilson_limits(0.2, 0.6 * m, 0.95, 49)
        return high - low <= 0.1

    assert found.cases == first(narrow)
    assert "train other models" in found.notes[0]


def test_the_wald_interval_agrees_with_statsmodels():
    rate, n, half = 0.2, 50, 0.03
    reach = 1.959963984540054 * math.sqrt(rate * (1 - rate) / n)
    one = Estimate(rate, rate - reach, rate + reach, method="normal (Wald)", n=n, n_effective=n)
    peer = samplesize_confint_proportion(rate, half, method="normal")
    assert one.cases_for(width=2 * half).cases == math.ceil(peer)


def test_a_mean_follows_students_quantile():
    losses = np.random.default_rng(1).exponential(size=12)
    one = student_t(losses)
    found = one.cases_for(width=0.5)
    # The same losses over and over have this mean and this spread with n in place of n - 1.
    sd = losses.std(ddof=1)

    def narrow(m):
        from scipy.stats import t

        return 2 * t.ppf(0.975, m - 1) * sd / math.sqrt(m) <= 0.5

    assert found.cases == first(narrow)


def test_corrected_t_keeps_its_degrees_of_freedom():
    one = corrected_t([0.1, 0.2, 0.15, 0.25], n_train=90, n_test=10)
    found = one.cases_for(width=(one.high - one.low) / 2)
    assert found.cases == 4 * 100


def test_f_is_solved_where_it_is_binomial():
    truth = ["a"] * 60 + ["b"] * 40
    label = ["a"] * 50 + ["b"] * 10 + ["b"] * 30 + ["a"] * 10
    one = hl.assess(hl.Predictions.of(truth, label, positive="b"), ["f1"])["model", "f1"]
    q = one.value / (2 - one.value)

    def narrow(m):
        low, high = (2 * x / (1 + x) for x in wilson_limits(q, m, 0.95))
        return high - low <= 0.1

    assert one.cases_for(width=0.1).cases == first(narrow)


def test_auc_with_all_rows_again():
    rng = np.random.default_rng(0)
    truth = rng.random(150) < 0.4
    score = rng.normal(size=150) + truth
    one = delong(truth, score)
    twice = delong(np.tile(truth, 4), np.tile(score, 4))
    found = one.cases_for(width=twice.high - twice.low)
    assert found.cases == pytest.approx(600, rel=0.02)
    low, high = score_limits(0.8, 0.0, (30.0, 60.0), 1.96)
    score_one = Estimate(0.8, low, high, method="score interval for AUC", n=90, n_effective=90)
    low, high = score_limits(0.8, 0.0, (90.0, 180.0), 1.96)
    assert score_one.cases_for(width=high - low).cases == pytest.approx(270, rel=0.02)


def test_every_default_interval_is_itself_at_its_own_n():
    rng = np.random.default_rng(3)
    truth = rng.random(300) < 0.3
    table = hl.Predictions.of(truth, y_score=1 / (1 + np.exp(-rng.normal(truth * 2 - 1))),
                              scores="probability")  # fmt: skip
    found = [one for one in hl.assess(table) if math.isfinite(one.low) and one.high > one.low]
    assert len(found) > 10
    for one in found:
        ends, notes = shrinking(one)
        assert ends(one.n) == pytest.approx((one.low, one.high), abs=1e-9), one
        narrower = ends(4 * one.n)
        assert one.low <= narrower[0] <= one.value <= narrower[1] <= one.high
        assert notes in ((), (APPROXIMATE,))


def test_what_cannot_be_answered_says_why():
    one = wilson(15, 100)
    never = one.cases_for(bar=0.15)
    assert never.cases == math.inf
    assert "on the bar" in str(never)
    assert never.to_dict()["cases"] is None
    for bare, words in [
        (Estimate(math.nan, reason="no rows"), "no rows"),
        (replace(one, low=math.nan, reason="only 3 groups"), "only 3 groups"),
        (wilson(15, 100, side="upper"), "one-sided"),
        (replace(one, n=math.nan), "number of rows"),
    ]:
        found = bare.cases_for(width=0.1)
        assert math.isnan(found.cases)
        assert words in str(found)
    for wrong in ({}, {"width": 0.1, "bar": 0.2}, {"width": 0}, {"bar": math.inf}):
        with pytest.raises(InputError, match=r"width|bar"):
            one.cases_for(**wrong)


def test_enough_already():
    found = wilson(15, 100).cases_for(width=0.5)
    assert found.cases < 100
    assert found.more == 0
    assert "no more than now" in str(found)
    assert estimates.Needed is type(found)
