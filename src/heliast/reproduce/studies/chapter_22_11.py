"""Example 22.11: naive against full Bayes, paired over five folds."""

from collections.abc import Iterator

import numpy as np

from heliast.comparisons import paired_t
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note, Value

NAIVE = np.array([7, 8, 3, 12, 9]) / 30
FULL = np.array([6, 6, 5, 10, 7]) / 30
"""Errors of 30 rows a fold, printed 0.233, 0.267, ... and 0.2, 0.2, 0.167, ..."""


@study(
    "chapter-22.11",
    "Naive against full Bayes: the paired t test over five folds",
    design="The printed errors of both models on the five folds, as counts of 30 rows each.",
    tolerance="""Half a unit of the last printed digit; 0.015 for z, which is printed from the
    rounded mean.""",
)
def chapter_22_11(setting: Setting) -> Iterator[Value | Claim | Note]:
    """Mean and variance of the differences, the statistic, and the verdict."""
    found = paired_t(NAIVE, FULL)
    group = "Example 22.11"
    difference = NAIVE - FULL
    yield Value(group, "mean difference", "", 0.033, float(difference.mean()), 0.0005)
    yield Value(group, "variance", "", 0.00333, float(difference.var(ddof=1)), 0.000005)
    yield Value(group, "z", "", 1.28, float(found.statistic), 0.015)
    yield Claim(
        "there is no significant difference between the naive and full Bayes classifier",
        bool(found.p > 0.05),
        f"p = {found.p:.3f}",
    )
    yield Note("Exact, z is 1.291; the rounded mean of 0.033 gives the printed 1.28.")
