"""Mover: Newcombe's limits of two rates from their own limits; p where the limits meet 0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heliast as hl
from heliast.comparisons._labels import Own, table_mover
from heliast.comparisons._mover import Mover, square_and_add
from heliast.estimates import wilson
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
def test_paired_rates_have_newcombes_correlation(cells):
    """Newcombe 1998, method 10: phi with n/2 off its numerator where that is positive."""
    both, only_a, only_b, none = cells
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], cells, axis=0).T
    n, measure = right.shape[1], hl.measures.get("accuracy")
    owns, psi = [], []
    for answers in right:
        rows = hl.Predictions.of(np.ones(n, int), answers, classes=[0, 1]).rows()
        form = measure.form(Counted(rows))
        owns.append(Own.of(form, rows, measure))
        psi.append(form.influence(rows))
    found = table_mover(tuple(owns), tuple(psi))
    cross = both * none - only_a * only_b
    cross = max(0.0, cross - n / 2) if cross > 0 else cross
    a, b = both + only_a, both + only_b
    product = a * (n - a) * b * (n - b)
    phi = cross / product**0.5 if product else 0.0
    assert found.correlation == pytest.approx(phi, abs=1e-9)
    values = a / n, b / n
    own = [(value, *own.limits(0.95)) for value, own in zip(values, owns, strict=True)]
    assert found.limits(0.95) == pytest.approx(square_and_add(*own, phi), abs=1e-9)
