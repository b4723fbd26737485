"""The corrected resampled t interval."""

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import estimates
from heliast.data import simulate


def test_against_the_formula() -> None:
    values = np.random.default_rng(1).random(12)
    found = estimates.corrected_t(values, 90, 10, level=0.9)
    se = np.sqrt(values.var(ddof=1) * (1 / 12 + 1 / 9))
    half = stats.t.ppf(0.95, 11) * se
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert found.se == pytest.approx(se)
    assert found.target == "algorithm"
    assert found.n_train == 90


def test_it_inverts_wekas_corrected_test() -> None:
    # Weka: t = mean / sqrt((1/J + n_test/n_train) s^2), J - 1 degrees of freedom.
    values = np.random.default_rng(2).normal(0.03, 0.05, 100)
    found = estimates.corrected_t(values, 900, 100)
    for edge in (found.low, found.high):
        t = (values.mean() - edge) / np.sqrt((1 / 100 + 100 / 900) * values.var(ddof=1))
        assert 2 * stats.t.sf(abs(t), 99) == pytest.approx(0.05)


def test_it_is_wider_than_the_plain_t_interval_by_the_correction() -> None:
    values = np.random.default_rng(3).random(10)
    plain, fair = estimates.fold_t(values), estimates.corrected_t(values, 9, 1)
    assert (fair.high - fair.low) / (plain.high - plain.low) == pytest.approx(np.sqrt(1 + 10 / 9))


def test_equal_values_have_no_interval_and_bad_ones_are_refused() -> None:
    assert "tells nothing" in estimates.corrected_t([0.1, 0.1, 0.1], 90, 10).reason
    with pytest.raises(hl.InputError, match="at least 2 splits"):
        estimates.corrected_t([0.1], 90, 10)
    with pytest.raises(hl.InputError, match="both must be above 0"):
        estimates.corrected_t([0.1, 0.2], 0, 10)
    with pytest.raises(hl.InputError, match=r"did you mean 0\.95"):
        estimates.corrected_t([0.1, 0.2], 90, 10, level=95)


@pytest.mark.parametrize("plan", [hl.KFold(5), hl.KFold(5, repeats=3), hl.Subsampling(6, 0.75)])
@pytest.mark.parametrize("measure", ["error", "log_loss", "auc"])
def test_by_name_it_takes_the_value_of_each_split(plan: object, measure: str) -> None:
    data = simulate.two_gaussians(0.2).sample(100, seed=2)
    table = hl.run({"nb": GaussianNB()}, data, plan, seed=1)
    found = hl.assess(table, measure, interval="corrected_t")["nb", measure]
    values = [hl.measures.get(measure).of(part) for _, part in table.per_split("nb")]
    one = table.splits.records[0]
    alone = estimates.corrected_t(values, one.n_train, one.n_test)
    low, high = hl.measures.get(measure).bounds
    assert found.value == pytest.approx(alone.value)
    assert found.low == pytest.approx(max(low, alone.low))
    assert found.high == pytest.approx(min(high, alone.high))
    assert found.n_train == one.n_train
