"""Models that hardly err: limits with few rows on a side, and orders without a fault."""

import numpy as np
import pytest
from scipy.stats import binom
from tests.estimates.twins import classes, of_table

import heliast as hl
from heliast import measures
from heliast.estimates import clopper_pearson, estimate, wilson
from heliast.measures.summaries import Counted

AP = measures.get("average_precision")


def error(misses: int, interval: str = "auto") -> hl.Estimate:
    counted = Counted(of_table([[200 - misses, misses], [0, 0]]))
    return estimate(measures.get("error"), counted, interval=interval)


def test_the_default_of_rates_covers_at_every_rate() -> None:
    """Binomial sums: Wilson alone covers .840 at the worst rate of 200 rows."""
    limits = [error(misses) for misses in range(40)]
    low, high = (
        np.array([getattr(one, end) for one in limits])[:, None] for end in ("low", "high")
    )
    rates = np.linspace(0.05, 15, 1500) / 200
    chance = binom.pmf(np.arange(40)[:, None], 200, rates)
    assert (chance * ((low <= rates) & (rates <= high))).sum(axis=0).min() > 0.925


@pytest.mark.parametrize("misses", [0, 1, 5, 6, 30])
def test_the_exact_limit_is_that_of_one_tail(misses: int) -> None:
    found, score = error(misses), wilson(misses, 200)
    exact = clopper_pearson(misses, 200, 0.9)
    assert found.low == pytest.approx(min(score.low, exact.low) if misses <= 5 else score.low)
    assert found.high == pytest.approx(score.high)
    assert (found.method == "Wilson") == (found.low == score.low)
    plain = estimate(
        measures.get("error"),
        Counted(of_table([[200 - misses, misses], [0, 0]])),
        interval="wilson",
    )
    assert (plain.low, plain.high, plain.method) == (score.low, score.high, "Wilson")


def test_average_precision_of_one_has_wilsons_limits_of_the_positives() -> None:
    truth = np.arange(60) < 12
    rows = classes(truth, score=np.where(truth, 0.9, 0.1), score_kind="probability")
    found = estimate(AP, Counted(rows))
    assert (found.low, found.high) == pytest.approx((wilson(12, 12).low, 1.0))
    assert found.key == "wilson_positives"
    rows = classes(truth, score=np.where(np.arange(60) < 11, 0.9, 0.1), score_kind="probability")
    refused = estimate(AP, Counted(rows), interval="wilson_positives")
    assert "average precision of 1" in refused.reason
