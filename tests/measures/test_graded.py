"""Measures of graded answers, against enumeration and by hand."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import heliast as hl
from heliast import Predictions, measures
from heliast._core.errors import InputError


def table_of(grades: list[list[float]], **options: object) -> Predictions:
    """One row of grades for each item."""
    pairs = [(item, at, one) for item, row in enumerate(grades) for at, one in enumerate(row)]
    item, attempt, grade = zip(*pairs, strict=True)
    return Predictions.graded(grade, item=item, attempt=attempt, **options)


GRADES = [[1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 1, 0, 0]]


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_draws_are_those_of_every_choice_of_k_attempts(k: int) -> None:
    chosen = [list(combinations(row, k)) for row in GRADES]
    some = np.mean([np.mean([max(one) for one in every]) for every in chosen])
    all_ = np.mean([np.mean([min(one) for one in every]) for every in chosen])
    table = table_of(GRADES)
    assert measures.get(f"pass@{k}").of(table) == pytest.approx(some, abs=1e-14)
    assert measures.get(f"pass^{k}").of(table) == pytest.approx(all_, abs=1e-14)


@pytest.mark.parametrize(("k", "n"), [(1, 3), (2, 4), (3, 6)])
def test_draws_are_unbiased(k: int, n: int) -> None:
    """The exact expectation over all numbers of successes of n attempts, at three difficulties."""
    for p in (0.1, 0.5, 0.8):
        found = {"@": 0.0, "^": 0.0}
        for c in range(n + 1):
            table = table_of([[1] * c + [0] * (n - c)])
            for sign in found:
                value = measures.get(f"pass{sign}{k}").of(table)
                found[sign] += stats.binom.pmf(c, n, p) * value
        assert found["@"] == pytest.approx(1 - (1 - p) ** k, abs=1e-12)
        assert found["^"] == pytest.approx(p**k, abs=1e-12)


def test_consistency_is_the_share_of_pairs_of_attempts_that_agree() -> None:
    grades = [[1, 1, 0, 0.5], [0, 0, 0, 0], [1, 0, 1, 0]]
    pairs = [np.mean([a == b for a, b in combinations(row, 2)]) for row in grades]
    assert measures.get("consistency").of(table_of(grades)) == pytest.approx(np.mean(pairs))


def test_shares_and_quantiles_of_ratings() -> None:
    ratings = [[1], [2], [3], [4], [5], [5], [5], [4], [2], [1]]
    table = table_of(ratings, bounds=(1, 5))
    assert measures.get("above", bar=4).of(table) == pytest.approx(0.5)
    assert measures.get("median").of(table) == 3
    assert measures.get("quantile", q=0.9).of(table) == 5
    assert measures.get("grade").of(table) == pytest.approx(3.2)
    found = hl.assess(table, ["grade", "median", "above(bar=4)"])
    assert 1 <= found["model", "median"].low <= 3 <= found["model", "median"].high <= 5
    assert found["model", "above(bar=4)"].value == pytest.approx(0.5)


def test_names_tell_the_number_of_attempts() -> None:
    assert measures.get("pass@3").title == "pass@3"
    assert measures.titled("pass^2") == measures.get("pass^k", k=2)
    assert measures.get("fbeta(beta=2)") == measures.get("fbeta", beta=2)
    with pytest.raises(InputError, match="parameters are numbers by name"):
        measures.get("f(two)")
    with pytest.raises(InputError, match="needs k="):
        measures.get("pass@k").of(table_of(GRADES))


def test_unasked_the_panel_takes_all_attempts() -> None:
    found = hl.assess(table_of(GRADES))
    assert found.measures == ("grade", "pass@5", "pass^5", "consistency")
    once = hl.assess(Predictions.graded([1, 0, 1], item=[1, 2, 3]))
    assert once.measures == ("grade",)


def test_fewer_attempts_than_k_are_no_value() -> None:
    found = hl.assess(table_of([[1, 0], [1]]), "pass@2")["model", "pass@2"]
    assert np.isnan(found.value)
    assert found.reason == "an item has 1 attempt, fewer than 2"


def test_what_answers_took() -> None:
    table = Predictions.graded(
        [1, 0, 1, 1], item=[1, 1, 2, 2], attempt=[1, 2, 1, 2], columns={"cost": [1, 3, 2, 2.5]}
    )
    assert hl.assess(table)["model", "cost_per_attempt"].value == pytest.approx((2 + 2.25) / 2)
    assert "tokens_per_attempt" not in hl.assess(table).measures
    assert "no column 'tokens'" in hl.assess(table, "tokens_per_attempt").estimates[0].reason


def test_right_or_wrong_once_is_a_plain_rate() -> None:
    """The same number of rows and successes as an accuracy has the same interval."""
    grades = [1] * 37 + [0] * 12
    graded = hl.assess(Predictions.graded(grades, item=range(49)))["model", "grade"]
    rate = hl.assess(["a"] * 49, ["a"] * 37 + ["b"] * 12)["model", "accuracy"]
    assert (graded.low, graded.high) == pytest.approx((rate.low, rate.high), abs=1e-12)
    assert graded.method == "Wilson"


@pytest.mark.parametrize("n", [20, 50])
def test_near_perfect_models_are_covered_too(n: int) -> None:
    """By the binomial law itself: Wilson's limits cover .84 of samples where 0.17 wrong are due."""
    ends = []
    for wrong in range(n + 1):
        found = hl.assess(Predictions.graded([0] * wrong + [1] * (n - wrong), item=range(n)))
        one = found["model", "grade"]
        wilson = hl.estimates.wilson(n - wrong, n)
        ends.append((one.low, one.high))
        assert one.low <= wilson.low + 1e-12
        assert one.high >= wilson.high - 1e-12
        assert one.high - one.low < 1.04 * (wilson.high - wilson.low)
    low, high = np.array(ends).T
    wrong = np.arange(n + 1)
    for p in 1 - np.geomspace(0.05, n / 2, 300) / n:
        covered = stats.binom.pmf(wrong, n, 1 - p)[(low <= p) & (p <= high)].sum()
        assert covered > 0.928


@pytest.mark.parametrize("all_", [0, 1])
def test_never_without_width_at_the_ends(all_: int) -> None:
    found = hl.assess(table_of([[all_] * 4] * 30))["model", "grade"]
    wilson = hl.estimates.wilson(30 * all_, 30)
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))


def test_groups_of_very_unequal_size_near_a_bound_are_covered() -> None:
    """Simulated: whole groups of 1 to 50 items that are answered alike, a tenth of them badly."""
    covered = 0
    for seed in range(150):
        rng = np.random.default_rng([5, seed])
        group = np.repeat(np.arange(200), np.minimum(rng.zipf(1.7, 200), 50))
        chance = np.where(rng.random(200) < 0.9, 1.0, rng.beta(3, 2, 200))
        right = rng.random(group.size) < chance[group]
        table = Predictions.graded(right, item=np.arange(group.size), group=group)
        found = hl.assess(table, "grade")["model", "grade"]
        covered += found.low <= 0.96 <= found.high
    assert covered >= 141  # 94%; .90 when each group counted as one, 99% of runs at .97 have more


def test_attempts_are_worth_more_than_items_and_less_than_rows() -> None:
    rng = np.random.default_rng(1)
    chance = rng.beta(2, 2, 300)
    grades = (rng.random((300, 8)) < chance[:, None]).astype(float)
    found = hl.assess(table_of(grades.tolist()))["model", "grade"]
    assert 300 < found.n_effective < 2400
    # The variance of the mean over items, as if by hand.
    by_hand = grades.mean(axis=1).var(ddof=1) / 300
    assert found.se**2 == pytest.approx(by_hand, rel=0.01)


def test_how_many_more_items() -> None:
    rng = np.random.default_rng(2)
    chance = rng.random(4000)
    grades = (rng.random((4000, 5)) < chance[:, None]).astype(float)
    found = hl.assess(table_of(grades.tolist()))["model", "grade"]
    assert found.attempts == 5
    wide = found.high - found.low
    far = found.cases_for(width=0.5 * wide)
    assert far.unit == "items"
    assert far.cases == pytest.approx(4 * 4000, rel=0.01)


def test_the_order_of_answers_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    item, attempt = np.repeat(np.arange(30), 4), np.tile(np.arange(4), 30)
    grade = rng.integers(0, 2, 120)
    asked = ["grade", "pass@2", "pass^3", "consistency", "median"]
    one = hl.assess(Predictions.graded(grade, item=item, attempt=attempt), asked)
    mixed = rng.permutation(120)
    other = hl.assess(
        Predictions.graded(grade[mixed], item=item[mixed], attempt=attempt[mixed]), asked
    )
    for a, b in zip(one, other, strict=True):
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-12)


def test_a_weight_of_two_is_the_item_twice() -> None:
    rng = np.random.default_rng(6)
    grades = rng.integers(0, 2, (20, 3)).tolist()
    item = np.repeat(np.arange(20), 3)
    weighed = Predictions.graded(
        np.ravel(grades), item=item, attempt=np.tile(range(3), 20), weight=1.0 + (item < 8)
    )
    twice = table_of([*grades, *grades[:8]])
    for name in ("grade", "pass@2", "consistency", "median"):
        a, b = (hl.assess(one, name).estimates[0] for one in (weighed, twice))
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-12)


def by_rank(n: int, q: float) -> tuple[int, int]:
    """Ranks of the limits of a quantile by plain search; 0 and n + 1 stand for the bounds."""
    low = max(k for k in range(n + 1) if k == 0 or stats.binom.cdf(k - 1, n, q) <= 0.025)
    high = min(k for k in range(1, n + 2) if k == n + 1 or stats.binom.sf(k - 1, n, q) <= 0.025)
    return low, high


@pytest.mark.parametrize("q", [0.1, 0.25, 0.5, 0.75, 0.9])
@pytest.mark.parametrize("n", [5, 20, 50, 200])
def test_the_limits_of_a_quantile_are_the_ranks_that_binomial_tests_leave(n: int, q: float) -> None:
    grades = np.random.default_rng(n).permutation(n) / n + 0.5 / n
    found = hl.assess(table_of(grades[:, None].tolist()), f"quantile(q={q})").estimates[0]
    low, high = by_rank(n, q)
    ranks = np.concatenate([[0.0], np.sort(grades), [1.0]])
    assert (found.low, found.high) == (ranks[low], ranks[high])
    chance = stats.binom.cdf(high - 1, n, q) - stats.binom.cdf(low - 1, n, q)
    assert 0.95 <= chance <= 1.0  # that the quantile of a continuous law lies between them
    assert (low == 0) + (high == n + 1) == sum("is the bound" in note for note in found.notes)


def test_a_quantile_without_a_limit_says_how_many_items_give_one() -> None:
    grades = (np.arange(20) / 20)[:, None].tolist()
    found = hl.assess(table_of(grades), "quantile(q=0.9)").estimates[0]
    assert found.high == 1
    assert "36 items like these would give one" in found.notes[0]
    assert 0.9**36 < 0.025 < 0.9**35


@pytest.mark.parametrize("q", [0.25, 0.5, 0.9])
def test_attempts_that_agree_are_worth_one(q: float) -> None:
    """Ratings too, all of which may lie at or below the quantile."""
    ratings = np.random.default_rng(5).integers(1, 6, 40).astype(float)
    ratings[ratings > 3] = 5
    once, thrice = (
        hl.assess(table_of(np.repeat(ratings[:, None], k, 1).tolist(), bounds=(1, 5)),
                  f"quantile(q={q})").estimates[0] for k in (1, 3)
    )  # fmt: skip
    assert (once.low, once.high) == (thrice.low, thrice.high)


def costs(*models: np.ndarray) -> Predictions:
    """Costs of models at the same items."""
    n = models[0].size
    return Predictions.graded(
        np.ones(n * len(models)), item=np.tile(range(n), len(models)),
        model=np.repeat([f"m{at}" for at in range(len(models))], n),
        columns={"cost": np.concatenate(models)},
    )  # fmt: skip


def test_costs_that_do_not_lean_have_students_limits() -> None:
    table = costs(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    found = hl.assess(table, "cost_per_attempt").estimates[0]
    assert (found.low, found.high) == pytest.approx(
        stats.t.interval(0.95, 4, 3, np.sqrt(2.5 / 5)), abs=1e-12
    )


def test_the_mean_of_skewed_costs_is_covered() -> None:
    """Log-normal, 20 items: t and Hall's t alone cover 0.86 and 0.91."""
    rng = np.random.default_rng(8)
    found = [
        hl.assess(costs(np.exp(rng.standard_normal(20))), "cost_per_attempt").estimates[0]
        for _ in range(400)
    ]
    covered = np.mean([one.low <= np.exp(0.5) <= one.high for one in found])
    assert 0.925 <= covered <= 0.985


def test_costs_of_one_mean_and_unlike_tails_are_not_told_apart() -> None:
    """Log-normal, as a shared part makes both: t of the differences rejects 0.14 of them."""
    rng = np.random.default_rng(9)
    rejected = 0
    for _ in range(200):
        same, own = rng.standard_normal(20), rng.standard_normal((2, 20))
        z = np.sqrt(0.7) * same + np.sqrt(0.3) * own
        table = costs(np.exp(1.5 * z[0] - 1.125), np.exp(z[1] - 0.5))
        rejected += hl.compare(table, "cost_per_attempt")["m0", "m1"].p < 0.05
    assert rejected <= 0.065 * 200


def test_differences_that_are_all_equal_have_the_limits_of_the_worst_law() -> None:
    """Of all laws between -1 and 1 whose mean is m, a difference of d is likeliest for that of two
    values, d and -1. The lower limit is the m for which it happens 30 times with a chance of 2.5%.
    """
    grades = np.random.default_rng(4).random(30) / 2
    d, n = 0.25, 30
    table = Predictions.graded(
        np.concatenate([grades + d, grades]), item=np.tile(range(n), 2), model=np.repeat([*"ab"], n)
    )
    found = hl.compare(table, "grade")["a", "b"]
    once = (found.low + 1) / (d + 1)  # the chance of d with that mean
    assert d * once - (1 - once) == pytest.approx(found.low)
    assert once**n == pytest.approx(0.025)
    assert ((1 - found.high) / (1 - d)) ** n == pytest.approx(0.025)
    assert found.p == pytest.approx(2 * (1 / (1 + d)) ** n)
    assert hl.compare(table, "grade")["b", "a"].low == pytest.approx(-found.high)


def test_equal_costs_have_no_interval_without_width() -> None:
    """Nor have costs that all differ by as much: nothing bounds what others might cost."""
    cost = np.exp(np.random.default_rng(2).standard_normal(30))
    same = hl.compare(costs(cost, cost), "cost_per_attempt")["m0", "m1"]
    assert same.p == 1
    more = hl.compare(costs(cost, cost + 1), "cost_per_attempt")["m0", "m1"]
    assert np.isnan([same.low, more.low, more.p]).all()
