import numpy as np
import pytest

from heliast import Predictions
from heliast.measures.summaries import Residuals


def summary(truth, label, **more):
    return Predictions.of(truth, label, task="number", **more).summary(Residuals)


def test_by_hand():
    found = summary([1.0, 2.0, 6.0], [1.5, 2.0, 4.0])
    assert found.absolute.mean == pytest.approx(2.5 / 3)
    assert found.squared.mean == pytest.approx(4.25 / 3)
    assert found.mean_truth == 3
    assert found.absolute_spread == pytest.approx((2 + 1 + 3) / 3)
    assert found.squared_spread == pytest.approx((4 + 1 + 9) / 3)


def test_weighted_mean_of_the_truths():
    found = summary([1.0, 2.0], [1.0, 2.0], weight=[3, 1])
    assert found.mean_truth == pytest.approx(1.25)


def test_plain_and_weighted_add_up():
    plain = summary([1.0, 2.5], [1.0, 2.0])
    weighted = summary([4.0, 8.5], [4.5, 8.0], weight=[2, 3])
    whole = summary([1.0, 2.5, 4.0, 8.5], [1.0, 2.0, 4.5, 8.0], weight=[1, 1, 2, 3])
    for both in (plain + weighted, weighted + plain):
        assert both.mean_truth == pytest.approx(whole.mean_truth)
        assert both.squared_spread == pytest.approx(whole.squared_spread)
        assert both.absolute.mean == pytest.approx(whole.absolute.mean)


@pytest.mark.parametrize("constant", [0.1, 1e9 + 0.3])
def test_equal_truths_have_no_spread(constant):
    found = summary([constant] * 3, [1.0, 2.0, 3.0])
    assert found.constant
    assert found.absolute_spread == found.squared_spread == 0
    assert not np.isnan(found.absolute.mean)
