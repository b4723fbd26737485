"""Groups of models that do not differ, by enumeration; designs that cannot reach significance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast.comparisons import holm, indistinct, out_of_reach, sign_test, wilcoxon


@given(st.integers(1, 6), st.integers(0, 2**15 - 1))
def test_groups_are_the_maximal_cliques(k, bits):
    pairs = list(combinations(range(k), 2))
    differing = {pair for at, pair in enumerate(pairs) if bits >> at & 1}
    cliques = [
        group
        for size in range(1, k + 1)
        for group in combinations(range(k), size)
        if not differing & set(combinations(group, 2))
    ]
    largest = {a for a in cliques if not any(set(a) < set(b) for b in cliques)}
    found = indistinct(range(k), lambda i, j: (min(i, j), max(i, j)) in differing)
    assert len(found) == len(set(found))
    assert set(found) == largest


@pytest.mark.parametrize(("sets", "pairs"), [(6, 1), (6, 2), (6, 10), (9, 10), (10, 28), (8, 6)])
def test_out_of_reach_is_what_the_best_data_say(sets, pairs):
    gain = np.arange(1.0, sets + 1)
    for test in (wilcoxon, sign_test):
        p = test(gain, np.zeros(sets)).p
        reached = holm([p] + [1.0] * (pairs - 1))[0] < 0.05
        assert reached == (out_of_reach(sets, pairs) == "")


def test_out_of_reach_says_what_would_do():
    words = out_of_reach(6, 10)
    assert "smallest adjusted p is 0.31" in words
    assert "at least 9 data sets, or at most 1 pair (" in words
    assert not out_of_reach(9, 10)
    assert out_of_reach(8, 10)
