import numpy as np
import pytest

from heliast import Predictions
from heliast.measures.summaries import Residuals


def summary(truth, label, **more):
    return Predictions.of(truth, label, task="regression", **more).summary(Residuals)


def test_by_hand():
    found = summary([1.0, 2.0, 6.0], [1.5, 2.0, 4.0])
    assert found.absolute.mean == pytest.approx(2.5 / 3)
    assert found.squared.mean == pytest.approx(4.25 / 3)
    assert found.mean_true == 3
    assert found.absolute_spread == pytest.approx((2 + 1 + 3) / 3)
    assert found.squared_spread == pytest.approx((4 + 1 + 9) / 3)


def test_weighted_mean_of_the_truths():
    found = summary([1.0, 2.0], [1.0, 2.0], weight=[3, 1])
    assert found.mean_true == pytest.approx(1.25)


@pytest.mark.parametrize("constant", [0.1, 1e9 + 0.3])
def test_equal_truths_have_no_spread(constant):
    found = summary([constant] * 3, [1.0, 2.0, 3.0])
    assert found.constant
    assert found.absolute_spread == found.squared_spread == 0
    assert not np.isnan(found.absolute.mean)
