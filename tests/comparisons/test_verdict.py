"""verdict: the four words, both directions, never 'equal'."""

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast import InputError
from heliast.comparisons import verdict


@pytest.mark.parametrize(
    ("interval", "word"),
    [
        ((0.03, 0.015, 0.045, 0.018, 0.042), "better"),
        ((0.02, 0.005, 0.035, 0.008, 0.032), "better, perhaps by less than 0.01"),
        ((0.001, -0.006, 0.008, -0.005, 0.007), "equivalent within 0.01"),
        ((0.001, -0.011, 0.013, -0.0095, 0.0099), "equivalent within 0.01"),
        ((0.01, -0.01, 0.03, -0.007, 0.027), "inconclusive"),
        ((0.0, -0.01, 0.01, -0.01, 0.01), "inconclusive"),
        ((0.0, nan, nan, nan, nan), "inconclusive"),
    ],
)
def test_words(interval, word):
    assert verdict(*interval, 0.01, "high") == word
    assert verdict(*interval, 0.01, "low") == word.replace("better", "worse")
    value, low, high, low90, high90 = interval
    assert verdict(-value, -high, -low, -high90, -low90, 0.01, "low") == word


def test_real_only_if_p_agrees():
    ends = (0.03, 0.015, 0.045, 0.018, 0.042)
    assert verdict(*ends, 0.01, "high", p=0.01) == "better"
    assert verdict(*ends, 0.01, "high", p=0.06) == "inconclusive"
    assert verdict(*ends, 0.1, "high", p=0.06) == "equivalent within 0.1"


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 0.2))
def test_never_equal(value, half, margin):
    ends = value - half, value + half, value - 0.8 * half, value + 0.8 * half
    assert "equal" not in verdict(value, *ends, margin, "high")


def test_refused():
    with pytest.raises(InputError, match="margin=-1"):
        verdict(0, 0, 0, 0, 0, -1, "high")
    with pytest.raises(InputError, match=r"low, high=.*lower limit comes first"):
        verdict(0, 1, -1, 0, 0, 0.01, "high")
    with pytest.raises(InputError, match="better='up'"):
        verdict(0, 0, 0, 0, 0, 0.01, "up")
