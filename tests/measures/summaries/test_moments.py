import numpy as np
import pytest
from scipy import stats

from heliast.measures.summaries import Moments


@pytest.fixture
def loss():
    return np.random.default_rng(0).exponential(size=50)


def test_mean_variance_and_skewness(loss):
    found = Moments.of(loss)
    assert found.mean == pytest.approx(loss.mean())
    assert found.variance == pytest.approx(stats.sem(loss) ** 2)
    assert found.skewness == pytest.approx(stats.skew(loss))
    assert found.df == 49


def test_a_count_is_the_row_repeated(loss):
    weight = np.arange(50) % 4
    counted, repeated = Moments.of(loss, weight.astype(float)), Moments.of(np.repeat(loss, weight))
    for name in ("weight", "mean", "variance", "skewness", "df"):
        assert getattr(counted, name) == pytest.approx(getattr(repeated, name)), name


def test_sampling_weights_are_worth_fewer_rows(loss):
    weight = np.random.default_rng(1).random(50)
    found = Moments.of(loss, weight, sampling=True)
    n = weight.sum() ** 2 / (weight**2).sum()
    assert found.n_effective == pytest.approx(n)
    spread = np.average((loss - np.average(loss, weights=weight)) ** 2, weights=weight)
    assert found.variance == pytest.approx(spread / (n - 1))


@pytest.mark.parametrize("constant", [0.0, 0.1, -np.log(0.7), 1e6 + 0.3])
@pytest.mark.parametrize("n", [3, 60])
def test_equal_losses_have_no_skewness(constant, n):
    assert Moments.of(np.full(n, constant)).skewness == 0


def test_one_row_has_no_variance():
    assert np.isnan(Moments.of(np.array([2.0])).variance)
    assert Moments.of(np.array([2.0])).mean == 2


def test_no_rows_have_no_mean_and_add_nothing(loss):
    nothing = Moments.of(np.empty(0))
    assert np.isnan(nothing.mean)
    for both in (nothing + Moments.of(loss), Moments.of(loss) + nothing):
        assert both.mean == pytest.approx(loss.mean())
        assert both.variance == pytest.approx(stats.sem(loss) ** 2)
