"""Centred MOVER: sums of many rates."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.estimates.twins import of_table

from heliast import measures
from heliast.estimates import estimate, wilson
from heliast.estimates._mover import Matrix, centred, correlate
from heliast.estimates._scales import mover
from heliast.measures.summaries import Counted

Z = 1.959963984540054


def score_limits(hits: Any, sizes: Any) -> tuple[float, float]:
    """The mean rates that a score test with the rates of largest likelihood would not reject."""
    value, k = (hits / sizes).mean(), len(hits)

    def rates(pull: float) -> Any:
        """The likeliest rates when their mean is pulled: x/p - (n - x)/(1 - p) = pull."""
        linear = sizes + pull
        root = np.sqrt(linear**2 - 4 * pull * hits)
        return (linear - root) / (2 * pull)

    def beyond(pull: float) -> float:
        p = rates(pull)
        return float((p.mean() - value) ** 2 - Z**2 * (p * (1 - p) / sizes).sum() / k**2)

    lower, upper = brentq(beyond, 1e-6, 1e7), brentq(beyond, -1e7, -1e-6)
    return float(rates(lower).mean()), float(rates(upper).mean())


def ends_of(hits: Any, sizes: Any) -> Any:
    found = [wilson(int(x), int(n)) for x, n in zip(hits, sizes, strict=True)]
    return np.array([(one.low, one.high) for one in found])


def test_one_rate_has_wilsons_limits() -> None:
    one = wilson(3, 40)
    below, above = centred(np.ones(1), np.array([3 / 40]), ends_of([3], [40]), Matrix(np.eye(1)))
    assert (3 / 40 - below, 3 / 40 + above) == pytest.approx((one.low, one.high))


def test_rates_that_go_together_are_as_one() -> None:
    one = wilson(3, 40)
    ends, same = ends_of([3] * 4, [40] * 4), np.ones((4, 4))
    below, above = centred(np.full(4, 0.25), np.full(4, 3 / 40), ends, Matrix(same))
    assert (3 / 40 - below, 3 / 40 + above) == pytest.approx((one.low, one.high))


@pytest.mark.parametrize("k", [4, 10, 40])
@pytest.mark.parametrize("rate", [0.5, 0.8, 0.95])
def test_it_is_the_score_interval_to_first_order(k: int, rate: float) -> None:
    rng = np.random.default_rng(k)
    sizes = rng.integers(40, 120, k)
    hits = np.minimum(rng.binomial(sizes, rate), sizes - 1)
    values = hits / sizes
    covariance = Matrix(np.diag(values * (1 - values) / sizes))
    below, above = centred(np.full(k, 1 / k), values, ends_of(hits, sizes), covariance)
    low, high = score_limits(hits, sizes)
    mean = values.mean()
    assert (mean - below, mean + above) == pytest.approx((low, high), abs=0.12 * (high - low))
    plain = mover(values, np.full(k, 1 / k), ends_of(hits, sizes))
    far = abs(plain[0] - low) + abs(plain[1] - high)
    assert abs(mean - below - low) + abs(mean + above - high) <= far + 0.02 * (high - low)


def test_a_difference_has_the_limits_of_its_mirror() -> None:
    values = np.array([0.9, 0.7, 0.8, 0.6])
    weights, ends = np.array([1.0, -1.0, 0.5, -0.5]), ends_of([45, 35, 40, 30], [50] * 4)
    covariance = Matrix(np.diag(values * (1 - values) / 50))
    below, above = centred(weights, values, ends, covariance)
    assert centred(-weights, values, ends, covariance) == pytest.approx((above, below))


def test_good_models_of_many_classes_are_covered() -> None:
    k, n, rng = 26, 50, np.random.default_rng(7)
    rates = np.linspace(0.955, 0.985, k)
    covered = {"centred": 0, "plain": 0}
    for _ in range(400):
        hits = rng.binomial(n, rates)
        values = hits / n
        ends = ends_of(hits, [n] * k)
        covariance = Matrix(np.diag(values * (1 - values) / n))
        below, above = centred(np.full(k, 1 / k), values, ends, covariance)
        low, high = mover(values, np.full(k, 1 / k), ends)
        covered["centred"] += values.mean() - below <= rates.mean() <= values.mean() + above
        covered["plain"] += low <= rates.mean() <= high
    assert covered["centred"] > 0.94 * 400
    assert covered["plain"] < 0.92 * 400  # why the default changes with the number of classes


def test_small_classes_with_middling_rates_are_covered() -> None:
    # Ten rows a class: Wilson's limits are 0.87 times as long as those of the delta method.
    k, n, rng = 26, 10, np.random.default_rng(8)
    rates, covered = np.linspace(0.4, 0.6, k), {0.0: 0, Z: 0}
    for _ in range(400):
        hits = rng.binomial(n, rates)
        values = hits / n
        covariance = Matrix(np.diag(values * (1 - values) / n))
        for q in covered:
            ends = ends_of(hits, [n] * k)
            least = q * np.sqrt(covariance.matrix.trace()) / k
            below, above = centred(np.full(k, 1 / k), values, ends, covariance, least=least)
            covered[q] += values.mean() - below <= rates.mean() <= values.mean() + above
    assert covered[Z] > 0.92 * 400 > covered[0.0]


def test_the_default_of_more_than_three_rates() -> None:
    rng = np.random.default_rng(1)
    for k, words in ((3, "MOVER of Wilson limits"), (4, "centred MOVER of Wilson limits")):
        counted = Counted(of_table(rng.integers(1, 9, (k, k)) + 20 * np.eye(k, dtype=int)))
        for name in ("balanced_accuracy", "f1.macro", "precision.macro"):
            assert estimate(measures.get(name), counted).method == words
        plain = estimate(measures.get("f1.macro"), counted, interval="mover")
        assert plain.method == "MOVER of Wilson limits"


def test_groups_relate_rates_without_spread() -> None:
    together = Matrix(np.array([[4.0, 1.0, 0.0], [1.0, 4.0, 0.0], [0.0, 0.0, 0.0]]))

    def correlations(grouped: bool) -> Any:
        return np.column_stack([correlate(together, grouped, unit) for unit in np.eye(3)]).tolist()

    assert correlations(True) == [[1.0, 0.25, 1.0], [0.25, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert correlations(False) == [[1.0, 0.25, 0.0], [0.25, 1.0, 0.0], [0.0, 0.0, 1.0]]
