"""five_by_two_t and five_by_two_f: by hand from their papers' formulas."""

from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats

from heliast import InputError
from heliast.comparisons import five_by_two_f, five_by_two_t

RNG = np.random.default_rng(3)
A, B = RNG.random((2, 5, 2)).round(2)


def slow(a, b):
    """(t of Dietterich, F of Alpaydin), one repeat at a time."""
    squares = variances = 0.0
    for (a1, a2), (b1, b2) in zip(a, b, strict=True):
        one, two = a1 - b1, a2 - b2
        mean = (one + two) / 2
        variances += (one - mean) ** 2 + (two - mean) ** 2
        squares += one**2 + two**2
    return (a[0][0] - b[0][0]) / sqrt(variances / 5), squares / (2 * variances)


def test_both_statistics():
    t, f = slow(A, B)
    ours = five_by_two_t(A, B)
    assert (ours.statistic, ours.p) == pytest.approx((t, 2 * stats.t.sf(abs(t), 5)))
    ours = five_by_two_f(A, B)
    assert (ours.statistic, ours.p) == pytest.approx((f, stats.f.sf(f, 10, 5)))
    assert ours.df == (10, 5)
    assert ours.value == pytest.approx((A - B).mean())


def test_ten_values_row_by_row():
    flat = five_by_two_f(A.ravel(), B.ravel())
    assert flat.to_dict() == five_by_two_f(A, B).to_dict()


def test_only_the_t_depends_on_the_order_of_the_halves():
    turned = A[:, ::-1], B[:, ::-1]
    assert five_by_two_f(*turned).p == pytest.approx(five_by_two_f(A, B).p)
    assert five_by_two_t(*turned).p != pytest.approx(five_by_two_t(A, B).p)


@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f])
def test_awkward(test):
    constant = test(A, A + 0.125)
    assert isnan(constant.p)
    assert "all differences are equal" in test(np.full((5, 2), 0.3), np.full((5, 2), 0.2)).reason
    with pytest.raises(InputError, match=r"shape \(5, 2\), got \(4, 2\)"):
        test(A[:4], B[:4])
