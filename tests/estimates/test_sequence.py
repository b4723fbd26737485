"""Confidence sequences: Ville's bound by exact counting, slow twins, every measure, refusals."""

import math

import numpy as np
import pytest

import heliast as hl
from heliast import InputError, estimates, measures
from heliast.estimates import _sequence as inside
from heliast.estimates import any_level, sequence, wilson
from heliast.estimates._estimate import estimate
from heliast.measures.summaries import Counted


def capital(m, values, high):
    """The slow twin: one bet after the other against the claim that the mean is m."""
    low = 0.0
    smallest, most = inside.SMALLEST / math.sqrt((m - low) * (high - m)), 1 / (high - m)
    ratio = (most / smallest) ** (1 / (inside.STAKES - 1))
    held = []
    for k in range(inside.STAKES):
        money = 1.0
        for x in values:
            money *= max(0.0, 1 + smallest * ratio**k * (m - x))
        held.append(money)
    return sum(held) / len(held)


@pytest.mark.parametrize("seed", range(3))
def test_the_upper_end_is_where_the_capital_is_reached(seed):
    values = np.random.default_rng(seed).beta(1, 5, 40)
    found = sequence(values, level=0.9)
    assert capital(found.high, values, 1.0) == pytest.approx(20, rel=1e-6)
    mirrored = sequence(1 - values, level=0.9)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high))
    for m in np.linspace(found.high, 0.99, 30)[1:]:
        assert capital(m, values, 1.0) > 20  # what is left out above is all left out
    wide = sequence(3 * values - 1, bounds=(-1.0, 2.0), level=0.9)
    assert (wide.low, wide.high) == pytest.approx((3 * found.low - 1, 3 * found.high - 1))


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5, 0.9])
def test_a_rate_at_the_bar_passes_at_most_so_often_over_all_looks(rate):
    """Ville's inequality, by counting every path of 600 rows with a look after each."""
    goal, most = math.log(2 / 0.05), -1  # with up to so many hits it has passed
    alive, passed = np.array([1.0]), 0.0
    for n in range(1, 601):
        alive = np.append(alive * (1 - rate), 0.0) + np.append(0.0, alive * rate)
        while most + 1 < n * rate and _won(rate, n, most + 1) >= goal:
            most += 1
        passed += alive[: most + 1].sum()
        alive[: most + 1] = 0.0
    assert sequence([0, 1], counts=[600 - most, most]).high <= rate
    assert sequence([0, 1], counts=[599 - most, most + 1]).high > rate
    assert 0.002 < passed <= 0.025


def _won(rate, n, hits):
    seen = np.array([n - hits, hits], float)
    return inside._capital(rate, np.array([0.0, 1.0])[seen > 0], seen[seen > 0], 0.0, 1.0)


def test_price_of_looking_at_any_time():
    for n in (200, 1_000, 20_000):
        for rate in (0.05, 0.3):
            one, again = wilson(n * rate, n), sequence([0, 1], counts=[n - n * rate, n * rate])
            assert 1.4 < (again.high - again.low) / (one.high - one.low) < 1.8


def test_nothing_seen_and_nothing_there():
    assert (sequence([0] * 100).low, sequence([1] * 100).high) == (0.0, 1.0)
    assert 0.03 < sequence([0] * 100).high < 0.08
    assert sequence([]).reason == "no rows"
    with pytest.raises(InputError, match="leaves the bounds"):
        sequence([0.2, 1.5])
    with pytest.raises(InputError, match="counts"):
        sequence([0, 1], counts=[1])


def test_many_values_lose_next_to_nothing():
    values = np.random.default_rng(5).beta(2, 6, 6_000)
    few = sequence(values)
    low, high = inside.bet(np.round(values, 3), np.ones(values.size), (0.0, 1.0), 0.95)
    assert values.size > inside.EDGES > 1001
    assert (few.low, few.high) == pytest.approx((low, high), abs=3e-5)


def test_the_level_of_any_look_holds_for_a_normal_walk():
    looks = np.arange(1, 41) * 50
    z = np.array([-_ndtri((1 - any_level(n)) / 2) for n in looks])
    rng = np.random.default_rng(2)
    walk = rng.normal(size=(20_000, 40)).cumsum(axis=1) * math.sqrt(50) / np.sqrt(looks)
    once, ever = (walk[:, -1] > 1.96).mean(), (walk > z).any(axis=1).mean()
    assert ever <= 0.025
    assert (walk > 1.96).any(axis=1).mean() > 4 * once  # what looking again does otherwise


def _ndtri(p):
    from scipy.special import ndtri

    return float(ndtri(p))


def scored(n, seed=0, group=None):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(int)
    chance = 1 / (1 + np.exp(-rng.normal(2.0 * truth - 1, 1.2)))
    return hl.Predictions.of(
        truth, y_score=chance, positive=1, scores="probability", classes=[0, 1], group=group
    )


def test_every_measure_has_one_or_says_why_not():
    table = scored(400)
    names = [
        m.name
        for m in measures.everything()
        if m.task == "classification" and not m.required and not m.more_classes
    ]
    names = [name for name in names if not measures.get(name).ordinal]
    names = [name for name in names if measures.get(name).needs != "votes"]
    found = hl.assess(table, names, interval="sequence")
    for one in found:
        if math.isnan(one.low):
            assert "standard error" in one.reason
            continue
        assert "confidence sequence" in one.method
        assert one.level == 0.95
        assert one.low < one.value < one.high
    for name in ("error", "recall", "f1", "auc", "brier", "log_loss", "kappa", "balanced_accuracy"):
        one, usual = found["model", name], hl.assess(table, name)["model", name]
        assert one.low < usual.low < usual.high < one.high
    numbers = hl.Predictions.of(np.arange(50.0), np.arange(50.0) + np.tile([1.0, -2.0], 25))
    assert (
        "confidence sequence" in hl.assess(numbers, "mae", interval="sequence").estimates[0].method
    )


def test_costs_are_bet_on_between_the_least_and_the_largest():
    table = scored(300)
    found = hl.assess(table, [], cost=[[0, 1], [5, 0]], interval="sequence").estimates[0]
    rows = table.rows()
    paid = np.array([[0, 1], [5, 0]])[rows.y_true, rows.y_pred]
    twin = sequence(paid, bounds=(0.0, 5.0))
    assert (found.low, found.high) == pytest.approx((twin.low, twin.high))


def test_groups_are_the_units():
    table = scored(300, group=np.repeat(np.arange(30), 10))
    one = hl.assess(table, "error", interval="sequence").estimates[0]
    level = any_level(30)
    twin = estimate(measures.get("error"), Counted(table.rows()), level=level)
    assert (one.low, one.high) == (twin.low, twin.high)
    assert any("asymptotic" in note for note in one.notes)


def test_several_splits_have_none():
    truth = np.tile([0, 1], 60)
    table = hl.Predictions.of(truth, truth, split=np.repeat(np.arange(4), 30), row=np.arange(120))
    assert "one test set" in hl.assess(table, "error", interval="sequence").estimates[0].reason
    assert "sequence" in estimates.methods()


def test_an_area_at_the_bar_over_ten_looks():
    """A model at the bar of AUC 0.8: what the usual interval and the sequence let through."""
    usual = again = 0
    auc, bar, repeats = measures.get("auc"), 0.8, 100
    for at in range(repeats):
        rng = np.random.default_rng([7, at])
        truth = (rng.random(1_000) < 0.3).astype(int)
        score = rng.normal(1.1902321 * truth, 1.0)  # sqrt(2) times the normal quantile at 0.8
        parts = [
            Counted(hl.Predictions.of(truth[:n], y_score=score[:n], positive=1, classes=[0, 1],
                                      scores="decision").rows())
            for n in range(100, 1_001, 100)
        ]  # fmt: skip
        usual += any(estimate(auc, part).low >= bar for part in parts)
        again += any(estimate(auc, part, interval="sequence").low >= bar for part in parts)
    assert again / repeats <= 0.025 + 3 * math.sqrt(0.025 / repeats)
    assert usual / repeats > 0.05
