"""Example 22.7: mean and variance of the error over five folds."""

from collections.abc import Iterator

import numpy as np

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value

ERRORS = np.array([8, 4, 7, 11, 5]) / 30
"""The errors of five folds of 30 rows, printed 0.267, 0.133, 0.233, 0.367, 0.167."""


@study(
    "chapter-22.7",
    "Iris in two dimensions, full Bayes: error over five folds",
    design="The printed errors of the five folds, as counts of 30 rows each.",
    tolerance="Half a unit of the last printed digit.",
)
def chapter_22_7(setting: Setting) -> Iterator[Value | Note]:
    """Mean and variance (divided by K - 1) of the fold errors."""
    group = "Example 22.7"
    yield Value(group, "mean error", "", 0.233, float(ERRORS.mean()), 0.0005)
    yield Value(group, "variance", "", 0.00833, float(ERRORS.var(ddof=1)), 0.000005)
    yield Note(
        "Equation 22.4 divides by K; the printed variance divides by K - 1, and so do we. From the "
        "rounded errors it would be 0.00837."
    )
