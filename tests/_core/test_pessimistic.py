"""Pessimistic errors: Weka's C4.5, the binomial law, Wilson's interval, the slides' rule."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from heliast._core.pessimistic import FORMS, pessimistic_errors
from heliast.estimates import wilson

ANSWERS = json.loads((Path(__file__).parents[1] / "reference" / "add_errs.json").read_text())


def test_c45_as_weka_computes_it():
    rows = np.array(ANSWERS["rows"])
    for confidence in np.unique(rows[:, 2]):
        n, errors, _, extra = rows[rows[:, 2] == confidence].T
        ours = pessimistic_errors(errors, n, confidence) - errors
        # Weka's normal quantile is good to about 1e-8 of the count.
        np.testing.assert_allclose(ours, extra, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_the_exact_limit_is_where_the_count_has_that_probability(confidence):
    n = np.array([1, 6, 16, 200])
    for errors in (0, 1, 5):
        some = n[n > errors]
        rate = pessimistic_errors(np.full(len(some), errors), some, confidence, "binomial") / some
        np.testing.assert_allclose(binom.cdf(errors, some, rate), confidence, rtol=1e-9)


def test_wilson_is_the_upper_end_of_the_interval():
    """Two sides of 95% leave 2.5% above: the slides' z = 1.96 is one-sided 97.5%."""
    found = pessimistic_errors(np.array([15]), np.array([100]), 0.025, "wilson")[0] / 100
    assert found == pytest.approx(wilson(15, 100).high, abs=1e-12)


def test_c45_is_exact_without_errors():
    n = np.arange(1, 50)
    ours, exact = (pessimistic_errors(np.zeros(49), n, form=f) for f in ("c4.5", "binomial"))
    np.testing.assert_allclose(ours, exact, rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_between_the_count_and_all_rows_and_falling_with_confidence(form):
    n = np.array([0.0, 1, 2, 2.5, 9, 1e6, 4])
    errors = np.array([0.0, 1, 1, 0.5, 3, 10, 4])
    strict, easy = (pessimistic_errors(errors, n, c, form) for c in (0.05, 0.5))
    assert (strict >= easy - 1e-12).all()
    assert (strict >= errors).all()
    assert (strict <= n + 1e-9).all()
    assert strict[0] == 0
