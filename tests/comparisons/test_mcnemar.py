"""mcnemar: binomial by hand, SciPy and statsmodels, the intervals, no discordant rows."""

from itertools import product
from math import comb, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats import contingency_tables

from heliast import InputError
from heliast.comparisons import mcnemar
from heliast.comparisons._mcnemar import bonett_price, newcombe

# --- worked by hand --------------------------------------------------------------------------


def test_by_hand():
    chances = [comb(11, k) / 2**11 for k in range(12)]
    tail = sum(chances[:3])
    assert mcnemar(9, 2).p == pytest.approx(2 * tail - chances[2])
    assert mcnemar(9, 2, exact=True).p == pytest.approx(2 * tail)
    assert mcnemar(9, 2, chi_square="plain").statistic == pytest.approx(49 / 11)
    assert mcnemar(9, 2, chi_square="corrected").statistic == pytest.approx(36 / 11)


def test_as_many_each_way_says_nothing():
    for options in ({}, {"exact": True}, {"chi_square": "plain"}, {"chi_square": "corrected"}):
        assert mcnemar(4, 4, **options).p == 1


# --- peers -----------------------------------------------------------------------------------


@given(st.integers(0, 60), st.integers(0, 60))
def test_peers(b, c):
    if b + c == 0:
        return
    assert mcnemar(b, c, exact=True).p == pytest.approx(stats.binomtest(b, b + c).pvalue)
    for corrected in (False, True):
        if b == c and corrected:
            continue  # statsmodels corrects 0 to 1
        theirs = contingency_tables.mcnemar([[5, b], [c, 5]], exact=False, correction=corrected)
        ours = mcnemar(b, c, chi_square="corrected" if corrected else "plain")
        assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))


# --- the trap: identical classifiers ---------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"exact": True}, {"chi_square": "corrected"}])
def test_no_discordant_rows(options):
    found = mcnemar(0, 0, **options)
    assert found.p == 1
    assert found.notes == ("identical predictions",)
    rows = mcnemar(0, 0, n=50, both_wrong=5, **options)
    assert rows.value == 0
    assert rows.low < 0 < rows.high


# --- intervals -------------------------------------------------------------------------------


def test_newcombe_as_published():
    # Newcombe 1998, method 10, and Altman and others, Statistics with Confidence, 2000.
    found = newcombe(36, 12, 2, 0, 0.95)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    altman = newcombe(14, 5, 0, 22, 0.95)
    assert (altman.low, altman.high) == pytest.approx((0.011, 0.226), abs=5e-4)


def test_difference_of_error_rates():
    found = mcnemar(12, 2, n=50, both_wrong=36)
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    assert found.method == "McNemar, mid-p; Newcombe interval"
    without = mcnemar(12, 2, n=50)
    assert (without.low, without.high) == bonett_price(12, 2, 50, 0.95)[:2]
    assert isnan(mcnemar(12, 2).value)
    assert "give n=" in mcnemar(12, 2).reason


def test_bonett_price_by_hand():
    p, q = 13 / 52, 3 / 52
    half = 1.959963984540054 * ((p + q - (p - q) ** 2) / 52) ** 0.5
    assert bonett_price(12, 2, 50, 0.95)[:2] == pytest.approx((p - q - half, p - q + half))


def test_intervals_are_intervals_for_every_small_table():
    for both, a, b, none in product(range(4), repeat=4):
        if both + a + b + none == 0:
            continue
        n = both + a + b + none
        found, turned = newcombe(both, a, b, none, 0.95), newcombe(both, b, a, none, 0.95)
        assert -1 <= found.low <= (a - b) / n <= found.high <= 1
        assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low))
        low, high, _ = bonett_price(a, b, n, 0.95)
        assert -1 <= low <= high <= 1


# --- what is refused -------------------------------------------------------------------------


def test_refused():
    with pytest.raises(InputError, match=r"only_a_wrong=2\.5"):
        mcnemar(2.5, 1)
    with pytest.raises(InputError, match="only_b_wrong=-1"):
        mcnemar(2, -1)
    with pytest.raises(InputError, match="exclude each other"):
        mcnemar(2, 1, exact=True, chi_square="plain")
    with pytest.raises(InputError, match="already 3 rows"):
        mcnemar(2, 1, n=2)
    with pytest.raises(InputError, match="both_wrong: give n="):
        mcnemar(2, 1, both_wrong=2)
    with pytest.raises(InputError, match="chi_square='yates'"):
        mcnemar(2, 1, chi_square="yates")
