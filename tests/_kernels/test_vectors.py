"""Eight numbers at a time give what NumPy gives for each of them."""

import numba
import numpy as np
import pytest

from heliast._kernels import _vectors as vectors
from heliast._kernels._vectors import (
    choose,
    fill,
    high_half,
    like,
    load,
    low_half,
    square_root,
    store,
)

NUMBERS = [0.0, -0.5, 3.0, np.inf, -np.inf, np.nan, 1e-20, 7e5]
OTHERS = [1.0, -0.5, -2.0, 2.0, -np.inf, 1.0, 1e20, 0.0]


@numba.njit(error_model="numpy")
def _sums(a, b, found):
    first, second = load(a, np.uintp(0)), load(b, np.uintp(0))
    store(found, np.uintp(0), first + second)
    store(found, np.uintp(8), first - second)
    store(found, np.uintp(16), first * second)
    store(found, np.uintp(24), first / second)


@numba.njit
def _choices(a, b, found):
    first, second = load(a, np.uintp(0)), load(b, np.uintp(0))
    store(found, np.uintp(0), choose(first > second, first, second))
    store(found, np.uintp(8), choose(first >= second, first, second))
    store(found, np.uintp(16), choose((first >= second) & (second >= first), first, second))
    store(found, np.uintp(24), choose((first > second) | (second > first), first, second))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_differences_products_and_quotients(dtype):
    a, b, found = np.array(NUMBERS, dtype), np.array(OTHERS, dtype), np.empty(32, dtype)
    _sums(a, b, found)
    with np.errstate(all="ignore"):
        expected = np.concatenate([a + b, a - b, a * b, a / b])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_choices_lane_by_lane_and_nan_is_never_above(dtype):
    a, b, found = np.array(NUMBERS, dtype), np.array(OTHERS, dtype), np.empty(32, dtype)
    _choices(a, b, found)
    yes = [a > b, a >= b, (a >= b) & (b >= a), (a > b) | (b > a)]
    np.testing.assert_array_equal(found, np.concatenate([np.where(y, a, b) for y in yes]))


def test_a_place_in_the_middle_is_read_and_written_and_nothing_else():
    @numba.njit
    def moved(a, found):
        store(found, np.uintp(3), load(a, np.uintp(5)) + fill(0.5))

    a, found = np.arange(20.0), np.full(20, -1.0)
    moved(a, found)
    np.testing.assert_array_equal(found[3:11], np.arange(5, 13) + 0.5)
    assert (found[:3] == -1).all()
    assert (found[11:] == -1).all()


def test_precision_follows_the_other():
    @numba.njit
    def turned(a, b, wide, narrow):
        singles, doubles = load(a, np.uintp(0)), load(b, np.uintp(0))
        store(wide, np.uintp(0), like(singles, doubles))
        store(narrow, np.uintp(0), like(doubles, singles))
        store(narrow, np.uintp(8), like(singles, singles))

    a, b = np.linspace(0, 1, 8, dtype=np.float32), np.linspace(0, 1, 8)
    wide, narrow = np.empty(8), np.empty(16, np.float32)
    turned(a, b, wide, narrow)
    np.testing.assert_array_equal(wide, a.astype(np.float64))
    np.testing.assert_array_equal(narrow, np.concatenate([b.astype(np.float32), a]))


def test_halves_of_packed_counts_and_roots():
    @numba.njit
    def parted(packed, low, high, roots):
        both = load(packed, np.uintp(0)) + load(packed, np.uintp(0))
        store(low, np.uintp(0), low_half(both))
        store(high, np.uintp(0), high_half(both))
        store(roots, np.uintp(0), square_root(low_half(both)))

    small, large = np.arange(8) * 1000, np.arange(8) * 77 + 1
    packed = (small | (large << 32)).astype(np.uint64)
    low, high, roots = (np.empty(8, np.float32) for _ in range(3))
    parted(packed, low, high, roots)
    np.testing.assert_array_equal(low, 2 * small)
    np.testing.assert_array_equal(high, 2 * large)
    np.testing.assert_allclose(roots, np.sqrt(2 * small), rtol=1e-7)


def test_the_padding_is_as_wide_as_what_is_read():
    assert vectors.PAD >= vectors.EIGHT - 1
