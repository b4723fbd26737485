"""Mover: Newcombe's limits of two rates from their own limits; p where the limits meet 0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heliast as hl
from heliast.comparisons._mcnemar import newcombe
from heliast.comparisons._mover import Mover
from heliast.comparisons._labels import Own, table_mover
from heliast.estimates import wilson
from heliast.estimates._spread import row_influence
from heliast.measures.summaries import Counted


def test_independent_rates():
    """Newcombe 1998 (Statistics in Medicine 17, 873), example (a), method 10: 56/70 and 48/80."""
    own = [(56, 70), (48, 80)]

    def limits(which, level):
        found = wilson(*own[which], level=level)
        return found.low, found.high

    found = Mover((56 / 70, 48 / 80), limits, 0.0)
    assert found.limits(0.95) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    low, _ = found.limits(1 - found.p)
    assert low == pytest.approx(0, abs=1e-5)


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(lambda cells: sum(cells) > 3))
def test_paired_rates_are_newcombes(cells):
    both, only_a, only_b, none = cells
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], cells, axis=0).T
    truth, measure = np.ones(right.shape[1], int), hl.measures.get("accuracy")
    owns, psi = [], []
    for one in right:
        rows = hl.Predictions.of(truth, one, classes=[0, 1]).rows()
        form = measure.form(Counted(rows))
        owns.append(Own.of(form, rows, measure))
        psi.append(row_influence(form, rows))
    found = table_mover(tuple(owns), tuple(psi)).limits(0.95)
    twin = newcombe(both, only_a, only_b, none, 0.95)
    assert found == pytest.approx((twin.low, twin.high), abs=1e-9)
