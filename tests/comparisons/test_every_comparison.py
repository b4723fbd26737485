"""What holds for all tests of two models: swap, order, identical values; and their records."""

import dataclasses
import json
from math import isnan

import numpy as np
import pytest

from heliast import comparisons
from heliast.comparisons import TestResult

TWO = {
    "paired_t": comparisons.paired_t,
    "corrected_t": lambda a, b: comparisons.corrected_t(a, b, 90, 10),
    "five_by_two_t": comparisons.five_by_two_t,
    "five_by_two_f": comparisons.five_by_two_f,
    "wilcoxon": comparisons.wilcoxon,
    "sign_test": comparisons.sign_test,
    "permutation": comparisons.permutation,
    "skewed_t": comparisons.skewed_t,
}
TWO_MODELS = pytest.mark.parametrize("test", TWO.values(), ids=TWO)
UNORDERED = [name for name in TWO if not name.startswith("five")]
A, B = np.random.default_rng(21).normal([[0.3], [0.0]], 1, (2, 10))


@TWO_MODELS
def test_swap(test):
    found, turned = test(A, B), test(B, A)
    assert turned.value == pytest.approx(-found.value)
    assert turned.p == pytest.approx(found.p)
    limits = (-found.high, -found.low)
    assert (turned.low, turned.high) == pytest.approx(limits, nan_ok=True)


@pytest.mark.parametrize("name", UNORDERED)
def test_order_of_the_pairs(name):
    order = np.random.default_rng(0).permutation(10)
    found, moved = TWO[name](A, B), TWO[name](A[order], B[order])
    expected = found.value, found.low, found.high, found.p
    assert (moved.value, moved.low, moved.high, moved.p) == pytest.approx(expected)


@TWO_MODELS
@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_p_does_not_depend_on_the_unit(test, scale):
    assert test(A * scale, B * scale).p == pytest.approx(test(A, B).p)


@TWO_MODELS
def test_identical_values_give_one_not_zero(test):
    found = test(A, A)
    assert (found.p, found.value, found.notes) == (1, 0, ("identical predictions",))
    almost = test(A, A * 3 / 3)
    assert almost.p == 1


@TWO_MODELS
def test_records(test):
    found = test(A, B)
    assert isinstance(found, TestResult)
    assert found.n == 10
    assert 0 < found.p <= 1
    assert json.loads(json.dumps(found.to_dict()))["p"] == pytest.approx(found.p)
    assert found.method in repr(found)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.p = 0.5


def test_what_is_undefined_is_none_in_the_dict():
    found = comparisons.mcnemar(3, 1)
    assert isnan(found.value)
    assert found.to_dict()["value"] is None
    assert repr(found) == f"TestResult(p = {found.p:.3g}, McNemar, mid-p)"
    same = repr(comparisons.mcnemar(0, 0))
    assert same == "TestResult(p = 1, McNemar, mid-p, identical predictions)"


def test_plain_numbers_only():
    table = np.random.default_rng(1).normal(size=(8, 3))
    for found in (
        *(test(A, B) for test in TWO.values()),
        comparisons.friedman(table),
        comparisons.iman_davenport(table),
        comparisons.nemenyi(table),
        comparisons.cochran_q(table > 0),
        comparisons.mcnemar(np.int64(4), np.int64(2), n=np.int64(30)),
        comparisons.bayes_correlated_t(A, B, 90, 10),
        comparisons.bayes_signed_rank(A, B, samples=100),
        comparisons.delong_paired(table[:, 0] > 0, table[:, 1], table[:, 2]),
    ):
        json.dumps(found.to_dict())
        for field in dataclasses.fields(found):
            value = getattr(found, field.name)
            assert not isinstance(value, np.generic), (found.method, field.name)
