"""How many cases decide a difference: peers, a slow twin, and power as simulated."""

import math

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.power import NormalIndPower, TTestPower

from heliast import InputError, comparisons
from heliast.comparisons import cases_for_equivalence, cases_for_mcnemar, cases_to_decide
from heliast.comparisons._sample_size import mcnemar_power, most_rejected

TIMES = 4000


def close(share, power=0.8):
    """Within four standard errors of the simulation."""
    return share == pytest.approx(power, abs=4 * math.sqrt(power * (1 - power) / TIMES))


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 1.2])
@pytest.mark.parametrize("power", [0.6, 0.8, 0.95])
def test_the_paired_t_test_agrees_with_statsmodels(effect, power):
    peer = TTestPower().solve_power(effect_size=effect, power=power, alpha=0.05)
    assert cases_to_decide(0.3 * effect, 0.3, power=power).cases == math.ceil(peer - 1e-6)


def test_the_normal_test_agrees_with_statsmodels():
    # One sample is two with infinitely many in the other: ratio 0.
    peer = NormalIndPower().solve_power(effect_size=0.1, power=0.8, alpha=0.05, ratio=0)
    assert cases_to_decide(-0.02, 0.2, df=math.inf).cases == math.ceil(peer)


def test_a_bar_moves_the_difference():
    moved = cases_to_decide(0.05, 0.3, bar=0.02)
    assert moved.cases == cases_to_decide(0.03, 0.3).cases
    assert moved.what.endswith("told from 0.02")
    assert cases_to_decide(0.02, 0.3, bar=0.02).cases == math.inf


def test_few_folds_need_more():
    fixed = [cases_to_decide(0.02, 0.3, df=df).cases for df in (4, 9, 99, math.inf)]
    assert fixed == sorted(fixed, reverse=True)
    assert fixed[0] > 1.2 * fixed[-1]


def test_power_of_the_t_test_as_simulated():
    needed = cases_to_decide(0.4, 1.0)
    assert needed.power == 0.8
    rng = np.random.default_rng(11)
    drawn = rng.normal(0.4, 1.0, (TIMES, int(needed.cases)))
    found = sum(comparisons.paired_t(one, np.zeros(one.size)).p < 0.05 for one in drawn[:TIMES])
    assert close(found / TIMES)


@pytest.mark.parametrize(("value", "margin"), [(0.0, 0.1), (0.03, 0.1)])
def test_power_of_equivalence_as_simulated(value, margin):
    n = int(cases_for_equivalence(value, 0.5, margin).cases)
    rng = np.random.default_rng(12)
    half = 1.6448536269514722
    mean = rng.normal(value, 0.5 / math.sqrt(n), TIMES)
    se = 0.5 * np.sqrt(rng.chisquare(n - 1, TIMES) / (n - 1)) / math.sqrt(n)
    inside = (np.abs(mean) + half * se < margin).mean()
    assert close(inside)


@pytest.mark.parametrize(("a", "b", "n"), [(12, 6, 100), (30, 10, 400), (5, 0, 60)])
def test_power_of_mcnemar_as_simulated(a, b, n):
    rows = int(cases_for_mcnemar(a, b, n).cases)
    rng = np.random.default_rng(13)
    counts = rng.multinomial(rows, [a / n, b / n, 1 - (a + b) / n], TIMES)
    found = sum(comparisons.mcnemar(int(x), int(y)).p < 0.05 for x, y, _ in counts) / TIMES
    # The power goes up in steps: at least 80%, not much more.
    assert 0.775 < found < 0.86


def test_power_of_mcnemar_by_enumeration():
    p, q, n = 0.2, 0.08, 40
    total = 0.0
    for x in range(n + 1):
        for y in range(n + 1 - x):
            if x > y and comparisons.mcnemar(x, y).p < 0.05:
                total += binom.pmf(x + y, n, p + q) * binom.pmf(y, x + y, q / (p + q))
    assert mcnemar_power(p, q, n) == pytest.approx(total, abs=1e-8)


@pytest.mark.parametrize("level", [0.01, 0.49, 0.8, 0.95, 0.999])
def test_the_most_errors_against_by_counting(level):
    discordant = np.r_[:60, 500:505]
    k = np.arange(600)
    mid = 2 * binom.cdf(k, discordant[:, None], 0.5) - binom.pmf(k, discordant[:, None], 0.5)
    assert np.array_equal(most_rejected(discordant, level), (mid < 1 - level).sum(axis=1) - 1)


def test_mcnemar_is_even_handed_and_close_to_the_formula():
    found = cases_for_mcnemar(60, 45, 1000)
    assert found.cases == cases_for_mcnemar(45, 60, 1000).cases
    share, gap = 0.105, 0.015
    rough = ((1.95996 * math.sqrt(share) + 0.84162 * math.sqrt(share - gap**2)) / gap) ** 2
    assert found.cases == pytest.approx(rough, rel=0.02)
    assert cases_for_mcnemar(5050, 5000, 100_000).cases > 200_000
    assert cases_for_mcnemar(5, 5, 100).cases == math.inf


def test_no_difference_is_never_told_and_a_large_one_never_equivalent():
    assert cases_to_decide(0.0, 1.0).cases == math.inf
    assert "No number of rows" in str(cases_for_equivalence(0.02, 1.0, 0.01))
    assert cases_to_decide(1e6, 1e-9).cases == 2
    for wrong in ({"power": 0.2}, {"power": 1}, {"level": 95}):
        with pytest.raises(InputError):
            cases_to_decide(0.1, 1.0, **wrong)
    with pytest.raises(InputError, match="spread above 0"):
        cases_to_decide(0.1, 0.0)
    with pytest.raises(InputError, match="together at most n"):
        cases_for_mcnemar(5, 6, 10)
