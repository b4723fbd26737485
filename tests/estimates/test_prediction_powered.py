"""Prediction-powered means: by hand, against human grades alone, and by simulation."""

import numpy as np
import pytest

import heliast as hl
from heliast.estimates import prediction_powered


def _graded(seed: int, n: int, others: int, right: float = 0.9, p: float = 0.7):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n + others) < p).astype(float)
    judge = np.where(rng.random(truth.size) < right, truth, 1 - truth)
    return judge, np.where(np.arange(truth.size) < n, truth, np.nan), truth


def test_by_hand() -> None:
    judge, human, _ = _graded(0, 40, 60)
    y, f, rest = human[:40], judge[:40], judge[40:]
    spread = np.concatenate([f, rest]).var(ddof=1)
    share = ((y - y.mean()) * (f - f.mean())).mean() / ((1 + 40 / 60) * spread)
    found = prediction_powered(judge, human)
    assert found.weight_of_judge == pytest.approx(share)
    assert found.value == pytest.approx((y - share * f).mean() + share * rest.mean())
    assert found.bias == pytest.approx((f - y).mean())
    assert found.agreement == pytest.approx((f == y).mean())


def test_a_useless_judge_leaves_the_human_grades_alone() -> None:
    rng = np.random.default_rng(1)
    human = np.where(np.arange(300) < 60, (rng.random(300) < 0.6).astype(float), np.nan)
    found = prediction_powered(np.full(300, 0.5), human)
    wilson = hl.estimates.wilson(int(np.nansum(human)), 60)
    assert found.weight_of_judge == 0
    assert found.value == np.nanmean(human)
    assert found.low == pytest.approx(wilson.low, abs=0.01)
    assert "the human grades alone are surer" in found.notes


def test_it_covers_and_is_never_wider_than_human_grades_alone() -> None:
    inside, ratios = 0, []
    for seed in range(400):
        judge, human, _ = _graded(seed, 60, 600, right=0.85)
        found = prediction_powered(judge, human)
        inside += found.low <= 0.7 <= found.high
        ratios.append((found.high - found.low) / (found.human_high - found.human_low))
    assert inside >= 368  # 0.95 expected; 0.92 is 2.8 standard errors below
    assert max(ratios) <= 1.05
    assert np.mean(ratios) < 0.85


def test_groups_widen_it_and_few_are_refused() -> None:
    rng = np.random.default_rng(4)
    group = np.arange(1200) % 60
    truth = (rng.random(1200) < rng.beta(1, 1, 60)[group]).astype(float)
    judge = np.where(rng.random(1200) < 0.9, truth, 1 - truth)
    human = np.where(np.arange(1200) < 240, truth, np.nan)
    plain, grouped = prediction_powered(judge, human), prediction_powered(judge, human, group=group)
    assert grouped.value == plain.value
    assert grouped.high - grouped.low > 1.3 * (plain.high - plain.low)
    few = prediction_powered(judge, human, group=np.arange(1200) % 3)
    assert "only 3 groups" in few.reason


@pytest.mark.parametrize(
    ("judge", "human", "said"),
    [
        ([0, 1], [1], "judge has 2 grades, human 1"),
        ([0, np.nan], [1, 0], "judge: expected one finite number an item"),
        ([0, 1], [np.nan, np.nan], "no item has a human grade"),
        (["a", "b"], [1, 0], "judge: expected one number an item"),
    ],
)
def test_bad_grades_are_refused(judge, human, said: str) -> None:
    with pytest.raises(hl.InputError, match=said):
        prediction_powered(judge, human)


def test_few_human_grades_have_no_interval() -> None:
    judge, human, _ = _graded(3, 12, 100)
    found = prediction_powered(judge, human)
    assert np.isnan(found.low)
    assert found.reason == "12 human grades: an interval needs at least 30"


def test_skewed_ratings_are_covered():
    """Ratings that are mostly perfect, 60 human grades: symmetric limits cover .90 to .92."""
    covers, sets, shares = 0, 400, [0.01, 0.02, 0.05, 0.22, 0.7]
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        grade = rng.choice(5, 800, p=shares) + 1.0
        judge = np.clip(grade + rng.choice([-1, 0, 0, 1], 800), 1, 5)
        human = np.where(np.arange(800) < 60, grade, np.nan)
        found = prediction_powered(judge, human, bounds=(1, 5))
        covers += found.low <= 4.58 <= found.high
    assert covers >= 0.925 * sets
